use super::given;
use crate::config::HttpConfig;
use clap::Args;
use secrecy::{ExposeSecret, SecretString};

/// `OIDC_ISSUER`, `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET`, `OIDC_SCOPES`, `OIDC_LABEL`, `OIDC_ROLE_CLAIM`, `OIDC_ADMIN_VALUE`,
/// `OIDC_TRUSTED_AUDIENCES`, `OIDC_ALLOW_SIGNUP`, `OIDC_ONLY`.
#[derive(Debug, Clone, Args)]
pub struct OidcConfig {
    /// The identity provider, exactly as it calls itself; turns single sign-on on
    #[arg(id = "oidc_issuer", long = "oidc-issuer", env = "OIDC_ISSUER")]
    pub issuer: Option<String>,
    /// Our id at the provider
    #[arg(id = "oidc_client_id", long = "oidc-client-id", env = "OIDC_CLIENT_ID")]
    pub client_id: Option<String>,
    /// Our secret at the provider; all instances need the same
    #[arg(
        id = "oidc_client_secret",
        long = "oidc-client-secret",
        env = "OIDC_CLIENT_SECRET",
        hide_env_values = true
    )]
    pub client_secret: Option<SecretString>,
    /// What to ask the provider for, separated by spaces
    #[arg(
        id = "oidc_scopes",
        long = "oidc-scopes",
        env = "OIDC_SCOPES",
        default_value = "openid email profile"
    )]
    pub scopes: String,
    /// The provider's name on the sign-in page; its host when not set
    #[arg(id = "oidc_label", long = "oidc-label", env = "OIDC_LABEL")]
    pub label: Option<String>,
    /// The claim that tells platform administrators, as `groups` or `realm_access.roles`
    #[arg(id = "oidc_role_claim", long = "oidc-role-claim", env = "OIDC_ROLE_CLAIM")]
    pub role_claim: Option<String>,
    /// The value of that claim that makes a platform administrator
    #[arg(id = "oidc_admin_value", long = "oidc-admin-value", env = "OIDC_ADMIN_VALUE")]
    pub admin_value: Option<String>,
    /// Audiences that tokens may have beside us without saying that they were issued to us, separated by spaces
    #[arg(
        id = "oidc_trusted_audiences",
        long = "oidc-trusted-audiences",
        env = "OIDC_TRUSTED_AUDIENCES"
    )]
    pub trusted_audiences: Option<String>,
    /// Whether people whom nobody invited become franchisees
    #[arg(id = "oidc_allow_signup", long = "oidc-allow-signup", env = "OIDC_ALLOW_SIGNUP", default_value_t = false, action = clap::ArgAction::Set, value_parser = clap::builder::BoolishValueParser::new())]
    pub allow_signup: bool,
    /// Whether passwords are refused
    #[arg(id = "oidc_only", long = "oidc-only", env = "OIDC_ONLY", default_value_t = false, action = clap::ArgAction::Set, value_parser = clap::builder::BoolishValueParser::new())]
    pub only: bool,
}

/// What single sign-on needs, all of it set.
#[derive(Debug, Clone)]
pub struct CompleteOidc<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub client_secret: &'a str,
    pub public_url: &'a str,
}

impl OidcConfig {
    pub fn role_claim(&self) -> Option<&str> {
        given::text(self.role_claim.as_deref())
    }

    pub fn admin_value(&self) -> Option<&str> {
        given::text(self.admin_value.as_deref())
    }

