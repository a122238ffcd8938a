//! Key figures against the brand's thresholds (`docs/FINANCIAL-MODEL.md` 3.6). States how a figure compares on the franchisee's own
//! assumptions; never what to do about it and never what will happen.

use crate::engine::terms::Assumptions;
use crate::words::percent;
use plan_model::brand::{Levels, Thresholds};
use plan_model::metrics::Metrics;
use plan_model::number::Number;
use plan_model::outputs::{Advisory, AdvisoryLevel};

/// One advisory per threshold that applies, and one for what the plan leaves open.
pub(super) fn advise(metrics: &Metrics, terms: &Assumptions, thresholds: &Thresholds) -> Vec<Advisory> {
    let mut advisories = vec![break_even(metrics, &thresholds.break_even_month)];
    advisories.extend(roi(metrics, &thresholds.five_year_roi_pct));
    advisories.push(negative(metrics, &thresholds.months_negative));
    advisories.push(dscr(metrics, &thresholds.dscr));
    if terms.loan.term == 0 && terms.loan.amount > 0 {
        advisories.push(Advisory {
            code: "loan_term".into(),
            level: AdvisoryLevel::Watch,
            message: "The loan has no term, so the plan counts interest only and never pays it back.".into(),
        });
    }
    advisories
}

/// Lower is better: up to `ok` is ok, up to `watch` is watch.
fn at_most(value: Number, levels: &Levels) -> AdvisoryLevel {
    match value {
        v if v <= levels.ok => AdvisoryLevel::Ok,
        v if v <= levels.watch => AdvisoryLevel::Watch,
        _ => AdvisoryLevel::Alert,
    }
}

/// Higher is better: from `ok` on is ok, from `watch` on is watch.
fn at_least(value: Number, levels: &Levels) -> AdvisoryLevel {
    match value {
        v if v >= levels.ok => AdvisoryLevel::Ok,
        v if v >= levels.watch => AdvisoryLevel::Watch,
        _ => AdvisoryLevel::Alert,
    }
}

fn break_even(metrics: &Metrics, levels: &Levels) -> Advisory {
    let reference = levels.ok;
    let (level, message) = match metrics.break_even_month {
        Some(month) => (
            at_most(Number::whole(month.into()), levels),
            format!("On your assumptions break-even is month {month} (reference: by month {reference})."),
        ),
        None => (
            AdvisoryLevel::Alert,
            format!("On your assumptions there is no break-even within 60 months (reference: by month {reference})."),
        ),
    };
    Advisory {
        code: "break_even".into(),
        level,
        message,
    }
}

fn roi(metrics: &Metrics, levels: &Levels) -> Option<Advisory> {
    let roi = metrics.five_year_roi_pct?;
    let message = format!(
        "On your assumptions the five-year return on your cash is {} (reference: {}).",
        percent(roi),
        percent(levels.ok)
    );
    Some(Advisory {
        code: "five_year_roi".into(),
        level: at_least(roi, levels),
        message,
    })
}

fn negative(metrics: &Metrics, levels: &Levels) -> Advisory {
    let months = metrics.months_negative;
    let message = match months {
        0 => "On your assumptions cash stays at or above zero in every month.".into(),
        1 => "On your assumptions cash is below zero at the end of 1 month.".into(),
        _ => format!("On your assumptions cash is below zero at the end of {months} months."),
    };
    Advisory {
        code: "months_negative".into(),
        level: at_most(Number::whole(months.into()), levels),
        message,
    }
}

fn dscr(metrics: &Metrics, levels: &Levels) -> Advisory {
    let (level, message) = match metrics.min_dscr {
        Some(lowest) if lowest <= Number::ZERO => (
            AdvisoryLevel::Alert,
            format!(
                "On your assumptions a year's earnings cover none of the loan payments (reference: {:.2}).",
                levels.ok.decimal()
            ),
        ),
        Some(lowest) => (
            at_least(lowest, levels),
            format!(
                "On your assumptions the lowest yearly debt service coverage is {:.2} (reference: {:.2}).",
                lowest.decimal(),
                levels.ok.decimal()
            ),
        ),
        None => (AdvisoryLevel::Ok, "The plan has no loan payments to cover.".into()),
    };
    Advisory {
        code: "dscr".into(),
        level,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_belong_to_the_better_level() {
        let levels = Levels {
            ok: Number::whole(18),
            watch: Number::whole(30),
        };
        let at = |month| at_most(Number::whole(month), &levels);
        assert_eq!((at(18), at(19), at(30), at(31)), {
            use AdvisoryLevel::{Alert, Ok, Watch};
            (Ok, Watch, Watch, Alert)
        });
        let levels = Thresholds::default().dscr;
        let at = |hundredths: i64| at_least(Number::millionths(hundredths * 10_000), &levels);
        assert_eq!((at(125), at(124), at(115), at(114)), {
            use AdvisoryLevel::{Alert, Ok, Watch};
            (Ok, Watch, Watch, Alert)
        });
    }
}
