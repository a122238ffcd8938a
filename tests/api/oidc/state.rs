//! The cookie between start and callback, and what a browser may be sent back with.

use super::{Browser, invite, location, problem, world};
use crate::support::{IdentityProvider, TestApp};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use reqwest::Method;
use time::{Duration, OffsetDateTime};

#[tokio::test]
async fn the_cookie_is_sealed_bound_to_the_host_and_gone_after_one_answer() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let anonymous = app.anonymous();
    let over_https = anonymous
        .request(Method::GET, "/api/auth/oidc/start?next=/plans/secret-place")
        .header("x-forwarded-proto", "https");
    let reply = anonymous.fetch(over_https).await;
    let cookie = reply.header("set-cookie").expect("a cookie");
    for attribute in [
        "__Host-oidc-",
        "; HttpOnly",
        "; SameSite=Lax",
        "; Path=/",
        "; Max-Age=600",
        "; Secure",
    ] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(
        !cookie.contains("Domain") && !cookie.contains("secret-place"),
        "{cookie}"
    );
    let answer = idp.sign_in(&location(&reply));
    let request = |cookie: &str| {
        anonymous
            .request(Method::GET, &format!("/api/auth/oidc/callback?{answer}"))
            .header("x-forwarded-proto", "https")
            .header("cookie", cookie)
    };
    let cookie = cookie.split(';').next().expect("a value").to_owned();
    let plain = cookie.replacen("__Host-oidc", "oidc", 1);
    let reply = anonymous.fetch(request(&plain)).await;
    assert_eq!(
        location(&reply),
        problem("sso_no_cookie"),
        "a cookie that any host may set is not looked at"
    );
    let reply = anonymous.fetch(request(&cookie)).await;
    assert_eq!(location(&reply), "/plans/secret-place");
    let cookies: Vec<_> = reply
        .headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|cookie| cookie.to_str().ok())
        .collect();
    assert!(cookies[0].starts_with("__Host-session="), "{cookies:?}");
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("__Host-oidc-") && cookie.contains("=;") && cookie.contains("Max-Age=0")),
        "{cookies:?}"
    );
}

#[tokio::test]
async fn only_the_browser_that_began_may_come_back_and_only_once() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;

    // Another browser, that an attacker gave the answer to.
    let mut attacker = Browser::new(&app.main);
    let page = attacker.start("").await;
    let answer = idp.sign_in(&page);
    let mut victim = Browser::new(&app.main);
    assert_eq!(victim.come_back(&answer).await, problem("sso_no_cookie"), "no cookie");
    let own = victim.start("").await;
    assert_eq!(
        victim.come_back(&answer).await,
        problem("sso_no_cookie"),
        "only a cookie of another sign-in"
    );
    // Under the name that belongs to the answer.
    let sealed = victim.jar[&victim.under_way()[0]].clone();
    victim.jar.insert(attacker.under_way()[0].clone(), sealed);
    assert_eq!(victim.come_back(&answer).await, problem("sso_failed"));
    assert_eq!(victim.me().await, None);
    let own = idp.sign_in(&own);
    assert_eq!(victim.come_back(&own).await, "/", "the own sign-in goes on");

    let mut browser = Browser::new(&app.main);
    let page = browser.start("").await;
    let answer = idp.sign_in(&page);
    let name = browser.under_way()[0].clone();
    let cookie = browser.jar[&name].clone();
    assert_eq!(browser.come_back(&answer).await, "/");
    assert!(browser.under_way().is_empty());
    assert_eq!(browser.come_back(&answer).await, "/", "who has signed in goes on");
    browser.jar.insert(name.clone(), cookie);
    let asked = idp.asked("token");
    assert_eq!(browser.come_back(&answer).await, problem("sso_failed"), "used before");
    assert_eq!(idp.asked("token"), asked, "and the provider is not bothered");
    assert!(browser.me().await.is_some(), "who had signed in stays so");

    for foreign in ["AAAA", "", "%00", &"A".repeat(3000)] {
        browser.jar.insert(name.clone(), foreign.to_owned());
        assert_eq!(browser.come_back(&answer).await, problem("sso_failed"), "{foreign}");
    }
}

