//! Trains and measures the Othello engine.
//!
//! ```text
//! cargo run --release -p papan-engines --example othello_lab -- self-play WEIGHTS SEED GAMES OUT
//!                                                               archive WEIGHTS DIRECTORY EVERY OUT
//!                                                               fit START|- OUT SAMPLES…
//!                                                               hold-out WEIGHTS SAMPLES…
//!                                                               duel WEIGHTS WEIGHTS PAIRS DEPTH SEED
//!                                                               levels LOWER PAIRS SEED
//!                                                               errors WEIGHTS SAMPLES POSITIONS DEEPEST
//!                                                               suite FILE FROM TO THREADS
//!                                                               perft DEPTH
//!                                                               small
//!                                                               middle SECONDS THREADS
//! ```
//!
//! `WEIGHTS` is a file, or `-` for those of the binary; `START` as `-` is none. `suite` reads lines of number,
//! board, side, empties, score, best moves.

use papan_core::Random;
use papan_engines::othello::board::{SetBits, Shape, square_name};
use papan_engines::othello::engine::{Engine, SearchLimits};
use papan_engines::othello::evaluation::weights::{ClassIndex, RawPhase, Weights, phase_of};
use papan_engines::othello::evaluation::{codec, embedded_weights};
use papan_engines::othello::formats::transcript::State;
use papan_engines::othello::formats::{obf, wthor};
use papan_engines::othello::levels::Level;
use papan_engines::othello::perft::perft;
use papan_engines::othello::search::solve::Question;
use papan_engines::othello::training::duel::{DuelOptions, duel};
use papan_engines::othello::training::error_fit::FitErrors;
use papan_engines::othello::training::fit::{self, FitOptions, fit};
use papan_engines::othello::training::label::LabelOptions;
use papan_engines::othello::training::sample::{Sample, read_samples};
use papan_engines::othello::training::self_play::PlayOptions;
use papan_engines::othello::training::workshop::{Archive, SelfPlay, with_searcher};
use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["self-play", weights, seed, games, out] => self_play(weights, seed.parse()?, games.parse()?, out),
        ["archive", weights, directory, every, out] => archive(weights, directory, every.parse()?, out),
        ["fit", start, out, samples @ ..] => fit_files(start, out, samples),
        ["hold-out", weights, samples @ ..] => hold_out(weights, samples),
        ["duel", first, second, pairs, depth, seed] => {
            let options =
                DuelOptions { pairs: pairs.parse()?, opening: 12, depth: depth.parse()?, seed: seed.parse()? };
            play_duel(first, second, options)
        }
        ["levels", lower, pairs, seed] => levels(lower.parse()?, pairs.parse()?, seed.parse()?),
        ["errors", weights, samples, positions, deepest] => {
            errors(weights, samples, positions.parse()?, deepest.parse()?)
        }
        ["suite", file, from, to, threads] => suite(file, from.parse()?, to.parse()?, threads.parse()?),
        ["perft", depth] => count(depth.parse()?),
        ["small"] => small(),
        ["middle", seconds, threads] => middle(seconds.parse()?, threads.parse()?),
        _ => Err("see the head of the file for the commands".into()),
    }
}

/// Weights of a file, or those of the binary for `-`, as they are stored.
fn phases_of(file: &str) -> Result<Vec<RawPhase>, Box<dyn Error>> {
    let bytes =
        if file == "-" { include_bytes!("../src/othello/evaluation/weights.bin").to_vec() } else { fs::read(file)? };
    Ok(codec::decode(&bytes).ok_or("not a file of weights")?)
}

fn weights_of(file: &str) -> Result<Weights, Box<dyn Error>> {
    Ok(Weights::new(&phases_of(file)?))
}

/// The error of weights on the games of some files that are held out of training.
fn hold_out(weights: &str, files: &[&str]) -> Outcome {
    let samples = samples_of(files)?;
    let index = ClassIndex::new();
    for (phase, raw) in phases_of(weights)?.iter().enumerate() {
        let of_phase = |sample: &&Sample| sample.held_out() && phase_of(sample.board.discs()) == phase;
        let held_out: Vec<&Sample> = samples.iter().filter(of_phase).collect();
        let (error, absolute) = fit::errors(&index, raw, &held_out);
        let first = 4 + 2 * phase;
        println!("discs {first}-{}: held out {}, error {error:.3}, absolute {absolute:.3}", first + 1, held_out.len());
    }
    Ok(())
}

