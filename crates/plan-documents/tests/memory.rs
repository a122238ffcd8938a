//! What the largest document takes of memory. Every part of one is limited where it is written, so there is a largest one.

use peak_alloc::PeakAlloc;
use plan_documents::{Case, CaseName, Contents, Kind, Typesetter};
use plan_model::brand::Brand;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_model::scenario::MAX_SCENARIOS;
use plan_model::story::Story;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Rows of startup costs that a brand may have, as `plan-model` checks them.
const MOST_ROWS: usize = 40;

/// Measured: 65 MiB, of which the pages that are laid out are the most; with labels of 30 letters it is below 64 MiB.
const ALLOWED: usize = 68 << 20;

#[test]
fn the_largest_document_stays_below_its_limit() {
    let mut brand = Brand::demo();
    let row = brand.startup_cost_template.last().expect("a row").clone();
    for number in brand.startup_cost_template.len()..MOST_ROWS {
        let mut row = row.clone();
        (row.slug, row.label) = (format!("row{number}"), "W".repeat(120));
        row.derives.clear();
        brand.startup_cost_template.push(row);
    }
    let (fields, mut inputs) = (brand.fields(), FinancialInputs::from_brand(&brand));
    for (path, value) in &mut inputs.0 {
        let field = fields.iter().find(|field| field.path == *path).expect("a field");
        value.current_value = field.hard().high;
    }
    let projection = plan_engine::project(&inputs, &brand);
    let case = |name| Case {
        name,
        projection: projection.clone(),
    };
    let scenarios = (0..MAX_SCENARIOS).map(|number| CaseName::Scenario(format!("{number}{}", "é".repeat(58))));
    let levers = fields
        .iter()
        .take(3)
        .map(|field| CaseName::Lever(Box::new(field.clone()), Number::whole(1)));
    let usual = [
        CaseName::SalesLower(10),
        CaseName::SalesLower(20),
        CaseName::OpensLater(3),
    ];
    let cases: Vec<Case> = usual.into_iter().chain(levers).chain(scenarios).map(case).collect();
    // Two thousand letters, as many lines as can be, and an alphabet of glyphs.
    let text = Some("Жé👩‍🍳\n".repeat(400).chars().take(2_000).collect::<String>());
    let story = Story {
        team: text.clone(),
        business: text.clone(),
        market: text.clone(),
        customers: text.clone(),
        loan: text.clone(),
        risks: text,
    };
    let name = "Ω".repeat(200);
    let at = time::OffsetDateTime::UNIX_EPOCH;
    let contents = Contents {
        cases: &cases,
        story: &story,
        opening_month: "2027-03".parse().ok(),
        ..Contents::new(&name, &name, &brand, &fields, &inputs, &projection, at)
    };
    // Its fonts and its library are loaded once, and shared.
    let typesetter = Typesetter::new(&[]);
    let small = Contents {
        kind: Kind::Summary,
        ..Contents::new("Small", "Ann", &brand, &fields, &inputs, &projection, at)
    };
    typesetter.typeset(&small).expect("a document");
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let printed = typesetter.typeset(&contents).expect("a document");
    let taken = ALLOCATOR.peak_usage() - before;
    println!(
        "{} MiB beside {} MiB, for {} KiB",
        taken >> 20,
        before >> 20,
        printed.pdf.len() >> 10
    );
    assert!(taken < ALLOWED, "{taken} bytes");
}
