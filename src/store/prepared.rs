//! SQL of our own that is prepared once per connection.
//!
//! `diesel::sql_query` is parsed and planned anew at every call, and costs a round trip more, because diesel cannot know
//! that its text stays the same. Here the text is a constant and only the values change.

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::serialize::ToSql;
use diesel::sql_types::{HasSqlType, Untyped};
use std::marker::PhantomData;

/// The beginning of a statement: `prepared("SELECT … WHERE id = ").bind::<Uuid, _>(id).sql(" AND …")`. Rows are read by name.
#[derive(Debug, Clone, Copy)]
pub struct Start(&'static str);

/// A statement and a value behind it.
#[derive(Debug, Clone, Copy)]
pub struct Bind<Q, ST, U> {
    before: Q,
    value: U,
    sql_type: PhantomData<ST>,
}

/// A statement and more text behind it.
#[derive(Debug, Clone, Copy)]
pub struct More<Q> {
    before: Q,
    text: &'static str,
}

/// Starts a statement.
#[must_use]
pub const fn prepared(text: &'static str) -> Start {
    Start(text)
}

/// Goes on with a statement.
pub trait Continue: Sized {
    /// Puts a placeholder here, with its value.
    fn bind<ST, U>(self, value: U) -> Bind<Self, ST, U> {
        Bind {
            before: self,
            value,
            sql_type: PhantomData,
        }
    }

    /// Puts text here.
    fn sql(self, text: &'static str) -> More<Self> {
        More { before: self, text }
    }
}

impl QueryFragment<Pg> for Start {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(self.0);
        Ok(())
    }
}

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for More<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.before.walk_ast(out.reborrow())?;
        out.push_sql(self.text);
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
        out.push_bind_param(&self.value)
    }
}

/// Without an id of its own a statement is found again by its text.
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
            impl<$($generic),*> Continue for $name {}
        )*
    };
}
statement!(Start, []; More<Q>, [Q]; Bind<Q, ST, U>, [Q, ST, U]);