/// Two sets of weights against each other.
fn play_duel(first: &str, second: &str, options: DuelOptions) -> Outcome {
    let discs = duel(&weights_of(first)?, &weights_of(second)?, options);
    let count = |sign: i32| discs.iter().filter(|discs| discs.signum() == sign).count();
    let mean = discs.iter().sum::<i32>() as f64 / (2 * discs.len()).max(1) as f64;
    println!("{} pairs won, {} even, {} lost; {mean:+.2} discs a game", count(1), count(0), count(-1));
    Ok(())
}

fn self_play(weights: &str, seed: u64, count: u32, out: &str) -> Outcome {
    let mut output = BufWriter::new(File::create(out)?);
    let start = Instant::now();
    let mut told = |game: u32| {
        if (game + 1).is_multiple_of(1000) {
            println!("{} games, {:.0} s", game + 1, start.elapsed().as_secs_f64());
        }
    };
    let (play, label) = (PlayOptions::default(), LabelOptions::default());
    with_searcher(
        &weights_of(weights)?,
        SelfPlay { seed, first: 0, count, play, label, output: &mut output, told: &mut told },
    )?;
    Ok(())
}

fn archive(weights: &str, directory: &str, every: usize, out: &str) -> Outcome {
    let weights = weights_of(weights)?;
    let mut output = BufWriter::new(File::create(out)?);
    let mut files =
        fs::read_dir(directory)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.sort();
    let mut first = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "wtb")) {
        let games: Vec<wthor::Game> = wthor::read(&fs::read(file)?)?.into_iter().step_by(every).collect();
        let label = LabelOptions::default();
        with_searcher(&weights, Archive { games: &games, first, label, output: &mut output })?;
        first += games.len() as u32;
        println!("{} {first}", file.display());
    }
    Ok(())
}

fn samples_of(files: &[&str]) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut samples = Vec::new();
    for file in files {
        samples.extend(read_samples(&mut File::open(file)?)?);
    }
    Ok(samples)
}

fn fit_files(start: &str, out: &str, files: &[&str]) -> Outcome {
    let samples = samples_of(files)?;
    let known = if start == "-" { None } else { codec::decode(&fs::read(start)?) };
    let clock = Instant::now();
    println!("{} samples, {:?}", samples.len(), FitOptions::default());
    let phases = fit(&samples, known.as_deref(), FitOptions::default(), |report| {
        let first = 4 + 2 * report.phase;
        println!(
            "discs {first}-{}: trained on {}, error {:.3}; held out {}, error {:.3}, absolute {:.3} ({:.0} s)",
            first + 1,
            report.trained,
            report.training_error,
            report.held_out,
            report.hold_out_error,
            report.hold_out_absolute,
            clock.elapsed().as_secs_f64()
        );
    });
    let file = codec::encode(&phases);
    println!("{} bytes", file.len());
    fs::write(out, file)?;
    Ok(())
}

/// The level above `lower` against it: each random opening is played twice, with sides changed.
fn levels(lower: u32, pairs: u32, seed: u64) -> Outcome {
    let stop = AtomicBool::new(false);
    // The time only matters to the last level.
    let limits = SearchLimits { time: Some(Duration::from_secs(1)), ..SearchLimits::until(&stop) };
    let mut engines = [Engine::new(16, 1), Engine::new(16, 1)];
    let mut random = Random::new(seed);
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for _ in 0..pairs {
        let mut start = State::start(Shape::STANDARD);
        for _ in 0..8 {
            let moves = start.moves();
            let pick = random.below(moves.count_ones() as usize);
            start = SetBits(moves).nth(pick).and_then(|square| start.after(square as u8)).ok_or("a short game")?;
        }
        for upper_begins in [true, false] {
            let (mut state, mut upper_moves) = (start, upper_begins);
            while !state.is_over() {
                let level = Level::number(lower + u32::from(upper_moves));
                let engine = &mut engines[usize::from(upper_moves)];
                let answer = level.choose(engine, state.board, state.shape, limits, &mut random, &mut |_| ());
                state = state.after(answer.best).ok_or("a move that is not legal")?;
                upper_moves = !upper_moves;
            }
            let score = state.board.difference();
            match if upper_moves { score } else { -score } {
                0 => draws += 1,
                1.. => wins += 1,
                _ => losses += 1,
            }
        }
    }
    println!("level {} against {lower}: {wins} won, {draws} drawn, {losses} lost", lower + 1);
    Ok(())
}

