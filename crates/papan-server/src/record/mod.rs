//! Records of games as text: written in several formats, and read from
//! whatever people paste.

mod ggf;
mod read;

use std::fmt::Write as _;

use papan_core::render::svg;
use papan_core::table::Table;
use serde::Deserialize;

pub(crate) use read::read;

/// The only game that the formats of the Othello world apply to.
const OTHELLO: &str = "othello";

/// How a record is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
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

impl Format {
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// The record of a table, `None` if the format is not for its game.
pub(crate) fn write(table: &dyn Table, names: &[String; 2], format: Format) -> Option<String> {
    let othello = table.info().name == OTHELLO;
    Some(match format {
        Format::Papan => papan(table, names),
        Format::Text => numbered(table),
        Format::Transcript if othello => transcript(table),
        Format::Obf if othello => format!("{};\n", table.position()),
        Format::Ggf if othello => ggf::write(table, names)?,
        Format::Svg => svg::render(&table.scene(), svg::Marks { last: table.last_move().as_deref(), legal: false }),
        Format::Transcript | Format::Obf | Format::Ggf => return None,
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
