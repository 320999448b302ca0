//! Recorded answers of Spin about models of other projects, with the known differences.

use crate::spin::Claim;
use std::path::{Path, PathBuf};

/// A line of the file of Spin's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The model's file, relative to the folder.
    pub model: String,
    /// Which part of it was searched.
    pub claim: Claim,
    /// States stored.
    pub states: u64,
    /// Whether there were errors.
    pub violated: bool,
}

/// A row that is known not to match, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The model's file.
    pub model: String,
    /// Which part of it.
    pub claim: Claim,
    /// Why it does not match.
    pub reason: String,
}

/// The folder of models, next to the checkout, if it is there.
pub fn folder() -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = crate_folder.join("../../shared/models/promela");
    folder.join("oracle.csv").exists().then_some(folder)
}

/// Reads the file of Spin's answers. A line that cannot be read is an error.
pub fn rows(text: &str) -> Result<Vec<Row>, String> {
    let lines = text.lines().skip(1).filter(|l| !l.is_empty());
    lines
        .map(|line| row(line).ok_or(format!("cannot read: {line}")))
        .collect()
}

fn row(line: &str) -> Option<Row> {
    // The text of the error comes after the numbers and may hold commas.
    let mut fields = line.splitn(6, ',');
    let model = fields.next()?.to_string();
    let claim = claim(fields.next()?)?;
    let states = fields.next()?.parse().ok()?;
    let _transitions: u64 = fields.next()?.parse().ok()?;
    let errors: u64 = fields.next()?.parse().ok()?;
    Some(Row {
        model,
        claim,
        states,
        violated: errors > 0,
    })
}

/// Reads the list of exceptions: `model,claim,reason`.
pub fn exceptions(text: &str) -> Result<Vec<Exception>, String> {
    let lines = text.lines().skip(1).filter(|l| !l.is_empty());
    lines
        .map(|line| exception(line).ok_or(format!("cannot read: {line}")))
        .collect()
}

fn exception(line: &str) -> Option<Exception> {
    let mut fields = line.splitn(3, ',');
    let model = fields.next()?.to_string();
    let claim = claim(fields.next()?)?;
    let reason = fields.next()?.to_string();
    (!reason.is_empty()).then_some(Exception {
        model,
        claim,
        reason,
    })
}

fn claim(text: &str) -> Option<Claim> {
    match text {
        "none" => Some(Claim::None),
        "product" => Some(Claim::Product),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read() {
        let text = "model,claim,states,transitions,errors,first_error,depth\n\
                    a/b.pml,product,48,99,1,violated (x,y),66\n";
        let expected = Row {
            model: "a/b.pml".into(),
            claim: Claim::Product,
            states: 48,
            violated: true,
        };
        assert_eq!(rows(text), Ok(vec![expected]));
    }

    #[test]
    fn a_line_that_cannot_be_read_is_an_error() {
        assert!(rows("head\na.pml,none,many,1,0,,\n").is_err());
        assert!(rows("head\na.pml,both,1,1,0,,\n").is_err());
        assert!(exceptions("head\na.pml,none,\n").is_err());
    }

    #[test]
    fn an_exception_has_a_reason() {
        let read = exceptions("head\na.pml,none,embedded C, line 3\n").expect("readable");
        assert_eq!(read[0].reason, "embedded C, line 3");
    }
}
