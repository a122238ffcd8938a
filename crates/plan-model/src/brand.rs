//! A brand's document: planning defaults with labels, the startup cost template with Item 7 ranges, thresholds.

use super::clean;
use super::field::{self, Bounds, Field, FieldPath};
use super::ids::BrandId;
use super::number::{Number, quotient};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

mod validate;

pub use validate::validate;

/// Where a brand's number comes from; decides how the advisor may describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Initial fees of the disclosure document.
    Item5,
    /// Other fees of the disclosure document.
    Item6,
    /// Estimated initial investment of the disclosure document.
    Item7,
    /// Financial performance representation of the disclosure document.
    Item19,
    /// An estimate of the brand's administrator; not disclosed.
    AdminEstimate,
}

/// The brand's planning default for one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parameter {
    /// In the field's unit: cents, decimals, whole numbers.
    #[schema(value_type = f64)]
    pub value: Number,
    /// What people read.
    pub label: String,
    /// A note about the number, for the prompt; may be empty.
    #[serde(default)]
    pub description: String,
    /// Where the number comes from.
    pub provenance: Provenance,
    /// Further names that this brand's people use for the field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// One plain sentence about the field; an empty one is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "filled")]
    pub help: Option<String>,
}

/// How a startup cost is treated by the projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostClass {
    /// Depreciated.
    Capex,
    /// Amortized: the franchise fee.
    Intangible,
    /// Expensed over the first 12 months.
    NonCapex,
    /// Stock on opening day.
    Inventory,
    /// Paid back some day, but for the months of a recurring cost that it pays ahead.
    Deposit,
    /// The first months of a recurring cost, paid ahead: the months do not pay them again.
    Prepaid,
    /// Stays as cash.
    WorkingCapital,
}

/// A recurring cost whose range follows from a startup row: the row covers that many months of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Derives {
    /// The recurring cost.
    #[schema(value_type = String)]
    pub field: FieldPath,
    /// How many months of it the row covers, 1 to 12.
    pub months: i64,
    /// How many of these a deposit pays ahead; the rest is paid back some day. A row of the class `prepaid` pays all of them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub prepaid: i64,
}

fn filled<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.filter(|text| !text.trim().is_empty()))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(months: &i64) -> bool {
    *months == 0
}

/// One row of the startup cost template. Amounts in cents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartupCost {
    /// The name in its path, `startupCosts.<slug>`.
    pub slug: String,
    /// What people read.
    pub label: String,
    /// How the projection treats it.
    pub class: CostClass,
    /// What the brand proposes.
    pub default_amount: i64,
    /// `null` together with `item7High` where Item 7 has no such row.
    pub item7_low: Option<i64>,
    /// The upper end of the disclosed range.
    pub item7_high: Option<i64>,
    /// Recurring costs whose range follows from this row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derives: Vec<Derives>,
    /// Further names that this brand's people use for the row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// One plain sentence about the row; an empty one is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "filled")]
    pub help: Option<String>,
}

/// Where an advisory turns from ok to watch and from watch to alert.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// Where ok ends.
    #[schema(value_type = f64)]
    pub ok: Number,
    /// Where watch ends and alert begins.
    #[schema(value_type = f64)]
    pub watch: Number,
}

/// Advisory thresholds (`docs/FINANCIAL-MODEL.md` 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Thresholds {
    /// Months; lower is better.
    pub break_even_month: Levels,
    /// A decimal; higher is better.
    pub five_year_roi_pct: Levels,
    /// Months; lower is better.
    pub months_negative: Levels,
    /// A factor; higher is better.
    pub dscr: Levels,
}

impl Default for Thresholds {
    fn default() -> Self {
        let levels = |ok, watch| Levels {
            ok: Number::millionths(ok),
            watch: Number::millionths(watch),
        };
        Self {
            break_even_month: levels(18_000_000, 30_000_000),
            five_year_roi_pct: levels(1_000_000, 500_000),
            months_negative: levels(0, 3_000_000),
            dscr: levels(1_250_000, 1_150_000),
        }
    }
}

