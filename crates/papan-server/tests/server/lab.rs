//! The lab over HTTP: the numbers are those of the command line's library, and
//! every view is an address.

use crate::support::{Follower, TempDb, TestServer, begin, get, post};
use serde_json::{Value, json};

fn address(path: &str, game: &str, bot: &str, rest: &str) -> String {
    format!("/api/lab/{path}?game={game}&bot={bot}{rest}")
}

#[tokio::test]
async fn the_counts_are_the_analysis_own_in_every_game() {
    let db = TempDb::new("lab-counts");
    let server = TestServer::start(&db).await;
    for (game, bot) in [
        ("tic-tac-toe", "alpha-beta"),
        ("adjacency:rounds=4", "alpha-beta:depth=2"),
        ("dots-and-boxes:rows=2,cols=2", "minimax:depth=3"),
        ("othello", "alpha-beta:depth=4"),
    ] {
        let tree = get(server.addr, &address("tree", game, bot, "")).await.json();
        let table = papan_roster::table(game, None).unwrap();
        let mut player = papan_roster::bot(game, bot).unwrap();
        let (choice, tally) = player.choose_tallied(&*table, &papan_core::Budget::unlimited());
        assert_eq!(tree["nodes"], choice.nodes, "{game}");
        assert_eq!((&tree["leaves"], &tree["cuts"]), (&json!(tally.leaves()), &json!(tally.cuts)), "{game}");
        let counts = get(server.addr, &address("counts", game, bot, "")).await.json();
        for count in ["nodes", "leaves", "cuts"] {
            assert_eq!(counts[count], tree[count], "{game} {count}");
        }
        let by_ply: u64 = tree["by_ply"].as_array().unwrap().iter().map(|ply| ply["nodes"].as_u64().unwrap()).sum();
        assert_eq!(by_ply, choice.nodes);
    }
}

#[tokio::test]
async fn a_whole_tree_can_be_walked_through() {
    let db = TempDb::new("lab-walk");
    let server = TestServer::start(&db).await;
    let ask = async |path: &str, rest: &str| get(server.addr, &address(path, "tic-tac-toe", "minimax", rest)).await;
    let tree = ask("tree", "&nodes=400").await.json();
    assert_eq!((&tree["nodes"], &tree["kept"], &tree["shown"]), (&json!(549_946), &json!(549_946), &json!(400)));
    let last = tree["steps"].as_u64().unwrap() - 1;
    for n in [0, 1, 1000, 777_777, last] {
        let step = ask("tree/step", &format!("&n={n}")).await.json();
        assert_eq!(step["number"], n);
        assert!(step["scene"]["shapes"].is_array() && step["words"]["id"].is_string());
        for (above, near) in step["path"].as_array().unwrap().iter().zip(step["near"].as_array().unwrap()) {
            assert_eq!(above["node"]["children"], near.as_array().unwrap().len());
        }
    }
    assert_eq!(ask("tree/step", &format!("&n={}", last + 1)).await.status, 404);
    assert_eq!(ask("tree/node", "&id=549945").await.json()["node"]["id"], 549_945);
    assert_eq!(ask("tree/children", "&id=0&from=2&nodes=3").await.json().as_array().unwrap().len(), 3);
    assert_eq!(ask("tree/cut", "&n=0").await.json()["step"], Value::Null);
    let cut = get(server.addr, &address("tree/cut", "tic-tac-toe", "alpha-beta", "&n=0")).await.json();
    let at = cut["step"].as_u64().unwrap();
    let step = get(server.addr, &address("tree/step", "tic-tac-toe", "alpha-beta", &format!("&n={at}"))).await.json();
    assert_eq!(step["kind"], "cut");
    for format in ["svg", "dot", "html"] {
        assert_eq!(ask("tree/picture", &format!("&format={format}")).await.status, 200);
    }
}

/// Wherever a position is given, its number carries what it says of the value.
#[tokio::test]
async fn every_position_of_a_tree_says_whether_its_number_is_a_bound() {
    let db = TempDb::new("lab-bounds");
    let server = TestServer::start(&db).await;
    let ask = async |path: &str, rest: &str| {
        let rest = format!("&position=X.O/.X./..O%20X{rest}");
        get(server.addr, &address(path, "tic-tac-toe", "alpha-beta", &rest)).await.json()
    };
    let tree = ask("tree", "").await;
    let bounded = |nodes: &Value| nodes.as_array().unwrap().iter().filter(|node| node["bound"] == "at_most").count();
    assert!(bounded(&tree["tree"]) > 5);
    let children = ask("tree/children", "&id=0").await;
    assert_eq!(bounded(&children), 3, "a2, a3 and b3 are no better than what was found before");
    for child in children.as_array().unwrap() {
        let node = ask("tree/node", &format!("&id={}", child["id"])).await;
        assert_eq!(&node["node"], child);
        let left = ask("tree/step", &format!("&n={}", child["left"])).await;
        assert_eq!((&left["node"], &left["path"][1]["best"]), (child, &child["value"]));
        assert!(child["value"].as_str().unwrap().starts_with('≤') == (child["bound"] == "at_most"));
    }
    let last = ask("tree/step", &format!("&n={}", tree["steps"].as_u64().unwrap() - 1)).await;
    for language in ["en", "id"] {
        let end = tree["conclusion"][language].as_str().unwrap();
        assert!(last["words"][language].as_str().unwrap().ends_with(end));
    }
}

