//! Providers that are away, slow, or answer something else.

use super::{Browser, invite, problem, world};
use crate::support::{Answering, IdentityProvider, TestApp};

#[tokio::test]
async fn nobody_is_asked_before_the_first_sign_in() {
    let (app, idp) = world().await;
    assert_eq!(app.anonymous().get("/api/auth/methods").await.status, 200);
    assert_eq!(app.sam.get("/api/plans").await.status, 200);
    assert!(idp.now().asked.is_empty());
}

#[tokio::test]
async fn a_provider_that_is_away_says_so_and_passwords_still_work() {
    let app = TestApp::builder()
        .config(|config| {
            config.http.public_url = Some("http://127.0.0.1:3000".into());
            // Nobody listens on port 1.
            config.oidc.issuer = Some("http://127.0.0.1:1".into());
            config.oidc.client_id = Some("plans".into());
            config.oidc.client_secret = Some("secret".to_owned().into());
        })
        .spawn()
        .await;
    assert_eq!(Browser::new(&app.main).start("").await, problem("sso_unavailable"));
    let mut sam = app.anonymous();
    assert_eq!(sam.log_in("sam@demo.test", TestApp::PASSWORD).await.status, 200);
    assert_eq!(sam.post_nothing("/api/auth/logout").await.status, 204);
}

#[tokio::test]
async fn whatever_discovery_answers_the_browser_gets_a_sentence_and_the_next_one_another_chance() {
    let (app, idp) = world().await;
    let mut browser = Browser::new(&app.main);
    for how in [
        Answering::Status(500),
        Answering::Status(404),
        Answering::Status(302),
        Answering::NotJson,
        Answering::Huge,
    ] {
        idp.now().metadata = how;
        assert_eq!(browser.start("").await, problem("sso_unavailable"), "{how:?}");
    }
    idp.now().metadata = Answering::AsItShould;
    for how in [Answering::Status(500), Answering::NotJson, Answering::Huge] {
        idp.now().keys = how;
        assert_eq!(browser.start("").await, problem("sso_unavailable"), "keys: {how:?}");
    }
    idp.now().keys = Answering::AsItShould;
    let (right, wrong) = (idp.base().to_owned(), format!("{}/", idp.base()));
    idp.now().issuer = wrong;
    assert_eq!(
        browser.start("").await,
        problem("sso_unavailable"),
        "an issuer with a slash more"
    );
    idp.now().issuer = right;
    assert!(browser.start("").await.starts_with(idp.base()));
}

#[tokio::test]
async fn whatever_the_token_endpoint_answers_nobody_is_signed_in() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    for (how, code) in [
        (Answering::Status(500), "sso_unavailable"),
        (Answering::Status(503), "sso_unavailable"),
        (Answering::Status(400), "sso_failed"),
        (Answering::Status(302), "sso_failed"),
        (Answering::NotJson, "sso_failed"),
        (Answering::Huge, "sso_unavailable"),
    ] {
        idp.now().token = how;
        assert_eq!(browser.sign_in(&idp, "").await, problem(code), "{how:?}");
        assert_eq!(browser.me().await, None);
    }
    idp.now().token = Answering::AsItShould;
    assert_eq!(browser.sign_in(&idp, "").await, "/");
}

#[tokio::test]
async fn a_provider_that_never_answers_is_waited_for_once_by_all() {
    let (app, idp) = world().await;
    idp.now().metadata = Answering::Never;
    let asked = std::time::Instant::now();
    let starts = (0..8).map(|_| {
        let mut browser = Browser::new(&app.main);
        async move { browser.start("").await }
    });
    for end in futures_util::future::join_all(starts).await {
        assert_eq!(end, problem("sso_unavailable"));
    }
    assert!(asked.elapsed().as_secs() < 20, "{:?}", asked.elapsed());
}

#[tokio::test]
async fn a_wrong_client_secret_is_the_operators_to_see() {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder()
        .config(idp.trusted())
        .config(|config| config.oidc.client_secret = Some("wrong".to_owned().into()))
        .spawn()
        .await;
    assert_eq!(Browser::new(&app.main).sign_in(&idp, "").await, problem("sso_failed"));
}
