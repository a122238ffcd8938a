//! Values in the text of a statement.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::Text;

/// The text in a statement itself instead of bound to it. Our sessions plan without the values of parameters (`plan_cache_mode`):
/// only so does PostgreSQL use a partial index whose condition names the value.
pub fn literal(text: &'static str) -> SqlLiteral<Text> {
    sql(&format!("'{text}'"))
}
