//! Names that were given up. Whoever reads a bot's name reads these too, and
//! prints the name of today.

use std::collections::BTreeMap;

use papan_games::tic_tac_toe::TicTacToe;

/// The old name and the one of today: of a bot, or of a choice as
/// `option=choice`.
const RENAMED: &[(&str, &str)] = &[
    ("seed-minimax", "report-minimax"),
    ("seed-hill-climbing", "report-hill-climbing"),
    ("seed-genetic", "report-genetic"),
    ("seed-alpha-beta", "report-alpha-beta"),
    ("eval=seed-lines", "eval=report-lines"),
    ("eval=seed-chains", "eval=report-chains"),
    ("eval=seed-table", "eval=report-table"),
    ("order=captures", "order=evaluation"),
];

/// Every name that was given up, with the one of today: of bots, and of
/// choices as `option=choice`.
#[must_use]
pub fn renamed() -> BTreeMap<&'static str, &'static str> {
    RENAMED.iter().copied().collect()
}

/// A bot's name and options with the names of today; all else stays as it was
/// typed. What names no bot of the roster, such as `exec:COMMAND`, is left
/// alone.
///
/// ```
/// assert_eq!(papan_roster::current_spec("seed-minimax:time=1s"), "report-minimax:time=1s");
/// assert_eq!(papan_roster::current_spec("alpha-beta:order=captures"), "alpha-beta:order=evaluation");
/// ```
#[must_use]
pub fn current_spec(spec: &str) -> String {
    let (name, options) = spec.split_once(':').map_or((spec, None), |(name, options)| (name, Some(options)));
    let name = current(name);
    let Some(options) = options else { return name.to_owned() };
    let current_options: Vec<_> = options.split(',').map(current_choice).collect();
    let current_options = current_options.join(",");
    if current_options != options && is_general(name) {
        format!("{name}:{current_options}")
    } else {
        format!("{name}:{options}")
    }
}

fn current(name: &str) -> &str {
    let found = RENAMED.iter().find(|(old, _)| old.eq_ignore_ascii_case(name.trim()));
    found.map_or(name, |(_, new)| new)
}

/// `order=captures` may have spaces around each word.
fn current_choice(option: &str) -> String {
    let tight: String = option.split_whitespace().collect();
    if tight.contains('=') { RENAMED.iter().find(|(old, _)| old.eq_ignore_ascii_case(&tight)) } else { None }
        .map_or_else(|| option.to_owned(), |(_, new)| (*new).to_owned())
}

/// Only general bots have options with names that were given up.
fn is_general(name: &str) -> bool {
    let bots = papan_bots::all::<TicTacToe<u64>>();
    bots.iter().any(|bot| bot.info.name.eq_ignore_ascii_case(name.trim()))
}

#[cfg(test)]
mod tests {
    use papan_core::OptionKind;

    use super::*;
    use crate::{bot, bots, games};

    #[test]
    fn old_names_become_those_of_today() {
        for (old, new) in [
            ("seed-minimax", "report-minimax"),
            (" Seed-Genetic ", "report-genetic"),
            ("seed-hill-climbing:seed=3,time=5s", "report-hill-climbing:seed=3,time=5s"),
            (
                "alpha-beta:depth=3,eval=seed-chains, order = captures",
                "alpha-beta:depth=3,eval=report-chains,order=evaluation",
            ),
            ("greedy:eval=SEED-TABLE", "greedy:eval=report-table"),
        ] {
            assert_eq!(current_spec(old), new);
            assert_eq!(current_spec(new), new, "today's names stay");
        }
    }

    #[test]
    fn all_else_stays_as_it_was_typed() {
        for text in [
            "",
            ":",
            "engine",
            "alpha-beta: depth=4 ,order=random",
            "captures",
            "exec:./mine,order=captures",
            "exec:seed-minimax",
        ] {
            assert_eq!(current_spec(text), text);
        }
    }

    /// An old name that a game's bots knew is still read, and stands for
    /// something that is there.
    #[test]
    fn every_old_name_is_read_where_the_new_one_is() {
        let mut used = std::collections::BTreeSet::new();
        for game in games() {
            for info in bots(game.name).unwrap() {
                let names = RENAMED.iter().filter(|(_, new)| *new == info.name).map(|(old, _)| (*old).to_owned());
                let choices = info.options.iter().flat_map(|option| match &option.kind {
                    OptionKind::Choice { values, .. } => {
                        values.iter().map(|value| format!("{}={value}", option.name)).collect()
                    }
                    _ => Vec::new(),
                });
                let choices = choices.filter_map(|choice| RENAMED.iter().find(|(_, new)| *new == choice));
                let specs: Vec<_> = names.chain(choices.map(|(old, _)| format!("{}:{old}", info.name))).collect();
                for spec in specs {
                    assert!(bot(game.name, &spec).is_ok(), "{spec} for {}", game.name);
                    used.insert(spec.split(':').next_back().unwrap().to_owned());
                }
            }
        }
        let unused: Vec<_> = RENAMED.iter().filter(|(old, _)| !used.contains(*old)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}
