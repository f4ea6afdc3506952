//! What a worker gives to a job at most, whatever its run asks for.

use std::fs;
use std::time::Duration;

use papan_arena::sandbox::ResourceLimits;
use papan_arena::tournament::Job;
use papan_nats::Trouble;

/// Where the machine does not say how much memory it has.
const USUAL_MB: u64 = 4096;

/// The most that a job may ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// Megabytes, of a program or of a bot's own table.
    pub(crate) memory_mb: u64,
    /// A move that may take longer would be taken for one that stands still.
    pub(crate) patience: Duration,
}

impl Caps {
    /// With so many megabytes, or half of what the machine has.
    pub(crate) fn new(memory_mb: Option<u64>, patience: Duration) -> Self {
        Self {
            memory_mb: memory_mb.unwrap_or_else(|| machine_mb().map_or(USUAL_MB, |all| (all / 2).max(512))),
            patience,
        }
    }

    /// May programs use up so much?
    pub(crate) fn programs(&self, limits: &ResourceLimits) -> Result<(), Trouble> {
        self.memory("its programs", limits.memory >> 20)
    }

    /// May a solver have such a table?
    pub(crate) fn table(&self, table_mb: Option<usize>) -> Result<(), Trouble> {
        self.memory("its table", table_mb.unwrap_or(0) as u64)
    }

    /// May a game take so much memory and time?
    pub(crate) fn game(&self, job: &Job) -> Result<(), Trouble> {
        let table = |bot: &str| -> u64 {
            let options = bot.split([':', ',']).filter_map(|option| option.trim().strip_prefix("table="));
            options.map(|megabytes| megabytes.trim().parse().unwrap_or(0)).max().unwrap_or(0)
        };
        self.memory("the bots' tables", job.chairs.iter().map(|chair| table(&chair.bot)).fold(0, u64::saturating_add))?;
        let rules = &job.rules;
        let longest = [rules.limits.time, rules.clock.map(|clock| clock.initial)].into_iter().flatten().min();
        match longest {
            Some(time) if time > self.patience => {
                let (asked, most) = (time.as_secs(), self.patience.as_secs());
                Err(Trouble::Declined(format!("a move may take {asked} s, and this worker's patience is {most} s")))
            }
            _ => Ok(()),
        }
    }

    fn memory(&self, what: &str, megabytes: u64) -> Result<(), Trouble> {
        let most = self.memory_mb;
        if megabytes <= most {
            return Ok(());
        }
        Err(Trouble::Declined(format!("{what} may take {megabytes} MB, and this worker gives {most} MB")))
    }
}

fn machine_mb() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_arena::Rules;
    use papan_arena::tournament::Chair;

    fn job(bots: [&str; 2], time: Option<Duration>) -> Job {
        let mut rules = Rules::default();
        rules.limits.time = time;
        Job {
            version: Job::VERSION,
            id: "a".to_owned(),
            tournament: 1,
            game: "tic-tac-toe".to_owned(),
            round: 0,
            chairs: bots.map(|bot| Chair { entrant: 0, bot: bot.to_owned() }),
            opening: Vec::new(),
            seed: 1,
            rules,
        }
    }

    #[test]
    fn a_job_that_asks_for_too_much_is_declined() {
        let caps = Caps::new(Some(1000), Duration::from_secs(600));
        assert!(caps.game(&job(["random", "alpha-beta:depth=3,table=900"], None)).is_ok());
        assert!(caps.game(&job(["alpha-beta:table=600", "alpha-beta:depth=3,table=600"], None)).is_err());
        assert!(caps.game(&job(["random", "random"], Some(Duration::from_secs(601)))).is_err());
        assert!(caps.table(Some(1000)).is_ok() && caps.table(None).is_ok() && caps.table(Some(1001)).is_err());
        let limits = ResourceLimits { memory: 2 << 30, ..ResourceLimits::default() };
        assert!(caps.programs(&limits).is_err());
        assert!(Caps::new(None, Duration::ZERO).memory_mb >= 512);
    }
}
