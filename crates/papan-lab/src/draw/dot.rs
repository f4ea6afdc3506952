//! A search tree in the DOT language of Graphviz.

use std::fmt::Write as _;

use papan_core::Language;

use super::svg::caption;
use crate::tree::{Layer, NodeView, SearchTrace};

/// The first `count` positions of a search, from the root down.
#[must_use]
pub fn dot(trace: &SearchTrace, count: usize, language: Language) -> String {
    let nodes = trace.top(count);
    let summary = trace.summary();
    let caption = caption(&summary.bot, nodes.len(), summary.nodes, summary.leaves, summary.cuts, language);
    let mut out = format!("digraph search {{\n  label={};\n  node [fontname=\"sans-serif\"];\n", quoted(&caption));
    for node in &nodes {
        write_node(&mut out, node, language);
    }
    out.push_str("}\n");
    out
}

fn write_node(out: &mut String, node: &NodeView, language: Language) {
    let shape = match node.layer {
        Layer::Max => "box",
        Layer::Min => "ellipse",
    };
    let window = format!("[{}, {}]", node.entry[0], node.entry[1]);
    // DOT breaks lines within a label at "\n", written with a backslash.
    let label = format!("{}\\n{}", quoted_part(&node.value), quoted_part(&window));
    let _ = writeln!(out, "  n{} [shape={shape}, label=\"{label}\"];", node.id);
    if let Some(parent) = node.parent {
        let _ =
            writeln!(out, "  n{parent} -> n{} [label={}];", node.id, quoted(node.mv.as_deref().unwrap_or_default()));
    }
    if let Some(cut) = &node.cut {
        let _ = writeln!(out, "  c{} [shape=plaintext, label={}];", node.id, quoted(&cut.skipped.join(" ")));
        let _ = writeln!(
            out,
            "  n{} -> c{} [style=dashed, color=\"#b3400a\", tooltip={}];",
            node.id,
            node.id,
            quoted(cut.words.get(language))
        );
    }
}

fn quoted_part(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", quoted_part(text))
}
