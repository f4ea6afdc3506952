//! Names that were given up, in requests and in what was stored.

use crate::support::{Live, TempDb, TestServer, bot, get, make, no_clock, person, post, text};
use serde_json::{Value, json};

fn bot_of(view: &Value) -> &Value {
    &view["seats"][1]["spec"]
}

#[tokio::test]
async fn old_names_are_read_and_shown_as_those_of_today() {
    let db = TempDb::new("old-names");
    let (id, token);
    {
        let server = TestServer::start(&db).await;
        let made = make(server.addr, "adjacency:rounds=2", [person(), bot("seed-minimax")], no_clock()).await;
        let view = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
        assert_eq!(bot_of(&view), "report-minimax");
        (id, token) = (made.id.clone(), made.token("first"));
        server.stop().await;
    }
    // As an earlier version stored it.
    let store = rusqlite::Connection::open(db.path()).unwrap();
    assert_eq!(store.execute("UPDATE seats SET spec = 'seed-minimax' WHERE kind = 'bot'", []).unwrap(), 1);
    drop(store);
    let server = TestServer::start(&db).await;
    let mut live = Live::connect(server.addr, &id, &token).await;
    assert_eq!(bot_of(&live.view().await), "report-minimax");
    live.play("a1", 0).await;
    live.view_at(2).await;
    let library = get(server.addr, "/api/games").await.json();
    assert_eq!(bot_of(&library["games"][0]), "report-minimax");
}

#[tokio::test]
async fn the_lab_and_the_arena_answer_with_the_names_of_today() {
    let db = TempDb::new("old-names-lab");
    let server = TestServer::start(&db).await;
    let tree = "/api/lab/tree?game=adjacency:rounds=2&bot=alpha-beta:depth=1,order=captures";
    assert_eq!(get(server.addr, tree).await.json()["bot"], "alpha-beta:depth=1,order=evaluation");
    let wanted = json!({"game": "adjacency:rounds=2", "bots": ["seed-hill-climbing"], "depths": [1], "games": 0});
    let measured = post(server.addr, "/api/lab/experiment", &wanted).await.json();
    assert_eq!(measured["measurements"][0]["bot"], "report-hill-climbing");
    let catalog = get(server.addr, "/api/catalog").await.json();
    assert_eq!(catalog["renamed"]["seed-minimax"], "report-minimax");
    let cup = json!({"game": "adjacency:rounds=2", "bots": ["seed-hill-climbing", "seed-hill-climbing"]});
    let begun = post(server.addr, "/api/tournaments", &cup).await.json();
    let view = get(server.addr, &format!("/api/tournaments/{}", begun["id"].as_str().unwrap())).await.json();
    let mut names: Vec<_> = view["standings"].as_array().unwrap().iter().map(|row| text(row, "name")).collect();
    names.sort_unstable();
    assert_eq!(names, ["report-hill-climbing", "report-hill-climbing (2)"]);
    let _ = std::fs::remove_dir_all(db.path().with_extension("tournaments"));
}
