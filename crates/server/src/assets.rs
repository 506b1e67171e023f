//! The page, from inside the program.

use crate::error::Refusal;
use axum::{
    http::{HeaderValue, Method, Uri, header},
    response::{IntoResponse as _, Response},
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$KIBITZ_WEB_DIST"]
struct Page;

/// A file of the page. Addresses without a file ending are the page's own places.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return Refusal::wrong_method().into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if !is_plain(path) {
        return Refusal::not_found(uri.path()).into_response();
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    let name = if last.contains('.') {
        path
    } else {
        "index.html"
    };
    let Some(file) = Page::get(name) else {
        return Refusal::not_found(uri.path()).into_response();
    };
    // Vite puts a hash of the contents into the names of assets.
    let caching = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(content_type(name)),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
    ];
    (headers, file.data).into_response()
}

/// Nothing that climbs, hides or escapes.
fn is_plain(path: &str) -> bool {
    let fit = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    path.chars().all(fit) && !path.split('/').any(|part| part.starts_with('.'))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "map" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_are_looked_up() {
        for path in ["", "index.html", "assets/index-B2_x.js", "review/3"] {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "../x",
            "a/../../etc/passwd",
            "%2e%2e/x",
            ".git/config",
            "a\\b",
            "a/.env",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }
}
