//! Records of games as text: written in several formats, and read from
//! whatever people paste.

mod ggf;
mod read;

use std::fmt::Write as _;

use papan_core::Text;
use papan_core::render::svg;
use papan_core::table::Table;
use serde::{Deserialize, Serialize};

pub(crate) use read::read;

/// The only game that the formats of the Othello world apply to.
const OTHELLO: &str = "othello";

/// How a record is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// Headers and moves; reads back as the same game.
    #[default]
    Papan,
    /// Numbered moves.
    Text,
    /// Othello: `f5d6c3…`.
    Transcript,
    /// Othello: the position on one line.
    Obf,
    /// Othello: the Generic Game Format.
    Ggf,
    /// A picture of the position.
    Svg,
}

/// A format as an export menu shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FormatInfo {
    name: Format,
    title: Text,
    /// What a file's name ends with.
    extension: &'static str,
}

/// The formats that games of this name can be saved in.
pub(crate) fn formats(game: &str) -> Vec<FormatInfo> {
    Format::ALL.into_iter().filter(|format| format.suits(game)).map(Format::info).collect()
}

impl Format {
    const ALL: [Self; 6] = [Self::Papan, Self::Text, Self::Transcript, Self::Ggf, Self::Obf, Self::Svg];

    fn suits(self, game: &str) -> bool {
        match self {
            Self::Papan | Self::Text | Self::Svg => true,
            Self::Transcript | Self::Obf | Self::Ggf => game == OTHELLO,
        }
    }

    fn info(self) -> FormatInfo {
        let (title, extension) = match self {
            Self::Papan => (Text::new("Papan record", "Catatan Papan"), "papan.txt"),
            Self::Text => (Text::new("Numbered moves", "Langkah bernomor"), "txt"),
            Self::Transcript => (Text::new("Transcript", "Transkrip"), "txt"),
            Self::Ggf => (Text::new("GGF (game)", "GGF (permainan)"), "ggf"),
            Self::Obf => (Text::new("OBF (position)", "OBF (posisi)"), "obf"),
            Self::Svg => (Text::new("Picture (SVG)", "Gambar (SVG)"), "svg"),
        };
        FormatInfo { name: self, title, extension }
    }

    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// The record of a table, `None` if the format is not for its game.
pub(crate) fn write(table: &dyn Table, names: &[String; 2], format: Format) -> Option<String> {
    if !format.suits(table.info().name) {
        return None;
    }
    Some(match format {
        Format::Papan => papan(table, names),
        Format::Text => numbered(table),
        Format::Transcript => transcript(table),
        Format::Obf => format!("{};\n", table.position()),
        Format::Ggf => ggf::write(table, names)?,
        Format::Svg => svg::render(&table.scene(), svg::Marks { last: table.last_move().as_deref(), legal: false }),
    })
}

fn papan(table: &dyn Table, names: &[String; 2]) -> String {
    let mut text = String::new();
    let [first, second] = names;
    let headers = [
        ("game", table.spec()),
        ("start", table.start_position()),
        ("first", first.clone()),
        ("second", second.clone()),
        ("moves", table.moves().join(" ")),
        ("position", table.position()),
        ("margin", table.margin().to_string()),
    ];
    for (name, value) in headers {
        writeln!(text, "{name}: {value}").expect("writing to a string");
    }
    text
}

fn numbered(table: &dyn Table) -> String {
    let mut text = String::new();
    for (index, mv) in table.moves().iter().enumerate() {
        writeln!(text, "{}. {mv}", index + 1).expect("writing to a string");
    }
    text
}

/// Transcripts leave passes out: they follow from the rules.
fn transcript(table: &dyn Table) -> String {
    let mut text: String = table.moves().into_iter().filter(|mv| mv != "pass").collect();
    text.push('\n');
    text
}
