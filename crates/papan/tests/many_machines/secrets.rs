//! Passwords are seen by the server, and by nobody else.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::forged::{as_user, documented_users, password};
use super::stage::{Folder, Process, Servers, json, papan};

const LONG: Duration = Duration::from_secs(60);

/// Every file below a folder, with its bytes.
fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), found);
        } else {
            found.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap_or_default()));
        }
    }
}

fn contains(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|part| part == word.as_bytes())
}

#[test]
fn a_password_is_in_no_file_output_or_command_line() {
    let folder = Folder::new("secrets");
    let servers = Servers::with_users(&folder, &documented_users());
    let url = servers.url();
    // The bot tells all that it can see of its surroundings.
    let bot = "import os, sys\n\
        for line in sys.stdin:\n    print(sorted(os.environ.items()), file=sys.stderr, flush=True)\n\
        \x20   print(line.split(' | ')[3].split()[0] if ' | ' in line else 'x', flush=True)\n";
    folder.write("bots/teller.py", bot);
    let text = "game = 'tic-tac-toe'\nbots = ['random', 'program:bots/teller.py']\ngames = 2\ntime = '20s'\n";
    let file = folder.write("cup.toml", text);
    let arguments = ["worker", "--queue", &url, "--jobs", "1", "--folder", &folder.path("kept")];
    let mut command = papan(&arguments);
    command.env("PAPAN_NATS_USER", "worker1").env("PAPAN_NATS_PASSWORD", password("worker1"));
    let worker = Process::start(&mut command, &folder.path("worker.log"));
    let html = folder.path("report.html");
    let arguments = ["tournament", &file, "--queue", &url, "--json", "--html", &html];
    let coordinator = Process::start(&mut as_user(&folder, "coordinator", &arguments), &folder.path("coordinator.log"));
    let command_lines = [worker.id(), coordinator.id()].map(|id| fs::read(format!("/proc/{id}/cmdline")).unwrap());
    json(&coordinator.wait(LONG));
    worker.signal("TERM");
    worker.wait(LONG);
    // 1. A password in the address still works, with a warning, and is redacted.
    let with = |word: &str| url.replace("nats://", &format!("nats://worker1:{word}@"));
    let right = papan(&["worker", "--queue", &with(&password("worker1")), "--status"]).output().unwrap();
    assert!(right.status.success());
    let warning = String::from_utf8(right.stderr).unwrap();
    assert!(warning.contains("--password-file") && warning.lines().count() == 1, "{warning}");
    let wrong = papan(&["worker", "--queue", &with("wrong-Sesame-7431"), "--status"]).output().unwrap();
    let refused = String::from_utf8(wrong.stderr).unwrap();
    assert!(wrong.status.code() == Some(2) && refused.contains("refuses us"), "{refused}");
    fs::write(folder.0.join("said.log"), [warning, refused].concat()).unwrap();
    // 2. Nothing that was written has it, but for the files that it was put into.
    let mut found = Vec::new();
    files(&folder.0, &mut found);
    assert!(found.len() > 10 && found.iter().any(|(name, _)| name.ends_with("report.html")));
    found.extend(command_lines.map(|line| ("a command line".to_owned(), line)));
    for (name, bytes) in found {
        let its_own = name.ends_with(".password") || name.ends_with("users.conf");
        assert!(its_own || !contains(&bytes, "Sesame-7431"), "{name}");
    }
}

#[test]
fn mistakes_with_secrets_are_one_line() {
    let folder = Folder::new("no-secrets");
    let empty = folder.write("empty", "");
    let (two, good) = (folder.write("two", "a\nb\n"), folder.write("good", "a\n"));
    let queue = ["worker", "--status", "--queue", "nats://127.0.0.1:1"];
    for (more, expected) in [
        (vec!["--user", "me"], "--password-file"),
        (vec!["--password-file", &good], "--user"),
        (vec!["--user", "me", "--password-file", "/no/such/file"], "/no/such/file"),
        (vec!["--user", "me", "--password-file", &empty], "one line"),
        (vec!["--user", "me", "--password-file", &two], "one line"),
        (vec!["--user", "me", "--token-file", &good], "cannot be used with"),
        (vec!["--token-file", &good], "no server answers"),
    ] {
        let output = papan(&[&queue[..], &more].concat()).output().unwrap();
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}: {line}");
        assert!(line.contains(expected) && line.lines().count() == 1, "{more:?}: {line}");
    }
}
