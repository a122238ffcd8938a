//! Settings of the database server on which our promises rest.

use super::{StoreError, StoreResult, pool};
use diesel::sql_types::{Array, Text};
use diesel_async::RunQueryDsl;

/// Without these an acknowledged commit may be lost when a machine stops.
const DURABLE: [&str; 3] = ["fsync", "full_page_writes", "synchronous_commit"];

/// Without it texts are refused, or stored as bytes that nobody checked.
const ENCODING: &str = "UTF8";

/// What is wrong with a database server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsound {
    /// A setting that must be on, and what it is.
    NotDurable { name: &'static str, value: String },
    /// The encoding, where it cannot hold what people say.
    Encoding(String),
}

impl std::fmt::Display for Unsound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotDurable { name, value } => {
                write!(f, "{name} is {value}, but must be on: committed data could be lost")
            }
            Self::Encoding(value) => write!(
                f,
                "server_encoding is {value}, but must be {ENCODING}: texts could not be stored"
            ),
        }
    }
}

/// Looks at the settings as our own sessions have them.
///
/// # Errors
/// Where the database is not reachable.
pub async fn unsound(url: &str) -> StoreResult<Vec<Unsound>> {
    let mut conn = pool::establish(url)
        .await
        .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    let values: Vec<String> = diesel::select(diesel::dsl::sql::<Array<Text>>(
        "ARRAY[current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'), \
         current_setting('server_encoding')]",
    ))
    .get_result(&mut conn)
    .await?;
    Ok(judge(&values))
}

/// Values of [`DURABLE`] in their order, then the encoding.
fn judge(values: &[String]) -> Vec<Unsound> {
    let durable = DURABLE.iter().zip(values).filter_map(|(name, value)| {
        // A commit that waits for a replica as well is as durable.
        let is_enough = value == "on" || *name == "synchronous_commit" && value == "remote_apply";
        (!is_enough).then(|| Unsound::NotDurable {
            name,
            value: value.clone(),
        })
    });
    let encoding = values.get(DURABLE.len()).filter(|value| *value != ENCODING);
    durable.chain(encoding.cloned().map(Unsound::Encoding)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(values: [&str; 4]) -> Vec<String> {
        judge(&values.map(str::to_owned))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn what_could_lose_a_commit_or_a_text_is_named() {
        assert!(told(["on", "on", "on", "UTF8"]).is_empty());
        assert!(told(["on", "on", "remote_apply", "UTF8"]).is_empty());
        assert_eq!(
            told(["off", "on", "local", "SQL_ASCII"]),
            [
                "fsync is off, but must be on: committed data could be lost",
                "synchronous_commit is local, but must be on: committed data could be lost",
                "server_encoding is SQL_ASCII, but must be UTF8: texts could not be stored"
            ]
        );
    }
}
