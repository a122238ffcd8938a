//! What the provider says about a person.

use super::error::{SsoResult, failed};
use plan_model::clean;
use serde_json::{Map, Value};

/// By the specification a subject has at most 255 characters; the ids of sessions are not longer either.
const MAX_ID: usize = 255;

/// As long as a name may be that is typed here.
const MAX_NAME: usize = 100;

/// A person, as the provider knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// The person's id at the provider; it never changes.
    pub subject: String,
    /// As [`clean::email`] has it; none where it is no address by that rule.
    pub email: Option<String>,
    /// Whether the provider vouches for the address.
    pub email_verified: bool,
    /// As the provider shows it, cleaned and cut as [`clean::person_name`] has it.
    pub name: Option<String>,
    /// The provider's id of the session.
    pub sid: Option<String>,
    /// The values of the role claim; empty where none is asked for.
    pub roles: Vec<String>,
}

/// Whether the ID token says everything, so that the provider need not be asked again.
pub(crate) fn are_complete(claims: &Map<String, Value>, role_claim: Option<&str>) -> bool {
    claims.contains_key("email")
        && claims.contains_key("email_verified")
        && role_claim.is_none_or(|path| find(claims, path).is_some())
}

/// Adds what the userinfo endpoint says. E-mail and its being verified belong together.
pub(crate) fn add(claims: &mut Map<String, Value>, more: Map<String, Value>) -> SsoResult<()> {
    if more.get("sub") != claims.get("sub") {
        return Err(failed("the userinfo endpoint speaks of another person (sub)"));
    }
    if more.contains_key("email") {
        claims.remove("email_verified");
    }
    let adds = |name: &str| name == "email" || name == "email_verified";
    for (name, value) in more {
        if adds(&name) || !claims.contains_key(&name) {
            claims.insert(name, value);
        }
    }
    Ok(())
}

impl Claims {
    /// Takes what we use from the claims of a checked ID token.
    pub fn read(claims: &Map<String, Value>, role_claim: Option<&str>) -> SsoResult<Self> {
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let subject = text("sub").filter(|sub| is_id(sub));
        let subject = subject.ok_or_else(|| failed("the subject (sub) is no id of 1 to 255 characters"))?;
        let sid = match claims.get("sid") {
            None | Some(Value::Null) => None,
            Some(Value::String(sid)) if is_id(sid) => Some(sid.clone()),
            Some(_) => return Err(failed("the session's id (sid) is no id of 1 to 255 characters")),
        };
        let name = |name: &str| text(name).and_then(person_name);
        Ok(Self {
            subject: subject.to_owned(),
            email: text("email").and_then(clean::email),
            email_verified: match claims.get("email_verified") {
                Some(Value::Bool(verified)) => *verified,
                // Seen at Amazon Cognito and Apple.
                Some(Value::String(verified)) => verified.eq_ignore_ascii_case("true"),
                _ => false,
            },
            name: name("name").or_else(|| name("preferred_username")),
            sid,
            roles: role_claim
                .and_then(|path| find(claims, path))
                .map(values)
                .unwrap_or_default(),
        })
    }
}

pub(crate) fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

fn person_name(text: &str) -> Option<String> {
    let cut: String = clean::label(text).chars().take(MAX_NAME).collect();
    clean::person_name(&cut)
}

/// The claim of this name, or the one at this path: names of claims may contain dots.
fn find<'a>(claims: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(value) = claims.get(path) {
        return Some(value);
    }
    let (first, rest) = path.split_once('.')?;
    find(claims.get(first)?.as_object()?, rest)
}

