//! Which site a request comes from, and by which name it calls this server.
//!
//! A browser tells the truth about both, whatever page it shows: `Host` is what
//! stands in its address bar, `Origin` and `Sec-Fetch-Site` say whose page
//! asks. A name that is not ours is a stranger's that was pointed here (DNS
//! rebinding); a page that is not ours may link to us and nothing else.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, header};

use crate::door::Reached;
use crate::error::ApiError;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Is the request addressed to this server, by its own page or by none?
pub(crate) fn check(request: &Request, hosts: &[String]) -> Result<(), ApiError> {
    let headers = request.headers();
    let reached = request.extensions().get::<Reached>().map(|Reached(address)| address.ip().to_canonical());
    let is_api = request.uri().path().starts_with("/api");
    // A request can name its server in its first line too.
    let named = request.uri().authority().is_none_or(|named| is_ours(named.as_str(), reached, hosts));
    if named
        && names_this_server(headers, reached, hosts)
        && is_same_origin(headers)
        && may_come_from_there(headers, is_api)
    {
        Ok(())
    } else {
        Err(ApiError::other_site())
    }
}

/// What a header says; one that is there twice says nothing.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().unwrap_or("");
    Some(if values.next().is_none() { value } else { "" })
}

/// The name in an authority, without its port and brackets; nothing if more
/// than a port comes after it.
pub(crate) fn host_name(authority: &str) -> &str {
    let (name, after) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap_or_default(),
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    if after.is_empty() || after.strip_prefix(':').is_some_and(is_port) { name } else { "" }
}

/// Is the request addressed to one of our names: this machine's own, the
/// address it came to, or a name that was given? Requests without a name come
/// from no browser; two names are nobody's.
fn names_this_server(headers: &HeaderMap, reached: Option<IpAddr>, hosts: &[String]) -> bool {
    text(headers, header::HOST).is_none_or(|host| is_ours(host, reached, hosts))
}

fn is_ours(authority: &str, reached: Option<IpAddr>, hosts: &[String]) -> bool {
    let name = host_name(authority);
    let is_given = hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
    let is_own = match name.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(address) => address.is_loopback() || Some(address) == reached,
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    is_given || is_own
}

/// Does the request come from this server's own page, or from no page at all?
fn is_same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = text(headers, header::ORIGIN) else { return true };
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some() && authority == text(headers, header::HOST)
}

/// Other sites, and other ports of this one, may link to our pages: nothing
/// else of ours may be asked for there, whatever the method.
fn may_come_from_there(headers: &HeaderMap, is_api: bool) -> bool {
    let is = |name, wanted| text(headers, name) == Some(wanted);
    match text(headers, FETCH_SITE) {
        None | Some("same-origin" | "none") => true,
        Some(_) => !is_api && is(FETCH_MODE, "navigate") && is(FETCH_DEST, "document"),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn only_own_and_given_names_are_answered() {
        let given = ["papan.example".to_owned(), "192.0.2.9".to_owned()];
        let answered = |host: &'static str, reached: &str| {
            names_this_server(&headers(&[(header::HOST, host)]), reached.parse().ok(), &given)
        };
        for own in ["localhost:8080", "127.0.0.1", "[::1]:80", "LOCALHOST", "127.9.9.9"] {
            assert!(answered(own, "192.0.2.7"), "{own}");
        }
        for own in ["192.0.2.7:8080", "[::ffff:192.0.2.7]", "Papan.Example:80", "papan.example", "192.0.2.9"] {
            assert!(answered(own, "192.0.2.7"), "{own}");
        }
        for other in [
            "evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1:80",
            "",
            "papan.example.evil.example",
            "[::1].evil.example",
            "127.0.0.1:80@evil.example",
            "[::1",
        ] {
            assert!(!answered(other, "192.0.2.7"), "{other}");
        }
        let mut two = headers(&[(header::HOST, "localhost")]);
        two.append(header::HOST, HeaderValue::from_static("evil.example"));
        assert!(!names_this_server(&two, None, &given));
        assert!(names_this_server(&HeaderMap::new(), None, &given));
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

    #[test]
    fn other_sites_may_only_link_to_pages() {
        let asked = |site, mode, dest, is_api| {
            let headers = headers(&[(FETCH_SITE, site), (FETCH_MODE, mode), (FETCH_DEST, dest)]);
            may_come_from_there(&headers, is_api)
        };
        for site in ["same-origin", "none"] {
            assert!(asked(site, "cors", "empty", true) && asked(site, "navigate", "document", true), "{site}");
        }
        for site in ["cross-site", "same-site", "something-new"] {
            assert!(asked(site, "navigate", "document", false), "{site}: a link");
            assert!(!asked(site, "navigate", "document", true), "{site}: a link into the API");
            assert!(!asked(site, "navigate", "iframe", false), "{site}: a frame");
            assert!(!asked(site, "no-cors", "image", true) && !asked(site, "no-cors", "script", false), "{site}");
        }
    }
}
