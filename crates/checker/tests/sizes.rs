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

/// Families, what there may be any number of, how many is few, and how many is many.
///
/// Where few is more than three, or many less than 100, code for three and for a hundred does not differ by a tenth alone. To choose one of few cells, or to pack a state of few, machine code has
/// straight code, some instructions for each cell, which for three takes less room than a loop. For more than 64 cells it has the loop. So code grows up to there, to nine times that for three
/// in leader-ring, and is shorter again behind it: with many members it is at most [`LONGEST`] times that for three. The bytecode does not grow, but for the one of more than eight flags.
pub const FAMILIES: [(&str, &str, usize, usize); 13] = [
    ("directory/directory.m", "CACHES", 3, 100),
    ("directory/directory.m", "VALUES", 3, 100),
    ("directory-msi/directory-msi.m", "D", 4, 100),
    ("directory-msi/directory-msi.m", "N", 3, 100),
    ("german/german.m", "N", 3, 100),
    ("job-pool/job-pool.m", "K", 3, 30),
    ("leader-complete/leader-complete.m", "N", 3, 100),
    ("leader-ring/leader-ring.m", "N", 20, 100),
    ("mcs-lock/mcs-lock-union.m", "N", 3, 100),
    ("mcs-lock/mcs-lock.m", "N", 3, 100),
    ("peterson/peterson.m", "N", 20, 100),
    ("readers-writers/readers-writers.m", "R", 3, 100),
    ("two-phase-commit/two-phase-commit.m", "N", 3, 100),
];

/// Families of pointer automata.
const POINTERS: [(&str, &str, usize, usize); 3] = [
    ("double-cycle/double-cycle.red", "N", 3, 100),
    ("leader-forest/leader-forest.red", "N", 3, 100),
    ("mcs-lock/mcs-lock.red", "N", 3, 100),
];

/// Families of processes. (Left out are those whose size is not a number of members, as of a hypercube, or whose text is another one for each number.)
pub const PROCESSES: [(&str, &str, usize, usize); 28] = [
    ("allocator/allocator.pml", "A0", 3, 100),
    ("alternating-bit/alternating-bit.pml", "M", 3, 100),
    ("base-station/base-station.pml", "N", 3, 100),
    ("base-station/senders-receivers.pml", "S", 3, 100),
    ("broken-lock/broken-lock.pml", "N", 3, 100),
    ("database/database-flags.pml", "N", 20, 64),
    ("database/database.pml", "N", 3, 100),
    ("email/email.pml", "N", 3, 100),
    ("hanoi/hanoi.pml", "DISKS", 12, 30),
    ("leader-complete/leader-complete.pml", "N", 3, 100),
    ("leader-ring/leader-ring.pml", "N", 3, 100),
    ("leader-tree/leader-tree.pml", "N", 3, 100),
    ("load-balancer/balancers.pml", "C", 30, 100),
    ("load-balancer/load-balancer.pml", "C", 3, 100),
    ("lost-wakeup/lost-wakeup.pml", "N", 3, 100),
    ("mcs-lock/mcs-lock.pml", "N", 3, 100),
    ("milner/milner.pml", "N", 3, 100),
    ("mutex/mutex.pml", "N", 3, 100),
    ("partial-maps/partial-maps.pml", "N", 3, 100),
    ("peterson/peterson.pml", "N", 20, 100),
    ("peterson-run/peterson-run.pml", "N", 20, 100),
    ("philosophers/philosophers.pml", "N", 3, 100),
    ("readers-writers/readers-writers.pml", "R", 3, 100),
    ("social-golfer/social-golfer.pml", "W", 3, 30),
    ("three-tier/three-tier.pml", "C1", 3, 50),
    ("token-lock/token-lock.pml", "N", 3, 100),
    ("token-ring/token-ring.pml", "N", 3, 100),
    ("two-hop/two-hop.pml", "N", 3, 100),
];

/// So many times what there is of code for three members is the most that there is for many.
const LONGEST: usize = 3;

#[test]
fn code_does_not_grow_with_the_number_of_members() {
    let mut grown = Vec::new();
    let families = FAMILIES.into_iter().chain(PROCESSES).chain(POINTERS);
    for (file, parameter, few, many) in families {
        let programs = [3, few, many].map(|count| program(file, parameter, count));
        let operations = programs.each_ref().map(Program::operations);
        let bytes = programs.each_ref().map(machine_code);
        assert!(bytes[0] > 0, "{file}: there is machine code");
        let grows =
            |[least, small, large]: [usize; 3]| large * 10 > small * 11 || large > least * LONGEST;
        if grows(operations) || grows(bytes) {
            grown.push(format!(
                "{file}: {operations:?} operations, {bytes:?} bytes"
            ));
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
