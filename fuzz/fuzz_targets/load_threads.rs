//! Any text goes through the front end for Boolean programs and thread transition systems without a panic, a hang or an overflow, and what comes out is a
//! model, and a system for every number of threads. The same text is what must not be reached, and where a system starts.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mandala_boolean::{BooleanOptions, load_program, load_system};
use mandala_model::source::{SourceText, Sources};
use mandala_model::verify::verify;

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("fuzz.bp", text));
    let target = sources.add(SourceText::new("--target", "0|0"));
    let given = [(None, None), (Some(target), None), (Some(file), Some(file))];
    for (target, start) in given {
        let options = BooleanOptions { target, start };
        for load in [load_program, load_system] {
            let (threads, diagnostics) = load(&sources, file, &options);
            for diagnostic in &diagnostics {
                let _ = diagnostic.one_line(&sources);
            }
            let Some(threads) = threads else { continue };
            if let Ok(model) = threads.model(2) {
                assert!(verify(model).is_ok(), "the front end makes what is no model");
            }
            if let Ok(system) = threads.system() {
                assert!(system.is_well_formed());
            }
        }
    }
});
