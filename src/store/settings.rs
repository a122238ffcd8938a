//! Checks the database server's settings that durability depends on.

use super::{OneRow, StoreError, StoreResult, pool};
use diesel::sql_types::{Array, Text};
use diesel_async::RunQueryDsl;

/// If one of these is off, an acknowledged commit may be lost in a crash.
const DURABLE: [&str; 3] = ["fsync", "full_page_writes", "synchronous_commit"];

/// Other encodings refuse text or store it unchecked.
const ENCODING: &str = "UTF8";

/// A problem with the server's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsound {
    /// A setting that must be `on`, and its value.
    NotDurable { name: &'static str, value: String },
    /// The encoding, if it is not UTF-8.
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

/// Checks the settings as our sessions see them.
///
/// # Errors
/// If the database is unreachable.
pub async fn unsound(url: &str) -> StoreResult<Vec<Unsound>> {
    let mut conn = pool::establish(url)
        .await
        .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    let values: Vec<String> = diesel::select(diesel::dsl::sql::<Array<Text>>(
        "ARRAY[current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'), \
         current_setting('server_encoding')]",
    ))
    .load(&mut conn)
    .await?
    .one()?;
    Ok(judge(&values))
}

/// The values of [`DURABLE`] in order, then the encoding.
fn judge(values: &[String]) -> Vec<Unsound> {
    let durable = DURABLE.iter().zip(values).filter_map(|(name, value)| {
        // `remote_apply` waits for the local disk and a replica.
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

    fn reported(values: [&str; 4]) -> Vec<String> {
        judge(&values.map(str::to_owned))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn what_could_lose_a_commit_or_a_text_is_named() {
        assert!(reported(["on", "on", "on", "UTF8"]).is_empty());
        assert!(reported(["on", "on", "remote_apply", "UTF8"]).is_empty());
        assert_eq!(
            reported(["off", "on", "local", "SQL_ASCII"]),
            [
                "fsync is off, but must be on: committed data could be lost",
                "synchronous_commit is local, but must be on: committed data could be lost",
                "server_encoding is SQL_ASCII, but must be UTF8: texts could not be stored"
            ]
        );
    }
}
