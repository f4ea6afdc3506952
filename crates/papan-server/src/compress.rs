//! Large JSON answers go out compressed to whoever can read that. The page's
//! files were compressed when the server was built.

use std::io::Write as _;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::ApiError;

/// Smaller answers gain nothing: they fit one packet as they are.
const WORTH_COMPRESSING: usize = 1024;

/// Does the sender of these headers read `encoding`?
pub(crate) fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|one| {
        let (name, quality) = one.split_once(';').unwrap_or((one, ""));
        name.trim().eq_ignore_ascii_case(encoding) && quality.trim() != "q=0"
    })
}

/// Answers, and compresses the answer if it is JSON. Streams of events pass as
/// they are.
pub(crate) async fn compress(request: Request, next: Next) -> Response {
    let wanted = accepts(request.headers(), "gzip");
    let response = next.run(request).await;
    let json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !wanted || !json {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(plain) = to_bytes(body, usize::MAX).await else { return ApiError::busy().into_response() };
    let Some(small) = gzip(&plain) else { return Response::from_parts(parts, Body::from(plain)) };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    Response::from_parts(parts, Body::from(small))
}

/// `None` if it is not worth it.
fn gzip(plain: &Bytes) -> Option<Vec<u8>> {
    if plain.len() < WORTH_COMPRESSING {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
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
