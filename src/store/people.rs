//! People and what is theirs: who they are, how they sign in, and what is recorded and exported about them.

pub mod access_tokens;
pub mod audit;
pub mod export;
pub mod identities;
pub mod invitations;
pub mod logins;
pub mod password_resets;
pub mod sessions;
pub mod users;
