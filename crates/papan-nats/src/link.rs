//! The connection to the servers of a queue.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use papan_core::error::one_line;
use thiserror::Error;

use crate::names::as_token;

/// How long a server may take to answer.
const ANSWER: Duration = Duration::from_secs(5);

/// A server that is silent for two of these is left for another one.
const PING: Duration = Duration::from_secs(2);

/// Messages that are waiting for the server's word at the same time.
const IN_FLIGHT: usize = 4096;

/// Says a line to whoever looks after this process.
pub type Teller = Arc<dyn Fn(&str) + Send + Sync>;

/// A word that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where the queue is, and how to get in.
#[derive(Clone, Default)]
pub struct QueueOptions {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, more than one separated by commas.
    pub url: String,
    /// The user, with a password.
    pub user: Option<(String, Secret)>,
    /// A token instead of a user.
    pub token: Option<Secret>,
    /// Whose inbox answers go to, if not the user's: servers can keep everybody
    /// else from reading it.
    pub inbox: Option<String>,
    /// A credentials file (`.creds`): a JWT and the key that signs for it.
    pub creds: Option<PathBuf>,
    /// A file with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// Certificates of those who may vouch for the server, beside the system's.
    pub tls_ca: Option<PathBuf>,
    /// Our own certificate and its key.
    pub tls_own: Option<(PathBuf, PathBuf)>,
}

impl fmt::Debug for QueueOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueOptions").field("url", &shown(&self.url)).finish_non_exhaustive()
    }
}

impl QueueOptions {
    /// Does the address itself have a password or a token in it?
    #[must_use]
    pub fn has_secret_in_url(&self) -> bool {
        self.url.contains('@')
    }

    /// The user, wherever it is said.
    #[must_use]
    pub fn user_name(&self) -> Option<String> {
        let in_url = || servers(&self.url).ok().and_then(|servers| user_in(&servers)).map(|(user, _)| user);
        self.user.as_ref().map(|(user, _)| user.clone()).or_else(in_url)
    }

    fn inbox_prefix(&self) -> Option<String> {
        let whose = self.user_name().or_else(|| self.inbox.clone())?;
        Some(format!("_INBOX_{}", as_token(&whose)))
    }

    /// `what` without anything secret, on one line.
    fn redacted(&self, what: &str) -> String {
        let mut secrets: Vec<String> = [&self.token, &self.user.as_ref().map(|(_, password)| password.clone())]
            .into_iter()
            .flatten()
            .map(|secret| secret.0.clone())
            .collect();
        for server in self.url.split(',').filter_map(|text| text.trim().parse::<ServerAddr>().ok()) {
            secrets.extend([server.password(), server.username()].into_iter().flatten().map(str::to_owned));
        }
        secrets
            .iter()
            .filter(|secret| !secret.is_empty())
            .fold(one_line(what), |text, secret| text.replace(secret, "***"))
    }
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
        let addressed = servers(&options.url)?;
        let connect = as_user(connect_options(options, name, tell)?, options, &addressed);
        let url = shown(&options.url);
        // The client need not know secrets twice: it writes addresses into its words.
        let servers = servers(&url)?;
        let client = connect.connect(servers).await.map_err(|error| {
            let what = options.redacted(&error.to_string());
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
    let (teller, redacting) = (Arc::clone(tell), options.clone());
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
                Event::ServerError(error) => {
                    teller(&format!("the queue's server says: {}", redacting.redacted(&error.to_string())));
                }
                _ => {}
            }
            std::future::ready(())
        });
    if let Some(prefix) = options.inbox_prefix() {
        connect = connect.custom_inbox_prefix(prefix);
    }
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

/// A user and password, or a token: as the options say, or from the first
/// address that has them.
fn as_user(connect: ConnectOptions, options: &QueueOptions, servers: &[ServerAddr]) -> ConnectOptions {
    if let Some((user, Secret(password))) = &options.user {
        return connect.user_and_password(user.clone(), password.clone());
    }
    if let Some(Secret(token)) = &options.token {
        return connect.token(token.clone());
    }
    if let Some((user, password)) = user_in(servers) {
        return connect.user_and_password(user, password);
    }
    match servers.iter().find_map(ServerAddr::username) {
        Some(token) => connect.token(token.to_owned()),
        None => connect,
    }
}

fn user_in(servers: &[ServerAddr]) -> Option<(String, String)> {
    servers.iter().find_map(|server| Some((server.username()?.to_owned(), server.password()?.to_owned())))
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
        assert_eq!(shown("nats://me:s@cret@host:1"), "nats://host:1");
    }

    #[test]
    fn nothing_secret_is_shown() {
        let url = "nats://me:hidden@host:1".to_owned();
        let user = Some(("me".to_owned(), Secret("buried".to_owned())));
        let options = QueueOptions { url, user, token: Some(Secret("sunken".to_owned())), ..QueueOptions::default() };
        let shown = format!("{options:?} {:?} {}", options.user, options.redacted("no hidden, buried or sunken words"));
        for secret in ["hidden", "buried", "sunken"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert_eq!(options.inbox_prefix().as_deref(), Some("_INBOX_me"));
    }
}
