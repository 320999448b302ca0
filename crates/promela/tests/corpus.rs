//! Models of other projects parse, as far as they are free of embedded C.

use crate::support::{corpus, parse_text};
use mandala_promela::ParseOptions;

#[test]
#[allow(
    clippy::print_stderr,
    reason = "a test that finds nothing to test must say so"
)]
fn real_models_parse_without_errors() {
    let files = corpus();
    if files.is_empty() {
        eprintln!("note: skipped, the folder with the models of other projects is absent");
        return;
    }
    let mut wrong = Vec::new();
    for path in &files {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let options = ParseOptions {
            loader: Box::new(|p| std::fs::read_to_string(p)),
            ..ParseOptions::default()
        };
        let (sources, program, diagnostics) =
            parse_text(&path.display().to_string(), &text, &options);
        assert!(!program.units.is_empty(), "{}: no units", path.display());
        // Some models include files that their collection does not have.
        let expected = |message: &str| {
            message.starts_with("embedded C") || message.starts_with("cannot include")
        };
        let unexpected = diagnostics.iter().filter(|d| !expected(&d.message));
        wrong.extend(unexpected.map(|d| d.one_line(&sources)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
