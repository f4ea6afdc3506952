//! Whole games over real sockets.

use crate::support::{
    Live, TempDb, TestServer, bot, friend, get, make, no_clock, person, ply, post, text, wait_until_healthy,
};
use serde_json::{Value, json};

/// A legal move that differs from game to game and ply to ply.
fn some_move(view: &Value) -> String {
    let legal = view["legal"].as_array().unwrap();
    let index = (ply(view) as usize * 7 + 3) % legal.len();
    legal[index].as_str().unwrap().to_owned()
}

/// Plays `seat` to the end and gives the last view.
async fn play_out(live: &mut Live, seat: &str) -> Value {
    let mut view = live.view().await;
    while view["over"] == false {
        if view["to_move"] == seat {
            live.play(&some_move(&view), ply(&view)).await;
            let next = ply(&view) + 1;
            view = live.view_where(|view| ply(view) >= next).await;
        } else {
            view = live.view().await;
        }
    }
    view
}

#[tokio::test]
async fn a_person_plays_every_game_against_a_bot_to_the_end() {
    let db = TempDb::new("every-game");
    let server = TestServer::start(&db).await;
    let catalog = get(server.addr, "/api/catalog").await.json();
    let games = catalog["games"].as_array().unwrap();
    assert!(games.len() >= 3);
    for (index, game) in games.iter().enumerate() {
        let seats = if index % 2 == 0 { [person(), bot("random:seed=7")] } else { [bot("random:seed=7"), person()] };
        let seat = ["first", "second"][index % 2];
        let made = make(server.addr, text(game, "name"), seats, no_clock()).await;
        let mut live = Live::connect(server.addr, &made.id, &made.token(seat)).await;
        let last = play_out(&mut live, seat).await;
        assert_eq!(last["result"]["reason"], "finished");
        assert_eq!(last["moves"].as_array().unwrap().len() as u64, ply(&last));
        assert!(last["legal"].as_array().unwrap().is_empty());
        let margin = last["margin"].as_i64().unwrap();
        let winners = json!(["second", null, "first"]);
        assert_eq!(last["result"]["winner"], winners[(margin.signum() + 1) as usize]);
        live.play("a1", ply(&last)).await;
        assert_eq!(live.error().await, "game_over");
        let seen = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
        assert_eq!(seen["position"], last["position"]);
    }
}

#[tokio::test]
async fn two_people_play_with_a_link_and_nobody_moves_for_the_other() {
    let db = TempDb::new("two-people");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "tic-tac-toe", [person(), friend()], no_clock()).await;
    assert!(made.answer["tokens"]["second"].is_null());
    let link = text(&made.answer["join"], "second").to_owned();
    let secret = link.rsplit('/').next().unwrap();
    let join = format!("/api/games/{}/join", made.id);

    let wrong = post(server.addr, &join, &json!({"secret": "0".repeat(32), "name": "Eve"})).await;
    assert_eq!((wrong.status, wrong.code().as_str()), (403, "bad_token"));
    let joined = post(server.addr, &join, &json!({"secret": secret, "name": "Budi"})).await.json();
    assert_eq!(joined["seat"], "second");
    assert_eq!(joined["view"]["seats"][1]["name"], "Budi");
    let again = post(server.addr, &join, &json!({"secret": secret, "name": "Eve"})).await;
    assert_eq!((again.status, again.code().as_str()), (409, "seat_taken"));

    let mut ana = Live::connect(server.addr, &made.id, &made.token("first")).await;
    let mut budi = Live::connect(server.addr, &made.id, text(&joined, "token")).await;
    let mut eve = Live::connect(server.addr, &made.id, "").await;
    for socket in [&mut ana, &mut budi, &mut eve] {
        assert_eq!(ply(&socket.view().await), 0);
    }
    budi.play("a1", 0).await;
    assert_eq!(budi.error().await, "not_your_turn");
    eve.play("a1", 0).await;
    assert_eq!(eve.error().await, "bad_token");
    let mut thief = Live::connect(server.addr, &made.id, &"f".repeat(32)).await;
    assert_eq!(thief.error().await, "bad_token");
    assert!(thief.next().await.is_none(), "a wrong key closes the socket");

    for (number, mv) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
        let mover = if number % 2 == 0 { &mut ana } else { &mut budi };
        mover.play(mv, number as u64).await;
        for socket in [&mut ana, &mut budi, &mut eve] {
            socket.view_at(number as u64 + 1).await;
        }
    }
    let view = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
    assert_eq!((&view["over"], &view["result"]["winner"]), (&json!(true), &json!("first")));
}

