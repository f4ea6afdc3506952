//! Pages of other sites, and names that are not ours.

use std::net::SocketAddr;

use papan_server::{ServeOptions, Server, StartError};
use serde_json::json;

use crate::support::{TempDb, TestServer, get, make, no_clock, person, request};

fn from(site: &str, mode: &str, dest: &str) -> String {
    format!("sec-fetch-site: {site}\r\nsec-fetch-mode: {mode}\r\nsec-fetch-dest: {dest}\r\n")
}

#[tokio::test]
async fn pages_of_other_sites_and_other_ports_get_nothing_of_the_api() {
    let db = TempDb::new("sites");
    let server = TestServer::start(&db).await;
    let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    let live = format!("/api/games/{}/live", made.id);
    let costly = "/api/lab/counts?game=tic-tac-toe&bot=alpha-beta:depth=9";
    for site in ["cross-site", "same-site"] {
        for path in ["/api/catalog", "/api/games", "/api/board.svg?game=othello", costly, "/api/analyse?game=othello"] {
            for (mode, dest) in
                [("no-cors", "image"), ("cors", "empty"), ("navigate", "document"), ("navigate", "iframe")]
            {
                let answer = request(server.addr, "GET", path, &from(site, mode, dest), "").await;
                assert_eq!((answer.status, answer.code().as_str()), (403, "bad_origin"), "{site} {mode} {path}");
            }
        }
        let upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
            sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let headers = format!("{upgrade}{}", from(site, "websocket", "websocket"));
        assert_eq!(request(server.addr, "GET", &live, &headers, "").await.status, 403, "{site}: a socket");
        let body = json!({"game": "tic-tac-toe", "seats": [person(), person()]}).to_string();
        let headers = format!("content-type: text/plain\r\n{}", from(site, "no-cors", "empty"));
        assert_eq!(request(server.addr, "POST", "/api/games", &headers, &body).await.status, 403, "{site}: a form");
        // A link from elsewhere works; a picture or a frame does not.
        let link = request(server.addr, "GET", "/library", &from(site, "navigate", "document"), "").await;
        assert_eq!(link.status, 200, "{site}: a link");
        let frame = request(server.addr, "GET", "/", &from(site, "navigate", "iframe"), "").await;
        assert_eq!(frame.status, 403, "{site}: a frame");
    }
    assert_eq!(get(server.addr, "/api/games").await.json()["games"].as_array().unwrap().len(), 1, "nothing was made");
    for site in ["same-origin", "none"] {
        let own = request(server.addr, "GET", "/api/catalog", &from(site, "cors", "empty"), "").await;
        assert_eq!(own.status, 200, "{site}");
    }
}

fn options(db: &TempDb, addr: &str) -> ServeOptions {
    ServeOptions { addr: addr.parse().unwrap(), db: db.path().to_owned(), ..ServeOptions::default() }
}

#[tokio::test]
async fn an_address_that_others_can_reach_must_be_asked_for() {
    let db = TempDb::new("not-open");
    for addr in ["0.0.0.0:0", "[::]:0"] {
        let refused = Server::bind(&options(&db, addr)).await.err();
        assert!(matches!(refused, Some(StartError::NotOpen(_))), "{addr}");
    }
    assert!(!db.path().exists(), "nothing is made before that is known");
}

#[tokio::test]
async fn an_open_server_answers_to_its_names_and_to_no_other() {
    let db = TempDb::new("open");
    let hosts = vec!["papan.example".to_owned()];
    let server = TestServer::with_options(ServeOptions { open: true, hosts, ..options(&db, "0.0.0.0:0") }).await;
    let addr = SocketAddr::from(([127, 0, 0, 1], server.addr.port()));
    for (host, status) in [
        ("papan.example", 200),
        ("PAPAN.example:8080", 200),
        ("localhost", 200),
        ("127.0.0.1", 200),
        ("rebound.example", 403),
        ("papan.example.rebound.example", 403),
        ("10.1.2.3", 403),
    ] {
        for path in ["/api/catalog", "/"] {
            let answer = request(addr, "GET", path, &format!("host: {host}\r\n"), "").await;
            assert_eq!(answer.status, status, "{host} at {path}");
        }
    }
}

#[tokio::test]
async fn names_in_other_forms_and_headers_that_come_twice_open_nothing() {
    let db = TempDb::new("sites-forms");
    let server = TestServer::start(&db).await;
    let own = format!("host: {}\r\n", server.addr);
    for host in ["[::1].evil.example", "127.0.0.1:80@evil.example", "127.0.0.1@evil.example", "localhost.", "[::1"] {
        let answer = request(server.addr, "GET", "/api/health", &format!("host: {host}\r\n"), "").await;
        assert_eq!(answer.status, 403, "{host}");
    }
    let elsewhere = request(server.addr, "GET", "http://evil.example/api/health", &own, "").await;
    assert_eq!(elsewhere.status, 403, "the first line names another server");
    let here = format!("http://{}/api/health", server.addr);
    assert_eq!(request(server.addr, "GET", &here, &own, "").await.status, 200);
    for twice in [
        format!("origin: http://{}\r\norigin: http://evil.example\r\n", server.addr),
        "sec-fetch-site: same-origin\r\nsec-fetch-site: cross-site\r\n".to_owned(),
        "host: evil.example\r\n".to_owned(),
    ] {
        let answer = request(server.addr, "GET", "/api/health", &format!("{own}{twice}"), "").await;
        assert_eq!(answer.status, 403, "{twice}");
    }
}