    pub fn trusted_audiences(&self) -> Vec<String> {
        let listed = self.trusted_audiences.as_deref().unwrap_or_default();
        listed
            .split([' ', ','])
            .filter(|one| !one.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// The provider's name, for people.
    pub fn label(&self) -> Option<String> {
        let issuer = given::text(self.issuer.as_deref())?;
        let host = || issuer.parse::<http::Uri>().ok()?.host().map(str::to_owned);
        given::text(self.label.as_deref())
            .map(str::to_owned)
            .or_else(host)
            .or(Some(issuer.to_owned()))
    }

    /// The settings if single sign-on is on, `None` if nothing of it is set.
    ///
    /// # Errors
    /// One line for the operator if only a part is set, or something cannot be used.
    pub fn complete<'a>(&'a self, http: &'a HttpConfig) -> Result<Option<CompleteOidc<'a>>, String> {
        let secret = self.client_secret.as_ref().map(ExposeSecret::expose_secret);
        let needed = [
            ("OIDC_ISSUER", given::text(self.issuer.as_deref())),
            ("OIDC_CLIENT_ID", given::text(self.client_id.as_deref())),
            ("OIDC_CLIENT_SECRET", given::text(secret)),
            ("PUBLIC_URL", given::text(http.public_url.as_deref())),
        ];
        let others = [
            ("OIDC_ONLY", self.only),
            ("OIDC_ALLOW_SIGNUP", self.allow_signup),
            ("OIDC_ROLE_CLAIM", self.role_claim().is_some()),
            ("OIDC_ADMIN_VALUE", self.admin_value().is_some()),
            ("OIDC_TRUSTED_AUDIENCES", !self.trusted_audiences().is_empty()),
        ];
        // PUBLIC_URL has other uses.
        let of_provider = needed[..3].iter().map(|(name, value)| (*name, value.is_some()));
        let Some((first, _)) = of_provider.chain(others).find(|(_, is_set)| *is_set) else {
            return Ok(None);
        };
        let [Some(issuer), Some(client_id), Some(client_secret), Some(public_url)] = needed.map(|(_, value)| value)
        else {
            let missing: Vec<_> = needed
                .iter()
                .filter(|(_, value)| value.is_none())
                .map(|(name, _)| *name)
                .collect();
            return Err(format!(
                "{first} is set, so single sign-on also needs {}",
                missing.join(", ")
            ));
        };
        self.check_others(issuer)?;
        Ok(Some(CompleteOidc {
            issuer,
            client_id,
            client_secret,
            public_url,
        }))
    }

    fn check_others(&self, issuer: &str) -> Result<(), String> {
        let problem = if self.role_claim().is_some() != self.admin_value().is_some() {
            "OIDC_ROLE_CLAIM and OIDC_ADMIN_VALUE need each other"
        } else if !self.scopes.split_whitespace().any(|scope| scope == "openid") {
            "OIDC_SCOPES must contain openid"
        } else if !is_provider(issuer) {
            "OIDC_ISSUER must be an https URL without query and fragment (http only on this machine)"
        } else {
            return Ok(());
        };
        Err(problem.to_owned())
    }
}

fn is_provider(issuer: &str) -> bool {
    let Ok(uri) = issuer.parse::<http::Uri>() else {
        return false;
    };
    let is_plain = uri.query().is_none() && !issuer.contains(['#', '@']);
    let host = uri.host().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    let is_here = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    is_plain
        && match uri.scheme_str() {
            Some("https") => !host.is_empty(),
            Some("http") => is_here,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    fn config(settings: &[&str]) -> Config {
        let mut config = Config::for_testing("postgresql://nowhere");
        let oidc = &mut config.oidc;
        for setting in settings {
            let (name, value) = setting.split_once('=').expect("NAME=value");
            let value = value.to_owned();
            match name {
                "ISSUER" => oidc.issuer = Some(value),
                "CLIENT_ID" => oidc.client_id = Some(value),
                "CLIENT_SECRET" => oidc.client_secret = Some(value.into()),
                "SCOPES" => oidc.scopes = value,
                "ROLE_CLAIM" => oidc.role_claim = Some(value),
                "ONLY" => oidc.only = true,
                "PUBLIC_URL" => config.http.public_url = Some(value),
                other => panic!("{other}"),
            }
        }
        config
    }

    fn problem(settings: &[&str]) -> String {
        let config = config(settings);
        config.oidc.complete(&config.http).expect_err("refused")
    }

    const WHOLE: [&str; 4] = [
        "ISSUER=https://id.example.com/realms/acme",
        "CLIENT_ID=plans",
        "CLIENT_SECRET=s3cret",
        "PUBLIC_URL=https://plans.example.com",
    ];

    #[test]
    fn half_a_configuration_is_refused_with_what_is_missing() {
        let nothing = config(&["PUBLIC_URL=https://plans.example.com", "ISSUER= "]);
        assert!(nothing.oidc.complete(&nothing.http).expect("allowed").is_none());
        assert_eq!(
            problem(&WHOLE[..1]),
            "OIDC_ISSUER is set, so single sign-on also needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL"
        );
        assert_eq!(
            problem(&["ONLY=true"]),
            "OIDC_ONLY is set, so single sign-on also needs OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PUBLIC_URL"
        );
        assert!(problem(&WHOLE[..3]).ends_with("also needs PUBLIC_URL"));
        assert!(problem(&[&WHOLE[..], &["ROLE_CLAIM=groups"]].concat()).contains("OIDC_ADMIN_VALUE"));
        assert!(problem(&[&WHOLE[..], &["SCOPES=email"]].concat()).contains("openid"));
    }

    #[test]
    fn the_provider_is_asked_over_https_or_on_this_machine() {
        let with = |issuer: &str| {
            let issuer = format!("ISSUER={issuer}");
            config(&[&[issuer.as_str()], &WHOLE[1..]].concat())
        };
        for issuer in [
            "https://id.example.com",
            "https://id.example.com/",
            "http://localhost:9000",
            "http://127.0.0.1:1/x",
            "http://[::1]:1",
        ] {
            let config = with(issuer);
            let complete = config.oidc.complete(&config.http).expect(issuer).expect(issuer);
            assert_eq!(
                complete.issuer, issuer,
                "kept as it is: providers compare every character"
            );
        }
        for issuer in [
            "http://id.example.com",
            "id.example.com",
            "https://id.example.com?x=1",
            "https://id.example.com/#x",
            "https://me@id.example.com",
            "http://localhost.example.com",
            "javascript:alert(1)",
        ] {
            let config = with(issuer);
            assert!(config.oidc.complete(&config.http).is_err(), "{issuer}");
        }
        assert_eq!(config(&WHOLE).oidc.label().as_deref(), Some("id.example.com"));
    }
}