#[tokio::test]
async fn stale_repeated_and_illegal_moves_are_refused_and_change_nothing() {
    let db = TempDb::new("stale");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    // One key opens both seats of one screen, however it is sent.
    let keys = format!("{},{}", made.token("first"), made.token("second"));
    let mut live = Live::connect(server.addr, &made.id, &keys).await;
    live.view().await;
    live.play("b2", 0).await;
    live.view_at(1).await;
    live.play("b2", 0).await;
    assert_eq!(live.error().await, "stale_ply");
    live.play("a1", 2).await;
    assert_eq!(live.error().await, "stale_ply");
    live.play("b2", 1).await;
    assert_eq!(live.error().await, "bad_move");
    live.play("z9", 1).await;
    assert_eq!(live.error().await, "bad_move");
    live.play("a1", 1).await;
    let view = live.view_at(2).await;
    assert_eq!(view["moves"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn undo_takes_the_bots_reply_back_too_and_redo_makes_both_again() {
    let db = TempDb::new("undo");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "tic-tac-toe", [person(), bot("random:seed=3")], no_clock()).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.view().await;
    live.send(&json!({"type": "undo", "ply": 0})).await;
    assert_eq!(live.error().await, "nothing_to_undo");
    live.play("b2", 0).await;
    let two = live.view_at(2).await;
    live.send(&json!({"type": "undo", "ply": 2})).await;
    let back = live.view_at(0).await;
    assert_eq!((&back["can_undo"], &back["can_redo"]), (&json!(false), &json!(true)));
    live.send(&json!({"type": "redo", "ply": 0})).await;
    let again = live.view_at(2).await;
    assert_eq!(again["position"], two["position"]);
    live.send(&json!({"type": "redo", "ply": 2})).await;
    assert_eq!(live.error().await, "nothing_to_redo");
    live.send(&json!({"type": "undo", "ply": 2})).await;
    live.view_at(0).await;
    live.play("c3", 0).await;
    let other = live.view_at(2).await;
    assert_eq!(other["moves"][0]["move"], "c3");
    assert_eq!(other["can_redo"], false);
}

#[tokio::test]
async fn between_two_people_undo_is_an_offer() {
    let db = TempDb::new("offer");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "tic-tac-toe", [person(), friend()], no_clock()).await;
    let secret = text(&made.answer["join"], "second").rsplit('/').next().unwrap().to_owned();
    let join = post(server.addr, &format!("/api/games/{}/join", made.id), &json!({"secret": secret})).await.json();
    let mut ana = Live::connect(server.addr, &made.id, &made.token("first")).await;
    let mut budi = Live::connect(server.addr, &made.id, text(&join, "token")).await;
    ana.view().await;
    ana.play("b2", 0).await;
    budi.view_at(1).await;
    ana.send(&json!({"type": "undo", "ply": 1})).await;
    let asked = budi.view_where(|view| view["undo_offer"] == "first").await;
    assert_eq!(ply(&asked), 1, "nothing is taken back yet");
    ana.send(&json!({"type": "undo_accept"})).await;
    assert_eq!(ana.error().await, "bad_token", "nobody accepts their own offer");
    budi.send(&json!({"type": "undo_decline"})).await;
    let declined = budi.view_where(|view| view["undo_offer"].is_null()).await;
    assert_eq!(ply(&declined), 1);
    budi.send(&json!({"type": "undo_accept"})).await;
    assert_eq!(budi.error().await, "not_allowed");
    ana.send(&json!({"type": "undo_offer", "ply": 1})).await;
    budi.view_where(|view| view["undo_offer"] == "first").await;
    budi.send(&json!({"type": "undo_accept"})).await;
    assert_eq!(ana.view_at(0).await["moves"].as_array().unwrap().len(), 0);
    ana.send(&json!({"type": "redo", "ply": 0})).await;
    assert_eq!(ana.error().await, "not_allowed");
    ana.send(&json!({"type": "hint"})).await;
    assert_eq!(ana.error().await, "not_allowed");
}

#[tokio::test]
async fn games_go_on_after_a_restart_from_the_same_file() {
    let db = TempDb::new("restart");
    let (id, token, position, taken_back);
    {
        let server = TestServer::start(&db).await;
        let made = make(server.addr, "adjacency:rounds=4", [person(), bot("random:seed=1")], no_clock()).await;
        let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
        let mut view = live.view().await;
        for _ in 0..2 {
            live.play(&some_move(&view), ply(&view)).await;
            let next = ply(&view) + 2;
            view = live.view_at(next).await;
        }
        taken_back = view["position"].clone();
        live.send(&json!({"type": "undo", "ply": 4})).await;
        view = live.view_at(2).await;
        (id, token, position) = (made.id.clone(), made.token("first"), view["position"].clone());
        server.stop().await;
    }
    let server = TestServer::start(&db).await;
    let mut live = Live::connect(server.addr, &id, &token).await;
    let view = live.view().await;
    assert_eq!((&view["position"], &view["can_redo"]), (&position, &json!(true)));
    live.send(&json!({"type": "redo", "ply": 2})).await;
    assert_eq!(live.view_at(4).await["position"], taken_back);
    live.close().await;
    let mut live = Live::connect(server.addr, &id, &token).await;
    let last = play_out(&mut live, "first").await;
    assert_eq!(last["result"]["reason"], "finished");
}

#[tokio::test]
async fn flags_fall_for_whoever_does_not_move_in_time() {
    let db = TempDb::new("flag");
    let server = TestServer::start(&db).await;
    let clock = json!({"kind": "move", "ms": 200});
    let made = make(server.addr, "tic-tac-toe", [person(), bot("random:seed=1")], clock).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    let first = live.view().await;
    assert_eq!(first["clock"]["running"], "first");
    let last = live.view_where(|view| view["over"] == true).await;
    assert_eq!((&last["result"]["reason"], &last["result"]["winner"]), (&json!("time"), &json!("second")));
    live.play("b2", ply(&last)).await;
    assert_eq!(live.error().await, "game_over");
}

#[tokio::test]
async fn a_game_clock_counts_both_players_and_is_kept() {
    let db = TempDb::new("game-clock");
    let server = TestServer::start(&db).await;
    let clock = json!({"kind": "game", "ms": 60_000, "increment_ms": 5_000});
    let made = make(server.addr, "tic-tac-toe", [person(), person()], clock).await;
    let before = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
    assert!(before["clock"]["running"].is_null(), "no clock runs before anyone is there");
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.view().await;
    live.play("b2", 0).await;
    let view = live.view_at(1).await;
    assert_eq!(view["clock"]["running"], "second");
    let [first, second] = [0, 1].map(|seat| view["clock"]["remaining_ms"][seat].as_u64().unwrap());
    assert!(first > 60_000 && first <= 65_000 && second <= 60_000, "{first} {second}");
    server.stop().await;
    let server = TestServer::start(&db).await;
    let stored = get(server.addr, &format!("/api/games/{}", made.id)).await.json();
    assert_eq!(stored["clock"]["remaining_ms"][0], first);
}

#[tokio::test]
async fn resigning_and_ending_end_the_game() {
    let db = TempDb::new("resign");
    let server = TestServer::start(&db).await;
    for (message, reason, winner) in [
        (json!({"type": "resign", "ply": 0}), "resigned", json!("second")),
        (json!({"type": "end"}), "abandoned", json!(null)),
    ] {
        let made = make(server.addr, "othello", [person(), bot("random")], no_clock()).await;
        let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
        live.view().await;
        live.send(&message).await;
        let view = live.view_where(|view| view["over"] == true).await;
        assert_eq!((&view["result"]["reason"], &view["result"]["winner"]), (&json!(reason), &winner));
        assert!(view["scene"]["shapes"].as_array().unwrap().iter().all(|shape| shape["playable"] == false));
        live.send(&json!({"type": "undo", "ply": 0})).await;
        assert_eq!(live.error().await, "game_over");
    }
}

#[tokio::test]
async fn two_bots_play_only_while_someone_watches_and_can_be_paused() {
    let db = TempDb::new("bots");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "adjacency", [bot("random:seed=1"), bot("random:seed=2")], no_clock()).await;
    let owner = made.token("watch");
    let mut live = Live::connect(server.addr, &made.id, &owner).await;
    live.send(&json!({"type": "speed", "ms": 0})).await;
    let view = live.view_where(|view| ply(view) >= 3).await;
    live.send(&json!({"type": "pause", "on": true})).await;
    let paused = live.view_where(|view| view["paused"] == true).await;
    assert!(ply(&paused) >= ply(&view));
    let mut spectator = Live::connect(server.addr, &made.id, "").await;
    spectator.view().await;
    spectator.send(&json!({"type": "pause", "on": false})).await;
    assert_eq!(spectator.error().await, "bad_token");
    live.send(&json!({"type": "pause", "on": false})).await;
    let last = live.view_where(|view| view["over"] == true).await;
    assert_eq!(last["result"]["reason"], "finished");
}

