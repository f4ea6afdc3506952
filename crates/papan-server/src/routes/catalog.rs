//! What there is to play, and with whom.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use papan_core::Text;
use serde::Serialize;

use crate::app::App;
use crate::roster;

#[derive(Serialize)]
struct Catalog {
    version: &'static str,
    games: Vec<roster::CatalogGame>,
    /// The words of options and their choices, for people.
    words: BTreeMap<&'static str, Text>,
    /// Names that were given up, with those of today.
    renamed: BTreeMap<&'static str, &'static str>,
}

/// The catalog as JSON; it never changes while the server runs.
pub(crate) fn document() -> String {
    let catalog = Catalog {
        version: env!("CARGO_PKG_VERSION"),
        games: roster::catalog(),
        words: papan_roster::option_words(),
        renamed: papan_roster::renamed(),
    };
    serde_json::to_string(&catalog).expect("the catalog is JSON")
}

/// `GET /api/catalog`
pub(super) async fn catalog(State(app): State<App>, headers: HeaderMap) -> Response {
    app.catalog().answer(&headers)
}
