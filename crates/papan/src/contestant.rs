//! Who plays in a match: a bot of the roster, or a program of the user's.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use papan_arena::Player;
use papan_arena::outside::Parcel;
use papan_arena::sandbox::ResourceLimits;
use papan_arena::tournament::Supplier;
use papan_core::ParseError;
use papan_core::table::Table;

use crate::demand::Demand;
use crate::error::CliError;

#[cfg(target_os = "linux")]
use {
    crate::output,
    papan_arena::OutsideProgram,
    papan_arena::outside::{Form, keep_apart},
    papan_arena::sandbox::Sandbox,
    std::sync::Arc,
};

/// The hidden command that ends up in the sandbox's launcher.
pub(crate) const LAUNCHER: &str = "__sandbox";

/// A checked name, from which players can be made.
pub(crate) enum Contestant {
    /// A bot of the roster.
    Rostered { game: String, spec: String },
    /// An outside program.
    #[cfg(target_os = "linux")]
    Outside { spec: String, program: OutsideProgram },
}

impl Contestant {
    /// A bot of the roster for `game`.
    pub(crate) fn rostered(game: &str, spec: &str) -> Result<Self, ParseError> {
        papan_roster::check_bot(game, spec)?;
        Ok(Self::Rostered { game: game.to_owned(), spec: spec.to_owned() })
    }

    /// Makes a fresh player.
    pub(crate) fn player(&self) -> Player {
        match self {
            Self::Rostered { game, spec } => {
                Player::in_process(spec, papan_roster::bot(game, spec).expect("the name was read before"))
            }
            #[cfg(target_os = "linux")]
            Self::Outside { spec, program } => Player::outside(spec, program.clone()),
        }
    }
}

/// Does it name a program: `exec:COMMAND`, `exec-simple:COMMAND`,
/// `program:PATH`?
pub(crate) fn is_outside(spec: &str) -> bool {
    ["exec:", "exec-simple:", "program:"].iter().any(|start| spec.starts_with(start))
}

/// The program that `exec:COMMAND`, `exec-simple:COMMAND` or `program:PATH`
/// names; relative paths start from `base`.
#[cfg(target_os = "linux")]
pub(crate) fn outside_program(spec: &str, base: &Path, sandbox: &Arc<Sandbox>) -> Result<OutsideProgram, CliError> {
    let sandbox = Arc::clone(sandbox);
    let program = match (spec.strip_prefix("program:"), spec.strip_prefix("exec-simple:")) {
        (Some(path), _) => OutsideProgram::at(&base.join(path), sandbox),
        (_, Some(command)) => OutsideProgram::new_in(base, command, Some(Form::Simple), sandbox),
        _ => OutsideProgram::new_in(base, spec.strip_prefix("exec:").unwrap_or(spec), None, sandbox),
    };
    program.map_err(|error| CliError::Usage(error.to_string()))
}

/// The best sandbox of this machine, or none if that is asked for. An error if
/// it is below what is asked for.
#[cfg(target_os = "linux")]
pub(crate) fn sandbox(demand: Demand, limits: ResourceLimits) -> Result<Arc<Sandbox>, CliError> {
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let launcher = vec![own, LAUNCHER.to_owned()];
    let sandbox = if demand.off { Sandbox::off(launcher) } else { Sandbox::find(launcher, limits, true)? };
    demand.check(sandbox.reached())?;
    Ok(Arc::new(sandbox))
}

/// Who takes part in a match or tournament, each checked before any game
/// begins, and how well programs are shut in.
pub(crate) struct Cast {
    contestants: HashMap<String, Contestant>,
    /// The sandbox of outside programs, if there are any.
    pub(crate) sandbox: Option<String>,
}

/// How outside programs are to be run.
pub(crate) struct Staging<'a> {
    /// What relative paths start from.
    pub(crate) base: &'a Path,
    /// How well they must be shut in.
    pub(crate) demand: Demand,
    /// What they may use up.
    pub(crate) limits: ResourceLimits,
    /// Files and folders of the arena that none may read.
    pub(crate) private: Vec<PathBuf>,
}

impl Cast {
    /// Reads every name; the first that is wrong is an error.
    #[cfg(target_os = "linux")]
    pub(crate) fn read(game: &str, specs: &[&str], staging: &Staging<'_>) -> Result<Self, CliError> {
        let sandbox = if specs.iter().any(|spec| is_outside(spec)) {
            Some(sandbox(staging.demand, staging.limits)?)
        } else {
            None
        };
        let read = |&spec: &&str| -> Result<(String, Contestant), CliError> {
            let contestant = match &sandbox {
                Some(sandbox) if is_outside(spec) => Contestant::Outside {
                    spec: spec.to_owned(),
                    program: outside_program(spec, staging.base, sandbox)?,
                },
                _ => Contestant::rostered(game, spec)?,
            };
            Ok((spec.to_owned(), contestant))
        };
        let mut contestants: HashMap<_, _> = specs.iter().map(read).collect::<Result<_, _>>()?;
        // What each may read depends on who else is there.
        let programs = contestants.values_mut().filter_map(|contestant| match contestant {
            Contestant::Outside { program, .. } => Some(program),
            Contestant::Rostered { .. } => None,
        });
        for note in keep_apart(&mut programs.collect::<Vec<_>>(), &staging.private) {
            output::note(&note);
        }
        Ok(Self { contestants, sandbox: sandbox.map(|sandbox| staging.demand.words(sandbox.reached())) })
    }

    /// Without Linux's sandbox there are only bots of the roster.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn read(game: &str, specs: &[&str], _staging: &Staging<'_>) -> Result<Self, CliError> {
        let read = |spec: &&str| Ok(((*spec).to_owned(), Contestant::rostered(game, spec)?));
        Ok(Self { contestants: specs.iter().map(read).collect::<Result<_, CliError>>()?, sandbox: None })
    }

    /// The program that `spec` names, with its files as one piece; `None` for
    /// bots of the roster.
    #[cfg(target_os = "linux")]
    pub(crate) fn packed(&self, spec: &str) -> Option<std::io::Result<(Parcel, Vec<u8>)>> {
        match self.contestants.get(spec)? {
            Contestant::Outside { program, .. } => Some(program.pack()),
            Contestant::Rostered { .. } => None,
        }
    }

    /// Without Linux's sandbox there are only bots of the roster.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn packed(&self, _spec: &str) -> Option<std::io::Result<(Parcel, Vec<u8>)>> {
        None
    }

    /// The bots of a game with a person or without one.
    pub(crate) fn for_play(game: &str, specs: &[&str], demand: Demand) -> Result<Self, CliError> {
        let limits = ResourceLimits::default();
        Self::read(game, specs, &Staging { base: Path::new(""), demand, limits, private: Vec::new() })
    }

    /// A fresh player.
    ///
    /// # Panics
    /// If `spec` was not among the names read.
    pub(crate) fn player(&self, spec: &str) -> Player {
        self.contestants[spec].player()
    }
}

impl Supplier for Cast {
    fn table(&self, game: &str) -> Result<Box<dyn Table>, String> {
        papan_roster::table(game, None).map_err(|error| error.to_string())
    }

    fn player(&self, _game: &str, bot: &str) -> Result<Player, String> {
        // A tournament that was begun long ago has the names of then.
        let contestant = self
            .contestants
            .get(&papan_roster::current_spec(bot))
            .ok_or_else(|| format!("{bot} does not take part"))?;
        Ok(contestant.player())
    }
}
