//! The server's list of models: whether it can be reached, and which model to ask where none was named.

use super::{endpoint::Endpoint, upstream::Upstream};
use crate::ApiKind;
use async_openai::{Client, config::Config};
use http::HeaderMap;
use secrecy::SecretString;
use std::time::Duration;
use tokio::time::timeout;

/// How long a look at the server may take.
const REACHABLE_WITHIN: Duration = Duration::from_secs(3);

/// async-openai's configuration of a checked address: without its reading of the environment, and without its panic on a key
/// that is no header value.
struct Target {
    endpoint: Endpoint,
    api: ApiKind,
}

impl Config for Target {
    fn headers(&self) -> HeaderMap {
        self.endpoint.headers_of(self.api).clone()
    }

    fn url(&self, path: &str) -> String {
        self.endpoint.url(path).into()
    }

    /// It is in the address already.
    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        self.endpoint.base()
    }

    fn api_key(&self) -> &SecretString {
        self.endpoint.key()
    }
}

impl Upstream {
    pub(crate) async fn is_reachable(&self) -> bool {
        // A server without that list still is a server.
        let is_well = |status| !matches!(status, 300..=399 | 401 | 403 | 500..);
        match timeout(REACHABLE_WITHIN, self.get_models()).await {
            Ok(Ok(response)) => is_well(response.status().as_u16()),
            _ => false,
        }
    }

    /// The first model in the server's list that is not plainly for something else; none where the list holds `ours`.
    pub(crate) async fn first_model_instead_of(&self, ours: &str) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Models {
            data: Vec<Model>,
        }
        #[derive(serde::Deserialize)]
        struct Model {
            id: String,
        }
        const NOT_FOR_CHAT: [&str; 9] = [
            "embed",
            "rerank",
            "whisper",
            "tts",
            "dall-e",
            "image",
            "moderation",
            "transcribe",
            "audio",
        ];
        let target = Target {
            endpoint: self.endpoint.clone(),
            api: self.api,
        };
        let client = Client::build(self.http.clone(), target);
        let listed = timeout(REACHABLE_WITHIN, client.models().list_byot()).await;
        let models: Models = listed.ok()?.ok()?;
        let is_for_chat = |model: &&Model| {
            let name = model.id.to_ascii_lowercase();
            !NOT_FOR_CHAT.iter().any(|word| name.contains(word))
        };
        if models.data.iter().any(|model| model.id == ours) {
            return None;
        }
        let first = models.data.iter().find(is_for_chat).or(models.data.first())?;
        Some(first.id.clone()).filter(|id| !id.trim().is_empty())
    }
}
