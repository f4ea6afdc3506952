//! The real process under attack, while an honest visitor plays: moves are
//! acknowledged, the simplest bot answers, memory stays within what was set,
//! and nothing goes on once the attackers have left. Everyone comes from the
//! same address, so that no limit by address helps the honest one.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use papan_server::Limits;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::process::used;
use crate::support::{Live, TempDb, TestServer, bot, get, make, no_clock, person, ply, post, request};

/// What the server may use for searches, and what it takes besides: its code,
/// pages and stacks, and what the allocator keeps.
const MEMORY_MIB: u64 = 600;
const BESIDES_MIB: u64 = 250;
/// Nobody wins this one in so few moves.
const GAME: &str = "tic-tac-toe:rows=15,cols=15,k=15";
/// Moves of the honest visitor.
const MOVES: usize = 25;
/// On an idle machine moves are acknowledged in 100 ms and `random` answers in
/// 150; a busy one is given more, and the figures are printed.
const ACKNOWLEDGED: Duration = Duration::from_millis(300);
const ANSWERED: Duration = Duration::from_millis(450);

struct Besieged {
    child: Child,
    addr: SocketAddr,
    _db: TempDb,
}

impl Besieged {
    fn start(name: &str) -> Self {
        let db = TempDb::new(name);
        let mut child = Command::new(env!("CARGO_BIN_EXE_papan-server"))
            .arg("127.0.0.1:0")
            .arg(db.path())
            .args(["--no-rate-limits", "--memory", &MEMORY_MIB.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().trim_end_matches('/').rsplit('/').next().unwrap().parse().unwrap();
        Self { child, addr, _db: db }
    }

    /// The most memory that it ever had.
    fn peak_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    /// The time that it has used of all cores.
    fn used(&self) -> Duration {
        used(&self.child)
    }

    /// A request whose answer nobody reads; it ends when it is dropped.
    async fn hold(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n", self.addr);
        stream.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes()).await.unwrap();
        stream
    }

    /// Plays against `random` and looks at how long moves and answers take.
    async fn play_honestly(&self, attack: &str) {
        let made = make(self.addr, GAME, [person(), bot("random")], no_clock()).await;
        let mut live = Live::connect(self.addr, &made.id, &made.token("first")).await;
        let mut view = live.view().await;
        let (mut acknowledged, mut answered) = (Vec::new(), Vec::new());
        for _ in 0..MOVES {
            let legal = view["legal"].as_array().unwrap();
            assert!(!legal.is_empty(), "{view}");
            let (mv, now) = (legal[legal.len() / 2].as_str().unwrap().to_owned(), ply(&view));
            let sent = Instant::now();
            live.play(&mv, now).await;
            live.view_where(|view| ply(view) > now).await;
            acknowledged.push(sent.elapsed());
            view = live.view_where(|view| ply(view) == now + 2).await;
            answered.push(sent.elapsed());
        }
        acknowledged.sort();
        answered.sort();
        let (median, last) = (acknowledged.len() / 2, acknowledged.len() - 1);
        println!(
            "{attack}: acknowledged in {:?}, at worst {:?}; answered in {:?}, at worst {:?}; memory at most {} MiB",
            acknowledged[median],
            acknowledged[last],
            answered[median],
            answered[last],
            self.peak_mib()
        );
        assert!(acknowledged[median] < ACKNOWLEDGED && acknowledged[last] < 10 * ACKNOWLEDGED, "{acknowledged:?}");
        assert!(answered[median] < ANSWERED && answered[last] < 10 * ANSWERED, "{answered:?}");
    }

    /// The attackers have left: everything ends within a second, a little more
    /// on a busy machine, and then nothing is done.
    async fn comes_to_rest(&self, attack: &str) {
        let left = Instant::now();
        let mut health = Value::Null;
        while left.elapsed() < Duration::from_secs(4) {
            health = get(self.addr, "/api/health").await.json();
            if health["searches"] == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let rested = left.elapsed();
        assert_eq!(health["searches"], 0, "{attack}: {health}");
        let before = self.used();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let used = self.used() - before;
        println!("{attack}: at rest after {rested:?}, then {used:?} of work in a second");
        assert!(used < Duration::from_millis(250), "{attack}: {used:?}");
        let peak = self.peak_mib();
        assert!(peak < MEMORY_MIB + BESIDES_MIB, "{attack}: {peak} MiB");
    }
}

impl Drop for Besieged {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn day() -> Value {
    json!({"kind": "game", "ms": 86_400_000, "increment_ms": 86_400_000})
}

/// Break 1: options of bots decided the server's memory.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_tables_stay_within_the_memory_that_was_set() {
    let server = Besieged::start("siege-memory");
    let wanted = |table: u32| {
        let seats = [bot(&format!("alpha-beta:table={table}")), bot("random")];
        json!({"game": "othello", "seats": seats, "clock": no_clock()})
    };
    let refused = post(server.addr, "/api/games", &wanted(4096)).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "bad_bot"));
    for path in ["/api/lab/counts", "/api/lab/tree", "/api/lab/run", "/api/analyse", "/api/review"] {
        let refused = get(server.addr, &format!("{path}?game=othello&bot=alpha-beta:table=4096")).await;
        assert!(refused.body.contains("bad_bot") && refused.body.contains("256"), "{path}: {}", refused.body);
    }
    // As large as is allowed, watched and kept: 8 GiB in all.
    let mut sockets = Vec::new();
    for seed in 0..16 {
        let big = bot(&format!("alpha-beta:table=256,seed={seed}"));
        let made = make(server.addr, "othello", [big.clone(), big], no_clock()).await;
        let mut live = Live::connect(server.addr, &made.id, &made.token("watch")).await;
        live.send(&json!({"type": "speed", "ms": 0})).await;
        sockets.push(live);
    }
    let mut requests = Vec::new();
    for seed in 0..16 {
        let question = format!("game=othello&bot=alpha-beta:table=256,depth=30,seed={seed}");
        requests.push(server.hold("GET", &format!("/api/lab/counts?{question}"), "").await);
        requests.push(server.hold("GET", &format!("/api/analyse?{question}&time=60s"), "").await);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.play_honestly("large tables").await;
    drop((sockets, requests));
    server.comes_to_rest("large tables").await;
}

/// Break 2: two games with a clock of a day, or sixty analyses, stopped every
/// bot.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_thoughts_and_many_analyses_hold_nobody_up() {
    let server = Besieged::start("siege-thoughts");
    let mut sockets = Vec::new();
    for _ in 0..8 {
        let made = make(server.addr, "othello", [bot("engine"), bot("engine")], day()).await;
        sockets.push(Live::connect(server.addr, &made.id, &made.token("watch")).await);
    }
    let mut analyses = Vec::new();
    for seed in 0..60 {
        let path = format!("/api/analyse?game=othello&bot=alpha-beta:depth=40,seed={seed}&time=60s");
        analyses.push(server.hold("GET", &path, "").await);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.play_honestly("long thoughts").await;
    // The others' bots too are still heard: nobody waits behind a day.
    let made = make(server.addr, "othello", [bot("alpha-beta:depth=2"), person()], no_clock()).await;
    let asked = Instant::now();
    let mut live = Live::connect(server.addr, &made.id, &made.token("second")).await;
    live.view_where(|view| ply(view) == 1).await;
    println!("long thoughts: a searching bot answers in {:?}", asked.elapsed());
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    live.close().await;
    drop((sockets, analyses));
    server.comes_to_rest("long thoughts").await;
}

/// Break 3: work before checks, and work for nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn abandoned_work_ends_and_holds_nobody_up() {
    let server = Besieged::start("siege-abandoned");
    let tournament = |games: u64| json!({"game": "othello", "bots": ["random", "greedy"], "games": games, "openings": {"kind": "balanced"}});
    let asked = Instant::now();
    let refused = post(server.addr, "/api/tournaments", &tournament(100_000)).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "bad_tournament"), "{}", refused.body);
    assert!(asked.elapsed() < Duration::from_secs(2), "sizes come first: {:?}", asked.elapsed());
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(server.hold("POST", "/api/tournaments", &tournament(20_000).to_string()).await);
    }
    let (mut slowest, mut number) = (Duration::ZERO, 0);
    for _ in 0..15 {
        let mut lab = Vec::new();
        for _ in 0..40 {
            number += 1;
            let question = format!("game=othello&bot=minimax:depth=20,seed={number}");
            lab.push(server.hold("GET", &format!("/api/lab/counts?{question}"), "").await);
        }
        let asked = Instant::now();
        assert_eq!(get(server.addr, "/api/games").await.status, 200);
        slowest = slowest.max(asked.elapsed());
    }
    println!("abandoned work: the library answers in {slowest:?} at worst");
    assert!(slowest < Duration::from_secs(3), "{slowest:?}");
    server.play_honestly("abandoned work").await;
    drop(held);
    server.comes_to_rest("abandoned work").await;
}

