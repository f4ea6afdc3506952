//! Knockout: a bracket in which the best seeds meet last.

use super::{Meeting, PlayedRound, Round};

/// A chair in the bracket: an entrant, or nobody (its opponent goes through).
type Chair = Option<usize>;

/// Two chairs that meet, with what has been played between them.
struct Tie {
    chairs: [Chair; 2],
    half_points: [u32; 2],
    margin: i64,
    meetings: usize,
}

impl Tie {
    fn both(&self) -> Option<(usize, usize)> {
        Some((self.chairs[0]?, self.chairs[1]?))
    }

    fn is_level(&self) -> bool {
        self.both().is_some() && self.half_points[0] == self.half_points[1]
    }

    /// Points first, then the margin on the board, then the better seed, which
    /// has the smaller number.
    fn winner(&self) -> Chair {
        let Some((a, b)) = self.both() else { return self.chairs[0].or(self.chairs[1]) };
        let ahead = (i64::from(self.half_points[0]) - i64::from(self.half_points[1]), self.margin);
        Some(match ahead.cmp(&(0, 0)) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal => a.min(b),
        })
    }
}

/// A bracket under way.
struct Bracket {
    ties: Vec<Tie>,
    level: usize,
    tie_breaks: usize,
    /// The level at which each entrant was beaten.
    beaten: Vec<usize>,
}

impl Bracket {
    fn new(entrants: usize, tie_breaks: usize) -> Self {
        let chairs = order(entrants.next_power_of_two()).into_iter().map(|seed| (seed < entrants).then_some(seed));
        let chairs: Vec<Chair> = chairs.collect();
        Self { ties: ties(&chairs), level: 1, tie_breaks, beaten: vec![usize::MAX; entrants] }
    }

    /// The ties that need a meeting now: all of them, or those that are level.
    fn open(&self) -> Vec<usize> {
        let needs = |tie: &Tie| tie.both().is_some() && (tie.meetings == 0 || self.goes_on(tie));
        (0..self.ties.len()).filter(|&index| needs(&self.ties[index])).collect()
    }

    fn goes_on(&self, tie: &Tie) -> bool {
        tie.is_level() && tie.meetings <= self.tie_breaks
    }

    fn enter(&mut self, round: &PlayedRound) {
        for (index, score) in self.open().into_iter().zip(&round.scores) {
            let tie = &mut self.ties[index];
            // Who opens changes from meeting to meeting.
            let turned = tie.chairs[0] != Some(score.meeting.0);
            let [a, b] = score.half_points;
            let (a, b, margin) = if turned { (b, a, -score.margin) } else { (a, b, score.margin) };
            tie.half_points[0] += a;
            tie.half_points[1] += b;
            tie.margin += margin;
            tie.meetings += 1;
        }
        self.advance();
    }

    /// Goes on to the next level where nothing is open; levels without any
    /// meeting cannot follow one another.
    fn advance(&mut self) {
        while self.open().is_empty() && self.ties.len() > 1 {
            self.note_beaten();
            let chairs: Vec<Chair> = self.ties.iter().map(Tie::winner).collect();
            self.ties = ties(&chairs);
            self.level += 1;
        }
        if self.open().is_empty() {
            self.note_beaten();
        }
    }

    fn note_beaten(&mut self) {
        for tie in &self.ties {
            let winner = tie.winner();
            for loser in tie.chairs.into_iter().flatten().filter(|&chair| Some(chair) != winner) {
                self.beaten[loser] = self.level;
            }
        }
    }

    fn meetings(&self) -> Vec<Meeting> {
        let of = |tie: &Tie| {
            let (a, b) = tie.both()?;
            Some(if tie.meetings.is_multiple_of(2) { Meeting(a, b) } else { Meeting(b, a) })
        };
        self.open().into_iter().filter_map(|index| of(&self.ties[index])).collect()
    }
}

fn ties(chairs: &[Chair]) -> Vec<Tie> {
    let pairs = chairs.chunks(2).map(|pair| [pair[0], pair.get(1).copied().flatten()]);
    pairs.map(|chairs| Tie { chairs, half_points: [0; 2], margin: 0, meetings: 0 }).collect()
}

/// The seeds of a bracket of `size` (a power of two) from top to bottom: the
/// best two can meet only in the last round, the best four not before the one
/// before it, and so on.
fn order(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

fn replayed(entrants: usize, tie_breaks: usize, played: &[PlayedRound]) -> Bracket {
    let mut bracket = Bracket::new(entrants, tie_breaks);
    for round in played {
        bracket.enter(round);
    }
    bracket
}

pub(super) fn next(entrants: usize, tie_breaks: usize, played: &[PlayedRound]) -> Option<Round> {
    let meetings = replayed(entrants, tie_breaks, played).meetings();
    (!meetings.is_empty()).then_some(Round { meetings, bye: None })
}

pub(super) fn survival(entrants: usize, tie_breaks: usize, played: &[PlayedRound]) -> Vec<usize> {
    replayed(entrants, tie_breaks, played).beaten
}

#[cfg(test)]
mod tests {
    use super::super::{Format, MeetingScore};
    use super::*;

    /// Plays a knockout in which `half_points` gives the result of a meeting.
    fn play(entrants: usize, tie_breaks: usize, half_points: impl Fn(Meeting) -> [u32; 2]) -> Vec<PlayedRound> {
        let mut played = Vec::new();
        while let Some(round) = (Format::Knockout { tie_breaks }).next_round(entrants, 2, 1, &played) {
            let score = |&meeting: &Meeting| MeetingScore { meeting, half_points: half_points(meeting), margin: 0 };
            played.push(PlayedRound { scores: round.meetings.iter().map(score).collect(), bye: round.bye });
            assert!(played.len() < 100);
        }
        played
    }

    #[test]
    fn the_better_seed_wins_through_for_any_number() {
        for entrants in 2..40usize {
            let played = play(entrants, 1, |Meeting(a, b)| if a < b { [4, 0] } else { [0, 4] });
            let meetings: usize = played.iter().map(|round| round.scores.len()).sum();
            assert_eq!(meetings, entrants - 1);
            assert_eq!(played.len(), entrants.next_power_of_two().trailing_zeros() as usize);
            let Meeting(a, b) = played.last().unwrap().scores[0].meeting;
            assert_eq!((a, b), (0, 1), "the best two meet last");
            let survival = survival(entrants, 1, &played);
            assert_eq!(survival[0], usize::MAX);
            assert!(survival[1..].iter().all(|&level| level <= played.len()));
            assert!(survival.is_sorted_by(|a, b| a >= b), "{survival:?}");
        }
    }

    #[test]
    fn level_ties_are_broken_and_then_decided_by_the_seed() {
        let played = play(4, 2, |_| [2, 2]);
        // Two levels, each with a meeting and two more.
        assert_eq!(played.len(), 6);
        assert_eq!(survival(4, 2, &played), [usize::MAX, 2, 1, 1]);
        assert_eq!(played[0].scores[0].meeting, Meeting(0, 3));
        assert_eq!(played[1].scores[0].meeting, Meeting(3, 0), "the other one opens");
    }

    #[test]
    fn only_level_ties_are_played_again() {
        let played = play(4, 1, |Meeting(a, b)| if a.max(b) == 3 { [2, 2] } else { [4, 0] });
        assert_eq!(played[0].scores.len(), 2);
        assert_eq!(played[1].scores.len(), 1);
    }
}
