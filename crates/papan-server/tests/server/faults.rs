//! The real process, killed with −9 while moves are being made: no
//! acknowledged move is lost, and every game goes on.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::process::Process;
use crate::support::{Live, TempDb, get, make, no_clock, person, ply};
use papan_core::Random;
use serde_json::Value;

const KILLS: u64 = 20;
const GAMES: usize = 6;
const GAME: &str = "tic-tac-toe:rows=15,cols=15,k=5";

/// The moves that each game has acknowledged, by its id and key.
type Acknowledged = Arc<Mutex<HashMap<(String, String), Vec<Value>>>>;

fn moves(view: &Value) -> Vec<Value> {
    view["moves"].as_array().unwrap().iter().map(|played| played["move"].clone()).collect()
}

/// Plays as fast as moves are acknowledged, until the server is gone or the
/// game is over.
async fn hammer(addr: SocketAddr, id: String, token: String, seed: u64, acknowledged: Acknowledged) {
    let mut random = Random::new(seed);
    let mut live = Live::connect(addr, &id, &token).await;
    while let Some(message) = live.next().await {
        if message["type"] != "view" {
            continue;
        }
        let view = &message["view"];
        acknowledged.lock().unwrap().insert((id.clone(), token.clone()), moves(view));
        let legal = view["legal"].as_array().unwrap();
        if legal.is_empty() {
            return;
        }
        let mv = legal[random.below(legal.len())].as_str().unwrap();
        if !live.try_play(mv, ply(view)).await {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_move_is_lost_by_twenty_kills() {
    let db = TempDb::new("faults");
    let acknowledged = Acknowledged::default();
    let mut process = Process::start(&db);
    let mut total = 0;
    for round in 0..KILLS {
        // 1. Games that are over make room for new ones.
        let mut playing: Vec<_> = acknowledged.lock().unwrap().keys().cloned().collect();
        for (id, token) in std::mem::take(&mut playing) {
            let view = get(process.addr, &format!("/api/games/{id}")).await.json();
            if view["over"] == false {
                playing.push((id, token));
            }
        }
        while playing.len() < GAMES {
            let made = make(process.addr, GAME, [person(), person()], no_clock()).await;
            playing.push((made.id.clone(), made.token("first")));
        }
        // 2. Moves on every game, and the kill in the middle of them.
        let hammers: Vec<_> = playing
            .into_iter()
            .enumerate()
            .map(|(index, (id, token))| {
                let seed = round * 100 + index as u64;
                tokio::spawn(hammer(process.addr, id, token, seed, Arc::clone(&acknowledged)))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(200 + 17 * round)).await;
        process.kill();
        for hammer in hammers {
            hammer.await.unwrap();
        }
        // 3. Everything that was acknowledged is there.
        process = Process::start(&db);
        let known = acknowledged.lock().unwrap().clone();
        total = known.values().map(Vec::len).sum();
        for ((id, _), acknowledged) in known {
            let stored = moves(&get(process.addr, &format!("/api/games/{id}")).await.json());
            assert!(stored.starts_with(&acknowledged), "game {id}: {acknowledged:?} against {stored:?}");
            // One move may have been stored and not yet acknowledged.
            assert!(stored.len() <= acknowledged.len() + 1, "game {id}");
        }
    }
    assert!(total > KILLS as usize * GAMES, "there was play: {total} moves");
}
