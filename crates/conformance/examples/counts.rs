//! scratch
#![allow(clippy::print_stdout)]
use mandala_conformance::reduced::*; use mandala_conformance::spin::Claim;
use mandala_checker::options::*; use mandala_reduce::Strategy;
use std::path::Path;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&a[0]).unwrap();
    let case = Case::load(Path::new(&a[0]), &text, &a[2..], Claim::None).unwrap();
    let t = std::time::Instant::now();
    let s = match case.symmetry() { Ok(s) => s, Err(e) => { println!("declined {e}"); return; } };
    let d = t.elapsed();
    let t = std::time::Instant::now();
    let r = match a[1].as_str() { "off" => case.search(Manner::OFF, &s), n => case.search(Manner{symmetry: SymmetryChoice::Use(n.parse::<Strategy>().unwrap()), ..Manner::OFF}, &s) };
    println!("{} {:?}: order {} {} rewritten {} detect {:?} search {:?}: {:?} {}", a[0].rsplit('/').next().unwrap(), &a[2..], s.group.order, s.group.structure, s.rewritten.is_some(), d, t.elapsed(), r, s.note.clone().unwrap_or_default());
    for b in s.refused.iter().take(3) { println!("   refused {}: {}", b.what, b.breach); }
}
