//! Threats in words.

use papan_core::{Bits, Game as _, Insight, Player, Position as _, Text};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::bot::{board_of, place_of, state_of};
use super::threats::threats;

/// What both sides threaten: cells that complete a row, cells that make two threats at once, and, for the
/// side to move, a win by one threat after the other. In misère only the cells to stay away from.
#[must_use]
pub fn insights<B: Bits>(game: &TicTacToe<B>, position: &TicTacToePosition<B>) -> Vec<Insight> {
    if position.is_over() {
        return Vec::new();
    }
    let board = board_of(game);
    let state = state_of(&board, position);
    let mut insights = Vec::new();
    for player in [Player::First, Player::Second] {
        let look = &game.players()[player.index()].name;
        let mut see = |kind: &'static str, en: &str, id: &str, cells: &[usize]| {
            if cells.is_empty() {
                return;
            }
            let moves: Vec<String> = cells.iter().map(|&cell| game.write_move(place_of(&board, cell))).collect();
            insights.push(Insight {
                kind,
                label: Text::owned(format!("{}: {en}", look.en), format!("{}: {id}", look.id)),
                player: Some(player),
                shapes: moves.iter().map(|name| format!("cell-{name}")).collect(),
                moves,
            });
        };
        let found = threats(&state, player.index());
        if game.is_misere() {
            see("danger", "cells that complete a row and lose", "petak yang melengkapi deret dan kalah", &found.wins);
            continue;
        }
        see("win", "cells that complete a row", "petak yang melengkapi deret", &found.wins);
        see("fork", "cells that make two threats", "petak yang membuat dua ancaman", &found.forks);
        if let Some(line) = &found.forced_win {
            see("forced-win", "a win by force, both sides' moves", "menang paksa, langkah kedua pihak", line);
        }
    }
    insights
}
