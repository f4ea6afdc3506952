//! What everyone at a game sees.

use std::time::Instant;

use papan_core::scene::{PlayerLook, Scene};
use papan_core::{Margin, Player, Text};
use serde::Serialize;

use crate::clock::ClockView;
use crate::game::LiveGame;
use crate::store::{Outcome, Reason, SeatKind, SeatRow};

/// A game at one moment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct View {
    id: String,
    game: String,
    title: Text,
    start: String,
    position: String,
    ply: usize,
    to_move: Player,
    over: bool,
    result: Option<ResultView>,
    points: [i32; 2],
    margin: Margin,
    /// No margin of this game is beyond plus or minus this.
    bound: i32,
    status: Vec<(Text, String)>,
    scene: Scene,
    legal: Vec<String>,
    moves: Vec<MoveView>,
    last_move: Option<String>,
    can_undo: bool,
    can_redo: bool,
    can_hint: bool,
    undo_offer: Option<Player>,
    seats: [SeatView; 2],
    clock: ClockView,
    announcement: Text,
    paused: bool,
    speed_ms: u64,
}

/// How a game ended, in words too.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ResultView {
    winner: Option<Player>,
    reason: Reason,
    text: Text,
}

/// A move that was made.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct MoveView {
    ply: usize,
    by: Player,
    #[serde(rename = "move")]
    mv: String,
    note: Option<Text>,
}

/// Who sits where.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct SeatView {
    kind: SeatKind,
    name: String,
    spec: Option<String>,
    thinking: bool,
    joined: bool,
}

impl View {
    /// What is seen of `game` while `thinking` says whose bot is at work.
    pub(crate) fn of(game: &LiveGame, thinking: Option<Player>, now: Instant) -> Self {
        let table = game.table();
        let over = game.outcome().is_some();
        let seat = |player: Player| SeatView::of(&game.seats()[player.index()], thinking == Some(player));
        let mut scene = table.scene();
        if over {
            // Nothing can be played in a game that was resigned or timed out.
            scene.to_move = None;
            scene.other_moves.clear();
            for shape in &mut scene.shapes {
                shape.playable = false;
            }
        }
        Self {
            id: game.id().to_owned(),
            game: table.spec(),
            title: table.info().title,
            start: table.start_position(),
            position: table.position(),
            ply: table.ply(),
            to_move: table.to_move(),
            over,
            result: game.outcome().map(|outcome| ResultView::of(&scene.players, table.points(), outcome)),
            points: table.points(),
            margin: table.margin(),
            bound: table.margin_bound(),
            status: table.status(),
            scene,
            legal: if over { Vec::new() } else { table.legal_moves() },
            moves: moves(game),
            last_move: table.last_move(),
            can_undo: game.can_undo(),
            can_redo: game.can_redo(),
            can_hint: game.can_hint(),
            undo_offer: game.undo_offer(),
            seats: Player::BOTH.map(seat),
            clock: game.clock().view(now),
            announcement: game.announcement().clone(),
            paused: game.is_paused(),
            speed_ms: game.speed_ms(),
        }
    }
}

impl ResultView {
    pub(crate) fn of(players: &[PlayerLook; 2], points: [i32; 2], outcome: Outcome) -> Self {
        let Outcome { winner, reason } = outcome;
        Self { winner, reason, text: result_text(players, points, outcome) }
    }
}

impl SeatView {
    pub(crate) fn of(row: &SeatRow, thinking: bool) -> Self {
        Self {
            kind: row.kind,
            name: row.name.clone(),
            spec: row.spec.clone(),
            thinking,
            joined: row.kind != SeatKind::Link || row.token.is_some(),
        }
    }
}

fn moves(game: &LiveGame) -> Vec<MoveView> {
    game.played()
        .iter()
        .enumerate()
        .map(|(index, played)| MoveView {
            ply: index + 1,
            by: played.by,
            mv: played.mv.clone(),
            note: played.note.clone(),
        })
        .collect()
}

/// "Black wins 33–31.", "White resigned; Black wins."
pub(crate) fn result_text(players: &[PlayerLook; 2], points: [i32; 2], outcome: Outcome) -> Text {
    let name = |player: Player| &players[player.index()].name;
    // A single point is a won game, not a count worth reading out.
    let score = match points {
        [a, b] if a + b > 1 => format!(" {}–{}", a.max(b), a.min(b)),
        _ => String::new(),
    };
    let Outcome { winner, reason } = outcome;
    match (reason, winner) {
        (Reason::Finished, Some(winner)) => {
            let Text { en, id } = name(winner);
            Text::owned(format!("{en} wins{score}."), format!("{id} menang{score}."))
        }
        (Reason::Finished, None) => Text::owned(format!("A draw{score}."), format!("Seri{score}.")),
        (Reason::Resigned, Some(winner)) => {
            let (won, lost) = (name(winner), name(winner.other()));
            Text::owned(
                format!("{} resigned; {} wins.", lost.en, won.en),
                format!("{} menyerah; {} menang.", lost.id, won.id),
            )
        }
        (Reason::Time, Some(winner)) => {
            let (won, lost) = (name(winner), name(winner.other()));
            Text::owned(
                format!("{} ran out of time; {} wins.", lost.en, won.en),
                format!("Waktu {} habis; {} menang.", lost.id, won.id),
            )
        }
        (Reason::Abandoned, Some(winner)) => {
            let (won, lost) = (name(winner), name(winner.other()));
            Text::owned(
                format!("{} left the game; {} wins.", lost.en, won.en),
                format!("{} meninggalkan permainan; {} menang.", lost.id, won.id),
            )
        }
        (_, None) => Text::new("The game was ended.", "Permainan dihentikan."),
    }
}
