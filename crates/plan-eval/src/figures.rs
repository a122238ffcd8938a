//! Counts, rates with their intervals, and every wrong value in full.

use super::case::{Case, Class, Label};
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_reader::Intent;
use serde::Serialize;

/// A value of a field, written or asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The field.
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
}

/// What a written value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// The value of an `apply` label.
    Right,
    /// The value of an `ask` label: one would have asked first.
    Hasty,
    /// No label's value.
    Wrong,
}

impl Ruling {
    /// What a value is that was written for a case.
    pub fn of(case: &Case, written: &Written) -> Self {
        let right = |class: Class| {
            case.labels
                .iter()
                .any(|label| label.class == class && label.field == written.field && label.is_right(written.value))
        };
        if right(Class::Apply) {
            Self::Right
        } else if right(Class::Ask) {
            Self::Hasty
        } else {
            Self::Wrong
        }
    }
}

/// A share with its Wilson interval of 95 % (E. B. Wilson, 1927): it stays between 0 and 1 and is honest about few cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rate {
    /// How many.
    pub count: usize,
    /// Out of how many.
    pub of: usize,
    /// `count / of`; 0 where there were none.
    pub rate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end; 1 where there were none.
    pub high: f64,
}

impl Rate {
    /// "79 of 172 (39.0–53.0 %)"
    pub fn show(self) -> String {
        if self.of == 0 {
            return "–".to_owned();
        }
        let (low, high) = (self.low * 100.0, self.high * 100.0);
        format!("{} of {} ({low:.1}–{high:.1} %)", self.count, self.of)
    }

    /// The share and its interval.
    pub fn new(count: usize, of: usize) -> Self {
        if of == 0 {
            return Self {
                high: 1.0,
                ..Self::default()
            };
        }
        // The normal quantile of 97.5 %: both ends together leave out 5 %.
        let (n, share, z) = (of as f64, count as f64 / of as f64, 1.959_964_f64);
        let (middle, scale) = (share + z * z / (2.0 * n), 1.0 + z * z / n);
        let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        Self {
            count,
            of,
            rate: share,
            low: ((middle - spread) / scale).max(0.0),
            high: ((middle + spread) / scale).min(1.0),
        }
    }
}

/// A value that should not have been written.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The case.
    pub id: String,
    /// Its message.
    pub message: String,
    /// The field.
    pub field: FieldPath,
    /// What was written.
    pub value: Number,
    /// Hasty or wrong.
    pub ruling: Ruling,
    /// The trap's, where the value is one.
    pub why: Option<String>,
}

/// Counts over the cases so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    written: usize,
    wrong: usize,
    hasty: usize,
    plain: usize,
    landed: usize,
    asked: usize,
    traps: usize,
    traps_written: usize,
    proposals: usize,
    proposals_wrong: usize,
    rows: Vec<Row>,
}

impl Tally {
    /// Adds one case: what was written and what the franchisee was asked to confirm.
    pub fn add(&mut self, case: &Case, written: &[Written], asked: &[Written]) {
        // A yes to the advisor's own question has no label: the value is the question's.
        let agrees = case.intent == Some(Intent::Accept) && case.labels.is_empty();
        let (written, asked) = if agrees { (&[][..], &[][..]) } else { (written, asked) };
        for one in written {
            let ruling = Ruling::of(case, one);
            self.written += 1;
            match ruling {
                Ruling::Right => continue,
                Ruling::Hasty => self.hasty += 1,
                Ruling::Wrong => self.wrong += 1,
            }
            let trap = case
                .traps
                .iter()
                .find(|trap| trap.field == one.field && trap.value == one.value);
            self.rows.push(Row {
                id: case.id.clone(),
                message: case.message.clone(),
                field: one.field.clone(),
                value: one.value,
                ruling,
                why: trap.map(|trap| trap.why.clone()),
            });
        }
        let holds = |values: &[Written], label: &Label| {
            values
                .iter()
                .any(|one| one.field == label.field && label.is_right(one.value))
        };
        for label in case.labels.iter().filter(|label| label.class == Class::Apply) {
            self.plain += 1;
            if holds(written, label) {
                self.landed += 1;
            } else if holds(asked, label) {
                self.asked += 1;
            }
        }
        let is_labeled = |one: &&Written| {
            let mut labels = case.labels.iter();
            labels.any(|label| label.field == one.field && label.is_right(one.value))
                || case.product() == Some((&one.field, one.value))
        };
        self.proposals += asked.len();
        self.proposals_wrong += asked.len() - asked.iter().filter(is_labeled).count();
        self.traps += case.traps.len();
        self.traps_written += case
            .traps
            .iter()
            .filter(|trap| {
                written
                    .iter()
                    .any(|one| one.field == trap.field && one.value == trap.value)
            })
            .count();
    }

