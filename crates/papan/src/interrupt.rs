//! Ctrl-C: what is under way is asked to stop; a second one ends the program.

use std::sync::OnceLock;
use std::{process, thread};

use papan_core::StopToken;
use tokio::runtime::Builder;
use tokio::signal::ctrl_c;

/// The exit code of a program that was interrupted.
pub(crate) const INTERRUPTED: i32 = 130;

/// The token that Ctrl-C throws, the same one every time.
pub(crate) fn token() -> StopToken {
    static TOKEN: OnceLock<StopToken> = OnceLock::new();
    let token = TOKEN.get_or_init(|| {
        let token = StopToken::new();
        let thrown = token.clone();
        thread::spawn(move || listen(&thrown));
        token
    });
    token.clone()
}

/// Where signals cannot be listened for, Ctrl-C keeps its usual meaning.
fn listen(token: &StopToken) {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
    runtime.block_on(async {
        if ctrl_c().await.is_ok() {
            token.stop();
        }
        if ctrl_c().await.is_ok() {
            process::exit(INTERRUPTED);
        }
    });
}
