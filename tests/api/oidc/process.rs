//! The real binary: what it refuses at its start, and what is never in its log.

use super::{Browser, FORM, invite, problem};
use crate::process::binary;
use crate::support::identity_provider::{CLIENT_ID, CLIENT_SECRET, PUBLIC_URL};
use crate::support::{Client, IdentityProvider, Signature, TestApp, eventually, soon};
use plan_advisor::config::Config;
use serde_json::json;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, BufReader};

#[tokio::test]
async fn half_a_configuration_is_refused_in_one_line() {
    let app = TestApp::spawn().await;
    for (variables, names) in [
        (
            vec![("OIDC_ISSUER", "https://id.example.com")],
            "OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL",
        ),
        (vec![("OIDC_ONLY", "true")], "OIDC_ISSUER"),
        (
            vec![
                ("OIDC_ISSUER", "http://id.example.com"),
                ("OIDC_CLIENT_ID", "a"),
                ("OIDC_CLIENT_SECRET", "b"),
                ("PUBLIC_URL", "https://p.example"),
            ],
            "https",
        ),
    ] {
        for command in ["serve", "check-config"] {
            let mut process = binary(&app.database.served_url());
            process
                .arg(command)
                .envs(variables.clone())
                .env("LLM_PROVIDER", "offline");
            let ended = process
                .stdout(std::process::Stdio::piped())
                .output()
                .await
                .expect("the binary starts");
            assert!(!ended.status.success(), "{command} {variables:?}");
            let said = format!(
                "{}{}",
                String::from_utf8_lossy(&ended.stdout),
                String::from_utf8_lossy(&ended.stderr)
            );
            let lines: Vec<_> = said.lines().filter(|line| line.contains("OIDC_")).collect();
            assert!(lines.len() == 1 && lines[0].contains(names), "{command}: {said}");
        }
    }
}

#[tokio::test]
async fn check_config_says_what_discovery_found() {
    let app = TestApp::spawn().await;
    let idp = IdentityProvider::start().await;
    for (issuer, works, expected) in [
        (
            idp.base().to_owned(),
            true,
            "sign-on    redirect URI to register: http://127.0.0.1:3000/api/auth/oidc/callback",
        ),
        (
            format!("{}/", idp.base()),
            false,
            "OIDC_ISSUER must be exactly what the provider calls itself",
        ),
        (
            "http://127.0.0.1:1".to_owned(),
            false,
            "sign-on    the provider's discovery document: it cannot be reached",
        ),
    ] {
        let mut process = binary(&app.database.served_url());
        process
            .arg("check-config")
            .env("LLM_PROVIDER", "offline")
            .env("OIDC_ISSUER", issuer);
        process.envs([
            ("OIDC_CLIENT_ID", CLIENT_ID),
            ("OIDC_CLIENT_SECRET", CLIENT_SECRET),
            ("PUBLIC_URL", PUBLIC_URL),
        ]);
        let ended = process
            .stdout(std::process::Stdio::piped())
            .output()
            .await
            .expect("the binary starts");
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(works || !ended.status.success(), "{said}");
        assert!(said.contains(expected) && !said.contains(CLIENT_SECRET), "{said}");
    }
}

/// What `check-config` says of a provider.
async fn checked(app: &TestApp, issuer: &str, variables: &[(&str, &str)]) -> String {
    let mut process = binary(&app.database.served_url());
    process
        .arg("check-config")
        .env("LLM_PROVIDER", "offline")
        .env("OIDC_ISSUER", issuer);
    process.envs([
        ("OIDC_CLIENT_ID", CLIENT_ID),
        ("OIDC_CLIENT_SECRET", CLIENT_SECRET),
        ("PUBLIC_URL", PUBLIC_URL),
    ]);
    let process = process
        .envs(variables.iter().copied())
        .stdout(std::process::Stdio::piped());
    let ended = process.output().await.expect("the binary starts");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

/// Answers every TLS connection with 404. Its certificate, for `localhost`, is signed by `tests/fixtures/certificates/ca.pem`.
fn tls_server() -> u16 {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let certificate = CertificateDer::from_pem_slice(include_bytes!("../../fixtures/certificates/localhost.pem"));
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("../../fixtures/certificates/localhost-key.pem"));
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.expect("a certificate")], key.expect("a key"))
        .expect("they fit");
    let config = Arc::new(config);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    std::thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let mut tls = rustls::ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream = rustls::Stream::new(&mut tls, &mut socket);
            let mut request = [0; 4096];
            if std::io::Read::read(&mut stream, &mut request).is_ok() {
                let answer = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = std::io::Write::write_all(&mut stream, answer);
            }
        }
    });
    port
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_named_and_a_private_ca_can_be_added() {
    let app = TestApp::spawn().await;
    let port = tls_server();
    let untrusted = checked(&app, &format!("https://localhost:{port}"), &[]).await;
    assert!(
        untrusted.contains("the provider's discovery document: its certificate is not trusted: no known CA"),
        "{untrusted}"
    );
    let ca = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/certificates/ca.pem");
    let trusted = checked(&app, &format!("https://localhost:{port}"), &[("SSL_CERT_FILE", ca)]).await;
    assert!(
        trusted.contains("the provider's discovery document: it answers 404"),
        "{trusted}"
    );
    let other_host = checked(&app, &format!("https://127.0.0.1:{port}"), &[("SSL_CERT_FILE", ca)]).await;
    assert!(
        other_host.contains("its certificate is not trusted: it is for another host"),
        "{other_host}"
    );
}

