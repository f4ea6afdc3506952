//! Chains, loops, loony lines and the long-chain rule in words.

use papan_core::{Bits, Game as _, Insight, Place, Player, Position as _, Text};
use papan_games::dots_and_boxes::{Border as GameBorder, DotsAndBoxes, DotsAndBoxesPosition};

use super::board::Border;
use super::bot::{board_of, drawn_lines};
use super::structure::{self, Kind, LONG, LongChainRule, structure};

/// What there is to see in a position: each chain and loop, the loony and the safe lines, and what the
/// long-chain rule says.
#[must_use]
pub fn insights<B: Bits>(game: &DotsAndBoxes<B>, position: &DotsAndBoxesPosition<B>) -> Vec<Insight> {
    if position.is_over() {
        return Vec::new();
    }
    let board = board_of(game);
    let border = match game.border() {
        GameBorder::None => Border::None,
        GameBorder::Icelandic => Border::Icelandic,
        GameBorder::Swedish => Border::Swedish,
    };
    let found = structure(board, drawn_lines(position), border);
    let names = |lines: &[usize]| lines.iter().map(|&line| game.write_move(Place(line as u8))).collect::<Vec<_>>();
    let about = |kind: &'static str, label: Text, lines: &[usize]| {
        let moves = names(lines);
        let shapes = moves.iter().map(|name| format!("line-{name}")).collect();
        Insight { kind, label, player: None, shapes, moves }
    };
    let mut insights = vec![rule(found.rule)];
    insights.extend(found.strings.iter().map(|string| {
        let (kind, label) = describe(string);
        let boxes = string.cells.iter().map(|cell| format!("box-{},{}", cell / game.cols(), cell % game.cols()));
        Insight { shapes: boxes.collect(), ..about(kind, label, &string.lines) }
    }));
    if !found.loony.is_empty() {
        let label = Text::new(
            "Loony lines: after one of these, whoever takes the boxes can choose who must open the next chain",
            "Garis loony: setelah garis ini, yang mengambil kotaknya dapat memilih siapa yang harus membuka rantai berikutnya",
        );
        insights.push(about("loony", label, &found.loony));
    }
    if !found.safe.is_empty() {
        let label = Text::new("Safe lines: they give nothing away", "Garis aman: tidak memberi apa-apa");
        insights.push(about("safe", label, &found.safe));
    }
    insights
}

fn describe(string: &structure::String) -> (&'static str, Text) {
    let count = string.cells.len();
    let boxes = if count == 1 { "box" } else { "boxes" };
    let (kind, en, id) = match string.kind {
        Kind::Loop => ("loop", "Loop", "Lingkaran"),
        Kind::Chain if count >= LONG => ("long-chain", "Long chain", "Rantai panjang"),
        Kind::Chain => ("short-chain", "Short chain", "Rantai pendek"),
    };
    let (open_en, open_id) = if string.open { (", can be taken now", ", bisa diambil sekarang") } else { ("", "") };
    (kind, Text::owned(format!("{en} of {count} {boxes}{open_en}"), format!("{id} {count} kotak{open_id}")))
}

fn rule(rule: LongChainRule) -> Insight {
    let suited = if rule.suits_first { Player::First } else { Player::Second };
    let (en_parity, id_parity) = if rule.first_wants_even { ("even", "genap") } else { ("odd", "ganjil") };
    let (en_suited, id_suited) = if rule.suits_first { ("Player 1", "Pemain 1") } else { ("Player 2", "Pemain 2") };
    let count = rule.long_chains;
    let chains = if count == 1 { "chain" } else { "chains" };
    let label = Text::owned(
        format!(
            "Long-chain rule: {count} long {chains} now; Player 1 wants an {en_parity} number, so this suits {en_suited}"
        ),
        format!(
            "Aturan rantai panjang: kini {count} rantai panjang; Pemain 1 ingin jumlah {id_parity}, jadi ini menguntungkan {id_suited}"
        ),
    );
    Insight { kind: "long-chain-rule", label, player: Some(suited), shapes: Vec::new(), moves: Vec::new() }
}
