//! Labeled messages, as far as they teach.

use crate::intent::{Change, Intent, Line, Slots, kinds, line};
use crate::texts::Texts;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use serde::Deserialize;

/// Who said an earlier message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    User,
    Assistant,
}

#[derive(Clone, Debug, Deserialize)]
struct Earlier {
    role: Role,
    content: String,
}

/// A value that belongs to a field.
#[derive(Clone, Debug, Deserialize)]
pub struct Label {
    /// The field.
    pub field: FieldPath,
    /// In the field's unit.
    pub value: Number,
    /// Whether it is plainly stated: "apply", else "ask".
    #[serde(default)]
    class: String,
    /// Other right values.
    #[serde(default)]
    pub accept: Vec<Number>,
    /// Whether the value is what a share of sales comes to, in cents a month.
    #[serde(default)]
    pub dollars: bool,
}

impl Label {
    pub(super) fn plain(field: FieldPath, value: Number) -> Self {
        Self {
            field,
            value,
            class: "apply".to_owned(),
            accept: Vec::new(),
            dollars: false,
        }
    }

    /// Whether it is plainly stated.
    pub fn is_plain(&self) -> bool {
        self.class == "apply"
    }

    /// Whether a value is one of the right ones.
    pub fn is_right(&self, value: Number) -> bool {
        self.value == value || self.accept.contains(&value)
    }
}

/// One labeled message.
#[derive(Clone, Debug, Deserialize)]
pub struct Labeled {
    /// What the franchisee says.
    pub message: String,
    #[serde(default)]
    context: Vec<Earlier>,
    /// The values that are in it.
    #[serde(default)]
    pub labels: Vec<Label>,
    /// `en` or `es`.
    #[serde(default)]
    pub lang: String,
    /// What it wants, where that is labeled.
    #[serde(default)]
    pub intent: Option<Intent>,
    /// Of what.
    #[serde(default)]
    pub slots: Option<Slots>,
    #[serde(skip)]
    is_wording: bool,
    #[serde(skip)]
    is_name: bool,
}

