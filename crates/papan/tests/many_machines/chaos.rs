//! A tournament while everything that can be is killed and paused.

use std::thread::sleep;
use std::time::{Duration, Instant};

use papan_core::Random;

use super::stage::{Folder, Process, Servers, games_of, json, papan, until};

const GAMES: usize = 500;

/// A paused worker loses its jobs after this.
const LEASE: &str = "2s";
const BEYOND_THE_LEASE: (usize, usize) = (2500, 4000);

/// What may happen, each at least once.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Blow {
    KillWorker,
    PauseWorker,
    KillCoordinator,
    PauseCoordinator,
    KillServer,
    PauseServer,
}

const EVERY_BLOW: [Blow; 6] = [
    Blow::KillWorker,
    Blow::KillCoordinator,
    Blow::PauseWorker,
    Blow::KillServer,
    Blow::PauseCoordinator,
    Blow::PauseServer,
];

/// Who is paused, and until when.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Worker(usize),
    Coordinator,
    Server(usize),
}

struct Field<'a> {
    folder: &'a Folder,
    file: String,
    url: String,
    servers: Servers,
    workers: Vec<Process>,
    coordinator: Process,
    paused: Vec<(Who, Instant)>,
    dead_server: Option<(usize, Instant)>,
    random: Random,
}

impl<'a> Field<'a> {
    fn new(folder: &'a Folder, file: String, servers: Servers, seed: u64) -> Self {
        let url = servers.url();
        let workers = (0..4).map(|number| worker(folder, &url, number)).collect();
        let coordinator = coordinator(folder, &url, &file);
        let (paused, random) = (Vec::new(), Random::new(seed));
        Self { folder, file, url, servers, workers, coordinator, paused, dead_server: None, random }
    }

    fn process(&mut self, who: Who) -> &mut Process {
        match who {
            Who::Worker(number) => &mut self.workers[number],
            Who::Coordinator => &mut self.coordinator,
            Who::Server(number) => self.servers.process(number),
        }
    }

    /// Wakes those whose time has come, and starts again what was killed.
    fn heal(&mut self, now: Instant) {
        let awake: Vec<Who> = self.paused.iter().filter(|(_, until)| *until <= now).map(|&(who, _)| who).collect();
        self.paused.retain(|(_, until)| *until > now);
        for who in awake {
            self.process(who).signal("CONT");
        }
        if let Some((number, until)) = self.dead_server
            && until <= now
        {
            self.servers.start_one(number);
            self.dead_server = None;
        }
    }

    fn is_paused(&self, who: Who) -> bool {
        self.paused.iter().any(|(paused, _)| *paused == who)
    }

    fn pause(&mut self, who: Who, now: Instant) {
        if self.is_paused(who) {
            return;
        }
        self.process(who).signal("STOP");
        let (least, most) = BEYOND_THE_LEASE;
        let time = least + self.random.below(most - least);
        self.paused.push((who, now + Duration::from_millis(time as u64)));
    }

    /// One server of three may be away at a time: the others are a majority.
    fn a_server_may_go(&self) -> bool {
        self.dead_server.is_none() && !self.paused.iter().any(|(who, _)| matches!(who, Who::Server(_)))
    }

    fn strike(&mut self, blow: Blow, now: Instant) {
        let worker_number = self.random.below(4);
        match blow {
            Blow::KillWorker => {
                self.paused.retain(|(who, _)| *who != Who::Worker(worker_number));
                self.workers[worker_number].kill();
                self.workers[worker_number] = worker(self.folder, &self.url, worker_number);
            }
            Blow::PauseWorker => self.pause(Who::Worker(worker_number), now),
            Blow::KillCoordinator => {
                self.paused.retain(|(who, _)| *who != Who::Coordinator);
                self.coordinator.kill();
                self.coordinator = coordinator(self.folder, &self.url, &self.file);
            }
            Blow::PauseCoordinator => self.pause(Who::Coordinator, now),
            Blow::KillServer if self.a_server_may_go() => {
                let number = self.random.below(3);
                self.servers.process(number).kill();
                self.dead_server = Some((number, now + Duration::from_millis(1500)));
            }
            Blow::PauseServer if self.a_server_may_go() => {
                let number = self.random.below(3);
                self.pause(Who::Server(number), now);
            }
            Blow::KillServer | Blow::PauseServer => {}
        }
    }
}

