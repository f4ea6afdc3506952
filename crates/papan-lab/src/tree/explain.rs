//! What a search does, in words and in pseudocode.

use papan_core::observer::LeafReason;
use papan_core::{Bound, Text};
use serde::Serialize;

use super::{Layer, NodeView, SearchTrace, StepKind};

/// How many skipped moves are named; the rest are counted.
const NAMED: usize = 6;

/// Why moves are skipped: "b2 skipped: MIN already has +2, alpha is +3". A
/// bound `from_start` is where the whole search began, no other choice.
pub(super) fn cut(layer: Layer, skipped: &[String], has: &str, bound: &str, from_start: bool) -> Text {
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
    let (why_en, why_id) = if from_start {
        (
            format!("The search began with this {bound_name}: for it, nothing can be better for {who}."),
            format!("Pencarian dimulai dengan {bound_name} ini: baginya tidak ada yang lebih baik untuk {who}."),
        )
    } else {
        (
            format!("{other} has a choice above that is at least as good and will not let the game come here."),
            format!(
                "{other} punya pilihan di atas yang setidaknya sama baik dan tidak akan membiarkan permainan sampai ke sini."
            ),
        )
    };
    Text::owned(
        format!("{named}{more_en} skipped: {who} already has {has}, {bound_name} is {bound}. {why_en}"),
        format!("{named}{more_id} dilewati: {who} sudah punya {has}, {bound_name} adalah {bound}. {why_id}"),
    )
}

impl SearchTrace {
    /// What was chosen, what it is worth and how play goes on from there.
    #[must_use]
    pub fn conclusion(&self) -> Text {
        let choice = self.choice();
        let worth = self.best_line().get(1).map(|&id| self.view(id).value);
        let (worth_en, worth_id) = match worth {
            Some(value) => (format!(", worth {value}"), format!(", bernilai {value}")),
            None => (String::new(), String::new()),
        };
        let (mv, line) = (self.called([&choice.mv]).concat(), self.called(&choice.pv).join(", "));
        if !choice.is_valued() {
            return Text::owned(
                format!("The search was stopped before it had valued a move; {mv} is only the first that it came to."),
                format!(
                    "Pencarian dihentikan sebelum menilai satu langkah pun; {mv} hanyalah langkah pertama yang ditemui."
                ),
            );
        }
        let (trust_en, trust_id) = if self.record.tally.horizon > 0 {
            let depth = choice.depth;
            let plies = if depth == 1 { "ply" } else { "plies" };
            (
                format!(" Values are estimates, {depth} {plies} ahead."),
                format!(" Nilainya perkiraan, {depth} ply ke depan."),
            )
        } else {
            (String::new(), String::new())
        };
        Text::owned(
            format!("Chosen: {mv}{worth_en}. Best play: {line}.{trust_en}"),
            format!("Dipilih: {mv}{worth_id}. Permainan terbaik: {line}.{trust_id}"),
        )
    }

    /// What happens in a step; the last one says what came of it all.
    pub(super) fn step_words(&self, number: u64, kind: StepKind, node: &NodeView) -> Text {
        let words = step(kind, node);
        if number + 1 < self.steps() {
            return words;
        }
        let end = self.conclusion();
        Text::owned(format!("{} {}", words.en, end.en), format!("{} {}", words.id, end.id))
    }
}

fn step(kind: StepKind, node: &NodeView) -> Text {
    let who = node.layer.name();
    let NodeView { value, entry: [alpha, beta], .. } = node;
    let (name_en, name_id) = match &node.name {
        Some(mv) => (mv.as_str(), mv.as_str()),
        None => ("the root", "akar"),
    };
    match kind {
        StepKind::Enter => Text::owned(
            format!("Into {name_en}: {who} to choose, α = {alpha}, β = {beta}."),
            format!("Masuk ke {name_id}: giliran {who}, α = {alpha}, β = {beta}."),
        ),
        StepKind::Leaf => {
            let (why_en, why_id) = match node.leaf {
                Some(LeafReason::Over) => ("the game is over", "permainan selesai"),
                Some(LeafReason::Table) => ("it is known from the table", "sudah diketahui dari tabel"),
                Some(LeafReason::Horizon) | None => ("the depth limit is reached", "batas kedalaman tercapai"),
            };
            Text::owned(
                format!("{name_en} is worth {value}: {why_en}."),
                format!("{name_id} bernilai {value}: {why_id}."),
            )
        }
        StepKind::Cut => node.cut.as_ref().map_or_else(|| Text::new("", ""), |cut| cut.words.clone()),
        StepKind::Return => {
            let (why_en, why_id) = why_returned(node);
            Text::owned(
                format!("Back from {name_en} with {value}{why_en}."),
                format!("Kembali dari {name_id} dengan {value}{why_id}."),
            )
        }
        StepKind::Stopped => Text::new("The search was stopped here.", "Pencarian dihentikan di sini."),
    }
}

/// Why a position without a cut has what it has.
fn why_returned(node: &NodeView) -> (String, String) {
    let who = node.layer.name();
    let [alpha, beta] = &node.entry;
    match (node.bound, node.layer) {
        (Some(Bound::AtMost), _) => (
            format!(": that is no more than α = {alpha}, so only an upper bound is known"),
            format!(": tidak lebih dari α = {alpha}, jadi yang diketahui hanya batas atasnya"),
        ),
        (Some(Bound::AtLeast), _) => (
            format!(": that is no less than β = {beta}, so only a lower bound is known"),
            format!(": tidak kurang dari β = {beta}, jadi yang diketahui hanya batas bawahnya"),
        ),
        (_, Layer::Max) => {
            (format!(", the greatest value that {who} found"), format!(", nilai terbesar yang ditemukan {who}"))
        }
        (_, Layer::Min) => {
            (format!(", the least value that {who} found"), format!(", nilai terkecil yang ditemukan {who}"))
        }
    }
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
