//! The arguments that have to do with a queue.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use clap::Args;
use papan_core::error::quoted;
use papan_core::parse_time;
use papan_nats::{Durability, QueueOptions, Secret, Terms};

use super::inspect::Verify;
use crate::cli::MOST_JOBS;
use crate::demand::DemandArgs;
use crate::error::CliError;

/// How to get into a queue.
#[derive(Debug, Default, Args)]
pub(crate) struct AccessArgs {
    /// The user for the queue, with --password-file; PAPAN_NATS_USER if left out.
    #[arg(long, value_name = "NAME", requires = "queue", conflicts_with_all = ["creds", "nkey"])]
    user: Option<String>,
    /// A file with the user's password and nothing else; PAPAN_NATS_PASSWORD_FILE
    /// or PAPAN_NATS_PASSWORD if left out.
    #[arg(long, value_name = "FILE", requires = "queue", conflicts_with_all = ["creds", "nkey"])]
    password_file: Option<PathBuf>,
    /// A file with a token for the queue; PAPAN_NATS_TOKEN_FILE or
    /// PAPAN_NATS_TOKEN if left out.
    #[arg(long, value_name = "FILE", requires = "queue", conflicts_with_all = ["user", "password_file", "creds", "nkey"])]
    token_file: Option<PathBuf>,
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
    pub(crate) fn to(&self, url: &str) -> Result<QueueOptions, CliError> {
        let named = self.creds.is_some() || self.nkey.is_some();
        let password = Self::secret(self.password_file.as_ref(), "PAPAN_NATS_PASSWORD", named)?;
        let token = Self::secret(self.token_file.as_ref(), "PAPAN_NATS_TOKEN", named)?;
        let user = self.user.clone().or_else(|| env::var("PAPAN_NATS_USER").ok().filter(|_| !named));
        let user = match (user, password) {
            (Some(user), Some(password)) => Some((user, password)),
            (Some(_), None) => {
                let what = "--user: there is no password; name a file with --password-file";
                return Err(CliError::Usage(what.to_owned()));
            }
            (None, Some(_)) => {
                return Err(CliError::Usage("--password-file: there is no user; name one with --user".to_owned()));
            }
            (None, None) => None,
        };
        let options = QueueOptions {
            url: url.to_owned(),
            user,
            token,
            inbox: None,
            creds: self.creds.clone(),
            nkey: self.nkey.clone(),
            tls_ca: self.tls_ca.clone(),
            tls_own: self.tls_cert.clone().zip(self.tls_key.clone()),
        };
        if options.has_secret_in_url() {
            eprintln!(
                "papan: --queue: every process of this machine can see a password in an address; \
                 use --user with --password-file, or --token-file"
            );
        }
        Ok(options)
    }

    /// What a file says, or a file that the environment names, or the
    /// environment itself.
    fn secret(file: Option<&PathBuf>, variable: &str, named: bool) -> Result<Option<Secret>, CliError> {
        let from_environment = |name: &str| env::var_os(name).filter(|value| !named && !value.is_empty());
        let file = file.cloned().or_else(|| from_environment(&format!("{variable}_FILE")).map(PathBuf::from));
        if let Some(path) = file {
            let text = fs::read_to_string(&path).map_err(|source| CliError::File { path: path.clone(), source })?;
            let secret = text.trim_end_matches(['\r', '\n']);
            if secret.is_empty() || secret.contains(char::is_control) {
                return Err(CliError::Usage(format!("{}: expected one line with a secret", path.display())));
            }
            return Ok(Some(Secret(secret.to_owned())));
        }
        let value = from_environment(variable).map(OsString::into_string);
        let value = value.transpose().map_err(|_| CliError::Usage(format!("{variable} is not UTF-8")))?;
        Ok(value.map(Secret))
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
    /// Which share of what workers send is done again here and compared, in
    /// per cent, where every machine must come to the same.
    #[arg(long, value_name = "PERCENT", default_value_t = 2, requires = "queue", value_parser = clap::value_parser!(u8).range(0..=100))]
    verify: u8,
}

impl QueueArgs {
    /// The queue, if there is one.
    pub(crate) fn options(&self) -> Result<Option<QueueOptions>, CliError> {
        self.queue.as_deref().map(|url| self.access.to(url)).transpose()
    }

    /// How much of what comes back is done again.
    pub(crate) fn verify(&self) -> Verify {
        Verify(self.verify)
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
    /// The worker's name, the user's if there is one; the machine's and a number if left out.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Where programs of tournaments are kept; a folder that is gone afterwards
    /// if left out.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Leave a job that makes no progress for so long to another worker.
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub(crate) patience: String,
    /// Megabytes that a job may ask for, for a program or a table; half of the
    /// machine's if left out.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..))]
    pub(crate) memory: Option<u64>,
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
