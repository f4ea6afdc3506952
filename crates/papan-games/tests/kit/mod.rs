//! What the tests of every game here share: a slow twin beside the fast rules,
//! perft data files, and hostile texts.

use papan_core::error::Subject;
use papan_core::table::{GameTable, Table};
use papan_core::{Digest, Game, OptionSpec, ParseError, Player, Random, Settings, Spec, perft};

/// The rules once more, slow and obvious. Moves are texts.
pub(crate) trait Twin: Clone {
    /// The legal moves, none once the game is over.
    fn legal(&self) -> Vec<String>;
    /// Makes a legal move.
    fn play(&mut self, mv: &str);
    /// 0 if the first player is to move, 1 for the second.
    fn mover(&self) -> usize;
    /// The points of the first and the second player.
    fn points(&self) -> [i32; 2];
}

/// The settings that `spec` gives.
pub(crate) fn settings(spec: &str, declared: &[OptionSpec]) -> Settings {
    Settings::read(Subject::Game, &Spec::split(spec), declared).expect("the spec is valid")
}

/// Plays `games` random games with the fast rules and the twin side by side.
pub(crate) fn compare_with_twin<G: Game, T: Twin>(game: &G, twin: &T, games: usize, seed: u64) {
    let mut random = Random::new(seed);
    for _ in 0..games {
        let mut table = GameTable::new(game.clone(), game.start());
        let mut twin = twin.clone();
        loop {
            let (mut fast, mut slow) = (table.legal_moves(), twin.legal());
            let mv = if fast.is_empty() { None } else { Some(fast[random.below(fast.len())].clone()) };
            fast.sort();
            slow.sort();
            let place = table.moves().join(" ");
            assert_eq!(fast, slow, "legal moves after {place}");
            assert_eq!(table.to_move().index(), twin.mover(), "mover after {place}");
            assert_eq!(table.points(), twin.points(), "points after {place}");
            assert_eq!(table.is_over(), slow.is_empty(), "over after {place}");
            let Some(mv) = mv else { break };
            table.play(&mv).expect("the move is legal");
            twin.play(&mv);
        }
    }
}

/// The digest of the twin's game tree.
pub(crate) fn twin_digest<T: Twin>(twin: &T, depth: u32) -> Digest {
    let moves = twin.legal();
    if depth == 0 || moves.is_empty() {
        let [first, second] = twin.points();
        return Digest {
            leaves: 1,
            first_to_move: u64::from(twin.mover() == Player::First.index()),
            margin_sum: i64::from(first - second),
            margin_abs_sum: u64::from(first.abs_diff(second)),
        };
    }
    let mut sum = Digest::default();
    for mv in moves {
        let mut next = twin.clone();
        next.play(&mv);
        sum += twin_digest(&next, depth - 1);
    }
    sum
}

/// One line of a data file: `spec | depth | leaves | first to move | sum |
/// absolute sum`, the last three `-` where only the leaves are known.
pub(crate) struct Expected {
    pub(crate) spec: String,
    pub(crate) depth: u32,
    pub(crate) leaves: u64,
    pub(crate) digest: Option<Digest>,
}

/// The lines of a data file, without its comments.
pub(crate) fn expectations(file: &str) -> Vec<Expected> {
    file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(expectation).collect()
}

fn expectation(line: &str) -> Expected {
    let fields: Vec<_> = line.split('|').map(str::trim).collect();
    let [spec, depth, leaves, first_to_move, sum, abs_sum] = fields.as_slice() else {
        panic!("six fields are expected in: {line}");
    };
    let leaves = leaves.parse().expect(line);
    let digest = (*sum != "-").then(|| Digest {
        leaves,
        first_to_move: first_to_move.parse().expect(line),
        margin_sum: sum.parse().expect(line),
        margin_abs_sum: abs_sum.parse().expect(line),
    });
    Expected { spec: (*spec).to_owned(), depth: depth.parse().expect(line), leaves, digest }
}

/// Checks the fast rules against every line that is quick enough for this
/// build: unoptimised builds leave the largest trees to optimised ones.
pub(crate) fn check_perft<G: Game>(file: &str, game_of: impl Fn(&str) -> G) {
    let most_leaves = if cfg!(debug_assertions) { 500_000 } else { u64::MAX };
    for line in expectations(file).into_iter().filter(|line| line.leaves <= most_leaves) {
        let start = game_of(&line.spec).start();
        let place = format!("{} at depth {}", line.spec, line.depth);
        match line.digest {
            Some(digest) => assert_eq!(Digest::of(&start, line.depth), digest, "{place}"),
            None => assert_eq!(perft(&start, line.depth), line.leaves, "{place}"),
        }
    }
}

/// Checks the twin against the lines with at most `most_leaves` leaves.
pub(crate) fn check_twin_perft<T: Twin>(file: &str, most_leaves: u64, twin_of: impl Fn(&str) -> T) {
    for line in expectations(file).into_iter().filter(|line| line.leaves <= most_leaves) {
        let slow = twin_digest(&twin_of(&line.spec), line.depth);
        assert_eq!(slow.leaves, line.leaves, "{} at depth {}", line.spec, line.depth);
        assert!(line.digest.is_none_or(|digest| digest == slow), "{} at depth {}: {slow:?}", line.spec, line.depth);
    }
}

/// A text given as a position and as a move: read or refused in one line;
/// what is read is written as something that reads the same.
pub(crate) fn check_hostile_text<G: Game>(game: &G, text: &str) {
    match game.read_position(text) {
        Ok(position) => {
            let written = game.write_position(&position);
            assert_eq!(game.read_position(&written), Ok(position), "{text:?} is written {written}");
            game.scene(&position);
        }
        Err(error) => check_error_line(&error, Subject::Position),
    }
    match game.read_move(text) {
        Ok(mv) => assert_eq!(game.read_move(&game.write_move(mv)), Ok(mv), "{text:?}"),
        Err(error) => check_error_line(&error, Subject::Move),
    }
    G::suit_settings_to(&mut settings(G::info().name, &G::info().options), text);
}

fn check_error_line(error: &ParseError, subject: Subject) {
    let line = error.to_string();
    assert_eq!(error.subject(), subject, "{line}");
    assert!(!error.message().is_empty() && !line.chars().any(char::is_control), "{line:?}");
}
