//! What a document says, section by section.

mod assumptions;
pub(crate) mod cases;
mod cover;
mod loan;
mod months;
mod notes;
mod results;
mod sources;
mod startup;
mod statement;
mod story;
mod years;

use crate::contents::{Contents, Kind, Paper};
use crate::figures;
use crate::sheets::{Part, Sheets};
use crate::texts::{Texts, readable};

/// Everything that a document prints, in order.
pub fn sheets(contents: &Contents<'_>) -> Sheets {
    let texts = Texts(contents.language);
    let version = contents.plan_version.to_string();
    let name = readable(contents.plan);
    let date = figures::date(contents.made_at, texts);
    Sheets {
        lang: texts.0.as_str(),
        paper: match contents.paper {
            Paper::Letter => "us-letter",
            Paper::A4 => "a4",
        },
        title: texts.say("title", &[("plan", &name), ("version", &version)]),
        author: readable(contents.owner),
        head_right: texts.say("head.right", &[("version", &version), ("date", &date)]),
        standing: texts.get("standing"),
        page: [texts.get("page.before"), texts.get("page.between")],
        cover: cover::cover(contents, &name),
        head: name,
        parts: parts(contents, texts),
    }
}

fn parts(contents: &Contents<'_>, texts: Texts) -> Vec<Part> {
    let mut parts = vec![results::results(contents, texts)];
    let is_package = contents.kind == Kind::Package;
    if is_package {
        parts.extend(story::story(contents.story, texts));
    }
    parts.push(sources::sources(contents, texts));
    if is_package {
        parts.push(startup::startup(contents, texts));
    }
    parts.extend(years::years(contents, texts));
    if is_package {
        parts.extend(months::months(contents, texts));
        parts.push(loan::loan(contents, texts));
    }
    parts.extend(cases::cases(contents, texts));
    if is_package {
        parts.push(assumptions::assumptions(contents, texts));
    }
    parts.push(notes::notes(contents, texts));
    parts
}
