//! Silent, slow and noisy connections: nobody is locked out by them.

use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use papan_server::{DoorLimits, Limits};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::process::Process;
use crate::support::{Live, TempDb, TestServer, get, make, no_clock, person};

const PATIENCE: Duration = Duration::from_secs(30);

/// This process holds many connections too.
fn raise_own_limit() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

#[tokio::test]
async fn hundreds_of_silent_connections_lock_nobody_out() {
    raise_own_limit();
    let db = TempDb::new("silent");
    let server = Process::with_descriptors(&db, 256);
    let made = make(server.addr, "tic-tac-toe:rows=9,cols=9,k=5", [person(), person()], no_clock()).await;
    let mut early = Live::connect(server.addr, &made.id, &made.token("first")).await;
    early.view().await;
    let mut silent = Vec::new();
    for number in 0..600 {
        let mut stream = TcpStream::connect(server.addr).await.unwrap();
        // Some say nothing, some half a head, some the head of a body that never comes.
        let said =
            ["", "GET / HTT", "POST /api/board HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{"][number % 3];
        let _ = stream.write_all(said.as_bytes()).await;
        silent.push(stream);
    }
    let began = Instant::now();
    for ply in 0..9 {
        // A newcomer, an old socket and a new one.
        assert_eq!(timeout(PATIENCE, get(server.addr, "/api/catalog")).await.expect("an answer").status, 200);
        let mv = format!("{}1", char::from(b'a' + ply as u8));
        early.play(&mv, ply).await;
        timeout(PATIENCE, early.view_at(ply + 1)).await.expect("the move is acknowledged");
        let mut late = Live::connect(server.addr, &made.id, "").await;
        timeout(PATIENCE, late.view()).await.expect("a view");
        late.close().await;
        if ply == 3 {
            break;
        }
    }
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    assert!(server.descriptors() < 256, "{}", server.descriptors());
    drop(silent);
}

fn impatient() -> Limits {
    let short = Duration::from_millis(500);
    let door = DoorLimits { head: short, body: short, idle: short, socket_bytes: 64 * 1024, ..DoorLimits::default() };
    Limits { door, ..Limits::unlimited() }
}

/// What comes until the server closes the connection.
async fn until_closed(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset ends a connection as well.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("the server closes it");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn slow_heads_slow_bodies_and_idle_connections_are_closed() {
    let db = TempDb::new("slow");
    let server = TestServer::with_limits(&db, impatient()).await;
    // 1. Nothing at all.
    let mut silent = TcpStream::connect(server.addr).await.unwrap();
    assert_eq!(until_closed(&mut silent).await, "");
    // 2. A head that never ends, one byte after the other.
    let mut slow = TcpStream::connect(server.addr).await.unwrap();
    let began = Instant::now();
    while slow.write_all(b"x").await.is_ok() {
        assert!(began.elapsed() < PATIENCE, "a slow head is read for ever");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // 3. A body that does not come is told so.
    let mut body = TcpStream::connect(server.addr).await.unwrap();
    let head =
        "POST /api/board HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    body.write_all(head.as_bytes()).await.unwrap();
    let answer = until_closed(&mut body).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too_slow"), "{answer}");
    // 4. A connection that is kept for the next request is not kept for ever.
    let mut idle = TcpStream::connect(server.addr).await.unwrap();
    idle.write_all(b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    assert!(until_closed(&mut idle).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn floods_of_pings_pongs_and_binary_frames_close_the_socket() {
    let db = TempDb::new("pings");
    let limits = Limits { messages_per_second: 0.001, message_burst: 20.0, ..Limits::unlimited() };
    let server = TestServer::with_limits(&db, limits).await;
    let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    let kinds = [Message::Ping(Default::default()), Message::Pong(Default::default()), Message::binary(vec![7])];
    for message in kinds {
        let live = Live::connect(server.addr, &made.id, "").await;
        let (mut say, mut hear) = live.socket.split();
        let hearing = tokio::spawn(async move { while let Some(Ok(_)) = hear.next().await {} });
        for _ in 0..3_000 {
            if say.send(message.clone()).await.is_err() {
                break;
            }
        }
        timeout(PATIENCE, hearing).await.unwrap_or_else(|_| panic!("a flood of {message:?} goes on")).unwrap();
    }
    // Whoever says little is not disturbed.
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.socket.send(Message::Ping(Default::default())).await.unwrap();
    live.play("b2", 0).await;
    live.view_at(1).await;
}

#[tokio::test]
async fn fragments_that_never_become_a_message_close_the_socket() {
    let db = TempDb::new("fragments");
    let server = TestServer::with_limits(&db, impatient()).await;
    let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    let mut stream = TcpStream::connect(server.addr).await.unwrap();
    let head = format!(
        "GET /api/games/{}/live HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        made.id, server.addr
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 101");
    // A text that begins, and then empty pieces of it without end.
    let (begin, piece) = ([0x01, 0x80, 0, 0, 0, 0], [0x00, 0x80, 0, 0, 0, 0]);
    stream.write_all(&begin).await.unwrap();
    let began = Instant::now();
    while stream.write_all(&piece.repeat(1_000)).await.is_ok() {
        assert!(began.elapsed() < PATIENCE, "pieces without end are read for ever");
    }
}