/// The brand's financial performance representation, if its disclosure document has one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Item19 {
    /// Whether the document has one.
    pub included: bool,
    /// The text as disclosed, with year and group; quoted only with its admonition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The whole document, as `GET /api/brands/{id}` shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Brand {
    /// The same for all versions of the document.
    #[schema(value_type = uuid::Uuid)]
    pub id: BrandId,
    /// What people read.
    pub name: String,
    /// What addresses have.
    pub slug: String,
    /// One for each field that is no startup row.
    #[schema(value_type = BTreeMap<String, Parameter>)]
    pub parameters: BTreeMap<FieldPath, Parameter>,
    /// The startup rows that its plans have.
    pub startup_cost_template: Vec<StartupCost>,
    /// Where its advisories turn.
    #[serde(default)]
    pub thresholds: Thresholds,
    /// Its financial performance representation.
    #[serde(default)]
    pub item19: Item19,
}

impl Brand {
    /// The fields a plan of this brand has, in the catalogue's order, own startup rows behind the catalogue's.
    pub fn fields(&self) -> Vec<Field> {
        let known: HashSet<&str> = field::catalogue().iter().map(|field| field.path.as_str()).collect();
        let mut customs: Vec<Field> = self
            .startup_cost_template
            .iter()
            .filter(|row| !known.contains(FieldPath::startup(&row.slug).as_str()))
            .map(|row| row.describe(&Field::custom_startup(&row.slug, &row.label)))
            .collect();
        let mut fields: Vec<Field> = Vec::with_capacity(known.len() + customs.len());
        for field in field::catalogue() {
            if let Some(slug) = field.path.startup_slug() {
                fields.extend(self.row(slug).map(|row| row.describe(field)));
                continue;
            }
            let is_startup = |field: &Field| field.path.startup_slug().is_some();
            if fields.last().is_some_and(is_startup) {
                fields.append(&mut customs);
            }
            let own = self.parameters.get(&field.path);
            fields.push(own.map_or_else(|| field.clone(), |own| own.describe(field)));
        }
        fields.append(&mut customs);
        fields
    }

    /// What the brand proposes for a field; `None` where it says nothing.
    pub fn default_of(&self, path: &FieldPath) -> Option<Number> {
        match path.startup_slug() {
            Some(slug) => self.row(slug).map(|row| Number::whole(row.default_amount)),
            None => self.parameters.get(path).map(|parameter| parameter.value),
        }
    }

    /// Where the brand's number for a field comes from. Item 7 has a range for a startup cost; what the brand proposes within it is its
    /// administrator's.
    pub fn provenance(&self, path: &FieldPath) -> Provenance {
        let parameter = self.parameters.get(path);
        parameter.map_or(Provenance::AdminEstimate, |parameter| parameter.provenance)
    }

    /// The disclosed range of a startup row, or of a recurring cost that derives from one. Cents.
    pub fn item7_range(&self, path: &FieldPath) -> Option<Bounds> {
        let bounds = |row: &StartupCost, months: i64| {
            let share = |cents: i64| Number::new(quotient(cents.into(), months.into())).round(0);
            Some(Bounds {
                low: share(row.item7_low?),
                high: share(row.item7_high?),
            })
        };
        match path.startup_slug() {
            Some(slug) => self.row(slug).and_then(|row| bounds(row, 1)),
            None => self.startup_cost_template.iter().find_map(|row| {
                let derives = row
                    .derives
                    .iter()
                    .find(|derives| &derives.field == path && derives.months > 0)?;
                bounds(row, derives.months)
            }),
        }
    }

    fn row(&self, slug: &str) -> Option<&StartupCost> {
        self.startup_cost_template.iter().find(|row| row.slug == slug)
    }

    /// The fictional brand of `demo` and of the tests.
    ///
    /// # Panics
    /// Never: the embedded document is parsed by a test.
    pub fn demo() -> Self {
        serde_json::from_str(include_str!("../demo/willow-and-wag.json"))
            .expect("the embedded brand is valid; a test reads it")
    }
}

impl Parameter {
    fn describe(&self, field: &Field) -> Field {
        let field = described(field, &self.label, &self.aliases, self.help.as_deref());
        Field {
            default: Some(self.value),
            ..field
        }
    }
}

impl StartupCost {
    /// The recurring cost that the row pays ahead, and how much of an amount of the row that is, in cents
    /// (`docs/FINANCIAL-MODEL.md` 3.3).
    pub fn prepays(&self, cents: i64) -> Option<(&FieldPath, i64)> {
        let covered = self.derives.first()?;
        let months = match self.class {
            CostClass::Prepaid => covered.months,
            CostClass::Deposit => covered.prepaid,
            _ => 0,
        };
        let ahead = Decimal::from(cents).saturating_mul(months.into());
        let ahead = quotient(ahead, covered.months.max(1).into());
        (months > 0).then(|| (&covered.field, Number::new(ahead).round(0).to_whole()))
    }

