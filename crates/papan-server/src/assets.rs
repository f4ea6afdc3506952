//! The page, embedded with compressed twins of its files. Any address that is
//! no file is the page itself: every view of it is a URL.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::compress;
use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/page"]
struct Page;

const INDEX: &str = "index.html";
/// The build puts files here under names that change with their content.
const HASHED: &str = "assets/";

/// `GET` of anything that is not the API.
pub(crate) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return ApiError::wrong_method().into_response();
    }
    let path = uri.path().trim_start_matches('/');
    match file(path) {
        Some(name) => respond(name, &headers),
        // A missing script must not be answered with a page.
        None if path.starts_with(HASHED) => ApiError::no_such_address().into_response(),
        None => respond(INDEX, &headers),
    }
}

/// The file at `path`; the compressed twins have no address of their own.
fn file(path: &str) -> Option<&str> {
    let twin = [".br", ".gz"].iter().any(|ending| path.ends_with(ending));
    (!path.is_empty() && !twin && Page::get(path).is_some()).then_some(path)
}

fn respond(name: &str, headers: &HeaderMap) -> Response {
    let Some(plain) = Page::get(name) else { return ApiError::no_such_address().into_response() };
    let tag = entity_tag(&plain);
    let cache = if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let builder = Response::builder()
        .header(header::ETAG, &tag)
        .header(header::CACHE_CONTROL, cache)
        .header(header::VARY, "accept-encoding");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)) {
        return builder.status(StatusCode::NOT_MODIFIED).body(Body::empty()).expect("the parts are valid");
    }
    let (encoding, content) = match compressed(name, headers) {
        Some((encoding, twin)) => (Some(encoding), twin),
        None => (None, plain),
    };
    let mut response = builder
        .header(header::CONTENT_TYPE, content_type(name))
        .body(Body::from(content.data))
        .expect("the parts are valid");
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn entity_tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let hex: String = hash[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

/// The best twin that the browser can read.
fn compressed(name: &str, headers: &HeaderMap) -> Option<(&'static str, EmbeddedFile)> {
    [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(encoding, _)| compress::accepts(headers, encoding))
        .find_map(|(encoding, ending)| Some((encoding, Page::get(&format!("{name}.{ending}"))?)))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
