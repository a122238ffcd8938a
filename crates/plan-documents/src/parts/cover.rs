//! The first page: who, what, when, and what is asked for.

use crate::contents::{Contents, Kind};
use crate::figures::{self, dollars};
use crate::sheets::Cover;
use crate::texts::{Texts, readable};
use plan_engine::ENGINE_VERSION;
use plan_model::field;
use plan_model::number::Number;

pub(crate) fn cover(contents: &Contents<'_>, name: &str) -> Cover {
    let texts = Texts(contents.language);
    Cover {
        kind: texts.get(match contents.kind {
            Kind::Package => "kind.package",
            Kind::Summary => "kind.summary",
        }),
        name: name.to_owned(),
        facts: facts(contents, texts),
        request_title: texts.get("request.title"),
        request: request(contents, texts),
        prepared: texts.get("prepared"),
    }
}

fn facts(contents: &Contents<'_>, texts: Texts) -> Vec<[String; 2]> {
    let changed = figures::date(contents.updated_at, texts);
    let version = [("version", &*contents.plan_version.to_string()), ("date", &*changed)];
    let mut facts = vec![
        ("cover.owner", readable(contents.owner)),
        ("cover.brand", readable(&contents.brand.name)),
        ("cover.date", figures::date(contents.made_at, texts)),
        ("cover.version", texts.say("cover.version.value", &version)),
    ];
    if let Some(opening) = contents.opening_month {
        facts.push(("cover.opening", figures::month_of_year(opening, texts)));
    }
    let engine = texts.say("cover.engine.value", &[("engine", ENGINE_VERSION)]);
    facts.push(("cover.engine", engine));
    named(facts, texts)
}

/// What is asked for: amount, term, rate, payment, purpose.
fn request(contents: &Contents<'_>, texts: Texts) -> Vec<[String; 2]> {
    let metrics = &contents.projection.metrics;
    let purpose = [
        ("total", &*dollars(metrics.total_investment)),
        ("own", &*dollars(metrics.owner_cash)),
    ];
    let purpose = ("request.purpose", texts.say("request.purpose.value", &purpose));
    if metrics.loan_amount == 0 {
        let none = texts.get("request.none").to_owned();
        return named(vec![("request.amount", none), purpose], texts);
    }
    let shown = |path: &str| shown(contents, path, texts);
    let mut request = vec![
        ("request.amount", dollars(metrics.loan_amount)),
        ("request.term", shown("financing.loanTermMonths")),
        ("request.rate", shown("financing.interestRate")),
    ];
    if contents.inputs.value("financing.interestOnlyMonths") > Number::ZERO {
        request.push(("request.interestOnly", shown("financing.interestOnlyMonths")));
    }
    if let Some(payment) = metrics.monthly_payment {
        request.push(("request.payment", dollars(payment)));
    }
    request.push(purpose);
    named(request, texts)
}

/// A value of the plan with its unit.
pub(super) fn shown(contents: &Contents<'_>, path: &str, texts: Texts) -> String {
    let field = field::find(path).map(|field| figures::value(field, contents.inputs.value(path), texts));
    field.unwrap_or_default()
}

fn named(facts: Vec<(&str, String)>, texts: Texts) -> Vec<[String; 2]> {
    let named = |(key, value): (&str, String)| [texts.get(key).to_owned(), value];
    facts.into_iter().map(named).collect()
}
