//! The server alone, without the command line: `papan-server [ADDR] [DB]`.
//! The load and fault tests run it as a process of its own.

use std::net::SocketAddr;

use papan_server::{Limits, ServeOptions, serve};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut options = ServeOptions::default();
    if let Some(addr) = arguments.next() {
        options.addr = addr.parse::<SocketAddr>()?;
    }
    if let Some(db) = arguments.next() {
        options.db = db.into();
    }
    // A client of the load test is many people behind one address.
    if arguments.next().as_deref() == Some("--no-rate-limits") {
        options.limits = Limits::unlimited();
    }
    Ok(serve(options).await?)
}
