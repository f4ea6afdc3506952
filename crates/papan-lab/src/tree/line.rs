//! The line of best play through a recorded tree.

use papan_core::observer::Recorder;
use papan_core::table::{Choice, Table};

/// The positions that the chosen move and the expected line lead through, the
/// root first.
pub(super) fn of_best_play(table: &dyn Table, choice: &Choice, record: &Recorder) -> Vec<u32> {
    let is_finished = |id: u32| record.nodes[id as usize].score.is_some();
    // A search that deepens has a root for each depth. Its line is of the last
    // depth at which it finished a move, were it the only one.
    let Some(root) = record.roots().filter(|&root| record.children_of(root).any(is_finished)).last() else {
        return Vec::new();
    };
    let mut line = vec![root];
    for name in &choice.pv {
        let leads_on =
            |&child: &u32| record.nodes[child as usize].mv.is_some_and(|mv| table.move_name(mv.into()) == *name);
        match record.children_of(line[line.len() - 1]).find(leads_on) {
            Some(next) => line.push(next),
            None => break,
        }
    }
    line
}
