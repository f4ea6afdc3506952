//! A search as a page of its own: the picture, the counts by ply, and every
//! cut in words. It needs nothing from anywhere.

use std::fmt::Write as _;

use papan_core::{Language, render};

use super::escaped;
use super::notes::Notes;
use super::svg::picture;
use crate::tree::SearchTrace;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#26231e;background:#faf6ec}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #c9bfa9;padding:.25rem .75rem;text-align:right}th:first-child,td:first-child{text-align:left}
.cuts li::marker{content:\"✂\" counter(list-item) \" \"}.tree{overflow:auto;border:1px solid #c9bfa9}.board svg{max-width:20rem;height:auto}
@media(prefers-color-scheme:dark){body{color:#ece7db;background:#1d2126}th,td,.tree{border-color:#4a5058}}
@media print{.tree{overflow:visible}.tree svg{max-width:100%;height:auto}}";

/// The first `count` positions of a search as an HTML document.
#[must_use]
pub fn html(trace: &SearchTrace, count: usize, language: Language) -> String {
    let summary = trace.summary();
    let words = Words::of(language);
    let title = format!("{} · {}", summary.bot, summary.game);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{}</title><style>{STYLE}</style></head><body>\n<h1>{}</h1>\n",
        words.code,
        escaped(&title),
        escaped(&title)
    );
    let root = trace.table_at(0);
    let board = render::svg::render(&root.scene(), render::svg::Marks::default());
    let _ = writeln!(
        out,
        "<p>{}: <code>{}</code></p><div class=\"board\">{board}</div>",
        words.position,
        escaped(&summary.position)
    );
    let nodes = trace.top(count);
    let notes = Notes::of(trace, &nodes, language);
    let _ = writeln!(out, "<p><strong>{}</strong></p>", escaped(&notes.conclusion));
    let _ = writeln!(
        out,
        "<h2>{}</h2><p>{}</p><div class=\"tree\" tabindex=\"0\">{}</div><p>{}</p>",
        words.tree,
        escaped(notes.legend),
        picture(&nodes, &notes, false),
        escaped(&notes.caption)
    );
    let _ = writeln!(
        out,
        "<h2>{}</h2><table><thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>",
        words.by_ply, words.ply, words.nodes, words.leaves, words.cuts
    );
    for (ply, count) in summary.by_ply.iter().enumerate() {
        let _ = writeln!(
            out,
            "<tr><td>{ply}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            count.nodes, count.leaves, count.cuts
        );
    }
    out.push_str("</tbody></table>\n");
    write_cuts(&mut out, &notes, summary.cuts, &words);
    out.push_str("</body></html>\n");
    out
}

/// The cuts at the positions that are shown, by the numbers in the picture.
fn write_cuts(out: &mut String, notes: &Notes, all: u64, words: &Words) {
    if notes.cuts.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h2>{}</h2><ol class=\"cuts\">", words.why);
    for cut in &notes.cuts {
        let _ = writeln!(out, "<li><code>{}</code> {}</li>", escaped(&cut.line), escaped(&cut.words));
    }
    out.push_str("</ol>\n");
    if (notes.cuts.len() as u64) < all {
        let _ = writeln!(out, "<p>{} / {all} {}</p>", notes.cuts.len(), words.cuts);
    }
}

struct Words {
    code: &'static str,
    position: &'static str,
    nodes: &'static str,
    leaves: &'static str,
    cuts: &'static str,
    tree: &'static str,
    by_ply: &'static str,
    ply: &'static str,
    why: &'static str,
}

impl Words {
    const fn of(language: Language) -> Self {
        match language {
            Language::En => Self {
                code: "en",
                position: "Position",
                nodes: "nodes",
                leaves: "leaves",
                cuts: "cuts",
                tree: "The tree",
                by_ply: "Counts by ply",
                ply: "ply",
                why: "Why branches were skipped",
            },
            Language::Id => Self {
                code: "id",
                position: "Posisi",
                nodes: "simpul",
                leaves: "daun",
                cuts: "pemangkasan",
                tree: "Pohon",
                by_ply: "Jumlah menurut kedalaman",
                ply: "lapisan",
                why: "Mengapa cabang dilewati",
            },
        }
    }
}
