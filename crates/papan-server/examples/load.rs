//! How much the server carries:
//! `cargo build --release -p papan-server --bins --example load && target/release/examples/load`
//!
//! Starts the server as a process of its own, opens idle sockets and looks at
//! its memory; makes durable moves at a fixed rate and looks at the time from
//! the moment each was due to its acknowledgement; ends searches in every way
//! and looks at how long they go on. `load idle`, `load moves` and `load stops`
//! do one of the three.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::sleep_until;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

const IDLE_SOCKETS: usize = 2_000;
const PLAYING: usize = 100;
const MOVES_PER_SECOND: u64 = 1_000;
const SECONDS: u64 = 20;
const GAME: &str = "adjacency:rounds=28";
const STOPS: usize = 8;
/// Searches are stopped at once, and later and later after they began.
const STOP_DELAY: Duration = Duration::from_millis(40);

const PERSON: &str = r#"{"kind":"person"}"#;
/// Searches that would go on for long: game, bot, the move that it answers.
const SEARCHES: [(&str, &str, &str); 6] = [
    ("othello", "alpha-beta:depth=40", "f5"),
    ("othello", "engine", "f5"),
    ("dots-and-boxes:rows=5,cols=5", "engine", "h0,0"),
    ("adjacency:rounds=28", "engine", "d4"),
    ("tic-tac-toe:rows=7,cols=7,k=5", "engine", "d4"),
    ("tic-tac-toe:rows=15,cols=15,k=5", "engine", "h8"),
];

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
type Socket = WebSocketStream<TcpStream>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let server = ServerProcess::start()?;
    println!("server alone: {} MiB", server.resident_mib()?);
    let names: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|one| one == name);
    if wanted("idle") {
        idle(&server).await?;
    }
    if wanted("moves") {
        moves(&server).await?;
    }
    if wanted("stops") {
        stops(&server).await?;
    }
    Ok(())
}

/// The server beside this program, on a file of its own.
struct ServerProcess {
    child: Child,
    addr: SocketAddr,
    db: PathBuf,
}

impl ServerProcess {
    fn start() -> Outcome<Self> {
        let here = std::env::current_exe()?;
        let folder = here.parent().and_then(|examples| examples.parent()).ok_or("no target folder")?;
        // The disk matters: not a file system in memory.
        let db = folder.join(format!("load-{}.db", std::process::id()));
        let mut child = Command::new(folder.join("papan-server"))
            .arg("127.0.0.1:0")
            .arg(&db)
            .arg("--no-rate-limits")
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let addr = line.trim().trim_end_matches('/').rsplit('/').next().ok_or("no address")?.parse()?;
        Ok(Self { child, addr, db })
    }

