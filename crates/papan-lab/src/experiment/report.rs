//! The report of an experiment: a page of its own, and CSV.

use std::fmt::Write as _;

use papan_core::Language;

use super::charts::{Series, line_chart, short};
use super::{Experiment, Measurement, Progress, Results};
use crate::draw::escaped;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#26231e;background:#faf6ec}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.5rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1rem 0}
th,td{border-bottom:1px solid #c9bfa9;padding:.25rem .75rem;text-align:right}th:first-child,td:first-child{text-align:left}
pre{overflow:auto;padding:.75rem;border:1px solid #c9bfa9;white-space:pre-wrap;overflow-wrap:anywhere}figure{margin:1rem 0}figure svg{max-width:100%;height:auto}
.partial{border-left:.3rem solid #c24400;padding:.4rem .8rem;font-weight:600}
.boards{display:flex;flex-wrap:wrap;gap:1.5rem}.boards svg{width:14rem;height:auto}
@media(prefers-color-scheme:dark){body{color:#ece7db;background:#1d2126}th,td,pre{border-color:#4a5058}}
@media print{body{color:#000;background:#fff;max-width:none}h2{break-after:avoid}figure,tr{break-inside:avoid}}";

/// The results as CSV: a line for each bot and depth. The last column says how
/// much there is where the experiment was stopped.
#[must_use]
pub fn csv(results: &Results) -> String {
    let Progress { done, of } = results.progress;
    let partial = if results.partial { format!("{done} of {of}") } else { String::new() };
    let mut out = "bot,depth,nodes,leaves,cuts,seconds,branching,partial\n".to_owned();
    for row in &results.measurements {
        let branching = row.branching.map_or_else(String::new, |branching| branching.to_string());
        let bot = row.bot.replace('"', "\"\"");
        let _ = writeln!(
            out,
            "\"{bot}\",{},{},{},{},{},{branching},{partial}",
            row.depth, row.nodes, row.leaves, row.cuts, row.seconds
        );
    }
    out
}

/// The results as an HTML document that needs nothing from anywhere and can
/// be printed.
#[must_use]
pub fn html(results: &Results, language: Language) -> String {
    let words = Words::of(language);
    let game = &results.experiment.game;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{} · {}</title><style>{STYLE}</style></head><body>\n<h1>{}: {}</h1>\n",
        words.code,
        words.title,
        escaped(game),
        words.title,
        escaped(game)
    );
    if results.partial {
        let _ = writeln!(out, "<p class=\"partial\">{}</p>", words.partial(results.progress));
    }
    let experiment = &results.experiment;
    let _ = writeln!(
        out,
        "<p>{}: {}. {}: {}. {}: {}. {} {}.</p>",
        words.bots,
        escaped(&experiment.bots.join(", ")),
        words.positions,
        results.positions.len(),
        words.plies,
        experiment.plies,
        words.seed,
        seeds_of(experiment, ", ")
    );
    for figure in Figure::ALL {
        write_figure(&mut out, results, figure, &words);
    }
    write_pairings(&mut out, results, &words);
    write_commands(&mut out, results, &words);
    out.push_str("</body></html>\n");
    out
}

/// A quantity that is plotted by depth.
#[derive(Clone, Copy)]
enum Figure {
    Nodes,
    Milliseconds,
    Branching,
}

impl Figure {
    const ALL: [Self; 3] = [Self::Nodes, Self::Milliseconds, Self::Branching];

    fn of(self, row: &Measurement) -> Option<f64> {
        match self {
            Self::Nodes => Some(row.nodes),
            Self::Milliseconds => Some(1000.0 * row.seconds),
            Self::Branching => row.branching,
        }
    }
}

fn write_figure(out: &mut String, results: &Results, figure: Figure, words: &Words) {
    let experiment = &results.experiment;
    let title = match figure {
        Figure::Nodes => words.nodes,
        Figure::Milliseconds => words.milliseconds,
        Figure::Branching => words.branching,
    };
    let rows_of = |bot: &str| results.measurements.iter().filter(move |row| row.bot == bot).collect::<Vec<_>>();
    let series: Vec<Series> = experiment
        .bots
        .iter()
        .map(|bot| Series {
            name: bot.clone(),
            points: rows_of(bot).iter().filter_map(|row| Some((f64::from(row.depth), figure.of(row)?))).collect(),
        })
        .collect();
    if series.iter().all(|line| line.points.is_empty()) {
        return;
    }
    let logarithmic = !matches!(figure, Figure::Branching);
    let chart = line_chart(title, words.depth, &series, logarithmic);
    let _ = write!(out, "<h2>{title}</h2><figure>{chart}</figure><table><thead><tr><th>{}</th>", words.bot);
    for depth in &experiment.depths {
        let _ = write!(out, "<th>{} {depth}</th>", words.depth);
    }
    out.push_str("</tr></thead><tbody>\n");
    for bot in &experiment.bots {
        let _ = write!(out, "<tr><td>{}</td>", escaped(bot));
        let rows = rows_of(bot);
        for number in 0..experiment.depths.len() {
            let value = rows.get(number).and_then(|row| figure.of(row));
            let _ = write!(out, "<td>{}</td>", value.map_or_else(|| "–".to_owned(), short));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}

fn write_pairings(out: &mut String, results: &Results, words: &Words) {
    if results.pairings.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<h2>{}</h2><figure>{}</figure><table><thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>",
        words.strength,
        strength_chart(results, words),
        words.pairing,
        words.depth,
        words.won,
        words.drawn,
        words.lost,
        words.score
    );
    for row in &results.pairings {
        let score = row.score.map_or_else(String::new, |[score, low, high]| {
            format!("{:.1} % ({:.1}–{:.1})", 100.0 * score, 100.0 * low, 100.0 * high)
        });
        let _ = writeln!(
            out,
            "<tr><td>{} – {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{score}</td></tr>",
            escaped(&row.first),
            escaped(&row.second),
            row.depth,
            row.wins,
            row.draws,
            row.losses
        );
    }
    let _ = writeln!(out, "</tbody></table><h2>{}</h2><div class=\"boards\">", words.boards);
    let deepest = results.pairings.last().map(|row| row.depth);
    for row in results.pairings.iter().filter(|row| Some(row.depth) == deepest) {
        let [first, second] = row.final_score;
        let _ = writeln!(
            out,
            "<figure>{}<figcaption>{} {first}–{second} {}</figcaption></figure>",
            row.final_board,
            escaped(&row.first),
            escaped(&row.second)
        );
    }
    out.push_str("</div>\n");
}

/// The share of the points of each pairing's first bot by depth.
fn strength_chart(results: &Results, words: &Words) -> String {
    let mut series: Vec<Series> = Vec::new();
    for row in &results.pairings {
        let name = format!("{} – {}", row.first, row.second);
        let games = (row.wins + row.draws + row.losses).max(1) as f64;
        let point = (f64::from(row.depth), 100.0 * (row.wins as f64 + 0.5 * row.draws as f64) / games);
        match series.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    line_chart(words.share, words.depth, &series, false)
}

/// The commands that give each figure again.
fn write_commands(out: &mut String, results: &Results, words: &Words) {
    let experiment = &results.experiment;
    let depths: Vec<String> = experiment.depths.iter().map(ToString::to_string).collect();
    let bots: Vec<String> = experiment.bots.iter().map(|bot| format!("'{bot}'")).collect();
    let _ = writeln!(
        out,
        "<h2>{}</h2><pre>papan experiment '{}' {} --depths {} --positions {} --plies {} --games {} --seed {}",
        words.again,
        escaped(&experiment.game),
        escaped(&bots.join(" ")),
        depths.join(","),
        experiment.positions,
        experiment.plies,
        experiment.games,
        seeds_of(experiment, ",")
    );
    for bot in &experiment.bots {
        let _ = writeln!(
            out,
            "papan analyse '{}' '{}' --bot '{}' --depth {} --json",
            escaped(&experiment.game),
            escaped(results.positions.first().map_or("", String::as_str)),
            escaped(bot),
            depths.last().map_or("1", String::as_str)
        );
    }
    for (row, seed) in results.pairings.iter().flat_map(|row| experiment.seeds.iter().map(move |seed| (row, seed))) {
        let _ = writeln!(
            out,
            "papan match '{}' '{}' '{}' --games {} --depth {} --seed {seed}",
            escaped(&experiment.game),
            escaped(&row.first),
            escaped(&row.second),
            experiment.games,
            row.depth
        );
    }
    out.push_str("</pre>\n");
}

fn seeds_of(experiment: &Experiment, between: &str) -> String {
    experiment.seeds.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

struct Words {
    language: Language,
    code: &'static str,
    title: &'static str,
    bots: &'static str,
    bot: &'static str,
    positions: &'static str,
    plies: &'static str,
    seed: &'static str,
    depth: &'static str,
    nodes: &'static str,
    milliseconds: &'static str,
    branching: &'static str,
    strength: &'static str,
    pairing: &'static str,
    won: &'static str,
    drawn: &'static str,
    lost: &'static str,
    score: &'static str,
    share: &'static str,
    boards: &'static str,
    again: &'static str,
}

impl Words {
    /// That the experiment was stopped, and how much of it there is.
    fn partial(&self, Progress { done, of }: Progress) -> String {
        match self.language {
            Language::En => {
                format!("Partial: stopped after {done} of {of} measurements. What is missing is shown as –.")
            }
            Language::Id => {
                format!(
                    "Sebagian: dihentikan setelah {done} dari {of} pengukuran. Yang belum ada ditampilkan sebagai –."
                )
            }
        }
    }

    const fn of(language: Language) -> Self {
        match language {
            Language::En => Self {
                language,
                code: "en",
                title: "Experiment",
                bots: "Bots",
                bot: "bot",
                positions: "Positions",
                plies: "Random plies before each",
                seed: "Seed",
                depth: "depth",
                nodes: "Positions visited for a move",
                milliseconds: "Milliseconds for a move",
                branching: "How many times more positions with each ply",
                strength: "Strength",
                pairing: "pairing",
                won: "won",
                drawn: "drawn",
                lost: "lost",
                score: "score of the first, 95 % interval",
                share: "Points of the first, per cent",
                boards: "Final boards of the first games",
                again: "How to get these figures again",
            },
            Language::Id => Self {
                language,
                code: "id",
                title: "Percobaan",
                bots: "Bot",
                bot: "bot",
                positions: "Posisi",
                plies: "Langkah acak sebelumnya",
                seed: "Benih",
                depth: "kedalaman",
                nodes: "Posisi yang dikunjungi untuk satu langkah",
                milliseconds: "Milidetik untuk satu langkah",
                branching: "Berapa kali lebih banyak posisi tiap lapisan",
                strength: "Kekuatan",
                pairing: "pasangan",
                won: "menang",
                drawn: "seri",
                lost: "kalah",
                score: "skor yang pertama, interval 95 %",
                share: "Poin yang pertama, persen",
                boards: "Papan akhir permainan pertama",
                again: "Cara memperoleh angka ini kembali",
            },
        }
    }
}
