//! Any text goes through the preprocessor and the parser without a panic, a hang or an overflow.
//!
//! A model that includes itself is part of the game: the loader gives the input back for every name.
//! The same text is the file of declarations that accompanies the model.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mandala_model::source::{SourceText, Sources};
use mandala_promela::{ParseOptions, parse};

fuzz_target!(|text: &str| {
    let included = text.to_string();
    let options = ParseOptions {
        loader: Box::new(move |_| Ok(included.clone())),
        declarations: Some(SourceText::new("fuzz.sym", text)),
        ..ParseOptions::default()
    };
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("fuzz.pml", text));
    let (program, diagnostics) = parse(&mut sources, file, &options);
    for diagnostic in &diagnostics {
        let _ = diagnostic.one_line(&sources);
    }
    let _ = format!("{program:?}");
});
