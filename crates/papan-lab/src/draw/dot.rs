//! A search tree in the DOT language of Graphviz.

use std::fmt::Write as _;

use papan_core::Language;

use super::notes::Notes;
use crate::tree::{Layer, NodeView, SearchTrace};

/// The first `count` positions of a search, from the root down.
#[must_use]
pub fn dot(trace: &SearchTrace, count: usize, language: Language) -> String {
    let nodes = trace.top(count);
    let Notes { caption, conclusion, legend, .. } = Notes::of(trace, &nodes, language);
    let label = [caption, conclusion, legend.to_owned()].map(|part| quoted_part(&part)).join("\\n");
    let mut out = format!("digraph search {{\n  label=\"{label}\";\n  node [fontname=\"sans-serif\"];\n");
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
    let best = if node.best_line { ", color=\"#0072b2\", penwidth=3" } else { "" };
    let _ = writeln!(out, "  n{} [shape={shape}, label=\"{label}\"{best}];", node.id);
    if let Some(parent) = node.parent {
        let mv = quoted(node.name.as_deref().unwrap_or_default());
        let _ = writeln!(out, "  n{parent} -> n{} [label={mv}{best}];", node.id);
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