#[tokio::test]
async fn several_tabs_sign_in_at_once_in_any_order() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
        let mut browser = Browser::new(&app.main);
        let mut answers = Vec::new();
        for tab in 0..3 {
            let page = browser.start(&format!("?next=/plans/{tab}")).await;
            answers.push(idp.sign_in(&page));
        }
        for tab in order {
            assert_eq!(
                browser.come_back(&answers[tab]).await,
                format!("/plans/{tab}"),
                "{order:?}"
            );
            assert!(browser.me().await.is_some());
        }
        assert!(browser.under_way().is_empty());
    }
    // Forgotten tabs make room.
    let mut browser = Browser::new(&app.main);
    for _ in 0..9 {
        browser.start("").await;
    }
    assert_eq!(browser.under_way().len(), 4);
    let page = browser.start("").await;
    assert_eq!(browser.come_back(&idp.sign_in(&page)).await, "/");
}

#[tokio::test]
async fn a_visit_that_another_site_caused_signs_nobody_in() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    let page = browser.start("").await;
    for site in ["cross-site", "same-site", "nonsense"] {
        let start = app
            .anonymous()
            .request(Method::GET, "/api/auth/oidc/start?next=/plans/1");
        let reply = app.anonymous().fetch(start.header("sec-fetch-site", site)).await;
        assert_eq!(
            (location(&reply), reply.header("set-cookie")),
            ("/plans/1".to_owned(), None),
            "{site}"
        );
    }
    for site in ["same-origin", "none"] {
        let start = app.anonymous().request(Method::GET, "/api/auth/oidc/start");
        let reply = app.anonymous().fetch(start.header("sec-fetch-site", site)).await;
        assert!(location(&reply).starts_with(idp.base()), "{site}");
    }
    assert_eq!(
        browser.come_back(&idp.sign_in(&page)).await,
        "/",
        "the one under way goes on"
    );
}

#[tokio::test]
async fn nobody_fills_the_audit_log_or_hammers_the_provider_without_an_account() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| config.limits.rate_limit_failed_logins_per_address_per_15_minutes = 5)
        .spawn()
        .await;
    invite(&app, "ana@example.com", "franchisee").await;
    let rows = "SELECT count(*) FROM audit_events WHERE kind = 'login_failed'";
    let client = app.anonymous();

    // One cookie, kept by hand, and any number of answers.
    let mut browser = Browser::new(&app.main);
    let page = browser.start("").await;
    let state = idp
        .sign_in(&page)
        .split('&')
        .find(|part| part.starts_with("state="))
        .expect("a state")
        .to_owned();
    let jar = browser.jar.clone();
    for at in 0..20 {
        browser.jar = jar.clone();
        let refused = browser
            .come_back(&format!("error=access_denied&{state}&iss={}", idp.base()))
            .await;
        let code = if at == 0 {
            "sso_refused"
        } else if at < 5 {
            "sso_failed"
        } else {
            "sso_too_many"
        };
        assert_eq!(refused, problem(code), "{at}");
    }
    assert_eq!(app.database.count(rows).await, 1);
    // A cookie for each does not help either.
    for _ in 0..10 {
        let mut browser = Browser::new(&app.main);
        let page = browser.start("").await;
        let answer = idp.sign_in(&page);
        let (_, rest) = answer.split_once('&').expect("two parts");
        assert_eq!(
            browser.come_back(&format!("code=made-up&{rest}")).await,
            problem("sso_too_many")
        );
    }
    assert_eq!((app.database.count(rows).await, idp.asked("token")), (1, 0));
    assert_eq!(client.get("/api/auth/methods").await.status, 200);
}

#[tokio::test]
async fn those_who_sign_in_are_not_counted() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| config.limits.rate_limit_failed_logins_per_address_per_15_minutes = 2)
        .spawn()
        .await;
    invite(&app, "ana@example.com", "franchisee").await;
    for _ in 0..6 {
        assert_eq!(Browser::new(&app.main).sign_in(&idp, "").await, "/");
    }
}

#[tokio::test]
async fn after_ten_minutes_it_is_over() {
    let idp = IdentityProvider::start().await;
    let clock = Clock::manual(OffsetDateTime::now_utc());
    let app = TestApp::builder().clock(clock).config(idp.trusted()).spawn().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    let page = browser.start("").await;
    let answer = idp.sign_in(&page);
    app.clock().advance(Duration::seconds(601));
    assert_eq!(browser.come_back(&answer).await, problem("sso_expired"));
}

