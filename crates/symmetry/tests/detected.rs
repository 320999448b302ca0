//! What is found in models without being told, and brute force agrees.

mod common;

use common::{Judgement, Loaded, bundled, judge_certificate};

fn show(name: &str, loaded: &Loaded) {
    let detected = loaded.detect();
    println!("=== {name}");
    if let Some(c) = &detected.certificate {
        println!("  {:?}", loaded.summary(c));
        let j = judge_certificate(loaded, c, 1500);
        match j {
            Judgement::Symmetric { states, checks } => println!("  ok {states} {checks}"),
            Judgement::Asymmetric(s) => println!("  WRONG {s}"),
        }
    }
    for r in &detected.refused {
        println!(
            "  refused {}: {}",
            r.label,
            loaded.reasons(&r.breaches).replace('\n', " | ")
        );
    }
}

#[test]
fn exploring() {
    for (name, defines) in [
        ("mutex", &["N=3"][..]),
        ("broken-lock", &["N=3"]),
        ("peterson", &["N=3"]),
        ("mcs-lock", &["N=3"]),
        ("partial-maps", &["N=3"]),
        ("database", &["N=3"]),
        ("email", &["N=2"]),
        ("readers-writers", &["R=3", "W=2"]),
        ("lost-wakeup", &["N=3"]),
        ("load-balancer", &["S=2", "C=3"]),
        ("three-tier", &["C1=2", "C2=2"]),
        ("initialisation", &["N=2"]),
        ("alternating-bit", &[]),
        ("hypercube", &["D=2"]),
        ("leader-ring", &["N=3"]),
        ("milner", &["N=3"]),
        ("philosophers", &["N=3"]),
    ] {
        show(name, &bundled(name, defines));
    }
    for f in [
        "email3",
        "2s3cs",
        "peterson3",
        "mutex5",
        "reordered_byte",
        "fail_accept",
    ] {
        let text =
            std::fs::read_to_string(format!("/work/shared/models/promela/topspin/{f}.p")).unwrap();
        show(f, &common::load(&text, &[]));
    }
}
