//! Samples for training the Othello engine: positions of its games with itself,
//! or of recorded games, each with a score.

use papan_engines::othello::evaluation::{Weights, decode, embedded_weights};
use papan_games::othello::OthelloMove;
use papan_games::othello::formats::wthor::WthorGame;
use papan_nats::{Desk, Trouble, Work};
use papan_training::othello::{Sample, SampleWriter, read_samples};

/// Bytes of a sample.
pub(crate) const SAMPLE: usize = 21;

/// Positions of one game at most, passes included.
const MOST_A_GAME: usize = 130;

/// Plays and scores with some weights.
pub(crate) struct Scorer {
    own: Option<Weights>,
}

impl Scorer {
    /// With the weights of a file's bytes, or with the program's own.
    pub(crate) fn read(bytes: Option<&[u8]>) -> Result<Self, String> {
        let read = |bytes: &[u8]| decode(bytes).map(|phases| Weights::new(&phases));
        let own = bytes.map(|bytes| read(bytes).ok_or("not a file of weights")).transpose()?;
        Ok(Self { own })
    }

    /// With weights from the queue's store.
    pub(crate) fn fetch(hash: Option<&str>, desk: &Desk<'_>) -> Result<Self, Trouble> {
        let bytes = hash.map(|hash| desk.shelf.bytes(hash)).transpose().map_err(Trouble::Declined)?;
        Self::read(bytes.as_deref()).map_err(Trouble::Failed)
    }

    /// The samples of a job, as their file has them.
    pub(crate) fn samples(&self, work: &Work, seed: u64, beat: &mut dyn FnMut()) -> Result<Vec<u8>, String> {
        let weights = self.own.as_ref().unwrap_or_else(|| embedded_weights());
        let mut output = Vec::new();
        let mut writer = SampleWriter::new(weights, &mut output);
        match work {
            Work::SelfPlay { first, count } => {
                for game in *first..first.saturating_add(*count) {
                    writer.self_play(seed, game).map_err(|error| error.to_string())?;
                    beat();
                }
            }
            Work::Label { first, games } => {
                for (game, text) in (*first..).zip(games) {
                    let moves = read_game(text).ok_or_else(|| format!("game {game} is no list of squares"))?;
                    writer.recorded(&moves, game).map_err(|error| error.to_string())?;
                    beat();
                }
            }
            _ => return Err("no job of samples".to_owned()),
        }
        Ok(output)
    }
}

/// Can these be the samples of a job?
///
/// # Errors
/// What does not fit.
pub(crate) fn check_samples(work: &Work, bytes: &[u8]) -> Result<(), String> {
    let (first, count) = games_of(work);
    let samples = read_samples(&mut &*bytes).map_err(|error| error.to_string())?;
    if bytes.len() != samples.len() * SAMPLE || samples.is_empty() {
        return Err(format!("{} bytes are no samples", bytes.len()));
    }
    if samples.len() > count as usize * MOST_A_GAME {
        return Err(format!("{} samples of {count} games", samples.len()));
    }
    let mut last = first;
    for Sample { player, opponent, score, game } in samples {
        if player & opponent != 0 || (player | opponent).count_ones() < 4 {
            return Err("a position that cannot be".to_owned());
        }
        if !(-64..=64).contains(&score) {
            return Err(format!("a score of {score}"));
        }
        if game < last || game - first >= count {
            return Err(format!("a sample of game {game}, which is not of this job"));
        }
        last = game;
    }
    Ok(())
}

/// One game of a job alone, the `number`-th, and what a job's samples have of it.
pub(crate) fn one_game(work: &Work, number: u32, bytes: &[u8]) -> (Work, Vec<u8>) {
    let game = games_of(work).0 + number;
    let alone = match work {
        Work::Label { games, .. } => Work::Label { first: game, games: vec![games[number as usize].clone()] },
        _ => Work::SelfPlay { first: game, count: 1 },
    };
    let of_game = |sample: &&[u8]| sample[17..] == game.to_le_bytes();
    (alone, bytes.chunks_exact(SAMPLE).filter(of_game).flatten().copied().collect())
}

/// The number of a job's first game, and how many there are.
pub(crate) fn games_of(work: &Work) -> (u32, u32) {
    match work {
        Work::SelfPlay { first, count } => (*first, *count),
        Work::Label { first, games } => (*first, games.len() as u32),
        Work::Game(_) | Work::SolveMove { .. } => (0, 0),
    }
}

/// `f5d6c3`, as jobs carry games; passes are left out.
pub(crate) fn write_game(game: &WthorGame) -> String {
    game.moves.iter().map(ToString::to_string).collect()
}

fn read_game(text: &str) -> Option<Vec<OthelloMove>> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(2).map(|name| OthelloMove::read(&name.iter().collect::<String>(), 8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_written() {
        let moves = read_game("f5d6c3").unwrap();
        assert_eq!(write_game(&WthorGame { names: [0; 3], black_discs: 0, moves }), "f5d6c3");
        assert_eq!(read_game("f5d"), None);
        assert_eq!(read_game("z9"), None);
    }

    #[test]
    fn samples_that_cannot_be_are_refused() {
        let work = Work::SelfPlay { first: 40, count: 2 };
        let sample = |player: u64, opponent: u64, score: i8, game: u32| {
            let mut bytes = Vec::new();
            Sample { player, opponent, score, game }.write(&mut bytes).unwrap();
            bytes
        };
        let good = [sample(3, 12, 2, 40), sample(3, 12, -64, 41)].concat();
        assert_eq!(check_samples(&work, &good), Ok(()));
        assert_eq!(one_game(&work, 1, &good), (Work::SelfPlay { first: 41, count: 1 }, sample(3, 12, -64, 41)));
        let bad = [
            Vec::new(),
            good[..30].to_vec(),
            sample(3, 6, 0, 40),
            sample(1, 2, 0, 40),
            sample(3, 12, 65, 40),
            sample(3, 12, 0, 39),
            sample(3, 12, 0, 42),
            [sample(3, 12, 0, 41), sample(3, 12, 0, 40)].concat(),
            good.repeat(131),
        ];
        for bytes in bad {
            assert!(check_samples(&work, &bytes).is_err(), "{bytes:?}");
        }
    }
}
