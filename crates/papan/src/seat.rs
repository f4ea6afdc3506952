//! Who sits on a chair at the terminal.

use papan_arena::{ProgramBot, Trouble};
use papan_core::table::TableBot;

use crate::contestant::Cast;
use crate::error::CliError;

/// A person, or a bot by name.
pub(crate) enum Seat {
    /// A person at the keyboard.
    Human,
    /// A bot; away while it thinks on another thread.
    Bot { name: String, make: Maker, bot: Option<Box<dyn TableBot>>, trouble: Trouble },
}

/// Makes a bot, with the place where it tells of trouble.
type Maker = Box<dyn Fn() -> (Box<dyn TableBot>, Trouble)>;

impl Seat {
    /// Reads `human`, the name of a bot for `game`, or `exec:COMMAND`.
    pub(crate) fn read(game: &str, who: &str) -> Result<Self, CliError> {
        if who.eq_ignore_ascii_case("human") {
            return Ok(Self::Human);
        }
        let cast = Cast::for_play(game, who)?;
        let (game, spec) = (game.to_owned(), who.to_owned());
        let make: Maker = Box::new(move || {
            if cast.sandbox.is_some() {
                let bot = ProgramBot::new(cast.player(&spec));
                let trouble = bot.trouble();
                return (Box::new(bot), trouble);
            }
            (papan_roster::bot(&game, &spec).expect("the name was read before"), Trouble::default())
        });
        let (bot, trouble) = make();
        Ok(Self::Bot { name: who.to_owned(), make, bot: Some(bot), trouble })
    }

    pub(crate) fn is_human(&self) -> bool {
        matches!(self, Self::Human)
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Human => "human",
            Self::Bot { name, .. } => name,
        }
    }

    /// Takes the bot away to think.
    pub(crate) fn take_bot(&mut self) -> Option<Box<dyn TableBot>> {
        match self {
            Self::Human => None,
            Self::Bot { bot, .. } => bot.take(),
        }
    }

    /// Puts the bot back.
    pub(crate) fn give_back(&mut self, returned: Box<dyn TableBot>) {
        if let Self::Bot { bot, .. } = self {
            *bot = Some(returned);
        }
    }

    /// Makes the bot anew, when the old one was told to stop and will not
    /// come back.
    pub(crate) fn renew(&mut self) {
        if let Self::Bot { make, bot, trouble, .. } = self {
            let (new, its_trouble) = make();
            *bot = Some(new);
            *trouble = its_trouble;
        }
    }

    /// What went wrong with the bot's last move, if something did.
    pub(crate) fn trouble(&self) -> Option<String> {
        match self {
            Self::Human => None,
            Self::Bot { trouble, .. } => trouble.take(),
        }
    }
}
