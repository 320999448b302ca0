//! Any text goes through the whole front end for pointer automata without a panic, a hang or an overflow, and what comes out is
//! a model. The same text is the value of a constant and a property beside the model.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mandala_model::source::{SourceText, Sources};
use mandala_model::stated::{Stated, StatedForm};
use mandala_model::verify::verify;
use mandala_red::{RedOptions, load};

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("fuzz.red", text));
    let mut options = RedOptions::default();
    if text.len() % 2 == 1 {
        options.constants.push(("N".to_string(), text.to_string()));
        options.stated.push(Stated {
            form: StatedForm::Possible,
            name: None,
            file,
        });
    }
    let (model, diagnostics) = load(&mut sources, file, &options);
    for diagnostic in &diagnostics {
        let _ = diagnostic.one_line(&sources);
    }
    if let Some(model) = model {
        assert!(verify(model).is_ok(), "the front end makes what is no model");
    }
});
