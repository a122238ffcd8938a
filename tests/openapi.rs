//! `openapi.yaml` equals the document generated from the code.

#[test]
fn the_contract_at_the_top_level_is_the_one_in_the_code() {
    let kept = include_str!("../openapi.yaml");
    assert!(
        kept == plan_advisor::http::openapi_yaml(),
        "openapi.yaml is out of date; `make openapi` writes it"
    );
}

#[test]
fn the_key_figures_have_the_names_of_the_answers() {
    let document = plan_advisor::http::openapi_yaml();
    let figures = document.split("\n    Metrics:\n").nth(1).expect("the schema");
    for metric in plan_model::metrics::METRICS {
        assert!(
            figures.contains(&format!("\n        {}:\n", metric.name)),
            "{}",
            metric.name
        );
    }
}

/// The failures of an operation are listed in one place, `src/http/openapi.rs`.
#[test]
fn no_handler_lists_its_failures_by_hand() {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/handlers")];
    let mut listed = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path)
                .expect("a file")
                .contains("body = ErrorEnvelope")
                || std::fs::read_to_string(&path)
                    .expect("a file")
                    .contains("error::ErrorEnvelope")
            {
                listed.push(path);
            }
        }
    }
    assert!(listed.is_empty(), "{listed:#?}");
}
