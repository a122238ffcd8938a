//! The API document as a page: made here, once, from the same document as `openapi.yaml`. No script, nothing from elsewhere.

use crate::http::openapi::{openapi, operations};
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use serde_json::Value;
use std::fmt::Write;
use std::sync::LazyLock;
use utoipa::openapi::OpenApi;

mod schema;

const POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The reference, for people.
pub async fn get_docs() -> impl IntoResponse {
    static PAGE: LazyLock<String> = LazyLock::new(|| page(openapi()));
    const HEADERS: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (HEADERS, PAGE.as_str())
}

/// How it looks.
pub async fn get_style() -> impl IntoResponse {
    const HEADERS: [(HeaderName, &str); 2] = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (HEADERS, include_str!("docs.css"))
}

/// One operation, as plain JSON.
struct Entry {
    verb: String,
    path: String,
    tag: String,
    operation: Value,
}

impl Entry {
    fn id(&self) -> &str {
        self.operation["operationId"].as_str().unwrap_or_default()
    }
}

fn page(mut document: OpenApi) -> String {
    let tags: Vec<(String, String)> = document
        .tags
        .iter()
        .flatten()
        .map(|tag| (tag.name.clone(), tag.description.clone().unwrap_or_default()))
        .collect();
    let entries = entries(&mut document);
    let schemas = serde_json::to_value(&document.components).unwrap_or_default()["schemas"].take();
    let mut nav = String::new();
    let mut main = String::new();
    for (tag, about) in &tags {
        let own = || entries.iter().filter(|entry| entry.tag == *tag);
        let _ = write!(nav, "<h2>{}</h2><ul>", escape(tag));
        let _ = write!(
            main,
            "<section><h2>{}</h2><p class=soft>{}</p>",
            escape(tag),
            escape(about)
        );
        for entry in own() {
            let short = entry.path.strip_prefix("/api").unwrap_or(&entry.path);
            let _ = write!(
                nav,
                "<li><a href=\"#{}\"><span class=verb>{}</span>{}</a></li>",
                entry.id(),
                entry.verb,
                escape(short)
            );
            article(&mut main, entry);
        }
        nav.push_str("</ul>");
        main.push_str("</section>");
    }
    main.push_str("<section><h2>Shapes</h2>");
    for (name, shape) in schemas.as_object().into_iter().flatten() {
        schema::article(&mut main, name, shape);
    }
    main.push_str("</section>");
    let intro = paragraphs(document.info.description.as_deref().unwrap_or_default());
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width, initial-scale=1\">\
         <title>API reference · plan-advisor</title><link rel=stylesheet href=\"/docs/style.css\"></head><body>\
         <nav aria-label=Operations><strong>plan-advisor {version}</strong><br><a href=\"/openapi.yaml\">openapi.yaml</a>{nav}</nav>\
         <main><h1>API reference</h1>{intro}{main}</main></body></html>",
        version = escape(&document.info.version),
    )
}

fn entries(document: &mut OpenApi) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations(item) {
            let verb = serde_json::to_value(&method)
                .ok()
                .and_then(|value| value.as_str().map(str::to_uppercase))
                .unwrap_or_default();
            let tag = operation
                .tags
                .as_ref()
                .and_then(|tags| tags.first())
                .cloned()
                .unwrap_or_default();
            entries.push(Entry {
                verb,
                path: path.clone(),
                tag,
                operation: serde_json::to_value(operation).unwrap_or_default(),
            });
        }
    }
    entries
}

fn article(out: &mut String, entry: &Entry) {
    let operation = &entry.operation;
    let _ = write!(
        out,
        "<article id=\"{}\"><h3><span class=verb>{}</span> {}</h3>",
        entry.id(),
        entry.verb,
        escape(&entry.path)
    );
    out.push_str(&paragraphs(operation["summary"].as_str().unwrap_or_default()));
    out.push_str(&paragraphs(operation["description"].as_str().unwrap_or_default()));
    let parameters = operation["parameters"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if !parameters.is_empty() {
        out.push_str("<h4>Parameters</h4><table>");
        for parameter in parameters {
            let text = |key: &str| escape(parameter[key].as_str().unwrap_or_default());
            let about = paragraphs(parameter["description"].as_str().unwrap_or_default());
            let shape = schema::inline(&parameter["schema"]);
            let _ = write!(
                out,
                "<tr><td><code>{}</code></td><td class=soft>{}</td><td>{shape}</td><td>{about}</td></tr>",
                text("name"),
                text("in")
            );
        }
        out.push_str("</table>");
    }
    for (kind, body) in operation["requestBody"]["content"].as_object().into_iter().flatten() {
        let _ = write!(
            out,
            "<h4>Body <span class=soft>{}</span></h4>{}",
            escape(kind),
            schema::inline(&body["schema"])
        );
    }
    out.push_str("<h4>Answers</h4><table>");
    for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
        let about = escape(answer["description"].as_str().unwrap_or_default());
        let shapes = answer["content"].as_object().into_iter().flatten();
        let shapes: Vec<String> = shapes
            .map(|(kind, body)| {
                format!(
                    "{} <span class=soft>{}</span>",
                    schema::inline(&body["schema"]),
                    escape(kind)
                )
            })
            .collect();
        let _ = write!(
            out,
            "<tr><td><code>{}</code></td><td>{about}</td><td>{}</td></tr>",
            escape(status),
            shapes.join("<br>")
        );
    }
    out.push_str("</table></article>");
}

/// Text with `code` in it, blank lines between its paragraphs.
fn paragraphs(text: &str) -> String {
    text.split("\n\n")
        .filter(|paragraph| !paragraph.trim().is_empty())
        .fold(String::new(), |mut out, paragraph| {
            out.push_str("<p>");
            for (index, part) in paragraph.split('`').enumerate() {
                let (open, close) = if index % 2 == 1 {
                    ("<code>", "</code>")
                } else {
                    ("", "")
                };
                let _ = write!(out, "{open}{}{close}", escape(part));
            }
            out.push_str("</p>");
            out
        })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_and_every_shape_has_its_place() {
        let document = openapi();
        let page = page(document.clone());
        let value = serde_json::to_value(&document).expect("plain data");
        for operation in value["paths"]
            .as_object()
            .expect("paths")
            .values()
            .flat_map(|item| item.as_object().expect("an item").values())
        {
            let id = operation["operationId"].as_str().expect("an id");
            assert!(page.contains(&format!("<article id=\"{id}\"")), "{id}");
        }
        for target in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
        }
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(
            paragraphs("a <b> `x < y`\n\nc"),
            "<p>a &lt;b&gt; <code>x &lt; y</code></p><p>c</p>"
        );
    }
}
