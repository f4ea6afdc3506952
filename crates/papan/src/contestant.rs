//! Who plays in a match: a bot of the roster, or a program of the user's.

use papan_arena::Player;
use papan_core::ParseError;

#[cfg(target_os = "linux")]
use {
    crate::error::CliError,
    papan_arena::OutsideProgram,
    papan_arena::outside::Form,
    papan_arena::sandbox::{ResourceLimits, Sandbox, SandboxLevel},
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
        papan_roster::bot(game, spec)?;
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

/// The command in `exec:COMMAND` or `exec-simple:COMMAND`.
pub(crate) fn is_outside(spec: &str) -> bool {
    spec.starts_with("exec:") || spec.starts_with("exec-simple:")
}

/// The program that `exec:COMMAND` or `exec-simple:COMMAND` names.
#[cfg(target_os = "linux")]
pub(crate) fn outside_program(spec: &str, sandbox: &Arc<Sandbox>) -> Result<OutsideProgram, CliError> {
    let (command, form) = match spec.strip_prefix("exec-simple:") {
        Some(command) => (command, Some(Form::Simple)),
        None => (spec.strip_prefix("exec:").unwrap_or(spec), None),
    };
    OutsideProgram::new(command, form, Arc::clone(sandbox)).map_err(|error| CliError::Usage(error.to_string()))
}

/// The best sandbox of this machine, or none if `off`. An error if it is
/// below `required`.
#[cfg(target_os = "linux")]
pub(crate) fn sandbox(off: bool, required: Option<&str>) -> Result<Arc<Sandbox>, CliError> {
    let required = match required {
        None => SandboxLevel::None,
        Some(name) => SandboxLevel::read(name).ok_or_else(|| {
            let names = SandboxLevel::ALL.map(SandboxLevel::name).join(", ");
            let name = papan_core::error::quoted(name);
            CliError::Usage(format!("--require-sandbox is {name}, expected {names}"))
        })?,
    };
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let launcher = vec![own, LAUNCHER.to_owned()];
    let sandbox = if off { Sandbox::off(launcher) } else { Sandbox::find(launcher, ResourceLimits::default(), true)? };
    let reached = sandbox.reached();
    if reached.level < required {
        return Err(CliError::Usage(format!("the sandbox reaches {reached}, but {required} is required")));
    }
    Ok(Arc::new(sandbox))
}

/// What names a contestant of a match, with the sandbox for outside ones. The
/// second value says how well those are shut in.
#[cfg(target_os = "linux")]
pub(crate) fn read_pair(
    game: &str,
    specs: [&str; 2],
    off: bool,
    required: Option<&str>,
) -> Result<([Contestant; 2], Option<String>), CliError> {
    let sandbox = if specs.into_iter().any(is_outside) { Some(sandbox(off, required)?) } else { None };
    let read = |spec: &str| -> Result<Contestant, CliError> {
        match &sandbox {
            Some(sandbox) if is_outside(spec) => {
                Ok(Contestant::Outside { spec: spec.to_owned(), program: outside_program(spec, sandbox)? })
            }
            _ => Ok(Contestant::rostered(game, spec)?),
        }
    };
    let pair = [read(specs[0])?, read(specs[1])?];
    Ok((pair, sandbox.map(|sandbox| sandbox.reached().to_string())))
}

/// Without Linux's sandbox there are only bots of the roster.
#[cfg(not(target_os = "linux"))]
pub(crate) fn read_pair(
    game: &str,
    specs: [&str; 2],
    _off: bool,
    _required: Option<&str>,
) -> Result<([Contestant; 2], Option<String>), crate::error::CliError> {
    Ok(([Contestant::rostered(game, specs[0])?, Contestant::rostered(game, specs[1])?], None))
}
