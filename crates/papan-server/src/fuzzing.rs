//! What clients send, read without a socket: for fuzzing.

use papan_core::table::Table;
use serde::Deserialize;
use serde::de::value::StrDeserializer;

use crate::error::ApiError;
use crate::messages::ClientMessage;
use crate::{record, routes};

/// Reads a message of a WebSocket; gives its fields as text.
///
/// # Errors
/// What the client is told.
pub fn message(text: &str) -> Result<String, ApiError> {
    ClientMessage::read(text).map(|message| format!("{message:?}"))
}

/// Reads the JSON body of a request to `address`, and does what can be done
/// with it alone. `None` if nothing takes a body there.
#[must_use]
pub fn body(address: &str, bytes: &[u8]) -> Option<Result<(), ApiError>> {
    routes::fuzzing::body(address, bytes)
}

/// Reads a pasted record.
///
/// # Errors
/// What the client is told.
pub fn read_record(game: &str, text: &str) -> Result<Box<dyn Table>, ApiError> {
    record::read(game, text)
}

/// The record of a table in the format with this name, if it has one.
#[must_use]
pub fn write_record(table: &dyn Table, names: &[String; 2], format: &str) -> Option<String> {
    let format: StrDeserializer<'_, serde::de::value::Error> = StrDeserializer::new(format);
    record::write(table, names, record::Format::deserialize(format).ok()?)
}