/// A proxy that hears the first line and hangs up: its address, and the line.
async fn proxy() -> (String, tokio::task::JoinHandle<String>) {
    let proxy = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", proxy.local_addr().expect("bound"));
    let asked = tokio::spawn(async move {
        let (mut socket, _) = proxy.accept().await.expect("a connection");
        let mut line = String::new();
        BufReader::new(&mut socket).read_line(&mut line).await.expect("a line");
        line.trim().to_owned()
    });
    (address, asked)
}

#[tokio::test]
async fn the_model_is_asked_through_the_proxy_of_the_environment() {
    let app = TestApp::spawn().await;
    let idp = IdentityProvider::start().await;
    let asked = async |base: &str, address: &str, exempt: &str| {
        let model = [
            ("LLM_PROVIDER", "openai-compatible"),
            ("LLM_BASE_URL", base),
            ("LLM_API_KEY", "sk-secret"),
        ];
        let proxies = [("HTTPS_PROXY", address), ("HTTP_PROXY", address), ("NO_PROXY", exempt)];
        checked(&app, idp.base(), &[&model[..], &proxies[..]].concat()).await
    };
    let (address, line) = proxy().await;
    asked("https://model.proxied.test/v1", &address, "").await;
    assert_eq!(
        soon("the proxy is asked", line).await.expect("no panic"),
        "CONNECT model.proxied.test:443 HTTP/1.1"
    );
    // By plain http the key stays on this machine, and there is no way to it by a proxy.
    let (address, line) = proxy().await;
    let (model, heard) = proxy().await;
    asked(&format!("{model}/v1"), &address, "").await;
    let heard = soon("the model is asked", heard).await.expect("no panic");
    assert!(heard.contains(" /v1/"), "{heard}");
    asked(&format!("https://localhost:{}/v1", tls_server()), &address, "").await;
    asked("https://model.proxied.test/v1", &address, "proxied.test").await;
    assert!(!line.is_finished(), "the proxy was asked");
}

#[tokio::test]
async fn the_provider_is_asked_through_the_proxy_of_the_environment() {
    let app = TestApp::spawn().await;
    let (address, asked) = proxy().await;
    let said = checked(&app, "https://id.proxied.test", &[("HTTPS_PROXY", &address)]).await;
    assert!(
        said.contains("the provider's discovery document: it cannot be reached"),
        "{said}"
    );
    assert_eq!(
        soon("the proxy is asked", asked).await.expect("no panic"),
        "CONNECT id.proxied.test:443 HTTP/1.1"
    );

    // Nobody listens there any more: what goes another way does not notice.
    let port = tls_server();
    for exempt in ["", "*"] {
        let variables = [("HTTPS_PROXY", address.as_str()), ("NO_PROXY", exempt)];
        let said = checked(&app, &format!("https://localhost:{port}"), &variables).await;
        assert!(said.contains("its certificate is not trusted"), "{exempt}: {said}");
    }
    let idp = IdentityProvider::start().await;
    let said = checked(&app, idp.base(), &[("HTTPS_PROXY", &address), ("HTTP_PROXY", &address)]).await;
    assert!(
        said.contains("answers; 1 keys"),
        "on this machine no proxy is asked: {said}"
    );
}

