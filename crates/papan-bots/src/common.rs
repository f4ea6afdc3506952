//! What all general bots share: the options that every one of them takes, the
//! choice of an evaluation, and how deep a tree search looks.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::time::Duration;

use papan_core::{
    Budget, Evaluation, Game, OptionKind, OptionSpec, Player, Position, Random, Score, Settings, Text, mix,
};

/// `seed`, `time` and `nodes`: the options of every bot.
#[must_use]
pub fn shared_options() -> Vec<OptionSpec> {
    vec![
        integer(
            "seed",
            0..=i64::MAX,
            Some(0),
            Text::new(
                "Random numbers: the same seed plays the same game.",
                "Angka acak: benih yang sama memainkan permainan yang sama.",
            ),
        ),
        OptionSpec {
            name: "time",
            kind: OptionKind::Time,
            about: Text::new("Longest time for one move.", "Waktu terlama untuk satu langkah."),
        },
        integer(
            "nodes",
            1..=i64::MAX,
            None,
            Text::new("Most positions visited for one move.", "Jumlah posisi terbanyak untuk satu langkah."),
        ),
    ]
}

/// An integer option.
#[must_use]
pub fn integer(name: &'static str, range: RangeInclusive<i64>, default: Option<i64>, about: Text) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Integer { min: *range.start(), max: *range.end(), default }, about }
}

/// A number option.
#[must_use]
pub fn number(name: &'static str, range: RangeInclusive<f64>, default: f64, about: Text) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Number { min: *range.start(), max: *range.end(), default }, about }
}

/// An option that is one of a few words, the default first.
#[must_use]
pub fn choice(name: &'static str, values: &'static [&'static str], about: Text) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::choice(values, values[0]), about }
}

/// The `eval` option with the evaluations of `G`, the game's own choice first.
#[must_use]
pub fn eval_option<G: Game>() -> OptionSpec {
    let evaluations = G::evaluations();
    let explain = |language: fn(&Text) -> &str| {
        let parts: Vec<_> =
            evaluations.iter().map(|eval| format!("{}: {}", eval.name, language(&eval.about))).collect();
        parts.join(" ")
    };
    let about = Text::owned(
        format!("How a position is valued. {}", explain(|text| &text.en)),
        format!("Cara posisi dinilai. {}", explain(|text| &text.id)),
    );
    let values: Vec<_> = evaluations.iter().map(|eval| eval.name).collect();
    OptionSpec { name: "eval", kind: OptionKind::Choice { default: values[0], values: Cow::Owned(values) }, about }
}

/// The evaluation that `settings` names.
///
/// # Panics
/// If `settings` were not read against [`eval_option`].
#[must_use]
pub fn chosen_evaluation<G: Game>(settings: &Settings) -> Evaluation<G::Position> {
    let name = settings.choice("eval");
    G::evaluations().into_iter().find(|eval| eval.name == name).expect("the option lists the evaluations")
}

/// A bot's random numbers: a stream for each game, from the bot's seed and the
/// number of the game.
#[derive(Clone, Debug)]
pub struct GameRandom {
    seed: u64,
    stream: Random,
}

impl GameRandom {
    /// The streams that belong to the seed in `settings`.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        let seed = settings.integer("seed") as u64;
        Self { seed, stream: Random::new(seed) }
    }

    /// Goes to the stream of game `number`.
    pub fn new_game(&mut self, number: u64) {
        self.stream = Random::new(self.seed ^ mix(number));
    }
}

impl Deref for GameRandom {
    type Target = Random;

    fn deref(&self) -> &Random {
        &self.stream
    }
}

impl DerefMut for GameRandom {
    fn deref_mut(&mut self) -> &mut Random {
        &mut self.stream
    }
}

/// The bot's own limits on one move, from its options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    time: Option<Duration>,
    nodes: Option<u64>,
}

impl Limits {
    /// The limits in `settings`.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        Self { time: settings.time("time"), nodes: settings.optional_integer("nodes").map(|n| n as u64) }
    }

    /// `budget` within these limits.
    #[must_use]
    pub fn cap(&self, budget: &Budget) -> Budget {
        budget.capped(self.time, self.nodes, None)
    }
}

/// What `eval` says of `position` from `chair`, over or not.
#[inline]
pub fn value_of<P: Position>(eval: &Evaluation<P>, position: &P, chair: Player, ply: u32) -> Score {
    if position.is_over() { eval.finished(position, chair, ply) } else { eval.estimate(position, chair, ply) }
}

/// When a tree search deepens step by step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deepening {
    /// Where time or nodes are limited and the game is not short.
    Auto,
    On,
    Off,
}

