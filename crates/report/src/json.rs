//! The document as JSON, and back.

use crate::document::{
    CHECKPOINT_SCHEMA, CheckpointDescription, Document, FailureDocument, ProgressReport, SCHEMA,
    SymmetryDocument,
};
use serde::Serialize;
use std::fmt;

/// Why a text is not a document.
#[derive(Debug)]
pub enum ReadError {
    /// It is not JSON, or not of the right shape.
    Malformed(serde_json::Error),
    /// It says that it is something else.
    OtherSchema(String),
    /// It says that there was no result.
    NoResult(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Malformed(error) => write!(f, "it is not a report of Mandala: {error}"),
            ReadError::OtherSchema(schema) => {
                write!(
                    f,
                    "its schema is `{schema}`, and this version reads `{SCHEMA}`: write the document anew with `mandala check --json`, \
                     or use the version of Mandala that has written it"
                )
            }
            ReadError::NoResult(why) => write!(f, "it has no result: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// The document as JSON, indented, with a line end.
pub fn write(document: &Document) -> Result<String, serde_json::Error> {
    indented(document)
}

/// As [`write`], for the symmetry alone.
pub fn write_symmetry(document: &SymmetryDocument) -> Result<String, serde_json::Error> {
    indented(document)
}

/// As [`write`], when there is no result.
pub fn write_failure(document: &FailureDocument) -> Result<String, serde_json::Error> {
    indented(document)
}

/// How far a command is, as one line.
pub fn write_progress(report: &ProgressReport) -> Result<String, serde_json::Error> {
    serde_json::to_string(report).map(|line| line + "\n")
}

/// As [`write`], for what a checkpoint says about itself.
pub fn write_checkpoint(description: &CheckpointDescription) -> Result<String, serde_json::Error> {
    indented(description)
}

/// Reads what a checkpoint says about itself; the error says in words why it cannot be used.
pub fn read_checkpoint(text: &[u8]) -> Result<CheckpointDescription, String> {
    let header: Header = serde_json::from_slice(text)
        .map_err(|_| "it does not say what was searched".to_string())?;
    match header.schema == CHECKPOINT_SCHEMA {
        true => serde_json::from_slice(text).map_err(|error| error.to_string()),
        false => Err(format!(
            "its schema is `{}`, and this version reads `{CHECKPOINT_SCHEMA}`: start the search anew with `mandala check` and another \
             folder, or go on with the version of Mandala that has written it",
            header.schema
        )),
    }
}

fn indented(document: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(document)?;
    text.push('\n');
    Ok(text)
}

/// Only what every version of the document has.
#[derive(serde::Deserialize)]
struct Header {
    schema: String,
}

/// Reads the document that is written when there is no result, if it is one.
pub fn read_failure(text: &str) -> Option<FailureDocument> {
    serde_json::from_str(text).ok()
}

/// Reads a document. The schema is looked at first, so that a document of another version is
/// called that rather than malformed.
pub fn read(text: &str) -> Result<Document, ReadError> {
    let header: Header = serde_json::from_str(text).map_err(ReadError::Malformed)?;
    if header.schema != SCHEMA {
        return Err(ReadError::OtherSchema(header.schema));
    }
    if let Some(failure) = read_failure(text) {
        return Err(ReadError::NoResult(failure.error.message));
    }
    serde_json::from_str(text).map_err(ReadError::Malformed)
}