/// The reports' searches of trees are drawn too, and the catalog says which
/// they are.
#[tokio::test]
async fn what_the_catalog_calls_a_tree_search_is_drawn() {
    let db = TempDb::new("lab-presets");
    let server = TestServer::start(&db).await;
    let catalog = get(server.addr, "/api/catalog").await.json();
    for game in catalog["games"].as_array().unwrap() {
        let bots = game["bots"].as_array().unwrap().iter().filter(|bot| bot["searches_tree"] == true);
        let names: Vec<_> = bots.map(|bot| bot["name"].as_str().unwrap()).collect();
        assert!(names.starts_with(&["minimax", "alpha-beta"]) && names.len() > 2, "{names:?}");
        for bot in &names[2..] {
            let tree = get(server.addr, &address("tree", game["name"].as_str().unwrap(), bot, "&depth=2")).await;
            assert_eq!(tree.status, 200, "{bot}");
            let last = tree.json()["steps"].as_u64().unwrap() - 1;
            let rest = format!("&depth=2&n={}", last / 2);
            let step = get(server.addr, &address("tree/step", game["name"].as_str().unwrap(), bot, &rest)).await;
            assert_eq!(step.status, 200, "{bot}");
        }
    }
}

#[tokio::test]
async fn a_genetic_run_is_the_same_twice_and_shows_its_children() {
    let db = TempDb::new("lab-genetic");
    let server = TestServer::start(&db).await;
    let spec = "genetic:population=20,generations=8,seed=3";
    let first = get(server.addr, &address("run", "adjacency", spec, "")).await.json();
    let other = TestServer::start(&TempDb::new("lab-genetic-2")).await;
    let second = get(other.addr, &address("run", "adjacency", spec, "")).await.json();
    assert_eq!(first, second);
    assert_eq!(first["generations"].as_array().unwrap().len(), 8);
    for (n, generation) in first["generations"].as_array().unwrap().iter().enumerate() {
        let shown = get(server.addr, &address("run/generation", "adjacency", spec, &format!("&n={n}"))).await.json();
        let population = shown["population"].as_array().unwrap();
        assert_eq!(population.len(), 20);
        assert_eq!(population[0]["fitness"], generation["best"], "generation {n}");
    }
    for beyond in [8, u64::from(u32::MAX), u64::MAX] {
        let shown =
            get(server.addr, &address("run/generation", "adjacency", spec, &format!("&n={beyond}"))).await.json();
        assert_eq!(shown, json!({"population": [], "children": []}), "generation {beyond}");
    }
}

#[tokio::test]
async fn exercises_are_checked_and_experiments_reported() {
    let db = TempDb::new("lab-exercise");
    let server = TestServer::start(&db).await;
    let exercise = get(server.addr, "/api/lab/exercise?example=true").await.json();
    assert_eq!(exercise["nodes"].as_array().unwrap().len(), 15);
    let wrong = post(server.addr, "/api/lab/exercise?example=true", &json!({"pruned": []})).await.json();
    assert_eq!((&wrong["right"], &wrong["mistake"]), (&json!(false), &json!("too_little")));
    let right = post(server.addr, "/api/lab/exercise?example=true", &json!({"pruned": [13, 14]})).await.json();
    assert_eq!(right["right"], true);
    let wanted = json!({"game": "tic-tac-toe", "bots": ["minimax", "alpha-beta"], "depths": [1, 2], "games": 2});
    let results = post(server.addr, "/api/lab/experiment", &wanted).await.json();
    assert_eq!(results["measurements"].as_array().unwrap().len(), 4);
    let page = post(server.addr, "/api/lab/experiment?format=html&language=id", &wanted).await;
    assert_eq!(page.status, 200);
}

