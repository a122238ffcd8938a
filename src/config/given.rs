//! What is set. An empty variable counts as not set.

use secrecy::{ExposeSecret, SecretString};

/// A text without the blanks around it.
pub(super) fn text(value: Option<&str>) -> Option<&str> {
    value.map(str::trim).filter(|value| !value.is_empty())
}

/// A key, as it was given.
pub(super) fn key(value: Option<&SecretString>) -> Option<&SecretString> {
    value.filter(|key| !key.expose_secret().trim().is_empty())
}
