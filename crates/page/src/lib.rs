//! The report of a check as one page for a browser.
//!
//! [`render`] makes a single file that asks for nothing else: style, script and data are in it, and its policy of contents forbids every request. The data are those of the document, with
//! what a browser should not have to compute: charts ([`mandala_chart`]), the layout of the graph of states (`layout`), what moves together under the group (`together`), and the states of that
//! graph as what differs from the one before (`states`).
//!
//! # Invariants
//!
//! - Nothing that a model says is ever markup. Data are JSON in which `<`, `>` and `&` are escaped, so that no text can end the element that they stand in; the script
//!   puts texts into text nodes and attributes, and never has a browser parse one. Where Rust writes a text, [`escaped`] has seen it.
//! - The same document gives the same page, byte for byte.
//! - Without a script the page shows the report as text.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod charts;
mod layout;
mod states;
mod together;

use mandala_report::document::{Document, StateGraph};
use mandala_report::style::Colour;
use mandala_report::text::{self, View};
use serde::Serialize;
use std::fmt;

const STYLE: &str = include_str!("../assets/page.css");
const BODY: &str = include_str!("../assets/page.html");
/// The parts of the script, in order.
const SCRIPT: [&str; 7] = [
    include_str!("../assets/basics.js"),
    include_str!("../assets/summary.js"),
    include_str!("../assets/run.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/group.js"),
    include_str!("../assets/graph.js"),
    include_str!("../assets/start.js"),
];

/// How many states are drawn at most.
pub const MOST_STATES: usize = 2_000;

/// What a page is made of.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// What was found.
    pub document: &'a Document,
    /// The files of the model.
    pub sources: Vec<SourceFile<'a>>,
    /// The graph of its states, of which no more than [`MOST_STATES`] are drawn, and which also has the group.
    pub graph: Option<&'a StateGraph>,
}

/// A file of a model.
#[derive(Clone, Debug, Serialize)]
pub struct SourceFile<'a> {
    /// Its name, as places in the document have it.
    pub path: String,
    /// What is in it.
    pub text: &'a str,
}

/// Why there is no page: the document is not made for JSON.
#[derive(Debug)]
pub struct PageError(serde_json::Error);

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for PageError {}

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    document: &'a Document,
    sources: &'a [SourceFile<'a>],
    /// A chart for each run: of all counterexamples, and then of all witnesses.
    charts: Vec<charts::ChartData>,
    group: Option<together::GroupData<'a>>,
    graph: Option<states::GraphData<'a>>,
}

/// The page.
///
/// # Errors
///
/// If the document cannot be written as JSON.
pub fn render(page: &Page<'_>) -> Result<String, PageError> {
    let graph = page.graph;
    let data = Data {
        document: page.document,
        sources: &page.sources,
        charts: charts::all(page.document),
        group: graph.and_then(|graph| together::group(&graph.group)),
        graph: graph.map(states::data),
    };
    let data = serde_json::to_string(&data).map_err(PageError)?;
    let title = format!("{} · {}", page.document.model.path, page.document.verdict);
    let report = text::render(page.document, &View::new(Colour::Off));
    let mut html =
        String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n",
    );
    html.push_str(&format!(
        "<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n",
        escaped(&title)
    ));
    html.push_str(&format!(
        "<body>\n<noscript><pre>{}</pre></noscript>\n{BODY}",
        escaped(&report)
    ));
    html.push_str(&format!(
        "<script type=\"application/json\" id=\"data\">{}</script>\n",
        inert(&data)
    ));
    html.push_str("<script>\n(() => {\n'use strict';\n");
    SCRIPT.iter().for_each(|part| html.push_str(part));
    html.push_str("})();\n</script>\n</body>\n</html>\n");
    Ok(html)
}

/// A text between tags.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON in which nothing means something to a reader of HTML. These characters stand in strings only, where a number says the same.
fn inert(json: &str) -> String {
    let mut inert = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                inert.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => inert.push(c),
        }
    }
    inert
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element_that_it_stands_in() {
        let text = "</script><!-- & \u{2028}\"";
        let json = serde_json::to_string(text).expect("a string");
        let inert = inert(&json);
        assert!(!inert.contains(['<', '>', '&', '\u{2028}']), "{inert}");
        let read: String = serde_json::from_str(&inert).expect("the same");
        assert_eq!(read, text);
        assert_eq!(
            escaped("<a href=\"x\">&"),
            "&lt;a href=&quot;x&quot;&gt;&amp;"
        );
    }
}
