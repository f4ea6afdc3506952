//! Ctrl-C, or the system's own request to end: what is under way is asked to
//! stop; a second one ends the program.

use std::sync::OnceLock;
use std::{process, thread};

use papan_core::StopToken;
use tokio::runtime::Builder;
use tokio::signal::ctrl_c;

/// The exit code of a program that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

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
        if asked_to_end().await {
            token.stop();
        }
        if asked_to_end().await {
            process::exit(INTERRUPTED.into());
        }
    });
}

/// Waits for either; false where neither can be listened for.
#[cfg(unix)]
async fn asked_to_end() -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return ctrl_c().await.is_ok() };
    tokio::select! {
        pressed = ctrl_c() => pressed.is_ok(),
        asked = terminate.recv() => asked.is_some(),
    }
}

#[cfg(not(unix))]
async fn asked_to_end() -> bool {
    ctrl_c().await.is_ok()
}
