//! Tournaments over HTTP: begun, watched, stopped and taken up again.

use std::fs;
use std::path::PathBuf;

use crate::process::Process;
use crate::support::{Follower, TempDb, TestServer, begin, get, post};
use serde_json::json;

/// A database whose tournaments are removed too.
struct Place {
    db: TempDb,
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Self {
        let db = TempDb::new(name);
        let folder = db.path().with_extension("tournaments");
        let _ = fs::remove_dir_all(&folder);
        Self { db, folder }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test]
async fn a_tournament_is_played_watched_and_reported() {
    let place = Place::new("tournament");
    let server = TestServer::start(&place.db).await;
    let body = json!({"game": "tic-tac-toe", "bots": ["random", "greedy", "minimax:depth=9"], "games": 4});
    let path = begin(server.addr, "/api/tournaments", &body).await;
    let view = Follower::connect(server.addr, &path).await.last().await;
    assert_eq!(view["finished"], true);
    assert_eq!((view["played"].as_u64(), view["expected"].as_u64()), (Some(12), Some(12)));
    assert_eq!(view["standings"][0]["name"], "minimax:depth=9");
    assert_eq!(view["live"].as_array().unwrap().len(), 0);
    let report = get(server.addr, &format!("{path}/report")).await;
    assert!(report.body.starts_with("<!doctype html>") && report.body.contains("minimax:depth=9"));
    assert!(report.head.contains("sandbox allow-scripts"), "{}", report.head);
    let list = get(server.addr, "/api/tournaments").await.json();
    assert_eq!(list["tournaments"][0]["id"], view["id"]);
}

#[tokio::test]
async fn a_stopped_tournament_goes_on_where_it_was() {
    let place = Place::new("tournament-stop");
    let server = TestServer::start(&place.db).await;
    let body =
        json!({"game": "othello:size=6", "bots": ["mcts:simulations=300", "greedy"], "games": 400, "nodes": 100_000});
    let path = begin(server.addr, "/api/tournaments", &body).await;
    let mut follower = Follower::connect(server.addr, &path).await;
    let seen = follower.state_where(|view| view["played"].as_u64() > Some(3)).await;
    assert!(seen["live"].as_array().unwrap().iter().all(|game| game["scene"]["shapes"].is_array()));
    post(server.addr, &path, &json!({"running": false})).await;
    let stopped = follower.state_where(|view| view["running"] == false).await;
    assert_eq!(stopped["waiting"], false);
    let played = stopped["played"].as_u64().unwrap();
    assert!((4..400).contains(&played), "{played}");
    post(server.addr, &path, &json!({"running": true})).await;
    let done = follower.last().await;
    assert_eq!(done["played"], 400);
}

#[tokio::test]
async fn what_cannot_be_played_is_refused() {
    let place = Place::new("tournament-refused");
    let server = TestServer::start(&place.db).await;
    let both = json!(["random", "greedy"]);
    for (body, status, code) in [
        (json!({"game": "chess", "bots": both}), 422, "bad_game"),
        (json!({"game": "othello", "bots": ["random", "stockfish"]}), 422, "bad_bot"),
        (json!({"game": "othello", "bots": ["random", "exec:rm -rf /"]}), 400, "bad_bot"),
        (json!({"game": "othello", "bots": ["random", "program:/bin/sh"]}), 400, "bad_bot"),
        (json!({"game": "othello", "bots": both, "folder": "/"}), 400, "bad_bot"),
        (json!({"game": "othello", "bots": ["random"]}), 422, "bad_tournament"),
        (json!({"game": "othello", "bots": both, "games": 3}), 422, "bad_tournament"),
        (json!({"game": "othello", "bots": both, "games": 50_000}), 422, "bad_tournament"),
        (json!({"game": "othello", "bots": both, "colour": "red"}), 422, "bad_tournament"),
        (json!([1, 2]), 422, "bad_tournament"),
    ] {
        let answer = post(server.addr, "/api/tournaments", &body).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{body}: {}", answer.body);
    }
    assert_eq!(get(server.addr, "/api/tournaments/0123456789abcdef").await.code(), "not_found");
    assert_eq!(get(server.addr, "/api/tournaments/..%2F..%2Fetc").await.code(), "not_found");
    assert!(!place.folder.exists() || fs::read_dir(&place.folder).unwrap().count() == 0, "nothing half done");
}

#[tokio::test]
async fn tournaments_that_are_over_hold_no_descriptors() {
    let place = Place::new("tournament-descriptors");
    let server = Process::with_descriptors(&place.db, 200);
    let body = json!({"game": "tic-tac-toe", "bots": ["random", "greedy"], "games": 2});
    for _ in 0..60 {
        let path = begin(server.addr, "/api/tournaments", &body).await;
        Follower::connect(server.addr, &path).await.last().await;
    }
    let all = get(server.addr, "/api/tournaments").await.json();
    assert_eq!(all["tournaments"].as_array().unwrap().len(), 60);
    let held = server.descriptors();
    assert!(held < 60, "{held} descriptors after sixty tournaments");
}
