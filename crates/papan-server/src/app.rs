//! The application: what all requests share, and the router over it.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use papan_nats::QueueOptions;
use tokio::sync::Semaphore;

use crate::actor::{Services, Shows};
use crate::answers::Answers;
use crate::arena::Arena;
use crate::compress::Ready;
use crate::ending::Ending;
use crate::experiments::Experiments;
use crate::lab::Lab;
use crate::limits::{AddressLimiter, Limits};
use crate::messages::{Command, ConnectionId};
use crate::pool::Pool;
use crate::queue::QueueWatch;
use crate::registry::{Handle, Registry};
use crate::review::Reviews;
use crate::store::{Keep, Store};
use crate::tidier::Tidier;
use crate::{ApiError, StartError, roster, routes};

/// How the application is set up.
#[derive(Clone, Debug)]
pub struct AppOptions {
    /// The file that keeps the games.
    pub db: PathBuf,
    /// How much anyone may ask.
    pub limits: Limits,
    /// The names it answers to, beside its own addresses: a hostile page must
    /// not reach the server by pointing its own name here.
    pub hosts: Vec<String>,
    /// How many games are kept.
    pub keep: Keep,
    /// The queue whose workers the page shows.
    pub queue: Option<QueueOptions>,
}

impl AppOptions {
    /// The usual settings over `db`.
    #[must_use]
    pub fn new(db: impl Into<PathBuf>) -> Self {
        Self { db: db.into(), limits: Limits::default(), hosts: Vec::new(), keep: Keep::default(), queue: None }
    }
}

/// When the server ends, tournaments and writes get so long.
const LAST_GAMES: Duration = Duration::from_millis(400);
const LAST_WRITES: Duration = Duration::from_millis(500);

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

struct Shared {
    services: Services,
    registry: Registry,
    arena: Arena,
    lab: Lab,
    experiments: Experiments,
    reviews: Reviews,
    queue: QueueWatch,
    limits: Limits,
    posts: AddressLimiter,
    looks: AddressLimiter,
    reads: AddressLimiter,
    sockets: Arc<Semaphore>,
    next_connection: AtomicU64,
    catalog: Ready,
    hosts: Vec<String>,
    ending: Ending,
    tidier: Tidier,
    answers: Answers,
}

/// The whole application as a service: tests need no socket.
///
/// # Errors
/// If the file cannot be opened or threads cannot be started.
pub fn app(options: &AppOptions) -> Result<Router, StartError> {
    build(options, Ending::new()).map(|(router, _)| router)
}

/// The application and what it shares.
pub(crate) fn build(options: &AppOptions, ending: Ending) -> Result<(Router, App), StartError> {
    let limits = options.limits.clone();
    let pool = Arc::new(Pool::new(&limits)?);
    std::thread::Builder::new().name("papan-warm-up".to_owned()).spawn(roster::warm_up)?;
    let shared = Shared {
        services: Services { store: Store::open(&options.db, options.keep.clone())?, pool, shows: Shows::default() },
        registry: Registry::default(),
        arena: Arena::beside(&options.db),
        lab: Lab::new(),
        experiments: Experiments::default(),
        reviews: Reviews::default(),
        queue: QueueWatch::new(options.queue.clone()),
        posts: AddressLimiter::new(limits.post_burst, limits.posts_per_second),
        looks: AddressLimiter::new(limits.look_burst, limits.looks_per_second),
        reads: AddressLimiter::new(limits.read_burst, limits.reads_per_second),
        sockets: Arc::new(Semaphore::new(limits.sockets)),
        next_connection: AtomicU64::new(1),
        catalog: Ready::new(routes::catalog::document()),
        hosts: options.hosts.clone(),
        ending,
        tidier: Tidier::default(),
        answers: Answers::default(),
        limits,
    };
    let app = App(Arc::new(shared));
    Ok((routes::router(app.clone()), app))
}

impl App {
    pub(crate) fn services(&self) -> &Services {
        &self.0.services
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    pub(crate) fn experiments(&self) -> &Experiments {
        &self.0.experiments
    }

    pub(crate) fn reviews(&self) -> &Reviews {
        &self.0.reviews
    }

    pub(crate) fn lab(&self) -> &Lab {
        &self.0.lab
    }

    pub(crate) fn queue(&self) -> &QueueWatch {
        &self.0.queue
    }

    pub(crate) fn arena(&self) -> &Arena {
        &self.0.arena
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn sockets(&self) -> &Arc<Semaphore> {
        &self.0.sockets
    }

    pub(crate) fn catalog(&self) -> &Ready {
        &self.0.catalog
    }

    pub(crate) fn hosts(&self) -> &[String] {
        &self.0.hosts
    }

    pub(crate) fn ending(&self) -> &Ending {
        &self.0.ending
    }

    pub(crate) fn answers(&self) -> &Answers {
        &self.0.answers
    }

    pub(crate) fn tidier(&self) -> &Tidier {
        &self.0.tidier
    }

    /// A game was made: there may be too many now.
    pub(crate) fn made_a_game(&self) {
        self.0.tidier.made_a_game(self);
    }

    /// The last thing: tournaments stop, files are closed.
    pub(crate) async fn close(&self) {
        let app = self.clone();
        let stopped = tokio::task::spawn_blocking(move || app.arena().close(LAST_GAMES));
        let _ = tokio::time::timeout(LAST_GAMES, stopped).await;
        let _ = tokio::time::timeout(LAST_WRITES, self.services().store.close()).await;
    }

    pub(crate) fn next_connection(&self) -> ConnectionId {
        self.0.next_connection.fetch_add(1, Ordering::Relaxed)
    }

    /// May this address make or compute something now?
    pub(crate) fn allows_post(&self, address: IpAddr) -> bool {
        self.0.posts.allows(address, Instant::now())
    }

    /// May this address look at something that costs now?
    pub(crate) fn allows_look(&self, address: IpAddr) -> bool {
        self.0.looks.allows(address, Instant::now())
    }

    /// May this address ask anything else now?
    pub(crate) fn allows_read(&self, address: IpAddr) -> bool {
        self.0.reads.allows(address, Instant::now())
    }

    /// Sends a command to a game.
    pub(crate) async fn tell(&self, id: &str, command: Command) -> Result<Handle, ApiError> {
        self.registry().send(self.services(), id, command).await
    }
}
