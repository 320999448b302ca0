//! scratch
#![allow(clippy::print_stdout)]
use mandala_conformance::reduced::*; use mandala_conformance::quotient::*; use mandala_conformance::spin::Claim;
use std::path::Path;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&p).unwrap();
    let claim = if text.contains("never") || text.contains("ltl") { Claim::Product } else { Claim::None };
    let case = Case::load(Path::new("random.pml"), &text, &[], claim).unwrap();
    let t = std::time::Instant::now();
    let s = match case.symmetry() { Ok(s) => s, Err(e) => { println!("declined {e}"); return; } };
    println!("order {} rewritten {} note {:?} refused {:?}", s.group.order, s.rewritten.is_some(), s.note, s.refused);
    println!("detect took {:?}", t.elapsed());
    let none = std::rc::Rc::new(mandala_checker::symmetry::DetectedSymmetry::none());
    println!("off: {:?}", case.search(Manner::OFF, &none));
    if let Some(c) = &s.certificate {
        println!("{:#?}", c.domains());
        if std::env::args().nth(2).is_some() { println!("{:#?}", c.sorts()); }
        let model = s.rewritten.as_ref().unwrap_or(case.model());
        let sp = StateSpace::of(model, case.observers().unwrap(), 100000).unwrap();
        let t = std::time::Instant::now();
        println!("brute: {} states, {:?} orbits, asym {:?}", sp.states(), sp.orbits(c, 1000000), sp.asymmetry(c, 100000));
        println!("brute took {:?}", t.elapsed());
        for st in mandala_reduce::Strategy::ALL { for m in mandala_conformance::strategies::manners(st) {
            let t = std::time::Instant::now(); let r = case.search(m, &s);
            println!("{st} {:?} {:?}: {:?} {:?}", m.order, m.expand, r, t.elapsed()); } }
    }
}
