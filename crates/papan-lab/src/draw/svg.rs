//! A search tree as an SVG picture: MAX as squares, MIN as ovals, each with its
//! window; cuts as dashed branches with a bar across, explained below.

use std::fmt::Write as _;

use papan_core::Language;

use super::escaped;
use super::layout::{BORDER, COLUMN, Layout, Spot, layout};
use super::notes::Notes;
use crate::tree::{Layer, NodeView, SearchTrace};

const PAPER: &str = "#faf6ec";
const INK: &str = "#26231e";
const QUIET: &str = "#5f584c";
const RULE: &str = "#8a8172";
const CUT: &str = "#b3400a";
const BEST: &str = "#0072b2";

/// The narrowest picture: its notes are to be read too.
const NARROWEST: f32 = 640.0;
/// Notes of more pixels are hard to read.
const WIDEST_NOTES: f32 = 960.0;
/// Windows of more letters are narrowed, so that they do not run into each other.
const WIDE: usize = 13;
/// Pixels from one line of the notes to the next.
const LINE: f32 = 18.0;
/// Pixels that a letter of the notes takes, rather too many than too few.
const LETTER: f32 = 6.6;

/// The first `count` positions of a search, from the root down.
#[must_use]
pub fn svg(trace: &SearchTrace, count: usize, language: Language) -> String {
    let nodes = trace.top(count);
    let notes = Notes::of(trace, &nodes, language);
    picture(&nodes, &notes, true)
}

