//! The numbers of the productions and classes that the evaluation knows by name.

use super::class_set::Class;
use super::productions::GRAMMAR;
use std::sync::LazyLock;

pub(super) struct Names {
    pub(super) statement: u16,
    pub(super) start: u16,
    pub(super) more: u16,
    pub(super) yearly: u16,
    pub(super) none: u16,
    pub(super) shared: u16,
    pub(super) answer: u16,
    pub(super) correct: u16,
    pub(super) denied: u16,
    pub(super) settled: u16,
    pub(super) topic: u16,
    pub(super) paid: u16,
    pub(super) parts: u16,
    pub(super) restated: u16,
    pub(super) all_of_it: u16,
    pub(super) starred: u16,
    pub(super) changed: u16,
    pub(super) part: Class,
    pub(super) past: [Class; 2],
    pub(super) sales: Class,
    pub(super) wages: Class,
    pub(super) project: Class,
    pub(super) costs: Class,
    pub(super) nothing: Class,
    pub(super) rate_at: Class,
    pub(super) percent: Class,
}

pub(super) static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let class = |name: &str| {
        GRAMMAR
            .known(name)
            .unwrap_or_else(|| panic!("{name} is in productions.txt"))
    };
    let rule = |name: &str| GRAMMAR.named(name);
    Names {
        statement: rule("statement"),
        start: rule("start"),
        more: rule("more"),
        yearly: rule("yearly"),
        none: rule("none"),
        shared: rule("shared"),
        answer: rule("answer"),
        correct: rule("correct"),
        denied: rule("denied"),
        settled: rule("settled"),
        topic: rule("topic"),
        paid: rule("paid"),
        parts: rule("parts"),
        restated: rule("restated"),
        all_of_it: rule("whole"),
        starred: rule("starred"),
        changed: rule("changed"),
        part: class("PART"),
        past: [class("PASTBE"), class("PAID")],
        sales: class("SALES"),
        wages: class("WAGES"),
        project: class("PROJECT"),
        costs: class("COSTSOF"),
        nothing: class("NOTHING"),
        rate_at: class("RATEAT"),
        percent: class("PERCENTWORD"),
    }
});

/// Classes that a reading must keep although they carry nothing.
pub(super) fn marked() -> &'static [Class] {
    static MARKED: LazyLock<Vec<Class>> = LazyLock::new(|| {
        let names = &*NAMES;
        let classes = [
            names.sales,
            names.wages,
            names.project,
            names.costs,
            names.nothing,
            names.rate_at,
            names.percent,
        ];
        classes.into_iter().chain(names.past).collect()
    });
    &MARKED
}
