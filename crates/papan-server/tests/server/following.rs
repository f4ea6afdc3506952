//! Tournaments and experiments go on while somebody listens, and only then.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::process::{Process, used};
use crate::support::{Follower, TempDb, begin, get, post, request, wait_until_healthy};

/// So long after the last listener has left nothing is at work.
const AT_REST_AFTER: Duration = Duration::from_secs(1);
/// What a server does in a second without any work; the system counts it in
/// steps of 10 ms.
const REST: Duration = Duration::from_millis(30);

/// A server whose tournaments are removed with it.
struct Place {
    server: Process,
    db: TempDb,
}

impl Place {
    fn new(name: &str) -> Self {
        let db = TempDb::new(name);
        let _ = fs::remove_dir_all(db.path().with_extension("tournaments"));
        Self { server: Process::start(&db), db }
    }

    async fn begin(&self, [path, wanted]: &[Value; 2]) -> String {
        begin(self.server.addr, path.as_str().unwrap(), wanted).await
    }

    async fn follow(&self, path: &str) -> Follower {
        Follower::connect(self.server.addr, path).await
    }

    async fn health(&self) -> Value {
        get(self.server.addr, "/api/health").await.json()
    }

    /// How much it works in the second that begins one second from now.
    async fn used_after_a_second(&self) -> Duration {
        tokio::time::sleep(AT_REST_AFTER).await;
        let before = used(&self.server.child);
        tokio::time::sleep(Duration::from_secs(1)).await;
        used(&self.server.child) - before
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.server.kill();
        let _ = fs::remove_dir_all(self.db.path().with_extension("tournaments"));
    }
}

/// A tournament whose games depend on nothing but its seed.
fn tournament(games: u32) -> [Value; 2] {
    let bots = ["mcts:simulations=300", "minimax:depth=4", "greedy"];
    let wanted = json!({"game": "othello", "bots": bots, "games": games, "nodes": 100_000, "seed": 5});
    [json!("/api/tournaments"), wanted]
}

fn experiment(positions: u32) -> [Value; 2] {
    let wanted = json!({"game": "othello", "bots": ["minimax", "alpha-beta"], "depths": [3, 4, 5],
        "positions": positions, "plies": 6, "games": 6, "seeds": [1, 2]});
    [json!("/api/lab/experiments"), wanted]
}

/// What does not depend on how fast the machine is.
fn timeless(mut state: Value) -> Value {
    for key in ["id", "mean_move_ms", "longest_move_ms", "thinking_s", "seconds"] {
        forget(&mut state, key);
    }
    state
}

fn forget(value: &mut Value, key: &str) {
    match value {
        Value::Object(fields) => {
            fields.remove(key);
            fields.values_mut().for_each(|value| forget(value, key));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| forget(value, key)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_listens_to_pauses_within_a_second_and_ends_as_if_it_had_not() {
    let place = Place::new("following");
    for (what, is_under_way) in [
        (tournament(150), (|state| state["played"].as_u64() > Some(2)) as fn(&Value) -> bool),
        (experiment(20), |state| state["done"].as_u64() > Some(0)),
    ] {
        let whole = place.follow(&place.begin(&what).await).await.last().await;
        let path = place.begin(&what).await;
        assert_eq!(get(place.server.addr, &path).await.json()["waiting"], true, "nobody listens yet");
        let mut follower = place.follow(&path).await;
        for pause in 0..2 {
            let before = follower.state_where(|state| state["running"] == true && is_under_way(state)).await;
            drop(follower);
            let left = Instant::now();
            let rest = place.used_after_a_second().await;
            println!("{path}: {rest:?} of work in the second that began {AT_REST_AFTER:?} after pause {pause}");
            assert!(rest <= REST, "{path}: {rest:?}, {:?} after", left.elapsed());
            let paused = get(place.server.addr, &path).await.json();
            assert_eq!((&paused["running"], &paused["waiting"]), (&json!(false), &json!(true)), "{paused}");
            follower = place.follow(&path).await;
            let after = follower.state_where(|state| state["running"] == true).await;
            for key in ["played", "done"] {
                assert!(after[key].as_u64() >= before[key].as_u64(), "{key}: {before} {after}");
            }
        }
        let ended = follower.last().await;
        assert_eq!(timeless(ended), timeless(whole));
    }
}

#[tokio::test]
async fn only_a_listener_lets_work_begin_and_a_page_that_is_loaded_again_does_not_stop_it() {
    let place = Place::new("following-reload");
    let path = place.begin(&tournament(1000)).await;
    for method in ["HEAD", "GET"] {
        let events = if method == "HEAD" { "/events" } else { "" };
        assert_eq!(request(place.server.addr, method, &format!("{path}{events}"), "", "").await.status, 200);
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(place.health().await["tournaments"], 0, "{method}");
    }
    let mut follower = place.follow(&path).await;
    follower.state_where(|state| state["running"] == true).await;
    for _ in 0..5 {
        drop(follower);
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert_eq!(place.health().await["tournaments"], 1);
        follower = place.follow(&path).await;
        follower.state_where(|state| state["running"] == true).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // Another listener goes; this one stays.
    place.follow(&path).await.state_where(|_| true).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(place.health().await["tournaments"], 1);
    // What was stopped by hand does not begin again by itself.
    post(place.server.addr, &path, &json!({"running": false})).await;
    follower.state_where(|state| state["running"] == false && state["waiting"] == false).await;
    drop(follower);
    let mut follower = place.follow(&path).await;
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert_eq!(place.health().await["tournaments"], 0);
    post(place.server.addr, &path, &json!({"running": true})).await;
    follower.state_where(|state| state["running"] == true).await;
    drop(follower);
    wait_until_healthy(place.server.addr, |health| health["tournaments"] == 0).await;
}

#[tokio::test]
async fn states_come_a_few_times_a_second_and_a_third_tournament_waits_for_its_turn() {
    let place = Place::new("following-turns");
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(place.begin(&tournament(1000)).await);
    }
    let mut followers = Vec::new();
    for path in &paths[..2] {
        let mut follower = place.follow(path).await;
        follower.state_where(|state| state["running"] == true).await;
        followers.push(follower);
    }
    let mut third = place.follow(&paths[2]).await;
    third.state_where(|state| state["waiting"] == true).await;
    let began = Instant::now();
    let mut states = 0;
    while began.elapsed() < Duration::from_secs(2) {
        followers[0].next().await.unwrap();
        states += 1;
    }
    assert!((1..=9).contains(&states), "{states} in two seconds");
    assert_eq!(place.health().await["tournaments"], 2);
    followers.clear();
    third.state_where(|state| state["running"] == true).await;
}

#[tokio::test]
async fn experiments_that_were_never_listened_to_make_room() {
    let place = Place::new("following-room");
    let first = place.begin(&experiment(20)).await;
    for _ in 0..20 {
        place.begin(&experiment(20)).await;
    }
    assert_eq!(request(place.server.addr, "GET", &format!("{first}/events"), "", "").await.code(), "not_found");
    assert_eq!(place.health().await["searches"], 0, "none of them runs");
    // One at rest that is stopped has nothing to show.
    let path = place.begin(&experiment(20)).await;
    post(place.server.addr, &path, &json!({"running": false})).await;
    let last = place.follow(&path).await.last().await;
    assert_eq!((&last["stopped"], &last["results"]), (&json!(true), &Value::Null));
}
