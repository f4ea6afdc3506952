//! What may be said of the ratings of many. Two players can be compared only if
//! points were taken both ways between them, directly or through others; who
//! has won every game against a group is above it, and nobody knows by how
//! much. So ratings are told within the largest group of players who can be
//! compared, whose mean is 0, and everyone else's by the end that is known.

use super::bradley_terry::{ELO, Pairing, fit};
use super::{Strength, WinCounts};

/// The chance of a run of wins at the end of the interval of whoever has won
/// every game: the lower half of the other 5 %.
const RARE: f64 = 0.025;

/// What may be said of each player's rating.
#[must_use]
pub fn strengths(players: usize, pairings: &[Pairing]) -> Vec<Strength> {
    let groups = groups(players, pairings);
    let Some(reference) = largest(&groups, pairings) else {
        return (0..players).map(|player| alone(player, players, pairings)).collect();
    };
    let within = within_groups(&groups, pairings);
    // Against the mean of the others of the group, as a match would say it:
    // the mean of all has a part of the player itself in it.
    let size = groups.iter().filter(|&&group| group == reference).count();
    let share = share_of_others(size);
    let told = |player: usize| {
        let (elo, error) = within[player];
        if groups[player] == reference {
            let [elo, low, high] = [elo, elo - error, elo + error].map(|end| Some(end / share));
            return Strength::told(elo, low, high).scaled(share);
        }
        let duels = duels(groups[player], reference, &groups, pairings, &within);
        match end_of_sweep(&duels) {
            Some((end, true)) => Strength::told(None, Some(end + elo), None),
            Some((end, false)) => Strength::told(None, None, Some(end + elo)),
            None => Strength::Unknown,
        }
    };
    (0..players).map(told).collect()
}

/// The number of each player's group: those who took points from each other,
/// directly or through others.
fn groups(players: usize, pairings: &[Pairing]) -> Vec<usize> {
    let mut took_from = vec![Vec::new(); players];
    for &Pairing { first, second, counts: WinCounts { wins, draws, losses } } in pairings {
        if wins + draws > 0 {
            took_from[first].push(second);
        }
        if losses + draws > 0 {
            took_from[second].push(first);
        }
    }
    let reached: Vec<Vec<bool>> = (0..players).map(|from| reachable(from, &took_from)).collect();
    let lowest = |i: usize| (0..players).find(|&j| reached[i][j] && reached[j][i]).unwrap_or(i);
    (0..players).map(lowest).collect()
}

fn reachable(from: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![from];
    seen[from] = true;
    while let Some(at) = open.pop() {
        for &next in &edges[at] {
            if !seen[next] {
                seen[next] = true;
                open.push(next);
            }
        }
    }
    seen
}

/// The group of most players, then of most games; `None` if no two can be
/// compared.
fn largest(groups: &[usize], pairings: &[Pairing]) -> Option<usize> {
    let size = |group: usize| groups.iter().filter(|&&own| own == group).count();
    let games = |group: usize| -> u64 {
        let inside = |pairing: &&Pairing| groups[pairing.first] == group && groups[pairing.second] == group;
        pairings.iter().filter(inside).map(|pairing| pairing.counts.games()).sum()
    };
    let best = groups.iter().copied().max_by_key(|&group| (size(group), games(group), std::cmp::Reverse(group)))?;
    (size(best) > 1).then_some(best)
}

/// Each player's rating and error among its own group, whose mean is 0.
fn within_groups(groups: &[usize], pairings: &[Pairing]) -> Vec<(f64, f64)> {
    let mut within = vec![(0.0, 0.0); groups.len()];
    let mut numbers = vec![0; groups.len()];
    for group in 0..groups.len() {
        let members: Vec<usize> = (0..groups.len()).filter(|&player| groups[player] == group).collect();
        if members.len() < 2 {
            continue;
        }
        for (number, &member) in members.iter().enumerate() {
            numbers[member] = number;
        }
        let own = pairings.iter().filter(|pairing| groups[pairing.first] == group && groups[pairing.second] == group);
        let own: Vec<Pairing> = own
            .map(|pairing| Pairing { first: numbers[pairing.first], second: numbers[pairing.second], ..*pairing })
            .collect();
        for (&member, rating) in members.iter().zip(fit(members.len(), &own).players) {
            within[member] = (rating.elo, rating.error);
        }
    }
    within
}

/// Games that one side has won, all of them or none: by how much it is the
/// stronger before its group's own offset, how many, and whether it won.
struct Duel {
    ahead: f64,
    games: f64,
    won: bool,
}

/// The games between two groups, from the first one's side.
fn duels(group: usize, reference: usize, groups: &[usize], pairings: &[Pairing], within: &[(f64, f64)]) -> Vec<Duel> {
    let between = pairings.iter().filter_map(|&Pairing { first, second, counts }| {
        let turned = match (groups[first], groups[second]) {
            pair if pair == (group, reference) => false,
            pair if pair == (reference, group) => true,
            _ => return None,
        };
        let (own, other) = if turned { (second, first) } else { (first, second) };
        let won = if turned { counts.losses } else { counts.wins } > 0;
        Some(Duel { ahead: within[own].0 - within[other].0, games: counts.games() as f64, won })
    });
    between.filter(|duel| duel.games > 0.0).collect()
}

