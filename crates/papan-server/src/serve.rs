//! Listening, telling where, and opening the page.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use papan_nats::QueueOptions;
use thiserror::Error;
use tokio::net::TcpListener;

use crate::app::{App, AppOptions, build};
use crate::door::Door;
use crate::ending::Ending;
use crate::limits::Limits;
use crate::signals;
use crate::store::{Keep, StoreError};

/// The server could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The games could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Other machines could reach it, and nobody said that they may.
    #[error(
        "{0} can be reached from other machines; to let them in, add --open --host NAME with the name that they will \
         use, or listen on 127.0.0.1"
    )]
    NotOpen(SocketAddr),
    /// The address could not be used, or threads not started.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Where to listen; port 0 takes a free one.
    pub addr: SocketAddr,
    /// The file that keeps the games.
    pub db: PathBuf,
    /// May other machines reach it? Without this only an address of this
    /// machine alone can be listened on.
    pub open: bool,
    /// The names it answers to, beside its own addresses.
    pub hosts: Vec<String>,
    /// How many games are kept.
    pub keep: Keep,
    /// Show the page in the user's browser?
    pub browser: bool,
    /// How much anyone may ask.
    pub limits: Limits,
    /// The queue whose workers the page shows.
    pub queue: Option<QueueOptions>,
}

impl Default for ServeOptions {
    /// A free port on this machine alone, games in the user's data folder.
    fn default() -> Self {
        Self {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            db: default_db(),
            open: false,
            hosts: Vec::new(),
            keep: Keep::default(),
            browser: false,
            limits: Limits::default(),
            queue: None,
        }
    }
}

/// `papan/games.db` in the user's data folder, or here if there is none.
fn default_db() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from("XDG_DATA_HOME")
        .or_else(|| from("LOCALAPPDATA"))
        .or_else(|| Some(from("HOME")?.join(".local").join("share")))
        .unwrap_or_default();
    folder.join("papan").join("games.db")
}

/// A server that listens but does not answer yet.
pub struct Server {
    listener: TcpListener,
    door: Door,
    app: App,
    addr: SocketAddr,
}

impl Server {
    /// Opens the port and the games.
    ///
    /// # Errors
    /// If either cannot be opened, or other machines could reach it although
    /// nobody said that they may.
    pub async fn bind(options: &ServeOptions) -> Result<Self, StartError> {
        if !options.open && !options.addr.ip().to_canonical().is_loopback() {
            return Err(StartError::NotOpen(options.addr));
        }
        let listener = TcpListener::bind(options.addr).await?;
        let addr = listener.local_addr()?;
        let ending = Ending::new();
        let settings = AppOptions {
            db: options.db.clone(),
            limits: options.limits.clone(),
            hosts: options.hosts.clone(),
            keep: options.keep.clone(),
            queue: options.queue.clone(),
        };
        let (router, app) = build(&settings, ending.clone())?;
        let door = Door::new(options.limits.door, router, ending);
        Ok(Self { listener, door, app, addr })
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Answers until `end` is there; then tells everyone who is connected,
    /// lets answers under way be finished, and closes the files. All of that
    /// takes less than two seconds: every acknowledged move is on the disk
    /// already.
    pub async fn run_until(self, end: impl Future<Output = ()>) {
        let Self { listener, door, app, .. } = self;
        let work = door.run(listener);
        tokio::pin!(work);
        tokio::select! {
            () = &mut work => {}
            () = end => {
                app.ending().begin();
                work.await;
            }
        }
        app.close().await;
    }
}

/// Serves until the process is asked to end, after printing the address.
///
/// # Errors
/// If the games or the port cannot be opened.
pub async fn serve(options: ServeOptions) -> Result<(), StartError> {
    let server = Server::bind(&options).await?;
    let url = format!("http://{}/", server.addr());
    // Asked for before anyone can know that the server is there.
    let asked = signals::asked_to_end()?;
    println!("Papan is at {url}");
    if options.browser {
        open_page(&url);
    }
    server.run_until(asked).await;
    Ok(())
}

/// Asks the system to show the page; without a browser the printed address
/// has to do.
fn open_page(url: &str) {
    let (program, arguments): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("explorer", &[])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        tracing::info!(%error, "no browser could be opened");
    }
}
