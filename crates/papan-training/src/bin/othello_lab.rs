//! Trains and measures the Othello engine.
//!
//! ```text
//! cargo run --release -p papan-training --bin othello_lab -- self-play WEIGHTS SEED GAMES OUT
//!                                                            archive WEIGHTS DIRECTORY EVERY OUT
//!                                                            fit START|- OUT SAMPLES…
//!                                                            hold-out WEIGHTS SAMPLES…
//!                                                            duel WEIGHTS WEIGHTS PAIRS DEPTH SEED
//!                                                            levels LOWER PAIRS SEED
//!                                                            errors WEIGHTS SAMPLES POSITIONS DEEPEST
//! ```
//!
//! `WEIGHTS` is a file, or `-` for those of the binary; `START` as `-` is none.

use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::time::{Duration, Instant};

use papan_core::{Bot as _, Budget, Player, Position as _, Random};
use papan_engines::othello::OthelloEngine;
use papan_engines::othello::evaluation::{ClassIndex, RawPhase, WEIGHTS_FILE, Weights, decode, encode, phase_of};
use papan_games::othello::formats::wthor::{self, WthorGame};
use papan_training::othello::duel::{DuelOptions, duel, opening};
use papan_training::othello::error_fit::{ErrorFitOptions, fit_errors};
use papan_training::othello::fit::{self, FitOptions, fit};
use papan_training::othello::{Sample, SampleWriter, read_samples};

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
        _ => Err("see the head of the file for the commands".into()),
    }
}

/// Weights of a file, or those of the binary for `-`, as they are stored.
fn phases_of(file: &str) -> Result<Vec<RawPhase>, Box<dyn Error>> {
    let bytes = if file == "-" { WEIGHTS_FILE.to_vec() } else { fs::read(file)? };
    Ok(decode(&bytes).ok_or("not a file of weights")?)
}

fn weights_of(file: &str) -> Result<Weights, Box<dyn Error>> {
    Ok(Weights::new(&phases_of(file)?))
}

/// The error of weights on the games of some files that are held out of training.
fn hold_out(weights: &str, files: &[&str]) -> Outcome {
    let samples = samples_of(files)?;
    let index = ClassIndex::new();
    for (phase, raw) in phases_of(weights)?.iter().enumerate() {
        let of_phase = |sample: &&Sample| sample.held_out() && phase_of(sample.discs()) == phase;
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
    let weights = weights_of(weights)?;
    let mut writer = SampleWriter::new(&weights, BufWriter::new(File::create(out)?));
    let start = Instant::now();
    for game in 0..count {
        writer.self_play(seed, game)?;
        if (game + 1).is_multiple_of(1000) {
            println!("{} games, {:.0} s", game + 1, start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

fn archive(weights: &str, directory: &str, every: usize, out: &str) -> Outcome {
    let weights = weights_of(weights)?;
    let mut writer = SampleWriter::new(&weights, BufWriter::new(File::create(out)?));
    let mut files =
        fs::read_dir(directory)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.sort();
    let mut number = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "wtb")) {
        let games: Vec<WthorGame> = wthor::read(&fs::read(file)?)?;
        for game in games.iter().step_by(every) {
            writer.recorded(&game.moves, number)?;
            number += 1;
        }
        println!("{} {number}", file.display());
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
    let known = if start == "-" { None } else { decode(&fs::read(start)?) };
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
    let file = encode(&phases);
    println!("{} bytes", file.len());
    fs::write(out, file)?;
    Ok(())
}

/// The level above `lower` against it: each random opening is played twice, with sides changed.
fn levels(lower: u32, pairs: u32, seed: u64) -> Outcome {
    // The time only matters to the last level.
    let budget = Budget::time(Duration::from_secs(1));
    let mut bots = [lower, lower + 1].map(|level| OthelloEngine::new(Some(level), seed, 1));
    let mut random = Random::new(seed);
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for _ in 0..pairs {
        let start = opening(8, &mut random).ok_or("a short game")?;
        for upper in Player::BOTH {
            let mut position = start;
            while !position.is_over() {
                let bot = &mut bots[usize::from(position.to_move() == upper)];
                position = position.after(bot.choose(&position, &budget).mv);
            }
            match position.margin().0 * if upper == Player::First { 1 } else { -1 } {
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
    let held_out: Vec<_> = samples.iter().filter(|sample| sample.held_out()).map(Sample::position).collect();
    let positions: Vec<_> = held_out.iter().copied().step_by((held_out.len() / positions.max(1)).max(1)).collect();
    let options = ErrorFitOptions { deepest, most_empties: 16 };
    println!("{:?}", fit_errors(&weights_of(weights)?, &positions, options));
    Ok(())
}
