//! `check-config`: tries the configured database, model and identity provider.

use super::database::{self, LACKS_SETTINGS, LOSES_STATEMENTS};
use super::llm::open_ai;
use crate::config::{Config, DatabaseConfig, LlmProvider};
use crate::conversation::form::PromptForm;
use anyhow::{Context, Result, bail};
use llm_client::{Asker, ChatMessage, Llm, LlmError, LlmRequest, OpenAiLlm};
use pg_link::pooler::{self, Pooling, Statements};
use pg_link::settings;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio_stream::StreamExt;

mod context;
mod reviewer;

pub(super) async fn run(config: Config) -> Result<()> {
    let _telemetry = crate::telemetry::init("warn");
    let mut sound = pooler(&config.database).await? && database(&config).await?;
    sound &= model(&config).await?;
    sound &= single_sign_on(&config).await?;
    if !sound {
        bail!("the configuration needs attention");
    }
    super::print("The configuration works.\n")
}

/// What stands before PostgreSQL. An unreachable database is left to [`database()`].
async fn pooler(config: &DatabaseConfig) -> Result<bool> {
    let url = database::url(config)?;
    let Ok(pooling) = pooler::probe(url).await else {
        return Ok(true);
    };
    super::print(&format!("pooler     {pooling}\n"))?;
    let direct = database::direct_url(config);
    let wrong = match pooling {
        Pooling::Transaction(Statements::Lost) => Some(LOSES_STATEMENTS),
        Pooling::Transaction(_) if !database::has_settings(url).await? => Some(LACKS_SETTINGS),
        Pooling::Transaction(_) if direct.is_none() => {
            super::print("pooler     migrations need DATABASE_DIRECT_URL, which is not set here\n")?;
            None
        }
        _ => None,
    };
    if let Some(wrong) = wrong {
        super::print(&format!("pooler     {wrong}\n"))?;
    }
    let is_direct = match direct {
        Some(direct) => is_direct(direct).await?,
        None => true,
    };
    Ok(wrong.is_none() && is_direct)
}

/// Whether `DATABASE_DIRECT_URL` leads to PostgreSQL and past poolers in transaction mode.
async fn is_direct(url: &str) -> Result<bool> {
    let (state, is_direct) = match pooler::probe(url).await {
        Ok(Pooling::Session) => ("reached", true),
        Ok(Pooling::Transaction(_)) => ("is a pooler in transaction mode, but must be PostgreSQL itself", false),
        Err(error) => (&*format!("cannot be reached: {}", cause(&error.into())), false),
    };
    super::print(&format!("direct     {state}\n"))?;
    Ok(is_direct)
}

/// What lies at the bottom, such as what PostgreSQL itself said.
fn cause(error: &anyhow::Error) -> String {
    error.root_cause().to_string()
}

async fn database(config: &Config) -> Result<bool> {
    let url = database::url(&config.database)?;
    let found = match settings::unsound(url).await {
        Ok(found) => found,
        Err(error) => {
            let error = anyhow::Error::from(error);
            super::print(&format!("database   cannot be reached: {}\n", cause(&error)))?;
            return Ok(false);
        }
    };
    for unsound in &found {
        super::print(&format!("database   {unsound}\n"))?;
    }
    super::print("database   reached\n")?;
    Ok(found.is_empty())
}

async fn model(config: &Config) -> Result<bool> {
    if config.llm.provider == Some(LlmProvider::Offline) {
        super::print("model      the built-in advisor\n")?;
        return Ok(true);
    }
    let llm = open_ai(&config.llm)?;
    if !llm.is_configured() {
        super::print("model      not configured: set LLM_API_KEY or LLM_BASE_URL, or LLM_PROVIDER=offline\n")?;
        return Ok(false);
    }
    let answered = ask(&llm, config).await;
    let state = match &answered {
        Ok(()) => "answers".to_owned(),
        Err(error) => format!("does not answer: {error}"),
    };
    super::print(&format!("model      {} {state}\n", llm.model_name()))?;
    let prompt = match &answered {
        Ok(()) => Some(context::finding(&llm, &config.llm).await),
        Err(_) => None,
    };
    for adaptation in llm.adaptations() {
        super::print(&format!("model      {adaptation}\n"))?;
    }
    let mut sound = answered.is_ok();
    if let Some(context::Finding { line, is_fit }) = prompt {
        for (what, fact) in llm.facts() {
            super::print(&format!("{what:<10} {fact}\n"))?;
        }
        super::print(&format!("prompt     {line}\n"))?;
        sound = is_fit;
    }
    if answered.is_ok()
        && let Some((state, is_fit)) = reviewer::fitness(&llm, &config.llm).await
    {
        super::print(&format!("second look: {state}\n"))?;
        sound &= is_fit;
    } else if answered.is_ok() {
        super::print("second look: none, as LLM_REVIEW says: what is not plain waits for the franchisee\n")?;
    }
    Ok(sound)
}

/// Asks the identity provider who it is. Says nothing where single sign-on is off.
async fn single_sign_on(config: &Config) -> Result<bool> {
    let provider = match crate::app::oidc(config) {
        Ok(None) => return Ok(true),
        Ok(Some(provider)) => provider,
        Err(problem) => {
            super::print(&format!("sign-on    {problem}\n"))?;
            return Ok(false);
        }
    };
    match provider.probe().await {
        Ok(lines) => {
            for line in lines {
                super::print(&format!("sign-on    {line}\n"))?;
            }
            super::print(&format!(
                "sign-on    redirect URI to register: {}\n",
                provider.redirect_uri()
            ))?;
            Ok(true)
        }
        Err(error) => {
            super::print(&format!("sign-on    {error}\n"))?;
            Ok(false)
        }
    }
}

/// One small request with everything a turn would send, so that unsupported parameters are found now.
async fn ask(llm: &OpenAiLlm, config: &Config) -> Result<(), LlmError> {
    let request = LlmRequest {
        messages: vec![
            ChatMessage::System(Arc::from("Answer with one word.")),
            ChatMessage::User("Say ok.".into()),
        ],
        tools: crate::conversation::tools::definitions(PromptForm::Full).into(),
        temperature: Some(config.llm.temperature),
        max_output_tokens: 64,
        asker: Asker::program(),
        ..LlmRequest::default()
    };
    let mut answer = llm.stream(request).await?;
    while let Some(event) = answer.next().await {
        event?;
    }
    Ok(())
}

/// Succeeds if the server answers `/healthz`.
pub(super) async fn health(address: SocketAddr) -> Result<()> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = if address.ip().is_unspecified() {
        SocketAddr::from(([127, 0, 0, 1], address.port()))
    } else {
        address
    };
    let mut stream = tokio::net::TcpStream::connect(address)
        .await
        .context("the server does not listen")?;
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await?;
    let mut answer = [0; 12];
    stream
        .read_exact(&mut answer)
        .await
        .context("the server does not answer")?;
    if &answer != b"HTTP/1.1 200" {
        bail!("the server is not well");
    }
    Ok(())
}
