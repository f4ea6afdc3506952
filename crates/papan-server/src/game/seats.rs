//! Who holds which key, and what it opens.

use papan_core::{Player, Text};

use super::LiveGame;
use crate::error::ApiError;
use crate::ids::{self, same_token};
use crate::store::{Change, SeatKind, SeatRow};

/// What the holder of a key may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Role {
    /// The seats whose moves are theirs.
    pub(super) seats: [bool; 2],
    /// Did they make the game?
    pub(super) owner: bool,
}

impl Role {
    pub(super) fn holds(self, player: Player) -> bool {
        self.seats[player.index()]
    }

    /// Is this a player, or whoever set two bots to play?
    pub(crate) fn takes_part(self) -> bool {
        self.owner || self.seats.contains(&true)
    }
}

impl LiveGame {
    /// What one or more keys (with commas between) open together; no key is a
    /// spectator's.
    pub(crate) fn role(&self, tokens: Option<&str>) -> Result<Role, ApiError> {
        let Some(tokens) = tokens.filter(|tokens| !tokens.is_empty()) else { return Ok(Role::default()) };
        let mut role = Role::default();
        for token in tokens.split(',') {
            let one = self.role_of_one(token);
            role.owner |= one.owner;
            role.seats = [0, 1].map(|seat| role.seats[seat] | one.seats[seat]);
        }
        if role.takes_part() { Ok(role) } else { Err(ApiError::bad_token()) }
    }

    /// Is this the key of whoever made the game?
    pub(crate) fn is_maker(&self, token: &str) -> bool {
        same_token(token, &self.owner_token)
    }

    fn role_of_one(&self, token: &str) -> Role {
        let owner = self.is_maker(token);
        let holds = |seat: &SeatRow| match seat.kind {
            SeatKind::Person => owner,
            SeatKind::Link => seat.token.as_deref().is_some_and(|own| same_token(token, own)),
            SeatKind::Bot => false,
        };
        Role { seats: self.seats.each_ref().map(holds), owner }
    }

    /// Seats whoever knows the secret of an open link.
    pub(crate) fn join(&mut self, secret: &str, name: &str) -> Result<(Player, String, Change), ApiError> {
        let fits =
            |player: &Player| self.seats[player.index()].secret.as_deref().is_some_and(|own| same_token(own, secret));
        let player = Player::BOTH.into_iter().find(fits).ok_or_else(ApiError::bad_token)?;
        let seat = &mut self.seats[player.index()];
        if seat.token.is_some() {
            return Err(ApiError::seat_taken());
        }
        let token = ids::token();
        seat.token = Some(token.clone());
        seat.name = name.to_owned();
        self.announcement = Text::new("The second player is here.", "Pemain kedua sudah datang.");
        let change =
            Change::Join { game: self.id.clone(), seat: player.index(), name: name.to_owned(), token: token.clone() };
        Ok((player, token, change))
    }
}
