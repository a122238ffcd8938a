//! Failpoints: places where a test can inject an error, a panic or an abort.
//!
//! Without the feature `failpoints` they compile to nothing. With it, `FAILPOINTS=commit.ended=1*return(error)` fails the
//! first turn that reaches it; other actions are `fatal` (an error that is not retryable), `abort` and `panic`.

/// Every failpoint in the order of a turn, and whether it can return an error. A test compares this with the code.
pub const ALL: [(&str, bool); 24] = [
    ("claim.before", true),
    ("claim.inserted", true),
    ("claim.after", false),
    ("turn.context", true),
    ("model.before_call", true),
    ("model.first_token", true),
    ("tool.before", false),
    ("tool.after", false),
    ("commit.before_begin", true),
    ("commit.locked", true),
    ("commit.asked", true),
    ("commit.ended", true),
    ("commit.appended", true),
    ("commit.supersede", true),
    ("commit.audited", true),
    ("commit.extracted", true),
    ("commit.before_commit", true),
    ("commit.after_commit", true),
    ("turn.before_done", false),
    ("stop.before", true),
    ("end.before", true),
    ("end.ended", true),
    ("housekeeping", true),
    ("leases", true),
];

/// A failpoint: `failpoint!("name")` returns an error through `?`, `failpoint!("name", error)` returns that error,
/// `failpoint!(in "name")` is for places that cannot return an error.
#[cfg(feature = "failpoints")]
macro_rules! failpoint {
    (in $name:literal) => {
        let _ = $crate::failpoint::hit($name);
    };
    ($name:literal) => {
        $crate::failpoint::hit($name)?
    };
    ($name:literal, $error:expr) => {
        $crate::failpoint::hit($name).map_err(|_| $error)?
    };
}

#[cfg(not(feature = "failpoints"))]
macro_rules! failpoint {
    (in $name:literal) => {};
    ($name:literal) => {};
    ($name:literal, $error:expr) => {};
}

/// Reads `FAILPOINTS`; in effect until the guard is dropped.
#[cfg(feature = "failpoints")]
pub fn setup() -> fail::FailScenario<'static> {
    fail::FailScenario::setup()
}

/// Runs the configured action.
///
/// # Errors
/// The injected one.
#[cfg(feature = "failpoints")]
pub fn hit(name: &str) -> std::io::Result<()> {
    use std::io::{Error, ErrorKind};
    let Some(action) = fail::eval(name, Option::unwrap_or_default) else {
        return Ok(());
    };
    eprintln!("failpoint {name}: {action}");
    match action.as_str() {
        "abort" => std::process::abort(),
        "fatal" => Err(Error::new(ErrorKind::InvalidData, format!("failpoint {name}"))),
        _ => Err(Error::new(ErrorKind::ConnectionReset, format!("failpoint {name}"))),
    }
}
