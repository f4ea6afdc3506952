//! The words of options and their choices, for people: `cols=3` is "Columns".
//! One glossary for all games and bots; a word that it lacks is shown as it is.

use std::collections::BTreeMap;

use papan_core::Text;

/// Every word with what people read for it. Words that name the same thing in
/// several games stand here once.
pub fn option_words() -> BTreeMap<&'static str, Text> {
    WORDS.iter().map(|(word, en, id)| (*word, Text::new(en, id))).collect()
}

const WORDS: &[(&str, &str, &str)] = &[
    // Games.
    ("rows", "Rows", "Baris"),
    ("cols", "Columns", "Kolom"),
    ("k", "In a row", "Sebaris"),
    ("misere", "Misère", "Misère"),
    ("rounds", "Rounds", "Ronde"),
    ("neighbours", "Neighbours", "Tetangga"),
    ("border", "Border", "Tepi"),
    ("size", "Size", "Ukuran"),
    ("passing", "Passing", "Lewat"),
    ("none", "none", "tidak ada"),
    ("icelandic", "left and bottom", "kiri dan bawah"),
    ("swedish", "all around", "semua sisi"),
    ("x", "X", "X"),
    ("o", "O", "O"),
    ("black", "Black", "Hitam"),
    ("white", "White", "Putih"),
    // What every bot has.
    ("seed", "Random seed", "Benih acak"),
    ("time", "Time", "Waktu"),
    ("nodes", "Positions", "Posisi"),
    ("level", "Level", "Tingkat"),
    ("eval", "Evaluation", "Penilaian"),
    ("depth", "Depth", "Kedalaman"),
    ("ties", "Equal moves", "Langkah setara"),
    ("random", "random", "acak"),
    ("first", "First", "Pertama"),
    // Searches.
    ("order", "Order of moves", "Urutan langkah"),
    ("natural", "natural", "alami"),
    ("preference", "by place", "menurut tempat"),
    ("evaluation", "by evaluation", "menurut penilaian"),
    ("table", "Table (MB)", "Tabel (MB)"),
    ("values", "Values", "Nilai"),
    ("best", "of the best move", "langkah terbaik"),
    ("all", "of every move", "setiap langkah"),
    ("deepening", "Deepening", "Pendalaman"),
    ("auto", "as needed", "seperlunya"),
    ("on", "on", "ya"),
    ("off", "off", "tidak"),
    ("simulations", "Simulations", "Simulasi"),
    ("exploration", "Exploration", "Eksplorasi"),
    ("reward", "Reward", "Ganjaran"),
    ("win", "winning", "menang"),
    ("margin", "the margin", "selisih"),
    ("memory", "Memory (MB)", "Memori (MB)"),
    // Local and genetic search.
    ("variant", "Variant", "Varian"),
    ("steepest", "steepest ascent", "tanjakan tercuram"),
    ("sideways", "with sideways moves", "dengan langkah mendatar"),
    ("random-restart", "random restart", "mulai ulang acak"),
    ("stochastic", "stochastic", "stokastik"),
    ("restarts", "Restarts", "Mulai ulang"),
    ("steps", "Steps", "Langkah pencarian"),
    ("temperature", "Temperature", "Suhu"),
    ("cold", "Final temperature", "Suhu akhir"),
    ("schedule", "Cooling", "Pendinginan"),
    ("geometric", "geometric", "geometris"),
    ("linear", "linear", "linear"),
    ("length", "Length of a plan", "Panjang rencana"),
    ("replies", "Replies", "Balasan"),
    ("greedy", "greedy", "rakus"),
    ("planned", "planned", "terencana"),
    ("population", "Population", "Populasi"),
    ("generations", "Generations", "Generasi"),
    ("crossover", "Crossover", "Persilangan"),
    ("mutation", "Mutation", "Mutasi"),
    ("elitism", "Elite", "Elite"),
    // Evaluations.
    ("permanence", "permanence", "ketetapan"),
    ("marks", "marks", "marka"),
    ("permanent", "permanent marks", "marka tetap"),
    ("exposed", "exposed marks", "marka yang masih dapat dibalik"),
    ("lines", "open lines", "garis terbuka"),
    ("outcome", "outcome", "hasil akhir"),
    ("mobility", "mobility", "mobilitas"),
    ("weighted-squares", "weighted squares", "petak berbobot"),
    ("discs-most", "most discs", "cakram terbanyak"),
    ("discs-least", "fewest discs", "cakram tersedikit"),
    ("report-table", "table of the report", "tabel dari laporan"),
    ("chains", "chains", "rantai"),
    ("boxes", "boxes", "kotak"),
    ("report-lines", "lines of the report", "garis dari laporan"),
    ("report-chains", "chains of the report", "rantai dari laporan"),
    ("freedom", "freedom", "kebebasan"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use papan_core::{OptionKind, OptionSpec};

    use super::*;
    use crate::{bots, games};

    /// The name of an option and of its choices, numbers aside.
    fn words_of(option: &OptionSpec) -> Vec<&'static str> {
        let mut words = vec![option.name];
        if let OptionKind::Choice { values, .. } = &option.kind {
            words.extend(values.iter().copied());
        }
        words.retain(|word| word.parse::<f64>().is_err());
        words
    }

    #[test]
    fn every_option_and_choice_has_its_words_and_no_word_is_idle() {
        let mut used = BTreeSet::new();
        for game in games() {
            used.extend(game.options.iter().flat_map(words_of));
            let bots = bots(game.name).unwrap();
            used.extend(bots.iter().flat_map(|bot| &bot.options).flat_map(words_of));
        }
        let known: BTreeSet<_> = WORDS.iter().map(|(word, _, _)| *word).collect();
        let fifth = BTreeSet::from(["freedom"]);
        let missing: Vec<_> = used.difference(&known).collect();
        assert!(missing.is_empty(), "words without a meaning: {missing:?}");
        let idle: Vec<_> = known.difference(&used).filter(|word| !fifth.contains(*word)).collect();
        assert!(idle.is_empty(), "meanings of no word: {idle:?}");
        assert_eq!(known.len(), WORDS.len(), "no word stands here twice");
    }
}
