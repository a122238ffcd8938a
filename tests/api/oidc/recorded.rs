//! Token answers as providers give them, made up from their documentation: what else they say, and in which form, does not
//! matter.

use super::{Browser, invite, problem, world};
use crate::support::{IdentityProvider, TestApp};
use serde_json::{Value, json};

/// One provider's answer.
struct Recorded {
    provider: &'static str,
    role_claim: &'static str,
    /// Laid over the claims of the ID token; issuer, nonce and times are the test's.
    claims: Value,
    /// Laid over the answer of the token endpoint.
    answer: Value,
    /// Whether the provider vouches for addresses; otherwise the person links the identity.
    verifies: bool,
}

fn lay_over(base: &mut Value, more: &Value) {
    let (base, more) = (
        base.as_object_mut().expect("an object"),
        more.as_object().expect("an object"),
    );
    for (name, value) in more {
        base.insert(name.clone(), value.clone());
    }
}

fn recorded() -> Vec<Recorded> {
    vec![
        Recorded {
            provider: "Auth0",
            role_claim: "https://plans.example.com/roles",
            claims: json!({"nickname": "ana", "name": "Ana Lopez", "picture": "https://s.gravatar.com/avatar/0?s=480",
                "updated_at": "2025-12-23T10:59:07.841Z", "email": "ana@example.com", "email_verified": true,
                "sub": "auth0|65a1b2c3d4e5f60718293a4b", "sid": "x4pYbG2fPqCz0aX_lVh7Qe1mJ9Rk3sTu",
                "https://plans.example.com/roles": ["plan-admins"]}),
            answer: json!({"scope": "openid profile email", "expires_in": 86400, "token_type": "Bearer"}),
            verifies: true,
        },
        Recorded {
            provider: "Zitadel",
            role_claim: "urn:zitadel:iam:org:project:roles",
            claims: json!({"aud": ["plans", "298374652839475612"], "azp": "plans", "client_id": "plans", "amr": ["pwd", "mfa"],
                "at_hash": "Zq1bWmJ8l8a7w5m3cB0G9A", "auth_time": 1_764_079_200, "sub": "298374652839475613", "name": "Ana Lopez",
                "preferred_username": "ana@acme.zitadel.cloud", "locale": null, "updated_at": 1_764_079_100,
                "email": "ana@example.com", "email_verified": true,
                "urn:zitadel:iam:org:project:roles": {"plan-admins": {"298374652839475610": "acme.zitadel.cloud"}}}),
            answer: json!({"expires_in": 43199}),
            verifies: true,
        },
        Recorded {
            provider: "Entra",
            role_claim: "roles",
            claims: json!({"aio": "AWQAm/8ZAAAA", "name": "Ana Lopez", "oid": "7c1f0a1e-8d5b-4b0e-9a53-5f1a2f7f0f11",
                "preferred_username": "ana@example.com", "email": "ana@example.com", "rh": "1.AXEA.", "sub": "AAAAAAAAAAAAAAAA",
                "tid": "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9", "uti": "x", "ver": "2.0", "roles": ["plan-admins"], "groups": null}),
            answer: json!({"expires_in": "3599", "ext_expires_in": "3599", "scope": "email openid profile"}),
            verifies: false,
        },
        Recorded {
            provider: "Keycloak",
            role_claim: "realm_access.roles",
            claims: json!({"acr": "1", "auth_time": 1_764_079_200, "typ": "ID", "azp": "plans", "session_state": "6b0e",
                "sid": "6b0e7f0a-3c1d-4b6e-8f5a-9d2c1b0a7e6f", "at_hash": "x", "address": {}, "email_verified": true,
                "name": "Ana Lopez", "preferred_username": "ana", "given_name": "Ana", "email": "ana@example.com",
                "sub": "f:3b:ana", "realm_access": {"roles": ["offline_access", "plan-admins"]}}),
            answer: json!({"refresh_expires_in": 1800, "refresh_token": "r", "not-before-policy": 0, "session_state": "6b0e",
                "scope": "openid email profile", "expires_in": 300}),
            verifies: true,
        },
        Recorded {
            provider: "Authentik",
            role_claim: "groups",
            claims: json!({"acr": "goauthentik.io/providers/oauth2/default", "amr": ["pwd"], "auth_time": 1_764_079_200,
                "c_hash": "x", "uid": "u", "email": "ana@example.com", "email_verified": true, "name": "Ana Lopez",
                "given_name": "Ana Lopez", "nickname": "ana", "preferred_username": "ana", "groups": ["users", "plan-admins"],
                "sub": "d0e5a1f0c4b3929187766554433221100ffeeddccbbaa99887766554433221100"}),
            answer: json!({"expires_in": 300, "scope": "openid email profile", "id_token_signed_response_alg": "ES256"}),
            verifies: true,
        },
        Recorded {
            provider: "Google",
            role_claim: "hd",
            claims: json!({"azp": "plans", "sub": "110169484474386276334", "hd": "plan-admins", "email": "ana@example.com",
                "email_verified": true, "at_hash": "x", "name": "Ana Lopez", "picture": "https://lh3.googleusercontent.com/a/x",
                "given_name": "Ana", "family_name": "Lopez", "locale": "en"}),
            answer: json!({"expires_in": 3599, "scope": "openid https://www.googleapis.com/auth/userinfo.email"}),
            verifies: true,
        },
    ]
}

