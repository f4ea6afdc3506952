//! Servers, workers and coordinators as processes of their own.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A folder that every user may enter, gone when dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("papan-machines-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("bots")).unwrap();
        for folder in [&path, &path.join("bots")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The logs of a test that fails are worth a look.
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// A process that does not outlive its test.
pub(crate) struct Process {
    child: Child,
    out: String,
}

impl Process {
    /// With its standard error in a file, after what is there already, and its
    /// standard output in another: a pipe that nobody reads would hold it up.
    pub(crate) fn start(command: &mut Command, log: &str) -> Self {
        let err = fs::File::options().create(true).append(true).open(log).unwrap();
        let out = format!("{log}.out");
        let child = command.stdin(Stdio::null()).stderr(err).stdout(fs::File::create(&out).unwrap()).spawn();
        Self { child: child.expect("it starts"), out }
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success(), "{name} {id}");
    }

    /// Has it ended, and well?
    pub(crate) fn ended(&mut self) -> Option<bool> {
        self.child.try_wait().unwrap().map(|status| status.success())
    }

    pub(crate) fn wait(mut self, most: Duration) -> Output {
        let began = Instant::now();
        while self.ended().is_none() {
            assert!(began.elapsed() < most, "it has not ended after {most:?}");
            sleep(Duration::from_millis(20));
        }
        let status = self.child.wait().unwrap();
        Output { status, stdout: fs::read(&self.out).unwrap(), stderr: Vec::new() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(crate) fn papan(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papan"));
    command.args(arguments);
    command
}

pub(crate) fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The games without what a clock has measured, and without who played them.
pub(crate) fn games_of(json: &Value) -> Vec<Value> {
    let mut games = json["games"].as_array().unwrap().clone();
    for game in &mut games {
        let game = game.as_object_mut().unwrap();
        game.remove("times_us");
        game.remove("worker");
    }
    games
}

/// One server, or three that are one cluster.
pub(crate) struct Servers {
    folder: PathBuf,
    ports: Vec<(u16, u16)>,
    processes: Vec<Option<Process>>,
    /// A file with the users and what they may do.
    users: Option<String>,
}

impl Servers {
    pub(crate) fn start(folder: &Folder, count: usize) -> Self {
        let ports = free_ports(2 * count);
        let ports = ports.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let processes = (0..count).map(|_| None).collect();
        let mut servers = Self { folder: folder.0.clone(), ports, processes, users: None };
        for number in 0..count {
            servers.start_one(number);
        }
        servers
    }

    /// One server, for these users only.
    pub(crate) fn with_users(folder: &Folder, users: &str) -> Self {
        let ports = free_ports(2);
        let users = Some(folder.write("users.conf", users));
        let mut servers =
            Self { folder: folder.0.clone(), ports: vec![(ports[0], ports[1])], processes: vec![None], users };
        servers.start_one(0);
        servers
    }

    pub(crate) fn port(&self) -> u16 {
        self.ports[0].0
    }

    pub(crate) fn start_one(&mut self, number: usize) {
        let (client, route) = self.ports[number];
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let store = text(self.folder.join(format!("nats-{number}")));
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &client.to_string(), "-js", "-sd", &store]);
        if let Some(users) = &self.users {
            command.args(["-c", users]);
        }
        if self.ports.len() > 1 {
            let routes: Vec<_> = self.ports.iter().map(|(_, route)| format!("nats://127.0.0.1:{route}")).collect();
            command.args(["-n", &format!("n{number}"), "--cluster_name", "papan"]);
            command.args(["--cluster", &format!("nats://127.0.0.1:{route}"), "--routes", &routes.join(",")]);
        }
        let log = text(self.folder.join(format!("nats-{number}.log")));
        self.processes[number] = Some(Process::start(&mut command, &log));
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", client)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(20), "nats-server does not listen; is it installed?");
            sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn process(&mut self, number: usize) -> &mut Process {
        self.processes[number].as_mut().expect("it was started")
    }

    /// All of them, as `--queue` takes them.
    pub(crate) fn url(&self) -> String {
        let urls: Vec<_> = self.ports.iter().map(|(client, _)| format!("nats://127.0.0.1:{client}")).collect();
        urls.join(",")
    }

    /// Publishes bytes, as anybody who reaches the server can.
    pub(crate) fn publish(&self, subject: &str, payload: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.ports[0].0)).unwrap();
        let head = format!("CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n", payload.len());
        let message = [head.as_bytes(), payload, b"\r\nPING\r\n"].concat();
        // One that is too large for the server is cut off by it.
        let _ = stream.write_all(&message);
        // The server has taken it when it answers.
        let (mut seen, mut buffer) = (String::new(), [0; 4096]);
        while !seen.contains("PONG") && !seen.contains("-ERR") {
            match stream.read(&mut buffer) {
                Ok(0) | Err(_) => return,
                Ok(count) => seen += &String::from_utf8_lossy(&buffer[..count]),
            }
        }
    }
}

/// Held all at once, so that none is given twice.
fn free_ports(count: usize) -> Vec<u16> {
    let held: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    held.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

/// Waits until it is so.
pub(crate) fn until(what: &str, most: Duration, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < most, "{what}: not after {most:?}");
        sleep(Duration::from_millis(20));
    }
}
