//! The door: who may hold a connection, and for how long. A connection that
//! says nothing, says it too slowly or does not listen costs a descriptor that
//! others need; the table ([`connections`]) knows which one to let go.

mod connections;
mod descriptors;
mod stream;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::ending::Ending;
pub(crate) use connections::visitor;
use connections::{Connections, Ticket};
use stream::Watched;

/// How many connections there may be, and how patient the server is.
#[derive(Clone, Copy, Debug)]
pub struct DoorLimits {
    /// Connections in all; fewer if the system allows fewer descriptors.
    pub connections: usize,
    /// Connections of one address beyond this machine. Many people may share
    /// one, and a proxy on this machine has everybody's.
    pub per_address: usize,
    /// A new connection must have sent a whole head within this time.
    pub head: Duration,
    /// A request's body must be here within this time after its head.
    pub body: Duration,
    /// A later head must have come so long after the last answer.
    pub idle: Duration,
    /// Whoever takes nothing of an answer for so long is gone.
    pub stuck: Duration,
    /// Bytes a second that a socket may send, whatever they are.
    pub socket_bytes: u64,
}

impl Default for DoorLimits {
    fn default() -> Self {
        Self {
            connections: 8_192,
            per_address: 256,
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            stuck: Duration::from_secs(30),
            socket_bytes: 512 * 1024,
        }
    }
}

/// The address of this machine that a connection came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached(pub(crate) SocketAddr);

/// The table is looked through this often.
const SWEEP: Duration = Duration::from_secs(1);
/// After the system had no descriptor or memory left for a connection.
const BREATH: Duration = Duration::from_millis(50);
/// A freed descriptor is waited for no longer than this.
const ROOM: Duration = Duration::from_millis(100);
/// Once the server ends, answers under way get so long.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Everyone who is connected.
pub(crate) struct Door {
    connections: Arc<Connections>,
    http: http1::Builder,
    router: TowerToHyperService<Router>,
    ending: Ending,
    /// How long what was sent may stay unheard.
    #[cfg(target_os = "linux")]
    stuck_ms: u32,
}

impl Door {
    /// Asks the system for as many descriptors as it gives, and leaves room
    /// for files.
    pub(crate) fn new(limits: DoorLimits, router: Router, ending: Ending) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.idle);
        let most = descriptors::for_connections().min(limits.connections);
        let connections = Arc::new(Connections::new(DoorLimits { connections: most, ..limits }));
        Self {
            connections,
            http,
            router: TowerToHyperService::new(router),
            ending,
            #[cfg(target_os = "linux")]
            stuck_ms: u32::try_from(limits.stuck.as_millis()).unwrap_or(u32::MAX),
        }
    }

    /// Lets people in until the server ends; then waits for the last answers.
    pub(crate) async fn run(&self, listener: TcpListener) {
        let mut sweep = interval(SWEEP);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = self.ending.begun() => break,
                _ = sweep.tick() => self.connections.sweep(),
                accepted = listener.accept() => match accepted {
                    Ok((stream, remote)) => self.admit(stream, remote).await,
                    Err(error) => self.refused_by_the_system(&error).await,
                },
            }
        }
        drop(listener);
        let _ = timeout(LAST_ANSWERS, self.connections.all_gone()).await;
    }

    async fn admit(&self, stream: TcpStream, remote: SocketAddr) {
        let Ok(local) = stream.local_addr() else { return };
        // Answers are written whole; waiting for more only delays them.
        let _ = stream.set_nodelay(true);
        // A reader that vanished without a word takes nothing either.
        #[cfg(target_os = "linux")]
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, self.stuck_ms);
        let (ticket, closed) = self.connections.admit(remote.ip());
        let watched = Watched::new(stream, ticket.clone(), closed);
        tokio::spawn(serve(
            self.http.clone(),
            self.router.clone(),
            watched,
            ticket,
            [remote, local],
            self.ending.clone(),
        ));
        // Whoever had to go holds the descriptor until its task has noticed.
        let _ = timeout(ROOM, self.connections.room()).await;
    }

    /// Out of descriptors or memory: somebody silent goes, and nothing spins.
    async fn refused_by_the_system(&self, error: &io::Error) {
        // A connection that was given up before it was accepted is no trouble.
        if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
            return;
        }
        tracing::warn!(%error, "a connection could not be accepted");
        self.connections.let_one_go();
        sleep(BREATH).await;
    }
}

/// One connection, from its first byte to its last answer. A socket goes on by
/// itself after the upgrade and keeps its ticket.
async fn serve(
    http: http1::Builder,
    router: TowerToHyperService<Router>,
    stream: Watched,
    ticket: Ticket,
    [remote, local]: [SocketAddr; 2],
    ending: Ending,
) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        let under_way = ticket.asked();
        request.extensions_mut().insert(ConnectInfo(remote));
        request.extensions_mut().insert(Reached(local));
        let (answer, ticket) = (router.call(request), ticket.clone());
        async move {
            let answer = answer.await;
            if answer.as_ref().is_ok_and(|answer| answer.status() == hyper::StatusCode::SWITCHING_PROTOCOLS) {
                ticket.upgraded();
            }
            drop(under_way);
            answer
        }
    });
    let mut connection = std::pin::pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    tokio::select! {
        // What goes wrong here is the other side's doing.
        _ = connection.as_mut() => return,
        () = ending.begun() => connection.as_mut().graceful_shutdown(),
    }
    let _ = timeout(LAST_ANSWERS, connection).await;
}
