//! The tables of the five reports.

use papan_arena::MatchReport;

use super::every_line::{EveryLine, every_line};
use super::{Comparison, Measured, Quoted, Row, contest};
use crate::error::CliError;

/// Something that stands in a report, and in which part.
fn quoted(figure: impl Into<String>, place: &'static str) -> Option<Quoted> {
    Some(Quoted { figure: figure.into(), place })
}

/// What a report's program gave, and why the report does not have it.
fn measured(figure: String, reason: &'static str) -> Option<Measured> {
    Some(Measured { figure, reason })
}

/// Rounds; the score X–O with minimax as X, which stands in the report; that
/// with hill climbing as X, which the report's program gave when it was run.
const ADJACENCY_EXACT: [(u32, [i32; 2], [i32; 2]); 3] =
    [(28, [33, 31], [33, 31]), (20, [25, 23], [25, 23]), (16, [21, 19], [24, 16])];

pub(super) fn adjacency_exact(_games: usize) -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    let (mut games, mut first_mover_wins) = (0, 0);
    for (rounds, minimax_first, hill_first) in ADJACENCY_EXACT {
        let game = format!("adjacency:rounds={rounds}");
        let played = contest(&game, ["report-minimax", "report-hill-climbing"], 2, 0)?;
        games += played.games.len();
        first_mover_wins += played.first_mover.wins;
        let [minimax, hill] = [0, 1].map(|number: usize| played.games[number].record.score);
        rows.push(Row {
            what: format!("{rounds} rounds, minimax is X, hill climbing is O"),
            report: quoted(score(minimax_first), "table of results, minimax against hill climbing"),
            program: None,
            papan: Some(score(minimax)),
            comparison: Some(Comparison::of(minimax == minimax_first)),
            note: String::new(),
        });
        rows.push(Row {
            what: format!("{rounds} rounds, sides swapped: hill climbing is X, minimax is O"),
            report: None,
            program: measured(score(hill_first), "the report has minimax as X only"),
            papan: Some(score(hill)),
            comparison: Some(Comparison::of(hill == hill_first)),
            note: String::new(),
        });
    }
    rows.push(Row {
        what: "who wins".to_owned(),
        report: quoted("minimax wins 100 %", "conclusion"),
        program: None,
        papan: Some(format!("whoever moves first wins: {first_mover_wins} of these {games} games")),
        comparison: Some(Comparison::Different),
        note: "The report always gave minimax the first move. With the sides swapped, minimax loses.".to_owned(),
    });
    Ok(rows)
}

fn score([x, o]: [i32; 2]) -> String {
    format!("{x}–{o}")
}

/// A bot as X against genetic search as O: rounds and the report's score.
const ADJACENCY_GENETIC: [(&str, &str, u32, [i32; 2]); 6] = [
    ("report-minimax", "minimax", 28, [33, 31]),
    ("report-minimax", "minimax", 14, [23, 13]),
    ("report-minimax", "minimax", 10, [18, 10]),
    ("report-hill-climbing", "hill climbing", 28, [41, 23]),
    ("report-hill-climbing", "hill climbing", 20, [34, 14]),
    ("report-hill-climbing", "hill climbing", 15, [26, 12]),
];

pub(super) fn adjacency_genetic(games: usize) -> Result<Vec<Row>, CliError> {
    ADJACENCY_GENETIC
        .iter()
        .map(|&(bot, name, rounds, reported)| {
            let game = format!("adjacency:rounds={rounds}");
            let played = contest(&game, [bot, "report-genetic"], 2 * games, 0)?;
            let as_side = |number: usize| played.games.iter().skip(number).step_by(2);
            let mean =
                |player: usize| as_side(0).map(|game| f64::from(game.record.score[player])).sum::<f64>() / games as f64;
            let won = |number: usize| as_side(number).filter(|game| game.half_points() == Some(2)).count();
            Ok(Row {
                what: format!("{rounds} rounds, {name} is X, genetic search is O"),
                report: quoted(format!("{}, one game", score(reported)), "table of results, against genetic search"),
                program: None,
                papan: Some(format!("{:.1}–{:.1}, mean of {games} games", mean(0), mean(1))),
                comparison: Some(Comparison::Trend),
                note: format!(
                    "{name} won {} of {games} as X, and {} of {games} with the sides swapped.",
                    won(0),
                    won(1)
                ),
            })
        })
        .collect()
}

pub(super) fn adjacency_people(_games: usize) -> Result<Vec<Row>, CliError> {
    let row = |name: &str, bot: &str, scores: &str| Row {
        what: format!("{name} against people"),
        report: quoted(scores, "table of results, against people"),
        program: None,
        papan: None,
        comparison: None,
        note: format!("Play it: papan play adjacency --second {bot}"),
    };
    Ok(vec![
        row("minimax", "report-minimax", "28–36, 13–11, 17–15, 25–19, 15–13"),
        row("hill climbing", "report-hill-climbing", "34–30, 14–16, 20–14"),
    ])
}

