//! The report as one page: data, style and program in a single file that asks
//! nobody for anything.

use papan_core::error::{one_line, redacted};
use papan_core::table::Table;

use super::Summary;
use super::replay::replays;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = include_str!("page.js");
const BOARD: &str = include_str!("board.js");
const WORDS: &str = include_str!("words.js");

impl Summary {
    /// The page. `start` is a table at the start of the report's game.
    #[must_use]
    pub fn html(&self, start: &dyn Table) -> String {
        let summary = redacted(&serde_json::to_string(self).expect("a summary is plain data"));
        let replays = serde_json::to_string(&replays(start, &self.games)).expect("replays are plain data");
        let data = format!("{{\"summary\":{},\"replays\":{}}}", in_script(&summary), in_script(&replays));
        // The data comes last: it may hold anything, the other parts' marks too.
        PAGE.replace("{{title}}", &in_text(&redacted(&one_line(&self.name))))
            .replace("{{style}}", STYLE)
            .replace("{{program}}", &[WORDS, BOARD, PROGRAM].concat())
            .replacen("{{data}}", &data, 1)
    }
}

/// JSON that cannot end the script that holds it.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn in_text(text: &str) -> String {
    // Braces could pass for another part's mark.
    text.replace('&', "&amp;").replace('<', "&lt;").replace('{', "&#123;")
}
