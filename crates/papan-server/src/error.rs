//! What can go wrong in a request: a stable code for programs, and words in
//! both languages for people.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use papan_core::error::Subject;
use papan_core::{ParseError, Text};
use serde::Serialize;

use crate::indonesian;
use crate::store::StoreError;

/// An answer that says no.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ApiError {
    /// A stable word that programs can rely on.
    pub code: &'static str,
    /// What happened and what to do, for people.
    pub message: Text,
    /// Seconds after which asking again may help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
    #[serde(skip)]
    pub(crate) status: StatusCode,
}

#[derive(Serialize)]
struct Body<'a> {
    error: &'a ApiError,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Body { error: &self })).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl ApiError {
    const fn new(status: StatusCode, code: &'static str, message: Text) -> Self {
        Self { code, message, retry_after: None, status }
    }

    /// The same, with the seconds after which asking again may help.
    const fn in_seconds(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    pub(crate) const fn no_such_game() -> Self {
        let message = Text::new("There is no such game.", "Permainan itu tidak ada.");
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) const fn no_such_tournament() -> Self {
        let message = Text::new("There is no such tournament.", "Turnamen itu tidak ada.");
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// What is wrong with a tournament that was asked for.
    pub(crate) fn bad_tournament(reason: &impl ToString) -> Self {
        let reason = reason.to_string();
        let reason = reason.strip_prefix("tournament: ").unwrap_or(&reason).to_owned();
        let message = Text::owned(format!("Tournament: {reason}."), format!("Turnamen: {reason}."));
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_tournament", message)
    }

    pub(crate) const fn no_such_address() -> Self {
        let message = Text::new("There is nothing at this address.", "Tidak ada apa-apa di alamat ini.");
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) const fn no_such_format() -> Self {
        let message =
            Text::new("This game has no record in that format.", "Permainan ini tidak punya catatan dalam format itu.");
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) const fn wrong_method() -> Self {
        let message =
            Text::new("This address does not take that method.", "Alamat ini tidak menerima metode tersebut.");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
    }

    pub(crate) const fn not_your_turn() -> Self {
        let message = Text::new("It is not your turn.", "Ini bukan giliran Anda.");
        Self::new(StatusCode::CONFLICT, "not_your_turn", message)
    }

    pub(crate) fn stale_ply(sent: usize, now: usize) -> Self {
        let en = format!("The board has changed: you answered ply {sent}, it is at ply {now}.");
        let id = format!("Papan sudah berubah: Anda menjawab langkah {sent}, sekarang langkah {now}.");
        Self::new(StatusCode::CONFLICT, "stale_ply", Text::owned(en, id))
    }

    pub(crate) const fn bad_token() -> Self {
        let message = Text::new(
            "This link does not let you play in this game.",
            "Tautan ini tidak memberi Anda hak bermain dalam permainan ini.",
        );
        Self::new(StatusCode::FORBIDDEN, "bad_token", message)
    }

    pub(crate) const fn watching_only() -> Self {
        let message =
            Text::new("You are watching; only players can do that.", "Anda menonton; hanya pemain yang bisa.");
        Self::new(StatusCode::FORBIDDEN, "bad_token", message)
    }

    pub(crate) const fn game_over() -> Self {
        let message = Text::new("The game is over.", "Permainan sudah selesai.");
        Self::new(StatusCode::CONFLICT, "game_over", message)
    }

    pub(crate) const fn not_over() -> Self {
        let message = Text::new(
            "The game goes on; it is reviewed when it is over.",
            "Permainan masih berlangsung; ulasannya dibuat setelah selesai.",
        );
        Self::new(StatusCode::CONFLICT, "not_over", message)
    }

    pub(crate) const fn seat_taken() -> Self {
        let message = Text::new("Somebody else already plays on that side.", "Sisi itu sudah dimainkan orang lain.");
        Self::new(StatusCode::CONFLICT, "seat_taken", message)
    }

    pub(crate) const fn nothing_to_take_back() -> Self {
        let message = Text::new("There is no move to take back.", "Tidak ada langkah yang bisa dibatalkan.");
        Self::new(StatusCode::CONFLICT, "nothing_to_undo", message)
    }

    pub(crate) const fn nothing_to_redo() -> Self {
        let message = Text::new("There is no move to redo.", "Tidak ada langkah yang bisa diulang.");
        Self::new(StatusCode::CONFLICT, "nothing_to_redo", message)
    }

    pub(crate) const fn not_between_people() -> Self {
        let message = Text::new(
            "That is not possible in a game between two people.",
            "Itu tidak bisa dalam permainan antara dua orang.",
        );
        Self::new(StatusCode::CONFLICT, "not_allowed", message)
    }

    pub(crate) const fn no_offer() -> Self {
        let message = Text::new("Nobody has asked to take a move back.", "Tidak ada yang meminta membatalkan langkah.");
        Self::new(StatusCode::CONFLICT, "not_allowed", message)
    }

    pub(crate) const fn other_site() -> Self {
        let message = Text::new("Requests from other sites are refused.", "Permintaan dari situs lain ditolak.");
        Self::new(StatusCode::FORBIDDEN, "bad_origin", message)
    }

    pub(crate) fn too_large(limit: usize) -> Self {
        let en = format!("That is too large; at most {limit} bytes are read.");
        let id = format!("Itu terlalu besar; paling banyak {limit} bita yang dibaca.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", Text::owned(en, id))
    }

    /// `reason` comes from a reader of ours or of a library, not from the
    /// sender, so it is long enough to be of help; control characters are not.
    pub(crate) fn malformed(reason: &str) -> Self {
        const LONGEST: usize = 200;
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
        let reason = reason.trim_end_matches('.');
        let en = format!("That could not be read: {reason}.");
        let id = format!("Itu tidak bisa dibaca: {reason}.");
        Self::new(StatusCode::BAD_REQUEST, "malformed", Text::owned(en, id))
    }

    pub(crate) fn unknown_type(name: &str) -> Self {
        let name = papan_core::error::quoted(name);
        let en = format!("There is no message of type {name}.");
        let id = format!("Tidak ada pesan bertipe {name}.");
        Self::new(StatusCode::BAD_REQUEST, "unknown_type", Text::owned(en, id))
    }

    pub(crate) const fn rate_limited() -> Self {
        let message = Text::new("Too many requests; wait a moment.", "Terlalu banyak permintaan; tunggu sebentar.");
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message).in_seconds(1)
    }

    pub(crate) const fn busy() -> Self {
        let message = Text::new("The server is busy; try again soon.", "Server sedang sibuk; coba lagi nanti.");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message).in_seconds(2)
    }

    /// A bot's option asks for more than visitors of the page get.
    pub(crate) fn beyond_cap(option: &str, value: i64, cap: i64) -> Self {
        let en = format!("bot: option '{option}' is {value}; on the page it is {cap} at most");
        let id = format!("bot: opsi '{option}' bernilai {value}; di halaman ini paling banyak {cap}");
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_bot", Text::owned(en, id))
    }

    pub(crate) const fn no_tree() -> Self {
        let message = Text::new(
            "This bot searches no tree that can be drawn; minimax, alpha-beta and the reports' tree searches do.",
            "Bot ini tidak menelusuri pohon yang bisa digambar; minimax, alpha-beta, dan penelusuran pohon dari laporan bisa.",
        );
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_bot", message)
    }

    pub(crate) const fn bot_failed() -> Self {
        let message = Text::new(
            "The bot failed and the game is paused. Resume to let it try again, take a move back, or end the game.",
            "Bot gagal dan permainan dijeda. Lanjutkan agar bot mencoba lagi, batalkan langkah, atau akhiri permainan.",
        );
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "bot_failed", message)
    }

    pub(crate) const fn storage() -> Self {
        let message = Text::new("The move could not be stored.", "Langkah itu tidak bisa disimpan.");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "storage", message)
    }

    pub(crate) const fn read_only() -> Self {
        let message = Text::new(
            "The file of games is damaged: games can be looked at, and nothing can be changed.",
            "Berkas permainan rusak: permainan bisa dilihat, tetapi tidak ada yang bisa diubah.",
        );
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "storage", message)
    }

    pub(crate) const fn no_room() -> Self {
        let message = Text::new(
            "There is no room for more games on this server.",
            "Tidak ada tempat lagi untuk permainan di server ini.",
        );
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "storage", message)
    }

    pub(crate) const fn too_slow() -> Self {
        let message = Text::new("The request took too long to arrive.", "Permintaan terlalu lama sampai.");
        Self::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message)
    }

    pub(crate) const fn not_the_owner() -> Self {
        let message = Text::new(
            "Only whoever made this game can delete it.",
            "Hanya pembuat permainan ini yang bisa menghapusnya.",
        );
        Self::new(StatusCode::FORBIDDEN, "bad_token", message)
    }

    pub(crate) const fn outside_bot() -> Self {
        let message = Text::new(
            "Programs of your own play in the arena and the terminal, not on the page.",
            "Program buatan sendiri bermain di arena dan terminal, bukan di halaman ini.",
        );
        Self::new(StatusCode::BAD_REQUEST, "bad_bot", message)
    }

    /// A text that is neither moves nor a position, and why it is not.
    pub(crate) fn bad_record(as_moves: &Self, as_position: &ParseError) -> Self {
        let position = as_position.message();
        let en = format!("As moves: {} As a position: {position}.", as_moves.message.en);
        let id =
            format!("Sebagai langkah: {} Sebagai posisi: {}.", as_moves.message.id, indonesian::translated(position));
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_position", Text::owned(en, id))
    }

    /// Which move of a list could not be made, and why.
    pub(crate) fn bad_move_at(number: usize, error: &ParseError) -> Self {
        let en = format!("Move {number}: {}.", error.message());
        let id = format!("Langkah {number}: {}.", indonesian::translated(error.message()));
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_move", Text::owned(en, id))
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::ReadOnly => Self::read_only(),
            StoreError::Full => Self::no_room(),
            _ => Self::storage(),
        }
    }
}

impl From<ParseError> for ApiError {
    fn from(error: ParseError) -> Self {
        let (code, word) = match error.subject() {
            Subject::Game => ("bad_game", "permainan"),
            Subject::Bot => ("bad_bot", "bot"),
            Subject::Position => ("bad_position", "posisi"),
            Subject::Move => ("bad_move", "langkah"),
        };
        let message = Text::owned(error.to_string(), format!("{word}: {}", indonesian::translated(error.message())));
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }
}