pub(super) fn dots_and_boxes(games: usize) -> Result<Vec<Row>, CliError> {
    let bots = ["report-minimax", "report-hill-climbing"];
    let from_start = contest("dots-and-boxes", bots, 2, 0)?;
    let varied = contest("dots-and-boxes", bots, games, 2)?;
    let against_random = contest("dots-and-boxes", ["report-hill-climbing", "random"], games, 2)?;
    let people = |what: &str, figure: &str, place: &'static str| Row {
        what: what.to_owned(),
        report: quoted(figure, place),
        program: None,
        papan: None,
        comparison: None,
        note: "People had a part in these games.".to_owned(),
    };
    Ok(vec![
        Row {
            what: "minimax against local search, from the empty board".to_owned(),
            report: quoted("won 5 of 5", "results, minimax against local search"),
            program: None,
            papan: Some(counts(&from_start)),
            comparison: Some(Comparison::Trend),
            note: "Both bots play the same game every time: one with each side.".to_owned(),
        },
        beyond(
            "minimax against local search, from other openings",
            &varied,
            "Two random lines are drawn first, and each opening is played with the sides swapped: the report's wins \
             depend on the empty board.",
        ),
        people("minimax against people", "won 5 of 5", "results, minimax against people"),
        people("local search in all its games", "won 4 of 10", "results, local search"),
        beyond("local search against random moves", &against_random, "Two random lines are drawn first."),
    ])
}

/// Wins, draws and losses of the bot that is named first.
fn counts(played: &MatchReport) -> String {
    let counts = played.counts;
    format!("won {}, drawn {}, lost {} of {}", counts.wins, counts.draws, counts.losses, counts.games())
}

/// What a report did not try, with the share of the points.
fn beyond(what: &str, played: &MatchReport, note: &str) -> Row {
    let interval = played.pairs.summary().map(|summary| summary.interval());
    let share = |(low, high)| format!(" ({:.0} to {:.0} %)", 100.0 * low, 100.0 * high);
    Row {
        what: what.to_owned(),
        report: None,
        program: None,
        papan: Some(counts(played) + &interval.map_or_else(String::new, share)),
        comparison: None,
        note: format!("Not in the report. {note}"),
    }
}

/// Games that the program of the 2023 report lost, and all that it can play,
/// as first and as second player.
const PROGRAM_2023: [(u64, u64); 2] = [(24, 132), (261, 641)];

pub(super) fn tic_tac_toe(_games: usize) -> Result<Vec<Row>, CliError> {
    let mut rows = beaten("report-2023-minimax")?;
    for (bot, report) in [
        ("report-minimax", "the bot of the 2014 report, which looks to the end of the game"),
        ("brute-force", "Papan's own minimax to the end of the game"),
        ("alpha-beta", "Papan's own alpha-beta"),
    ] {
        let [first, second] = every_line("tic-tac-toe", bot)?;
        rows.push(Row {
            what: format!("{bot}: {report}"),
            report: None,
            program: None,
            papan: Some(format!("first player: {}; second player: {}", lost(&first), lost(&second))),
            comparison: None,
            note: String::new(),
        });
    }
    Ok(rows)
}

/// The bot that loses, on each side.
fn beaten(bot: &str) -> Result<Vec<Row>, CliError> {
    let sides = every_line("tic-tac-toe", bot)?;
    let rows = sides.iter().zip(["first", "second"]).zip(PROGRAM_2023).map(|((found, side), expected)| {
        let (losses, games) = expected;
        let example =
            found.lost.as_ref().map_or_else(String::new, |moves| format!("A game that it loses: {}", moves.join(" ")));
        Row {
            what: format!("{bot} as {side} player"),
            report: quoted("some strategies beat it", "where it shows a game that its bot loses"),
            program: measured(format!("lost {losses} of {games}"), "the report gives no number"),
            papan: Some(lost(found)),
            comparison: Some(Comparison::of((found.counts.losses, found.counts.games()) == expected)),
            note: example,
        }
    });
    Ok(rows.collect())
}

fn lost(found: &EveryLine) -> String {
    format!("lost {} of {}", found.counts.losses, found.counts.games())
}

pub(super) fn othello(games: usize) -> Result<Vec<Row>, CliError> {
    let game = "othello:first=white,passing=off";
    let opponents = [
        ("greedy:eval=discs-most", "greedy, maximum disc"),
        ("greedy:eval=discs-least", "greedy, minimum disc"),
        ("greedy:eval=weighted-squares", "greedy, weighted squares"),
        ("alpha-beta:depth=4,eval=weighted-squares", "the same search with weighted squares"),
    ];
    let reported = |what: &str, figure: &str, place: &'static str| Row {
        what: what.to_owned(),
        report: quoted(figure, place),
        program: None,
        papan: None,
        comparison: None,
        note: String::new(),
    };
    let mut rows = vec![
        reported("against a person", "won 1, lost 2", "results, against a person"),
        reported("against an online bot", "won 2, lost 1", "results, against an online bot"),
    ];
    for (bot, name) in opponents {
        let played = contest(game, ["report-alpha-beta", bot], games, 4)?;
        let note = "The report names this strategy to try. Openings of four random plies, sides swapped.";
        rows.push(beyond(&format!("against {name} ({bot})"), &played, note));
    }
    Ok(rows)
}
