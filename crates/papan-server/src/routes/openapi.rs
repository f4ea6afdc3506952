//! The description of this API for programs.

use std::sync::LazyLock;

use axum::http::HeaderMap;
use axum::response::Response;

use crate::compress::Ready;

/// Kept by hand; a test compares its paths with the router's.
const DOCUMENT: &str = include_str!("../../openapi.json");

/// `GET /api/openapi.json`
pub(super) async fn document(headers: HeaderMap) -> Response {
    static READY: LazyLock<Ready> = LazyLock::new(|| Ready::new(DOCUMENT));
    READY.answer(&headers)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_document_lists_the_addresses_and_methods_of_the_router() {
        let document: serde_json::Value = serde_json::from_str(DOCUMENT).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let described: BTreeSet<_> = paths.keys().map(String::as_str).collect();
        let routed: BTreeSet<_> = super::super::api().into_iter().map(|(path, _)| path).collect();
        assert_eq!(described, routed);
        for (path, methods) in super::super::api() {
            let routed = format!("{methods:?}");
            for method in ["get", "post", "put", "delete", "patch"] {
                let answers = !routed.contains(&format!("{method}: None"));
                assert_eq!(paths[path].get(method).is_some(), answers, "{method} {path}");
            }
        }
    }

    #[test]
    fn every_reference_of_the_document_exists() {
        let document: serde_json::Value = serde_json::from_str(DOCUMENT).unwrap();
        let mut rest = DOCUMENT;
        while let Some(at) = rest.find("\"#/") {
            rest = &rest[at + 2..];
            let pointer = &rest[..rest.find('"').unwrap()];
            assert!(document.pointer(pointer).is_some(), "{pointer}");
        }
    }
}
