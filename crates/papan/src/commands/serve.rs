//! `papan serve`, and `papan` alone: the page.

use std::net::{SocketAddr, ToSocketAddrs as _};

use papan_core::error::quoted;
use papan_server::{ServeOptions, StartError};

use crate::cli::ServeArgs;
use crate::error::CliError;

pub(crate) fn run(args: &ServeArgs) -> Result<(), CliError> {
    let mut options = ServeOptions { open: !args.no_open, ..ServeOptions::default() };
    if let Some(addr) = &args.addr {
        options.addr = read_address(addr)?;
    }
    if let Some(db) = &args.db {
        options.db.clone_from(db);
    }
    options.limits.memory = args.memory.map(|megabytes| megabytes << 20);
    options.queue = args.queue.as_deref().map(|url| args.access.to(url));
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(papan_server::serve(options)).map_err(|error| match error {
        StartError::Io(error) => CliError::Io(error),
        StartError::Store(error) => CliError::Usage(error.to_string()),
    })
}

/// `127.0.0.1:8080`, `localhost:0`, or a port alone on this machine.
fn read_address(text: &str) -> Result<SocketAddr, CliError> {
    let with_host = if text.parse::<u16>().is_ok() { format!("127.0.0.1:{text}") } else { text.to_owned() };
    let found = with_host.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    found.ok_or_else(|| {
        CliError::Usage(format!("--addr is {}, expected an address such as 127.0.0.1:8080", quoted(text)))
    })
}
