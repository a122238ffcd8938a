//! Prints the demo plan: `cargo run -p plan-documents --features typst --example print -- package.pdf [es] [a4] [summary]`.

use plan_documents::{Case, CaseName, Contents, Kind, Paper, Typesetter};
use plan_model::brand::Brand;
use plan_model::inputs::FinancialInputs;
use plan_model::language::Language;
use plan_model::story::Story;
use std::error::Error;
use std::time::Instant;
use time::macros::datetime;

const STORY: &str = "Six years in grooming, two of them as a manager.\nThe salon is on a corner with parking.";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("say where to write")?;
    let wanted: Vec<String> = arguments.collect();
    let asks = |what: &str| wanted.iter().any(|word| word == what);
    let brand = Brand::demo();
    let (fields, inputs) = (brand.fields(), FinancialInputs::from_brand(&brand));
    let projection = plan_engine::project(&inputs, &brand);
    let cases = [CaseName::SalesLower(10), CaseName::OpensLater(3)].map(|name| Case {
        name,
        projection: projection.clone(),
    });
    let at = datetime!(2026-11-26 12:00 UTC);
    let story = Story {
        team: Some(STORY.into()),
        risks: Some("Sales may come later: see “What if”. 犬 🐩 العربية".into()),
        ..Story::default()
    };
    let contents = Contents {
        kind: if asks("summary") { Kind::Summary } else { Kind::Package },
        paper: if asks("a4") { Paper::A4 } else { Paper::Letter },
        language: if asks("es") {
            Language::Spanish
        } else {
            Language::English
        },
        cases: &cases,
        opening_month: "2027-03".parse().ok(),
        story: &story,
        ..Contents::new(
            "Sam's grooming salon",
            "Sam Rivera",
            &brand,
            &fields,
            &inputs,
            &projection,
            at,
        )
    };
    let typesetter = Typesetter::new(&[]);
    for _ in 0..2 {
        let begun = Instant::now();
        let pdf = typesetter.typeset(&contents)?.pdf;
        println!("{} bytes in {} ms", pdf.len(), begun.elapsed().as_millis());
        std::fs::write(&path, pdf)?;
    }
    Ok(())
}
