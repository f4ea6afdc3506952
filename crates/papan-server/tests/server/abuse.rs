//! Ten thousand random and malformed messages: no crash, no wrong state.

use crate::support::{Live, TempDb, TestServer, get, make, no_clock, person, ply, post};
use papan_core::Random;
use papan_server::Limits;
use serde_json::{Value, json};

const MESSAGES: usize = 10_000;
/// After so many messages the state is compared with the rules.
const CHECK_EVERY: usize = 250;

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

/// A message that is right in form; mostly wrong in content.
fn plausible(random: &mut Random, view: &Value) -> String {
    let now = ply(view);
    let ply = [now, now, now + 1, now.wrapping_sub(1), 0, u64::MAX][random.below(6)];
    let legal = view["legal"].as_array().unwrap();
    let mv = match random.below(3) {
        0 if !legal.is_empty() => legal[random.below(legal.len())].clone(),
        1 => json!(pick(random, &["", "a1", "z99", "pass", "é", "\u{0}", "h0,2", "a1a1a1a1"])),
        _ => json!(random.bits() as i64),
    };
    let name = pick(
        random,
        &[
            "move",
            "move",
            "undo",
            "redo",
            "undo_accept",
            "undo_offer",
            "undo_decline",
            "stop",
            "ping",
            "speed",
            "pause",
            "x",
        ],
    );
    let extra = json!([null, true, -1, 1.5, "500", 500, [], {}])[random.below(8)].clone();
    json!({"type": name, "move": mv, "ply": ply, "ms": extra, "on": extra}).to_string()
}

/// `text` without the fields that its type does not have.
fn trimmed(text: &str) -> String {
    let mut message: Value = serde_json::from_str(text).unwrap();
    let keep: &[&str] = match message["type"].as_str().unwrap() {
        "move" => &["type", "move", "ply"],
        "undo" | "redo" | "undo_offer" => &["type", "ply"],
        "speed" => &["type", "ms"],
        "pause" => &["type", "on"],
        _ => &["type"],
    };
    message.as_object_mut().unwrap().retain(|key, _| keep.contains(&key.as_str()));
    message.to_string()
}

/// `text` with a few bytes changed, dropped or doubled.
fn mangled(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => bytes[at] = random.bits() as u8,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, bytes[at]),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn nonsense(random: &mut Random) -> String {
    match random.below(5) {
        0 => "[".repeat(1 + random.below(3_000)),
        1 => "x".repeat(random.below(6_000)),
        2 => json!({"type": "move", "move": "y".repeat(5_000), "ply": 0}).to_string(),
        3 => (0..random.below(200)).map(|_| char::from_u32(random.bits() as u32 % 0x3000).unwrap_or('?')).collect(),
        _ => pick(random, &["", "null", "{}", "[]", "0", "\"\"", "{\"type\":null}", "{\"type\":\"view\"}"]).to_owned(),
    }
}

/// The moves of the view, played by the rules, must lead to its position.
async fn check(addr: std::net::SocketAddr, view: &Value) {
    let moves: Vec<_> = view["moves"].as_array().unwrap().iter().map(|played| played["move"].clone()).collect();
    let line = json!({"game": view["game"], "position": view["start"], "moves": moves, "scenes": "last"});
    let boards = post(addr, "/api/board", &line).await.json();
    let last = boards["boards"].as_array().unwrap().last().unwrap();
    for name in ["position", "ply", "to_move", "over", "legal", "points"] {
        assert_eq!(last[name], view[name], "{name}");
    }
}

/// Sends a ping and reads until its answer: everything before it is dealt with.
async fn settle(live: &mut Live) {
    live.send(&json!({"type": "ping"})).await;
    while live.next().await.expect("the socket stays open")["type"] != "pong" {}
}

#[tokio::test]
async fn random_and_malformed_messages_never_break_a_game() {
    let db = TempDb::new("abuse");
    let server = TestServer::start(&db).await;
    let mut random = Random::new(2026);
    let game = "tic-tac-toe:rows=15,cols=15,k=5";
    let (mut accepted, mut games) = (0, 0);
    let mut sent = 0;
    while sent < MESSAGES {
        games += 1;
        let made = make(server.addr, game, [person(), person()], no_clock()).await;
        let path = format!("/api/games/{}", made.id);
        let mut player = Live::connect(server.addr, &made.id, &made.token("first")).await;
        let mut spectator = Live::connect(server.addr, &made.id, "").await;
        let mut view = get(server.addr, &path).await.json();
        while sent < MESSAGES && view["over"] == false {
            for _ in 0..CHECK_EVERY {
                let socket = if random.below(4) == 0 { &mut spectator } else { &mut player };
                let message = plausible(&mut random, &view);
                match random.below(5) {
                    0 => socket.send_text(&mangled(&mut random, &message)).await,
                    1 => socket.send_text(&nonsense(&mut random)).await,
                    2 => socket.send_text(&message).await,
                    3 => socket.send_text(&trimmed(&message)).await,
                    _ => socket.send_binary(message.into_bytes()).await,
                }
                sent += 1;
                // Both sides of a real connection read; so must these.
                if sent % 20 == 0 {
                    settle(&mut player).await;
                    settle(&mut spectator).await;
                    let next = get(server.addr, &path).await.json();
                    accepted += u64::from(next["moves"] != view["moves"]);
                    view = next;
                }
            }
            check(server.addr, &view).await;
        }
    }
    assert!(accepted > 20, "some of it was play: {accepted} changes in {games} games");
}

#[tokio::test]
async fn a_frame_beyond_all_measure_closes_only_its_own_socket() {
    let db = TempDb::new("huge");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    let mut good = Live::connect(server.addr, &made.id, &made.token("first")).await;
    let mut bad = Live::connect(server.addr, &made.id, "").await;
    good.view().await;
    bad.send_text(&"x".repeat(60_000)).await;
    assert_eq!(bad.error().await, "too_large");
    bad.send_text(&"x".repeat(300_000)).await;
    while bad.next().await.is_some() {}
    good.play("b2", 0).await;
    good.view_at(1).await;
}

#[tokio::test]
async fn a_socket_that_talks_too_much_is_told_so() {
    let db = TempDb::new("chatter");
    let limits = Limits { messages_per_second: 0.001, message_burst: 2.0, ..Limits::unlimited() };
    let server = TestServer::with_limits(&db, limits).await;
    let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.view().await;
    live.play("b2", 0).await;
    live.view_at(1).await;
    live.play("b2", 0).await;
    assert_eq!(live.error().await, "stale_ply");
    live.play("a1", 1).await;
    assert_eq!(live.error().await, "rate_limited");
    let view = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
    assert_eq!(ply(&view), 1);
}