impl Labeled {
    /// The messages of a file, one JSON object a line.
    ///
    /// # Errors
    /// The number of the first line that is none, and why.
    pub fn read(text: &str) -> Result<Vec<Self>, (usize, serde_json::Error)> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(number, line)| match serde_json::from_str::<Self>(line) {
                Ok(one) => Ok(one.with_cases()),
                Err(error) => Err((number, error)),
            })
            .collect()
    }

    /// The messages of a table: language, intent (of a place, an act on cases or small talk with which one: "scenario:adopt"), message,
    /// and what the advisor said before, parted by tabs. Their numbers teach nothing.
    ///
    /// # Errors
    /// The number of the first line that is none.
    pub fn read_table(text: &str) -> Result<Vec<Self>, usize> {
        let lines = (1..).zip(text.lines());
        let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let read = |line: &str| {
            let columns: Vec<&str> = line.split('\t').collect();
            let (advisor, [lang, intent, message]) = match columns[..] {
                [lang, intent, message] => (None, [lang, intent, message]),
                [lang, intent, message, advisor] => (Some(advisor), [lang, intent, message]),
                _ => return None,
            };
            let (intent, kind) = intent
                .split_once(':')
                .map_or((intent, None), |(intent, kind)| (intent, Some(kind)));
            let intent = Intent::parse(intent)?;
            Some(Self {
                message: message.replace("\\n", "\n"),
                context: advisor
                    .map(|content| Earlier {
                        role: Role::Assistant,
                        content: content.to_owned(),
                    })
                    .into_iter()
                    .collect(),
                labels: Vec::new(),
                lang: lang.to_owned(),
                intent: Some(intent),
                slots: match kind {
                    Some(kind) => Some(kinds::slots(intent, kind)?),
                    None => None,
                },
                is_wording: true,
                is_name: false,
            })
        };
        lines.map(|(number, line)| read(line).ok_or(number)).collect()
    }

    pub(super) fn composed(lang: &str, message: String, labels: Vec<Label>) -> Self {
        Self {
            message,
            context: Vec::new(),
            labels,
            lang: lang.to_owned(),
            intent: None,
            slots: None,
            is_wording: false,
            is_name: false,
        }
    }

    /// The same, with what it wants.
    pub(super) fn wanting(self, intent: Intent, slots: Slots) -> Self {
        Self {
            intent: Some(intent),
            slots: Some(slots),
            ..self
        }
        .with_cases()
    }

    /// The same, as the name of a field that may be asked about so.
    pub(super) fn naming(self, intent: Intent, slots: Slots) -> Self {
        Self {
            intent: Some(intent),
            slots: Some(slots),
            is_name: true,
            ..self
        }
    }

    /// Whether it is the name of a field and no message: it teaches only that.
    pub(super) fn is_name(&self) -> bool {
        self.is_name
    }

    /// The numbers of a what-if are values of their fields, too.
    fn with_cases(mut self) -> Self {
        let changes = self.slots.as_ref().map(Slots::all_changes).unwrap_or_default();
        let values = changes.into_iter().filter_map(|change| match change.change {
            Change::To(value) => Some(Label {
                field: change.field,
                value,
                class: String::new(),
                accept: Vec::new(),
                dollars: false,
            }),
            Change::By(_) | Change::Times(_) => None,
        });
        if self.intent == Some(Intent::WhatIf) {
            self.labels.extend(values);
        }
        self
    }

    /// Whether its numbers are known to belong to its labels or to nothing. Those of a case teach by its changes.
    pub fn teaches_numbers(&self) -> bool {
        !self.is_wording && (self.intent != Some(Intent::Goal) || !self.labels.is_empty())
    }

    /// The class of the figure that it is about or that is to reach a target, or of another slot, among those that it may have; `None`
    /// where it is not labeled.
    pub(super) fn line(&self) -> Option<(u8, Vec<u8>)> {
        let slots = self.slots.as_ref()?;
        match self.intent? {
            Intent::Figure | Intent::Why => Some((line::class_of(slots.line.as_ref()), line::classes())),
            Intent::Goal | Intent::Levers => Some((line::class_of(slots.metric.as_ref()), line::classes())),
            intent => Some((kinds::class_of(intent, slots)?, kinds::classes(intent))),
        }
    }

    /// The field that it is about, or that it is about none, with what it wants; `None` where it is not labeled.
    pub(super) fn subject(&self) -> Option<(Intent, Option<&FieldPath>)> {
        let (intent, slots) = (self.intent?, self.slots.as_ref()?);
        let of_line = match slots.line.as_ref() {
            Some(Line::Field(path)) => Some(path),
            _ => None,
        };
        let of_field = slots.field.as_ref();
        let field = match intent {
            Intent::Value | Intent::WhoSet | Intent::Said | Intent::IsHigh | Intent::Goal | Intent::Estimate => {
                of_field
            }
            Intent::WhatIf => Some(of_field?),
            Intent::Accept | Intent::Decline => of_field,
            Intent::Figure | Intent::Why => Some(of_line?),
            _ => return None,
        };
        Some((intent, field))
    }

    /// Whether it has a message of the person and one of the advisor before it.
    pub(super) fn is_behind_others(&self) -> bool {
        let texts = self.texts();
        texts.previous_message.is_some() && texts.advisor.is_some()
    }

    /// The same behind what stands before another message: what needs nothing before it means the same behind anything. `None` where
    /// it has something before it, or where that could say what it means ("yes", "skip that").
    pub(super) fn behind(&self, other: &Self) -> Option<Self> {
        let intent = self.intent?;
        let is_whole = self.context.is_empty() && !self.is_wording && !self.is_name;
        let says_all = intent.is_about_figures() || intent == Intent::State;
        (is_whole && says_all).then(|| Self {
            context: other.context.clone(),
            ..self.clone()
        })
    }

    /// The words that count for its turn.
    pub fn texts(&self) -> Texts<'_> {
        let last = |role: Role| self.context.iter().rev().find(|earlier| earlier.role == role);
        Texts {
            message: &self.message,
            previous_message: last(Role::User).map(|earlier| earlier.content.as_str()),
            advisor: last(Role::Assistant).map(|earlier| earlier.content.as_str()),
            asked: None,
            about: None,
        }
    }
}
