//! Identifiers. UUID version 7 for rows (index-friendly); they are names, never secrets.

use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A fresh, time-ordered id.
            pub fn fresh() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(/// A person who can log in.
    UserId);
id!(/// A franchise brand.
    BrandId);
id!(/// One immutable version of a brand's document; plans keep the version they were made with.
    BrandVersionId);
id!(/// A franchisee's plan.
    PlanId);
id!(/// One turn of a conversation, which is also one stored prompt.
    TurnId);
id!(/// A value the advisor heard.
    ExtractionId);
id!(/// One line of the audit trail.
    ChangeId);
id!(/// Changes that one edit made and that can be undone together; the turn's id where a turn made them.
    ChangeGroupId);
id!(/// A destructive action that waits for a yes.
    PendingActionId);
id!(/// A stored scenario of a plan.
    ScenarioId);
id!(/// A document that was made of a plan.
    DocumentId);
id!(/// A link that opens a document without an account.
    DocumentLinkId);
id!(/// A stored message.
    MessageId);
id!(/// A personal access token.
    TokenId);
