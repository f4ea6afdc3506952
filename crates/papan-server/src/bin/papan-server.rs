//! The server alone, without the command line: `papan-server [ADDR] [DB]
//! [--no-rate-limits] [--memory MIB]`.
//! The load and fault tests run it as a process of its own.

use std::net::SocketAddr;
use std::process::ExitCode;

use papan_server::{Limits, ServeOptions, serve};

fn main() -> ExitCode {
    let done = options().and_then(|options| {
        let runtime = tokio::runtime::Runtime::new()?;
        let served = runtime.block_on(serve(options));
        // What still computes has nobody to tell it to.
        runtime.shutdown_background();
        Ok(served?)
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("papan-server: {error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<ServeOptions, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut options = ServeOptions::default();
    if let Some(addr) = arguments.next() {
        options.addr = addr.parse::<SocketAddr>()?;
    }
    if let Some(db) = arguments.next() {
        options.db = db.into();
    }
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // A client of the load test is many people behind one address.
            "--no-rate-limits" => options.limits = Limits { memory: options.limits.memory, ..Limits::unlimited() },
            "--memory" => {
                let megabytes: u64 = arguments.next().ok_or("--memory needs a number of megabytes")?.parse()?;
                options.limits.memory = Some(megabytes << 20);
            }
            other => return Err(format!("{other:?} is no option").into()),
        }
    }
    Ok(options)
}
