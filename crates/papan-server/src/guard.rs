//! What every request passes first: who may ask, how often, and the headers
//! that tell the browser to trust nothing else.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::app::App;
use crate::error::ApiError;
use crate::pool::Visitor;

/// Scripts, styles, pictures and sockets come from this server and nowhere
/// else; nobody may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Join links are secrets: no other site may learn them.
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Checks a request, answers it, and adds the security headers.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        // An answer may be stricter about itself.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn check(app: &App, request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    if app.local_names_only() && !names_this_machine(headers) {
        return Err(ApiError::other_site());
    }
    if !is_same_origin(headers) {
        return Err(ApiError::other_site());
    }
    check_rate(app, request)
}

/// Addresses under which even a look costs: searches and pictures.
const LOOKS: [&str; 6] =
    ["/api/lab/", "/api/review", "/api/board.svg", "/api/record", "/api/tournaments", "/api/queue"];

/// Whoever asks too often is told when to come back.
fn check_rate(app: &App, request: &Request) -> Result<(), ApiError> {
    let path = request.uri().path();
    let costs = request.method() == Method::POST || path == "/api/analyse";
    let looks = LOOKS.iter().any(|start| path.starts_with(start)) || path.ends_with("/review");
    let allowed = match (costs, looks) {
        (true, _) => app.allows_post(address(request.extensions())),
        (false, true) => app.allows_look(address(request.extensions())),
        (false, false) => true,
    };
    if allowed { Ok(()) } else { Err(ApiError::rate_limited()) }
}

/// Where a request comes from.
fn address(extensions: &Extensions) -> IpAddr {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(address)| address.ip())
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::Address(address(&parts.extensions)))
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or(""))
}

/// Is the request addressed to this machine by one of its own names? Requests
/// without a name come from no browser.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = text(headers, header::HOST) else { return true };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Does the request come from this server's own page, or from no page at all?
fn is_same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = text(headers, header::ORIGIN) else { return true };
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some() && authority == text(headers, header::HOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn only_own_names_are_answered() {
        for own in ["localhost:8080", "127.0.0.1", "[::1]:80", "LOCALHOST"] {
            assert!(names_this_machine(&headers(&[(header::HOST, own)])), "{own}");
        }
        for other in ["evil.example", "127.0.0.1.evil.example", "10.0.0.1:80", ""] {
            assert!(!names_this_machine(&headers(&[(header::HOST, other)])), "{other}");
        }
    }

    #[test]
    fn only_the_own_page_may_ask() {
        let host = (header::HOST, "localhost:8080");
        let from = |origin| headers(&[host.clone(), (header::ORIGIN, origin)]);
        assert!(is_same_origin(&headers(std::slice::from_ref(&host))));
        assert!(is_same_origin(&from("http://localhost:8080")));
        for other in ["http://localhost:8081", "null", "http://evil.example", "localhost:8080"] {
            assert!(!is_same_origin(&from(other)), "{other}");
        }
    }
}
