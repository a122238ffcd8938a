//! What a field is to its plan: columns of the catalogue, instead of parts of its path.

/// What a field is to its plan; decides how words and numbers about it are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    /// What customers pay.
    Sales,
    /// Money that is paid.
    Payment,
    /// The least that is paid where a share of sales would be less: "at least $500" is its value, not a bound of it.
    Minimum,
    /// Money that counts for a key figure and is not paid.
    Imputed,
    /// A share of something larger.
    Share(Base),
    /// Yearly growth of sales in this year of the plan, 1 to 5. May be negative.
    Growth(u8),
    /// How much costs rise each year.
    Escalation,
    /// The amount that is borrowed.
    Loan,
    /// How long the loan is paid back.
    LoanTerm,
    /// What the loan costs a year.
    InterestRate,
    /// The number of the month from which something is paid: "month 4", not "4 months".
    StartMonth,
    /// Months of costs that are held as cash.
    Reserve,
    /// Anything else: durations, counts, tax rates, multiples.
    Quantity,
}

/// What a share is a share of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// Sales of the same time.
    Sales,
    /// All wages and salaries.
    Wages,
    /// The total investment.
    Project,
    /// "6 months of operating costs"
    Costs,
}

impl FieldRole {
    /// What a number of this role is a part or a multiple of.
    pub const fn base(self) -> Option<Base> {
        match self {
            Self::Share(base) => Some(base),
            Self::Reserve => Some(Base::Costs),
            _ => None,
        }
    }

    /// Whether it is one of the three numbers that a loan is spoken of by.
    pub const fn is_of_loan(self) -> bool {
        matches!(self, Self::Loan | Self::LoanTerm | Self::InterestRate)
    }
}
