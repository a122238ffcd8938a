//! Custom SQL that is prepared once per connection.
//!
//! `diesel::sql_query` is parsed and planned on every call, with an extra round trip, because diesel does not cache
//! dynamic SQL. Here the text is constant and only the values change.

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::serialize::ToSql;
use diesel::sql_types::{HasSqlType, Untyped};
use std::marker::PhantomData;

/// A statement without values yet.
#[derive(Debug, Clone, Copy)]
pub struct Statement(Text);

/// A statement and the value of its next placeholder.
#[derive(Debug, Clone, Copy)]
pub struct Bind<Q, ST, U> {
    before: Q,
    value: U,
    text: Text,
    sql_type: PhantomData<ST>,
}

/// Text up to the next placeholder, and the text behind that.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    piece: &'static str,
    rest: &'static str,
}

impl Text {
    fn split(sql: &'static str) -> Self {
        // `$` also begins a variable of a JSON path; those have names.
        let is_placeholder = |pair: &[u8]| pair[0] == b'$' && pair[1].is_ascii_digit();
        let found = sql.as_bytes().windows(2).position(is_placeholder);
        let Some(at) = found else {
            return Self { piece: sql, rest: "" };
        };
        Self {
            piece: &sql[..at],
            rest: sql[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit()),
        }
    }
}

/// Starts a statement: `prepared("SELECT … WHERE id = $1").bind::<Uuid, _>(id)`. Rows are read by name.
///
/// The text has each placeholder once, in ascending order, because diesel numbers them as they come; a value that is needed
/// twice is taken from a subquery.
pub fn prepared(sql: &'static str) -> Statement {
    Statement(Text::split(sql))
}

/// Builder methods.
pub trait Continue: Sized {
    /// The text behind the values so far.
    fn text(&self) -> Text;

    /// Gives the next placeholder its value.
    fn bind<ST, U>(self, value: U) -> Bind<Self, ST, U> {
        Bind {
            text: Text::split(self.text().rest),
            before: self,
            value,
            sql_type: PhantomData,
        }
    }
}

impl Continue for Statement {
    fn text(&self) -> Text {
        self.0
    }
}

impl<Q, ST, U> Continue for Bind<Q, ST, U> {
    fn text(&self) -> Text {
        self.text
    }
}

impl QueryFragment<Pg> for Statement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(self.0.piece);
        Ok(())
    }
}

impl<Q, ST, U> QueryFragment<Pg> for Bind<Q, ST, U>
where
    Q: QueryFragment<Pg>,
    Pg: HasSqlType<ST> + Backend,
    U: ToSql<ST, Pg>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.before.walk_ast(out.reborrow())?;
        out.push_bind_param(&self.value)?;
        out.push_sql(self.text.piece);
        Ok(())
    }
}

/// Without a query id diesel caches the statement by its text.
macro_rules! statement {
    ($($name:ty, [$($generic:ident),*]);*) => {
        $(
            impl<$($generic),*> QueryId for $name {
                type QueryId = ();
                const HAS_STATIC_QUERY_ID: bool = false;
            }
            impl<$($generic),*> Query for $name {
                type SqlType = Untyped;
            }
        )*
    };
}
statement!(Statement, []; Bind<Q, ST, U>, [Q, ST, U]);

#[cfg(test)]
mod tests {
    use super::*;
    use diesel::sql_types::Integer;

    #[test]
    fn a_statement_is_sent_as_it_is_written() {
        let sql = "SELECT '$[$first to last]' -> $1::integer, a.$b FROM t WHERE x = $2 AND y > $3";
        let statement = prepared(sql)
            .bind::<Integer, _>(7)
            .bind::<Integer, _>(8)
            .bind::<Integer, _>(9);
        let sent = diesel::debug_query::<Pg, _>(&statement).to_string();
        assert_eq!(sent, format!("{sql} -- binds: [7, 8, 9]"));
    }
}
