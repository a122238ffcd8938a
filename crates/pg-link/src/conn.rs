//! A connection for diesel that knows which of its errors may be gone when the statement is repeated.

use crate::sqlstate::Transient;
use crate::watch::Watch;
use diesel::connection::{CacheSize, Instrumentation};
use diesel::pg::Pg;
use diesel::query_builder::{AsQuery, QueryFragment, QueryId};
use diesel::result::{ConnectionError, DatabaseErrorKind, Error as DieselError};
use diesel::{ConnectionResult, QueryResult};
use diesel_async::pooled_connection::PoolableConnection;
use diesel_async::{
    AnsiTransactionManager, AsyncConnection, AsyncConnectionCore, AsyncPgConnection, SimpleAsyncConnection,
};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt, TryFutureExt, TryStreamExt};
use std::sync::Arc;

type PgRow = <AsyncPgConnection as AsyncConnectionCore>::Row<'static, 'static>;
type Rows = BoxStream<'static, QueryResult<PgRow>>;

/// An open connection and what is known about it.
///
/// diesel-async keeps the SQLSTATE of most errors to itself (0.9.2, `pg/error_helper.rs`): eight have a kind of their own, all
/// others are `Unknown`. Every answer passes `Watch` first, so the connection that had an error also knows its code, and
/// gives those that matter for a retry a kind here.
pub struct Conn {
    inner: AsyncPgConnection,
    pub(crate) watch: Arc<Watch>,
}

impl Conn {
    pub(crate) fn new(inner: AsyncPgConnection, watch: Arc<Watch>) -> Self {
        Self { inner, watch }
    }

    /// The socket is closed, a transaction was left open, or the server accepts no writes.
    pub fn is_broken(&mut self) -> bool {
        self.watch.is_unfit() || self.inner.is_broken()
    }

