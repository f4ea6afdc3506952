//! Swiss: rounds between entrants of like score who have not met, with who
//! opens kept even.

use papan_core::mix;

use super::{Meeting, PlayedRound, Round};

/// How many steps one search may take before it is given up.
const MOST_STEPS: usize = 20_000;

/// How many draws of a round are looked at.
const ATTEMPTS: u64 = 20;

/// What is known of an entrant.
#[derive(Clone, Debug, Default)]
struct Standing {
    half_points: u32,
    met: Vec<usize>,
    /// How many more times it opened than it did not.
    balance: i32,
    opened_last: bool,
    had_bye: bool,
}

/// The next round, `None` if every pairing would repeat a meeting.
pub(super) fn next(entrants: usize, games: usize, seed: u64, played: &[PlayedRound]) -> Option<Round> {
    let standings = standings(entrants, games, played);
    let mut fallback = None;
    for attempt in 0..ATTEMPTS {
        let draw = mix(seed ^ mix(played.len() as u64 + 1) ^ attempt);
        let order = order(&standings, draw);
        let Some(round) = pair_all(&order, &standings, 1, draw) else { continue };
        // A draw after which the next round cannot be paired is drawn again.
        let mut after = standings.clone();
        enter(&mut after, games, &PlayedRound::unscored(&round));
        if pair_all(&order, &after, 1, draw).is_some() {
            return Some(round);
        }
        fallback = fallback.or(Some(round));
    }
    // Sides within one of each other, then within two, then as they come.
    let order = order(&standings, seed);
    fallback.or_else(|| [2, i32::MAX].into_iter().find_map(|reach| pair_all(&order, &standings, reach, seed)))
}

/// By score; equal ones in the order of a draw.
fn order(standings: &[Standing], draw: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..standings.len()).collect();
    order.sort_by_key(|&one| (std::cmp::Reverse(standings[one].half_points), mix(draw ^ mix(one as u64 + 1))));
    order
}

fn standings(entrants: usize, games: usize, played: &[PlayedRound]) -> Vec<Standing> {
    let mut standings = vec![Standing::default(); entrants];
    for round in played {
        enter(&mut standings, games, round);
    }
    standings
}

fn enter(standings: &mut [Standing], games: usize, round: &PlayedRound) {
    if let Some(bye) = round.bye {
        standings[bye].half_points += 2 * games as u32;
        standings[bye].had_bye = true;
    }
    for score in &round.scores {
        let Meeting(a, b) = score.meeting;
        for (one, other, points, sign) in [(a, b, score.half_points[0], 1), (b, a, score.half_points[1], -1)] {
            let standing = &mut standings[one];
            standing.half_points += points;
            standing.met.push(other);
            standing.opened_last = sign == 1;
            if !games.is_multiple_of(2) {
                standing.balance += sign;
            }
        }
    }
}

/// Pairs everyone in `order`. With an odd number the lowest who can be spared
/// and has not been yet gets the bye.
fn pair_all(order: &[usize], standings: &[Standing], reach: i32, seed: u64) -> Option<Round> {
    let byes: Vec<Option<usize>> = if order.len().is_multiple_of(2) {
        vec![None]
    } else {
        order.iter().rev().filter(|&&one| !standings[one].had_bye).map(|&one| Some(one)).collect()
    };
    byes.into_iter().find_map(|bye| {
        let open: Vec<usize> = order.iter().copied().filter(|&one| Some(one) != bye).collect();
        let mut search = Search { standings, reach, open, pairs: Vec::new(), steps: 0 };
        search.pair_rest().then(|| {
            let meetings = search.pairs.iter().map(|&(a, b)| with_sides(standings, a, b, seed)).collect();
            Round { meetings, bye }
        })
    })
}

/// Depth-first over the pairings, nearest score first.
struct Search<'a> {
    standings: &'a [Standing],
    reach: i32,
    /// Who is not paired yet, best first.
    open: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    steps: usize,
}

impl Search<'_> {
    fn may_meet(&self, a: usize, b: usize) -> bool {
        let (one, other) = (&self.standings[a], &self.standings[b]);
        let fits = |first: i32, second: i32| {
            let within = |balance: i32| self.reach == i32::MAX || balance.abs() <= self.reach;
            within(first + 1) && within(second - 1)
        };
        let sides = fits(one.balance, other.balance) || fits(other.balance, one.balance);
        !one.met.contains(&b) && (sides || self.reach == i32::MAX)
    }

    fn candidates(&self, one: usize) -> Vec<usize> {
        self.open.iter().copied().filter(|&other| other != one && self.may_meet(one, other)).collect()
    }

    fn choices_up_to_3(&self, one: usize) -> usize {
        self.open.iter().filter(|&&other| other != one && self.may_meet(one, other)).take(3).count()
    }

    /// With sides within one, two who are both ahead in opening cannot meet,
    /// nor two who are behind: the surplus of either needs enough who are even.
    fn sides_fit(&self) -> bool {
        let with = |sign: i32| self.open.iter().filter(|&&one| self.standings[one].balance.signum() == sign).count();
        self.reach > 1 || with(1).abs_diff(with(-1)) <= with(0)
    }

    /// Pairs everyone who is still open; false, and no change, if that cannot
    /// be done (or not within the steps).
    fn pair_rest(&mut self) -> bool {
        let Some(&top) = self.open.first() else { return true };
        if !self.sides_fit() {
            return false;
        }
        // Whoever has almost no choice left goes first, else whoever leads.
        let pressed = self.open.iter().map(|&one| (self.choices_up_to_3(one), one)).min_by_key(|&(choices, _)| choices);
        let one = pressed.filter(|&(choices, _)| choices < 3).map_or(top, |(_, one)| one);
        let candidates = self.candidates(one);
        for other in candidates {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return false;
            }
            let before = self.open.clone();
            self.open.retain(|&open| open != one && open != other);
            self.pairs.push((one, other));
            if self.pair_rest() {
                return true;
            }
            self.pairs.pop();
            self.open = before;
        }
        false
    }
}

