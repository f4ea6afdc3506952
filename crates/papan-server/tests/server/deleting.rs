//! Games that are deleted, and games that are too many.

use std::time::Duration;

use papan_server::{Keep, Limits, ServeOptions};
use serde_json::json;

use crate::process::Process;
use crate::support::{Live, TempDb, TestServer, friend, get, make, no_clock, person, post, request};

fn with_key(token: &str) -> String {
    format!("authorization: Bearer {token}\r\n")
}

#[tokio::test]
async fn a_game_is_deleted_by_its_maker_alone_and_stays_deleted() {
    let db = TempDb::new("deleted");
    let mut server = Process::start(&db);
    let made = make(server.addr, "tic-tac-toe", [person(), friend()], no_clock()).await;
    let other = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    let path = format!("/api/games/{}", made.id);
    let secret = made.answer["join"]["second"].as_str().unwrap().rsplit('/').next().unwrap();
    let joined = post(server.addr, &format!("{path}/join"), &json!({"secret": secret, "name": "Budi"})).await.json();
    let guest = joined["token"].as_str().unwrap();
    for headers in [String::new(), with_key(""), with_key(guest), with_key(secret), with_key(&other.token("first"))] {
        let answer = request(server.addr, "DELETE", &path, &headers, "").await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "bad_token"), "{headers}");
    }
    // It is over and reviewed, and somebody looks on.
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.view().await;
    live.send(&json!({"type": "resign", "ply": 0})).await;
    live.view_where(|view| view["over"] == true).await;
    assert!(get(server.addr, &format!("{path}/review")).await.body.contains("event: end"));
    let answer = request(server.addr, "DELETE", &path, &with_key(&made.token("first")), "").await;
    assert_eq!((answer.status, answer.body.as_str()), (204, ""));
    live.expect("deleted").await;
    assert!(live.next().await.is_none(), "the socket is closed");
    for at in [path.clone(), format!("{path}/review"), format!("{path}/record?format=papan")] {
        assert_eq!(get(server.addr, &at).await.status, 404, "{at}");
    }
    server.kill();
    let server = Process::start(&db);
    assert_eq!(get(server.addr, &path).await.status, 404);
    let again = request(server.addr, "DELETE", &path, &with_key(&made.token("first")), "").await;
    assert_eq!(again.status, 404);
    let library = get(server.addr, "/api/games").await.json();
    assert_eq!(library["games"].as_array().unwrap().len(), 1, "the other game is there");
    drop(server);
    let store = rusqlite::Connection::open(db.path()).unwrap();
    for table in ["moves", "seats", "reviews"] {
        let sql = format!("SELECT count(*) FROM {table} WHERE game = ?");
        assert_eq!(store.query_row(&sql, [&made.id], |row| row.get::<_, i64>(0)).unwrap(), 0, "{table}");
    }
}

#[tokio::test]
async fn old_games_go_when_there_are_too_many_but_none_that_is_open() {
    let db = TempDb::new("too-many");
    let (limits, keep) = (Limits::unlimited(), Keep { games: 10, ..Keep::default() });
    let options = ServeOptions { db: db.path().to_owned(), limits, keep, ..ServeOptions::default() };
    // Games that nobody looks at are live for a while: they count as open.
    let server = TestServer::with_options(options.clone()).await;
    let mut ids = Vec::new();
    for _ in 0..30 {
        ids.push(make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await.id);
    }
    server.stop().await;
    let server = TestServer::with_options(options).await;
    let mut oldest = Live::connect(server.addr, &ids[0], "").await;
    oldest.view().await;
    let newest = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await.id;
    let mut left = Vec::new();
    for _ in 0..500 {
        let library = get(server.addr, "/api/games?limit=100").await.json();
        left =
            library["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect();
        if left.len() <= 10 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(left.len(), 10, "{left:?}");
    assert!(left.contains(&newest) && left.contains(&ids[0]) && left.contains(&ids[29]), "{left:?}");
    assert!(!left.contains(&ids[1]), "{left:?}");
}

#[tokio::test]
async fn what_is_stored_of_a_game_is_short_whatever_was_sent() {
    let db = TempDb::new("short");
    let server = TestServer::start(&db).await;
    let spec = format!("minimax:depth={}3", "0".repeat(50_000));
    let long = "x".repeat(3_000);
    let seats = [json!({"kind": "bot", "spec": spec, "name": long}), json!({"kind": "link", "name": long})];
    let made = make(server.addr, "tic-tac-toe", seats, no_clock()).await;
    let view = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
    assert_eq!(view["seats"][0]["spec"], "minimax:depth=3", "{view}");
    server.stop().await;
    let store = rusqlite::Connection::open(db.path()).unwrap();
    let longest = "SELECT max(length(name) + coalesce(length(spec), 0)) FROM seats";
    assert!(store.query_row(longest, [], |row| row.get::<_, i64>(0)).unwrap() < 100);
}
