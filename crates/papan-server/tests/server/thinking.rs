//! A bot that thinks or waits says so, with numbers that grow.

use std::time::Duration;

use papan_server::Limits;
use serde_json::{Value, json};

use crate::support::{Live, TempDb, TestServer, bot, make, no_clock, person};

/// Ten minutes for the game: the engine takes some seconds of it for a move.
fn long_clock() -> Value {
    json!({"kind": "game", "ms": 600_000, "increment_ms": 0})
}

/// Thoughts until there are `wanted` of them, before the bot has moved.
async fn thoughts(live: &mut Live, wanted: usize) -> Vec<Value> {
    let mut thoughts = Vec::new();
    while thoughts.len() < wanted {
        let message = live.next().await.expect("the socket stays open");
        match message["type"].as_str() {
            Some("thinking") => thoughts.push(message),
            Some("view") => assert_eq!(message["view"]["ply"], 0, "the bot has moved after {thoughts:?}"),
            other => panic!("{other:?}: {message}"),
        }
    }
    thoughts
}

/// The values of a field, each greater than the one before it if they are made distinct.
fn grows(messages: &[Value], field: &str) -> bool {
    let mut values: Vec<_> = messages.iter().map(|message| message[field].as_u64().unwrap()).collect();
    let is_sorted = values.is_sorted();
    values.dedup();
    is_sorted && values.len() > messages.len() / 2
}

#[tokio::test]
async fn an_engine_tells_how_far_it_is_while_its_clock_runs() {
    // Games whose first move is in no book and too far from the end for a proof.
    for game in
        ["othello", "adjacency:rounds=20,neighbours=8", "dots-and-boxes:rows=6,cols=6", "tic-tac-toe:rows=9,cols=9,k=5"]
    {
        let db = TempDb::new("thinking");
        let server = TestServer::start(&db).await;
        let made = make(server.addr, game, [bot("engine"), person()], long_clock()).await;
        let mut live = Live::connect(server.addr, &made.id, &made.token("second")).await;
        let view = live.view().await;
        assert_eq!(view["seats"][0]["thinking"], true, "{game}");
        let thoughts = thoughts(&mut live, 10).await;
        let running: Vec<_> = thoughts.iter().filter(|thought| thought["waiting"] == false).cloned().collect();
        assert!(running.len() >= 9, "{game}: {thoughts:?}");
        assert!(grows(&running, "elapsed_ms") && grows(&running, "nodes"), "{game}: {running:?}");
        // About ten a second; fewer where the machine is busy.
        assert!(running.last().unwrap()["elapsed_ms"].as_u64().unwrap() < 5_000, "{game}: {running:?}");
        let clocks: Vec<_> = running.iter().map(|thought| thought["clock"].clone()).collect();
        assert!(clocks.iter().all(|clock| clock["running"] == "first"), "{game}: {clocks:?}");
        let left = |clock: &Value| clock["remaining_ms"][0].as_u64().unwrap();
        assert!(left(&clocks[0]) > left(clocks.last().unwrap()), "{game}: {clocks:?}");
    }
}

#[tokio::test]
async fn a_bot_without_a_thread_says_that_it_waits_and_its_clock_stands() {
    let db = TempDb::new("waiting");
    // Nobody has to end early for those who wait.
    let least_time = Some(Duration::from_secs(3600));
    let limits = Limits { search_threads: 1, least_time, ..Limits::unlimited() };
    let server = TestServer::with_limits(&db, limits).await;
    let busy = make(server.addr, "othello", [bot("engine"), person()], long_clock()).await;
    let mut first = Live::connect(server.addr, &busy.id, &busy.token("second")).await;
    first.expect("thinking").await;
    let made = make(server.addr, "othello", [bot("engine"), person()], long_clock()).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("second")).await;
    let waiting = thoughts(&mut live, 3).await;
    assert!(waiting.iter().all(|thought| thought["waiting"] == true && thought["nodes"] == 0), "{waiting:?}");
    assert!(waiting.iter().all(|thought| thought["clock"]["running"].is_null()), "{waiting:?}");
    assert!(grows(&waiting, "elapsed_ms"), "{waiting:?}");
    // The thread becomes free.
    first.send(&json!({"type": "end"})).await;
    while live.expect("thinking").await["waiting"] == true {}
}

#[tokio::test]
async fn a_hint_says_how_far_it_is() {
    let db = TempDb::new("seeking");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "othello", [person(), bot("greedy")], no_clock()).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.send(&json!({"type": "hint", "ms": 60_000})).await;
    let mut seeking = Vec::new();
    while seeking.len() < 6 {
        seeking.push(live.expect("seeking").await);
    }
    assert!(seeking.iter().all(|message| message["ply"] == 0));
    assert!(grows(&seeking[1..], "nodes") && grows(&seeking[1..], "elapsed_ms"), "{seeking:?}");
    live.send(&json!({"type": "stop"})).await;
}
