//! Trains and measures the Othello engine.
//!
//! ```text
//! cargo run --release -p papan-engines --example othello_lab -- self-play WEIGHTS SEED GAMES OUT
//!                                                               archive WEIGHTS DIRECTORY EVERY OUT
//!                                                               fit START|- OUT SAMPLES…
//!                                                               errors WEIGHTS SAMPLES
//!                                                               suite FILE FROM TO THREADS
//!                                                               perft DEPTH
//!                                                               small
//!                                                               middle SECONDS THREADS
//! ```
//!
//! `WEIGHTS` is a file, or `-` for those of the binary; `START` as `-` is none. `suite` reads lines of number,
//! board, side, empties, score, best moves.

use papan_engines::othello::board::{Shape, square_name};
use papan_engines::othello::engine::{Engine, Spend};
use papan_engines::othello::evaluation::weights::Weights;
use papan_engines::othello::evaluation::{codec, embedded_weights};
use papan_engines::othello::formats::{obf, wthor};
use papan_engines::othello::perft::perft;
use papan_engines::othello::search::solve::Question;
use papan_engines::othello::training::error_fit::FitErrors;
use papan_engines::othello::training::fit::{FitOptions, fit};
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
        ["errors", weights, samples] => errors(weights, samples),
        ["suite", file, from, to, threads] => suite(file, from.parse()?, to.parse()?, threads.parse()?),
        ["perft", depth] => count(depth.parse()?),
        ["small"] => small(),
        ["middle", seconds, threads] => middle(seconds.parse()?, threads.parse()?),
        _ => Err("see the head of the file for the commands".into()),
    }
}

/// Weights of a file, or those of the binary for `-`.
fn weights_of(file: &str) -> Result<Weights, Box<dyn Error>> {
    let bytes =
        if file == "-" { include_bytes!("../src/othello/evaluation/weights.bin").to_vec() } else { fs::read(file)? };
    Ok(Weights::new(&codec::decode(&bytes).ok_or("not a file of weights")?))
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
    let mut files: Vec<_> =
        fs::read_dir(directory)?.map(|file| file.map(|file| file.path())).collect::<Result<_, _>>()?;
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

fn errors(weights: &str, samples: &str) -> Outcome {
    let samples = samples_of(&[samples])?;
    let held_out = samples.iter().filter(|sample| sample.held_out());
    let boards: Vec<_> = held_out.map(|sample| sample.board).step_by(11).take(4_000).collect();
    let model = with_searcher(&weights_of(weights)?, FitErrors { boards: &boards, deepest: 8, most_empties: 14 });
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
        let proof = engine.solve(board, Shape::STANDARD, Question::Score, true, Spend::until(&stop));
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
        let proof = Engine::new(1024, 1).solve(shape.start(), shape, Question::Score, true, Spend::until(&stop));
        let seconds = own_seconds() - start;
        println!("{size}x{size}: {:+}, {seconds:.1} s, {:.1} M nodes", proof.lower, proof.nodes as f64 / 1e6);
    }
    Ok(())
}

fn middle(seconds: f64, threads: usize) -> Outcome {
    let stop = AtomicBool::new(false);
    let spend = Spend { time: Some(Duration::from_secs_f64(seconds)), ..Spend::until(&stop) };
    let start = own_seconds();
    let mut engine = Engine::new(128, threads);
    let answer = engine.think(Shape::STANDARD.start(), Shape::STANDARD, spend, &mut |answer| {
        println!("{:?} {:+} {} {} nodes", answer.trust, answer.score, square_name(answer.best), answer.nodes);
    });
    let used = own_seconds() - start;
    println!("{:.1} M nodes/s of one core", answer.nodes as f64 / used / 1e6);
    Ok(())
}
