//! The server's list of models: whether it can be reached, and which model to ask where none was named.

use super::upstream::Upstream;
use std::time::Duration;
use tokio::time::timeout;

/// How long a look at the server may take.
const REACHABLE_WITHIN: Duration = Duration::from_secs(3);

/// Bytes read of a server's list of models.
const MAX_LIST_BYTES: usize = 4 * 1024 * 1024;

impl Upstream {
    async fn models(&self) -> Option<reqwest::Response> {
        timeout(REACHABLE_WITHIN, self.get_models()).await.ok()?.ok()
    }

    pub async fn is_reachable(&self) -> bool {
        // A server without that list still is a server.
        let is_well = |status| !matches!(status, 300..=399 | 401 | 403 | 500..);
        self.models()
            .await
            .is_some_and(|response| is_well(response.status().as_u16()))
    }

    /// The first model in the server's list that is not plainly for something else.
    pub async fn first_model(&self) -> Option<String> {
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
        let mut response = self.models().await?;
        if !response.status().is_success() {
            return None;
        }
        let list = timeout(REACHABLE_WITHIN, read_list(&mut response)).await.ok()??;
        let models: Models = serde_json::from_slice(&list).ok()?;
        let is_for_chat = |model: &&Model| {
            let name = model.id.to_ascii_lowercase();
            !NOT_FOR_CHAT.iter().any(|word| name.contains(word))
        };
        let first = models.data.iter().find(is_for_chat).or(models.data.first())?;
        Some(first.id.clone()).filter(|id| !id.trim().is_empty())
    }
}

/// `None`: it broke, or is larger than allowed.
async fn read_list(response: &mut reqwest::Response) -> Option<Vec<u8>> {
    let mut list = Vec::new();
    while let Some(bytes) = response.chunk().await.ok()? {
        list.extend_from_slice(&bytes);
        if list.len() > MAX_LIST_BYTES {
            return None;
        }
    }
    Some(list)
}