/// The picture of a tree, with its notes below or without them.
pub(super) fn picture(nodes: &[NodeView], notes: &Notes, with_notes: bool) -> String {
    let layout = layout(nodes);
    let width = layout.width.max(NARROWEST);
    let lines = if with_notes { note_lines(notes, width) } else { Vec::new() };
    let height = layout.height + lines.len() as f32 * LINE;
    let mut out = String::new();
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-size="13" role="img">"#
    );
    let _ = writeln!(out, "<title>{} {}</title>", escaped(&notes.caption), escaped(&notes.conclusion));
    let _ = writeln!(out, r#"<rect width="100%" height="100%" fill="{PAPER}"/>"#);
    draw_branches(&mut out, nodes, &layout, notes);
    for (node, spot) in nodes.iter().zip(&layout.spots) {
        draw_node(&mut out, node, *spot);
    }
    let roots = nodes.iter().zip(&layout.spots).filter(|(node, _)| node.parent.is_none());
    for ((_, spot), title) in roots.zip(&notes.searches) {
        label(&mut out, Spot { y: spot.y - 28.0, ..*spot }, title, QUIET, 500);
    }
    for (number, line) in lines.iter().enumerate() {
        let y = layout.height + number as f32 * LINE;
        let (x, Line { words, colour, weight, .. }) = (BORDER + line.indent, line);
        let _ = writeln!(
            out,
            r#"<text x="{x}" y="{y}" fill="{colour}" font-size="12" font-weight="{weight}">{}</text>"#,
            escaped(words)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A line of the notes.
struct Line {
    words: String,
    colour: &'static str,
    weight: u32,
    indent: f32,
}

fn note_lines(notes: &Notes, width: f32) -> Vec<Line> {
    let letters = ((width.min(WIDEST_NOTES) - 2.0 * BORDER) / LETTER) as usize;
    let mut lines = Vec::new();
    let mut add = |words: &str, colour, weight, hanging: f32| {
        for (number, words) in wrapped(words, letters).into_iter().enumerate() {
            lines.push(Line { words, colour, weight, indent: if number == 0 { 0.0 } else { hanging } });
        }
    };
    add(&notes.conclusion, BEST, 600, 0.0);
    add(&notes.caption, INK, 400, 0.0);
    add(notes.legend, QUIET, 400, 0.0);
    for (number, cut) in notes.cuts.iter().enumerate() {
        add(&format!("✂{} {}: {}", number + 1, cut.line, cut.words), INK, 400, 24.0);
    }
    lines
}

/// Words in lines of at most so many letters, longer words alone.
fn wrapped(words: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= letters {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn draw_branches(out: &mut String, nodes: &[NodeView], layout: &Layout, notes: &Notes) {
    let spot_of = |id: u32| nodes.iter().position(|node| node.id == id).map(|index| layout.spots[index]);
    for (node, spot) in nodes.iter().zip(&layout.spots) {
        if let Some(parent) = node.parent.and_then(spot_of) {
            let (colour, thickness) = if node.best_line { (BEST, 3.5) } else { (RULE, 1.2) };
            let _ = writeln!(
                out,
                r#"<path d="M{} {}L{} {}" stroke="{colour}" stroke-width="{thickness}"/>"#,
                parent.x, parent.y, spot.x, spot.y
            );
            if let Some(mv) = &node.name {
                let (x, y) = (parent.x.midpoint(spot.x), parent.y.midpoint(spot.y));
                let weight = if node.best_line { 700 } else { 500 };
                label(out, Spot { x, y }, mv, if node.best_line { BEST } else { INK }, weight);
            }
        }
        if let (Some((number, cut)), Some(end)) = (notes.cut_at(node.id), layout.skipped.get(&node.id)) {
            draw_cut(out, *spot, *end, number, &cut.words);
        }
    }
}

fn draw_cut(out: &mut String, from: Spot, to: Spot, number: usize, words: &str) {
    let (x, y) = (from.x.midpoint(to.x), from.y.midpoint(to.y));
    let _ = writeln!(
        out,
        r#"<g><title>{}</title><path d="M{} {}L{} {}" stroke="{CUT}" stroke-width="1.5" stroke-dasharray="5 4"/><path d="M{} {}L{} {}" stroke="{CUT}" stroke-width="3"/>"#,
        escaped(words),
        from.x,
        from.y,
        to.x,
        to.y - 12.0,
        x - 9.0,
        y + 3.0,
        x + 9.0,
        y - 3.0
    );
    label(out, to, &format!("✂{number}"), CUT, 600);
    out.push_str("</g>\n");
}

fn draw_node(out: &mut String, node: &NodeView, Spot { x, y }: Spot) {
    let (stroke, thickness) = match node {
        _ if node.best_line => (BEST, 3.0),
        _ if node.leaf.is_some() => (RULE, 1.5),
        _ => (INK, 1.5),
    };
    let window = format!("[{}, {}]", node.entry[0], node.entry[1]);
    let title = format!("{} {window} → [{}, {}]", node.value, node.exit[0], node.exit[1]);
    let _ = write!(out, "<g><title>{} {}</title>", node.layer.name(), escaped(&title));
    let _ = match node.layer {
        Layer::Max => writeln!(
            out,
            r#"<rect x="{}" y="{}" width="62" height="28" fill="{PAPER}" stroke="{stroke}" stroke-width="{thickness}"/>"#,
            x - 31.0,
            y - 14.0
        ),
        Layer::Min => writeln!(
            out,
            r#"<ellipse cx="{x}" cy="{y}" rx="34" ry="15" fill="{PAPER}" stroke="{stroke}" stroke-width="{thickness}"/>"#
        ),
    };
    let _ = writeln!(
        out,
        r#"<text x="{x}" y="{}" text-anchor="middle" fill="{INK}" font-weight="600">{}</text>"#,
        y + 4.5,
        escaped(&node.value)
    );
    let narrowed = if window.chars().count() > WIDE {
        format!(r#" textLength="{}" lengthAdjust="spacingAndGlyphs""#, COLUMN - 4.0)
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        r#"<text x="{x}" y="{}" text-anchor="middle" fill="{QUIET}" font-size="10"{narrowed} stroke="{PAPER}" stroke-width="3" paint-order="stroke">{}</text></g>"#,
        y + 26.0,
        escaped(&window)
    );
}

/// Words with a light plate behind them, so that lines do not cross them.
fn label(out: &mut String, Spot { x, y }: Spot, words: &str, colour: &str, weight: u32) {
    let _ = writeln!(
        out,
        r#"<text x="{x}" y="{}" text-anchor="middle" fill="{colour}" font-size="12" font-weight="{weight}" stroke="{PAPER}" stroke-width="4" paint-order="stroke">{}</text>"#,
        y + 4.0,
        escaped(words)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_none_is_lost() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible a b", 4), ["incomprehensible", "a b"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
