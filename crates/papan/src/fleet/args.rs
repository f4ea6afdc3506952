//! The arguments that have to do with a queue.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use papan_core::error::quoted;
use papan_core::parse_time;
use papan_nats::{Durability, QueueOptions, Terms};

use crate::cli::MOST_JOBS;
use crate::demand::DemandArgs;
use crate::error::CliError;

/// How to get into a queue.
#[derive(Debug, Default, Args)]
pub(crate) struct AccessArgs {
    /// The credentials file for the queue.
    #[arg(long, value_name = "FILE", requires = "queue")]
    creds: Option<PathBuf>,
    /// A file with the seed of an NKey for the queue.
    #[arg(long, value_name = "FILE", requires = "queue", conflicts_with = "creds")]
    nkey: Option<PathBuf>,
    /// Certificates that vouch for the queue's servers, beside the system's.
    #[arg(long, value_name = "FILE", requires = "queue")]
    tls_ca: Option<PathBuf>,
    /// Our own certificate for the queue.
    #[arg(long, value_name = "FILE", requires = "queue", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of our own certificate.
    #[arg(long, value_name = "FILE", requires = "queue", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl AccessArgs {
    /// The queue at `url`, with this access.
    pub(crate) fn to(&self, url: &str) -> QueueOptions {
        QueueOptions {
            url: url.to_owned(),
            creds: self.creds.clone(),
            nkey: self.nkey.clone(),
            tls_ca: self.tls_ca.clone(),
            tls_own: self.tls_cert.clone().zip(self.tls_key.clone()),
        }
    }
}

/// Where work is done, and how it is shared out.
#[derive(Debug, Default, Args)]
pub(crate) struct QueueArgs {
    /// Have the work done by workers on other machines: nats://HOST:PORT, more
    /// servers separated by commas; see docs/many-machines.md.
    #[arg(long, value_name = "URL")]
    pub(crate) queue: Option<String>,
    #[command(flatten)]
    access: AccessArgs,
    /// A worker that says nothing for so long loses its job to another.
    #[arg(long, value_name = "TIME", default_value = "30s", requires = "queue")]
    lease: String,
    /// How often a job is handed out before it is given up.
    #[arg(long, value_name = "N", default_value_t = 5, requires = "queue", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) deliveries: u32,
    /// Jobs that are out at the same time, at most.
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "queue", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    ahead: u32,
    /// Copies of each message in a cluster; 3 if left out, 1 for a server alone.
    #[arg(long, value_name = "N", requires = "queue", value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: Option<u8>,
}

impl QueueArgs {
    /// The queue, if there is one.
    pub(crate) fn options(&self) -> Option<QueueOptions> {
        self.queue.as_deref().map(|url| self.access.to(url))
    }

    /// How the work is shared out.
    pub(crate) fn terms(&self) -> Result<Terms, CliError> {
        let lease = time("--lease", &self.lease)?;
        if lease < Duration::from_millis(500) {
            return Err(CliError::Usage("--lease is less than 500ms: no worker could keep a job".to_owned()));
        }
        let durability = Durability { replicas: self.replicas.map(usize::from), lease };
        Ok(Terms { ahead: self.ahead as usize, durability })
    }
}

/// Reads a time that is not nothing.
pub(crate) fn time(name: &str, text: &str) -> Result<Duration, CliError> {
    let read = parse_time(text).filter(|time| !time.is_zero());
    read.ok_or_else(|| CliError::Usage(format!("{name} is {}, expected a time such as 5s or 500ms", quoted(text))))
}

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The queue: nats://HOST:PORT, more servers separated by commas.
    #[arg(long, value_name = "URL", required = true)]
    pub(crate) queue: String,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
    /// Say who works, how fast, what is left and how long that takes; then end.
    #[arg(long)]
    pub(crate) status: bool,
    /// Jobs at the same time; as many as there are cores if left out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub(crate) jobs: Option<u16>,
    /// The worker's name; the machine's and a number if left out.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Where programs of tournaments are kept; a folder that is gone afterwards
    /// if left out.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Leave a job that makes no progress for so long to another worker.
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub(crate) patience: String,
    /// End after so long without a job.
    #[arg(long, value_name = "TIME")]
    pub(crate) idle: Option<String>,
    /// Do not run programs of tournaments: only Papan's own bots.
    #[arg(long)]
    pub(crate) no_programs: bool,
    #[command(flatten)]
    pub(crate) demand: DemandArgs,
    /// Print JSON (of --status).
    #[arg(long, requires = "status")]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SamplesArgs {
    /// Where the samples go.
    pub(crate) out: PathBuf,
    /// Games of the engine with itself.
    #[arg(long, default_value_t = 1000, conflicts_with = "archive", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) games: u32,
    /// What the games draw from.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Give scores to the games of this WTHOR file (.wtb) instead; may be given
    /// more than once.
    #[arg(long, value_name = "FILE")]
    pub(crate) archive: Vec<PathBuf>,
    /// The weights to play and score with; those of the program if left out.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Go on where it was interrupted.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Threads here, without a queue; as many as there are cores if left out.
    #[arg(long, conflicts_with = "queue", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) queue: QueueArgs,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
