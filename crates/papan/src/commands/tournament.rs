//! `papan tournament`: plays what a file describes, stores every game as it
//! ends, and goes on after any interruption.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use papan_arena::cores;
use papan_arena::report::{Report, Summary, summarise};
use papan_arena::sandbox::SandboxLevel;
use papan_arena::tournament::{
    self as arena, Entrant, Event, Queue, RunError, Setup, Store, StoreError, Supplier, TournamentFile, Workers,
    Workplace,
};
use papan_core::table::Table;
use papan_core::{Budget, StopToken};
use papan_nats::{Coordinator, LinkError, NatsQueue, Teller, put_all};
use papan_roster::advice::adviser;

use super::{check_report, write_report};
use crate::cli::TournamentArgs;
use crate::contestant::{Cast, Staging};
use crate::demand::Demand;
use crate::error::CliError;
use crate::fleet::games::run_of;
use crate::fleet::inspect;
use crate::{interrupt, output};

/// Positions that the judge of balanced openings visits for each.
const JUDGE_NODES: u64 = 20_000;

pub(crate) fn run(args: &TournamentArgs) -> Result<(), CliError> {
    // 1. Read and check everything before anything is written or played.
    let file = TournamentFile::read(&args.file)?;
    let start = papan_roster::table(&file.game, None).map_err(|error| file.error(error))?;
    let entrants = entrants(&file)?;
    let demand = args.demand.demand(file.require_sandbox.as_deref()).map_err(|error| file.error(error))?;
    let path = args.store.clone().unwrap_or_else(|| args.file.with_extension("sqlite"));
    let cast = cast(args, &file, &*start, &entrants, demand, &path)?;
    let (terms, queue) = (args.queue.terms()?, args.queue.options()?);
    let jobs = jobs(args, &file, queue.is_some())?;
    check_report(&args.files)?;
    // 2. Begin, or take up what was begun.
    let is_new = !path.exists();
    let (mut store, setup) = open(args, &file, &*start, entrants, &path)?;
    // 3. Play what is left.
    let stop = interrupt::token();
    let finished = arena::stored_progress(&setup, &store)?.finished;
    if let Some(level) = &cast.sandbox
        && !finished
    {
        store.note_sandbox(level)?;
        if !args.json {
            output::note(&format!("sandbox: {level}"));
        }
    }
    let progress = match queue {
        Some(options) if !finished => {
            let (run, parcels) = run_of(&setup, &cast, file.limits, demand, args.queue.deliveries)?;
            let inspect = inspect::of_games(start.fork(), cast, args.queue.verify(), stop.clone());
            let begin = |tell: Teller| {
                put_all(&options, terms.durability, &parcels, &tell)?;
                Ok(NatsQueue::new(Coordinator::begin(&options, terms, &run, tell)?, inspect))
            };
            let played = play_elsewhere(&setup, &mut store, begin, &stop);
            if is_new && matches!(played, Err(CliError::Queue(_))) {
                // Nothing has been played: nothing is left behind.
                drop(store);
                let _ = std::fs::remove_file(&path);
                return Err(played.expect_err("it failed"));
            }
            played?
        }
        _ => {
            let workplace = Workplace {
                // More threads than games would have nothing to do.
                jobs: jobs.min(setup.expected_games()),
                bind: setup.rules.is_timed(),
                ponder: setup.rules.ponder,
                stderr_folder: cast.sandbox.is_some().then(|| stderr_folder(&path)).transpose()?,
            };
            play_here(&setup, &mut store, cast, &workplace, &stop)?
        }
    };
    // 4. Sum up.
    let interrupted = !progress.finished;
    let levels = store.sandboxes()?;
    let sandbox = (!levels.is_empty()).then(|| levels.join("; "));
    let shown = setup.renamed(&papan_roster::current_spec);
    let summary = summarise(Report::of_tournament(&shown, &*start, progress, sandbox));
    write_report(&args.files, &summary, &*start)?;
    print(args, &summary)?;
    if interrupted {
        let (played, resume) = (summary.games.len(), args.file.display());
        let expected = summary.expected;
        return Err(CliError::Interrupted(format!(
            "stopped; {played} of {expected} games are stored; go on with: papan tournament {resume} --resume"
        )));
    }
    Ok(())
}

