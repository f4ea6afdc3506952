//! Games of tournaments that other machines play.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use papan_arena::sandbox::ResourceLimits;
use papan_arena::tournament::{Job, Outcome, Place, Setup, Supplier, perform};
use papan_arena::{Player, cores};
use papan_core::table::Table;
use papan_nats::{Desk, Plan, Program, Run, Trouble, hash};

use super::caps::Caps;
use crate::contestant::{Cast, Contestant};
use crate::demand::{Demand, DemandArgs};
use crate::error::CliError;

#[cfg(target_os = "linux")]
use papan_arena::{OutsideProgram, sandbox::Sandbox};

/// How a worker treats programs of tournaments.
pub(crate) struct House {
    pub(crate) no_programs: bool,
    pub(crate) demand: Demand,
    pub(crate) lanes: usize,
    /// What it gives to a job at most.
    pub(crate) caps: Caps,
    /// Where the standard error of programs goes while they play.
    pub(crate) stderr: PathBuf,
}

/// A run of a tournament's games, and the parcels of its programs.
pub(crate) fn run_of(
    setup: &Setup,
    cast: &Cast,
    limits: ResourceLimits,
    demand: Demand,
    deliveries: u32,
) -> Result<(Run, Vec<Vec<u8>>), CliError> {
    let mut parcels = Vec::new();
    let mut programs = BTreeMap::new();
    for entrant in &setup.entrants {
        let Some(packed) = cast.packed(&entrant.bot) else { continue };
        let (parcel, bytes) = packed.map_err(|error| CliError::Usage(format!("bot {}: {error}", entrant.name)))?;
        programs.insert(entrant.bot.clone(), Program { hash: hash(&bytes), parcel });
        parcels.push(bytes);
    }
    let plan = Plan::Games {
        tournament: setup.fingerprint(),
        game: setup.game.clone(),
        bots: setup.entrants.iter().map(|entrant| entrant.bot.clone()).collect(),
        programs,
        limits,
        require_sandbox: Some(demand.level.name().to_owned()),
    };
    Ok((Run { version: papan_nats::VERSION, name: setup.name.clone(), deliveries, plan }, parcels))
}

/// The bots of one tournament on a worker, made when they are first needed.
pub(crate) struct Stage {
    game: String,
    programs: BTreeMap<String, Program>,
    contestants: Mutex<HashMap<String, Arc<Contestant>>>,
    #[cfg(target_os = "linux")]
    sandbox: Option<Arc<Sandbox>>,
}

impl Stage {
    /// Sets the stage for a run of games.
    pub(crate) fn new(run: &Run, house: &House) -> Result<Self, Trouble> {
        let Plan::Games { game, programs, limits, require_sandbox, .. } = &run.plan else {
            return Err(Trouble::Failed("not a run of games".to_owned()));
        };
        if house.no_programs && !programs.is_empty() {
            return Err(Trouble::Declined("this worker runs no programs".to_owned()));
        }
        if !programs.is_empty() {
            house.caps.programs(limits)?;
        }
        #[cfg(not(target_os = "linux"))]
        if !programs.is_empty() {
            return Err(Trouble::Declined("programs need Linux".to_owned()));
        }
        #[cfg(target_os = "linux")]
        let sandbox = if programs.is_empty() {
            None
        } else {
            let sandbox = both_met(require_sandbox.as_deref(), house.demand, *limits);
            Some(sandbox.map_err(|error| Trouble::Declined(error.to_string()))?)
        };
        Ok(Self {
            game: game.clone(),
            programs: programs.clone(),
            contestants: Mutex::default(),
            #[cfg(target_os = "linux")]
            sandbox,
        })
    }

    /// Plays a job.
    pub(crate) fn play(&self, job: &Job, desk: &Desk<'_>, house: &House) -> Result<Outcome, Trouble> {
        house.caps.game(job)?;
        // Cores are shared out where a clock runs, among the lanes of this worker.
        let core = (job.rules.is_timed() && house.lanes > 1).then(|| own_core(desk.lane)).flatten();
        if let Some(core) = core {
            cores::bind_this_thread(&[core]);
        }
        let outside = job.chairs.iter().any(|chair| self.programs.contains_key(&chair.bot));
        let stderr = outside.then(|| house.stderr.join(&job.id));
        if let Some(folder) = &stderr {
            fs::create_dir_all(folder).map_err(|error| Trouble::Declined(error.to_string()))?;
        }
        let seat = Seat { stage: self, desk };
        let place = Place { stderr_folder: stderr.as_deref(), core, ..Place::default() };
        let outcome = perform(job, &seat, place).map_err(Trouble::Declined);
        if let Some(folder) = &stderr {
            // What a bot that did something wrong said last is in the outcome.
            let _ = fs::remove_dir_all(folder);
        }
        outcome
    }

    fn contestant(&self, spec: &str, desk: &Desk<'_>) -> Result<Arc<Contestant>, String> {
        let known = self.contestants.lock().unwrap_or_else(PoisonError::into_inner).get(spec).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let made = Arc::new(match self.programs.get(spec) {
            Some(program) => self.unpacked(spec, program, desk)?,
            None => Contestant::rostered(&self.game, spec).map_err(|error| error.to_string())?,
        });
        self.contestants.lock().unwrap_or_else(PoisonError::into_inner).insert(spec.to_owned(), Arc::clone(&made));
        Ok(made)
    }

    #[cfg(target_os = "linux")]
    fn unpacked(&self, spec: &str, program: &Program, desk: &Desk<'_>) -> Result<Contestant, String> {
        let sandbox = self.sandbox.clone().ok_or("there is no sandbox")?;
        let folder = desk.shelf.program(&program.hash)?;
        let program = OutsideProgram::unpacked(&program.parcel, &folder, sandbox).map_err(|error| error.to_string())?;
        Ok(Contestant::Outside { spec: spec.to_owned(), program })
    }

    #[cfg(not(target_os = "linux"))]
    fn unpacked(&self, _spec: &str, _program: &Program, _desk: &Desk<'_>) -> Result<Contestant, String> {
        Err("programs need Linux".to_owned())
    }
}

/// The sandbox of this machine, if it meets both the tournament's demand and
/// the worker's own.
#[cfg(target_os = "linux")]
fn both_met(tournament: Option<&str>, own: Demand, limits: ResourceLimits) -> Result<Arc<Sandbox>, CliError> {
    let sandbox = crate::contestant::sandbox(own, limits)?;
    if let Some(level) = tournament {
        let theirs = DemandArgs::default().demand(Some(level))?;
        Demand { off: own.off, ..theirs }.check(sandbox.reached())?;
    }
    Ok(sandbox)
}

fn own_core(lane: usize) -> Option<usize> {
    let cores = cores::allowed();
    (!cores.is_empty()).then(|| cores[lane % cores.len()])
}

/// A stage during one job: each move is progress.
struct Seat<'a> {
    stage: &'a Stage,
    desk: &'a Desk<'a>,
}

impl Supplier for Seat<'_> {
    fn table(&self, game: &str) -> Result<Box<dyn Table>, String> {
        papan_roster::table(game, None).map_err(|error| error.to_string())
    }

    fn player(&self, _game: &str, bot: &str) -> Result<Player, String> {
        Ok(self.stage.contestant(bot, self.desk)?.player())
    }

    fn watch(&self, _job: &Job, _table: &dyn Table) {
        self.desk.pulse.beat();
    }
}