/// Who opens: whoever has done so less often; then whoever did not last; then
/// a draw.
fn with_sides(standings: &[Standing], a: usize, b: usize, seed: u64) -> Meeting {
    let (one, other) = (&standings[a], &standings[b]);
    let first = match one.balance.cmp(&other.balance) {
        std::cmp::Ordering::Less => a,
        std::cmp::Ordering::Greater => b,
        std::cmp::Ordering::Equal if one.opened_last != other.opened_last => {
            if one.opened_last {
                b
            } else {
                a
            }
        }
        std::cmp::Ordering::Equal if mix(seed ^ mix((a.min(b) * standings.len() + a.max(b)) as u64)) & 1 == 0 => a,
        std::cmp::Ordering::Equal => b,
    };
    if first == a { Meeting(a, b) } else { Meeting(b, a) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use papan_core::Random;

    use super::super::{Format, MeetingScore};
    use super::*;

    /// Plays a Swiss tournament by strength and chance; gives every round.
    fn play(entrants: usize, rounds: usize, games: usize, seed: u64) -> Vec<PlayedRound> {
        let mut random = Random::new(seed);
        let mut played = Vec::new();
        while let Some(round) = (Format::Swiss { rounds }).next_round(entrants, games, seed, &played) {
            let mut score = |&meeting: &Meeting| {
                let Meeting(a, b) = meeting;
                let mut half_points = [0; 2];
                for _ in 0..games {
                    let lead = (b as f64 - a as f64) / entrants as f64;
                    let points = match random.unit() + lead / 2.0 {
                        x if x < 0.4 => 0,
                        x if x < 0.6 => 1,
                        _ => 2,
                    };
                    half_points[0] += points;
                    half_points[1] += 2 - points;
                }
                MeetingScore { meeting, half_points, margin: 0 }
            };
            played.push(PlayedRound { scores: round.meetings.iter().map(&mut score).collect(), bye: round.bye });
        }
        played
    }

    fn check(entrants: usize, rounds: usize, games: usize, seed: u64) {
        let played = play(entrants, rounds, games, seed);
        assert_eq!(played.len(), rounds, "{entrants} entrants, seed {seed}");
        let mut met = HashSet::new();
        let mut balance = vec![0i32; entrants];
        let mut byes = HashSet::new();
        for round in &played {
            let mut seen = HashSet::new();
            seen.extend(round.bye);
            assert!(round.bye.is_none_or(|bye| byes.insert(bye)), "a second bye");
            for score in &round.scores {
                let Meeting(a, b) = score.meeting;
                assert!(met.insert((a.min(b), a.max(b))), "{a} and {b} met again");
                assert!(seen.insert(a) && seen.insert(b));
                balance[a] += (games % 2) as i32;
                balance[b] -= (games % 2) as i32;
            }
            assert_eq!(seen.len(), entrants, "everyone plays or has the bye");
            assert!(balance.iter().all(|side| side.abs() <= 1), "{entrants} entrants: {balance:?}");
        }
    }

    #[test]
    fn a_hundred_bots_never_meet_twice_and_open_as_often_as_not() {
        for seed in 0..5 {
            check(100, 11, 1, seed);
            check(100, 30, 1, seed);
        }
        check(99, 11, 1, 9);
        check(100, 11, 2, 9);
    }

    #[test]
    fn small_and_odd_numbers_pair_too() {
        for entrants in 4..24usize {
            for seed in 0..20 {
                check(entrants, (entrants / 2).min(5), 1, seed);
                check(entrants, entrants / 2, 2, seed);
            }
        }
    }

    #[test]
    fn like_scores_meet() {
        let played = play(64, 6, 2, 3);
        let mut points = [0u32; 64];
        for round in &played {
            let mut apart = 0;
            for score in &round.scores {
                let Meeting(a, b) = score.meeting;
                apart += points[a].abs_diff(points[b]);
            }
            assert!(apart <= 64, "the mean difference is at most a game: {apart}");
            for score in &round.scores {
                points[score.meeting.0] += score.half_points[0];
                points[score.meeting.1] += score.half_points[1];
            }
        }
    }

    /// The slow twin: is there any way to pair the set of open entrants?
    fn can_pair(open: u32, may: &dyn Fn(usize, usize) -> bool) -> bool {
        if open == 0 {
            return true;
        }
        let one = open.trailing_zeros() as usize;
        let rest = open & (open - 1);
        (one + 1..32).any(|other| rest >> other & 1 == 1 && may(one, other) && can_pair(rest & !(1 << other), may))
    }

    #[test]
    fn a_pairing_is_found_exactly_when_there_is_one() {
        let mut random = Random::new(5);
        let (mut found, mut missing) = (0, 0);
        for _ in 0..3000 {
            let entrants = 2 * (1 + random.below(5));
            let mut standings = vec![Standing::default(); entrants];
            for a in 0..entrants {
                for b in 0..a {
                    if random.below(100) < 70 {
                        standings[a].met.push(b);
                        standings[b].met.push(a);
                    }
                }
            }
            let order: Vec<usize> = (0..entrants).collect();
            let paired = pair_all(&order, &standings, i32::MAX, 0);
            let possible = can_pair((1 << entrants) - 1, &|a, b| !standings[a].met.contains(&b));
            assert_eq!(paired.is_some(), possible, "{standings:?}");
            found += usize::from(possible);
            missing += usize::from(!possible);
        }
        assert!(found > 300 && missing > 300, "{found} {missing}");
    }
}
