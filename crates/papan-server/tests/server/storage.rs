//! The file of games: one server at a time, nobody else's eyes, nobody else's
//! file, and nothing written over what is damaged.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use serde_json::json;

use crate::process::{Process, refusal};
use crate::support::{Live, TempDb, get, make, no_clock, person, post};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

fn beside(db: &TempDb, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", db.path().display()))
}

#[tokio::test]
async fn a_second_server_on_the_same_file_is_refused_and_no_move_is_lost() {
    let db = TempDb::new("two-servers");
    let mut server = Process::start(&db);
    let made = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
    // By its own name and by another one.
    let link = beside(&db, ".link");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(db.path(), &link).unwrap();
    for name in [db.path(), &link] {
        let said = refusal(name);
        assert!(said.contains("another Papan server has these games"), "{said}");
    }
    fs::remove_file(&link).unwrap();
    let mut live = Live::connect(server.addr, &made.id, &made.token("first")).await;
    live.view().await;
    live.play("b2", 0).await;
    live.view_at(1).await;
    server.kill();
    // A killed server's lock is gone with it.
    let server = Process::start(&db);
    assert_eq!(get(server.addr, &format!("/api/games/{}", made.id)).await.json()["ply"], 1);
}

#[tokio::test]
async fn only_the_owner_can_read_what_is_stored() {
    let db = TempDb::new("modes");
    let folder = db.path().with_extension("tournaments");
    let _ = fs::remove_dir_all(&folder);
    let everyone = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    {
        let mut server = Process::start(&db);
        make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
        for ending in ["", "-wal", "-shm"] {
            assert_eq!(mode(&beside(&db, ending)), 0o600, "{ending}");
        }
        let body = json!({"game": "tic-tac-toe", "bots": ["random", "greedy"], "games": 2});
        assert_eq!(post(server.addr, "/api/tournaments", &body).await.status, 201);
        assert_eq!(mode(&folder), 0o700);
        server.kill();
    }
    // Files of earlier versions are narrowed.
    everyone(&folder, 0o755);
    let inside: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!inside.is_empty());
    for path in inside.iter().chain([&beside(&db, ""), &beside(&db, "-wal")]) {
        everyone(path, 0o644);
    }
    let _server = Process::start(&db);
    assert_eq!((mode(db.path()), mode(&beside(&db, "-wal")), mode(&folder)), (0o600, 0o600, 0o700));
    for path in inside.iter().filter(|path| path.exists()) {
        assert_eq!(mode(path), 0o600, "{}", path.display());
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn files_of_others_are_refused_and_stay_as_they_are() {
    const NOT_OURS: &str = "not a file of Papan's games";
    let diary = "Dear diary, ".repeat(50);
    for (name, is_sql, content, expected) in [
        ("text", false, &*diary, NOT_OURS),
        ("short", false, "x", NOT_OURS),
        ("foreign", true, "CREATE TABLE birds (name TEXT);", NOT_OURS),
        ("wal", true, "PRAGMA journal_mode = WAL; CREATE TABLE games (name TEXT); PRAGMA user_version = 2;", NOT_OURS),
        ("marked", true, "CREATE TABLE birds (name TEXT); PRAGMA application_id = 7;", NOT_OURS),
        (
            "tournament",
            true,
            "CREATE TABLE game (id TEXT); PRAGMA application_id = 0x50706e54;",
            "this is a tournament",
        ),
        (
            "newer",
            true,
            "CREATE TABLE games (id TEXT); PRAGMA application_id = 0x50706e47; PRAGMA user_version = 99;",
            "a newer Papan made these games (version 99",
        ),
    ] {
        let db = TempDb::new(&format!("foreign-{name}"));
        if is_sql {
            rusqlite::Connection::open(db.path()).unwrap().execute_batch(content).unwrap();
        } else {
            fs::write(db.path(), content).unwrap();
        }
        fs::set_permissions(db.path(), fs::Permissions::from_mode(0o644)).unwrap();
        let before = fs::read(db.path()).unwrap();
        let said = refusal(db.path());
        assert!(said.contains(expected) && said.contains(db.path().to_str().unwrap()), "{name}: {said}");
        assert!(fs::read(db.path()).unwrap() == before, "{name}: not a byte is changed");
        assert_eq!(mode(db.path()), 0o644, "{name}");
        assert!(!beside(&db, "-lock").exists(), "{name}: nothing is left beside it");
    }
    assert!(refusal(&std::env::temp_dir()).contains("not a file"));
}

#[tokio::test]
async fn games_of_an_earlier_version_are_recognised_and_marked() {
    let db = TempDb::new("earlier");
    fs::write(db.path(), include_bytes!("../data/games-of-version-2.db")).unwrap();
    let mut server = Process::start(&db);
    let mut live = Live::connect(server.addr, "00000000000000a1", "0123456789abcdef0123456789abcdef").await;
    live.view().await;
    live.play("b2", 0).await;
    live.view_at(2).await;
    server.signal(Signal::TERM);
    assert_eq!(server.wait().0.code(), Some(0));
    let header = fs::read(db.path()).unwrap();
    assert_eq!((&header[68..72], header[63]), (&b"PpnG"[..], 3), "marked, and of this version");
}

#[tokio::test]
async fn a_damaged_file_is_shown_and_not_written_to() {
    let db = TempDb::new("damaged");
    let first;
    {
        let mut server = Process::start(&db);
        first = make(server.addr, "tic-tac-toe", [person(), person()], no_clock()).await;
        for _ in 0..150 {
            make(server.addr, "othello", [person(), person()], no_clock()).await;
        }
        server.signal(Signal::TERM);
        server.wait();
    }
    // A page in the middle of the seats is scribbled over.
    let page: i64 = {
        let store = rusqlite::Connection::open(db.path()).unwrap();
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'seats'";
        store.query_row(root, [], |row| row.get(0)).unwrap()
    };
    let mut bytes = fs::read(db.path()).unwrap();
    let child = last_child(&bytes, page as usize);
    bytes[(child - 1) * 4096..][8..2048].fill(0xa5);
    fs::write(db.path(), &bytes).unwrap();
    let mut server = Process::start(&db);
    assert_eq!(get(server.addr, "/api/catalog").await.status, 200);
    let wanted = json!({"game": "tic-tac-toe", "seats": [person(), person()]});
    let refused = post(server.addr, "/api/games", &wanted).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "storage"), "{}", refused.body);
    let words = &refused.json()["error"]["message"];
    assert!(words["en"].as_str().unwrap().contains("damaged") && words["id"].as_str().unwrap().contains("rusak"));
    // What can be read is shown, and nothing is changed.
    let mut readable = 0;
    let mut cursor = String::new();
    loop {
        let page = get(server.addr, &format!("/api/games?limit=100&cursor={cursor}")).await;
        assert_eq!(page.status, 200, "{}", page.body);
        readable += page.json()["games"].as_array().unwrap().len();
        match page.json()["next"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    assert!((1..151).contains(&readable), "{readable} games of 151");
    let shown = get(server.addr, &format!("/api/games/{}", first.id)).await;
    assert!([200, 500].contains(&shown.status), "{}", shown.body);
    if shown.status == 200 {
        let mut live = Live::connect(server.addr, &first.id, &first.token("first")).await;
        live.view().await;
        live.play("b2", 0).await;
        assert_eq!(live.error().await, "storage");
    }
    server.signal(Signal::TERM);
    assert_eq!(server.wait().0.code(), Some(0));
    let said = server.stderr();
    assert!(said.contains("the file is damaged") && said.trim().lines().count() == 1, "{said}");
    assert!(fs::read(db.path()).unwrap() == bytes, "not a byte is changed");
}

/// The rightmost child of an inner page of a tree, or the page itself.
fn last_child(bytes: &[u8], page: usize) -> usize {
    let head = &bytes[(page - 1) * 4096..];
    let is_inner = matches!(head[0], 2 | 5);
    if is_inner { u32::from_be_bytes(head[8..12].try_into().unwrap()) as usize } else { page }
}
