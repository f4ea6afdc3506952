//! The report for the terminal.

use std::fmt::Write as _;

use super::Summary;

/// Entrants for whom the cross table still fits on a terminal.
const CROSS_TABLE: usize = 12;

/// Longest name that is printed whole.
const NAME: usize = 32;

impl Summary {
    /// Standings, cross table and notes as lines of text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}: {}, {}, {}\n", self.name, self.game, self.format, self.games_words());
        let _ = writeln!(out, "limits: {}", self.rules.limit_words.en);
        let _ = writeln!(out, "faults: {}\n", self.rules.fault_words.en);
        self.standings_table(&mut out);
        self.tie_break_lines(&mut out);
        if self.standings.len() <= CROSS_TABLE && self.format != "match" {
            out.push('\n');
            self.cross_text(&mut out);
        }
        out.push('\n');
        let first = self.first_mover;
        let _ = writeln!(
            out,
            "whoever moved first won {}, drew {}, lost {}; {} distinct games",
            first.wins, first.draws, first.losses, self.distinct_games
        );
        let verdicts: Vec<_> = self.verdicts.iter().map(|(verdict, count)| format!("{verdict} {count}")).collect();
        let _ = writeln!(out, "verdicts: {}", verdicts.join(", "));
        if let Some(sandbox) = &self.sandbox {
            let _ = writeln!(out, "sandbox: {sandbox}");
        }
        for warning in &self.warnings {
            let _ = writeln!(out, "note: {}", warning.en);
        }
        out
    }

    /// `24 games`, or how many of how many if some are missing.
    fn games_words(&self) -> String {
        if self.partial {
            return format!("PARTIAL: {} of {} games", self.played, self.expected);
        }
        format!("{} games", self.played)
    }

    fn standings_table(&self, out: &mut String) {
        let mut heads = vec!["#", "name", "points", "games", "won", "drawn", "lost", "Elo ± 95 %"];
        let measures: Vec<String> = self.tie_breaks.iter().map(|tie_break| tie_break.name.en.to_string()).collect();
        heads.extend(measures.iter().map(String::as_str));
        heads.extend(["ms/move", "longest", "faults"]);
        let mut lines = vec![heads.into_iter().map(str::to_owned).collect::<Vec<_>>()];
        for row in &self.standings {
            let faults: Vec<_> = row.faults.iter().map(|(verdict, count)| format!("{verdict} {count}")).collect();
            let mut cells = vec![row.place.to_string(), shortened(&row.name), points(row.points)];
            cells.extend([row.games, row.wins, row.draws, row.losses].map(|count| count.to_string()));
            cells.push(format!("{:.0}", row.strength));
            cells.extend(self.tie_breaks.iter().map(|tie_break| tie_break.measure.words(row)));
            cells.extend([row.mean_move_ms, row.longest_move_ms].map(|millis| format!("{millis:.1}")));
            cells.push(faults.join(", "));
            lines.push(cells);
        }
        write_columns(out, &lines);
    }

    /// What decides between those who are level.
    fn tie_break_lines(&self, out: &mut String) {
        let _ = writeln!(out, "\n{}", self.ranking.en);
        for tie_break in &self.tie_breaks {
            let _ = writeln!(out, "  {}: {}", tie_break.name.en, tie_break.meaning.en);
        }
    }

    fn cross_text(&self, out: &mut String) {
        let _ = write!(out, "     ");
        for row in &self.standings {
            let _ = write!(out, "{:>7}", row.place);
        }
        out.push('\n');
        for row in &self.standings {
            let _ = write!(out, "{:>3}  ", row.place);
            for other in &self.standings {
                let encounter = self.cross[row.entrant][other.entrant];
                let cell = match encounter.games {
                    _ if row.entrant == other.entrant => "·".to_owned(),
                    0 => String::new(),
                    games => format!("{}/{games}", points(f64::from(encounter.half_points) / 2.0)),
                };
                let _ = write!(out, "{cell:>7}");
            }
            let line_end = out.trim_end_matches(' ').len();
            out.truncate(line_end);
            out.push('\n');
        }
    }
}

/// Columns as wide as what is in them: the name and the last one to the left,
/// numbers to the right.
fn write_columns(out: &mut String, lines: &[Vec<String>]) {
    let count = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    for cells in lines {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
            let _ = if column == 1 || column + 1 == count {
                write!(line, "  {cell:<width$}")
            } else {
                write!(line, "  {cell:>width$}")
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// `7½`, `3`, `½`.
fn points(points: f64) -> String {
    let whole = points.floor();
    let half = if points > whole { "½" } else { "" };
    if whole == 0.0 && !half.is_empty() { half.to_owned() } else { format!("{whole}{half}") }
}

/// The end of a long name says more than its start: a path's file.
fn shortened(name: &str) -> String {
    let length = name.chars().count();
    if length <= NAME {
        return name.to_owned();
    }
    format!("…{}", name.chars().skip(length + 1 - NAME).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_written_as_halves() {
        assert_eq!([0.0, 0.5, 1.0, 7.5].map(points), ["0", "½", "1", "7½"]);
    }

    #[test]
    fn long_names_keep_their_end() {
        assert_eq!(shortened("random"), "random");
        let short = shortened("exec:python3 /home/lecturer/class/2026/bots/rina.py");
        assert_eq!(short.chars().count(), NAME);
        assert!(short.ends_with("bots/rina.py"), "{short}");
    }
}
