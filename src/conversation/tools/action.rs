//! What a destructive tool does: asked in the server's own words, and carried out once the franchisee has said yes.

use crate::wording;
use plan_model::field::FieldPath;
use plan_model::language::Language;
use plan_model::scenario::Overrides;
use plan_model::story::StoryPart;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) const RESET_FIELDS: &str = "reset_fields_to_defaults";
pub(super) const CLEAR_CONVERSATION: &str = "clear_conversation";
pub(super) const ADOPT_SCENARIO: &str = "adopt_scenario";
pub(super) const DRAFT_STORY: &str = "draft_story";

/// The phrases that order again what the question of a tool asks about.
pub(in crate::conversation) fn again_key(tool: &str) -> Option<&'static str> {
    Some(match tool {
        ADOPT_SCENARIO => "w.adopts_it",
        RESET_FIELDS => "w.resets_it",
        CLEAR_CONVERSATION => "w.clears_it",
        _ => return None,
    })
}

/// Labels named in a question before the rest is counted.
const NAMED_LABELS: usize = 5;

/// What would be done, in canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destructive {
    /// Sorted, without repetition; never empty.
    ResetFields(Vec<FieldPath>),
    ClearConversation,
    /// The values as they were when the question was asked; never empty.
    AdoptScenario {
        name: String,
        overrides: Overrides,
    },
    /// A text for a lender, as it was shown.
    WriteStory {
        part: StoryPart,
        text: String,
    },
}

/// A destructive call as it is put before the franchisee.
#[derive(Debug, Clone)]
pub struct Intercepted {
    pub action: Destructive,
    pub prompt: String,
}

/// The first of a list, and how many more there are.
pub(super) fn first_of(language: Language, items: &[String]) -> String {
    let named = items.iter().take(NAMED_LABELS).cloned().collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(NAMED_LABELS) {
        0 => named,
        rest => {
            let slots = [("items", &*named), ("count", &*rest.to_string())];
            wording::say(language, "ask.more", &slots)
        }
    }
}

pub(super) fn counted(language: Language, values: usize) -> String {
    let key = if values == 1 { "ask.value" } else { "ask.values" };
    wording::say(language, key, &[("count", &values.to_string())])
}

impl Destructive {
    pub fn tool_name(&self) -> &'static str {
        match self {
            Self::ResetFields(_) => RESET_FIELDS,
            Self::ClearConversation => CLEAR_CONVERSATION,
            Self::AdoptScenario { .. } => ADOPT_SCENARIO,
            Self::WriteStory { .. } => DRAFT_STORY,
        }
    }

    /// The canonical arguments.
    pub fn arguments(&self) -> Value {
        match self {
            Self::ResetFields(fields) => json!({ "fields": fields }),
            Self::ClearConversation => json!({}),
            Self::AdoptScenario { name, overrides } => json!({ "name": name, "overrides": overrides }),
            Self::WriteStory { part, text } => json!({ "part": part, "text": text }),
        }
    }

    /// Ties the question to exactly this action.
    pub fn hash(&self) -> Vec<u8> {
        digest(
            &SHA256,
            format!("{}\n{}", self.tool_name(), self.arguments()).as_bytes(),
        )
        .as_ref()
        .to_vec()
    }

    /// Reads a stored action; `None` unless it is exactly the one that was hashed.
    pub fn restore(tool: &str, arguments: &Value, hash: &[u8]) -> Option<Self> {
        let action = match tool {
            RESET_FIELDS => {
                let fields = arguments.get("fields")?.as_array()?;
                Self::ResetFields(
                    fields
                        .iter()
                        .map(|path| path.as_str().map(FieldPath::new))
                        .collect::<Option<_>>()?,
                )
            }
            CLEAR_CONVERSATION => Self::ClearConversation,
            ADOPT_SCENARIO => Self::AdoptScenario {
                name: arguments.get("name")?.as_str()?.to_owned(),
                overrides: Overrides::deserialize(arguments.get("overrides")?).ok()?,
            },
            DRAFT_STORY => Self::WriteStory {
                part: StoryPart::deserialize(arguments.get("part")?).ok()?,
                text: arguments.get("text")?.as_str()?.to_owned(),
            },
            _ => return None,
        };
        (action.hash() == hash).then_some(action)
    }

    /// What is said when it has been done.
    pub fn done_text(&self, language: Language) -> String {
        let say = |key: &str, slots: &[(&str, &str)]| wording::say(language, key, slots);
        match self {
            Self::ResetFields(fields) if fields.len() == 1 => say("done.reset.one", &[]),
            Self::ResetFields(fields) => say("done.reset", &[("count", &fields.len().to_string())]),
            Self::ClearConversation => say("done.clear", &[]),
            Self::AdoptScenario { name, .. } => say("done.adopt", &[("name", name)]),
            Self::WriteStory { .. } => say("done.story", &[]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::number::Number;

    #[test]
    fn a_stored_action_is_only_restored_unchanged() {
        let action = Destructive::ResetFields(vec![FieldPath::from_static("operatingCosts.rentMonthly")]);
        let (arguments, hash) = (action.arguments(), action.hash());
        assert_eq!(Destructive::restore(RESET_FIELDS, &arguments, &hash), Some(action));
        assert_eq!(
            Destructive::restore(RESET_FIELDS, &json!({"fields": ["financing.loanAmount"]}), &hash),
            None
        );
        assert_eq!(Destructive::restore(CLEAR_CONVERSATION, &json!({}), &hash), None);
        let adopt = Destructive::AdoptScenario {
            name: "lean".into(),
            overrides: Overrides(
                [(
                    FieldPath::from_static("financing.interestRate"),
                    Number::millionths(102_500),
                )]
                .into(),
            ),
        };
        let (arguments, hash) = (adopt.arguments(), adopt.hash());
        assert_eq!(Destructive::restore(ADOPT_SCENARIO, &arguments, &hash), Some(adopt));
        let story = Destructive::WriteStory {
            part: StoryPart::Team,
            text: "We groomed dogs.".into(),
        };
        let (mut arguments, hash) = (story.arguments(), story.hash());
        assert_eq!(Destructive::restore(DRAFT_STORY, &arguments, &hash), Some(story));
        arguments["text"] = json!("We groomed 900 dogs.");
        assert_eq!(Destructive::restore(DRAFT_STORY, &arguments, &hash), None);
        assert_eq!(Destructive::restore("drop_tables", &json!({}), &hash), None);
    }
}
