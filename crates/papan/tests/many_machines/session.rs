//! A stranger at the server: speaks NATS by hand, and may say anything that the
//! server lets its user say.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

pub(crate) struct Session {
    stream: TcpStream,
    inbox: String,
    seen: Vec<u8>,
}

impl Session {
    /// Answers come to `inbox`.
    pub(crate) fn open(port: u16, user: Option<(&str, &str)>, inbox: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut session = Self { stream, inbox: inbox.to_owned(), seen: Vec::new() };
        let user = user.map_or_else(String::new, |(user, pass)| format!(",\"user\":\"{user}\",\"pass\":\"{pass}\""));
        session.say(format!("CONNECT {{\"verbose\":false{user}}}\r\nSUB {inbox}.> 1\r\n").as_bytes());
        session
    }

    fn say(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Everything that the server has said up to its next PONG.
    fn heard(&mut self) -> String {
        self.say(b"PING\r\n");
        self.until("PONG\r\n")
    }

    fn until(&mut self, end: &str) -> String {
        let mut buffer = [0; 65536];
        loop {
            let text = String::from_utf8_lossy(&self.seen).into_owned();
            if let Some(at) = text.find(end) {
                self.seen = text.as_bytes()[at + end.len()..].to_vec();
                return text[..at + end.len()].to_owned();
            }
            match self.stream.read(&mut buffer) {
                Ok(count) if count > 0 => self.seen.extend(&buffer[..count]),
                _ => return text,
            }
        }
    }

    /// Publishes; gives the server's complaint, if it has one.
    pub(crate) fn publish(&mut self, subject: &str, payload: &str) -> Option<String> {
        self.say(format!("PUB {subject} {}\r\n{payload}\r\n", payload.len()).as_bytes());
        let heard = self.heard();
        heard.contains("-ERR").then_some(heard)
    }

    /// Listens to a subject; gives the server's complaint, if it has one.
    pub(crate) fn listen(&mut self, subject: &str) -> Option<String> {
        self.say(format!("SUB {subject} 2\r\n").as_bytes());
        let heard = self.heard();
        heard.contains("-ERR").then_some(heard)
    }

    /// Asks, and gives all that is said within a moment.
    pub(crate) fn ask(&mut self, subject: &str, payload: &str) -> String {
        let inbox = format!("{}.a", self.inbox);
        self.say(format!("PUB {subject} {inbox} {}\r\n{payload}\r\n", payload.len()).as_bytes());
        let mut heard = self.heard();
        std::thread::sleep(Duration::from_millis(300));
        heard += &self.heard();
        heard
    }

    /// Jobs that a worker is handed: the payloads, and where each is
    /// acknowledged.
    pub(crate) fn pull(&mut self, batch: usize) -> Vec<(String, serde_json::Value)> {
        let asked = format!("{{\"batch\":{batch},\"no_wait\":true}}");
        let heard = self.ask("$JS.API.CONSUMER.MSG.NEXT.PAPAN_JOBS.workers", &asked);
        let mut jobs = Vec::new();
        for part in heard.split("\r\n").collect::<Vec<_>>().windows(2) {
            let words: Vec<&str> = part[0].split(' ').collect();
            let acknowledge = words.iter().find(|word| word.starts_with("$JS.ACK."));
            let payload = &part[1][part[1].find('{').unwrap_or(0)..];
            if let (Some(acknowledge), Ok(job)) = (acknowledge, serde_json::from_str(payload)) {
                jobs.push(((*acknowledge).to_owned(), job));
            }
        }
        jobs
    }
}