#[tokio::test]
async fn the_command_line_says_that_passwords_are_refused() {
    let app = TestApp::spawn().await;
    let ran = async |arguments: &[&str]| {
        let mut process = binary(&app.database.served_url());
        process
            .args(arguments)
            .env("OIDC_ONLY", "true")
            .stdout(std::process::Stdio::piped());
        let ended = process.output().await.expect("the binary starts");
        (
            ended.status.success(),
            String::from_utf8_lossy(&ended.stderr).into_owned(),
        )
    };
    let (done, said) = ran(&["user", "invite", "--email", "ann@example.com", "--role", "franchisee"]).await;
    assert!(
        done && said.contains("OIDC_ONLY is set: passwords are refused here"),
        "{said}"
    );
    let (done, said) = ran(&["user", "reset-link", "sam@demo.test"]).await;
    assert!(!done && said.contains("a link to a new one opens nothing"), "{said}");
}

#[tokio::test]
async fn no_secret_of_a_sign_in_is_ever_logged() {
    let app = TestApp::spawn().await;
    let idp = IdentityProvider::start().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut process = binary(&app.database.served_url());
    process
        .args(["serve"])
        .env("RUST_LOG", "trace")
        .env("OIDC_ISSUER", idp.base());
    process.envs([
        ("OIDC_CLIENT_ID", CLIENT_ID),
        ("OIDC_CLIENT_SECRET", CLIENT_SECRET),
        ("PUBLIC_URL", PUBLIC_URL),
    ]);
    let mut child = process.spawn().expect("the binary starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let log = Arc::new(Mutex::new(String::new()));
    let address = loop {
        let line = soon("the server listens", lines.next_line())
            .await
            .expect("text")
            .expect("a line");
        if let Some((_, rest)) = line.split_once("Listening on http://") {
            break rest
                .trim_end_matches(|c: char| !c.is_ascii_digit())
                .split(['"', '\u{1b}'])
                .next()
                .expect("an address")
                .to_owned();
        }
    };
    let reader = tokio::spawn({
        let log = Arc::clone(&log);
        async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let mut log = log.lock().expect("no panic");
                log.push_str(&line);
                log.push('\n');
            }
        }
    });
    let mut secrets = vec![CLIENT_SECRET.to_owned(), "access-token-7d2e".to_owned()];
    let mut browser = Browser::of(Client::to(&format!("http://{address}")));
    for signature in [Signature::Secret, Signature::Key] {
        idp.now().signature = signature;
        let page = browser.start("").await;
        let name = browser.under_way()[0].clone();
        secrets.push(browser.jar[&name].clone());
        let answer = idp.sign_in(&page);
        let end = browser.come_back(&answer).await;
        assert_eq!(end == "/", signature == Signature::Key, "{end}");
    }
    // The provider's words quote the code.
    let page = browser.start("").await;
    let answer = idp.sign_in(&page);
    let (_, rest) = answer.split_once('&').expect("two parts");
    let made_up = format!("code=made-up-code-4711&{rest}");
    assert_eq!(browser.come_back(&made_up).await, problem("sso_failed"));
    secrets.push("made-up-code-4711".to_owned());
    secrets.push(browser.jar["session"].clone());
    let token = idp.logout_token(&json!({"sub": "ana-1", "nonce": "x"}));
    let client = browser.client.clone();
    let form = client.request(reqwest::Method::POST, "/api/auth/oidc/backchannel-logout");
    assert_eq!(
        client
            .fetch(form.header("content-type", FORM).body(format!("logout_token={token}")))
            .await
            .status,
        400
    );
    secrets.push(token);
    secrets.extend(idp.now().given.clone());

    // The log is written by a thread of its own.
    eventually("the last line is written", async || {
        log.lock().expect("no panic").contains("A logout token was refused")
    })
    .await;
    child.kill().await.expect("it ran");
    soon("the log's end", reader).await.expect("no panic");
    let log = log.lock().expect("no panic").clone();
    for line in [
        "Single sign-on: sso_failed: the ID token is signed in a way that is not accepted",
        "Single sign-on: sso_failed: the provider refused the code (invalid_grant)",
        "A logout token was refused: the logout token is a token of another kind",
    ] {
        assert!(log.contains(line), "{line}");
    }
    for secret in secrets {
        assert!(secret.len() > 10 && !log.contains(&secret), "{secret} is in the log");
    }
}

#[test]
fn debug_output_of_the_configuration_hides_the_secret() {
    let mut config = Config::for_testing("postgresql://nowhere");
    config.oidc.client_secret = Some(CLIENT_SECRET.to_owned().into());
    assert!(!format!("{config:?}").contains(CLIENT_SECRET));
}