/// How deep a tree search looks.
#[derive(Clone, Copy, Debug)]
pub struct Horizon {
    /// `depth=`: `None` when unset, 0 for "to the end".
    depth: Option<u32>,
    deepening: Deepening,
    /// The depth when neither the option nor the budget gives one.
    unlimited: u32,
    /// No game is longer.
    longest: u32,
}

impl Horizon {
    /// Games of at most this many plies are searched to their end at once.
    pub const SHORT_GAME: u32 = 10;

    /// The `depth` and `deepening` options; `unlimited` is for the help text.
    #[must_use]
    pub fn options(unlimited: u32) -> Vec<OptionSpec> {
        let short = Self::SHORT_GAME;
        vec![
            integer(
                "depth",
                0..=1000,
                None,
                Text::owned(
                    format!(
                        "Plies of look-ahead, 0 for the end of the game. Unset: to the end in games of at most {short} plies; otherwise as deep as the limits allow, and {unlimited} without limits."
                    ),
                    format!(
                        "Banyaknya langkah ke depan, 0 sampai akhir permainan. Bila kosong: sampai akhir untuk permainan paling panjang {short} langkah; selain itu sedalam batas mengizinkan, dan {unlimited} tanpa batas."
                    ),
                ),
            ),
            choice(
                "deepening",
                &["auto", "on", "off"],
                Text::new(
                    "Search depth 1, then 2, and so on, each time beginning with the best move of the last. auto: where time or positions are limited; on: always; off: never.",
                    "Cari kedalaman 1, lalu 2, dan seterusnya, setiap kali mulai dari langkah terbaik sebelumnya. auto: bila waktu atau posisi dibatasi; on: selalu; off: tidak pernah.",
                ),
            ),
        ]
    }

    /// The horizon in `settings`.
    #[must_use]
    pub fn from_settings<G: Game>(game: &G, settings: &Settings, unlimited: u32) -> Self {
        Self {
            depth: settings.optional_integer("depth").map(|depth| depth as u32),
            deepening: match settings.choice("deepening") {
                "on" => Deepening::On,
                "off" => Deepening::Off,
                _ => Deepening::Auto,
            },
            unlimited,
            longest: game.longest(),
        }
    }

    /// Exactly `depth` plies (0: to the end).
    #[must_use]
    pub fn fixed<G: Game>(game: &G, depth: u32) -> Self {
        Self { depth: Some(depth), deepening: Deepening::Off, unlimited: depth, longest: game.longest() }
    }

    /// The depths to search one after the other; the last is at least 1.
    /// Deepening gives a search that is stopped something to fall back on, so
    /// by default it begins at 1 wherever time or nodes are limited; a short
    /// game needs none, and its node counts stay those of a single search.
    #[must_use]
    pub fn depths(&self, budget: &Budget) -> RangeInclusive<u32> {
        let is_short = self.longest <= Self::SHORT_GAME;
        let is_limited = budget.time.is_some() || budget.nodes.is_some();
        let wanted = match self.depth {
            Some(0) => self.longest,
            Some(depth) => depth,
            None if budget.depth.is_some() || is_short || is_limited => self.longest,
            None => self.unlimited,
        };
        let last = wanted.min(budget.depth.unwrap_or(u32::MAX)).clamp(1, self.longest.max(1));
        let deepens = match self.deepening {
            Deepening::Auto => is_limited && !is_short,
            Deepening::On => true,
            Deepening::Off => false,
        };
        if deepens { 1..=last } else { last..=last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn horizon(depth: Option<u32>, longest: u32) -> Horizon {
        Horizon { depth, deepening: Deepening::Auto, unlimited: 4, longest }
    }

    #[test]
    fn a_search_deepens_only_when_limited_and_long() {
        let limited = Budget::nodes(100);
        assert_eq!(horizon(None, 60).depths(&Budget::unlimited()), 4..=4);
        assert_eq!(horizon(None, 60).depths(&limited), 1..=60);
        assert_eq!(horizon(Some(6), 60).depths(&limited), 1..=6);
        assert_eq!(horizon(None, 9).depths(&limited), 9..=9);
        assert_eq!(horizon(Some(0), 60).depths(&Budget::unlimited()), 60..=60);
        assert_eq!(horizon(None, 60).depths(&Budget::depth(7)), 7..=7);
        assert_eq!(horizon(Some(5), 60).depths(&Budget::depth(3)), 3..=3);
        assert_eq!(horizon(Some(5), 60).depths(&Budget::depth(0)), 1..=1);
    }

    #[test]
    fn deepening_can_be_forced_and_forbidden() {
        let on = Horizon { deepening: Deepening::On, ..horizon(Some(3), 9) };
        assert_eq!(on.depths(&Budget::unlimited()), 1..=3);
        let off = Horizon { deepening: Deepening::Off, ..horizon(Some(3), 60) };
        assert_eq!(off.depths(&Budget::nodes(100)), 3..=3);
    }
}
