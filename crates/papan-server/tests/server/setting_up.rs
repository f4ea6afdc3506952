//! Positions set up by hand, and what lines of moves can be saved as.

use crate::support::{TempDb, TestServer, get, post, text};
use serde_json::{Value, json};

/// The position after each of `changes` in turn.
async fn edited(server: &TestServer, game: &str, changes: &[Value]) -> Value {
    let mut answer = Value::Null;
    for change in changes {
        let mut body = json!({"game": game, "position": answer["start"]});
        // A change may bring its own position.
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let response = post(server.addr, "/api/board/edit", &body).await;
        assert_eq!(response.status, 200, "{game} {change}: {}", response.body);
        answer = response.json();
    }
    answer
}

fn press(id: &str) -> Value {
    json!({"place": {"id": id}})
}

#[tokio::test]
async fn presses_go_through_what_can_be_at_a_place() {
    let db = TempDb::new("edit");
    let server = TestServer::start(&db).await;
    let b2 = press("cell-b2");
    for (presses, expected) in [(1, "b2, first"), (2, "b2, second"), (3, "b2, empty")] {
        let answer = edited(&server, "tic-tac-toe", &vec![b2.clone(); presses]).await;
        let shapes = answer["boards"][0]["scene"]["shapes"].as_array().unwrap();
        let here = shapes.iter().filter(|shape| text(shape, "id").ends_with("-b2"));
        let owner = here.filter_map(|shape| shape["owner"].as_str()).next().unwrap_or("empty");
        assert_eq!(format!("b2, {owner}"), expected);
        assert_eq!(answer["boards"][0]["to_move"], "first", "the turn stays");
    }
    let second = json!({"to_move": "second"});
    let turned = edited(&server, "othello", &[press("cell-a1"), second.clone()]).await;
    assert!(text(&turned, "start").starts_with("X--") && text(&turned, "start").ends_with(" O"), "{}", turned["start"]);
    let lines = ["line-h0,0", "line-h1,0", "line-v0,0", "line-v0,1", "box-0,0"].map(press);
    let boxed = edited(&server, "dots-and-boxes:rows=1,cols=1", &lines).await;
    assert_eq!(boxed["start"], "1x1 11 11 1 0-1 2", "a completed box goes to the mover, a press hands it over");
}

#[tokio::test]
async fn a_board_can_be_emptied_and_what_cannot_be_says_why() {
    let db = TempDb::new("edit-clear");
    let server = TestServer::start(&db).await;
    for game in ["tic-tac-toe", "adjacency", "dots-and-boxes", "othello"] {
        let answer = edited(&server, game, &[json!({"clear": true})]).await;
        assert_eq!(answer["boards"][0]["margin"], 0, "{game}");
        let present = answer["boards"][0]["scene"]["shapes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|shape| shape["owner"].is_string() || (shape["kind"] == "line" && shape["present"] == true));
        assert_eq!(present.count(), 0, "{game}");
    }
    let wrong = |position: &str, place: Value| json!({"game": "tic-tac-toe", "position": position, "place": place});
    for (body, code, part) in [
        (wrong("XXX/.../OO. X", json!({"id": "cell-c3", "content": "second"})), "bad_position", "in a row"),
        (wrong("", json!({"id": "cell-z9"})), "bad_position", "cell-z9"),
        (wrong("", json!({"id": "cell-a1", "content": "drawn"})), "bad_position", "belongs to a player"),
        (wrong("Q", json!({"id": "cell-a1"})), "bad_position", "missing"),
        (wrong("", json!({"id": "cell-a1", "content": "pawn"})), "malformed", "pawn"),
        (json!({"game": "tic-tac-toe"}), "malformed", ""),
    ] {
        let answer = post(server.addr, "/api/board/edit", &body).await;
        assert_eq!(answer.code(), code, "{body}");
        let message = text(&answer.json()["error"]["message"], "en").to_owned();
        assert!(message.contains(part), "{message}");
    }
    let full =
        edited(&server, "tic-tac-toe", &[json!({"position": "XXX/.../OO. X", "place": {"id": "cell-c3"}})]).await;
    assert_eq!(full["start"], "XXX/.../OOX X", "a press leaves out what cannot be");
}

#[tokio::test]
async fn a_line_is_saved_as_whatever_the_catalog_says_its_game_has() {
    let db = TempDb::new("line-records");
    let server = TestServer::start(&db).await;
    let catalog = get(server.addr, "/api/catalog").await.json();
    for game in catalog["games"].as_array().unwrap() {
        let name = text(game, "name");
        let formats: Vec<_> = game["formats"].as_array().unwrap().iter().map(|format| text(format, "name")).collect();
        assert_eq!(formats.contains(&"ggf"), name == "othello");
        let first = post(server.addr, "/api/board", &json!({"game": name})).await.json();
        let mv = first["boards"][0]["legal"][0].as_str().unwrap();
        let line = post(server.addr, "/api/board", &json!({"game": name, "moves": [mv]})).await.json();
        for format in formats.into_iter().filter(|format| *format != "svg") {
            let address = format!("/api/record?game={name}&moves={mv}&format={format}");
            let record = get(server.addr, &address).await;
            assert_eq!(record.status, 200, "{address}");
            let read = post(server.addr, "/api/board", &json!({"game": name, "record": record.body})).await.json();
            let last = read["boards"].as_array().unwrap().last().unwrap();
            assert_eq!(last["position"], line["boards"][1]["position"], "{format}");
        }
    }
    assert_eq!(get(server.addr, "/api/record?game=adjacency&format=ggf").await.code(), "not_found");
    assert_eq!(get(server.addr, "/api/record?game=othello&moves=a1").await.code(), "bad_move");
    assert_eq!(text(&catalog["words"]["cols"], "id"), "Kolom");
}
