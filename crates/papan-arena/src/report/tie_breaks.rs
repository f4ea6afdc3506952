//! What decides between entrants who are level: the same list orders the
//! standings, makes their columns and explains them.

use papan_core::Text;
use serde::Serialize;

use super::Standing;
use crate::pairing::Format;

/// A finer measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    Buchholz,
    SonnebornBerger,
    Margin,
}

/// A finer measure with its name and its meaning.
#[derive(Clone, Debug, Serialize)]
pub struct TieBreak {
    /// The field of a standing that has its value.
    pub key: &'static str,
    /// Its name over a column.
    pub name: Text,
    /// What it is.
    pub meaning: Text,
    #[serde(skip)]
    pub(super) measure: Measure,
}

/// Those of a format, in the order in which they decide; `None` is a match.
pub(super) fn tie_breaks(format: Option<Format>) -> Vec<TieBreak> {
    let measures: &[Measure] = match format {
        None => &[Measure::Margin],
        Some(Format::Swiss { .. }) => &[Measure::Buchholz, Measure::SonnebornBerger, Measure::Margin],
        Some(_) => &[Measure::SonnebornBerger, Measure::Margin],
    };
    measures.iter().map(|&measure| measure.described()).collect()
}

/// What places go by before that, as the start of a sentence which the list
/// ends.
pub(super) fn ranking(format: Option<Format>) -> Text {
    let (en, id) = match format {
        Some(Format::Gauntlet { .. }) => ("the share of the points", "bagian poin yang diperoleh"),
        Some(Format::Knockout { .. }) => ("how far they came, then points", "seberapa jauh bertahan, lalu poin"),
        _ => ("points", "poin"),
    };
    Text::owned(
        format!("Places go by {en}; where that is level, by the larger of these, in this order:"),
        format!("Peringkat menurut {id}; bila sama, menurut yang lebih besar dari yang berikut, sesuai urutan:"),
    )
}

impl Measure {
    pub(super) fn of(self, row: &Standing) -> f64 {
        match self {
            Self::Buchholz => row.buchholz,
            Self::SonnebornBerger => row.sonneborn_berger,
            Self::Margin => row.margin as f64,
        }
    }

    /// The value in a table.
    pub(super) fn words(self, row: &Standing) -> String {
        match self {
            Self::Margin => format!("{:+}", row.margin),
            _ => ((self.of(row) * 100.0).round() / 100.0).to_string(),
        }
    }

    fn described(self) -> TieBreak {
        let (key, name, meaning) = match self {
            Self::Buchholz => (
                "buchholz",
                Text::new("Buchholz", "Buchholz"),
                Text::new("the sum of the points of everyone met", "jumlah poin semua lawan yang ditemui"),
            ),
            Self::SonnebornBerger => (
                "sonneborn_berger",
                Text::new("S.-B.", "S.-B."),
                Text::new(
                    "Sonneborn–Berger, each opponent's points times the share of the points taken from it",
                    "Sonneborn–Berger, poin tiap lawan dikali bagian poin yang direbut darinya",
                ),
            ),
            Self::Margin => (
                "margin",
                Text::new("Margin", "Selisih"),
                Text::new(
                    "points on the board in all games, own minus the opponents'",
                    "poin di papan dari semua permainan, milik sendiri dikurangi milik lawan",
                ),
            ),
        };
        TieBreak { key, name, meaning, measure: self }
    }
}
