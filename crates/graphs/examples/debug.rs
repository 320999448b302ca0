#![allow(clippy::print_stdout, missing_docs)]
#[path = "../tests/families/mod.rs"]
mod families;
use families::*;
use mandala_graphs::{Budget, automorphisms};
use mandala_groups::Seeded;
fn main() {
    for k in 1..8 {
        let mut plain = shrikhande().copies(k);
        plain.append(&rook(4).copies(k));
        let plain = plain.shuffled(&mut Seeded::new(3));
        let f = automorphisms(&plain.graph(), &Budget::of_nodes(1000000));
        println!("{k} {:?} {} {}", f.statistics, f.complete, f.order);
    }
    for k in 1..8 {
        let mut plain = cfi(&complete(4), false).copies(k);
        plain.append(&cfi(&complete(4), true).copies(k));
        let plain = plain.shuffled(&mut Seeded::new(3));
        let f = automorphisms(&plain.graph(), &Budget::of_nodes(1000000));
        println!("{k} {:?} {} {}", f.statistics, f.complete, f.order);
    }
}
