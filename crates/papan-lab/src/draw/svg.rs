//! A search tree as an SVG picture: MAX as squares, MIN as circles, cuts as
//! dashed branches with a bar across.

use std::fmt::Write as _;

use papan_core::Language;

use super::escaped;
use super::layout::{BORDER, Layout, Spot, layout};
use crate::tree::{Layer, NodeView, SearchTrace};

const PAPER: &str = "#faf6ec";
const INK: &str = "#26231e";
const RULE: &str = "#8a8172";
const CUT: &str = "#b3400a";
const BEST: &str = "#0072b2";

/// The first `count` positions of a search, from the root down.
#[must_use]
pub fn svg(trace: &SearchTrace, count: usize, language: Language) -> String {
    let nodes = trace.top(count);
    let layout = layout(&nodes);
    let summary = trace.summary();
    let mut out = String::new();
    let (width, height) = (layout.width.max(420.0), layout.height + 32.0);
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-size="13" role="img">"#
    );
    let caption = caption(&summary.bot, nodes.len(), summary.nodes, summary.leaves, summary.cuts, language);
    let _ = writeln!(out, "<title>{}</title>", escaped(&caption));
    let _ = writeln!(out, r#"<rect width="100%" height="100%" fill="{PAPER}"/>"#);
    draw_branches(&mut out, &nodes, &layout, language);
    for (node, spot) in nodes.iter().zip(&layout.spots) {
        draw_node(&mut out, node, *spot);
    }
    let _ = writeln!(out, r#"<text x="{BORDER}" y="{}" fill="{INK}">{}</text>"#, height - 14.0, escaped(&caption));
    out.push_str("</svg>\n");
    out
}

/// "alpha-beta: shown 400 of 18,297 nodes, …".
pub(super) fn caption(bot: &str, shown: usize, nodes: u64, leaves: u64, cuts: u64, language: Language) -> String {
    match language {
        Language::En => format!("{bot}: shown {shown} of {nodes} nodes, {leaves} leaves, {cuts} cuts"),
        Language::Id => format!("{bot}: tampil {shown} dari {nodes} simpul, {leaves} daun, {cuts} pemangkasan"),
    }
}

fn draw_branches(out: &mut String, nodes: &[NodeView], layout: &Layout, language: Language) {
    let spot_of = |id: u32| nodes.iter().position(|node| node.id == id).map(|index| layout.spots[index]);
    for (node, spot) in nodes.iter().zip(&layout.spots) {
        if let Some(parent) = node.parent.and_then(spot_of) {
            let _ = writeln!(
                out,
                r#"<path d="M{} {}L{} {}" stroke="{RULE}" stroke-width="1.2"/>"#,
                parent.x, parent.y, spot.x, spot.y
            );
            if let Some(mv) = &node.mv {
                let (x, y) = (parent.x.midpoint(spot.x), parent.y.midpoint(spot.y));
                label(out, x, y, mv, INK, "500");
            }
        }
        if let (Some(cut), Some(end)) = (&node.cut, layout.skipped.get(&node.id)) {
            draw_cut(out, *spot, *end, cut.words.get(language), cut.skipped.len());
        }
    }
}

fn draw_cut(out: &mut String, from: Spot, to: Spot, words: &str, skipped: usize) {
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
    label(out, to.x, to.y, &format!("✂ {skipped}"), CUT, "600");
    out.push_str("</g>\n");
}

fn draw_node(out: &mut String, node: &NodeView, Spot { x, y }: Spot) {
    let stroke = if node.leaf.is_some() { RULE } else { INK };
    let title = format!("{} [{}, {}] → [{}, {}]", node.value, node.entry[0], node.entry[1], node.exit[0], node.exit[1]);
    let _ = write!(out, "<g><title>{} {}</title>", node.layer.name(), escaped(&title));
    let _ = match node.layer {
        Layer::Max => writeln!(
            out,
            r#"<rect x="{}" y="{}" width="58" height="28" fill="{PAPER}" stroke="{stroke}" stroke-width="1.5"/>"#,
            x - 29.0,
            y - 14.0
        ),
        Layer::Min => writeln!(
            out,
            r#"<ellipse cx="{x}" cy="{y}" rx="31" ry="15" fill="{PAPER}" stroke="{stroke}" stroke-width="1.5"/>"#
        ),
    };
    let colour = if node.parent.is_none() { BEST } else { INK };
    let _ = writeln!(
        out,
        r#"<text x="{x}" y="{}" text-anchor="middle" fill="{colour}" font-weight="600">{}</text></g>"#,
        y + 4.5,
        escaped(&node.value)
    );
}

/// Words with a light plate behind them, so that lines do not cross them.
fn label(out: &mut String, x: f32, y: f32, words: &str, colour: &str, weight: &str) {
    let _ = writeln!(
        out,
        r#"<text x="{x}" y="{}" text-anchor="middle" fill="{colour}" font-size="12" font-weight="{weight}" stroke="{PAPER}" stroke-width="4" paint-order="stroke">{}</text>"#,
        y + 4.0,
        escaped(words)
    );
}
