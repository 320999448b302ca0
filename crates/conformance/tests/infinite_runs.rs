//! The installed Spin still says what the table of facts says.
#![allow(clippy::print_stdout)]

use mandala_conformance::infinite::FACTS;
use mandala_conformance::spin::Spin;
use std::time::Duration;

#[test]
fn spin_agrees_with_the_table() {
    if Spin::find().is_none() {
        println!("skipped: spin or gcc is not installed");
        return;
    }
    for fact in FACTS {
        let said = fact.ask(Duration::from_secs(300)).expect("both are there");
        assert_eq!(said, Ok(fact.violated), "{}: {}", fact.what, fact.model);
    }
}
