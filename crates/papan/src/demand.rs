//! How well outside programs must be shut in, and who asked for it.

use clap::Args;
use papan_arena::sandbox::{Confinement, SandboxLevel};
use papan_core::error::quoted;

use crate::error::CliError;

/// The arguments that ask for a level.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct DemandArgs {
    /// How well outside bots must be shut in: isolated (the default), confined
    /// or limited; none runs them with our own rights.
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["no_sandbox", "require_sandbox"])]
    sandbox: Option<String>,
    /// The same as --sandbox none.
    #[arg(long, hide = true)]
    no_sandbox: bool,
    /// Refuse to run outside bots less shut in than this; the best that the
    /// machine has is used.
    #[arg(long, value_name = "LEVEL", hide = true)]
    require_sandbox: Option<String>,
}

/// How well outside programs must be shut in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    /// Are they to run with our own rights?
    pub(crate) off: bool,
    /// The least that will do.
    pub(crate) level: SandboxLevel,
    /// Did someone ask for that, or is it what holds if nobody says?
    pub(crate) explicit: bool,
}

impl Default for Demand {
    fn default() -> Self {
        Self { off: false, level: SandboxLevel::Isolated, explicit: false }
    }
}

impl DemandArgs {
    /// What is asked for here, else in a tournament's file, else `isolated`.
    pub(crate) fn demand(&self, file: Option<&str>) -> Result<Demand, CliError> {
        let given = [("--sandbox", self.sandbox.as_deref()), ("--require-sandbox", self.require_sandbox.as_deref())];
        let asked = given.into_iter().chain([("require_sandbox", file)]).find_map(|(key, name)| Some((key, name?)));
        let level = asked.map(|(key, name)| read(key, name)).transpose()?;
        let off = self.no_sandbox || (self.sandbox.is_some() && level == Some(SandboxLevel::None));
        let otherwise = if off { SandboxLevel::None } else { SandboxLevel::Isolated };
        Ok(Demand { off, level: level.unwrap_or(otherwise), explicit: off || level.is_some() })
    }
}

fn read(key: &str, name: &str) -> Result<SandboxLevel, CliError> {
    SandboxLevel::read(name).ok_or_else(|| {
        let names = SandboxLevel::ALL.map(SandboxLevel::name).join(", ");
        CliError::Usage(format!("{key} is {}, expected {names}", quoted(name)))
    })
}

impl Demand {
    /// Is what was reached enough? Else what is missing and what to do.
    pub(crate) fn check(self, reached: &Confinement) -> Result<(), CliError> {
        if reached.level >= self.level {
            return Ok(());
        }
        let (required, level) = (self.level, reached.level);
        let refused = format!("the sandbox reaches {reached}, but {required} is required");
        if self.off {
            return Err(CliError::Usage(refused));
        }
        let missing = match level {
            SandboxLevel::Confined | SandboxLevel::Isolated => {
                "namespaces of its own are missing: install bubblewrap or allow user namespaces"
            }
            _ => "the kernel's Landlock or seccomp is missing: use a kernel that has both",
        };
        Err(CliError::Usage(format!("{refused}; {missing}, or ask for less with --sandbox {level}")))
    }

    /// What was reached and what was asked for, as reports have it.
    pub(crate) fn words(self, reached: &Confinement) -> String {
        format!("{reached}, asked for {}", self.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(sandbox: Option<&str>, no_sandbox: bool, require: Option<&str>) -> DemandArgs {
        DemandArgs { sandbox: sandbox.map(str::to_owned), no_sandbox, require_sandbox: require.map(str::to_owned) }
    }

    #[test]
    fn isolated_is_asked_for_unless_someone_says_otherwise() {
        for (args, file, off, level) in [
            (args(None, false, None), None, false, SandboxLevel::Isolated),
            (args(None, false, None), Some("confined"), false, SandboxLevel::Confined),
            (args(Some("limited"), false, None), Some("confined"), false, SandboxLevel::Limited),
            (args(Some("none"), false, None), None, true, SandboxLevel::None),
            (args(None, true, None), None, true, SandboxLevel::None),
            (args(None, true, Some("confined")), None, true, SandboxLevel::Confined),
            (args(None, false, Some("none")), None, false, SandboxLevel::None),
        ] {
            let demand = args.demand(file).unwrap();
            assert_eq!((demand.off, demand.level), (off, level), "{args:?} {file:?}");
        }
        assert!(args(Some("moat"), false, None).demand(None).is_err());
    }

    #[test]
    fn a_refusal_says_what_is_missing_and_what_to_do() {
        let reached = |level| Confinement { level, layers: vec!["rlimits".to_owned()] };
        let refused = |level| Demand::default().check(&reached(level)).unwrap_err().to_string();
        assert!(refused(SandboxLevel::Confined).contains("install bubblewrap"));
        assert!(refused(SandboxLevel::Limited).ends_with("--sandbox limited"));
        assert!(Demand::default().check(&reached(SandboxLevel::Isolated)).is_ok());
    }
}
