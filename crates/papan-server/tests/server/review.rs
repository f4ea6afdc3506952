//! Reviews: the same whoever asks, whenever, and after a restart.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::support::{Live, Made, TempDb, TestServer, get, make, no_clock, person, wait_until_healthy};

/// The data of every event of this name.
fn events(body: &str, name: &str) -> Vec<Value> {
    let head = format!("event: {name}\ndata: ");
    body.split(&head).skip(1).map(|part| serde_json::from_str(part.lines().next().unwrap()).unwrap()).collect()
}

/// A game that two at one screen played to this end.
async fn played(addr: SocketAddr, game: &str, moves: &[&str]) -> Made {
    let made = make(addr, game, [person(), person()], no_clock()).await;
    let mut live = Live::connect(addr, &made.id, &format!("{},{}", made.token("first"), made.token("second"))).await;
    for (ply, mv) in moves.iter().enumerate() {
        live.play(mv, ply as u64).await;
        live.view_at(ply as u64 + 1).await;
    }
    made
}

async fn resigned(addr: SocketAddr, game: &str, moves: &[&str]) -> Made {
    let made = played(addr, game, moves).await;
    let mut live = Live::connect(addr, &made.id, &made.token("first")).await;
    live.send(&json!({"type": "resign", "ply": moves.len()})).await;
    live.view_where(|view| view["over"] == true).await;
    made
}

const LINE: [&str; 8] = ["f5", "f6", "e6", "f4", "e3", "d6", "g4", "d3"];

#[tokio::test]
async fn a_review_is_the_same_each_time_and_after_a_restart() {
    let db = TempDb::new("review");
    let server = TestServer::start(&db).await;
    let made = resigned(server.addr, "othello", &LINE).await;
    let path = format!("/api/games/{}/review", made.id);
    let (one, two) = tokio::join!(get(server.addr, &path), get(server.addr, &path));
    assert!(one.head.contains("text/event-stream"), "{}", one.head);
    let positions = events(&one.body, "position");
    assert_eq!(positions.len(), LINE.len() + 1);
    assert_eq!(events(&one.body, "begin")[0]["positions"], positions.len());
    assert_eq!(events(&one.body, "end").len(), 1);
    for (ply, position) in positions.iter().enumerate() {
        let by = if ply % 2 == 0 { "first" } else { "second" };
        let played = LINE.get(ply).map_or(Value::Null, |mv| json!(mv));
        assert_eq!((&position["ply"], &position["to_move"], &position["played"]), (&json!(ply), &json!(by), &played));
        assert!(position["nodes"].as_u64().unwrap() > 0 && !position["best"].as_array().unwrap().is_empty());
    }
    assert_eq!(positions, events(&two.body, "position"));
    server.stop().await;
    let server = TestServer::start(&db).await;
    assert_eq!(positions, events(&get(server.addr, &path).await.body, "position"));
    // The same moves that were never played here.
    let line = format!("/api/review?game=othello&moves={}", LINE.join("+"));
    assert_eq!(positions, events(&get(server.addr, &line).await.body, "position"));
}

#[tokio::test]
async fn a_running_game_has_no_review_and_another_ending_has_its_own() {
    let db = TempDb::new("review-running");
    let server = TestServer::start(&db).await;
    let made = played(server.addr, "tic-tac-toe", &["a1", "b1", "a2", "b2"]).await;
    let path = format!("/api/games/{}/review", made.id);
    let answer = get(server.addr, &path).await;
    assert_eq!((answer.status, answer.code().as_str()), (409, "not_over"));
    assert_eq!(get(server.addr, "/api/games/nothing/review").await.code(), "not_found");

    let tokens = format!("{},{}", made.token("first"), made.token("second"));
    let mut live = Live::connect(server.addr, &made.id, &tokens).await;
    live.play("a3", 4).await;
    live.view_where(|view| view["over"] == true).await;
    let first = events(&get(server.addr, &path).await.body, "position");
    assert_eq!(first[4]["played"], "a3");
    assert_eq!((&first[5]["value"], &first[5]["exact"]), (&json!(-1), &json!(true)), "a won game is over");
    // The last move is taken back and the game ends in another way.
    live.send(&json!({"type": "undo", "ply": 5})).await;
    live.view_at(4).await;
    live.play("c3", 4).await;
    live.play("b3", 5).await;
    live.view_where(|view| view["over"] == true).await;
    let second = events(&get(server.addr, &path).await.body, "position");
    let played: Vec<_> = second.iter().map(|position| position["played"].clone()).collect();
    assert_eq!(played, [json!("a1"), json!("b1"), json!("a2"), json!("b2"), json!("c3"), json!("b3"), Value::Null]);
    assert_eq!(second[..4], first[..4], "what was played before has the same values");
}

#[tokio::test]
async fn a_wrong_line_is_refused_and_a_bot_that_is_not_there_is_named() {
    let db = TempDb::new("review-wrong");
    let server = TestServer::start(&db).await;
    let answer = get(server.addr, "/api/review?game=tic-tac-toe&moves=a1+a1").await;
    assert_eq!(answer.status, 422, "{}", answer.body);
    assert!(answer.body.contains("a1"), "{}", answer.body);
    let unknown = get(server.addr, "/api/review?game=tic-tac-toe&moves=a1&bot=stockfish").await;
    assert!(unknown.body.contains("event: error") && unknown.body.contains("bad_bot"), "{}", unknown.body);
}

#[tokio::test]
async fn a_review_that_nobody_waits_for_stops() {
    let db = TempDb::new("review-stop");
    let server = TestServer::start(&db).await;
    let addr = server.addr;
    let reading = tokio::spawn(async move {
        get(addr, "/api/review?game=othello&moves=f5&nodes=5000000&bot=alpha-beta:depth=40").await;
    });
    wait_until_healthy(server.addr, |health| health["searches"] == 1).await;
    reading.abort();
    wait_until_healthy(server.addr, |health| health["searches"] == 0).await;
}