    /// Adds the counts of other cases.
    pub fn merge(&mut self, other: &Self) {
        self.written += other.written;
        self.wrong += other.wrong;
        self.hasty += other.hasty;
        self.plain += other.plain;
        self.landed += other.landed;
        self.asked += other.asked;
        self.traps += other.traps;
        self.traps_written += other.traps_written;
        self.proposals += other.proposals;
        self.proposals_wrong += other.proposals_wrong;
        self.rows.extend(other.rows.iter().cloned());
    }

    /// The figures of all cases that were added.
    pub fn figures(self) -> Figures {
        Figures {
            wrong_applied: Rate::new(self.wrong, self.written),
            hasty_applied: Rate::new(self.hasty, self.written),
            plain_landed: Rate::new(self.landed, self.plain),
            plain_asked: Rate::new(self.asked, self.plain),
            plain_heard: Rate::new(self.landed + self.asked, self.plain),
            proposals_wrong: Rate::new(self.proposals_wrong, self.proposals),
            plain_missed: Rate::new(self.plain - self.landed - self.asked, self.plain),
            traps_written: Rate::new(self.traps_written, self.traps),
            rows: self.rows,
        }
    }
}

/// The figures of a suite.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Of what was written.
    pub wrong_applied: Rate,
    /// Of what was written.
    pub hasty_applied: Rate,
    /// Of what is plainly stated.
    pub plain_landed: Rate,
    /// Of what is plainly stated; not written, but asked about with the right value.
    pub plain_asked: Rate,
    /// Of what is plainly stated; written, or asked about with the right value.
    pub plain_heard: Rate,
    /// Of what is asked about: values that no label has.
    pub proposals_wrong: Rate,
    /// Of what is plainly stated; neither written nor asked about with the right value.
    pub plain_missed: Rate,
    /// Of the traps.
    pub traps_written: Rate,
    /// Every wrong and every hasty value.
    pub rows: Vec<Row>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(field: &'static str, value: i64) -> Written {
        Written {
            field: FieldPath::from_static(field),
            value: Number::whole(value),
        }
    }

    fn case() -> Case {
        let line = r#"{"id": "a", "tags": [], "context": [], "message": "…",
            "labels": [{"field": "operatingCosts.rentMonthly", "value": 100, "class": "apply", "accept": [101]},
                       {"field": "operatingCosts.utilitiesMonthly", "value": 5, "class": "apply"},
                       {"field": "financing.loanAmount", "value": 7, "class": "ask"}],
            "traps": [{"field": "operatingCosts.rentMonthly", "value": 99, "why": "theirs"}]}"#;
        serde_json::from_str(line).expect("a case")
    }

    #[test]
    fn a_value_is_right_hasty_or_wrong() {
        let case = case();
        for (field, value, expected) in [
            ("operatingCosts.rentMonthly", 101, Ruling::Right),
            ("operatingCosts.rentMonthly", 99, Ruling::Wrong),
            ("operatingCosts.rentMonthly", 55, Ruling::Wrong),
            ("financing.loanAmount", 7, Ruling::Hasty),
            ("financing.loanAmount", 8, Ruling::Wrong),
            ("operatingCosts.suppliesMonthly", 1, Ruling::Wrong),
        ] {
            assert_eq!(Ruling::of(&case, &written(field, value)), expected, "{field} {value}");
        }
    }

    #[test]
    fn a_report_counts_each_label_once() {
        let mut tally = Tally::default();
        let said = [
            written("operatingCosts.rentMonthly", 99),
            written("operatingCosts.rentMonthly", 100),
        ];
        let asked = [
            written("operatingCosts.utilitiesMonthly", 5),
            written("operatingCosts.rentMonthly", 100),
        ];
        tally.add(&case(), &said, &asked);
        let report = tally.figures();
        let count = |rate: Rate| (rate.count, rate.of);
        assert_eq!(count(report.wrong_applied), (1, 2));
        assert_eq!(count(report.plain_landed), (1, 2));
        assert_eq!(count(report.plain_asked), (1, 2));
        assert_eq!(count(report.traps_written), (1, 1));
        assert_eq!(report.rows.len(), 1);
        assert_eq!(report.rows[0].why.as_deref(), Some("theirs"));
    }

    #[test]
    fn intervals_are_wilsons() {
        let none = Rate::new(0, 58);
        assert!((none.high - 0.0621).abs() < 0.0005 && none.low.abs() < 1e-9, "{none:?}");
        let some = Rate::new(109, 333);
        assert!(
            (some.low - 0.279).abs() < 0.001 && (some.high - 0.380).abs() < 0.001,
            "{some:?}"
        );
    }
}
