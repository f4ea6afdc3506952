//! The HTTP side: catalog, library, boards, records, analysis, the page.

use crate::support::{
    Live, TempDb, TestServer, bot, get, make, no_clock, person, post, request, text, wait_until_healthy,
};
use papan_server::Limits;
use serde_json::json;

#[tokio::test]
async fn the_catalog_lists_games_with_bots_and_options() {
    let db = TempDb::new("catalog");
    let server = TestServer::start(&db).await;
    let catalog = get(server.addr, "/api/catalog").await.json();
    for game in catalog["games"].as_array().unwrap() {
        for name in ["name", "title", "about", "options", "rules", "bots"] {
            assert!(!game[name].is_null(), "{name} of {game}");
        }
        assert!(game["bots"].as_array().unwrap().iter().all(|bot| bot["name"] != "exec"));
    }
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_with_its_own_code() {
    let db = TempDb::new("refused");
    let server = TestServer::start(&db).await;
    let wanted = |game: &str, position: &str, spec: &str, ms: i64| json!({"game": game, "position": position, "seats": [person(), bot(spec)], "clock": {"kind": "move", "ms": ms}});
    for (body, status, code) in [
        (wanted("chess", "", "random", 5000), 422, "bad_game"),
        (wanted("tic-tac-toe:rows=99", "", "random", 5000), 422, "bad_game"),
        (wanted("tic-tac-toe", "Q", "random", 5000), 422, "bad_position"),
        (wanted("tic-tac-toe", "", "stockfish", 5000), 422, "bad_bot"),
        (wanted("tic-tac-toe", "", "exec:rm -rf", 5000), 400, "bad_bot"),
        (wanted("tic-tac-toe", "", "random", 1), 400, "malformed"),
        (wanted("tic-tac-toe", "", "random", -1), 400, "malformed"),
        (json!({"game": "tic-tac-toe"}), 400, "malformed"),
        (json!({"swap_of": "0123"}), 404, "not_found"),
        (json!(7), 400, "malformed"),
    ] {
        let answer = post(server.addr, "/api/games", &body).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{body}");
        let message = &answer.json()["error"]["message"];
        assert!(!text(message, "en").is_empty() && !text(message, "id").is_empty());
    }
    let large = json!({"game": "x".repeat(100_000)});
    let answer = post(server.addr, "/api/games", &large).await;
    assert_eq!((answer.status, answer.code().as_str()), (413, "too_large"));
    assert_eq!(get(server.addr, "/api/games/nothing").await.code(), "not_found");
    assert_eq!(get(server.addr, "/api/nothing").await.code(), "not_found");
    assert_eq!(request(server.addr, "DELETE", "/api/games", "", "").await.status, 405);
}

#[tokio::test]
async fn the_library_is_paged_from_the_newest() {
    let db = TempDb::new("library");
    let server = TestServer::start(&db).await;
    let mut made = Vec::new();
    for number in 0..5 {
        let game = if number == 2 { "othello" } else { "tic-tac-toe" };
        made.push(make(server.addr, game, [person(), person()], no_clock()).await.id);
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = get(server.addr, &format!("/api/games?limit=2&cursor={cursor}")).await.json();
        seen.extend(page["games"].as_array().unwrap().iter().map(|game| text(game, "id").to_owned()));
        let Some(next) = page["next"].as_str() else { break };
        next.clone_into(&mut cursor);
    }
    made.reverse();
    assert_eq!(seen, made);
    let othello = get(server.addr, "/api/games?game=othello").await.json();
    assert_eq!(othello["games"].as_array().unwrap().len(), 1);
    assert_eq!(othello["games"][0]["to_move"], "first");
    assert_eq!(get(server.addr, "/api/games?cursor=zebra").await.code(), "malformed");
}

#[tokio::test]
async fn boards_come_from_moves_and_records_and_errors_name_the_move() {
    let db = TempDb::new("boards");
    let server = TestServer::start(&db).await;
    let line = json!({"game": "othello", "moves": ["f5", "d6", "c3"]});
    let boards = post(server.addr, "/api/board", &line).await.json();
    let boards = boards["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 4);
    assert_eq!((&boards[1]["move"], &boards[1]["by"]), (&json!("f5"), &json!("first")));
    let pasted = json!({"game": "othello", "record": "f5d6c3", "scenes": "last"});
    let record = post(server.addr, "/api/board", &pasted).await.json();
    assert_eq!(record["boards"][3]["position"], boards[3]["position"]);
    assert!(record["boards"][0]["scene"].is_null() && record["boards"][3]["scene"].is_object());
    let wrong = post(server.addr, "/api/board", &json!({"game": "othello", "record": "f5d6 a1"})).await;
    assert_eq!((wrong.status, wrong.code().as_str()), (422, "bad_move"));
    assert!(text(&wrong.json()["error"]["message"], "en").starts_with("Move 3: a1"), "{}", wrong.body);
    let picture = get(server.addr, "/api/board.svg?game=tic-tac-toe&position=X.O/.X./..O%20X&last=b2").await;
    assert!(picture.head.contains("image/svg+xml") && picture.body.starts_with("<svg"));
    assert_eq!(get(server.addr, "/api/board.svg?game=chess").await.code(), "bad_game");
    assert_eq!(get(server.addr, "/api/board.svg").await.code(), "malformed");
}

#[tokio::test]
async fn records_are_written_in_every_format_and_read_back() {
    let db = TempDb::new("records");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "othello", [person(), person()], no_clock()).await;
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.view().await;
    for (number, mv) in ["f5", "d6", "c3", "d3"].into_iter().enumerate() {
        live.play(mv, number as u64).await;
        live.view_at(number as u64 + 1).await;
    }
    let position = get(server.addr, &format!("/api/games/{}", made.id)).await.json()["position"].clone();
    for format in ["papan", "text", "transcript", "obf", "ggf"] {
        let answer = get(server.addr, &format!("/api/games/{}/record?format={format}", made.id)).await;
        assert_eq!(answer.status, 200, "{format}");
        let pasted = json!({"game": "othello", "record": answer.body});
        let read = post(server.addr, "/api/board", &pasted).await;
        assert_eq!(read.status, 200, "{format}: {}", read.body);
        assert_eq!(read.json()["boards"].as_array().unwrap().last().unwrap()["position"], position, "{format}");
    }
    let svg = get(server.addr, &format!("/api/games/{}/record?format=svg", made.id)).await;
    assert!(svg.body.starts_with("<svg"));
    let other = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    let none = get(server.addr, &format!("/api/games/{}/record?format=ggf", other.id)).await;
    assert_eq!(none.code(), "not_found");
}

#[tokio::test]
async fn an_analysis_ends_with_a_result_on_every_move() {
    let db = TempDb::new("analyse");
    let server = TestServer::start(&db).await;
    let path = "/api/analyse?game=tic-tac-toe&position=X.O/.X./..O%20X&time=5s";
    let answer = get(server.addr, path).await;
    assert!(answer.head.contains("text/event-stream"), "{}", answer.head);
    let result = answer.body.split("event: result\ndata: ").nth(1).unwrap().lines().next().unwrap();
    let result: serde_json::Value = serde_json::from_str(result).unwrap();
    assert_eq!(result["to_move"], "first");
    assert_eq!(result["moves"].as_array().unwrap().len(), 5, "{result}");
    assert!(result["best"].as_array().unwrap().contains(&result["moves"][0]["move"]));
    let lines: Vec<_> = answer.body.split("event: line\ndata: ").skip(1).collect();
    assert_eq!(lines.len(), 3, "{}", answer.body);
    assert!(lines[0].starts_with(&format!("[{}", result["best"][0])), "{}", lines[0]);
    let over = get(server.addr, "/api/analyse?game=tic-tac-toe&position=XXX/OO./...%20O").await;
    assert!(over.body.contains("event: result"), "{}", over.body);
    assert_eq!(get(server.addr, "/api/analyse?game=othello&time=soon").await.code(), "malformed");
    let unknown = get(server.addr, "/api/analyse?game=othello&bot=stockfish").await;
    assert!(unknown.body.contains("event: error") && unknown.body.contains("bad_bot"), "{}", unknown.body);
}

#[tokio::test]
async fn closing_an_analysis_stops_its_search() {
    let db = TempDb::new("analyse-stop");
    let server = TestServer::start(&db).await;
    let reading = tokio::spawn(async move {
        get(server.addr, "/api/analyse?game=othello&bot=alpha-beta:depth=40&time=60s").await;
    });
    wait_until_healthy(server.addr, |health| health["searches"] == 1).await;
    reading.abort();
    wait_until_healthy(server.addr, |health| health["searches"] == 0).await;
}

#[tokio::test]
async fn every_answer_has_the_security_headers_and_other_sites_are_refused() {
    let db = TempDb::new("security");
    let server = TestServer::start(&db).await;
    for path in ["/", "/play/whatever", "/api/catalog", "/api/nothing", "/assets/missing.js"] {
        let answer = get(server.addr, path).await;
        for header in ["content-security-policy: default-src 'none'", "nosniff", "referrer-policy: no-referrer"] {
            assert!(answer.head.contains(header), "{header} at {path}: {}", answer.head);
        }
    }
    let body = json!({"game": "tic-tac-toe", "seats": [person(), person()]}).to_string();
    for header in ["origin: http://evil.example\r\n", "origin: null\r\n", "host: evil.example\r\n"] {
        let headers = format!("content-type: application/json\r\n{header}");
        let answer = request(server.addr, "POST", "/api/games", &headers, &body).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "bad_origin"), "{header}");
    }
    let own = format!("content-type: application/json\r\norigin: http://{}\r\n", server.addr);
    assert_eq!(request(server.addr, "POST", "/api/games", &own, &body).await.status, 201);
}