/// Long lines with a scene for every board are many megabytes each: those who
/// ask for them and do not read took the memory and the threads that answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_answers_that_nobody_reads_hold_nobody_up() {
    let server = Besieged::start("siege-lines");
    let game = "dots-and-boxes:rows=10,cols=10";
    let empty = post(server.addr, "/api/board", &json!({"game": game})).await.json();
    let line = json!({"game": game, "moves": empty["boards"][0]["legal"]}).to_string();
    let mut held = Vec::new();
    for _ in 0..60 {
        held.push(server.hold("POST", "/api/board", &line).await);
    }
    server.play_honestly("long lines").await;
    // One after the other they are made; the honest one plays on meanwhile.
    server.play_honestly("long lines").await;
    drop(held);
    server.comes_to_rest("long lines").await;
    let whole = request(server.addr, "POST", "/api/board", "content-type: application/json\r\n", &line).await;
    assert_eq!(whole.json()["boards"].as_array().unwrap().len(), 221, "who reads gets it whole");
}

/// Bots that choose in a moment, watched without a pause between moves, wrote
/// and told thousands of moves a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_quick_bots_share_a_pace() {
    let server = Besieged::start("siege-pace");
    let mut sockets = Vec::new();
    for _ in 0..50 {
        let made = make(server.addr, GAME, [bot("random"), bot("random")], no_clock()).await;
        let mut live = Live::connect(server.addr, &made.id, &made.token("watch")).await;
        live.send(&json!({"type": "speed", "ms": 0})).await;
        sockets.push((made.id, live));
    }
    let moves = async |sockets: &[(String, Live)]| {
        let mut moves = 0;
        for (id, _) in sockets {
            moves += ply(&get(server.addr, &format!("/api/games/{id}")).await.json());
        }
        moves
    };
    let (before, began) = (moves(&sockets).await, Instant::now());
    tokio::time::sleep(Duration::from_secs(2)).await;
    let made = (moves(&sockets).await - before) as f64 / began.elapsed().as_secs_f64();
    println!("quick bots: {made:.0} moves a second");
    assert!(made > 5.0 && made < 300.0, "{made} moves a second");
    drop(sockets);
    server.comes_to_rest("quick bots").await;
}

