//! What is made of a model before it is searched does not grow with the number of its members: bytecode and machine code for 100 of everything that
//! there may be any number of are at most a tenth longer than for 3.
//!
//! Processes are another matter. There is bytecode for each kind of them, and machine code for each process.

use mandala_checker::frontend::{ModelInput, load};
use mandala_encoding::{Arrival, Program, Sink};
use mandala_model::step::{Observers, Turn, Violation};
use mandala_prepare::{Form, in_form};
use std::path::Path;

/// A bundled model of rules with that many members.
fn program(family: &str, parameter: &str, count: usize) -> Program {
    let path = format!("../../models/{family}/{family}.m");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let input = ModelInput {
        text: std::fs::read_to_string(&path).expect("a bundled model"),
        path: path.clone(),
        defines: vec![format!("{parameter}={count}")],
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    let loaded = load(input).expect("a right model");
    let prepared = in_form(&loaded.model, Form::Rules).expect("it is small");
    let program = prepared.searched.program(Observers::default());
    program.expect("it can be compiled")
}

/// Keeps the states that it is told.
#[derive(Default)]
struct States(Vec<Vec<u8>>);

impl Sink for States {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        self.0.push(arrival.packed().to_vec());
    }

    fn violation(&mut self, _: Violation) {}
}

/// How many bytes of machine code there are once the first states have been expanded.
fn machine_code(program: &Program) -> usize {
    let mut stepper = program.eager_stepper();
    let mut met = States::default();
    stepper.start(&mut met).expect("a small state");
    let first = met.0.remove(0);
    for _ in 0..4 {
        let expanded = stepper.expand(&first, Turn::Free, &mut States::default());
        expanded.expect("a small state");
    }
    program.machine_code_bytes()
}

/// Families, what there may be any number of, and how many is many: multisets of more than 64 elements are carried out in another way.
const FAMILIES: [(&str, &str, usize); 6] = [
    ("two-phase-commit", "N", 100),
    ("german", "N", 100),
    ("directory", "VALUES", 100),
    ("directory-msi", "N", 30),
    ("job-pool", "K", 30),
    ("readers-writers", "R", 100),
];

#[test]
fn code_does_not_grow_with_the_number_of_members() {
    for (family, parameter, many) in FAMILIES {
        let [few, many] = [3, many].map(|count| program(family, parameter, count));
        let (small, large) = (few.operations(), many.operations());
        assert!(
            large * 10 <= small * 11,
            "{family}: {small} and {large} operations"
        );
        let [small, large] = [&few, &many].map(machine_code);
        assert!(small > 0, "{family}: there is machine code");
        assert!(
            large * 10 <= small * 11,
            "{family}: {small} and {large} bytes"
        );
    }
}