fn worker(folder: &Folder, url: &str, number: usize) -> Process {
    let name = format!("w{number}");
    let mut command = papan(&["worker", "--queue", url, "--jobs", "1", "--name", &name]);
    Process::start(&mut command, &folder.path("workers.log"))
}

fn coordinator(folder: &Folder, url: &str, file: &str) -> Process {
    let arguments = ["tournament", file, "--resume", "--queue", url, "--lease", LEASE, "--ahead", "40", "--json"];
    Process::start(&mut papan(&arguments), &folder.path("coordinator.log"))
}

#[test]
fn what_a_server_loses_with_its_disk_is_published_again() {
    let folder = Folder::new("disk");
    let mut servers = Servers::start(&folder, 1);
    let url = servers.url();
    let text = "game = 'tic-tac-toe'\ngames = 60\nnodes = 100\nbots = ['random', 'greedy']\n";
    let file = folder.write("cup.toml", text);
    let arguments = ["tournament", &file, "--queue", &url, "--lease", "500ms", "--json"];
    let mut coordinator = Process::start(&mut papan(&arguments), &folder.path("coordinator.log"));
    let queued = || {
        let status = papan(&["worker", "--queue", &url, "--status", "--json"]).output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&status.stdout).is_ok_and(|status| status["queued"] == 60)
    };
    until("the jobs are in the queue", Duration::from_secs(30), queued);
    servers.process(0).kill();
    std::fs::remove_dir_all(folder.0.join("nats-0")).unwrap();
    servers.start_one(0);
    let _worker = worker(&folder, &url, 0);
    until("the tournament ends", Duration::from_secs(60), || coordinator.ended().is_some());
    let far = json(&coordinator.wait(Duration::from_secs(10)));
    let near = folder.path("near.sqlite");
    let near = json(&papan(&["tournament", &file, "--store", &near, "--json"]).output().unwrap());
    assert_eq!(games_of(&far), games_of(&near));
    assert!(folder.read("coordinator.log").contains("was lost by the queue"));
}

#[test]
fn five_hundred_games_whatever_is_killed_or_paused() {
    let folder = Folder::new("chaos");
    let text = "game = 'othello:size=6'\ngames = 50\ndepth = 5\nseed = 11\n\
        bots = ['greedy', 'alpha-beta:depth=5', 'mcts:simulations=400', 'alpha-beta:depth=4', 'minimax:depth=3']\n";
    let file = folder.write("cup.toml", text);
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let mut field = Field::new(&folder, file, Servers::start(&folder, 3), seed);
    // 1. Blows, as long as there are games to be played: each kind in turn,
    //    then any; not for ever, so that it ends on a slow machine too.
    let began = Instant::now();
    let (mut next_blow, mut blows) = (began + Duration::from_secs(4), Vec::new());
    while field.coordinator.ended().is_none() {
        let now = Instant::now();
        assert!(now - began < Duration::from_secs(150), "it does not end: {}", folder.read("coordinator.log"));
        field.heal(now);
        if now >= next_blow && blows.len() < 16 {
            let blow = EVERY_BLOW.get(blows.len()).copied().unwrap_or_else(|| EVERY_BLOW[field.random.below(6)]);
            field.strike(blow, now);
            blows.push(blow);
            next_blow = now + Duration::from_millis(400 + field.random.below(800) as u64);
        }
        sleep(Duration::from_millis(20));
    }
    println!("{} blows in {:?}", blows.len(), began.elapsed());
    // 2. Exactly the games that one process plays.
    let Field { coordinator, .. } = field;
    let far = json(&coordinator.wait(Duration::from_secs(10)));
    assert!(EVERY_BLOW.iter().all(|blow| blows.contains(blow)), "it ended too soon: {blows:?}");
    let arguments = ["tournament", &folder.path("cup.toml"), "--store", &folder.path("near.sqlite"), "--json"];
    let near = json(&papan(&arguments).output().unwrap());
    assert_eq!(far["finished"], true);
    assert_eq!(games_of(&far).len(), GAMES);
    assert!(games_of(&far) == games_of(&near), "other games than in one process");
    assert_eq!(far["standings"].as_array().unwrap().len(), 5);
}
