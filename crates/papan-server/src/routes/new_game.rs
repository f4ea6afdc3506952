//! Making games.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use papan_core::Player;
use serde::{Deserialize, Serialize};

use super::{Body, aside, games};
use crate::app::App;
use crate::clock::ClockSpec;
use crate::error::ApiError;
use crate::game::LiveGame;
use crate::messages::Command;
use crate::store::{Change, GameRow, SeatKind, SeatRow, unix_ms};
use crate::view::View;
use crate::{ids, roster};

/// Who shall sit where.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum SeatRequest {
    Person {
        #[serde(default)]
        name: Option<String>,
    },
    Link {
        #[serde(default)]
        name: Option<String>,
    },
    Bot {
        spec: String,
        #[serde(default)]
        name: Option<String>,
    },
}

/// The game that is wanted. With `swap_of`, whatever is left out is as in
/// that game, with sides swapped.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NewGame {
    game: Option<String>,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    seats: Option<[SeatRequest; 2]>,
    #[serde(default)]
    clock: Option<ClockSpec>,
    #[serde(default)]
    speed_ms: Option<u64>,
    #[serde(default)]
    swap_of: Option<String>,
    /// The sender's key to the game in `swap_of`: tells the other player.
    #[serde(default)]
    token: Option<String>,
}

/// The game that was made.
#[derive(Serialize)]
pub(super) struct Created {
    id: String,
    tokens: Tokens,
    join: Links,
    view: View,
}

/// The sender's keys: to each person's seat, or, where no person of theirs
/// plays, to the game as its maker.
#[derive(Serialize)]
struct Tokens {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    watch: Option<String>,
}

/// What to send to friends.
#[derive(Serialize)]
struct Links {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<String>,
}

/// What bots leave between two moves unless told otherwise.
const USUAL_SPEED_MS: u64 = 500;

/// `POST /api/games`
pub(super) async fn create(
    State(app): State<App>,
    Body(mut wanted): Body<NewGame>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    if let Some(id) = wanted.swap_of.clone() {
        let row = app.services().store.game(id).await?;
        wanted.fill_from(&row.ok_or_else(ApiError::no_such_game)?);
    }
    let (swap_of, token) = (wanted.swap_of.take(), wanted.token.take());
    let row = aside(move || wanted.row()).await?;
    let game = LiveGame::restore(row.clone())?;
    let change = Change::Create(Box::new(row.clone()));
    app.services().store.write(change).await?;
    app.registry().insert(app.services(), game);
    app.made_a_game();
    let join = Links { first: link(&row, Player::First), second: link(&row, Player::Second) };
    if let (Some(old), Some(token)) = (swap_of, token) {
        let join = join.first.clone().or_else(|| join.second.clone());
        app.tell(&old, Command::Rematch { token, id: row.id.clone(), join }).await?;
    }
    let view = games::current_view(&app, &row.id).await?;
    let key = |player: Player| (row.seats[player.index()].kind == SeatKind::Person).then(|| row.owner_token.clone());
    let (first, second) = (key(Player::First), key(Player::Second));
    let watch = (first.is_none() && second.is_none()).then(|| row.owner_token.clone());
    let tokens = Tokens { first, second, watch };
    Ok((StatusCode::CREATED, Json(Created { id: row.id, tokens, join, view })))
}

fn link(row: &GameRow, player: Player) -> Option<String> {
    let secret = row.seats[player.index()].secret.as_deref()?;
    Some(format!("/join/{}/{secret}", row.id))
}

impl NewGame {
    /// Takes what was not said from an earlier game, with sides swapped.
    fn fill_from(&mut self, old: &GameRow) {
        let token = self.token.as_deref().unwrap_or_default();
        self.game.get_or_insert_with(|| old.game.clone());
        self.position.get_or_insert_with(|| old.start.clone());
        self.clock.get_or_insert(old.clock);
        self.speed_ms.get_or_insert(old.speed_ms);
        self.seats.get_or_insert_with(|| {
            let [first, second] = old.seats.each_ref().map(|seat| seat_again(seat, token));
            [second, first]
        });
    }

    /// Checks everything and gives the game as it will be stored.
    pub(super) fn row(self) -> Result<GameRow, ApiError> {
        let game = self.game.ok_or_else(|| ApiError::malformed("there is no game"))?;
        let position = self.position.filter(|position| !position.trim().is_empty());
        let table = roster::table(&game, position.as_deref())?;
        let seats = self.seats.ok_or_else(|| ApiError::malformed("there are no seats"))?;
        let clock = self.clock.unwrap_or_default();
        if !clock.is_sensible() {
            return Err(ApiError::malformed("a clock has from 100 ms to one day"));
        }
        let spec = table.spec();
        let [first, second] = seats;
        let outcome = table
            .is_over()
            .then(|| crate::store::Outcome { winner: table.margin().leader(), reason: crate::store::Reason::Finished });
        Ok(GameRow {
            id: ids::game_id(),
            name: table.info().name.to_owned(),
            start: table.position(),
            owner_token: ids::token(),
            clock,
            clock_ms: clock.start_ms(),
            ply: 0,
            points: table.points(),
            to_move: table.to_move(),
            outcome,
            paused: false,
            speed_ms: self.speed_ms.unwrap_or(USUAL_SPEED_MS).min(LiveGame::SLOWEST_MS),
            created_ms: unix_ms(),
            seats: [seat_row(first, &spec)?, seat_row(second, &spec)?],
            moves: Vec::new(),
            game: spec,
        })
    }
}

/// A seat of an earlier game, asked for again. Whoever asks becomes the
/// person; the other person gets a link.
fn seat_again(seat: &SeatRow, token: &str) -> SeatRequest {
    let name = Some(seat.name.clone());
    let joined_by_asker = seat.token.as_deref().is_some_and(|own| ids::same_token(own, token));
    match (seat.kind, &seat.spec) {
        (SeatKind::Bot, Some(spec)) => SeatRequest::Bot { spec: spec.clone(), name },
        (SeatKind::Link, _) if !joined_by_asker => SeatRequest::Link { name },
        _ => SeatRequest::Person { name },
    }
}

fn seat_row(seat: SeatRequest, game: &str) -> Result<SeatRow, ApiError> {
    let row = |kind, name: Option<String>, spec, secret| SeatRow {
        kind,
        name: clean_name(&name.unwrap_or_default()),
        spec,
        secret,
        token: None,
    };
    Ok(match seat {
        SeatRequest::Person { name } => row(SeatKind::Person, name, None, None),
        SeatRequest::Link { name } => row(SeatKind::Link, name, None, Some(ids::token())),
        SeatRequest::Bot { spec, name } => {
            // As it is written shortest: what is stored is read and shown for
            // ever.
            let checked = roster::check(game, &papan_roster::current_spec(spec.trim()))?;
            row(SeatKind::Bot, name, Some(checked.spec), None)
        }
    })
}

/// A name fit to be shown: one line, not too long.
pub(super) fn clean_name(name: &str) -> String {
    const LONGEST: usize = 40;
    let one_line: String = name.chars().filter(|c| !c.is_control()).collect();
    one_line.trim().chars().take(LONGEST).collect()
}