#[tokio::test]
async fn people_and_administrators_come_in_from_the_usual_providers() {
    for Recorded {
        provider,
        role_claim,
        claims,
        answer,
        verifies,
    } in recorded()
    {
        let idp = IdentityProvider::start().await;
        let app = TestApp::builder()
            .config(idp.trusted())
            .config(move |config| {
                config.oidc.role_claim = Some(role_claim.into());
                config.oidc.admin_value = Some("plan-admins".into());
            })
            .spawn()
            .await;
        invite(&app, "ana@example.com", "franchisee").await;
        idp.now().person = json!({"sub": "replaced"});
        idp.now().twist(move |base| lay_over(base, &claims));
        idp.now().twist_answer(move |base| lay_over(base, &answer));
        let mut browser = Browser::new(&app.main);
        if !verifies {
            assert_eq!(
                browser.sign_in(&idp, "").await,
                problem("sso_email_unverified"),
                "{provider}"
            );
            let mut riley = Browser::of(app.riley.clone());
            assert_eq!(
                riley.link(&idp, Some(TestApp::PASSWORD)).await,
                "/account",
                "{provider}"
            );
        }
        assert_eq!(browser.sign_in(&idp, "").await, "/", "{provider}");
        assert_eq!(
            browser.me().await.expect("signed in")["role"],
            "platform_admin",
            "{provider}"
        );
    }
}

#[tokio::test]
async fn what_we_do_not_use_may_have_any_form() {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    for odd in [
        json!({"updated_at": "1735000000"}),
        json!({"updated_at": {"seconds": 1}}),
        json!({"address": "1 Main St", "auth_time": "yesterday", "locale": ["en"], "zoneinfo": 7}),
        json!({"email_verified": "True", "phone_number": 7, "birthdate": null, "picture": "not a URL", "acr": 1, "amr": "pwd"}),
        json!({"name": {"given": "Ana"}, "preferred_username": 7, "at_hash": 7, "c_hash": [], "website": {}}),
    ] {
        let laid = odd.clone();
        idp.now().twist(move |base| lay_over(base, &laid));
        assert_eq!(browser.sign_in(&idp, "").await, "/", "{odd}");
    }
    idp.now().twist(|_| ());
    for odd in [
        json!({"expires_in": "300"}),
        json!({"expires_in": 300.5, "scope": ["openid", "email"]}),
        json!({"token_type": null, "refresh_token": 7}),
        json!({"token_type": "bearer", "expires_in": null, "access_token": 7}),
    ] {
        let laid = odd.clone();
        idp.now().twist_answer(move |base| lay_over(base, &laid));
        assert_eq!(browser.sign_in(&idp, "").await, "/", "{odd}");
    }
    // What we use is looked at.
    idp.now().twist_answer(|base| base["id_token"] = json!(["a list"]));
    assert_eq!(browser.sign_in(&idp, "").await, problem("sso_failed"));
}

#[tokio::test]
async fn other_audiences_may_stand_beside_us_where_the_token_is_ours_or_the_operator_trusts_them() {
    let idp = IdentityProvider::start().await;
    let trusting = TestApp::builder()
        .config(idp.trusted())
        .config(|config| config.oidc.trusted_audiences = Some("https://api.example.com project-7".into()))
        .spawn()
        .await;
    let plain = TestApp::builder().config(idp.trusted()).spawn().await;
    for app in [&trusting, &plain] {
        invite(app, "ana@example.com", "franchisee").await;
    }
    for (claims, in_plain, in_trusting) in [
        (json!({"aud": ["project-7", "plans"], "azp": "plans"}), true, true),
        (json!({"aud": ["project-7", "plans"]}), false, true),
        (json!({"aud": ["project-7", "plans", "another"]}), false, false),
        (json!({"aud": ["project-7", "plans"], "azp": "project-7"}), false, false),
        (json!({"aud": ["project-7"], "azp": "plans"}), false, false),
        (json!({"aud": "project-7", "azp": "plans"}), false, false),
        (json!({"aud": ["plans", 7]}), false, false),
    ] {
        let laid = claims.clone();
        idp.now().twist(move |base| lay_over(base, &laid));
        for (app, comes_in) in [(&plain, in_plain), (&trusting, in_trusting)] {
            let expected = if comes_in {
                "/".to_owned()
            } else {
                problem("sso_failed")
            };
            assert_eq!(Browser::new(&app.main).sign_in(&idp, "").await, expected, "{claims}");
        }
    }
}
