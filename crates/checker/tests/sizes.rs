//! What is made of a model before it is searched does not grow with the number of its members: bytecode and machine code for 100 of everything that
//! there may be any number of, processes included, are at most a tenth longer than for 3, but for what gives the variables their first values.
//!
//! That is the code that is made first. A search that goes on for long gets code for each of a few choices and for each process.

use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_encoding::{Arrival, Program, Sink};
use mandala_model::step::{Observers, Turn, Violation};
use mandala_prepare::{Form, in_form};
use std::path::Path;

/// A bundled model with that many members.
pub fn loaded(file: &str, parameter: &str, count: usize) -> LoadedModel {
    let path = format!("../../models/{file}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let input = ModelInput {
        text: std::fs::read_to_string(&path).expect("a bundled model"),
        path: path.clone(),
        defines: vec![format!("{parameter}={count}")],
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    load(input).expect("a right model")
}

/// What is searched of a bundled model with that many members.
fn program(file: &str, parameter: &str, count: usize) -> Program {
    let loaded = loaded(file, parameter, count);
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

/// How many steps from the start machine code is made: as many as it takes until all processes are there.
const STEPS: usize = 3;

/// How many bytes of machine code there are once the first states have been expanded.
fn machine_code(program: &Program) -> usize {
    let mut stepper = program.eager_stepper();
    let mut met = States::default();
    stepper.start(&mut met).expect("a small state");
    let mut state = met.0.remove(0);
    for _ in 0..STEPS {
        let mut next = States::default();
        for _ in 0..3 {
            next.0.clear();
            let expanded = stepper.expand(&state, Turn::Free, &mut next);
            expanded.expect("a small state");
        }
        if let Some(successor) = next.0.into_iter().next() {
            state = successor;
        }
    }
    program.machine_code_bytes()
}

/// Families, what there may be any number of, and how many is many: multisets of more than 64 elements are carried out in another way.
pub const FAMILIES: [(&str, &str, usize); 6] = [
    ("two-phase-commit/two-phase-commit.m", "N", 100),
    ("german/german.m", "N", 100),
    ("directory/directory.m", "VALUES", 100),
    ("directory-msi/directory-msi.m", "N", 30),
    ("job-pool/job-pool.m", "K", 30),
    ("readers-writers/readers-writers.m", "R", 100),
];

/// Families of processes. (Others have a size that is not a number of members, or macros for each.)
pub const PROCESSES: [(&str, &str, usize); 18] = [
    ("alternating-bit/alternating-bit.pml", "M", 100),
    ("base-station/base-station.pml", "N", 100),
    ("broken-lock/broken-lock.pml", "N", 100),
    ("database/database.pml", "N", 100),
    ("email/email.pml", "N", 100),
    ("leader-complete/leader-complete.pml", "N", 100),
    ("leader-ring/leader-ring.pml", "N", 100),
    ("leader-tree/leader-tree.pml", "N", 100),
    ("load-balancer/load-balancer.pml", "C", 100),
    ("lost-wakeup/lost-wakeup.pml", "N", 100),
    ("mcs-lock/mcs-lock.pml", "N", 100),
    ("milner/milner.pml", "N", 100),
    ("mutex/mutex.pml", "N", 100),
    ("philosophers/philosophers.pml", "N", 100),
    ("readers-writers/readers-writers.pml", "R", 100),
    ("three-tier/three-tier.pml", "C1", 50),
    ("token-lock/token-lock.pml", "N", 100),
    ("two-hop/two-hop.pml", "N", 100),
];

#[test]
fn code_does_not_grow_with_the_number_of_members() {
    let mut grown = Vec::new();
    let families = FAMILIES.into_iter().chain(PROCESSES);
    let families = families.map(|(file, parameter, many)| (file, parameter, 3, many));
    // Where there are few, its `init` unpacks the cells of all flags itself.
    let flags = [("peterson/peterson.pml", "N", 20, 100)];
    for (file, parameter, few, many) in families.chain(flags) {
        let [few, many] = [few, many].map(|count| program(file, parameter, count));
        let operations = [&few, &many].map(Program::operations);
        let bytes = [&few, &many].map(machine_code);
        assert!(bytes[0] > 0, "{file}: there is machine code");
        let grows = |[small, large]: [usize; 2]| large * 10 > small * 11;
        if grows(operations) || grows(bytes) {
            grown.push(format!(
                "{file}: {operations:?} operations, {bytes:?} bytes"
            ));
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
