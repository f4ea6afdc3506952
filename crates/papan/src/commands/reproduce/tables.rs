//! The tables of the five reports.

use papan_arena::MatchReport;

use super::unbeatable::every_line;
use super::{Row, contest};
use crate::error::CliError;

/// Rounds, then the report's score X–O with minimax as X and with hill
/// climbing as X.
const ADJACENCY_EXACT: [(u32, [i32; 2], [i32; 2]); 3] =
    [(28, [33, 31], [33, 31]), (20, [25, 23], [25, 23]), (16, [21, 19], [24, 16])];

pub(super) fn adjacency_exact(_games: usize) -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    let mut first_mover_wins = 0;
    for (rounds, minimax_first, hill_first) in ADJACENCY_EXACT {
        let game = format!("adjacency:rounds={rounds}");
        let report = contest(&game, ["report-minimax", "report-hill-climbing"], 2, 0)?;
        first_mover_wins += report.first_mover.wins;
        let names = ["minimax (X) – hill climbing (O)", "hill climbing (X) – minimax (O)"];
        for ((name, expected), game) in names.iter().zip([minimax_first, hill_first]).zip(&report.games) {
            rows.push(exact(format!("{rounds} rounds, {name}"), expected, game.record.score));
        }
    }
    rows.push(Row {
        what: "who wins".to_owned(),
        report: "minimax, 100 %".to_owned(),
        ours: format!("whoever moves first, {first_mover_wins} of 6"),
        note: "the report always gave minimax the first move; with sides swapped it loses".to_owned(),
        same: Some(false),
    });
    Ok(rows)
}

fn exact(what: String, report: [i32; 2], ours: [i32; 2]) -> Row {
    let [a, b] = report;
    let [x, y] = ours;
    let note = if report == ours { String::new() } else { "differs".to_owned() };
    Row { what, report: format!("{a}–{b}"), ours: format!("{x}–{y}"), note, same: Some(report == ours) }
}

/// Bot as X against genetic as O: rounds and the report's score.
const ADJACENCY_GENETIC: [(&str, u32, [i32; 2]); 6] = [
    ("report-minimax", 28, [33, 31]),
    ("report-minimax", 14, [23, 13]),
    ("report-minimax", 10, [18, 10]),
    ("report-hill-climbing", 28, [41, 23]),
    ("report-hill-climbing", 20, [34, 14]),
    ("report-hill-climbing", 15, [26, 12]),
];

pub(super) fn adjacency_genetic(games: usize) -> Result<Vec<Row>, CliError> {
    ADJACENCY_GENETIC
        .iter()
        .map(|&(bot, rounds, [a, b])| {
            let game = format!("adjacency:rounds={rounds}");
            let report = contest(&game, [bot, "report-genetic"], 2 * games, 0)?;
            let first = |number: usize| report.games.iter().skip(number).step_by(2);
            let mean =
                |player: usize| first(0).map(|game| f64::from(game.record.score[player])).sum::<f64>() / games as f64;
            let won = |number: usize| first(number).filter(|game| game.half_points() == Some(2)).count();
            Ok(Row {
                what: format!("{rounds} rounds, {bot} (X) – genetic (O)"),
                report: format!("{a}–{b}, one game"),
                ours: format!("{:.1}–{:.1} mean of {games}", mean(0), mean(1)),
                note: format!(
                    "won {} of {games} as X and {} of {games} as O; genetic always plays for O",
                    won(0),
                    won(1)
                ),
                same: None,
            })
        })
        .collect()
}

pub(super) fn adjacency_people(_games: usize) -> Result<Vec<Row>, CliError> {
    let rows =
        [("minimax – people", "28–36, 13–11, 17–15, 25–19, 15–13"), ("hill climbing – people", "34–30, 14–16, 20–14")];
    let row = |(what, report): (&str, &str)| Row {
        what: what.to_owned(),
        report: report.to_owned(),
        ours: "not run".to_owned(),
        note: "people cannot be run again: play them with papan play adjacency --second report-minimax".to_owned(),
        same: None,
    };
    Ok(rows.into_iter().map(row).collect())
}

pub(super) fn dots_and_boxes(games: usize) -> Result<Vec<Row>, CliError> {
    let bots = ["report-minimax", "report-hill-climbing"];
    let from_start = contest("dots-and-boxes", bots, 2, 0)?;
    let varied = contest("dots-and-boxes", bots, games, 2)?;
    let against_random = contest("dots-and-boxes", ["report-hill-climbing", "random"], games, 2)?;
    Ok(vec![
        share("minimax against local search", "won 5 of 5", &from_start, "from the empty board, once with each side"),
        share(
            "the same from varied openings",
            "not tried",
            &varied,
            "two random lines first, sides swapped: the empty board was luck",
        ),
        Row {
            what: "minimax against people".to_owned(),
            report: "won 5 of 5".to_owned(),
            ours: "not run".to_owned(),
            note: "people cannot be run again".to_owned(),
            same: None,
        },
        share("local search in all", "won 4 of 10", &against_random, "ours: against random moves, as a yardstick"),
    ])
}

fn share(what: &str, reported: &str, report: &MatchReport, note: &str) -> Row {
    let counts = report.counts;
    let interval = report.pairs.summary().map(|summary| summary.interval());
    let interval =
        interval.map_or_else(String::new, |(low, high)| format!(" ({:.0} to {:.0} %)", 100.0 * low, 100.0 * high));
    Row {
        what: what.to_owned(),
        report: reported.to_owned(),
        ours: format!(
            "won {}, drawn {}, lost {} of {}{interval}",
            counts.wins,
            counts.draws,
            counts.losses,
            counts.games()
        ),
        note: note.to_owned(),
        same: None,
    }
}

pub(super) fn tic_tac_toe(_games: usize) -> Result<Vec<Row>, CliError> {
    let reported = [
        ("report-minimax", "should never lose"),
        ("minimax", "should never lose; its program lost 24 of 132 as first, 261 of 641 as second"),
        ("alpha-beta", "should never lose"),
    ];
    let mut rows = Vec::new();
    for (bot, report) in reported {
        let [first, second] = every_line("tic-tac-toe", bot)?;
        rows.push(Row {
            what: format!("{bot} against every line"),
            report: report.to_owned(),
            ours: format!(
                "lost {} of {} as first, {} of {} as second",
                first.losses,
                first.games(),
                second.losses,
                second.games()
            ),
            note: "every possible play of the opponent was tried".to_owned(),
            same: Some(first.losses + second.losses == 0),
        });
    }
    Ok(rows)
}

pub(super) fn othello(games: usize) -> Result<Vec<Row>, CliError> {
    let game = "othello:first=white,passing=off";
    let opponents = [
        ("greedy:eval=discs-most", "a greedy player, maximum disc"),
        ("greedy:eval=discs-least", "a greedy player, minimum disc"),
        ("greedy:eval=weighted-squares", "a greedy player, weighted squares"),
        ("alpha-beta:depth=4,eval=weighted-squares", "the same search with weighted squares"),
    ];
    let mut rows = vec![Row {
        what: "against a person and an online bot".to_owned(),
        report: "1 of 3, 2 of 3 won".to_owned(),
        ours: "not run".to_owned(),
        note: "neither can be run again; below: strategies that the report names".to_owned(),
        same: None,
    }];
    for (bot, name) in opponents {
        let report = contest(game, ["report-alpha-beta", bot], games, 4)?;
        rows.push(share(
            &format!("against {name}"),
            "named, not tried",
            &report,
            "openings of four random plies, sides swapped",
        ));
    }
    Ok(rows)
}
