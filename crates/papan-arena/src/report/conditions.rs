//! What games were played under, as data and in words: without it a result
//! cannot be judged, or got again.

use std::time::Duration;

use papan_core::Text;
use serde::Serialize;

use crate::referee::{Penalty, Policies, Rules};

/// The limits and penalties of every game of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Conditions {
    /// Time for each move.
    pub time_ms: Option<u64>,
    /// Time for a whole game.
    pub clock_ms: Option<u64>,
    /// What each move adds to it.
    pub increment_ms: Option<u64>,
    /// Positions for each move.
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    pub depth: Option<u32>,
    /// Added to each limit of time before an answer counts as late.
    pub margin_ms: u64,
    /// How long a program may take to start.
    pub start_up_ms: u64,
    /// What each fault costs.
    pub faults: Policies,
    /// The limits in words.
    pub limit_words: Text,
    /// What faults cost, in words.
    pub fault_words: Text,
}

impl Conditions {
    /// Of games under these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let clock = rules.clock;
        Self {
            time_ms: rules.limits.time.map(millis),
            clock_ms: clock.map(|clock| millis(clock.initial)),
            increment_ms: clock.map(|clock| millis(clock.increment)),
            nodes: rules.limits.nodes,
            depth: rules.limits.depth,
            margin_ms: millis(rules.margin),
            start_up_ms: millis(rules.start_up),
            faults: rules.policies,
            limit_words: limit_words(rules),
            fault_words: fault_words(&rules.policies),
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// `5 s`, `1.5 s`, `200 ms`.
fn time_words(time: Duration) -> Text {
    let millis = millis(time);
    if millis < 1000 {
        return Text::owned(format!("{millis} ms"), format!("{millis} milidetik"));
    }
    let seconds = (millis as f64 / 1000.0).to_string();
    Text::owned(format!("{seconds} s"), format!("{} detik", seconds.replace('.', ",")))
}

fn limit_words(rules: &Rules) -> Text {
    let mut parts = Vec::new();
    if let Some(time) = rules.limits.time.map(time_words) {
        parts.push(Text::owned(format!("{} a move", time.en), format!("{} tiap langkah", time.id)));
    }
    if let Some(clock) = rules.clock {
        let initial = time_words(clock.initial);
        parts.push(Text::owned(format!("{} a game", initial.en), format!("{} tiap permainan", initial.id)));
        if !clock.increment.is_zero() {
            let added = time_words(clock.increment);
            parts.push(Text::owned(
                format!("{} more with each move", added.en),
                format!("ditambah {} tiap langkah", added.id),
            ));
        }
    }
    if let Some(nodes) = rules.limits.nodes {
        parts.push(Text::owned(format!("{nodes} positions a move"), format!("{nodes} posisi tiap langkah")));
    }
    if let Some(depth) = rules.limits.depth {
        parts.push(Text::owned(format!("depth {depth}"), format!("kedalaman {depth}")));
    }
    if rules.is_timed() {
        let margin = time_words(rules.margin);
        parts.push(Text::owned(
            format!("late after {} beyond it", margin.en),
            format!("terlambat setelah lewat {}", margin.id),
        ));
    }
    if rules.ponder {
        parts.push(Text::new(
            "programs may think in their opponent's time, each on a core of its own",
            "program boleh berpikir saat giliran lawan, masing-masing pada inti prosesor sendiri",
        ));
    }
    if parts.is_empty() {
        return Text::new("no limit", "tanpa batas");
    }
    joined(&parts, ", ")
}

fn joined(parts: &[Text], between: &str) -> Text {
    let join = |word: fn(&Text) -> &str| parts.iter().map(word).collect::<Vec<_>>().join(between);
    Text::owned(join(|part| &part.en), join(|part| &part.id))
}

/// One sentence if every fault costs the same, else one for each penalty.
fn fault_words(policies: &Policies) -> Text {
    let faults = [
        ("TIMEOUT", policies.timeout),
        ("ILLEGAL", policies.illegal),
        ("CRASH", policies.crash),
        ("OUTPUT_LIMIT", policies.output_limit),
        ("GARBAGE", policies.garbage),
        ("PROTOCOL", policies.protocol),
    ];
    if faults.iter().all(|&(_, penalty)| penalty == policies.timeout) {
        return match policies.timeout {
            Penalty::Lose => Text::new("whoever does something wrong loses the game", "yang berbuat salah kalah"),
            Penalty::Random => {
                Text::new("a random move is made for a wrong one", "langkah yang salah diganti langkah acak")
            }
            Penalty::Skip => Text::new(
                "a game in which something is done wrong does not count",
                "permainan yang memuat kesalahan tidak dihitung",
            ),
        };
    }
    let parts = [
        (Penalty::Lose, Text::new("loses the game", "kalah")),
        (Penalty::Random, Text::new("a random move is made instead", "diganti langkah acak")),
        (Penalty::Skip, Text::new("the game does not count", "permainan tidak dihitung")),
    ];
    let parts = parts.into_iter().filter_map(|(penalty, words)| {
        let named: Vec<&str> = faults.iter().filter(|(_, own)| *own == penalty).map(|(name, _)| *name).collect();
        let named = named.join(", ");
        (!named.is_empty()).then(|| Text::owned(format!("{named}: {}", words.en), format!("{named}: {}", words.id)))
    });
    joined(&parts.collect::<Vec<_>>(), "; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::{Clock, Limits};

    #[test]
    fn limits_and_faults_are_sentences() {
        let mut rules = Rules { policies: Policies::all(Penalty::Lose), ..Rules::default() };
        assert_eq!(Conditions::new(&rules).limit_words.en, "no limit");
        rules.limits = Limits { time: Some(Duration::from_millis(1500)), nodes: Some(1000), depth: Some(4) };
        let words = Conditions::new(&rules);
        assert_eq!(words.limit_words.en, "1.5 s a move, 1000 positions a move, depth 4, late after 200 ms beyond it");
        assert!(words.limit_words.id.starts_with("1,5 detik tiap langkah"), "{}", words.limit_words.id);
        assert_eq!(words.fault_words.en, "whoever does something wrong loses the game");
        rules.limits = Limits::default();
        rules.clock = Some(Clock { initial: Duration::from_secs(60), increment: Duration::from_secs(1) });
        rules.policies.timeout = Penalty::Random;
        let words = Conditions::new(&rules);
        assert!(words.limit_words.en.starts_with("60 s a game, 1 s more with each move"), "{}", words.limit_words.en);
        assert_eq!(
            words.fault_words.en,
            "ILLEGAL, CRASH, OUTPUT_LIMIT, GARBAGE, PROTOCOL: loses the game; TIMEOUT: a random move is made instead"
        );
    }
}
