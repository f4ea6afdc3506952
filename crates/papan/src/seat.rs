//! Who sits on a chair at the terminal.

use std::rc::Rc;

use papan_arena::{ProgramBot, Trouble};
use papan_core::table::TableBot;

use crate::contestant::{Cast, is_outside};
use crate::demand::Demand;
use crate::error::CliError;

/// A person, or a bot by name.
pub(crate) enum Seat {
    /// A person at the keyboard.
    Human,
    /// A bot; away while it thinks on another thread.
    Bot { name: String, make: Maker, bot: Option<Box<dyn TableBot>>, trouble: Trouble },
}

fn is_human(who: &str) -> bool {
    who.eq_ignore_ascii_case("human")
}

/// Makes a bot, with the place where it tells of trouble.
type Maker = Box<dyn Fn() -> (Box<dyn TableBot>, Trouble)>;

impl Seat {
    /// Reads `human`, the name of a bot for `game`, or `exec:COMMAND`, twice.
    /// Both chairs are read together: what a program may read depends on the
    /// other.
    pub(crate) fn read(game: &str, who: [&str; 2], demand: Demand) -> Result<[Self; 2], CliError> {
        let bots: Vec<&str> = who.into_iter().filter(|who| !is_human(who)).collect();
        let cast = Rc::new(Cast::for_play(game, &bots, demand)?);
        Ok(who.map(|who| Self::of(game, who, &cast)))
    }

    fn of(game: &str, who: &str, cast: &Rc<Cast>) -> Self {
        if is_human(who) {
            return Self::Human;
        }
        let cast = Rc::clone(cast);
        let (game, spec) = (game.to_owned(), who.to_owned());
        let make: Maker = Box::new(move || {
            if is_outside(&spec) {
                let bot = ProgramBot::new(cast.player(&spec));
                let trouble = bot.trouble();
                return (Box::new(bot), trouble);
            }
            (papan_roster::bot(&game, &spec).expect("the name was read before"), Trouble::default())
        });
        let (bot, trouble) = make();
        Self::Bot { name: who.to_owned(), make, bot: Some(bot), trouble }
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