#[tokio::test]
async fn the_answer_may_come_to_another_instance() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let sibling = app.sibling().await;
    let mut browser = Browser::new(&app.main);
    let page = browser.start("").await;
    let answer = idp.sign_in(&page);
    browser.at(&sibling);
    assert_eq!(browser.come_back(&answer).await, "/");
}

#[tokio::test]
async fn only_paths_of_this_site_are_gone_on_to() {
    let (app, _idp) = world().await;
    for next in [
        "//evil.example",
        "/%5Cevil.example",
        "%5C%5Cevil.example",
        "https://evil.example",
        "/%09/evil.example",
        "evil",
        "/%0d%0aSet-Cookie:x=y",
        "javascript:alert(1)",
        "/%20",
        "",
    ] {
        let reply = app.anonymous().get(&format!("/api/auth/oidc/start?next={next}")).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()), "{next}");
        assert_eq!(reply.json()["error"]["details"][0]["field"], "next");
        assert!(reply.header("set-cookie").is_none(), "{next}");
    }
    let long = format!("/api/auth/oidc/start?next=/{}", "x".repeat(1000));
    assert_snapshot!(app.anonymous().get(&long).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"next","message":"must be a path of this site, as /plans"}
    "#);
}

#[tokio::test]
async fn an_answer_of_another_provider_is_not_taken_for_ours() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    let page = browser.start("").await;
    let answer = idp.sign_in(&page);
    let (without, _) = answer.split_once("&iss=").expect("it names itself");
    let mixed_up = format!("{without}&iss=https://evil.example");
    assert_eq!(browser.come_back(&mixed_up).await, problem("sso_failed"));
    assert_eq!(idp.asked("token"), 0, "the code was not given away");
    let page = browser.start("").await;
    let answer = idp.sign_in(&page);
    let (without, _) = answer.split_once("&iss=").expect("it names itself");
    assert_eq!(
        browser.come_back(without).await,
        problem("sso_failed"),
        "it promised to name itself"
    );
    let page = browser.start("").await;
    let answer = idp.sign_in(&page);
    let error = answer
        .split_once('&')
        .map(|(_, rest)| format!("error=access_denied&{rest}").replace("iss=", "iss=x"))
        .expect("two parts");
    assert_eq!(
        browser.come_back(&error).await,
        problem("sso_failed"),
        "refusals are checked, too"
    );

    // A provider that does not promise it need not do it, but must not name another.
    let idp = IdentityProvider::start().await;
    idp.now().names_itself = false;
    let app = TestApp::builder().config(idp.trusted()).spawn().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    let page = browser.start("").await;
    let answer = format!("{}&iss=https://evil.example", idp.sign_in(&page));
    assert_eq!(browser.come_back(&answer).await, problem("sso_failed"));
    assert_eq!(browser.sign_in(&idp, "").await, "/");
}

#[tokio::test]
async fn what_the_provider_refuses_has_a_sentence_each() {
    let (app, idp) = world().await;
    let mut browser = Browser::new(&app.main);
    for (error, code) in [
        ("error=access_denied", "sso_refused"),
        ("error=login_required&error_description=secret%20words", "sso_refused"),
        ("error=temporarily_unavailable", "sso_unavailable"),
        ("error=%00%FFinvalid_scope", "sso_failed"),
        ("nothing=1", "sso_failed"),
        ("code=", "sso_failed"),
        ("code=a&code=b", "sso_failed"),
        ("code=made-up", "sso_failed"),
    ] {
        let page = browser.start("").await;
        let answer = idp.sign_in(&page);
        let (_, rest) = answer.split_once('&').expect("two parts");
        assert_eq!(
            browser.come_back(&format!("{error}&{rest}")).await,
            problem(code),
            "{error}"
        );
        browser.start("").await;
        assert_eq!(
            browser.come_back(error).await,
            problem("sso_expired"),
            "{error} without a state"
        );
    }
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'login_failed'")
            .await,
        8,
        "what no sign-in preceded leaves nothing behind"
    );
}