/// How many games are played at the same time: as many as there are cores, and
/// where each side needs one of its own, half as many at most.
fn jobs(args: &TournamentArgs, file: &TournamentFile, elsewhere: bool) -> Result<usize, CliError> {
    let wanted = args.jobs.map(usize::from).or(file.jobs);
    let cores = cores::count();
    if file.rules.ponder && elsewhere {
        return Err(file.error("ponder is for games on this machine, and --queue plays elsewhere").into());
    }
    match (file.rules.ponder, cores / 2) {
        (false, _) => Ok(wanted.unwrap_or(cores)),
        (true, 0) => Err(file.error("ponder needs two cores for each game, and there is one").into()),
        (true, most) if wanted.is_some_and(|jobs| jobs > most) => {
            let what = format!("ponder needs two cores for each game: with {cores}, jobs is at most {most}");
            Err(file.error(what).into())
        }
        (true, most) => Ok(wanted.unwrap_or(most)),
    }
}

fn print(args: &TournamentArgs, summary: &Summary) -> Result<(), CliError> {
    if args.json { Ok(output::json(summary)?) } else { Ok(output::text(&summary.text())?) }
}

/// Those whom the file names, by their names of today, then the programs of its folder.
fn entrants(file: &TournamentFile) -> Result<Vec<Entrant>, CliError> {
    let current = |entrant: &Entrant| entrant.clone().renamed(&papan_roster::current_spec);
    let mut entrants: Vec<_> = file.entrants.iter().map(current).collect();
    if let Some(folder) = &file.folder {
        let place = file.base().join(folder);
        let (programs, left_out) =
            arena::programs(&place).map_err(|error| file.error(format!("folder {}: {error}", place.display())))?;
        for reason in left_out {
            output::note(&format!("left out: {reason}"));
        }
        entrants.extend(programs.into_iter().map(|program| {
            let path = folder.join(program.path.file_name().unwrap_or_default());
            Entrant { name: program.name, bot: format!("program:{}", path.display()) }
        }));
    }
    for (index, entrant) in entrants.iter().enumerate() {
        if entrants[..index].iter().any(|other| other.name == entrant.name) {
            let name = papan_core::error::quoted(&entrant.name);
            return Err(file.error(format!("two take part as {name}; give one of them another name")).into());
        }
    }
    Ok(entrants)
}

fn cast(
    args: &TournamentArgs,
    file: &TournamentFile,
    start: &dyn Table,
    entrants: &[Entrant],
    demand: Demand,
    store: &Path,
) -> Result<Cast, CliError> {
    let bots: Vec<&str> = entrants.iter().map(|entrant| entrant.bot.as_str()).collect();
    // With a queue nothing is run here: workers shut programs in.
    let elsewhere = args.queue.queue.is_some();
    if elsewhere && demand.off {
        return Err(CliError::Usage("--sandbox none is for games here; with --queue each worker decides".to_owned()));
    }
    let nothing = Demand { off: true, level: SandboxLevel::None, explicit: true };
    let staging = Staging {
        base: file.base(),
        demand: if elsewhere { nothing } else { demand },
        limits: file.limits,
        private: vec![args.file.clone(), store.to_owned(), store.with_extension("stderr")],
    };
    let mut cast = Cast::read(&start.spec(), &bots, &staging).map_err(|error| file.error(error))?;
    if elsewhere && cast.sandbox.is_some() {
        cast.sandbox = Some(format!("on workers, {} or better", demand.level));
    }
    Ok(cast)
}

/// A new store, or the one that is there, which must be of the same
/// tournament.
fn open(
    args: &TournamentArgs,
    file: &TournamentFile,
    start: &dyn Table,
    entrants: Vec<Entrant>,
    path: &Path,
) -> Result<(Store, Setup), CliError> {
    let format = file.format(entrants.len())?;
    let mut setup = Setup {
        name: file.name.clone(),
        game: start.spec(),
        format,
        games: file.games,
        seed: file.seed,
        entrants,
        openings: Vec::new(),
        rules: file.rules.clone(),
    };
    if args.resume && path.exists() {
        let (store, stored) = Store::open(path)?;
        setup.openings.clone_from(&stored.openings);
        let shown = stored.clone().renamed(&papan_roster::current_spec);
        if setup != shown {
            let what = difference(&shown, &setup);
            return Err(file.error(format!("{what} since {} was begun", path.display())).into());
        }
        return Ok((store, stored));
    }
    if path.exists() {
        return Err(StoreError::Exists(path.to_owned()).into());
    }
    let needed = file.openings_needed(format, setup.entrants.len());
    let game = start.spec();
    let judge = |table: &dyn Table| judge(&game, table);
    setup.openings =
        arena::choose_openings(&file.openings, start, needed, file.seed, &judge).map_err(|error| file.error(error))?;
    Ok((Store::create(path, &setup)?, setup))
}

/// What the strongest bot of the game thinks after a short look.
pub(super) fn judge(game: &str, table: &dyn Table) -> i32 {
    let bot = papan_roster::bot(game, &adviser(game));
    let budget = Budget { nodes: Some(JUDGE_NODES), ..Budget::default() };
    bot.map_or(0, |mut bot| bot.choose(table, &budget).score.0)
}