/// One value, a list of them, or an object that has them as keys, as Zitadel's.
fn values(claim: &Value) -> Vec<String> {
    match claim {
        Value::String(one) => vec![one.clone()],
        Value::Array(many) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::Object(named) => {
            let given = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
            let given = named.iter().filter(|(_, value)| given(value));
            given.map(|(name, _)| name.clone()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(claims: Value, role_claim: Option<&str>) -> SsoResult<Claims> {
        Claims::read(claims.as_object().expect("an object"), role_claim)
    }

    #[test]
    fn what_can_be_stored_is_taken_and_nothing_else() {
        let long = "x".repeat(4096);
        let claims = read(
            json!({"sub": "1", "email": " Ana@Example.COM ", "email_verified": "true", "name": format!("A\u{0}na {long}")}),
            None,
        )
        .expect("read");
        assert_eq!(claims.email.as_deref(), Some("ana@example.com"));
        assert!(claims.email_verified);
        assert_eq!(claims.name.map(|name| name.chars().count()), Some(MAX_NAME));
        for (claims, what) in [
            (json!({}), "no subject"),
            (json!({"sub": ""}), "an empty subject"),
            (json!({"sub": 7}), "a number"),
            (json!({"sub": long}), "a long subject"),
            (json!({"sub": "a\u{0}b"}), "NUL"),
            (json!({"sub": "1", "sid": long}), "a long sid"),
            (json!({"sub": "1", "sid": 7}), "a number as sid"),
        ] {
            assert!(read(claims, None).is_err(), "{what}");
        }
        for email in [
            "",
            "ana",
            "a na@b.c",
            "a\u{0}@b.c",
            "mi\u{212A}e@kiosk.test",
            "\u{430}dmin@demo.test",
            "admin\u{202E}\u{200B}@demo.test",
            &format!("{long}@b.c"),
        ] {
            let claims = read(json!({"sub": "1", "email": email, "email_verified": 1}), None).expect("read");
            assert_eq!((claims.email, claims.email_verified), (None, false), "{email}");
        }
    }

    #[test]
    fn a_name_is_one_that_could_be_typed_here() {
        for (claims, expected) in [
            (json!({"name": "A\u{202E}na\u{2060}\nLee"}), Some("Ana Lee")),
            (json!({"name": "\u{200B}", "preferred_username": "ana"}), Some("ana")),
            (json!({"name": {"first": "Ana"}, "preferred_username": 7}), None),
        ] {
            let mut claims = claims;
            claims["sub"] = json!("1");
            assert_eq!(
                read(claims.clone(), None).expect("read").name.as_deref(),
                expected,
                "{claims}"
            );
        }
    }

    #[test]
    fn roles_are_a_text_a_list_or_the_keys_of_an_object_at_a_path() {
        for (claims, path, expected) in [
            (json!({"groups": ["a", 7, "b"]}), "groups", vec!["a", "b"]),
            (json!({"role": "a"}), "role", vec!["a"]),
            (
                json!({"realm_access": {"roles": ["a"]}}),
                "realm_access.roles",
                vec!["a"],
            ),
            (
                json!({"https://acme.example/roles": ["a"]}),
                "https://acme.example/roles",
                vec!["a"],
            ),
            (
                json!({"role": {"a": true, "b": {"o": 1}, "c": false}}),
                "role",
                vec!["a", "b"],
            ),
            (json!({"role": 7}), "role", vec![]),
            (json!({}), "realm_access.roles", vec![]),
        ] {
            let mut claims = claims;
            claims["sub"] = json!("1");
            assert_eq!(read(claims, Some(path)).expect("read").roles, expected, "{path}");
        }
    }

    #[test]
    fn userinfo_speaks_of_the_same_person_and_brings_its_own_word_for_the_address() {
        let mut claims = json!({"sub": "1", "email_verified": true})
            .as_object()
            .expect("an object")
            .clone();
        assert!(add(&mut claims, json!({"sub": "2"}).as_object().expect("an object").clone()).is_err());
        add(
            &mut claims,
            json!({"sub": "1", "email": "a@b.c"})
                .as_object()
                .expect("an object")
                .clone(),
        )
        .expect("added");
        let claims = Claims::read(&claims, None).expect("read");
        assert_eq!((claims.email.as_deref(), claims.email_verified), (Some("a@b.c"), false));
    }
}
