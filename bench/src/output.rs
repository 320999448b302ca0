//! Results as a JSON document, and lines for people.

use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The name of this form of the document.
const SCHEMA: &str = "mandala-bench/1";

#[derive(Serialize)]
struct Document<'a, R> {
    schema: &'static str,
    version: &'static str,
    command: &'static str,
    rows: &'a [R],
}

/// The document with these rows.
pub(crate) fn document<R: Serialize>(command: &'static str, rows: &[R]) -> Result<String, String> {
    let document = Document {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        command,
        rows,
    };
    let text = serde_json::to_string_pretty(&document);
    text.map_err(|error| format!("cannot write the results: {error}"))
}

/// Writes a document to a file, or to standard output if the file is called `-`.
pub(crate) fn write(path: &Path, document: &str, out: &mut dyn Write) -> Result<(), String> {
    let written = match path.as_os_str() == "-" {
        true => writeln!(out, "{document}"),
        false => fs::write(path, format!("{document}\n")),
    };
    written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Prints a line.
pub(crate) fn say(out: &mut dyn Write, line: &str) -> Result<(), String> {
    writeln!(out, "{line}").map_err(|error| format!("cannot write: {error}"))
}

/// Tells how far the measurement has come, on standard error.
pub(crate) fn progress(line: &str) {
    // A measurement goes on if nobody can be told about it.
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_comes_first() {
        let text = document("cost", &[1, 2]).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(text.starts_with("{\n  \"schema\": \"mandala-bench/1\""));
        assert_eq!(value["command"], "cost");
        assert_eq!(value["rows"][1], 2);
    }
}
