//! Who sits on a chair at the terminal.

use papan_core::ParseError;
use papan_core::table::TableBot;

/// A person, or a bot by name.
pub(crate) enum Seat {
    /// A person at the keyboard.
    Human,
    /// A bot; away while it thinks on another thread.
    Bot { name: String, bot: Option<Box<dyn TableBot>> },
}

impl Seat {
    /// Reads `human` or the name of a bot for `game`.
    pub(crate) fn read(game: &str, who: &str) -> Result<Self, ParseError> {
        if who.eq_ignore_ascii_case("human") {
            return Ok(Self::Human);
        }
        Ok(Self::Bot { name: who.to_owned(), bot: Some(papan_roster::bot(game, who)?) })
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
    pub(crate) fn renew(&mut self, game: &str) {
        if let Self::Bot { name, bot } = self {
            *bot = papan_roster::bot(game, name).ok();
        }
    }
}
