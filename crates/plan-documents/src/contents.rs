//! What a document is made of.

use plan_model::brand::Brand;
use plan_model::field::Field;
use plan_model::inputs::FinancialInputs;
use plan_model::language::Language;
use plan_model::month::CalendarMonth;
use plan_model::number::Number;
use plan_model::outputs::Projection;
use plan_model::story::Story;
use plan_model::text_enum::text_enum;
use time::OffsetDateTime;

text_enum! {
    /// How much of a plan a document shows.
    #[derive(utoipa::ToSchema)]
    #[schema(as = DocumentKind)]
    pub enum Kind {
        /// All of it: what a lender asks for.
        Package = "package",
        /// The request, the results and the five years.
        Summary = "summary",
    }
}

text_enum! {
    /// The size of the sheets.
    #[derive(utoipa::ToSchema)]
    #[schema(as = PaperSize)]
    pub enum Paper {
        /// 8.5 by 11 inches.
        Letter = "letter",
        /// 210 by 297 millimeters.
        A4 = "a4",
    }
}

/// What differs from the plan in a case of it.
#[derive(Clone, Debug)]
pub enum CaseName {
    /// Sales are so many percent lower.
    SalesLower(u32),
    /// The first sale comes so many months later.
    OpensLater(u32),
    /// One field has another value.
    Lever(Box<Field>, Number),
    /// A saved scenario.
    Scenario(String),
}

/// The plan with other values, and what comes of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// What differs.
    pub name: CaseName,
    /// What comes of it.
    pub projection: Projection,
}

/// Everything that a document shows.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// How much of it.
    pub kind: Kind,
    /// On which sheets.
    pub paper: Paper,
    /// In which language.
    pub language: Language,
    /// The plan's name.
    pub plan: &'a str,
    /// The owner's name.
    pub owner: &'a str,
    /// The brand as it was when the plan was made.
    pub brand: &'a Brand,
    /// The fields of a plan of that brand.
    pub fields: &'a [Field],
    /// The plan's values, each of the fields with one.
    pub inputs: &'a FinancialInputs,
    /// What the engine makes of them.
    pub projection: &'a Projection,
    /// Cases beside the plan, in the order in which they are printed.
    pub cases: &'a [Case],
    /// What the owner has written about the business. Nothing is printed of what is left out.
    pub story: &'a Story,
    /// The month in which the business opens, if it is known; months then have dates.
    pub opening_month: Option<CalendarMonth>,
    /// The plan's version.
    pub plan_version: i64,
    /// When the plan was changed last.
    pub updated_at: OffsetDateTime,
    /// When the document is made.
    pub made_at: OffsetDateTime,
}

impl<'a> Contents<'a> {
    /// A package in English on Letter, of a plan in its first version, without cases and story.
    pub fn new(
        plan: &'a str,
        owner: &'a str,
        brand: &'a Brand,
        fields: &'a [Field],
        inputs: &'a FinancialInputs,
        projection: &'a Projection,
        made_at: OffsetDateTime,
    ) -> Self {
        Self {
            kind: Kind::Package,
            paper: Paper::Letter,
            language: Language::English,
            plan,
            owner,
            brand,
            fields,
            inputs,
            projection,
            cases: &[],
            story: &Story::EMPTY,
            opening_month: None,
            plan_version: 1,
            updated_at: made_at,
            made_at,
        }
    }

    /// The same as another kind.
    #[must_use]
    pub fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }
}
