//! What visitors of the page may ask of a bot, beside what the bot itself
//! allows: whoever has the command line uses their own machine, whoever has
//! the page uses someone else's.
//!
//! Work needs no caps here: every search of the server has a longest time and
//! looks at its stop token. Memory does, and so do steps that are long between
//! two looks.

use papan_core::{BotInfo, OptionKind};
use papan_roster::CheckedBot;

use crate::error::ApiError;

/// Options by name, and the most that the page may ask for.
const MOST: &[(&str, i64)] = &[
    // Megabytes.
    ("table", 256),
    ("memory", 256),
    // Plans that are held at once, and how long each is.
    ("population", 5_000),
    ("elitism", 5_000),
    ("generations", 100_000),
    ("length", 100),
    ("steps", 1_000_000),
    ("restarts", 10_000),
    // A game is over long before.
    ("depth", 200),
];

fn cap_of(option: &str) -> Option<i64> {
    MOST.iter().find(|(name, _)| *name == option).map(|&(_, most)| most)
}

/// Refuses what is beyond a cap, and names option and cap.
pub(crate) fn check(bot: &CheckedBot) -> Result<(), ApiError> {
    for option in &bot.info.options {
        let OptionKind::Integer { .. } = option.kind else { continue };
        let (value, cap) = (bot.settings.optional_integer(option.name), cap_of(option.name));
        if let (Some(value), Some(cap)) = (value, cap)
            && value > cap
        {
            return Err(ApiError::beyond_cap(option.name, value, cap));
        }
    }
    Ok(())
}

/// The bot as the page may ask for it: its forms offer nothing beyond a cap.
pub(crate) fn within(mut bot: BotInfo) -> BotInfo {
    for option in &mut bot.options {
        if let (OptionKind::Integer { max, .. }, Some(cap)) = (&mut option.kind, cap_of(option.name)) {
            *max = (*max).min(cap);
        }
    }
    bot
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use papan_core::{Budget, StopToken};

    use super::*;

    /// Options that need no cap, each with its reason.
    const FREE: &[&str] = &[
        // Only a number to draw others from.
        "seed",
        // Limits that a bot sets itself; they can only shorten a search.
        "nodes",
        "simulations",
        // Ten at most.
        "level",
    ];

    #[test]
    fn every_number_of_every_bot_has_a_cap_or_a_reason() {
        for game in papan_roster::games() {
            for bot in papan_roster::bots(game.name).unwrap() {
                for option in &bot.options {
                    if let OptionKind::Integer { default, .. } = option.kind {
                        let cap = cap_of(option.name);
                        assert!(cap.is_some() || FREE.contains(&option.name), "{} of {}", option.name, bot.name);
                        assert!(cap >= default || cap.is_none(), "the usual is allowed: {}", option.name);
                    }
                }
            }
        }
    }

    #[test]
    fn beyond_a_cap_is_refused_with_its_name_in_both_languages() {
        let refused = |bot: &str| check(&papan_roster::check_bot("othello", bot).unwrap()).unwrap_err().message;
        let message = refused("alpha-beta:table=4096");
        assert!(message.en.contains("'table' is 4096") && message.en.contains("256 at most"), "{}", message.en);
        assert!(message.id.contains("'table'") && message.id.contains("256"), "{}", message.id);
        assert!(refused("genetic:population=100000").en.contains("population"));
        assert!(check(&papan_roster::check_bot("othello", "alpha-beta:table=256").unwrap()).is_ok());
    }

    /// The bot with every number at its cap, and a seed.
    fn at_its_caps(bot: &BotInfo) -> String {
        let numbers = bot.options.iter().filter_map(|option| match option.kind {
            OptionKind::Integer { max, .. } => {
                cap_of(option.name).map(|cap| format!("{}={}", option.name, cap.min(max)))
            }
            _ => None,
        });
        format!("{}:{}", bot.name, numbers.collect::<Vec<_>>().join(","))
    }

    /// Whatever the page can ask for ends soon after its asker has left, also
    /// while tables are laid out and first generations are drawn.
    #[test]
    fn every_bot_at_its_caps_looks_at_its_token() {
        for game in
            ["othello", "dots-and-boxes:rows=6,cols=6", "adjacency:rounds=28", "tic-tac-toe:rows=15,cols=15,k=5"]
        {
            for bot in papan_roster::bots(game).unwrap() {
                let spec = at_its_caps(&bot);
                let table = papan_roster::table(game, None).unwrap();
                let mut player = papan_roster::bot(game, &spec).unwrap();
                let stop = StopToken::new();
                let budget = Budget { stop: stop.clone(), ..Budget::time(Duration::from_secs(20)) };
                let searching = std::thread::spawn(move || drop(player.choose(&*table, &budget)));
                std::thread::sleep(Duration::from_millis(60));
                let asked = Instant::now();
                stop.stop();
                searching.join().unwrap();
                let took = asked.elapsed();
                if took > Duration::from_millis(50) {
                    println!("{spec} of {game} ended after {took:?}");
                }
                // Fifty milliseconds on an idle machine.
                assert!(took < Duration::from_secs(2), "{spec} of {game} ended after {took:?}");
            }
        }
    }
}
