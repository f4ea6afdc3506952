//! An analysis in words, as `analyse` and `solve` print it.

use papan_core::Language;
use papan_roster::advice::{Analysis, Bound, MoveLine, Readable};

use crate::output;

fn value_words(readable: Readable) -> String {
    let sign = match readable.bound {
        Some(Bound::AtMost) => "≤ ",
        Some(Bound::AtLeast) => "≥ ",
        None => "",
    };
    readable.value.map_or_else(|| "?".to_owned(), |value| format!("{sign}{value:+}"))
}

fn trust_words(line: &MoveLine, depth: u32) -> String {
    match line.readable.value {
        Some(_) if line.readable.exact => "  exact".to_owned(),
        Some(_) if line.readable.decided => format!("  depth {depth}, ends the game"),
        Some(_) => format!("  depth {depth}"),
        None => String::new(),
    }
}

/// The best moves with the position's value and the expected line.
fn best_words(analysis: &Analysis) -> String {
    let best = analysis.best.join(" ");
    let value = analysis.readable.value.map_or_else(String::new, |_| format!(" {}", value_words(analysis.readable)));
    let complete = if analysis.best_complete { "" } else { " (perhaps others too)" };
    format!("best {best}{value}: {}{complete}\n", analysis.pv.join(" "))
}

pub(crate) fn words(analysis: &Analysis) -> String {
    let mut text = format!("{}\n{}\n", analysis.game, analysis.position);
    for line in &analysis.moves {
        text += &format!("  {:<8} {:>10}{}\n", line.mv, value_words(line.readable), trust_words(line, analysis.depth));
    }
    if !analysis.best.is_empty() {
        text += &best_words(analysis);
    }
    for insight in &analysis.insights {
        text += &format!("{}: {}\n", insight.label.get(Language::En), insight.moves.join(" "));
    }
    let mut counts = format!("{} nodes", output::grouped(analysis.nodes));
    if let (Some(leaves), Some(cuts)) = (analysis.leaves, analysis.cuts) {
        counts += &format!(", {} leaves, {} cuts", output::grouped(leaves), output::grouped(cuts));
    }
    text += &format!("{}: depth {}, {counts}, {:.2} s\n", analysis.bot, analysis.depth, analysis.seconds);
    text
}
