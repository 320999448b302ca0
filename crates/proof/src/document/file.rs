//! The file that proofs are written to.

use super::WrittenProof;
use mandala_model::Model;
use serde::{Deserialize, Serialize};

/// The name of this form of the document.
pub const PROOF_SCHEMA: &str = "mandala-proof/1";

/// A file with proofs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofDocument {
    /// Always [`PROOF_SCHEMA`].
    pub schema: String,
    /// The version of the program that wrote it.
    pub version: String,
    /// The properties that were selected; none if all were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<String>,
    /// One proof for each group of properties with one symmetry.
    pub proofs: Vec<PropertyProof>,
}

/// The proof of the symmetry that is used while a property is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropertyProof {
    /// Which property, as the command line names it; `safety` is assertions, deadlocks and run-time errors.
    pub property: String,
    /// Its number among the checks that the model and the command line ask for.
    pub check: usize,
    /// The form of the model that the proof is about.
    pub form: ProofForm,
    /// Whether that form says the same in other words, where these have more symmetry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restated: bool,
    /// Whether processes that have ended stay in that form.
    pub ended_stay: bool,
    /// The digest of the text of that form.
    pub digest: String,
    /// The proof.
    pub proof: WrittenProof,
}

/// A form of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofForm {
    /// The model as it was written.
    Written,
    /// With an edge for each instance of a rule.
    Instances,
}

/// The document as JSON, with a line end.
///
/// # Errors
///
/// If it cannot be written, which is a defect.
pub fn write(document: &ProofDocument) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string(document)?;
    text.push('\n');
    Ok(text)
}

/// Reads a document.
///
/// # Errors
///
/// Why the text is none, in words.
pub fn read(text: &str) -> Result<ProofDocument, String> {
    let schema: Schema = serde_json::from_str(text)
        .map_err(|error| format!("it is not a proof of Mandala: {error}"))?;
    match schema.schema == PROOF_SCHEMA {
        true => serde_json::from_str(text)
            .map_err(|error| format!("it is not a proof of Mandala: {error}")),
        false => Err(format!(
            "its schema is `{}`, and this version reads `{PROOF_SCHEMA}`",
            schema.schema
        )),
    }
}

/// What a document says that it is.
#[derive(Deserialize)]
struct Schema {
    schema: String,
}

/// The digest of the text of a model: it tells models apart, and a proof of one is not taken for one of another.
pub fn digest(model: &Model) -> String {
    let text = mandala_ir::Text::new(model).to_string();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    format!("{hash:016x}")
}
