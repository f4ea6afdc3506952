//! What a search does, in words and in pseudocode.

use papan_core::Text;
use serde::Serialize;

use super::Layer;

/// How many skipped moves are named; the rest are counted.
const NAMED: usize = 6;

/// Why moves are skipped: "b2 skipped: MIN already has +2, alpha is +3".
pub(super) fn cut(layer: Layer, skipped: &[String], has: &str, bound: &str) -> Text {
    let named = skipped.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let (more_en, more_id) = match skipped.len().saturating_sub(NAMED) {
        0 => (String::new(), String::new()),
        more => (format!(" and {more} more"), format!(" dan {more} lagi")),
    };
    let who = layer.name();
    let (other, bound_name) = match layer {
        Layer::Max => ("MIN", "beta"),
        Layer::Min => ("MAX", "alpha"),
    };
    Text::owned(
        format!(
            "{named}{more_en} skipped: {who} already has {has}, {bound_name} is {bound}. {other} has a choice above that is at least as good and will not let the game come here."
        ),
        format!(
            "{named}{more_id} dilewati: {who} sudah punya {has}, {bound_name} adalah {bound}. {other} punya pilihan di atas yang setidaknya sama baik dan tidak akan membiarkan permainan sampai ke sini."
        ),
    )
}

/// A line of the pseudocode that the steps point at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PseudocodeLine {
    /// How far it is indented.
    pub indent: u8,
    /// The line.
    pub text: Text,
    /// Only alpha-beta has it.
    pub pruning: bool,
}

const fn line(indent: u8, pruning: bool, en: &'static str, id: &'static str) -> PseudocodeLine {
    PseudocodeLine { indent, text: Text::new(en, id), pruning }
}

/// The pseudocode of minimax and alpha-beta: without the pruning line it is
/// minimax.
pub const PSEUDOCODE: [PseudocodeLine; 7] = [
    line(0, false, "value(position, α, β):", "nilai(posisi, α, β):"),
    line(
        1,
        false,
        "if over or at the depth limit: return its value",
        "jika selesai atau batas kedalaman: kembalikan nilainya",
    ),
    line(1, false, "for each move:", "untuk setiap langkah:"),
    line(2, false, "v ← value(position after the move, α, β)", "v ← nilai(posisi setelah langkah, α, β)"),
    line(2, false, "MAX: α ← max(α, v)   MIN: β ← min(β, v)", "MAX: α ← maks(α, v)   MIN: β ← min(β, v)"),
    line(2, true, "if α ≥ β: skip the other moves", "jika α ≥ β: lewati langkah lain"),
    line(1, false, "return the best v", "kembalikan v terbaik"),
];
