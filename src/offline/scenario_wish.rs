//! Wishes about scenarios: keep a case under a name, compare, adopt.

/// What is wanted of scenarios.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScenarioWish {
    /// Under this name, where one is given.
    Save(Option<String>),
    /// Those of these names; the newest where none is named.
    Compare(Vec<String>),
    /// Empty: the only one there is.
    Adopt(String),
}

const FILLERS: [&str; 19] = [
    "please", "now", "ok", "okay", "and", "then", "yes", "can", "could", "you", "let's", "i", "want", "to", "we",
    "would", "like", "i'd", "also",
];
const IT: [&str; 12] = [
    "",
    "it",
    "this",
    "that",
    "them",
    "these",
    "this case",
    "that case",
    "the case",
    "this scenario",
    "that scenario",
    "the scenario",
];
const PLAN: [&str; 11] = [
    "both",
    "all",
    "all of them",
    "plan",
    "the plan",
    "my plan",
    "scenarios",
    "the scenarios",
    "my scenarios",
    "all scenarios",
    "the plan as it is",
];

/// The wish that a message begins with.
pub fn wish(message: &str) -> Option<ScenarioWish> {
    let text = message.trim().trim_end_matches(['.', '!', '?', ' ']);
    let text = text.strip_suffix(" please").unwrap_or(text).replace('’', "'");
    // Of the same length, so that places in one are places in the other.
    let lower = text.to_ascii_lowercase();
    let mut at = 0;
    loop {
        let rest = &lower[at..];
        let word = rest.split([' ', ',']).next().unwrap_or_default();
        let next = at
            + word.len()
            + rest[word.len()..]
                .chars()
                .take_while(|c| matches!(c, ' ' | ','))
                .count();
        let (said, wanted) = (text.get(next..)?, lower.get(next..)?);
        match word {
            "save" | "keep" | "store" => return save(said, wanted),
            "compare" => return compare(said),
            "adopt" => return Some(ScenarioWish::Adopt(adopted(said))),
            filler if FILLERS.contains(&filler) && next > at => at = next,
            _ => return None,
        }
    }
}

fn save(said: &str, lower: &str) -> Option<ScenarioWish> {
    let parted = [" as ", " under ", " under the name "]
        .iter()
        .rev()
        .find_map(|word| lower.split_once(word));
    let (object, name) = match parted {
        Some((object, name)) => (object, Some(named(&said[said.len() - name.len()..]))),
        None => (lower, None),
    };
    IT.contains(&object.trim())
        .then(|| ScenarioWish::Save(name.filter(|name| !name.is_empty())))
}

fn compare(said: &str) -> Option<ScenarioWish> {
    let parts = said.replace(" and ", ",").replace(" with ", ",").replace(" to ", ",");
    let names = parts
        .split(',')
        .map(named)
        .map(|name| name.trim_start_matches("with ").to_owned());
    let names: Vec<String> = names
        .filter(|name| {
            let lower = name.to_ascii_lowercase();
            !IT.contains(&lower.as_str()) && !PLAN.contains(&lower.as_str())
        })
        .collect();
    let is_short = names.iter().all(|name| name.split_whitespace().count() <= 6);
    is_short.then_some(ScenarioWish::Compare(names))
}

fn adopted(said: &str) -> String {
    let name = named(said);
    let lower = name.to_ascii_lowercase();
    if IT.contains(&lower.as_str()) {
        return String::new();
    }
    let lead = ["the scenario ", "scenario "]
        .iter()
        .find(|lead| lower.starts_with(**lead));
    named(&name[lead.map_or(0, |lead| lead.len())..])
}

/// A name without the quotes around it.
fn named(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’'))
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read_with_the_name_as_it_was_written() {
        let save = |name: &str| Some(ScenarioWish::Save(Some(name.to_owned())));
        assert_eq!(wish("save it as \"Lean\""), save("Lean"));
        assert_eq!(wish("Please save this scenario as Café 2."), save("Café 2"));
        assert_eq!(wish("ok, keep that under lean case please"), save("lean case"));
        assert_eq!(wish("Save it!"), Some(ScenarioWish::Save(None)));
        let compare = |names: &[&str]| {
            Some(ScenarioWish::Compare(
                names.iter().map(|name| (*name).to_owned()).collect(),
            ))
        };
        assert_eq!(wish("compare"), compare(&[]));
        assert_eq!(wish("Can you compare them with my plan?"), compare(&[]));
        assert_eq!(wish("compare lean and bold"), compare(&["lean", "bold"]));
        let adopt = |name: &str| Some(ScenarioWish::Adopt(name.to_owned()));
        assert_eq!(wish("adopt lean"), adopt("lean"));
        assert_eq!(wish("now adopt the scenario 'Lean'"), adopt("Lean"));
        assert_eq!(wish("adopt it"), adopt(""));
    }

    #[test]
    fn other_sentences_are_no_wishes() {
        for message in [
            "",
            "keep rent at 4,000 as before",
            "we save 500 a month as a reserve",
            "save",
            "I want to know my break-even",
            "please",
            "now now now",
            "🤷 save",
        ] {
            let found = wish(message);
            assert!(
                matches!(found, None | Some(ScenarioWish::Save(None))),
                "{message}: {found:?}"
            );
            assert_eq!(found.is_some(), message == "save", "{message}");
        }
    }
}
