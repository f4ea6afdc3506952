//! The connection to the servers of a queue.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use thiserror::Error;

/// How long a server may take to answer.
const ANSWER: Duration = Duration::from_secs(5);

/// A server that is silent for two of these is left for another one.
const PING: Duration = Duration::from_secs(2);

/// Messages that are waiting for the server's word at the same time.
const IN_FLIGHT: usize = 4096;

/// Says a line to whoever looks after this process.
pub type Teller = Arc<dyn Fn(&str) + Send + Sync>;

/// Where the queue is, and how to get in.
#[derive(Clone, Debug, Default)]
pub struct QueueOptions {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, more than one separated by commas.
    pub url: String,
    /// A credentials file (`.creds`): a JWT and the key that signs for it.
    pub creds: Option<PathBuf>,
    /// A file with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// Certificates of those who may vouch for the server, beside the system's.
    pub tls_ca: Option<PathBuf>,
    /// Our own certificate and its key.
    pub tls_own: Option<(PathBuf, PathBuf)>,
}

/// Why a queue cannot be used.
#[derive(Debug, Error)]
pub enum LinkError {
    /// The address or a file is wrong: trying again is of no use.
    #[error("queue: {0}")]
    Wrong(String),
    /// The server does not let us in.
    #[error("queue: {url}: the server refuses us: {what}")]
    Refused {
        /// Where.
        url: String,
        /// In the client's words.
        what: String,
    },
    /// No server answers.
    #[error("queue: {url}: no server answers: {what}")]
    Unreachable {
        /// Where.
        url: String,
        /// In the client's words.
        what: String,
    },
    /// The server answers, and cannot do what is asked.
    #[error("queue: {0}")]
    Unfit(String),
}

/// A connection. It is kept up by itself: a server that goes away is left for
/// another one.
#[derive(Clone)]
pub struct Link {
    pub(crate) client: Client,
    pub(crate) js: Context,
}

impl Link {
    /// Connects, or says why not.
    pub async fn connect(options: &QueueOptions, name: &str, tell: &Teller) -> Result<Self, LinkError> {
        let servers = servers(&options.url)?;
        let connect = as_user(connect_options(options, name, tell)?, &servers);
        let url = shown(&options.url);
        let client = connect.connect(servers).await.map_err(|error| {
            let what = error.to_string();
            match error.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication | ConnectErrorKind::Tls => {
                    LinkError::Refused { url, what }
                }
                // Behind an error of input and output there may be one of TLS.
                _ if what.contains("certificate") => LinkError::Refused { url, what },
                ConnectErrorKind::ServerParse => LinkError::Wrong(what),
                _ => LinkError::Unreachable { url, what },
            }
        })?;
        let mut js = jetstream::context::ContextBuilder::new()
            .ack_timeout(ANSWER)
            .max_ack_inflight(IN_FLIGHT)
            .backpressure_on_inflight(true)
            .build(client.clone());
        js.set_timeout(ANSWER);
        Ok(Self { client, js })
    }
}

fn connect_options(options: &QueueOptions, name: &str, tell: &Teller) -> Result<ConnectOptions, LinkError> {
    let wrong = |path: &PathBuf, what: String| LinkError::Wrong(format!("{}: {what}", path.display()));
    let teller = Arc::clone(tell);
    let mut connect = ConnectOptions::new()
        .name(name)
        .ping_interval(PING)
        .connection_timeout(ANSWER)
        .max_reconnects(None)
        .reconnect_delay_callback(|attempt| Duration::from_millis((50 * attempt as u64).min(2000)))
        .event_callback(move |event| {
            match event {
                Event::Disconnected => teller("the queue's server has gone; looking for one"),
                Event::Connected => teller("connected to the queue"),
                Event::ServerError(error) => teller(&format!("the queue's server says: {error}")),
                _ => {}
            }
            std::future::ready(())
        });
    if let Some(path) = &options.creds {
        let text = std::fs::read_to_string(path).map_err(|error| wrong(path, error.to_string()))?;
        connect = connect.credentials(&text).map_err(|error| wrong(path, error.to_string()))?;
    }
    if let Some(path) = &options.nkey {
        let seed = std::fs::read_to_string(path).map_err(|error| wrong(path, error.to_string()))?;
        connect = connect.nkey(seed.trim().to_owned());
    }
    for path in options.tls_ca.iter().chain(options.tls_own.iter().flat_map(|(cert, key)| [cert, key])) {
        std::fs::metadata(path).map_err(|error| wrong(path, error.to_string()))?;
    }
    if let Some(path) = &options.tls_ca {
        connect = connect.add_root_certificates(path.clone());
    }
    if let Some((certificate, key)) = &options.tls_own {
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    let tls = options.tls_ca.is_some() || options.tls_own.is_some() || options.url.contains("tls://");
    Ok(connect.require_tls(tls))
}

/// A user and password, or a token, from the first address that has them.
fn as_user(connect: ConnectOptions, servers: &[ServerAddr]) -> ConnectOptions {
    let named = servers.iter().find_map(|server| Some((server.username()?.to_owned(), server.password())));
    match named {
        Some((user, Some(password))) => connect.user_and_password(user, password.to_owned()),
        Some((token, None)) => connect.token(token),
        None => connect,
    }
}

fn servers(url: &str) -> Result<Vec<ServerAddr>, LinkError> {
    let read = |text: &str| {
        // The client reads more than it can use.
        let usable = |address: &ServerAddr| ["nats", "tls"].contains(&address.scheme()) && !address.host().is_empty();
        let address = text.trim().parse::<ServerAddr>().ok();
        let address = address.filter(|address| text.contains("://") && usable(address));
        address.ok_or_else(|| LinkError::Wrong(format!("{} is not an address such as nats://HOST:4222", shown(text))))
    };
    url.split(',').map(read).collect()
}

/// An address without its password.
fn shown(url: &str) -> String {
    let one = |text: &str| match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => text.chars().filter(|c| !c.is_control()).collect(),
    };
    url.split(',').map(one).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_and_shown_without_passwords() {
        assert_eq!(servers("nats://a:4222,tls://b").unwrap().len(), 2);
        for bad in ["", "host:4222", "nats://", "ftp://x", "nats://a,"] {
            assert!(servers(bad).is_err(), "{bad}");
        }
        assert_eq!(shown("nats://me:secret@host:1,nats://b"), "nats://host:1,nats://b");
    }
}
