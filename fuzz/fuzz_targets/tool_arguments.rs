//! A model's tool calls: whatever the arguments are, they are refused or are exactly what the tool's schema knows, each key
//! once; and no value is applied but those of the message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llm_client::ToolDefinition;
use plan_advisor::conversation::form::PromptForm;
use plan_advisor::conversation::tools::{Called, EvidenceTexts, LatestChanges, Services, ToolContext, definitions};
use plan_advisor::store::StoreResult;
use plan_advisor::store::brands::BrandVersion;
use plan_advisor::store::plans::plan_changes::PlanChange;
use plan_advisor::store::plans::scenarios::Scenario;
use plan_advisor_fuzz::Json;
use plan_model::brand::Brand;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::BrandVersionId;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_reader::Vocabulary;
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use time::OffsetDateTime;
use tokio::runtime::{Builder, Runtime};

const MESSAGE: &str = "My rent is $4,200/month and my royalty is 6%";

static BRAND_VERSION: LazyLock<Arc<BrandVersion>> = LazyLock::new(|| {
    let brand = Brand::demo();
    Arc::new(BrandVersion {
        id: BrandVersionId(uuid::Uuid::nil()),
        fields: brand.fields().into(),
        brand,
    })
});

static VOCABULARY: LazyLock<Arc<Vocabulary>> = LazyLock::new(|| Arc::new(Vocabulary::of(&BRAND_VERSION.brand)));

static DEFINITIONS: LazyLock<Vec<ToolDefinition>> = LazyLock::new(|| definitions(PromptForm::Full));

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

/// Nothing behind the tools.
struct NoServices;

#[async_trait::async_trait]
impl Services for NoServices {
    fn model_name(&self) -> Arc<str> {
        "none".into()
    }

    async fn is_database_up(&self) -> bool {
        false
    }

    async fn latest_changes(&self) -> StoreResult<Option<LatestChanges>> {
        Ok(None)
    }

    async fn changes(&self, _: i64) -> StoreResult<Vec<PlanChange>> {
        Ok(Vec::new())
    }

    async fn open_proposals(&self) -> StoreResult<Vec<ExtractedValue>> {
        Ok(Vec::new())
    }

    async fn scenarios(&self) -> StoreResult<Vec<Scenario>> {
        Ok(Vec::new())
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((which, arguments)) = data.split_first() else {
        return;
    };
    let tool = usize::from(*which) % DEFINITIONS.len();
    let arguments = String::from_utf8_lossy(arguments);
    let mut bench = ToolContext::new(
        Arc::clone(&BRAND_VERSION),
        Arc::clone(&VOCABULARY),
        Some(Arc::new(FinancialInputs::from_brand(&BRAND_VERSION.brand))),
        EvidenceTexts {
            message: MESSAGE.to_owned(),
            ..EvidenceTexts::default()
        },
        OffsetDateTime::UNIX_EPOCH,
    );
    match RUNTIME.block_on(bench.call(&DEFINITIONS[tool].name, &arguments, &NoServices)) {
        Called::Refused(said) => {
            assert_eq!(serde_json::from_str::<Value>(&said).expect("JSON")["status"], "invalid");
        }
        Called::Result(said) => {
            assert!(serde_json::from_str::<Value>(&said).is_ok());
            accepted(&DEFINITIONS[tool].parameters, &arguments);
        }
        Called::Recorded(_) | Called::Intercepted(_) => accepted(&DEFINITIONS[tool].parameters, &arguments),
    }
    only_what_was_said(&bench);
});

fn accepted(schema: &Value, arguments: &str) {
    if arguments.trim().is_empty() {
        return;
    }
    // Lone surrogates become U+FFFD before anything is read.
    let json = plan_model::clean::json_escapes(arguments.as_bytes());
    let json = Json::read(&json).unwrap_or_else(|| panic!("{arguments} was accepted"));
    assert!(matches!(json, Json::Object(_)), "{arguments} was accepted");
    known(schema, &json, arguments);
}

/// Every key stands in the schema; `field` is another name of `path`.
fn known(schema: &Value, json: &Json, arguments: &str) {
    match json {
        Json::Object(entries) => {
            for (key, value) in entries {
                let name = if key == "field" { "path" } else { key };
                let property = &schema["properties"][name];
                assert!(!property.is_null(), "{key:?} of {arguments} was accepted");
                known(property, value, arguments);
            }
        }
        Json::List(items) => items.iter().for_each(|item| known(&schema["items"], item, arguments)),
        Json::Leaf => {}
    }
}

fn only_what_was_said(bench: &ToolContext) {
    let defaults = FinancialInputs::from_brand(&BRAND_VERSION.brand);
    for field in BRAND_VERSION.fields.iter() {
        let path = field.path.as_str();
        let value = |inputs: &FinancialInputs| inputs.get(path).map(|value| value.current_value);
        let now = bench.inputs.as_deref().and_then(value);
        let said = match path {
            "operatingCosts.rentMonthly" => Some(Number::whole(420_000)),
            "operatingCosts.royaltyPct" => Some(Number::millionths(60_000)),
            _ => None,
        };
        assert!(
            now == value(&defaults) || (said.is_some() && now == said),
            "{path} became {now:?}"
        );
    }
}
