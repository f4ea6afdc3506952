//! The games as CSV, a line each, and the standings.

use papan_core::error::{one_line, redacted};

use super::Summary;

/// The names of the columns.
const HEADER: &str = "number,round,first,second,first_score,second_score,winner,counts,verdict,opening,moves,\
first_ms,second_ms,faults,limits,fault_policy,sandbox,partial";

impl Summary {
    /// Every game, as RFC 4180 has it.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut names = vec![""; self.standings.len()];
        for row in &self.standings {
            names[row.entrant] = &row.name;
        }
        let partial = if self.partial { format!("{} of {} games", self.played, self.expected) } else { String::new() };
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
                self.rules.limit_words.en.to_string(),
                self.rules.fault_words.en.to_string(),
                self.sandbox.clone().unwrap_or_default(),
                partial.clone(),
            ];
            write_line(&mut out, &fields);
        }
        out
    }

    /// Every entrant, best first, with what decides between those who are level.
    #[must_use]
    pub fn standings_csv(&self) -> String {
        let mut out = "place,name,bot,points,games,won,drawn,lost,byes,score,elo,elo_error,elo_at_least,elo_at_most,\
                       buchholz,sonneborn_berger,margin,moved_first,mean_move_ms,longest_move_ms,thinking_s,faults\r\n"
            .to_owned();
        for row in &self.standings {
            let faults: Vec<_> = row.faults.iter().map(|(verdict, count)| format!("{verdict} {count}")).collect();
            let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
            let strength = row.strength;
            let mut fields = vec![row.place.to_string(), row.name.clone(), row.bot.clone(), row.points.to_string()];
            fields.extend([row.games, row.wins, row.draws, row.losses, row.byes].map(|count| count.to_string()));
            fields.push(row.score.map_or_else(String::new, |score| format!("{score:.4}")));
            fields.extend([strength.elo(), strength.error(), strength.at_least(), strength.at_most()].map(number));
            fields.extend([row.buchholz.to_string(), row.sonneborn_berger.to_string(), row.margin.to_string()]);
            fields.push(row.as_first.to_string());
            let times = [row.mean_move_ms, row.longest_move_ms, row.thinking_s];
            fields.extend(times.map(|time| format!("{time:.3}")));
            fields.push(faults.join(", "));
            write_line(&mut out, &fields);
        }
        out
    }
}

fn write_line(out: &mut String, fields: &[String]) {
    *out += &fields.iter().map(|field| quoted(field)).collect::<Vec<_>>().join(",");
    *out += "\r\n";
}

/// Quotes where they are needed, in any country's spreadsheet. A field that one
/// would run as a formula is made text by an apostrophe: bots and files choose
/// what they are called and what they say. Control characters are made visible,
/// passwords are left out.
fn quoted(field: &str) -> String {
    let field = redacted(&one_line(field));
    let is_number = field.parse::<f64>().is_ok_and(f64::is_finite);
    let guarded = match field.trim_start().chars().next() {
        Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '|' | '%') if !is_number => format!("'{field}"),
        _ => field,
    };
    if guarded.contains([',', ';', '"', '|']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_survive_commas_quotes_and_spreadsheets() {
        assert_eq!(quoted("h0,2"), "\"h0,2\"");
        assert_eq!(quoted("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(quoted("-3"), "-3");
        for formula in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", " =1+1", "＝1+1"] {
            assert_eq!(quoted(formula), format!("'{formula}"));
        }
        assert_eq!(quoted("=a;b"), "\"'=a;b\"");
        assert_eq!(quoted("\t=1\u{1b}[2J"), "\\t=1\\u{1b}[2J");
        assert_eq!(quoted("nats://a:b@c"), "nats://…@c");
    }
}