    fn resident_mib(&self) -> Outcome<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS")).ok_or("no VmRSS")?;
        let kib: u64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
        Ok(kib / 1024)
    }

    async fn request(&self, line: &str, body: &str) -> Outcome<String> {
        let mut stream = TcpStream::connect(self.addr).await?;
        let head = format!("host: {}\r\nconnection: close\r\ncontent-type: application/json", self.addr);
        let request = format!("{line} HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    /// A game for a person and whoever `other` says: its id and key.
    async fn make_game(&self, game: &str, other: &str) -> Outcome<(String, String)> {
        let body = format!(r#"{{"game":"{game}","seats":[{{"kind":"person"}},{other}]}}"#);
        let answer = self.request("POST /api/games", &body).await?;
        let field = |name: &str| {
            let rest = answer.split_once(&format!("\"{name}\":\""))?.1;
            Some(rest.split_once('"')?.0.to_owned())
        };
        Ok((field("id").ok_or("no id")?, field("first").ok_or("no key")?))
    }

    /// Waits until no search runs or waits.
    async fn rest(&self) -> Outcome<()> {
        while !self.request("GET /api/health", "").await?.contains("\"searches\":0") {}
        Ok(())
    }

    async fn connect(&self, id: &str, token: &str) -> Outcome<Socket> {
        let stream = TcpStream::connect(self.addr).await?;
        stream.set_nodelay(true)?;
        let url = format!("ws://{}/api/games/{id}/live?token={token}", self.addr);
        let config = WebSocketConfig::default().read_buffer_size(4096);
        Ok(client_async_with_config(url, stream, Some(config)).await?.0)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        for ending in ["", "-wal", "-shm"] {
            let mut name = self.db.clone().into_os_string();
            name.push(ending);
            let _ = std::fs::remove_file(name);
        }
    }
}

/// Two sockets at each of a thousand games, all of which have their view.
async fn idle(server: &ServerProcess) -> Outcome<()> {
    let mut sockets = Vec::with_capacity(IDLE_SOCKETS);
    for _ in 0..IDLE_SOCKETS / 2 {
        let (id, token) = server.make_game(GAME, PERSON).await?;
        for token in [token.as_str(), ""] {
            let mut socket = server.connect(&id, token).await?;
            next_text(&mut socket).await?;
            sockets.push(socket);
        }
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("{} idle sockets at {} games: {} MiB", sockets.len(), IDLE_SOCKETS / 2, server.resident_mib()?);
    Ok(())
}

async fn next_text(socket: &mut Socket) -> Outcome<String> {
    loop {
        match socket.next().await.ok_or("the socket closed")?? {
            Message::Text(text) => return Ok(text.as_str().to_owned()),
            Message::Close(_) => return Err("the socket closed".into()),
            _ => {}
        }
    }
}

/// A view's ply and one of its legal moves, without reading the rest.
fn glance(view: &str, random: usize) -> Option<(u64, Option<&str>)> {
    let ply = view.split_once("\"ply\":")?.1.split_once(',')?.0.parse().ok()?;
    let legal = view.split_once("\"legal\":[")?.1.split_once(']')?.0;
    let moves: Vec<_> = legal.split(',').map(|mv| mv.trim_matches('"')).filter(|mv| !mv.is_empty()).collect();
    Some((ply, moves.get(random % moves.len().max(1)).copied()))
}

/// Each game makes a move at fixed times, whether or not the last one was
/// quick: a slow answer makes the next ones late, and that counts.
async fn moves(server: &ServerProcess) -> Outcome<()> {
    let pause = Duration::from_micros(1_000_000 * PLAYING as u64 / MOVES_PER_SECOND);
    let start = Instant::now() + Duration::from_secs(2);
    let players = (0..PLAYING).map(|number| play(server, start + pause * number as u32 / PLAYING as u32, pause));
    let mut latencies: Vec<Duration> =
        futures_util::future::try_join_all(players).await?.into_iter().flatten().collect();
    let seconds = start.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{} moves in {seconds:.1} s, {:.0} a second over {PLAYING} games",
        latencies.len(),
        latencies.len() as f64 / seconds
    );
    println!(
        "due to acknowledged: p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms, max {:.1} ms",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    println!("server after that: {} MiB", server.resident_mib()?);
    Ok(())
}

async fn play(server: &ServerProcess, start: Instant, pause: Duration) -> Outcome<Vec<Duration>> {
    let mut latencies = Vec::new();
    let (mut due, end) = (start, start + Duration::from_secs(SECONDS));
    while due < end {
        let (id, token) = server.make_game(GAME, PERSON).await?;
        let mut socket = server.connect(&id, &token).await?;
        let mut view = next_text(&mut socket).await?;
        // The time that making a game takes is not a move's.
        while due < Instant::now() {
            due += pause;
        }
        while due < end {
            let (ply, mv) = glance(&view, latencies.len() * 31).ok_or("no view")?;
            let Some(mv) = mv else { break };
            sleep_until(due.into()).await;
            socket.send(Message::text(format!(r#"{{"type":"move","move":"{mv}","ply":{ply}}}"#))).await?;
            view = next_text(&mut socket).await?;
            if glance(&view, 0).ok_or("no view")?.0 != ply + 1 {
                return Err(format!("not acknowledged: {view}").into());
            }
            latencies.push(due.elapsed());
            due += pause;
        }
    }
    Ok(latencies)
}

/// How a search is ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    TakenBack,
    GameEnded,
    SocketClosed,
    AnalysisClosed,
}

const ENDINGS: [(Ending, &str); 4] = [
    (Ending::TakenBack, "move taken back"),
    (Ending::GameEnded, "game ended"),
    (Ending::SocketClosed, "socket closed"),
    (Ending::AnalysisClosed, "analysis closed"),
];

/// The time from asking a search to end until the server has none left.
async fn stops(server: &ServerProcess) -> Outcome<()> {
    for (game, bot, mv) in SEARCHES {
        for (ending, words) in ENDINGS {
            let mut times = Vec::with_capacity(STOPS);
            for number in 0..STOPS as u32 {
                times.push(stop(server, (game, bot, mv), ending, STOP_DELAY * number).await?);
            }
            times.sort_unstable();
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            println!(
                "{game} {bot}, {words}: the search was gone after {:.1} ms (median), at most {:.1} ms, in {STOPS} tries",
                ms(times[STOPS / 2]),
                ms(times[STOPS - 1])
            );
        }
    }
    Ok(())
}

async fn stop(
    server: &ServerProcess,
    (game, bot, mv): (&str, &str, &str),
    ending: Ending,
    delay: Duration,
) -> Outcome<Duration> {
    if ending == Ending::AnalysisClosed {
        return stop_analysis(server, game, bot, delay).await;
    }
    let seat = format!(r#"{{"kind":"bot","spec":"{bot}"}}"#);
    let (id, token) = server.make_game(game, &seat).await?;
    let mut socket = server.connect(&id, &token).await?;
    next_text(&mut socket).await?;
    socket.send(Message::text(format!(r#"{{"type":"move","move":"{mv}","ply":0}}"#))).await?;
    while !next_text(&mut socket).await?.starts_with(r#"{"type":"thinking""#) {}
    tokio::time::sleep(delay).await;
    let asked = Instant::now();
    match ending {
        Ending::TakenBack => socket.send(Message::text(r#"{"type":"undo","ply":1}"#)).await?,
        Ending::GameEnded => socket.send(Message::text(r#"{"type":"end"}"#)).await?,
        Ending::SocketClosed | Ending::AnalysisClosed => drop(socket),
    }
    server.rest().await?;
    Ok(asked.elapsed())
}

async fn stop_analysis(server: &ServerProcess, game: &str, bot: &str, delay: Duration) -> Outcome<Duration> {
    let mut stream = TcpStream::connect(server.addr).await?;
    let line = format!("GET /api/analyse?game={game}&bot={bot}&time=60s HTTP/1.1");
    stream.write_all(format!("{line}\r\nhost: {}\r\n\r\n", server.addr).as_bytes()).await?;
    while !server.request("GET /api/health", "").await?.contains("\"searches\":1") {}
    tokio::time::sleep(delay).await;
    let asked = Instant::now();
    drop(stream);
    server.rest().await?;
    Ok(asked.elapsed())
}
