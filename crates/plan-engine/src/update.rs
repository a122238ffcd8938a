//! The projection update sent after a turn or an edit (`docs/FINANCIAL-MODEL.md` 3.8).

use crate::engine::ENGINE_VERSION;
use plan_model::metrics::{METRICS, Metrics};
use plan_model::outputs::{MetricChange, Projection, UpdatedOutputs};
use time::OffsetDateTime;

/// The projection without its months, with what moved since `before`. Nothing moved where there was none.
pub fn update(before: Option<&Metrics>, after: &Projection, computed_at: OffsetDateTime) -> UpdatedOutputs {
    UpdatedOutputs {
        computed_at,
        engine_version: ENGINE_VERSION.into(),
        metrics: after.metrics,
        annual: after.annual.iter().map(Into::into).collect(),
        item7: after.item7,
        checks: after.checks.clone(),
        advisories: after.advisories.clone(),
        changes: before.map(|before| changes(before, &after.metrics)).unwrap_or_default(),
    }
}

/// The metrics that differ, in the catalogue's order.
pub fn changes(before: &Metrics, after: &Metrics) -> Vec<MetricChange> {
    let change = METRICS.iter().map(|metric| MetricChange {
        metric: metric.name.into(),
        before: (metric.value)(before),
        after: (metric.value)(after),
    });
    change.filter(|change| change.before != change.after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project;
    use plan_model::brand::Brand;
    use plan_model::field::FieldPath;
    use plan_model::inputs::FinancialInputs;
    use plan_model::number::Number;

    fn with_rent(cents: i64) -> Projection {
        let brand = Brand::demo();
        let mut inputs = FinancialInputs::from_brand(&brand);
        let rent = inputs
            .0
            .get_mut(&FieldPath::from_static("operatingCosts.rentMonthly"))
            .expect("a field of the plan");
        rent.current_value = Number::whole(cents);
        project(&inputs, &brand)
    }

    #[test]
    fn only_what_moved_is_a_change() {
        let (before, after) = (with_rent(450_000), with_rent(420_000));
        let updated = update(Some(&before.metrics), &after, OffsetDateTime::UNIX_EPOCH);
        let break_even = updated.changes.iter().find(|change| change.metric == "breakEvenMonth");
        assert_eq!(
            break_even,
            Some(&MetricChange {
                metric: "breakEvenMonth".into(),
                before: Some(Number::whole(9)),
                after: Some(Number::whole(8))
            })
        );
        assert!(updated.changes.iter().all(|change| change.before != change.after));
        assert!(updated.changes.iter().all(|change| change.metric != "loanAmount"));
        assert_eq!(updated.annual.len(), 5);
    }

    #[test]
    fn nothing_moved_and_nothing_before_are_no_changes() {
        let same = with_rent(420_000);
        assert_eq!(
            update(Some(&same.metrics), &same, OffsetDateTime::UNIX_EPOCH).changes,
            []
        );
        assert_eq!(update(None, &same, OffsetDateTime::UNIX_EPOCH).changes, []);
    }
}
