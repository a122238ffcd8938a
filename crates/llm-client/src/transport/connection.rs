//! Who polls a connection to the model: its own task, or the reader of an answer.
//!
//! hyper makes a connection a future that runs in a task, and passes each piece of an answer to the reader through a channel
//! with one place. While an answer is read, its reader polls that future itself. So a token wakes one task instead of two, and
//! what one read of the socket brought is there at once. Only for HTTP/1: several answers may share a connection of HTTP/2.

use bytes::Bytes;
use futures_util::{future::BoxFuture, task::AtomicWaker};
use http::Version;
use hyper::body::{Body, Incoming};
use std::{
    cell::RefCell,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU8, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
};

/// Polls of a connection in a row before other tasks have their turn. Two are the usual: one that brings something, one that
/// finds no more.
const MAX_ROUNDS: u8 = 4;

thread_local! {
    /// The connection that its task is polling on this thread.
    static POLLED: RefCell<Weak<Connection>> = const { RefCell::new(Weak::new()) };
}

/// A connection's future.
pub struct Connection {
    /// `None` once it has ended.
    future: Mutex<Option<BoxFuture<'static, ()>>>,
    /// It was woken and not polled since.
    is_woken: AtomicBool,
    /// One of the constants below.
    poller: AtomicU8,
    task: AtomicWaker,
    reader: AtomicWaker,
}

/// The connection's own task polls it.
const TASK: u8 = 0;
/// The reader of an answer polls it, and waits.
const READER: u8 = 1;
/// The reader is polling, and looks at `is_woken` before it waits.
const READING: u8 = 2;

impl Wake for Connection {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_woken.store(true, SeqCst);
        match self.poller.load(SeqCst) {
            TASK => self.task.wake(),
            READER => self.reader.wake(),
            _ => {}
        }
    }
}

impl Connection {
    fn poll(&self, waker: &Waker) -> Poll<()> {
        self.is_woken.store(false, SeqCst);
        let mut future = self.future.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out, so that it is not polled again after a panic.
        let Some(mut running) = future.take() else {
            return Poll::Ready(());
        };
        let ended = running.as_mut().poll(&mut Context::from_waker(waker));
        if ended.is_pending() {
            *future = Some(running);
        }
        ended
    }
}

/// Runs connections as tasks of the runtime.
#[derive(Clone, Copy)]
pub struct Executor;

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Executor {
    fn execute(&self, future: F) {
        tokio::spawn(Task::new(future));
    }
}

/// The connection's own task.
struct Task {
    connection: Arc<Connection>,
    waker: Waker,
}

impl Task {
    fn new(future: impl Future<Output = ()> + Send + 'static) -> Self {
        let connection = Arc::new(Connection {
            future: Mutex::new(Some(Box::pin(future))),
            is_woken: AtomicBool::new(true),
            poller: AtomicU8::new(TASK),
            task: AtomicWaker::new(),
            reader: AtomicWaker::new(),
        });
        let waker = Waker::from(Arc::clone(&connection));
        Self { connection, waker }
    }
}

impl Future for Task {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.connection.task.register(cx.waker());
        if self.connection.poller.load(SeqCst) != TASK {
            return Poll::Pending;
        }
        let outer = POLLED.replace(Arc::downgrade(&self.connection));
        let ended = self.connection.poll(&self.waker);
        POLLED.set(outer);
        ended
    }
}

impl Drop for Task {
    /// The future holds its own waker, so it must end with its task.
    fn drop(&mut self) {
        let future = self
            .connection
            .future
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(future);
    }
}

/// Which connection a socket belongs to, in the extensions of every response that came over it. hyper does not say so; the
/// socket notes who polls it.
#[derive(Clone, Default)]
pub struct Origin(Arc<Mutex<Weak<Connection>>>);

impl Origin {
    /// Notes the connection whose task is polling now.
    pub fn note(&self) {
        POLLED.with_borrow(|polled| {
            if polled.strong_count() > 0 {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Weak::clone(polled);
            }
        });
    }

    fn borrow(&self) -> Option<Borrowed> {
        let connection = self.0.lock().unwrap_or_else(PoisonError::into_inner).upgrade()?;
        // Only from its task: an answer that came whole with its head may find that another one has the connection now.
        connection.poller.compare_exchange(TASK, READING, SeqCst, SeqCst).ok()?;
        // Its task may have been woken for what the reader now has to find.
        connection.is_woken.store(true, SeqCst);
        let waker = Waker::from(Arc::clone(&connection));
        Some(Borrowed { connection, waker })
    }
}

/// A connection that the reader polls. Dropped, it goes back to its task.
struct Borrowed {
    connection: Arc<Connection>,
    waker: Waker,
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        self.connection.reader.take();
        self.connection.poller.store(TASK, SeqCst);
        self.connection.task.wake();
    }
}

/// The body of an answer.
pub struct AnswerBody {
    // First, so that the task finds it gone when it gets the connection back.
    incoming: Incoming,
    borrowed: Option<Borrowed>,
}

impl AnswerBody {
    pub fn new(response: http::Response<Incoming>) -> Self {
        let origin = match response.version() {
            Version::HTTP_2 => None,
            _ => response.extensions().get::<Origin>(),
        };
        Self {
            borrowed: origin.and_then(Origin::borrow),
            incoming: response.into_body(),
        }
    }

    /// The next piece; `None` at the end.
    pub fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<hyper::Result<Bytes>>> {
        let Some(Borrowed { connection, waker }) = &self.borrowed else {
            return poll_data(&mut self.incoming, cx);
        };
        connection.reader.register(cx.waker());
        connection.poller.store(READING, SeqCst);
        for _ in 0..MAX_ROUNDS {
            if connection.is_woken.load(SeqCst) {
                let _ = connection.poll(waker);
            }
            // With the connection's waker: what it brings while it is polled here need not wake the reader.
            let piece = poll_data(&mut self.incoming, &mut Context::from_waker(waker));
            if let Poll::Ready(piece) = piece {
                if !matches!(piece, Some(Ok(_))) || self.incoming.is_end_stream() {
                    // It can serve another request now.
                    self.borrowed = None;
                }
                return Poll::Ready(piece);
            }
            connection.poller.store(READER, SeqCst);
            if !connection.is_woken.load(SeqCst) {
                return Poll::Pending;
            }
            connection.poller.store(READING, SeqCst);
        }
        // The connection wants to be polled for ever: the task has used up its time.
        connection.poller.store(READER, SeqCst);
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// The next frame that is not a trailer.
fn poll_data(incoming: &mut Incoming, cx: &mut Context<'_>) -> Poll<Option<hyper::Result<Bytes>>> {
    loop {
        return Poll::Ready(match std::task::ready!(Pin::new(&mut *incoming).poll_frame(cx)) {
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) => Some(Ok(data)),
                Err(_) => continue,
            },
            Some(Err(error)) => Some(Err(error)),
            None => None,
        });
    }
}
