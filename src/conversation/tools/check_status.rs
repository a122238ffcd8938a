//! Whether the services behind the advisor answer.

use crate::conversation::tools::arguments::{Nothing, parse};
use crate::conversation::tools::context::ToolContext;
use crate::conversation::tools::services::Services;
use crate::conversation::tools::tool::{Asking, Run, Tool};
use futures_util::FutureExt;
use serde_json::json;

pub(super) static TOOL: Tool = Tool::new("check_status", "Check the services behind you.", Run::Ask(run));

fn run<'a>(_: &'a mut ToolContext, services: &'a dyn Services, arguments: &'a str) -> Asking<'a> {
    async move {
        let Nothing {} = parse(arguments)?;
        let database = if services.is_database_up().await { "ok" } else { "down" };
        Ok(json!({"database": database, "model": "ok", "modelName": &*services.model_name()}))
    }
    .boxed()
}
