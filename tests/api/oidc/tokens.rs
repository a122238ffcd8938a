//! Tokens that are not what they should be.

use super::{Browser, invite, problem, signed_in, world};
use crate::support::Signature;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What is odd about the claims of a token, and how they become so.
type Twist = (&'static str, Box<dyn Fn(&mut Value) + Send>);

#[tokio::test]
async fn a_token_that_is_not_the_providers_for_us_now_and_for_this_sign_in_is_refused() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    let long = "x".repeat(300);
    let shifted = |name: &str, seconds: i64| {
        let name = name.to_owned();
        move |claims: &mut Value| claims[&name] = json!(claims[&name].as_i64().expect("seconds") + seconds)
    };
    let with = |name: &str, value: Value| {
        let name = name.to_owned();
        move |claims: &mut Value| claims[&name] = value.clone()
    };
    let without = |name: &str| {
        let name = name.to_owned();
        move |claims: &mut Value| drop(claims.as_object_mut().expect("an object").remove(&name))
    };
    let issuer = idp.base().to_owned();
    let twists: Vec<Twist> = vec![
        ("another nonce", Box::new(with("nonce", json!("another")))),
        ("no nonce", Box::new(without("nonce"))),
        ("another audience", Box::new(with("aud", json!("another")))),
        ("one audience more", Box::new(with("aud", json!(["plans", "another"])))),
        ("no audience", Box::new(without("aud"))),
        ("another party", Box::new(with("azp", json!("another")))),
        ("an odd party", Box::new(with("azp", json!(["plans"])))),
        ("another issuer", Box::new(with("iss", json!("https://evil.example")))),
        ("a slash more", Box::new(with("iss", json!(format!("{issuer}/"))))),
        ("no issuer", Box::new(without("iss"))),
        ("a clock 5 minutes ahead", Box::new(shifted("iat", 300))),
        ("issued long ago", Box::new(shifted("iat", -3600))),
        ("expired", Box::new(shifted("exp", -900))),
        ("no expiry", Box::new(without("exp"))),
        ("no time of issue", Box::new(without("iat"))),
        ("no subject", Box::new(without("sub"))),
        ("an empty subject", Box::new(with("sub", json!("")))),
        ("a long subject", Box::new(with("sub", json!(long)))),
        ("NUL in the subject", Box::new(with("sub", json!("a\u{0}b")))),
        ("a long session id", Box::new(with("sid", json!(long)))),
        ("an odd session id", Box::new(with("sid", json!({})))),
    ];
    for (what, twist) in twists {
        idp.now().twist(twist);
        assert_eq!(browser.sign_in(&idp, "").await, problem("sso_failed"), "{what}");
        assert_eq!(browser.me().await, None, "{what}");
    }
    idp.now().twist(|_| ());
    for signature in [Signature::None, Signature::Secret, Signature::Forged] {
        idp.now().signature = signature;
        assert_eq!(browser.sign_in(&idp, "").await, problem("sso_failed"), "{signature:?}");
    }
    idp.now().signature = Signature::Key;
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM users WHERE email LIKE 'ana@%'")
            .await,
        0
    );

    assert_eq!(browser.sign_in(&idp, "").await, "/", "the same without a fault");
}

#[tokio::test]
async fn harmless_oddities_are_taken() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    let seconds = |claims: &Value, name: &str| claims[name].as_i64().expect("seconds");
    let twists: Vec<Twist> = vec![
        (
            "4 KB of claims",
            Box::new(|claims| {
                claims["groups"] = json!(vec!["a-group-with-a-name"; 200]);
                claims["name"] = json!("n\u{0}ame ".repeat(700));
            }),
        ),
        (
            "our audience in a list",
            Box::new(|claims| claims["aud"] = json!(["plans"])),
        ),
        ("we are the party", Box::new(|claims| claims["azp"] = json!("plans"))),
        (
            "a clock 50 s ahead",
            Box::new(move |claims| claims["iat"] = json!(seconds(claims, "iat") + 50)),
        ),
        (
            "expired 30 s ago",
            Box::new(move |claims| claims["exp"] = json!(seconds(claims, "iat") - 30)),
        ),
        (
            "dated back by 5 minutes",
            Box::new(move |claims| claims["iat"] = json!(seconds(claims, "iat") - 300)),
        ),
        (
            "verified as a text",
            Box::new(|claims| claims["email_verified"] = json!("true")),
        ),
        ("no session id", Box::new(|claims| claims["sid"] = Value::Null)),
    ];
    for (what, twist) in twists {
        idp.now().twist(twist);
        assert_eq!(browser.sign_in(&idp, "").await, "/", "{what}");
    }
    let name = browser.me().await.expect("signed in")["displayName"].clone();
    assert_eq!(name.as_str().map(|name| name.chars().count()), Some(100));
}

#[tokio::test]
async fn keys_that_change_between_start_and_callback_are_fetched_again_but_not_each_time() {
    let (app, idp, mut browser) = signed_in().await;
    assert_eq!(idp.asked("keys"), 1);
    let page = browser.start("").await;
    let again_at = Instant::now();
    idp.now().rotate();
    let answer = idp.sign_in(&page);
    assert_eq!(browser.come_back(&answer).await, "/");
    assert_eq!((idp.asked("metadata"), idp.asked("keys")), (1, 2));

    // Once more within seconds: a made-up key id does not make us ask each time.
    idp.now().rotate();
    for _ in 0..3 {
        let end = browser.sign_in(&idp, "").await;
        // On a machine this slow the next fetch may be due.
        if again_at.elapsed() < Duration::from_secs(5) {
            assert_eq!((end, idp.asked("keys")), (problem("sso_failed"), 2));
        }
    }
    drop(app);
}
