//! What an intent is about.

use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_model::text_enum;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a message says about its intent; only what the words say is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Slots {
    /// The field it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<FieldPath>,
    /// The change of [`Slots::field`], where the message has one change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The changes, where the message has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FieldChange>,
    /// The figure it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
    /// The figure that is to reach a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<Line>,
    /// In the metric's unit: cents, a factor, months.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Number>,
    /// 1 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u8>,
    /// 1 to 60.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<u8>,
    /// Which of the open values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub which: Option<Which>,
    /// Factors, in the order of the message.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub product: Vec<Number>,
    /// The word whose meaning is asked for, as it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// A place of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What the model does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// What is to be done with cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<ScenarioAct>,
    /// A case's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What kind of small talk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<SocialKind>,
}

impl Slots {
    /// All changes of the message, also where it has one.
    pub fn all_changes(&self) -> Vec<FieldChange> {
        let one = self.field.clone().zip(self.change);
        let one = one.map(|(field, change)| FieldChange { field, change });
        one.into_iter().chain(self.changes.iter().cloned()).collect()
    }
}

/// How a value is to differ from the plan's; in the field's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// The value itself.
    To(Number),
    /// So much more; less where negative.
    By(Number),
    /// The plan's value times this.
    Times(Number),
}

/// The change of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldChange {
    /// The field.
    pub field: FieldPath,
    /// Its change.
    pub change: Change,
}

/// A figure that the engine computes, or the line of a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    /// All that has to be paid until the opening day.
    MoneyToOpen,
    /// What of it is the owner's own.
    OwnCash,
    /// The payment of a month on the loan.
    LoanPayment,
    /// Sales.
    Sales,
    /// Sales less the cost of goods.
    GrossProfit,
    /// Earnings before interest, tax and depreciation.
    Ebitda,
    /// What is left after all costs and tax.
    NetProfit,
    /// The balance at the end of a month.
    Cash,
    /// The least balance of all months.
    LowestCash,
    /// The first month that ends below zero.
    FirstNegativeMonth,
    /// The largest cost.
    BiggestCost,
    /// All costs.
    TotalCosts,
    /// What is left for the owner.
    OwnerLeft,
    /// Loan coverage.
    Dscr,
    /// Loan coverage after the owner's draw.
    DscrAfterOwner,
    /// The first month that covers its costs.
    BreakEvenMonth,
    /// The sales of a month that cover its costs.
    BreakEvenSales,
    /// When the owner's money is back.
    Payback,
    /// What is owed.
    LoanBalance,
    /// What the business could be sold for.
    Valuation,
    /// Royalty, ad fund and technology fee together.
    FranchiseFees,
    /// The line of a field.
    Field(FieldPath),
}

impl Line {
    /// The lines that the engine computes, by their names.
    pub const NAMED: [(&'static str, Self); 21] = [
        ("moneyToOpen", Self::MoneyToOpen),
        ("ownCash", Self::OwnCash),
        ("loanPayment", Self::LoanPayment),
        ("sales", Self::Sales),
        ("grossProfit", Self::GrossProfit),
        ("ebitda", Self::Ebitda),
        ("netProfit", Self::NetProfit),
        ("cash", Self::Cash),
        ("lowestCash", Self::LowestCash),
        ("firstNegativeMonth", Self::FirstNegativeMonth),
        ("biggestCost", Self::BiggestCost),
        ("totalCosts", Self::TotalCosts),
        ("ownerLeft", Self::OwnerLeft),
        ("dscr", Self::Dscr),
        ("dscrAfterOwner", Self::DscrAfterOwner),
        ("breakEvenMonth", Self::BreakEvenMonth),
        ("breakEvenSales", Self::BreakEvenSales),
        ("payback", Self::Payback),
        ("loanBalance", Self::LoanBalance),
        ("valuation", Self::Valuation),
        ("franchiseFees", Self::FranchiseFees),
    ];

    /// Whether a field's line differs by month and year; every other is one value of the plan.
    pub fn is_of_time(field: &FieldPath) -> bool {
        const OTHERS: [&str; 4] = [
            "startupCapital.depreciationYears",
            "revenue.monthlyAuv",
            "financing.interestRate",
            "profitabilityAndDistributions.ownerDrawMonthly",
        ];
        field.section() == "operatingCosts" || OTHERS.contains(&field.as_str())
    }

    /// The line's name, or the field's path.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Field(path) => path.as_str(),
            line => Self::NAMED
                .iter()
                .find(|(_, named)| named == line)
                .map_or("", |(name, _)| name),
        }
    }

    /// Reads what [`Line::as_str`] writes.
    pub fn read(text: &str) -> Self {
        let named = Self::NAMED.into_iter().find(|(name, _)| *name == text);
        named.map_or_else(|| Self::Field(FieldPath::read(text)), |(_, line)| line)
    }
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::read(&text))
    }
}

