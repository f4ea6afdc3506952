//! A real server on a real port, and clients that talk to it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use papan_server::{Limits, ServeOptions, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Nothing in these tests takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// A file that is removed with its companions when the test ends.
pub(crate) struct TempDb(PathBuf);

impl TempDb {
    pub(crate) fn new(name: &str) -> Self {
        let db = Self(std::env::temp_dir().join(format!("papan-{name}-{}.db", std::process::id())));
        db.remove();
        db
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    fn remove(&self) {
        for ending in ["", "-wal", "-shm", "-lock"] {
            let mut name = self.0.as_os_str().to_owned();
            name.push(ending);
            let _ = std::fs::remove_file(name);
        }
    }
}

impl Drop for TempDb {
    fn drop(&mut self) {
        self.remove();
    }
}

/// A server in this process.
pub(crate) struct TestServer {
    pub(crate) addr: SocketAddr,
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl TestServer {
    pub(crate) async fn start(db: &TempDb) -> Self {
        Self::with_limits(db, Limits::unlimited()).await
    }

    pub(crate) async fn with_limits(db: &TempDb, limits: Limits) -> Self {
        Self::with_options(ServeOptions { db: db.path().to_owned(), limits, ..ServeOptions::default() }).await
    }

    pub(crate) async fn with_options(options: ServeOptions) -> Self {
        let server = Server::bind(&options).await.unwrap();
        let addr = server.addr();
        let (end, ended) = oneshot::channel();
        let task = tokio::spawn(server.run_until(async move {
            // A test that is over drops the sender: that is an end too.
            let _ = ended.await;
        }));
        Self { addr, end, task }
    }

    /// Ends it in order: its file can be opened again.
    pub(crate) async fn stop(self) {
        let _ = self.end.send(());
        self.task.await.unwrap();
    }
}

/// An HTTP answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }
}

/// One request with extra headers; bodies of answers are small and whole.
pub(crate) async fn request(addr: SocketAddr, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let host = if headers.to_ascii_lowercase().contains("host:") { String::new() } else { format!("host: {addr}\r\n") };
    let text = format!(
        "{method} {path} HTTP/1.1\r\n{host}connection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("an answer in time");
    // A server that refuses a large body may close before it has read it all.
    if bytes.is_empty() {
        read.unwrap();
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

pub(crate) async fn get(addr: SocketAddr, path: &str) -> Answer {
    request(addr, "GET", path, "", "").await
}

pub(crate) async fn post(addr: SocketAddr, path: &str, body: &Value) -> Answer {
    request(addr, "POST", path, "content-type: application/json\r\n", &body.to_string()).await
}

pub(crate) fn person() -> Value {
    json!({"kind": "person", "name": "Ana"})
}

pub(crate) fn friend() -> Value {
    json!({"kind": "link", "name": ""})
}

pub(crate) fn bot(spec: &str) -> Value {
    json!({"kind": "bot", "spec": spec, "name": null})
}

/// A game that was made, with the answer's parts at hand.
pub(crate) struct Made {
    pub(crate) id: String,
    pub(crate) answer: Value,
}

impl Made {
    pub(crate) fn token(&self, seat: &str) -> String {
        self.answer["tokens"][seat].as_str().unwrap().to_owned()
    }
}

pub(crate) async fn make(addr: SocketAddr, game: &str, seats: [Value; 2], clock: Value) -> Made {
    let wanted = json!({"game": game, "position": null, "seats": seats, "clock": clock, "swap_of": null});
    let answer = post(addr, "/api/games", &wanted).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    let answer = answer.json();
    Made { id: answer["id"].as_str().unwrap().to_owned(), answer }
}

pub(crate) fn no_clock() -> Value {
    json!({"kind": "none"})
}

/// A socket at a game.
pub(crate) struct Live {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Live {
    pub(crate) async fn connect(addr: SocketAddr, id: &str, token: &str) -> Self {
        let url = format!("ws://{addr}/api/games/{id}/live?token={token}");
        let (socket, _) = connect_async(url).await.unwrap();
        Self { socket }
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn send_binary(&mut self, bytes: Vec<u8>) {
        self.socket.send(Message::binary(bytes)).await.unwrap();
    }

    /// The next message, `None` once the server has closed the socket.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a message in time");
            match message {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message of this type; others are skipped.
    pub(crate) async fn expect(&mut self, wanted: &str) -> Value {
        loop {
            let message = self.next().await.expect("the socket stays open");
            if message["type"] == wanted {
                return message;
            }
            assert!(message["type"] != "error", "expected {wanted}, got {message}");
        }
    }

    pub(crate) async fn view(&mut self) -> Value {
        self.expect("view").await["view"].take()
    }

    /// The next view that satisfies `wanted`.
    pub(crate) async fn view_where(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let view = self.view().await;
            if wanted(&view) {
                return view;
            }
        }
    }

    pub(crate) async fn view_at(&mut self, ply: u64) -> Value {
        self.view_where(|view| view["ply"] == ply).await
    }

    /// The code of the next error; views and thoughts are skipped.
    pub(crate) async fn error(&mut self) -> String {
        loop {
            let message = self.next().await.expect("the socket stays open");
            if message["type"] == "error" {
                return message["code"].as_str().unwrap().to_owned();
            }
        }
    }

    pub(crate) async fn play(&mut self, mv: &str, ply: u64) {
        self.send(&json!({"type": "move", "move": mv, "ply": ply})).await;
    }

    /// As [`Live::play`], false if the server is gone.
    pub(crate) async fn try_play(&mut self, mv: &str, ply: u64) -> bool {
        let message = json!({"type": "move", "move": mv, "ply": ply});
        self.socket.send(Message::text(message.to_string())).await.is_ok()
    }

    pub(crate) async fn close(mut self) {
        let _ = self.socket.close(None).await;
    }
}

/// A listener to a tournament or an experiment.
pub(crate) struct Follower {
    stream: TcpStream,
    /// What has come and is no whole event yet.
    bytes: Vec<u8>,
}

impl Follower {
    /// At the address of the events of `path`.
    pub(crate) async fn connect(addr: SocketAddr, path: &str) -> Self {
        let mut stream = TcpStream::connect(addr).await.unwrap();
        let head = format!("GET {path}/events HTTP/1.1\r\nhost: {addr}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        Self { stream, bytes: Vec::new() }
    }

    /// The next event and its data; nothing once the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some(end) = self.bytes.windows(2).position(|pair| pair == b"\n\n") {
                let event: Vec<u8> = self.bytes.drain(..end + 2).collect();
                let event = String::from_utf8(event).unwrap();
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                // The head, the lengths of chunks and heartbeats are no events.
                if let Some((name, data)) = field("event: ").zip(field("data: ")) {
                    return Some((name.to_owned(), serde_json::from_str(data).unwrap()));
                }
                continue;
            }
            let mut bytes = vec![0; 64 * 1024];
            let read = tokio::time::timeout(PATIENCE, self.stream.read(&mut bytes)).await.expect("an event in time");
            let count = read.unwrap_or(0);
            if count == 0 {
                return None;
            }
            self.bytes.extend(bytes[..count].iter().filter(|&&byte| byte != b'\r'));
        }
    }

    /// The next state that satisfies `wanted`.
    pub(crate) async fn state_where(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let (name, data) = self.next().await.expect("the stream goes on");
            assert_eq!(name, "state", "it has ended before");
            if wanted(&data) {
                return data;
            }
        }
    }

    /// The last state, once the stream has said that it was the last.
    pub(crate) async fn last(&mut self) -> Value {
        let mut last = Value::Null;
        loop {
            match self.next().await.expect("the stream has an end") {
                (name, state) if name == "state" => last = state,
                (name, _) if name == "end" => return last,
                (name, data) => panic!("{name}: {data}"),
            }
        }
    }
}

/// Begins a tournament or an experiment; gives its address.
pub(crate) async fn begin(addr: SocketAddr, path: &str, wanted: &Value) -> String {
    let begun = post(addr, path, wanted).await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    format!("{path}/{}", text(&begun.json(), "id"))
}

pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

pub(crate) fn ply(view: &Value) -> u64 {
    view["ply"].as_u64().unwrap()
}

/// Waits until `/api/health` says so.
pub(crate) async fn wait_until_healthy(addr: SocketAddr, wanted: impl Fn(&Value) -> bool) {
    for _ in 0..2_000 {
        if wanted(&get(addr, "/api/health").await.json()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the server did not come to rest: {}", get(addr, "/api/health").await.body);
}
