//! `papan serve`, and `papan` alone: the page.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};

use papan_core::error::quoted;
use papan_server::{ServeOptions, StartError};

use crate::cli::ServeArgs;
use crate::error::CliError;

pub(crate) fn run(args: &ServeArgs) -> Result<(), CliError> {
    let mut options = ServeOptions { browser: !args.no_open, open: args.open, ..ServeOptions::default() };
    options.hosts = args.hosts.iter().map(|name| read_host(name)).collect::<Result<_, _>>()?;
    if let Some(games) = args.keep {
        options.keep.games = games as usize;
    }
    if let Some(addr) = &args.addr {
        options.addr = read_address(addr)?;
    }
    if let Some(db) = &args.db {
        options.db.clone_from(db);
    }
    options.limits.memory = args.memory.map(|megabytes| megabytes << 20);
    options.queue = args.queue.as_deref().map(|url| args.access.to(url)).transpose()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let served = runtime.block_on(papan_server::serve(options));
    // What still computes has nobody to tell it to.
    runtime.shutdown_background();
    served.map_err(|error| match error {
        StartError::Io(error) => CliError::Io(error),
        StartError::Store(error) => CliError::Usage(error.to_string()),
        StartError::NotOpen(_) => CliError::Usage(format!("--addr: {error}")),
    })
}

/// `papan.example` or `192.0.2.7`: what stands in a browser's address bar,
/// without a port.
fn read_host(text: &str) -> Result<String, CliError> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    if bare.parse::<IpAddr>().is_ok() || !text.is_empty() && text.len() <= 253 && text.chars().all(is_name) {
        Ok(bare.to_owned())
    } else {
        Err(CliError::Usage(format!(
            "--host is {}, expected a name such as papan.example, without a port",
            quoted(text)
        )))
    }
}

/// `127.0.0.1:8080`, `localhost:0`, or a port alone on this machine.
fn read_address(text: &str) -> Result<SocketAddr, CliError> {
    let with_host = if text.parse::<u16>().is_ok() { format!("127.0.0.1:{text}") } else { text.to_owned() };
    let found = with_host.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    found.ok_or_else(|| {
        CliError::Usage(format!("--addr is {}, expected an address such as 127.0.0.1:8080", quoted(text)))
    })
}