/// The offset in Elo at which winning (or losing) every one of these games
/// would have been a rare event, and whether they were won. Draws are left out
/// of it, as in a match: the end is on the safe side.
fn end_of_sweep(duels: &[Duel]) -> Option<(f64, bool)> {
    let won = duels.first()?.won;
    let sign = if won { 1.0 } else { -1.0 };
    let log_chance = |offset: f64| -> f64 {
        duels.iter().map(|duel| -(-sign * (duel.ahead + offset) / ELO).exp().ln_1p() * duel.games).sum()
    };
    let (mut rarer, mut surer) = (-8000.0 * sign, 8000.0 * sign);
    for _ in 0..60 {
        let middle = f64::midpoint(rarer, surer);
        *(if log_chance(middle) < RARE.ln() { &mut rarer } else { &mut surer }) = middle;
    }
    Some((f64::midpoint(rarer, surer), won))
}

/// Where no two can be compared: whoever won or lost every game, as if those
/// whom it met were alike; if they are not, its end is further out.
fn alone(player: usize, players: usize, pairings: &[Pairing]) -> Strength {
    let games = pairings.iter().filter(|pairing| pairing.first == player || pairing.second == player);
    let duel = |pairing: &Pairing| {
        let won = if pairing.first == player { pairing.counts.wins } else { pairing.counts.losses } > 0;
        Duel { ahead: 0.0, games: pairing.counts.games() as f64, won }
    };
    let duels: Vec<Duel> = games.map(duel).filter(|duel| duel.games > 0.0).collect();
    if duels.iter().any(|duel| duel.won != duels[0].won) {
        return Strength::Unknown;
    }
    let share = share_of_others(players);
    match end_of_sweep(&duels) {
        Some((end, true)) => Strength::told(None, Some(end), None).scaled(share),
        Some((end, false)) => Strength::told(None, None, Some(end)).scaled(share),
        None => Strength::Unknown,
    }
}

/// What a player's distance from the mean of the others becomes from the mean
/// of all.
fn share_of_others(players: usize) -> f64 {
    1.0 - 1.0 / players.max(2) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(players: usize, games: &[(usize, usize, [u64; 3])]) -> Vec<Strength> {
        let pairing = |&(first, second, [wins, draws, losses]): &(usize, usize, [u64; 3])| Pairing {
            first,
            second,
            counts: WinCounts { wins, draws, losses },
        };
        strengths(players, &games.iter().map(pairing).collect::<Vec<_>>())
    }

    #[test]
    fn nothing_is_told_of_players_without_games_or_with_few() {
        assert_eq!(told(2, &[]), [Strength::Unknown; 2], "once 0 ± 3405");
        assert_eq!(told(2, &[(0, 1, [1, 0, 1])]), [Strength::Unknown; 2]);
        assert_eq!(told(2, &[(0, 1, [2, 0, 0])]), [Strength::Unknown; 2]);
        assert_eq!(told(3, &[(0, 1, [9, 0, 9])])[2], Strength::Unknown, "the third has not played");
    }

    #[test]
    fn a_clean_sweep_is_told_by_its_end() {
        // Two players: half the difference whose chance of 20 wins is 1 in 40.
        let half = super::super::elo_of_score(0.025f64.powf(1.0 / 20.0)) / 2.0;
        let two = told(2, &[(0, 1, [20, 0, 0])]);
        assert!(matches!(two[0], Strength::AtLeast(low) if (low - half).abs() < 0.1), "{two:?}, expected {half}");
        assert!(matches!(two[1], Strength::AtMost(high) if (high + half).abs() < 0.1), "{two:?}, expected {half}");
        let three = told(3, &[(0, 1, [10, 0, 0]), (0, 2, [10, 0, 0]), (1, 2, [5, 4, 6])]);
        assert!(matches!(three[0], Strength::AtLeast(low) if low > 200.0), "{three:?}");
        assert!(matches!(three[1], Strength::About { .. }), "the other two can be compared: {three:?}");
    }

    #[test]
    fn programs_that_lose_everything_do_not_blur_the_others() {
        let field = [(0, 1, [30, 10, 20]), (1, 2, [25, 10, 25]), (0, 2, [30, 5, 25])];
        let alone = told(3, &field);
        // Two broken programs, level with each other, lose to all three.
        let broken: Vec<_> = (0..3).flat_map(|good| [(good, 3, [10, 0, 0]), (good, 4, [10, 0, 0])]).collect();
        let all = told(5, &[&field[..], &broken, &[(3, 4, [5, 0, 5])]].concat());
        assert_eq!(all[..3], alone);
        for strength in &all[3..] {
            assert!(matches!(strength, Strength::AtMost(high) if (-600.0..-300.0).contains(high)), "{all:?}");
        }
    }

    #[test]
    fn whatever_was_played_there_is_no_infinity_and_no_absurd_width() {
        for (wins, draws) in [(0, 0), (1, 0), (7, 0), (300, 0), (0, 1), (0, 40), (0, 1000), (1, 1000)] {
            for told in told(3, &[(0, 1, [wins, draws, 0]), (1, 2, [wins, 0, draws])]) {
                let words = told.to_string();
                assert!(!words.contains("inf") && !words.contains("NaN"), "{words}");
                assert!(!matches!(told, Strength::About { error, .. } if error > 400.0), "{words}");
            }
        }
    }

    #[test]
    fn many_draws_say_that_two_are_alike() {
        let told = told(2, &[(0, 1, [0, 200, 0])]);
        assert!(matches!(told[0], Strength::About { elo, .. } if elo.abs() < 1.0), "{told:?}");
    }
}