#[tokio::test]
async fn a_hint_comes_and_searches_stop_when_nobody_waits_for_them() {
    let db = TempDb::new("hint");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "othello", [person(), bot("alpha-beta:depth=30")], no_clock()).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    let view = live.view().await;
    live.send(&json!({"type": "hint", "ms": 300})).await;
    let hint = loop {
        let hint = live.expect("hint").await;
        if hint["done"] == true {
            break hint;
        }
    };
    assert!(view["legal"].as_array().unwrap().contains(&hint["move"]));
    // 1. A hint that was stopped.
    live.send(&json!({"type": "hint", "ms": 60_000})).await;
    live.expect("seeking").await;
    live.send(&json!({"type": "stop"})).await;
    wait_until_healthy(server.addr, |health| health["searches"] == 0).await;
    // 2. A bot whose move was taken back while it thought.
    live.play(&some_move(&view), 0).await;
    live.expect("thinking").await;
    live.send(&json!({"type": "undo", "ply": 1})).await;
    live.view_at(0).await;
    wait_until_healthy(server.addr, |health| health["searches"] == 0).await;
    // 3. A bot, and a hint, whose only watcher went away.
    live.play(&some_move(&view), 0).await;
    live.expect("thinking").await;
    live.send(&json!({"type": "hint", "ms": 60_000})).await;
    wait_until_healthy(server.addr, |health| health["searches"] == 2).await;
    live.close().await;
    wait_until_healthy(server.addr, |health| health["searches"] == 0 && health["sockets"] == 0).await;
    // 4. The bot goes on when someone comes back, and stops for good at the end.
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.expect("thinking").await;
    live.send(&json!({"type": "end"})).await;
    live.view_where(|view| view["over"] == true).await;
    wait_until_healthy(server.addr, |health| health["searches"] == 0).await;
}

#[tokio::test]
async fn playing_again_swaps_sides_and_tells_the_other_player() {
    let db = TempDb::new("rematch");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "tic-tac-toe", [person(), friend()], no_clock()).await;
    let secret = text(&made.answer["join"], "second").rsplit('/').next().unwrap().to_owned();
    let join = json!({"secret": secret, "name": "Budi"});
    let joined = post(server.addr, &format!("/api/games/{}/join", made.id), &join).await.json();
    let mut budi = Live::connect(server.addr, &made.id, text(&joined, "token")).await;
    budi.view().await;
    let again = json!({"swap_of": made.id, "token": made.token("first")});
    let next = post(server.addr, "/api/games", &again).await.json();
    assert_eq!(next["view"]["seats"][0]["kind"], "link");
    assert_eq!(next["view"]["seats"][1]["name"], "Ana");
    let told = budi.expect("rematch").await;
    assert_eq!((&told["id"], &told["join"]), (&next["id"], &next["join"]["first"]));
}
