//! Any text goes through the whole front end for the language of PRISM without a panic, a hang or an overflow, and what comes out is a model. The same text is a file of
//! properties beside a model, and the value of a constant.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mandala_model::source::{SourceText, Sources};
use mandala_model::stated::{Stated, StatedForm};
use mandala_model::verify::verify;
use mandala_prism::{ParseOptions, load};

/// A model for properties to be about.
const MODEL: &str = "mdp const int K; module m x : [0..3]; [a] x<3 -> (x'=x+1); endmodule label \"l\" = x=1; \
                     rewards \"r\" true : x; endrewards";

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let given = sources.add(SourceText::new("fuzz.prism", text));
    let mut options = ParseOptions::default();
    let file = match text.len() % 2 {
        0 => given,
        _ => {
            options.defines.push(format!("K={text}"));
            options.stated.push(Stated {
                form: StatedForm::Queries,
                name: None,
                file: given,
            });
            sources.add(SourceText::new("m.prism", MODEL))
        }
    };
    let (model, diagnostics) = load(&mut sources, file, &options);
    for diagnostic in &diagnostics {
        let _ = diagnostic.one_line(&sources);
    }
    if let Some(model) = model {
        assert!(verify(model).is_ok(), "the front end makes what is no model");
    }
});
