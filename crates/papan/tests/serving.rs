//! `papan serve` and `papan` alone, asked to end by real signals.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Far more than it takes, on a machine that has something else to do.
const SOON: Duration = Duration::from_secs(5);

struct Served {
    child: Child,
    addr: String,
    folder: PathBuf,
}

impl Served {
    /// Games and everything else in a folder of its own; no browser can be found.
    fn start(name: &str, arguments: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!("papan-serving-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
            .args(arguments)
            .env("XDG_DATA_HOME", &folder)
            .env("PATH", &folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
        Self { child, addr, folder }
    }

    fn kill(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success());
    }

    fn exit_code(&mut self) -> Option<i32> {
        let began = Instant::now();
        while began.elapsed() < SOON {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn both_signals_end_the_page_with_code_0_and_readers_of_a_stream_are_told() {
    for (name, arguments, signal) in [
        ("int", &["serve", "--no-open"][..], "-INT"),
        ("term", &["serve", "--no-open"], "-TERM"),
        ("alone", &[], "-INT"),
        ("alone-term", &[], "-TERM"),
    ] {
        let mut served = Served::start(name, arguments);
        let mut stream = TcpStream::connect(&served.addr).unwrap();
        let path = "/api/analyse?game=othello&bot=alpha-beta:depth=40&time=60s";
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        let mut begun = [0; 15];
        stream.read_exact(&mut begun).unwrap();
        assert_eq!(&begun, b"HTTP/1.1 200 OK");
        served.kill(signal);
        let mut rest = Vec::new();
        stream.set_read_timeout(Some(SOON)).unwrap();
        stream.read_to_end(&mut rest).unwrap();
        assert!(rest.ends_with(b"0\r\n\r\n"), "{name}: the stream ends as it should");
        assert_eq!(served.exit_code(), Some(0), "{name}");
        let games = served.folder.join("papan").join("games.db");
        assert!(games.exists() && !games.with_extension("db-wal").exists(), "{name}: the store is closed");
    }
}
