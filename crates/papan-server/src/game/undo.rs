//! Taking moves back and making them again.

use std::time::Instant;

use papan_core::{Player, Text};

use super::{Changes, LiveGame, Played, Role};
use crate::announce;
use crate::error::ApiError;
use crate::store::{Change, Outcome, Reason, SeatKind};

impl LiveGame {
    /// Is this move one that `role` takes back as their own? With two bots,
    /// every move is their owner's.
    fn is_own(&self, role: Role, by: Player) -> bool {
        role.holds(by) || (self.only_bots() && role.owner)
    }

    pub(crate) fn can_undo(&self) -> bool {
        let open = match self.outcome {
            None => true,
            Some(outcome) => outcome.reason == Reason::Finished && !self.between_people(),
        };
        let taken_back = |played: &Played| self.only_bots() || self.kind(played.by) != SeatKind::Bot;
        open && self.played().iter().any(taken_back)
    }

    pub(crate) fn can_redo(&self) -> bool {
        self.outcome.is_none() && !self.between_people() && self.table.ply() < self.history.len()
    }

    /// Takes back the last own move and every reply to it. Between two people
    /// it only asks: nobody's board changes without their consent.
    pub(crate) fn undo(&mut self, role: Role, ply: usize, now: Instant) -> Changes {
        if !role.takes_part() {
            return Err(ApiError::watching_only());
        }
        self.must_be_at(ply)?;
        if self.outcome.is_some() && !self.can_undo() {
            return Err(ApiError::game_over());
        }
        let target = self.undo_target(role).ok_or_else(ApiError::nothing_to_take_back)?;
        if self.between_people() {
            self.undo_offer = Some(self.history[target].by);
            self.announcement = Text::new(
                "A player asks to take back the last move.",
                "Seorang pemain minta langkah terakhirnya dibatalkan.",
            );
            return Ok(Vec::new());
        }
        Ok(self.seek(target, now))
    }

    fn undo_target(&self, role: Role) -> Option<usize> {
        self.played().iter().rposition(|played| self.is_own(role, played.by))
    }

    /// The other person agrees to an offer.
    pub(crate) fn accept_undo(&mut self, role: Role, now: Instant) -> Changes {
        self.must_go_on()?;
        let asked_by = self.undo_offer.ok_or_else(ApiError::no_offer)?;
        if !role.holds(asked_by.other()) {
            return Err(ApiError::watching_only());
        }
        let target = self.played().iter().rposition(|played| played.by == asked_by);
        Ok(self.seek(target.ok_or_else(ApiError::nothing_to_take_back)?, now))
    }

    /// An offer is refused, or withdrawn.
    pub(crate) fn decline_undo(&mut self, role: Role) -> Changes {
        if !role.takes_part() {
            return Err(ApiError::watching_only());
        }
        self.undo_offer.take().ok_or_else(ApiError::no_offer)?;
        self.announcement = Text::new("The move stands.", "Langkah itu tetap.");
        Ok(Vec::new())
    }

    /// Makes the next taken-back move again, and the bot's replies to it.
    pub(crate) fn redo(&mut self, role: Role, ply: usize, now: Instant) -> Changes {
        if !role.takes_part() {
            return Err(ApiError::watching_only());
        }
        self.must_be_at(ply)?;
        self.must_go_on()?;
        if self.between_people() {
            return Err(ApiError::not_between_people());
        }
        if !self.can_redo() {
            return Err(ApiError::nothing_to_redo());
        }
        let replies = self.history[ply + 1..].iter().take_while(|played| !self.is_own(role, played.by)).count();
        Ok(self.seek(ply + 1 + replies, now))
    }

    /// Goes to `ply` of the history, with the clock as it was then.
    fn seek(&mut self, ply: usize, now: Instant) -> Vec<Change> {
        let back = ply < self.table.ply();
        while self.table.ply() > ply && self.table.undo() {}
        while self.table.ply() < ply && self.table.redo() {}
        let clock_ms = match ply {
            0 => self.clock.spec().start_ms(),
            ply => self.history[ply - 1].clock_ms,
        };
        self.clock.set(clock_ms);
        self.undo_offer = None;
        self.outcome =
            self.table.is_over().then(|| Outcome { winner: self.table.margin().leader(), reason: Reason::Finished });
        let (scene, legal) = (self.table.scene(), self.table.legal_moves().len());
        self.announcement = announce::after_seek(back, &scene, legal, self.you());
        let mut changes = vec![Change::Seek { game: self.id.clone(), standing: self.standing(clock_ms) }];
        if self.only_bots() && !self.paused {
            // Else the bots would make the same move again at once.
            self.paused = true;
            changes.push(self.pace_change(now));
        }
        changes
    }
}
