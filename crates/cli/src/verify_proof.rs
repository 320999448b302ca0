//! `mandala verify-proof`: checks a proof of symmetry that was written down.

use crate::args::VerifyProofArguments;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::{check, load};
use mandala_checker::document::present;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::proofs::{Verified, verify};
use mandala_model::source::Span;
use mandala_proof::document;
use mandala_report::style::{Tone, counted, tame};

/// Checks every proof of the file, and says what became of it.
pub fn run(arguments: &VerifyProofArguments, console: &Console) -> Result<Status, Failure> {
    let loaded = load::model(&arguments.model, arguments.stated.inputs()?, console)?;
    let text = load::text(&arguments.file)?;
    let unusable = |what: String| {
        let file = arguments.file.display();
        Failure::Command(format!("cannot use `{file}`: {what}"))
    };
    let document = document::read(&text).map_err(unusable)?;
    let verified = verify(
        &loaded,
        &VerifyProofArguments::options(&document.selected),
        &document,
    );
    let verified = verified.map_err(|refusal| check::refused(refusal, &loaded, console))?;
    let told: String = verified
        .iter()
        .map(|one| told(one, &loaded, console))
        .collect();
    let status = status(&verified);
    let nothing = "the file has no proofs: nothing is claimed to be interchangeable\n";
    let told = match verified.is_empty() {
        true => nothing.to_string(),
        false => told,
    };
    console.print(&told, status)?;
    Ok(status)
}

/// The worst outcome.
fn status(verified: &[Verified]) -> Status {
    let is_accepted = |one: &Verified| matches!(&one.outcome, Some(Ok(_)));
    let is_whole =
        |one: &Verified| matches!(&one.outcome, Some(Ok(accepted)) if accepted.trusted.is_empty());
    match (
        verified.iter().all(is_accepted),
        verified.iter().all(is_whole),
    ) {
        (true, true) => Status::Fine,
        (true, false) => Status::Unknown,
        (false, _) => Status::Violated,
    }
}

/// What became of a proof.
fn told(verified: &Verified, loaded: &LoadedModel, console: &Console) -> String {
    let colour = console.output_colour();
    let property = tame(&verified.property);
    match &verified.outcome {
        None => {
            let bad = colour.paint(Tone::Bad, "✗ rejected");
            format!("{bad}  {property}: it is about another model\n")
        }
        Some(Err(reject)) => {
            let bad = colour.paint(Tone::Bad, "✗ rejected");
            format!(
                "{bad}  {property}: {}{}\n",
                place(reject.span, loaded),
                reject.message
            )
        }
        Some(Ok(accepted)) if accepted.trusted.is_empty() => {
            let good = colour.paint(Tone::Good, "✓ accepted");
            format!(
                "{good}  {property}: {}\n",
                counted(accepted.parts as u64, "part")
            )
        }
        Some(Ok(accepted)) => {
            let some = colour.paint(Tone::Doubtful, "? accepted in part");
            let parts = counted(accepted.parts as u64, "part");
            let mut text = format!(
                "{some}  {property}: {parts} checked, {} trusted\n",
                accepted.trusted.len()
            );
            for part in &verified.trusted {
                let (place, what) = (place(part.span, loaded), tame(&part.what));
                text.push_str(&format!(
                    "  trusted: {place}{what}: {}\n",
                    tame(&part.reason)
                ));
            }
            text
        }
    }
}

/// The file and line of a part of a model, before what is said of it.
fn place(span: Option<Span>, loaded: &LoadedModel) -> String {
    let place = span.map(|span| present::place(&loaded.sources, span));
    place.map_or_else(String::new, |place| {
        format!("{}:{}: ", tame(&place.file), place.line)
    })
}
