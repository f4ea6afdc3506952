//! The end: everyone is told, nothing is lost, and it does not take long.

use std::time::Duration;

use futures_util::StreamExt as _;
use rustix::process::Signal;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::process::Process;
use crate::support::{Live, TempDb, bot, get, make, no_clock, person, wait_until_healthy};
use serde_json::json;

/// On a machine that has something else to do; alone it takes far less.
const SOON: Duration = Duration::from_secs(5);

#[tokio::test]
async fn both_signals_end_the_server_in_order() {
    for (name, signal) in [("interrupt", Signal::INT), ("terminate", Signal::TERM)] {
        let db = TempDb::new(name);
        let mut server = Process::start(&db);
        let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
        let mut player = Live::connect(server.addr, &made.id, &made.token("first")).await;
        player.view().await;
        player.play("b2", 0).await;
        player.view_at(1).await;
        // A bot that thinks, an analysis that is read, a connection that waits.
        let clock = json!({"kind": "move", "ms": 60_000});
        let thinking = make(server.addr, "othello", [bot("alpha-beta:depth=40"), person()], clock).await;
        let watching = Live::connect(server.addr, &thinking.id, &thinking.token("second")).await;
        let mut analysis = TcpStream::connect(server.addr).await.unwrap();
        let path = "/api/analyse?game=othello&bot=alpha-beta:depth=40&time=60s";
        let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        analysis.write_all(head.as_bytes()).await.unwrap();
        let _waits = TcpStream::connect(server.addr).await.unwrap();
        wait_until_healthy(server.addr, |health| health["searches"].as_u64() >= Some(1)).await;
        server.signal(signal);
        let closed = timeout(SOON, async {
            loop {
                if let Some(Ok(Message::Close(frame))) = player.socket.next().await {
                    return frame.map(|frame| u16::from(frame.code));
                }
            }
        });
        assert_eq!(closed.await.expect("the socket is closed"), Some(1001), "{name}: going away");
        let mut events = Vec::new();
        let read = timeout(SOON, analysis.read_to_end(&mut events)).await.expect("the stream ends");
        assert!(read.is_ok() && events.ends_with(b"0\r\n\r\n"), "{name}: the stream ends as it should");
        let (status, took) = server.wait();
        assert_eq!(status.code(), Some(0), "{name}: {}", server.stderr());
        assert!(took < SOON, "{name}: {took:?}");
        drop(watching);
        // The log is in the file: it can be copied alone.
        let log = format!("{}-wal", db.path().display());
        assert!(!std::path::Path::new(&log).exists(), "{name}: the store is closed");
        let server = Process::start(&db);
        let view = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
        assert_eq!(view["ply"], 1);
    }
}
