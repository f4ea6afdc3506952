//! Ending a game before its last move, and pausing it.

use std::time::Instant;

use papan_core::Player;

use super::{Changes, LiveGame, Role};
use crate::error::ApiError;
use crate::store::{Change, Outcome, Reason};
use crate::view;

impl LiveGame {
    /// Gives the game up.
    pub(crate) fn resign(&mut self, role: Role, ply: usize, now: Instant) -> Changes {
        self.must_go_on()?;
        self.must_be_at(ply)?;
        let mover = self.table.to_move();
        let resigning = if role.holds(mover) { mover } else { mover.other() };
        if !role.holds(resigning) {
            return Err(ApiError::watching_only());
        }
        Ok(self.end(Some(resigning.other()), Reason::Resigned, now))
    }

    /// Leaves the game unfinished; between two people that loses it.
    pub(crate) fn abandon(&mut self, role: Role, now: Instant) -> Changes {
        self.must_go_on()?;
        if !role.takes_part() {
            return Err(ApiError::watching_only());
        }
        let leaver = Player::BOTH.into_iter().find(|&player| role.holds(player));
        let winner = leaver.map(Player::other).filter(|_| self.between_people() && self.table.ply() > 0);
        Ok(self.end(winner, Reason::Abandoned, now))
    }

    /// Ends the game if the running time is used up.
    pub(crate) fn fall_flag(&mut self, now: Instant) -> Vec<Change> {
        match self.clock.fallen(now) {
            Some(loser) if self.outcome.is_none() => self.end(Some(loser.other()), Reason::Time, now),
            _ => Vec::new(),
        }
    }

    fn end(&mut self, winner: Option<Player>, reason: Reason, now: Instant) -> Vec<Change> {
        let outcome = Outcome { winner, reason };
        self.clock.stop(now);
        self.outcome = Some(outcome);
        self.undo_offer = None;
        self.announcement = view::result_text(&self.table.players(), self.table.points(), outcome);
        vec![Change::End { game: self.id.clone(), clock_ms: self.clock.left_ms(now), outcome }]
    }

    /// Stops or resumes clocks and bots.
    pub(crate) fn pause(&mut self, role: Role, on: bool, now: Instant) -> Changes {
        self.must_go_on()?;
        if !role.takes_part() {
            return Err(ApiError::watching_only());
        }
        if self.between_people() {
            return Err(ApiError::not_between_people());
        }
        Ok(self.set_paused(on, now))
    }

    /// As [`LiveGame::pause`], by the server itself.
    pub(crate) fn set_paused(&mut self, on: bool, now: Instant) -> Vec<Change> {
        self.paused = on;
        if on {
            self.clock.stop(now);
        }
        vec![self.pace_change(now)]
    }

    /// Sets the time between moves of two bots.
    pub(crate) fn set_speed(&mut self, role: Role, ms: u64, now: Instant) -> Changes {
        if !role.takes_part() {
            return Err(ApiError::watching_only());
        }
        self.speed_ms = ms.min(Self::SLOWEST_MS);
        Ok(vec![self.pace_change(now)])
    }

    pub(super) fn pace_change(&self, now: Instant) -> Change {
        Change::Pace {
            game: self.id.clone(),
            clock_ms: self.clock.left_ms(now),
            paused: self.paused,
            speed_ms: self.speed_ms,
        }
    }
}
