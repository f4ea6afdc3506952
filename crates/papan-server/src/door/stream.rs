//! A connection that notes its signs of life and ends when it is told to.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connections::{Closed, Ticket};

/// The stream, its place in the table, and the word to close.
pub(super) struct Watched {
    stream: TcpStream,
    ticket: Ticket,
    closed: Option<Closed>,
    /// What a socket sent in the second that began at the first number.
    sent: (u64, u64),
}

impl Watched {
    pub(super) fn new(stream: TcpStream, ticket: Ticket, closed: Closed) -> Self {
        Self { stream, ticket, closed: Some(closed), sent: (0, 0) }
    }

    /// Fails once it shall close; else whoever polls is woken when it shall.
    fn may_go_on(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if let Some(closed) = &mut self.closed
            && Pin::new(closed).poll(context).is_ready()
        {
            self.closed = None;
        }
        if self.closed.is_some() { Ok(()) } else { Err(io::ErrorKind::ConnectionAborted.into()) }
    }

    /// A socket's messages are counted where they are read. What never becomes
    /// a message, such as empty fragments without end, is counted here.
    fn count(&mut self, bytes: usize) -> io::Result<()> {
        self.ticket.heard();
        if !self.ticket.is_socket() {
            return Ok(());
        }
        let second = self.ticket.now_ms() / 1_000;
        if self.sent.0 != second {
            self.sent = (second, 0);
        }
        self.sent.1 = self.sent.1.saturating_add(bytes as u64);
        if self.sent.1 <= self.ticket.socket_bytes() { Ok(()) } else { Err(io::ErrorKind::ConnectionAborted.into()) }
    }

    fn note<T>(&self, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        self.ticket.takes(written.is_ready());
        written
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.may_go_on(context)?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if matches!(read, Poll::Ready(Ok(()))) {
            self.count(buffer.filled().len() - before)?;
        }
        read
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.may_go_on(context)?;
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.may_go_on(context)?;
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
