//! Large JSON answers go out compressed to whoever can read that. The page's
//! files were compressed when the server was built.

use std::io::Write as _;
use std::ops::RangeInclusive;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::ApiError;

/// Smaller answers gain nothing: they fit one packet as they are. Larger ones
/// would keep a core busy for longer than they are on their way.
const WORTH_COMPRESSING: RangeInclusive<u64> = 1024..=1024 * 1024;
/// More than this is compressed away from the sockets.
const QUICK: usize = 8 * 1024;

/// Does the sender of these headers read `encoding`?
pub(crate) fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|one| {
        let (name, quality) = one.split_once(';').unwrap_or((one, ""));
        name.trim().eq_ignore_ascii_case(encoding) && quality.trim() != "q=0"
    })
}

/// JSON that is the same for everyone, compressed once.
pub(crate) struct Ready {
    plain: Bytes,
    small: Option<Bytes>,
}

impl Ready {
    pub(crate) fn new(text: impl Into<Bytes>) -> Self {
        let plain = text.into();
        Self { small: gzip(&plain, Compression::best()).map(Bytes::from), plain }
    }

    /// As the sender of these headers reads it.
    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let kind = [(header::CONTENT_TYPE, "application/json"), (header::VARY, "accept-encoding")];
        match self.small.clone().filter(|_| accepts(headers, "gzip")) {
            Some(small) => (kind, [(header::CONTENT_ENCODING, "gzip")], small).into_response(),
            None => (kind, self.plain.clone()).into_response(),
        }
    }
}

/// Answers, and compresses the answer if it is JSON. Streams of events pass as
/// they are.
pub(crate) async fn compress(request: Request, next: Next) -> Response {
    let wanted = accepts(request.headers(), "gzip");
    let response = next.run(request).await;
    let json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    let worth = response.body().size_hint().exact().is_some_and(|size| WORTH_COMPRESSING.contains(&size));
    let done = response.headers().contains_key(header::CONTENT_ENCODING);
    if !wanted || !json || !worth || done {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(plain) = to_bytes(body, usize::MAX).await else { return ApiError::busy().into_response() };
    let whole = plain.clone();
    let small = if plain.len() > QUICK {
        tokio::task::spawn_blocking(move || gzip(&whole, Compression::fast())).await.ok().flatten()
    } else {
        gzip(&whole, Compression::fast())
    };
    let Some(small) = small else { return Response::from_parts(parts, Body::from(plain)) };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    Response::from_parts(parts, Body::from(small))
}

/// `None` if it is not worth it.
fn gzip(plain: &Bytes, how: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), how);
    encoder.write_all(plain).ok()?;
    encoder.finish().ok().filter(|small| small.len() < plain.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_read_with_their_qualities() {
        let accepts = |text: &'static str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(text))]);
            accepts(&headers, "gzip")
        };
        assert!(accepts("gzip") && accepts("br, GZIP;q=0.5") && accepts("deflate,gzip"));
        assert!(!accepts("br") && !accepts("gzip;q=0") && !accepts("") && !accepts("gzipped"));
        assert!(!super::accepts(&HeaderMap::new(), "gzip"));
    }
}
