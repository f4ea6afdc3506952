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
        let mut out = format!("{}: {}, {}, {} games\n\n", self.name, self.game, self.format, self.games.len());
        self.standings_table(&mut out);
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

    fn standings_table(&self, out: &mut String) {
        let width = self.standings.iter().map(|row| shortened(&row.name).chars().count()).max().unwrap_or(0).max(4);
        let _ = writeln!(
            out,
            "  #  {:<width$} {:>7} {:>6} {:>5} {:>5} {:>5} {:>14} {:>9} {:>9}  faults",
            "name", "points", "games", "won", "drawn", "lost", "Elo ± 95 %", "ms/move", "longest"
        );
        for row in &self.standings {
            let faults: Vec<_> = row.faults.iter().map(|(verdict, count)| format!("{verdict} {count}")).collect();
            let line = format!(
                "{:>3}  {:<width$} {:>7} {:>6} {:>5} {:>5} {:>5} {:>14} {:>9.1} {:>9.1}  {}",
                row.place,
                shortened(&row.name),
                points(row.points),
                row.games,
                row.wins,
                row.draws,
                row.losses,
                format!("{:+.0} ± {:.0}", row.rating, row.rating_error),
                row.mean_move_ms,
                row.longest_move_ms,
                faults.join(", ")
            );
            let _ = writeln!(out, "{}", line.trim_end());
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
