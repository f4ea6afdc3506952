//! The tables for people, on a terminal of 80 columns.

use super::{Comparison, Row};

const WIDTH: usize = 80;
/// What stands before a figure says whose it is.
const REPORT: &str = "report";
const PROGRAM: &str = "program";
const PAPAN: &str = "Papan";

/// What the three kinds of figures are.
pub(super) fn legend() -> String {
    let kinds = [
        (REPORT, "stands in the report; the part of it is named in brackets"),
        (PROGRAM, "is not in the report: found by running the report's own program"),
        (PAPAN, "played just now by Papan's bot"),
    ];
    kinds.iter().map(|(kind, what)| entry(0, kind, what)).collect::<String>() + "\n"
}

/// What a table is about.
pub(super) fn heading(name: &str, about: &str, reading: &str) -> String {
    format!("{}  papan reproduce {name}\n{}\n", wrapped(about, 0, 0), wrapped(reading, 2, 2))
}

/// Each figure in a paragraph of its own.
pub(super) fn rows(rows: &[Row]) -> String {
    rows.iter().map(paragraph).collect::<String>() + "\n"
}

fn paragraph(row: &Row) -> String {
    let mut text = wrapped(&row.what, 2, 4);
    if let Some(quoted) = &row.report {
        text += &entry(4, REPORT, &format!("{} ({})", quoted.figure, quoted.place));
    }
    if let Some(measured) = &row.program {
        text += &entry(4, PROGRAM, &format!("{} ({})", measured.figure, measured.reason));
    }
    let comparison = match row.comparison {
        None => "",
        Some(Comparison::Same) => " (= the same)",
        Some(Comparison::Different) => " (≠ not the same)",
        Some(Comparison::Trend) => " (~ only the trend can be compared)",
    };
    let figure = row.papan.as_deref().unwrap_or("cannot be run again");
    text += &entry(4, PAPAN, &format!("{figure}{comparison}"));
    if !row.note.is_empty() {
        text += &wrapped(&row.note, 13, 13);
    }
    text
}

/// A line that begins with whose figure it is.
fn entry(indent: usize, kind: &str, what: &str) -> String {
    let start = format!("{:indent$}{kind:<9}", "");
    let body = wrapped(what, start.len(), start.len());
    format!("{start}{}", body.trim_start())
}

/// `text` in lines of at most [`WIDTH`], broken at spaces: the first begins
/// after `first` columns, the others after `rest`.
fn wrapped(text: &str, first: usize, rest: usize) -> String {
    let mut lines = Vec::new();
    let mut line = " ".repeat(first);
    let mut is_empty = true;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(rest)));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces_and_indented() {
        let text = wrapped(&"word ".repeat(30), 2, 5);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("  word") && lines[1].starts_with("     word"), "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(text.matches("word").count(), 30);
    }

    #[test]
    fn a_figure_says_whose_it_is() {
        assert_eq!(entry(4, REPORT, "33–31 (results)"), "    report   33–31 (results)\n");
        assert_eq!(entry(4, PAPAN, "33–31"), "    Papan    33–31\n");
    }
}
