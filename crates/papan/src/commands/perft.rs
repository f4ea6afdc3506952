//! `papan perft`: counting leaves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use papan_core::{Digest, ParseError, Position};
use papan_roster::{GameVisitor, Rostered, read_position, with_game};
use serde::Serialize;

use crate::cli::PerftArgs;
use crate::error::CliError;
use crate::output;

/// A digest and the time it took: what `--json` prints.
#[derive(Serialize)]
struct Count {
    #[serde(flatten)]
    digest: Digest,
    seconds: f64,
}

pub(crate) fn run(args: &PerftArgs) -> Result<(), CliError> {
    with_game(&args.game, args.position.as_deref(), Perft(args))?
}

struct Perft<'a>(&'a PerftArgs);

impl GameVisitor for Perft<'_> {
    type Output = Result<(), CliError>;

    fn visit<G: Rostered>(self, game: G) -> Self::Output {
        let args = self.0;
        let start = args.position.as_deref().map_or_else(|| Ok(game.start()), |text| read_position(&game, text));
        let start: G::Position = start.map_err(|error: ParseError| error)?;
        if args.json {
            output::json(&count(&start, args.depth))?;
            return Ok(());
        }
        output::text("depth           leaves    first to move       margin sum    absolute sum   seconds\n")?;
        for depth in 1..=args.depth {
            let Count { digest, seconds } = count(&start, depth);
            output::text(&format!(
                "{depth:>5} {:>16} {:>16} {:>16} {:>15} {seconds:>9.3}\n",
                output::grouped(digest.leaves),
                output::grouped(digest.first_to_move),
                digest.margin_sum,
                output::grouped(digest.margin_abs_sum),
            ))?;
        }
        Ok(())
    }
}

fn count<P: Position>(start: &P, depth: u32) -> Count {
    let started = Instant::now();
    let digest = digest_on_all_cores(start, depth);
    Count { digest, seconds: started.elapsed().as_secs_f64() }
}

/// The digest, with the positions a few plies down shared out over the cores.
fn digest_on_all_cores<P: Position>(start: &P, depth: u32) -> Digest {
    const SHARED_PLIES: u32 = 3;
    if depth <= SHARED_PLIES + 1 {
        return Digest::of(start, depth);
    }
    let mut frontier = Vec::new();
    collect(start, SHARED_PLIES, depth, &mut frontier);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut sum = Digest::default();
        while let Some((position, depth)) = frontier.get(next.fetch_add(1, Ordering::Relaxed)) {
            sum += Digest::of(position, *depth);
        }
        sum
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let digests = handles.into_iter().map(|handle| handle.join().expect("counting does not panic"));
        digests.fold(Digest::default(), |mut sum, digest| {
            sum += digest;
            sum
        })
    })
}

/// The positions `plies` below `position`, and games that end earlier, each
/// with the depth still to go.
fn collect<P: Position>(position: &P, plies: u32, depth: u32, frontier: &mut Vec<(P, u32)>) {
    if plies == 0 || position.is_over() {
        frontier.push((*position, depth));
        return;
    }
    for mv in position.legal_moves() {
        collect(&position.after(mv), plies - 1, depth - 1, frontier);
    }
}