#[tokio::test]
async fn an_experiment_is_begun_watched_and_reported() {
    let db = TempDb::new("lab-experiments");
    let server = TestServer::start(&db).await;
    let wanted = json!({"game": "tic-tac-toe", "bots": ["minimax", "alpha-beta", "random"], "depths": [2, 1], "games": 2, "seeds": [1, 7]});
    let path = begin(server.addr, "/api/lab/experiments", &wanted).await;
    let standing = Follower::connect(server.addr, &path).await.last().await;
    assert_eq!((&standing["stopped"], &standing["done"], &standing["of"]), (&json!(false), &json!(12), &json!(12)));
    assert_eq!(standing["results"]["measurements"].as_array().unwrap().len(), 6);
    assert_eq!(standing["results"]["positions"].as_array().unwrap().len(), 10, "five of each seed");
    for row in standing["results"]["pairings"].as_array().unwrap() {
        let games: u64 = ["wins", "draws", "losses"].iter().map(|count| row[count].as_u64().unwrap()).sum();
        assert_eq!(games, 4, "two of each seed");
    }
    let depths: Vec<_> =
        standing["results"]["pairings"].as_array().unwrap().iter().map(|row| row["depth"].clone()).collect();
    assert_eq!(depths, [1, 1, 1, 2, 2, 2].map(|depth| json!(depth)));
    let report = |rest: &str| format!("{path}/report?{rest}");
    for (language, title) in [("en", "Experiment"), ("id", "Percobaan")] {
        let page = get(server.addr, &report(&format!("format=html&language={language}"))).await;
        assert!(page.head.contains("style-src 'unsafe-inline'"), "the document has its own style: {}", page.head);
        assert!(page.body.contains(&format!("<h1>{title}")) && page.body.contains("papan experiment"));
    }
    assert!(get(server.addr, &report("format=csv")).await.body.starts_with("bot,depth,nodes"));
    assert_eq!(get(server.addr, &report("format=json")).await.json(), standing["results"]);
    assert_eq!(get(server.addr, "/api/lab/experiments/nothing").await.status, 404);
    assert_eq!(post(server.addr, "/api/lab/experiments", &json!({"bots": ["exec:ls"]})).await.code(), "bad_bot");
}

#[tokio::test]
async fn an_experiment_stops_in_the_middle_of_a_search_and_of_a_game() {
    let db = TempDb::new("lab-stop");
    let server = TestServer::start(&db).await;
    for wanted in [
        // A single search, and a single game after searches at its very end:
        // each would take hours.
        json!({"game": "dots-and-boxes:rows=5,cols=5", "bots": ["minimax"], "depths": [12], "positions": 1, "plies": 0, "games": 0}),
        json!({"game": "dots-and-boxes:rows=5,cols=5", "bots": ["minimax", "random"], "depths": [12], "positions": 1, "plies": 58, "games": 2}),
    ] {
        let path = begin(server.addr, "/api/lab/experiments", &wanted).await;
        let searched = if wanted["games"] == 0 { 0 } else { 2 };
        let mut follower = Follower::connect(server.addr, &path).await;
        follower.state_where(|standing| standing["running"] == true && standing["done"] == searched).await;
        post(server.addr, &path, &json!({"running": false})).await;
        let standing = follower.last().await;
        assert_eq!((&standing["stopped"], &standing["results"]["partial"]), (&json!(true), &json!(true)));
        // What was measured before is kept, and reported as a part.
        assert_eq!(standing["results"]["measurements"].as_array().unwrap().len(), searched);
        let report = |rest: &str| format!("{path}/report?{rest}");
        assert_eq!(get(server.addr, &report("format=json")).await.json(), standing["results"]);
        let of = standing["of"].as_u64().unwrap();
        for (language, words) in
            [("en", format!("{searched} of {of} measurements")), ("id", format!("{searched} dari {of} pengukuran"))]
        {
            let page = get(server.addr, &report(&format!("format=html&language={language}"))).await;
            assert!(page.body.contains(&words), "{words}: {}", page.body);
        }
        assert_eq!(get(server.addr, &report("format=csv")).await.body.lines().count(), 1 + searched);
    }
}

#[tokio::test]
async fn what_the_lab_cannot_show_is_refused_in_words() {
    let db = TempDb::new("lab-refused");
    let server = TestServer::start(&db).await;
    for (path, status, code) in [
        (address("tree", "tic-tac-toe", "random", ""), 422, "bad_bot"),
        (address("tree", "tic-tac-toe", "mcts", ""), 422, "bad_bot"),
        (address("tree", "tic-tac-toe", "exec:ls", ""), 400, "bad_bot"),
        (address("tree", "chess", "minimax", ""), 422, "bad_game"),
        (address("tree", "tic-tac-toe", "minimax", "&position=XXX/OO./...%20O"), 409, "game_over"),
        (address("tree/node", "tic-tac-toe", "alpha-beta:depth=1", "&id=99"), 404, "not_found"),
        ("/api/lab/tree".to_owned(), 400, "malformed"),
    ] {
        let answer = get(server.addr, &path).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{path}");
    }
    for wanted in [
        json!({"bots": []}),
        json!({"depths": [0]}),
        json!({"positions": 100_000}),
        json!({"colour": 1}),
        json!({"seeds": []}),
    ] {
        let answer = post(server.addr, "/api/lab/experiment", &wanted).await;
        assert!(matches!(answer.status, 400 | 422), "{wanted}: {}", answer.status);
    }
}
