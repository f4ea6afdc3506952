//! Listening, telling where, and opening the page.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use axum::Router;
use papan_nats::QueueOptions;
use thiserror::Error;
use tokio::net::TcpListener;

use crate::app::{AppOptions, app};
use crate::limits::Limits;
use crate::store::StoreError;

/// The server could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The games could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    /// Open the page in the user's browser?
    pub open: bool,
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
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    router: Router,
    addr: SocketAddr,
}

impl Server {
    /// Opens the games and the port.
    ///
    /// # Errors
    /// If either cannot be opened.
    pub async fn bind(options: &ServeOptions) -> Result<Self, StartError> {
        let router = app(&AppOptions {
            db: options.db.clone(),
            limits: options.limits.clone(),
            local_names_only: options.addr.ip().is_loopback(),
            queue: options.queue.clone(),
        })?;
        let listener = TcpListener::bind(options.addr).await?;
        let addr = listener.local_addr()?;
        Ok(Self { listener, router, addr })
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Answers until the process is asked to end. Nothing needs to be saved
    /// then: every acknowledged move is on the disk already.
    ///
    /// # Errors
    /// If the port fails.
    pub async fn run(self) -> Result<(), StartError> {
        let service = self.router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::select! {
            ended = axum::serve(self.listener, service).into_future() => ended?,
            signal = tokio::signal::ctrl_c() => signal?,
        }
        Ok(())
    }
}

/// Serves until the process is asked to end, after printing the address.
///
/// # Errors
/// If the games or the port cannot be opened.
pub async fn serve(options: ServeOptions) -> Result<(), StartError> {
    let server = Server::bind(&options).await?;
    let url = format!("http://{}/", server.addr());
    println!("Papan is at {url}");
    if options.open {
        open_page(&url);
    }
    server.run().await
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
