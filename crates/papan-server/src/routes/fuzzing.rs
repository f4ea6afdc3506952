//! Bodies of requests, read without HTTP: for fuzzing.

use std::path::Path;

use papan_arena::tournament::TournamentFile;
use papan_lab::exercise::{Answer, Exercise};
use papan_lab::experiment::Experiment;
use serde::de::DeserializeOwned;

use super::{board, games, new_game};
use crate::error::ApiError;

/// See [`crate::fuzzing::body`].
pub(crate) fn body(address: &str, bytes: &[u8]) -> Option<Result<(), ApiError>> {
    Some(match address {
        "/api/board" => read(bytes).and_then(|request| board::line(&request)).map(drop),
        "/api/board/edit" => read(bytes).and_then(|request| board::edited(&request)).map(drop),
        "/api/games" => read(bytes).and_then(new_game::NewGame::row).map(drop),
        "/api/games/{id}/join" => read::<games::JoinRequest>(bytes).map(drop),
        "/api/tournaments" => read(bytes).and_then(tournament),
        "/api/lab/experiments" => read::<Experiment>(bytes).map(drop),
        "/api/lab/exercise" => read::<Answer>(bytes).map(|answer| drop(Exercise::of_the_report().check(&answer))),
        _ => return None,
    })
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes).map_err(|error| ApiError::malformed(&error.to_string()))
}

fn tournament(keys: serde_json::Value) -> Result<(), ApiError> {
    let file = TournamentFile::from_json(Path::new("tournament"), keys);
    let file = file.map_err(|error| ApiError::bad_tournament(&error))?;
    file.format(file.entrants.len()).map(drop).map_err(|error| ApiError::bad_tournament(&error))
}
