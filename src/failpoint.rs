//! Places where a test may break a turn: an error, a panic, the death of the process.
//!
//! Without the feature `failpoints` a place is no code at all. With it, `FAILPOINTS=commit.ended=1*return(error)` breaks the
//! first turn that comes by; other actions are `fatal` (an error nobody may try again), `abort`, `panic`.

/// Every place, in the order a turn passes them, and whether an error can be made there. A test holds this against the code.
pub const ALL: [(&str, bool); 23] = [
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
    ("commit.overtaken", true),
    ("commit.extracted", true),
    ("commit.audited", true),
    ("commit.before_commit", true),
    ("commit.after_commit", true),
    ("turn.before_done", false),
    ("stop.before", true),
    ("end.before", true),
    ("end.ended", true),
    ("housekeeping", true),
];

/// Breaks here where a test wants it: `failpoint!("name")` returns an error through `?`, `failpoint!("name", error)` that
/// error, `failpoint!(in "name")` stands where no error can be.
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

/// Reads `FAILPOINTS`; what it says holds as long as the guard lives.
#[cfg(feature = "failpoints")]
#[must_use]
pub fn setup() -> fail::FailScenario<'static> {
    fail::FailScenario::setup()
}

/// What a test wants to happen here.
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
