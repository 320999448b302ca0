//! Structures in the notation of the textbooks: `S4 x S3`, `S3 wr S2`, `2^5 : S5`.

use super::{Factor, Shape, Structure};
use std::fmt;

/// Larger factors first, whatever points they act on; four and more of a kind as a power.
impl fmt::Display for Structure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.factors.as_slice() {
            [] => out.write_str("trivial"),
            [only] => write!(out, "{only}"),
            factors => out.write_str(&product_of(factors)),
        }
    }
}

fn product_of(factors: &[Factor]) -> String {
    let mut operands: Vec<(&Factor, String)> = factors
        .iter()
        .map(|factor| (factor, operand(factor, is_atom(&factor.shape))))
        .collect();
    operands.sort_by(|(one, name), (other, its_name)| {
        other.order.cmp(&one.order).then(name.cmp(its_name))
    });
    let alike = operands.chunk_by(|one, other| one.1 == other.1);
    let names = alike.map(|run| match run.len() {
        0..=3 => vec![run[0].1.as_str(); run.len()].join(" x "),
        length => format!("{}^{length}", run[0].1),
    });
    names.collect::<Vec<_>>().join(" x ")
}

impl fmt::Display for Factor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Shape::General => write!(out, "order {} on {} points", self.order, self.points.len()),
            shape => write!(out, "{shape}"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Natural(natural) => natural.family.write_name(natural.bundles.len(), out),
            Shape::Wreath(wreath) => {
                let inner = operand(&wreath.inner, is_atomic(&wreath.inner));
                write!(
                    out,
                    "{inner} wr {}",
                    operand(&wreath.top, is_atom(&wreath.top))
                )
            }
            Shape::Carrying(carrying) => {
                let names = operand(&carrying.names, is_atomic(&carrying.names));
                write!(out, "{names} carrying {} points", carrying.carried.len())
            }
            Shape::General => out.write_str("general"),
        }
    }
}

/// Whether the name of the shape can stand in a product without parentheses.
fn is_atom(shape: &Shape) -> bool {
    match shape {
        Shape::Natural(natural) => natural.family != crate::Family::Hypercube,
        _ => false,
    }
}

fn is_atomic(structure: &Structure) -> bool {
    match structure.factors.as_slice() {
        [only] => is_atom(&only.shape),
        factors => factors.is_empty(),
    }
}

fn operand(operand: &impl fmt::Display, is_atom: bool) -> String {
    if is_atom {
        operand.to_string()
    } else {
        format!("({operand})")
    }
}