/// What is no move can be asked for without end; each time it would be stored
/// and told to everyone who watches. A game does it so often and no oftener,
/// whatever rates its sockets have; moves are not held up by it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_paused_only_so_often() {
    let server = Besieged::start("siege-pauses");
    let made = make(server.addr, GAME, [person(), bot("random")], no_clock()).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.view().await;
    let (mut views, mut refused) = (0, 0);
    for number in 0..200 {
        live.send(&json!({"type": "pause", "on": number % 2 == 0})).await;
        let message = live.next().await.expect("the socket stays open");
        match message["type"].as_str() {
            Some("view") => views += 1,
            _ => refused += u32::from(message["code"] == "rate_limited"),
        }
    }
    assert_eq!(views + refused, 200);
    assert!((1..100).contains(&views), "{views} views, {refused} refused");
    live.play("a1", 0).await;
    live.view_at(1).await;
}

/// Who asks the same question at the same time shares one search, which ends
/// with the last of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_question_is_searched_once() {
    let server = Besieged::start("siege-shared");
    let path = "/api/lab/counts?game=othello&bot=minimax:depth=20";
    let mut askers = Vec::new();
    for _ in 0..20 {
        askers.push(server.hold("GET", path, "").await);
    }
    for _ in 0..200 {
        if get(server.addr, "/api/health").await.json()["searches"] == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(get(server.addr, "/api/health").await.json()["searches"], 1);
    askers.truncate(1);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(get(server.addr, "/api/health").await.json()["searches"], 1, "one of them still waits");
    drop(askers);
    server.comes_to_rest("a shared question").await;
}

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    let db = TempDb::new("siege-often");
    let limits = Limits { look_burst: 3.0, looks_per_second: 0.01, ..Limits::unlimited() };
    let server = TestServer::with_limits(&db, limits).await;
    for _ in 0..3 {
        assert_eq!(get(server.addr, "/api/lab/exercise").await.status, 200);
    }
    for path in ["/api/lab/exercise", "/api/lab/tree?game=tic-tac-toe&bot=minimax", "/api/board.svg?game=othello"] {
        let refused = get(server.addr, path).await;
        assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"), "{path}");
        assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
        assert_eq!(refused.json()["error"]["retry_after"], 1);
    }
    assert_eq!(get(server.addr, "/api/games").await.status, 200, "what costs nothing is still answered");
}

#[tokio::test]
async fn also_cheap_answers_are_not_given_without_end() {
    let db = TempDb::new("siege-reads");
    let limits = Limits { read_burst: 3.0, reads_per_second: 0.01, ..Limits::unlimited() };
    let server = TestServer::with_limits(&db, limits).await;
    for _ in 0..3 {
        assert_eq!(get(server.addr, "/api/catalog").await.status, 200);
    }
    for path in ["/api/catalog", "/api/openapi.json", "/api/games", "/api/games/x", "/api/games/x/record"] {
        let refused = get(server.addr, path).await;
        assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"), "{path}");
        assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
    }
    assert_eq!(get(server.addr, "/").await.status, 200, "the page itself is no part of the API");
}
