//! The games as CSV, a line each.

use super::Summary;

/// The names of the columns.
const HEADER: &str = "number,round,first,second,first_score,second_score,winner,counts,verdict,opening,moves,\
first_ms,second_ms,faults";

impl Summary {
    /// Every game, as RFC 4180 has it.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut names = vec![""; self.standings.len()];
        for row in &self.standings {
            names[row.entrant] = &row.name;
        }
        let mut out = format!("{HEADER}\r\n");
        for (index, game) in self.games.iter().enumerate() {
            let winner = game.winner.map_or("", |side| names[game.entrant(side)]);
            let faults: Vec<_> = game
                .faults
                .iter()
                .map(|fault| format!("{}: {}: {}", names[game.entrant(fault.side)], fault.verdict, fault.detail))
                .collect();
            let spent = |side: usize| {
                let own = game.times_us.iter().zip(&game.movers).filter(|(_, mover)| mover.index() == side);
                format!("{:.3}", own.map(|(&micros, _)| u64::from(micros)).sum::<u64>() as f64 / 1e3)
            };
            let fields = [
                (index + 1).to_string(),
                game.round.to_string(),
                names[game.first].to_owned(),
                names[game.second].to_owned(),
                game.score[0].to_string(),
                game.score[1].to_string(),
                winner.to_owned(),
                game.counts.to_string(),
                game.verdict.to_string(),
                game.opening.join(" "),
                game.moves.join(" "),
                spent(0),
                spent(1),
                faults.join("; "),
            ];
            out += &fields.map(|field| quoted(&field)).join(",");
            out += "\r\n";
        }
        out
    }
}

/// Quotes where they are needed. A field that a spreadsheet would run as a
/// formula is made text by an apostrophe: bots choose what they say.
fn quoted(field: &str) -> String {
    let is_number = field.parse::<f64>().is_ok();
    let guarded = match field.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r') if !is_number => format!("'{field}"),
        _ => field.to_owned(),
    };
    if guarded.contains([',', '"', '\n', '\r']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_survive_commas_quotes_and_spreadsheets() {
        assert_eq!(quoted("h0,2"), "\"h0,2\"");
        assert_eq!(quoted("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(quoted("-3"), "-3");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }
}