/// What has changed in a file, in words.
fn difference(stored: &Setup, now: &Setup) -> String {
    if stored.entrants != now.entrants {
        let known = |entrant: &Entrant, list: &[Entrant]| list.contains(entrant);
        let gone = stored.entrants.iter().find(|entrant| !known(entrant, &now.entrants));
        let new = now.entrants.iter().find(|entrant| !known(entrant, &stored.entrants));
        return match (gone, new) {
            (Some(gone), _) => format!("{} no longer takes part as it did", gone.name),
            (None, Some(new)) => format!("{} has joined", new.name),
            (None, None) => "the order of those who take part has changed".to_owned(),
        };
    }
    let changed = [
        ("the game", stored.game != now.game),
        ("the format", stored.format != now.format),
        ("the number of games", stored.games != now.games),
        ("the seed", stored.seed != now.seed),
        ("the name", stored.name != now.name),
        ("a rule", stored.rules != now.rules),
    ];
    let what = changed.iter().find(|(_, changed)| *changed).map_or("something", |(what, _)| what);
    format!("{what} has changed")
}

/// Where the standard error of outside bots is kept: beside the store.
fn stderr_folder(store: &Path) -> Result<PathBuf, CliError> {
    let folder = store.with_extension("stderr");
    std::fs::create_dir_all(&folder).map_err(|source| CliError::File { path: folder.clone(), source })?;
    Ok(std::path::absolute(folder)?)
}

/// Threads of this process play.
fn play_here(
    setup: &Setup,
    store: &mut Store,
    cast: Cast,
    workplace: &Workplace,
    stop: &StopToken,
) -> Result<arena::Progress, RunError> {
    let supplier: Arc<dyn Supplier> = Arc::new(cast);
    let mut workers = Workers::start(&supplier, workplace);
    let progress = play(setup, store, &mut workers, stop, &bar(setup), &mut |_, _| {});
    if let Some(folder) = &workplace.stderr_folder {
        // Nothing was said: then there need be no folder either.
        let _ = std::fs::remove_dir(folder);
    }
    progress
}

/// Workers of a queue play.
fn play_elsewhere(
    setup: &Setup,
    store: &mut Store,
    begin: impl FnOnce(Teller) -> Result<NatsQueue, LinkError>,
    stop: &StopToken,
) -> Result<arena::Progress, CliError> {
    let bar = bar(setup);
    let shown = bar.clone();
    let tell: Teller = Arc::new(move |line| shown.suspend(|| output::note(line)));
    let mut queue = begin(tell)?;
    let gauge = queue.gauge();
    let progress = play(setup, store, &mut queue, stop, &bar, &mut |done, all| gauge.set(done, all));
    queue.end(progress.as_ref().is_ok_and(|progress| progress.finished));
    Ok(progress?)
}

fn bar(setup: &Setup) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}  {eta} left").expect("the template is valid");
    ProgressBar::new(setup.expected_games() as u64).with_style(style)
}

/// `gauge` hears how many of how many games are played.
fn play(
    setup: &Setup,
    store: &mut Store,
    queue: &mut dyn Queue,
    stop: &StopToken,
    bar: &ProgressBar,
    gauge: &mut dyn FnMut(u64, u64),
) -> Result<arena::Progress, RunError> {
    let mut played = 0u64;
    let progress = arena::run(setup, store, queue, stop, &mut |event| match event {
        Event::Round { number, games, stored } => {
            played += *stored as u64;
            // Tie-breaks come on top of what was expected.
            bar.set_length(bar.length().unwrap_or(0).max(played + (games - stored) as u64));
            bar.set_position(played);
            bar.reset_eta();
            bar.set_message(format!("round {}", number + 1));
            gauge(played, bar.length().unwrap_or(0));
        }
        Event::Began(_) => {}
        Event::Unasked(outcome) => {
            bar.suspend(|| {
                output::note(&format!("refused: a result for game {}, which was never given", outcome.id));
            });
        }
        Event::SetAside { worker, games } => {
            played -= *games as u64;
            let words =
                format!("{worker} sends games that were not played so; {games} of it are set aside and played again");
            bar.suspend(|| eprintln!("papan: {words}"));
        }
        Event::Ended(job, outcome) => {
            played += 1;
            bar.set_position(played);
            gauge(played, bar.length().unwrap_or(0));
            let [first, second] = [0, 1].map(|side: usize| &setup.entrants[job.chairs[side].entrant].name);
            let [a, b] = outcome.score;
            bar.set_message(output::line(&format!("round {}, {first} {a}–{b} {second}", job.round + 1)));
        }
    });
    bar.finish_and_clear();
    progress
}
