//! `openapi.yaml` is what the code says.

#[test]
fn the_contract_at_the_top_level_is_the_one_in_the_code() {
    let kept = include_str!("../openapi.yaml");
    assert!(
        kept == plan_advisor::http::openapi_yaml(),
        "openapi.yaml is out of date; `make openapi` writes it"
    );
}