text_enum! {
    /// Which of the open values a yes or a no is about.
    pub enum Which {
        /// The one that was asked about.
        One = "one",
        /// Each of them.
        All = "all",
        /// Not one of them.
        None = "none",
        /// The first in the order of the list.
        First = "first",
        /// The second.
        Second = "second",
        /// The third.
        Third = "third",
        /// The fourth.
        Fourth = "fourth",
        /// The fifth.
        Fifth = "fifth",
        /// The last.
        Last = "last",
    }
}

text_enum! {
    /// A place of the page.
    pub enum Place {
        /// The printed plan.
        Print = "print",
        /// The workbook.
        Excel = "excel",
        /// The table of months.
        Csv = "csv",
        /// The package for the bank.
        Bank = "bank",
        /// Editing a message.
        EditMessage = "editMessage",
        /// Deleting a message.
        DeleteMessage = "deleteMessage",
        /// A person to talk to.
        Person = "person",
        /// Who sees the plan.
        WhoSees = "whoSees",
        /// The account.
        Account = "account",
        /// The language of the page.
        Language = "language",
        /// The guide through the questions.
        Guide = "guide",
        /// The brand.
        Brand = "brand",
        /// The brand's defaults, instead of what was entered.
        Reset = "reset",
        /// A conversation without history.
        Clear = "clear",
        /// Whether the service runs.
        Status = "status",
    }
}

text_enum! {
    /// What the model does not have.
    pub enum Topic {
        /// Months that differ from each other.
        Seasons = "seasons",
        /// A further location.
        SecondUnit = "secondUnit",
        /// Who owns how much of it.
        Partners = "partners",
        /// What the owner pays in taxes at home.
        OwnTaxes = "ownTaxes",
        /// Sales item by item.
        Prices = "prices",
        /// Costs that rise each by itself.
        Inflation = "inflation",
        /// The day of the opening, and a later one.
        Opening = "opening",
        /// Whether a lender agrees.
        Lender = "lender",
        /// What a lender looks at.
        LenderWants = "lenderWants",
        /// What other businesses earn.
        Others = "others",
        /// Anything else.
        Other = "other",
    }
}

text_enum! {
    /// What is to be done with cases.
    pub enum ScenarioAct {
        /// Keep the plan or the last what-if under a name.
        Save = "save",
        /// Show them side by side.
        Compare = "compare",
        /// Make one the plan.
        Adopt = "adopt",
        /// Name them.
        List = "list",
        /// Remove one.
        Delete = "delete",
    }
}

text_enum! {
    /// Small talk.
    pub enum SocialKind {
        /// Thanks.
        Thanks = "thanks",
        /// A greeting.
        Hello = "hello",
        /// Annoyance.
        Annoyed = "annoyed",
        /// A farewell.
        Bye = "bye",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_written_as_the_labels_write_them() {
        for text in [
            r#"{"field":"financing.loanAmount","change":{"by":-2000000}}"#,
            r#"{"changes":[{"field":"operatingCosts.rentMonthly","change":{"times":0.9}}]}"#,
            r#"{"line":"operatingCosts.royaltyPct","year":3}"#,
            r#"{"metric":"dscr","target":1.25}"#,
            r#"{"which":"second"}"#,
            r#"{"product":[25,60,26]}"#,
            r#"{"place":"editMessage"}"#,
            r#"{"act":"save","name":"lean"}"#,
            "{}",
        ] {
            let slots: Slots = serde_json::from_str(text).expect(text);
            assert_eq!(serde_json::to_string(&slots).expect("JSON"), text);
        }
    }

    #[test]
    fn each_line_is_read_as_it_is_written() {
        for (name, line) in Line::NAMED {
            assert_eq!((line.as_str(), Line::read(name)), (name, line.clone()));
        }
    }
}
