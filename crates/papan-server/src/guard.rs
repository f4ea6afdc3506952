//! What every request passes first: who may ask, how often, and the headers
//! that tell the browser to trust nothing else.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::app::App;
use crate::door::visitor;
use crate::error::ApiError;
use crate::pool::Visitor;
use crate::site;

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
    site::check(request, app.hosts())?;
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
        // Even the cheapest answer takes a while if thousands want it.
        (false, false) if path.starts_with("/api/") => app.allows_read(address(request.extensions())),
        (false, false) => true,
    };
    if allowed { Ok(()) } else { Err(ApiError::rate_limited()) }
}

/// Who a request comes from.
fn address(extensions: &Extensions) -> IpAddr {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(address)| visitor(address.ip()))
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::Address(address(&parts.extensions)))
    }
}
