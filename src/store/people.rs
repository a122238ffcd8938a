//! People and what is theirs: who they are, how they sign in, and what is recorded and exported about them.

pub(crate) mod access_tokens;
pub(crate) mod audit;
pub mod export;
pub mod identities;
pub(crate) mod invitations;
pub(crate) mod logins;
pub(crate) mod password_resets;
pub mod sessions;
pub mod users;