fn errors(weights: &str, samples: &str, positions: usize, deepest: u32) -> Outcome {
    let samples = samples_of(&[samples])?;
    let held_out: Vec<_> = samples.iter().filter(|sample| sample.held_out()).map(|sample| sample.board).collect();
    let boards: Vec<_> = held_out.iter().copied().step_by((held_out.len() / positions.max(1)).max(1)).collect();
    let model = with_searcher(&weights_of(weights)?, FitErrors { boards: &boards, deepest, most_empties: 16 });
    println!("{model:?}");
    Ok(())
}

/// Seconds for which the process has run, so that the machine's other work does not count.
fn own_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn suite(file: &str, from: u32, to: u32, threads: usize) -> Outcome {
    let stop = AtomicBool::new(false);
    let mut engine = Engine::new(512, threads);
    embedded_weights();
    let (mut all_nodes, mut all_seconds) = (0, 0.0);
    for line in fs::read_to_string(file)?.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [number, board, side, empties, score, best] = words[..] else { continue };
        if !(from..=to).contains(&number.parse()?) {
            continue;
        }
        let (board, _) = obf::read(&format!("{board} {side}"))?;
        engine.clear();
        let (start, own_start) = (Instant::now(), own_seconds());
        let proof = engine.solve(board, Shape::STANDARD, Question::Score, true, SearchLimits::until(&stop));
        let seconds = if threads > 1 { start.elapsed().as_secs_f64() } else { own_seconds() - own_start };
        let found = square_name(proof.best[0]);
        let right = proof.lower == score.parse()? && best.split(',').any(|known| known == found);
        println!(
            "{number} {empties} empties {:+} {found} {} {seconds:.2} s {:.1} M nodes {:.1} M/s",
            proof.lower,
            if right { "right" } else { "WRONG" },
            proof.nodes as f64 / 1e6,
            proof.nodes as f64 / seconds / 1e6
        );
        all_nodes += proof.nodes;
        all_seconds += seconds;
    }
    println!("all {all_seconds:.2} s {:.1} M nodes", all_nodes as f64 / 1e6);
    Ok(())
}

fn count(depth: u32) -> Outcome {
    let start = own_seconds();
    let leaves = perft(Shape::STANDARD.start(), Shape::STANDARD, depth);
    let seconds = own_seconds() - start;
    println!("perft {depth} = {leaves}, {seconds:.3} s, {:.0} M leaves/s", leaves as f64 / seconds / 1e6);
    Ok(())
}

fn small() -> Outcome {
    let stop = AtomicBool::new(false);
    for size in [4, 6] {
        let shape = Shape::new(size).ok_or("a size")?;
        let start = own_seconds();
        let proof = Engine::new(1024, 1).solve(shape.start(), shape, Question::Score, true, SearchLimits::until(&stop));
        let seconds = own_seconds() - start;
        println!("{size}x{size}: {:+}, {seconds:.1} s, {:.1} M nodes", proof.lower, proof.nodes as f64 / 1e6);
    }
    Ok(())
}

fn middle(seconds: f64, threads: usize) -> Outcome {
    let stop = AtomicBool::new(false);
    let limits = SearchLimits { time: Some(Duration::from_secs_f64(seconds)), ..SearchLimits::until(&stop) };
    let start = own_seconds();
    let mut engine = Engine::new(128, threads);
    let answer = engine.think(Shape::STANDARD.start(), Shape::STANDARD, limits, &mut |answer| {
        println!("{:?} {:+} {} {} nodes", answer.trust, answer.score, square_name(answer.best), answer.nodes);
    });
    let used = own_seconds() - start;
    println!("{:.1} M nodes/s of one core", answer.nodes as f64 / used / 1e6);
    Ok(())
}
