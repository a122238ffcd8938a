//! The PDF itself, by typst.

use super::{NOON, Plan, odd_plans};
use crate::contents::{Contents, Kind, Paper};
use crate::error::TypesetError;
use crate::press::Typesetter;
use crate::printed::Printed;
use plan_model::language::Language;
use plan_model::story::Story;
use std::sync::LazyLock;

const MOST_BYTES: usize = 4 * 1024 * 1024;

/// One for all tests: its fonts take a second in a debug build.
static TYPESETTER: LazyLock<Typesetter> = LazyLock::new(|| Typesetter::new(&[]));

fn print(contents: &Contents<'_>) -> Result<Printed, TypesetError> {
    TYPESETTER.typeset(contents)
}

fn typeset(contents: &Contents<'_>) -> Result<Vec<u8>, TypesetError> {
    print(contents).map(|printed| printed.pdf)
}

/// Occurrences of a marker in the uncompressed parts of a PDF.
fn count(pdf: &[u8], marker: &str) -> usize {
    pdf.windows(marker.len())
        .filter(|window| *window == marker.as_bytes())
        .count()
}

#[track_caller]
fn is_pdf(pdf: &[u8]) {
    assert!(pdf.starts_with(b"%PDF-1.7"), "the head");
    assert!(pdf.trim_ascii_end().ends_with(b"%%EOF"), "the end");
    assert!(pdf.len() < MOST_BYTES, "{} bytes", pdf.len());
}

#[test]
fn the_same_contents_and_time_give_the_same_bytes() {
    let plan = Plan::demo();
    let one = typeset(&plan.contents()).expect("a document");
    is_pdf(&one);
    assert_eq!(one, typeset(&plan.contents()).expect("a document"));
    let later = Contents {
        made_at: NOON + time::Duration::days(1),
        ..plan.contents()
    };
    assert_ne!(one, typeset(&later).expect("a document"));
}

#[test]
fn documents_that_are_made_at_once_do_not_touch_each_other() {
    let plans = [
        Plan::demo(),
        Plan::of(plan_model::brand::Brand::demo(), &[("financing.loanAmount", 0)]),
    ];
    let alone = plans
        .each_ref()
        .map(|plan| typeset(&plan.contents()).expect("a document"));
    std::thread::scope(|scope| {
        let handles = plans
            .each_ref()
            .map(|plan| scope.spawn(|| typeset(&plan.contents()).expect("a document")));
        let together = handles.map(|handle| handle.join().expect("no panic"));
        assert_eq!(alone, together);
    });
}

#[test]
fn every_odd_plan_can_be_printed_in_each_language_and_size() {
    for (at, (what, plan)) in odd_plans().into_iter().enumerate() {
        let is_even = at % 2 == 0;
        let contents = Contents {
            language: if is_even { Language::English } else { Language::Spanish },
            paper: if is_even { Paper::Letter } else { Paper::A4 },
            kind: if at % 3 == 0 { Kind::Summary } else { Kind::Package },
            ..plan.contents()
        };
        let pdf = typeset(&contents).unwrap_or_else(|error| panic!("{what}: {error}"));
        is_pdf(&pdf);
    }
}

#[test]
fn names_and_stories_of_any_script_are_printed() {
    let mut plan = Plan::demo();
    plan.name = "漢字かな한글ไทยעבריתالعربيةहिन्दी".repeat(8).chars().take(200).collect();
    plan.owner = "x".repeat(200);
    let emoji = "👩‍🍳🐩".repeat(500);
    let markup =
        "#panic(\"no\") #read(\"/etc/passwd\") #import \"@preview/x:1.0.0\" `raw` $ x $ \\ = Head\n- item\u{7}\u{0}"
            .repeat(20);
    let story = Story {
        team: Some(emoji),
        business: Some(markup),
        market: Some(plan.name.clone()),
        risks: Some("=HYPERLINK(\"http://x\")".into()),
        ..Story::default()
    };
    let contents = Contents {
        story: &story,
        ..plan.contents()
    };
    let printed = print(&contents).expect("a document");
    is_pdf(&printed.pdf);
    let unprintable: Vec<char> = printed.unprintable.chars().collect();
    assert!(
        ['漢', '한', '🐩'].iter().all(|letter| unprintable.contains(letter)),
        "{unprintable:?}"
    );
    assert!(!unprintable.contains(&'\u{200d}'), "a joiner is no letter");
}

#[test]
fn characters_that_the_fonts_have_are_not_listed() {
    let mut plan = Plan::demo();
    plan.name = "Zoë’s Señal – Łódź “Ω”".to_owned();
    assert_eq!(print(&plan.contents()).expect("a document").unprintable, "");
}

#[test]
fn the_pdf_is_tagged_and_carries_its_fonts_and_language() {
    let plan = Plan::demo();
    let contents = Contents {
        language: Language::Spanish,
        ..plan.contents()
    };
    let pdf = typeset(&contents).expect("a document");
    assert!(
        count(&pdf, "/FontFile") > 0 || count(&pdf, "/ObjStm") > 0,
        "fonts, or objects that are packed"
    );
    assert!(count(&pdf, "/StructTreeRoot") + count(&pdf, "/ObjStm") > 0);
}
