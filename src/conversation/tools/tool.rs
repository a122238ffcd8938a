//! The row of a tool: all that there is to say of it.

use crate::conversation::tools::action::Intercepted;
use crate::conversation::tools::arguments::{Nothing, ToolError, schema};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::services::Services;
use futures_util::future::BoxFuture;
use serde_json::Value;

/// A result that services are asked for.
pub(super) type Asking<'a> = BoxFuture<'a, Result<Value, ToolError>>;

/// How a tool is carried out.
#[derive(Clone, Copy)]
pub(super) enum Run {
    /// Reads the turn's own copy of the plan.
    Read(fn(&mut ToolContext, &str) -> Result<Value, ToolError>),
    /// Asks the services behind us, too.
    Ask(for<'a> fn(&'a mut ToolContext, &'a dyn Services, &'a str) -> Asking<'a>),
    /// Decides on a value; the result is made when all values of the round are decided.
    Record(fn(&mut ToolContext, &str) -> Result<usize, ToolError>),
    /// Is put before the franchisee instead of being run.
    Confirm(fn(&ToolContext, &str) -> Result<Intercepted, ToolError>),
}

/// When a call is carried out among the calls of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// When the franchisee has said yes; the calls behind it are dropped.
    OnceConfirmed,
    /// Before what reads the plan.
    BeforeOthers,
    AsCalled,
}

/// One tool. With the comments of its arguments, the description is all that a model sees of it.
pub(super) struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    pub run: Run,
    pub schema: fn() -> Value,
    /// Offered also where the prompt has to be small.
    pub is_in_compact: bool,
    /// Needs the plan's stored scenarios.
    pub reads_scenarios: bool,
    /// The arguments of one right call, for a model that has made a wrong one. The franchisee's words decide, so a copied
    /// value is never written.
    pub example: &'static str,
    /// Changes something once the turn is stored, besides proposing values.
    pub acts: bool,
    /// Arguments that only this tool takes together: a call with all of one list means this tool, whatever it is called.
    pub known_by: &'static [&'static [&'static str]],
}

impl Tool {
    /// A tool without arguments that is offered in the full prompt only.
    pub(super) const fn new(name: &'static str, description: &'static str, run: Run) -> Self {
        Self {
            name,
            description,
            run,
            schema: schema::<Nothing>,
            is_in_compact: false,
            reads_scenarios: false,
            example: "{}",
            acts: matches!(run, Run::Confirm(_)),
            known_by: &[],
        }
    }

    pub(super) const fn schema(self, schema: fn() -> Value) -> Self {
        Self { schema, ..self }
    }

    pub(super) const fn in_compact(self) -> Self {
        Self {
            is_in_compact: true,
            ..self
        }
    }

    pub(super) const fn reads_scenarios(self) -> Self {
        Self {
            reads_scenarios: true,
            ..self
        }
    }

    pub(super) const fn acts(self) -> Self {
        Self { acts: true, ..self }
    }

    pub(super) const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    pub(super) const fn known_by(self, known_by: &'static [&'static [&'static str]]) -> Self {
        Self { known_by, ..self }
    }

    /// When a call of it is carried out.
    pub(super) fn order(&self) -> Order {
        match self.run {
            Run::Confirm(_) => Order::OnceConfirmed,
            Run::Record(_) => Order::BeforeOthers,
            Run::Read(_) | Run::Ask(_) => Order::AsCalled,
        }
    }
}
