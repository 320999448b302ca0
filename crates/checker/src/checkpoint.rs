//! Checkpoints of the explicit engine, as seen from outside.
//!
//! What a checkpoint says about its search are the words of whoever asked for it, and behind them a seal: a fingerprint
//! of what is really searched, the model after all simplifications and the group that was found. States of one
//! search mean nothing to another. Finding a group takes time, and what is found may depend on how much there
//! was; so a search that goes on makes sure that it has found the same.

use crate::error::CheckError;
use crate::frontend::fingerprint;
use mandala_engine::{Checkpoints, EngineError};
use mandala_explicit::{checkpoint_description, checkpoint_exists};
use mandala_ir::Text;
use mandala_prepare::Prepared;
use std::path::Path;

/// What stands between the words and the seal. It is no part of either.
const BORDER: u8 = 0;

/// What the last checkpoint of a folder says about the search that it belongs to.
///
/// # Errors
///
/// Why there is none, in words.
pub fn description(folder: &Path) -> Result<Vec<u8>, String> {
    if !folder.is_dir() {
        return Err("there is no such folder".into());
    }
    let sealed = checkpoint_description(folder).map_err(|error| error.to_string())?;
    Ok(words(&sealed).to_vec())
}

/// Whether there is a checkpoint, be it whole or damaged.
pub fn exists(folder: &Path) -> bool {
    checkpoint_exists(folder)
}

fn words(sealed: &[u8]) -> &[u8] {
    let border = sealed.iter().rposition(|byte| *byte == BORDER);
    &sealed[..border.unwrap_or(sealed.len())]
}

/// The wish with the seal of what is searched.
pub(crate) fn sealed(wish: &Checkpoints, prepared: &Prepared) -> Result<Checkpoints, CheckError> {
    let seal = seal(prepared);
    let description = [&wish.description, &[BORDER][..], seal.as_bytes()].concat();
    if wish.resume {
        require_same(&wish.folder, &description)?;
    }
    Ok(Checkpoints {
        folder: wish.folder.clone(),
        interval: wish.interval,
        description,
        resume: wish.resume,
    })
}

fn require_same(folder: &Path, description: &[u8]) -> Result<(), EngineError> {
    let written = checkpoint_description(folder);
    let written = written.map_err(|error| EngineError::Search(error.to_string()))?;
    let same_words = words(&written) == words(description);
    match same_words && written != description {
        false => Ok(()),
        true => Err(EngineError::Search(
            "another symmetry was found than when the checkpoint was written, probably because the machine is \
             busier or slower; try again, or start anew with `mandala check --symmetry off`"
                .into(),
        )),
    }
}

fn seal(prepared: &Prepared) -> String {
    let group = match prepared.certificate {
        Some(_) => prepared.account.group.generators.join("\n"),
        None => String::new(),
    };
    let text = Text::new(&prepared.searched).to_string();
    fingerprint(text.bytes().chain([BORDER]).chain(group.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_the_last_border() {
        assert_eq!(words(b"{}\0seal"), b"{}");
        assert_eq!(words(b"a\0b\0seal"), b"a\0b");
        assert_eq!(words(b"no border"), b"no border");
    }
}
