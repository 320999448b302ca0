//! Texts that have every construct: reading and printing gives the same text.

use crate::common::{assert_round_trip, model};
use mandala_ir::Text;
use mandala_model::source::{SourceText, Sources};

#[track_caller]
fn assert_stays(text: &str) {
    let read = model(text);
    assert_eq!(Text::new(&read).to_string().trim_end(), text.trim_end());
    let mut sources = Sources::default();
    sources.add(SourceText::new("m.ir", text));
    assert_round_trip(&read, &sources);
}

#[test]
fn a_model_with_processes_and_channels_stays_as_it_is() {
    assert_stays(include_str!("everything.ir"));
}

#[test]
fn a_system_of_rules_stays_as_it_is() {
    assert_stays(include_str!("rules.ir"));
}

#[test]
fn a_model_with_chance_stays_as_it_is() {
    assert_stays(include_str!("chance.ir"));
}

#[test]
fn an_empty_model_is_its_header() {
    assert_stays("mandala-ir 2\nmodel red, checked 64\n\n");
}
