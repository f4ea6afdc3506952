//! Which games are live. A game is loaded from the store when someone asks
//! for it, and forgotten again when nobody has for a while.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use crate::actor::{self, Services};
use crate::error::ApiError;
use crate::game::LiveGame;
use crate::messages::Command;

/// Where a live game listens.
pub(crate) type Handle = mpsc::Sender<Command>;

/// The live games by id.
#[derive(Clone, Default)]
pub(crate) struct Registry {
    live: Arc<Mutex<HashMap<String, Handle>>>,
}

impl Registry {
    /// How many games are live.
    pub(crate) fn len(&self) -> usize {
        self.live.lock().expect("no holder panics").len()
    }

    /// The games that are live.
    pub(crate) fn ids(&self) -> HashSet<String> {
        self.live.lock().expect("no holder panics").keys().cloned().collect()
    }

    /// Sends a command to a game, loading it first if need be.
    pub(crate) async fn send(&self, services: &Services, id: &str, mut command: Command) -> Result<Handle, ApiError> {
        // A game may go to sleep between being found and being told: then it
        // is loaded again. Twice in a row does not happen in practice.
        for _ in 0..3 {
            let handle = self.open(services, id).await?;
            match handle.send(command).await {
                Ok(()) => return Ok(handle),
                Err(mpsc::error::SendError(returned)) => command = returned,
            }
            self.forget(id, &handle);
        }
        Err(ApiError::busy())
    }

    async fn open(&self, services: &Services, id: &str) -> Result<Handle, ApiError> {
        if let Some(handle) = self.live.lock().expect("no holder panics").get(id) {
            return Ok(handle.clone());
        }
        let row = services.store.game(id.to_owned()).await.map_err(|error| {
            tracing::error!(%error, id, "a game could not be loaded");
            ApiError::from(error)
        })?;
        let row = row.ok_or_else(ApiError::no_such_game)?;
        Ok(self.insert(services, LiveGame::restore(row)?))
    }

    /// Makes a game live unless it is already.
    pub(crate) fn insert(&self, services: &Services, game: LiveGame) -> Handle {
        let mut live = self.live.lock().expect("no holder panics");
        let id = game.id().to_owned();
        let start = || actor::spawn(game, services.clone(), self.clone());
        live.entry(id).or_insert_with(start).clone()
    }

    /// Forgets a game that no longer listens at `handle`.
    pub(crate) fn forget(&self, id: &str, handle: &Handle) {
        let mut live = self.live.lock().expect("no holder panics");
        if live.get(id).is_some_and(|known| known.same_channel(handle)) {
            live.remove(id);
        }
    }
}
