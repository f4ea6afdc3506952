//! Ctrl-C: what is under way is asked to stop; a second one ends the program.

use std::{io, process, thread};

use papan_core::StopToken;

/// The exit code of a program that was interrupted.
pub(crate) const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C throws `stop`.
pub(crate) fn stops(stop: StopToken) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    thread::spawn(move || {
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if stop.is_stopped() {
                    process::exit(INTERRUPTED);
                }
                stop.stop();
            }
        });
    });
    Ok(())
}
