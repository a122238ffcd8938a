//! The plan as AG-UI shares it with its clients: one JSON document that moves by patches.

use crate::app::AppState;
use crate::store::StoreResult;
use crate::store::plans::Plan;
use crate::store::plans::extractions::Extraction;
use plan_model::extracted::ExtractedValue;
use plan_model::field::FieldPath;
use plan_model::ids::{BrandVersionId, ExtractionId, PlanId};
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use plan_model::outputs::UpdatedOutputs;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A plan's values, results and open questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanState {
    /// Current values by path. A plan without inputs has the brand's defaults, which its first value would start it from.
    pub values: BTreeMap<FieldPath, Number>,
    /// As `updatedOutputs` of `done`; null for a plan without inputs.
    pub outputs: Option<UpdatedOutputs>,
    /// Values that wait for a decision.
    pub proposals: BTreeMap<ExtractionId, ExtractedValue>,
    pub missing_fields: Vec<FieldPath>,
}

impl PlanState {
    /// The plan as it is stored now.
    pub async fn load(app: &AppState, plan: PlanId, brand_version: BrandVersionId) -> StoreResult<Self> {
        let brand_version = app.db.brand_version(brand_version).await?;
        let (plan, open) = {
            let conn = app.db.conn().await?;
            futures_util::try_join!(Plan::load(&conn, plan), Extraction::list_proposed(&conn, plan))?
        };
        let (id, updated_at) = (PlanId(plan.id), plan.updated_at);
        let cache = &app.conversations.engine().snapshots.cache;
        let figures = cache.figures(id, plan.revision(), plan.inputs(), &brand_version);
        let defaults = plan
            .inputs()
            .is_none()
            .then(|| FinancialInputs::from_brand(&brand_version.brand));
        let inputs = plan.inputs().or(defaults.as_ref());
        let values = inputs.into_iter().flat_map(|inputs| inputs.0.iter());
        Ok(Self {
            values: values
                .map(|(path, value)| (path.clone(), value.current_value))
                .collect(),
            // The time of the last change, so that two readings of one version are equal.
            outputs: figures.outputs(updated_at),
            proposals: open.into_iter().map(|value| (value.id, value)).collect(),
            missing_fields: figures.missing.clone(),
        })
    }

    /// RFC 6902 operations that make `self` of `before`.
    pub fn patch_from(&self, before: &Self) -> Vec<Value> {
        let mut operations = Vec::new();
        for (path, value) in &self.values {
            let operation = match before.values.get(path) {
                Some(held) if held == value => continue,
                Some(_) => "replace",
                None => "add",
            };
            operations.push(json!({"op": operation, "path": pointer("values", path.as_str()), "value": value}));
        }
        for path in before.values.keys().filter(|path| !self.values.contains_key(*path)) {
            operations.push(json!({"op": "remove", "path": pointer("values", path.as_str())}));
        }
        for (id, value) in &self.proposals {
            let operation = match before.proposals.get(id) {
                Some(held) if held == value => continue,
                Some(_) => "replace",
                None => "add",
            };
            operations.push(json!({"op": operation, "path": pointer("proposals", &id.to_string()), "value": value}));
        }
        for id in before.proposals.keys().filter(|id| !self.proposals.contains_key(*id)) {
            operations.push(json!({"op": "remove", "path": pointer("proposals", &id.to_string())}));
        }
        if self.outputs != before.outputs {
            operations.push(json!({"op": "replace", "path": "/outputs", "value": self.outputs}));
        }
        if self.missing_fields != before.missing_fields {
            operations.push(json!({"op": "replace", "path": "/missingFields", "value": self.missing_fields}));
        }
        operations
    }
}

/// A JSON pointer (RFC 6901) to a member.
fn pointer(parent: &str, member: &str) -> String {
    format!("/{parent}/{}", member.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(values: &[(&'static str, i64)], missing: &[&'static str]) -> PlanState {
        PlanState {
            values: values
                .iter()
                .map(|(path, cents)| (FieldPath::from_static(path), Number::whole(*cents)))
                .collect(),
            outputs: None,
            proposals: BTreeMap::new(),
            missing_fields: missing.iter().map(|path| FieldPath::from_static(path)).collect(),
        }
    }

    #[test]
    fn only_what_moved_is_patched() {
        let before = state(
            &[("operatingCosts.rentMonthly", 1), ("revenue.monthlyAuv", 2)],
            &["a.b"],
        );
        assert_eq!(before.patch_from(&before), [] as [Value; 0]);
        let after = state(&[("operatingCosts.rentMonthly", 3), ("startup.a~b/c", 4)], &[]);
        assert_eq!(
            json!(after.patch_from(&before)),
            json!([
                {"op": "replace", "path": "/values/operatingCosts.rentMonthly", "value": 3},
                {"op": "add", "path": "/values/startup.a~0b~1c", "value": 4},
                {"op": "remove", "path": "/values/revenue.monthlyAuv"},
                {"op": "replace", "path": "/missingFields", "value": []},
            ])
        );
    }
}
