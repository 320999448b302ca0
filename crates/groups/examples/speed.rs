//! Times the main operations.
#![allow(clippy::print_stdout)]
use mandala_groups::*;
use std::time::Instant;

fn main() {
    let time = |name: &str, f: &dyn Fn() -> Group| {
        let t = Instant::now();
        let g = f();
        let o = g.order().to_string();
        println!("{name:30} {:>10.3} ms degree {} base {} strong {} order {}", t.elapsed().as_secs_f64()*1e3, g.degree(), g.chain().len(), g.chain().strong_generators().count(), if o.len() > 30 { format!("~1e{}", o.len()-1) } else { o });
    };
    time("S_200", &|| Group::symmetric(200));
    time("S_200 2 gens", &|| Group::new(200, vec![Group::cyclic(200).generators()[0].clone(), Permutation::transposition(200,0,1).unwrap()]).unwrap());
    time("A_100", &|| Group::alternating(100));
    time("C_4000", &|| Group::cyclic(4000));
    time("D_4000", &|| Group::dihedral(4000));
    time("S3 wr S40", &|| Group::symmetric(3).wreath(&Group::symmetric(40)));
    time("S40 wr S3", &|| Group::symmetric(40).wreath(&Group::symmetric(3)));
    time("C3 wr C40", &|| Group::cyclic(3).wreath(&Group::cyclic(40)));
    for d in [5,8,10] { time(&format!("Q_{d}"), &|| Group::hypercube(d)); }
    time("S3^100", &|| (0..6).fold(Group::symmetric(3), |g,_| g.direct_product(&g)));
}