#[tokio::test]
async fn the_page_is_served_compressed_with_a_tag_and_at_every_address() {
    let db = TempDb::new("page");
    let server = TestServer::start(&db).await;
    let page = get(server.addr, "/").await;
    assert!(page.head.contains("text/html") && page.body.contains("<title>"), "{}", page.body);
    assert_eq!(get(server.addr, "/library/some/view?x=1").await.body, page.body);
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = request(server.addr, "GET", "/", &format!("if-none-match: {tag}\r\n"), "").await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert_eq!(get(server.addr, "/assets/missing.js").await.status, 404);
    let small = request(server.addr, "GET", "/api/catalog", "accept-encoding: gzip\r\n", "").await;
    assert!(small.head.contains("content-encoding: gzip"), "{}", small.head);
    let length = small.head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    assert!(length.parse::<usize>().unwrap() < 20_000, "{length}");
    assert_eq!(get(server.addr, "/index.html.gz").await.body, page.body, "twins have no address");
}

#[tokio::test]
async fn too_many_requests_from_one_address_are_refused() {
    let db = TempDb::new("rates");
    let limits = Limits { posts_per_second: 0.001, post_burst: 3.0, ..Limits::default() };
    let server = TestServer::with_limits(&db, limits).await;
    let body = json!({"game": "tic-tac-toe"});
    for _ in 0..3 {
        assert_eq!(post(server.addr, "/api/board", &body).await.status, 200);
    }
    let answer = post(server.addr, "/api/board", &body).await;
    assert_eq!((answer.status, answer.code().as_str()), (429, "rate_limited"));
    assert_eq!(get(server.addr, "/api/catalog").await.status, 200, "reading is free");
}