    fn load<'a, 'query, T>(&'a self, source: T) -> BoxFuture<'a, QueryResult<Rows>>
    where
        T: AsQuery + 'query,
        T::Query: QueryFragment<Pg> + QueryId + 'query,
    {
        let loaded = AsyncConnectionCore::load(&mut &self.inner, source);
        async move {
            let rows = loaded.await.map_err(|error| with_kind(&self.watch, error))?;
            let watch = Arc::clone(&self.watch);
            Ok(rows.map_err(move |error| with_kind(&watch, error)).boxed())
        }
        .boxed()
    }

    fn execute<'a, 'query, T>(&'a self, source: T) -> BoxFuture<'a, QueryResult<usize>>
    where
        T: QueryFragment<Pg> + QueryId + 'query,
    {
        AsyncConnectionCore::execute_returning_count(&mut &self.inner, source)
            .map_err(|error| with_kind(&self.watch, error))
            .boxed()
    }
}

/// Gives an error the kind that its SQLSTATE means for a retry.
fn with_kind(watch: &Watch, error: DieselError) -> DieselError {
    let DieselError::DatabaseError(DatabaseErrorKind::Unknown, info) = error else {
        return error;
    };
    let kind = match watch.last_error() {
        Some(Transient::Disconnected) => DatabaseErrorKind::ClosedConnection,
        // Not serialization alone: the kind that PostgreSQL's documentation asks clients to repeat, with deadlocks
        // (https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html).
        Some(Transient::Contended | Transient::OutOfResources) => DatabaseErrorKind::SerializationFailure,
        None => DatabaseErrorKind::Unknown,
    };
    DieselError::DatabaseError(kind, info)
}

impl SimpleAsyncConnection for Conn {
    async fn batch_execute(&mut self, query: &str) -> QueryResult<()> {
        (&*self).batch_execute(query).await
    }
}

impl SimpleAsyncConnection for &Conn {
    async fn batch_execute(&mut self, query: &str) -> QueryResult<()> {
        let done = (&self.inner).batch_execute(query).await;
        done.map_err(|error| with_kind(&self.watch, error))
    }
}

impl AsyncConnectionCore for Conn {
    type LoadFuture<'conn, 'query> = BoxFuture<'conn, QueryResult<Rows>>;
    type ExecuteFuture<'conn, 'query> = BoxFuture<'conn, QueryResult<usize>>;
    type Stream<'conn, 'query> = Rows;
    type Row<'conn, 'query> = PgRow;
    type Backend = Pg;

    fn load<'conn, 'query, T>(&'conn mut self, source: T) -> Self::LoadFuture<'conn, 'query>
    where
        T: AsQuery + 'query,
        T::Query: QueryFragment<Pg> + QueryId + 'query,
    {
        Conn::load(self, source)
    }

    fn execute_returning_count<'conn, 'query, T>(&'conn mut self, source: T) -> Self::ExecuteFuture<'conn, 'query>
    where
        T: QueryFragment<Pg> + QueryId + 'query,
    {
        self.execute(source)
    }
}

/// Several statements may be under way on one connection: each goes out while others are not answered yet.
impl<'a> AsyncConnectionCore for &'a Conn {
    type LoadFuture<'conn, 'query> = BoxFuture<'a, QueryResult<Rows>>;
    type ExecuteFuture<'conn, 'query> = BoxFuture<'a, QueryResult<usize>>;
    type Stream<'conn, 'query> = Rows;
    type Row<'conn, 'query> = PgRow;
    type Backend = Pg;

    fn load<'conn, 'query, T>(&'conn mut self, source: T) -> Self::LoadFuture<'conn, 'query>
    where
        T: AsQuery + 'query,
        T::Query: QueryFragment<Pg> + QueryId + 'query,
    {
        Conn::load(self, source)
    }

    fn execute_returning_count<'conn, 'query, T>(&'conn mut self, source: T) -> Self::ExecuteFuture<'conn, 'query>
    where
        T: QueryFragment<Pg> + QueryId + 'query,
    {
        self.execute(source)
    }
}

impl AsyncConnection for Conn {
    type TransactionManager = AnsiTransactionManager;

    /// Not this way: [`crate::establish`] and [`crate::Pool`] know the limits.
    async fn establish(_url: &str) -> ConnectionResult<Self> {
        Err(ConnectionError::BadConnection("opened by pg_link::establish".into()))
    }

    fn transaction_state(&mut self) -> &mut AnsiTransactionManager {
        self.inner.transaction_state()
    }

    fn instrumentation(&mut self) -> &mut dyn Instrumentation {
        self.inner.instrumentation()
    }

    fn set_instrumentation(&mut self, instrumentation: impl Instrumentation) {
        self.inner.set_instrumentation(instrumentation);
    }

    fn set_prepared_statement_cache_size(&mut self, size: CacheSize) {
        self.inner.set_prepared_statement_cache_size(size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(watch: &Watch, kind: DatabaseErrorKind) -> DatabaseErrorKind {
        let error = DieselError::DatabaseError(kind, Box::new("the same text".to_owned()));
        match with_kind(watch, error) {
            DieselError::DatabaseError(kind, _) => kind,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn an_error_gets_the_kind_of_the_code_that_its_own_connection_saw() {
        use DatabaseErrorKind::{ClosedConnection, SerializationFailure, UniqueViolation, Unknown};
        let (busy, other) = (Watch::new(Arc::default()), Watch::new(Arc::default()));
        for (code, expected) in [
            ("57P01", ClosedConnection),
            ("40P01", SerializationFailure),
            ("53100", SerializationFailure),
            ("42601", Unknown),
        ] {
            busy.note_error(format!("C{code}\0Mthe same text\0").as_bytes());
            assert_eq!(kind(&busy, Unknown), expected, "{code}");
            assert_eq!(kind(&busy, UniqueViolation), UniqueViolation, "{code}");
            assert_eq!(kind(&other, Unknown), Unknown, "{code}");
        }
    }
}
