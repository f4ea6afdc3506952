//! The local search of the Dots and Boxes report (2022).

use papan_core::observer::{BestSoFar, LocalStep};
use papan_core::{
    Bits, Bot, BotEntry, BotInfo, Budget, Decision, Exactness, MoveSet as _, MoveValue, Observer, Place, Position as _,
    Score, Settings, Text,
};
use papan_games::dots_and_boxes::{DotsAndBoxes, DotsAndBoxesPosition, report_line_value};

use super::{capped, shared_options};

/// The report's hill climbing: the line with the highest value by
/// [`report_line_value`], horizontal lines first, the last of equals. It is
/// played even when its value is negative, for there is no pass.
#[derive(Clone, Debug)]
pub struct ReportHillClimbing {
    settings: Settings,
}

impl ReportHillClimbing {
    /// Its line on the roster.
    #[must_use]
    pub fn entry<B: Bits>() -> BotEntry<DotsAndBoxes<B>> {
        BotEntry {
            info: BotInfo {
                name: "report-hill-climbing",
                title: Text::new("Local search of the report", "Pencarian lokal dari laporan"),
                about: Text::new(
                    "The 2022 report's local search: values each line by the boxes beside it, +1 for completing, -1 for giving away, and draws the last best.",
                    "Pencarian lokal dari laporan 2022: menilai tiap garis menurut kotak di sampingnya, +1 bila melengkapi, -1 bila memberi, lalu menarik yang terbaik terakhir.",
                ),
                options: shared_options(),
                searches_tree: false,
            },
            build: |_, settings| Box::new(Self { settings: settings.clone() }),
        }
    }
}

impl<B: Bits> Bot<DotsAndBoxesPosition<B>> for ReportHillClimbing {
    fn choose_observed<O: Observer<DotsAndBoxesPosition<B>>>(
        &mut self,
        position: &DotsAndBoxesPosition<B>,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<Place> {
        let mut meter = capped(budget, &self.settings).start();
        let moves = position.legal_moves();
        let mut neighbours = Vec::with_capacity(moves.len());
        let mut best = (moves.nth(0), Score::MIN);
        // Lines are numbered with the horizontal ones first.
        for line in moves {
            if meter.visit() {
                break;
            }
            let score = Score(report_line_value(position, line));
            neighbours.push((line, score));
            if score >= best.1 {
                best = (line, score);
            }
        }
        if neighbours.is_empty() {
            return Decision::unsearched(best.0);
        }
        let (mv, score) = best;
        observer.local_step(&LocalStep {
            step: 0,
            restart: 0,
            // The report values lines, not positions: standing still brings nothing.
            before: Score(0),
            neighbours: &neighbours,
            taken: Some(mv),
            score,
            temperature: None,
        });
        observer.best(&BestSoFar { mv, score, depth: 1, nodes: meter.nodes() });
        let exactness = Exactness::Estimate;
        let mut per_move: Vec<_> =
            neighbours.into_iter().map(|(mv, score)| MoveValue { mv, score, exactness }).collect();
        per_move.sort_by_key(|value| (std::cmp::Reverse(value.score), value.mv != mv));
        Decision { mv, score, exactness, depth: 1, nodes: meter.nodes(), pv: vec![mv], per_move }
    }
}
