//! What the tests of each game share: games from their names, comparison with
//! a slow twin, digests from data files, hostile texts.

use papan_core::error::Subject;
use papan_core::{
    Digest, Game, MoveOf, MoveSet as _, OptionSpec, ParseError, Player, Position, Random, Settings, Spec,
};

/// The checked options of `spec`.
pub(crate) fn settings(spec: &str, options: &[OptionSpec]) -> Settings {
    Settings::read(Subject::Game, &Spec::split(spec), options).unwrap()
}

/// A game written again from its rules, slowly and plainly.
pub(crate) trait Twin {
    /// The legal moves, in canonical spelling; none once the game is over.
    fn legal(&self) -> Vec<String>;
    /// Makes a legal move.
    fn play(&mut self, mv: &str);
    /// Is it the first player's turn?
    fn first_to_move(&self) -> bool;
    /// The points of both players.
    fn points(&self) -> [i32; 2];
}

/// Plays random games side by side; both must agree on everything in every
/// position.
pub(crate) fn compare<G: Game, T: Twin>(game: &G, twin: impl Fn() -> T, games: usize, seed: u64) {
    let mut random = Random::new(seed);
    for _ in 0..games {
        let (mut position, mut twin) = (game.start(), twin());
        loop {
            let moves: Vec<MoveOf<G>> = position.legal_moves().into_iter().collect();
            let mut names: Vec<String> = moves.iter().map(|&mv| game.write_move(mv)).collect();
            let mut expected = twin.legal();
            let at = || format!("{} in {}", game.spec(), game.write_position(&position));
            assert_eq!(position.is_over(), expected.is_empty(), "{}", at());
            assert_eq!(position.to_move() == Player::First, twin.first_to_move(), "{}", at());
            assert_eq!(position.points(), twin.points(), "{}", at());
            names.sort();
            expected.sort();
            assert_eq!(names, expected, "{}", at());
            let Some(mv) = position.legal_moves().pick(random.bits()) else { break };
            position = position.after(mv);
            twin.play(&game.write_move(mv));
        }
    }
}

/// The digest of a twin's tree.
pub(crate) fn twin_digest<T: Twin + Clone>(twin: &T, depth: u32) -> Digest {
    let moves = if depth == 0 { Vec::new() } else { twin.legal() };
    if moves.is_empty() {
        let [first, second] = twin.points();
        return Digest {
            leaves: 1,
            first_to_move: u64::from(twin.first_to_move()),
            margin_sum: i64::from(first - second),
            margin_abs_sum: u64::from(first.abs_diff(second)),
        };
    }
    let mut sum = Digest::default();
    for mv in moves {
        let mut next = twin.clone();
        next.play(&mv);
        let part = twin_digest(&next, depth - 1);
        sum.leaves += part.leaves;
        sum.first_to_move += part.first_to_move;
        sum.margin_sum += part.margin_sum;
        sum.margin_abs_sum += part.margin_abs_sum;
    }
    sum
}

/// Checks every line of a data file: `spec | depth | leaves | first_to_move |
/// margin_sum | margin_abs_sum`, with `-` for what is not known.
pub(crate) fn check_digests(data: &str, digest: impl Fn(&str, u32) -> Digest) {
    let lines = data.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut checked = 0;
    for line in lines {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let [spec, depth, known @ ..] = fields.as_slice() else { panic!("{line}: a spec and a depth") };
        assert_eq!(known.len(), 4, "{line}: four sums");
        let found = digest(spec, depth.parse().unwrap());
        let found = [
            found.leaves.to_string(),
            found.first_to_move.to_string(),
            found.margin_sum.to_string(),
            found.margin_abs_sum.to_string(),
        ];
        for (known, found) in known.iter().zip(&found) {
            assert!(*known == "-" || known == found, "{line}: found {found}");
        }
        checked += 1;
    }
    assert!(checked > 0, "the data file has lines");
}

/// Whatever is typed as a position or move is read or refused in one line;
/// what is read as a position is written as something that reads the same.
pub(crate) fn check_typed<G: Game>(game: &G, text: &str) {
    match game.read_position(text) {
        Ok(position) => {
            let written = game.write_position(&position);
            assert_eq!(game.read_position(&written), Ok(position), "{text:?} is written as {written:?}");
            game.scene(&position);
        }
        Err(error) => check_error(&error, Subject::Position),
    }
    match game.read_move(text) {
        Ok(mv) => {
            let written = game.write_move(mv);
            assert_eq!(game.read_move(&written), Ok(mv), "{text:?} is written as {written:?}");
            assert!(game.start().play(mv).is_none_or(|next| next != game.start()));
        }
        Err(error) => check_error(&error, Subject::Move),
    }
}

fn check_error(error: &ParseError, subject: Subject) {
    let line = error.to_string();
    assert_eq!(error.subject(), subject, "{line}");
    assert!(!error.message().is_empty() && !line.chars().any(char::is_control), "{line:?}");
}
