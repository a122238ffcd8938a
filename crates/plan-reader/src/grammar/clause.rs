//! One clause of a reading, its words sorted by what they carry.

use super::chart::{Reading, Step};
use super::edges::EdgePayload;
use super::names::NAMES;
use crate::lex::Period;
use plan_model::field::Base;

/// One clause, sorted.
#[derive(Default)]
pub(super) struct Clause {
    pub(super) rule: u16,
    pub(super) keys: Vec<u16>,
    pub(super) parts: usize,
    pub(super) amounts: Vec<u16>,
    pub(super) period: Option<Period>,
    pub(super) base: Option<Base>,
    pub(super) years: u8,
    pub(super) month: Option<u16>,
    pub(super) past: bool,
    pub(super) zero: bool,
    pub(super) rate_at: bool,
    pub(super) percent: bool,
}
/// The clauses of a reading; none where one holds two values or two periods.
pub(super) fn sort(reading: &Reading) -> Option<Vec<Clause>> {
    let names = &*NAMES;
    let mut out: Vec<Clause> = Vec::new();
    for step in reading {
        if let Step::Clause(rule) = step {
            out.push(Clause {
                rule: *rule,
                ..Clause::default()
            });
            continue;
        }
        let Some(clause) = out.last_mut() else { continue };
        match step {
            Step::Clause(_) => {}
            Step::Payload(class, EdgePayload::Key(key)) => {
                clause.parts += usize::from(*class == names.part);
                clause.keys.push(*key);
            }
            Step::Payload(_, EdgePayload::Amount(amount)) => clause.amounts.push(*amount),
            Step::Payload(_, EdgePayload::Period(period)) => {
                if clause.period.is_some_and(|known| known != *period) {
                    return None;
                }
                clause.period = Some(*period);
            }
            Step::Payload(_, EdgePayload::Month(month)) => {
                if clause.month.replace(*month).is_some() {
                    return None;
                }
            }
            Step::Payload(_, EdgePayload::Years(years)) => clause.years |= years,
            Step::Payload(_, EdgePayload::Nothing) => {}
            Step::Class(class) => match *class {
                class if names.past.contains(&class) => clause.past = true,
                class if class == names.sales => clause.base = Some(Base::Sales),
                class if class == names.wages => clause.base = Some(Base::Wages),
                class if class == names.project => clause.base = Some(Base::Project),
                class if class == names.costs => clause.base = Some(Base::Costs),
                class if class == names.nothing => clause.zero = true,
                class if class == names.rate_at => clause.rate_at = true,
                _ => clause.percent = true,
            },
        }
    }
    let many = [names.parts, names.changed];
    let one = |clause: &Clause| clause.amounts.len() <= 1 || many.contains(&clause.rule);
    out.iter().all(one).then_some(out)
}
