//! What streams and subjects are called.
//!
//! | stream | subject | keeps |
//! |---|---|---|
//! | `PAPAN_RUNS` | `papan.runs.RUN` | what a run is: one message for each |
//! | `PAPAN_JOBS` | `papan.jobs.RUN.JOB` | a job until it is done; never two of one name |
//! | `PAPAN_RESULTS` | `papan.results.WORKER.RUN.JOB` | a result until whoever asked has it on the disk |
//! | `PAPAN_LOG` | `papan.log.WORKER.RUN.JOB` | what went wrong with a job, for a week |
//! | `PAPAN_STATUS` | `papan.status.worker.NAME`, `papan.status.run.RUN` | the last word of each, for half a minute |
//! | `OBJ_PAPAN_BOTS` | | programs, by the hash of their bytes |

/// The stream of runs.
pub(crate) const RUNS: &str = "PAPAN_RUNS";
/// The stream of jobs, a work queue.
pub(crate) const JOBS: &str = "PAPAN_JOBS";
/// The stream of results, a work queue.
pub(crate) const RESULTS: &str = "PAPAN_RESULTS";
/// The stream of logs.
pub(crate) const LOG: &str = "PAPAN_LOG";
/// The stream of who is there.
pub(crate) const STATUS: &str = "PAPAN_STATUS";
/// The object store of programs.
pub(crate) const BOTS: &str = "PAPAN_BOTS";
/// The consumer of jobs that all workers share.
pub(crate) const WORKERS: &str = "workers";

/// What a subject is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    Runs,
    Jobs,
    Results,
    Log,
    Workers,
    Coordinators,
}

impl Topic {
    const fn start(self) -> &'static str {
        match self {
            Self::Runs => "papan.runs",
            Self::Jobs => "papan.jobs",
            Self::Results => "papan.results",
            Self::Log => "papan.log",
            Self::Workers => "papan.status.worker",
            Self::Coordinators => "papan.status.run",
        }
    }

    /// The subject of one thing.
    pub(crate) fn of(self, name: &str) -> String {
        format!("{}.{name}", self.start())
    }

    /// The subject of one job of a run.
    pub(crate) fn of_job(self, run: &str, job: &str) -> String {
        format!("{}.{run}.{job}", self.start())
    }

    /// The subject of what one worker says of a job: `*` is any.
    pub(crate) fn by_worker(self, worker: &str, run: &str, job: &str) -> String {
        format!("{}.{worker}.{run}.{job}", self.start())
    }

    /// Every subject of this topic.
    pub(crate) fn all(self) -> String {
        format!("{}.>", self.start())
    }
}

/// The last two parts of a subject: a run and a job.
pub(crate) fn run_and_job(subject: &str) -> Option<(&str, &str)> {
    let mut parts = subject.rsplit('.');
    let job = parts.next()?;
    Some((parts.next()?, job))
}

/// Whose word it is, in the subjects of results and logs.
pub(crate) fn worker_of(subject: &str) -> Option<&str> {
    subject.rsplit('.').nth(2).filter(|worker| is_token(worker))
}

/// Can this be a part of a subject?
pub(crate) fn is_token(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=160).contains(&text.len()) && text.bytes().all(plain)
}

/// `text` with everything that a subject cannot have replaced.
#[must_use]
pub fn as_token(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    let token: String = text.chars().take(100).map(plain).collect();
    if token.is_empty() { "unnamed".to_owned() } else { token }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_name_a_run_and_a_job() {
        let subject = Topic::Jobs.of_job("00ff", "00ff-1-2-3-4");
        assert_eq!(subject, "papan.jobs.00ff.00ff-1-2-3-4");
        assert_eq!(run_and_job(&subject), Some(("00ff", "00ff-1-2-3-4")));
        let subject = Topic::Results.by_worker("host-1", "00ff", "j");
        assert_eq!((worker_of(&subject), run_and_job(&subject)), (Some("host-1"), Some(("00ff", "j"))));
        assert_eq!(worker_of("papan.results.\u{1b}[2J.r.j"), None);
    }

    #[test]
    fn nothing_in_a_name_can_widen_a_subject() {
        for bad in ["", "a.b", "*", ">", "a b", "é", "a\nb"] {
            assert!(!is_token(bad), "{bad:?}");
            assert!(is_token(&as_token(bad)), "{bad:?}");
        }
        assert!(is_token("host-12_a"));
    }
}
