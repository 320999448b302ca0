//! Ways back that are longer than the depths that are kept.

use crate::common::{assert_real, defined, run_model};
use mandala_engine::Choice;
use mandala_explicit::{AfterViolation, Concerns, Expansion, Extent, Options};

/// A way of `LENGTH` steps with traps: from many states a step leads back to one whose depth, modulo 255 or 254, looks as
/// if it came next. A second counter lets most levels have several states.
const TRAPS: &str = "
    int a; byte b;
    active proctype p() {
        do
        :: d_step { a < LENGTH -> a++; b = (b + 1) % 3 }
        :: d_step { a < LENGTH -> a++; b = (b + 2) % 3 }
        :: d_step { a >= 254 -> a = a - 254 }
        :: d_step { a >= 253 -> a = a - 253 }
        :: d_step { a >= 508 -> a = a - 508 }
        :: d_step { a == WRONG -> assert(a != WRONG); a = 0 }
        od
    }";

#[test]
fn the_way_to_a_deep_violation_is_shortest() {
    for length in [200, 252, 253, 254, 255, 256, 508, 760, 1100] {
        let defines = [format!("LENGTH={length}"), format!("WRONG={length}")];
        let model = defined(TRAPS, &[&defines[0], &defines[1]]);
        for &expand in Expansion::ALL {
            let options = Options {
                expand,
                ..Options::default()
            };
            let found = run_model(&model, &options);
            assert_eq!(found.extent, Extent::FirstViolation);
            assert_eq!(found.statistics.depth, length);
            let evidence = found.evidence.expect("it is violated");
            assert_real(&model, &evidence);
            assert_eq!(evidence.path.len() as u64, length + 1);
        }
    }
}

#[test]
fn a_search_that_goes_on_after_a_deep_violation_counts_the_same() {
    let model = defined(TRAPS, &["LENGTH=900", "WRONG=600"]);
    let counted = Options {
        on_violation: AfterViolation::GoOn,
        ..Options::default()
    };
    let passed = Options {
        concerns: Concerns::new(|_| false),
        ..counted.clone()
    };
    let (with, without) = (run_model(&model, &counted), run_model(&model, &passed));
    assert_eq!(with.statistics.states, without.statistics.states);
    assert_eq!(with.statistics.transitions, without.statistics.transitions);
    let evidence = with.evidence.expect("it is violated");
    assert_real(&model, &evidence);
    assert_eq!(without.evidence, None);
}
