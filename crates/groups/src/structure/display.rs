//! Structures in the notation of the textbooks: `S4 x S3`, `S3 wr S2`, `2^5 : S5`.

use super::{Factor, Shape, Structure};
use std::fmt;

impl fmt::Display for Structure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = self.factors.as_slice() {
            return write!(out, "{only}");
        }
        for (index, factor) in self.factors.iter().enumerate() {
            if index > 0 {
                out.write_str(" x ")?;
            }
            write_operand(factor, is_atom(&factor.shape), out)?;
        }
        if self.factors.is_empty() {
            out.write_str("trivial")
        } else {
            Ok(())
        }
    }
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
                let inner_is_atom = match wreath.inner.factors.as_slice() {
                    [only] => is_atom(&only.shape),
                    factors => factors.is_empty(),
                };
                write_operand(&wreath.inner, inner_is_atom, out)?;
                out.write_str(" wr ")?;
                write_operand(&wreath.top, is_atom(&wreath.top), out)
            }
            Shape::Carrying(carrying) => {
                write_operand(&carrying.names, is_atom(&carrying.names), out)?;
                write!(out, " carrying {} points", carrying.carried.len())
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

fn write_operand(
    operand: &impl fmt::Display,
    is_atom: bool,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if is_atom {
        write!(out, "{operand}")
    } else {
        write!(out, "({operand})")
    }
}
