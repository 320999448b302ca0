//! The group of a model does not depend on how busy the machine is.

use mandala_checker::frontend::{self, ModelInput};
use mandala_checker::options::CheckOptions;
use mandala_conformance::dose::Dose;
use mandala_conformance::promises;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bundled models that take most work to certify, and ones of which a small part is proven.
const EXPENSIVE: &[(&str, &[&str])] = &[
    ("hypercube", &["D=5"]),
    ("social-golfer", &["W=3"]),
    ("hanoi", &["DISKS=6"]),
    ("leader-complete", &["N=15"]),
    ("two-hop", &["N=4"]),
];

/// How many threads keep the machine busy.
const BUSY: usize = 8;

/// How often each group is found beside them, usually and in a large dose.
const TIMES: (usize, usize) = (1, 5);

fn bundled(name: &str) -> PathBuf {
    let models = promises::models().expect("the folder is there");
    let file = format!("{name}.pml");
    let mut named = models.into_iter().filter(|path| path.ends_with(&file));
    named.next().expect("the model is there")
}

/// All that is told of the symmetry of a model but the time that it took.
fn symmetry(name: &str, settings: &[&str]) -> String {
    let path = bundled(name);
    let input = ModelInput {
        text: std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}")),
        path,
        defines: settings.iter().map(ToString::to_string).collect(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    let loaded = frontend::load(input).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let report = mandala_checker::symmetry(&loaded, &CheckOptions::default());
    let mut told = report
        .unwrap_or_else(|e| panic!("{name}: {e:?}"))
        .document
        .symmetry;
    if let Some(detection) = &mut told.detection {
        detection.seconds = 0.0;
    }
    format!("{told:?}")
}

/// Does something while other threads use all cores.
fn beside_busy_threads<T>(what: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..BUSY {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = what();
        done.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn groups_do_not_depend_on_load() {
    let times = Dose::one_of(TIMES.0, TIMES.1);
    for (name, settings) in EXPENSIVE {
        let alone = symmetry(name, settings);
        for _ in 0..times {
            let beside = beside_busy_threads(|| symmetry(name, settings));
            assert_eq!(beside, alone, "{name} {settings:?}");
        }
    }
}
