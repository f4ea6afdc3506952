//! Reading a bot's name and options without making the bot: nothing is
//! allocated for it, however large a table it asks for.

use papan_core::{BotInfo, ParseError, Settings};

use crate::bots::find;
use crate::{GameVisitor, Rostered, memory, with_game};

/// A bot's name and options, read and found right for a game.
#[derive(Clone, Debug)]
pub struct CheckedBot {
    /// The one spelling of it: today's names, known options in declared order,
    /// numbers as numbers, defaults left out. Never longer than a few hundred
    /// characters, whatever was typed.
    pub spec: String,
    /// How the bot describes itself.
    pub info: BotInfo,
    /// Its options.
    pub settings: Settings,
    /// How many bytes it will hold while it thinks, and until it is dropped.
    pub memory: u64,
}

/// Checks that `bot` names a bot of the game that `game` names, with options
/// that it has and values within their ranges.
///
/// ```
/// let checked = papan_roster::check_bot("othello", "Alpha-Beta: table=4096 , depth=007,order=natural").unwrap();
/// assert_eq!(checked.spec, "alpha-beta:depth=7,table=4096");
/// assert!(papan_roster::check_bot("othello", "alpha-beta:table=9999").is_err());
/// ```
pub fn check_bot(game: &str, bot: &str) -> Result<CheckedBot, ParseError> {
    struct Check<'a>(&'a str);
    impl GameVisitor for Check<'_> {
        type Output = Result<CheckedBot, ParseError>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            let (entry, settings) = find(&game, self.0)?;
            let info = entry.info;
            let memory = memory::needed(G::info().name, info.name, &settings);
            Ok(CheckedBot { spec: settings.canonical(info.name, &info.options), info, settings, memory })
        }
    }
    with_game(game, None, Check(bot))?
}

/// The one spelling of a bot's name and options, fit to be stored; see
/// [`CheckedBot::spec`].
pub fn canonical_bot(game: &str, bot: &str) -> Result<String, ParseError> {
    Ok(check_bot(game, bot)?.spec)
}

#[cfg(test)]
mod tests {
    use papan_core::{OptionKind, OptionSpec};

    use super::*;
    use crate::{bots, games};

    /// An option at its least usual: at the far end of its range.
    fn extreme(option: &OptionSpec) -> String {
        let value = match &option.kind {
            OptionKind::Integer { max, .. } => max.to_string(),
            OptionKind::Number { .. } => "4e-320".to_owned(),
            OptionKind::Choice { values, .. } => values.last().unwrap().to_string(),
            OptionKind::Flag { default } => (!default).to_string(),
            OptionKind::Time => "2399.999999h".to_owned(),
        };
        format!("{}={value}", option.name)
    }

    #[test]
    fn every_bot_has_one_spelling_that_is_short_and_names_the_same_bot() {
        for game in games() {
            for info in bots(game.name).unwrap() {
                assert_eq!(canonical_bot(game.name, info.name).unwrap(), info.name);
                let options: Vec<_> = info.options.iter().map(extreme).collect();
                let typed = format!(" {} : {}", info.name.to_uppercase(), options.join(" , "));
                let checked = check_bot(game.name, &typed).unwrap();
                assert!(checked.spec.len() < 400, "{}", checked.spec);
                let again = check_bot(game.name, &checked.spec).unwrap();
                assert_eq!(again.spec, checked.spec, "of {typed}");
                assert_eq!(again.settings.canonical("", &info.options), checked.settings.canonical("", &info.options));
            }
        }
    }

    #[test]
    fn padding_does_not_make_it_longer() {
        let zeros = "0".repeat(60_000);
        let commas = ",".repeat(60_000);
        assert_eq!(
            canonical_bot("othello", &format!("random:{commas}seed={zeros}7{commas}")).unwrap(),
            "random:seed=7"
        );
        let number = format!("mcts:exploration=2.50{zeros}");
        assert_eq!(canonical_bot("othello", &number).unwrap(), "mcts:exploration=2.5");
        assert_eq!(canonical_bot("othello", &format!("random:time={zeros}5.0{zeros}s")).unwrap(), "random:time=5s");
    }

    #[test]
    fn what_is_no_bot_is_refused_as_when_it_is_made() {
        for (game, bot) in [
            ("othello", "nobody"),
            ("othello", ""),
            ("othello", "alpha-beta:table=5000"),
            ("othello", "random:depth=1"),
            ("othello", "random:seed=1,seed=2"),
            ("tic-tac-toe:rows=5", "report-2023-minimax"),
            ("chess", "random"),
        ] {
            let refused = check_bot(game, bot).err().unwrap();
            assert_eq!(refused.to_string(), crate::bot(game, bot).err().unwrap().to_string());
        }
    }
}