    fn describe(&self, field: &Field) -> Field {
        let field = described(field, &self.label, &self.aliases, self.help.as_deref());
        Field {
            default: Some(Number::whole(self.default_amount)),
            ..field
        }
    }
}

/// The field under the brand's label, with the brand's further names and, where it has one, its help.
fn described(field: &Field, label: &str, aliases: &[String], help: Option<&str>) -> Field {
    let mut field = field.clone();
    // One line wherever it goes: brands of earlier releases may have labels of several.
    field.label = Cow::Owned(clean::label(label));
    field.aliases.extend(aliases.iter().cloned().map(Cow::Owned));
    if let Some(help) = help {
        field.help = Cow::Owned(help.to_owned());
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_brand_is_valid_and_has_the_disclosed_totals() {
        let brand = Brand::demo();
        assert_eq!(validate(&brand), vec![]);
        let sum = |cents: fn(&StartupCost) -> i64| brand.startup_cost_template.iter().map(cents).sum::<i64>();
        assert_eq!(sum(|row| row.item7_low.unwrap_or(0)), 26_890_000);
        assert_eq!(sum(|row| row.item7_high.unwrap_or(0)), 51_450_000);
        assert_eq!(sum(|row| row.default_amount), 37_150_000);
        assert_eq!(brand.fields().len(), field::catalogue().len());
    }

    #[test]
    fn rent_and_insurance_ranges_derive_from_their_deposits() {
        let brand = Brand::demo();
        let range = |path: &'static str| {
            brand
                .item7_range(&FieldPath::from_static(path))
                .map(|b| (b.low.to_whole(), b.high.to_whole()))
        };
        assert_eq!(range("operatingCosts.rentMonthly"), Some((300_000, 700_000)));
        assert_eq!(range("operatingCosts.insuranceMonthly"), Some((50_000, 120_000)));
        assert_eq!(range("startupCosts.loanFees"), None);
    }

    #[test]
    fn a_field_carries_the_brands_label_names_and_help() {
        let mut brand = Brand::demo();
        let rent = FieldPath::from_static("operatingCosts.rentMonthly");
        let own = brand.parameters.get_mut(&rent).expect("a parameter");
        own.label = "Shop rent per month".into();
        own.aliases = vec!["kiosk rent".into()];
        brand.startup_cost_template.push(StartupCost {
            slug: "mural".into(),
            label: "Mural".into(),
            class: CostClass::Capex,
            default_amount: 500_000,
            item7_low: None,
            item7_high: None,
            derives: vec![],
            aliases: vec!["wall painting".into()],
            help: Some("A painting on the front wall.".into()),
        });
        let fields = brand.fields();
        let find = |path: &str| {
            let field = fields.iter().find(|field| field.path.as_str() == path);
            field.expect("a field of the brand")
        };

        let (shown, known) = (find(rent.as_str()), field::find(rent.as_str()).expect("known"));
        assert_eq!(
            (shown.label.as_ref(), &shown.help),
            ("Shop rent per month", &known.help)
        );
        assert_eq!(shown.aliases.len(), known.aliases.len() + 1);
        assert_eq!(shown.aliases.last().map(AsRef::as_ref), Some("kiosk rent"));
        let mural = find("startupCosts.mural");
        assert_eq!(
            (mural.label.as_ref(), mural.help.as_ref(), mural.aliases.len()),
            ("Mural", "A painting on the front wall.", 1)
        );
    }

    #[test]
    fn the_document_survives_json_unchanged() {
        let brand = Brand::demo();
        let text = serde_json::to_string(&brand).expect("writes");
        assert_eq!(serde_json::from_str::<Brand>(&text).expect("reads"), brand);
    }

    #[test]
    fn an_empty_help_is_none() {
        let mut document = serde_json::to_value(Brand::demo()).expect("writes");
        document["startupCostTemplate"][0]["help"] = "".into();
        let brand: Brand = serde_json::from_value(document).expect("reads");
        assert_eq!(brand.startup_cost_template[0].help, None);
        assert_eq!(validate(&brand), []);
    }
}
