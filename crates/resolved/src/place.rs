//! Places in resolved form: where a cell is, and what it keeps of a value.

use crate::expr::ResolvedExpr;
use mandala_model::UncheckedModel;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::types::{Scalar, wrap};

/// A cell: `offset` cells behind the first one of its base, and for each index so many strides further.
///
/// The indices are evaluated in order, after the base. Those that are constants in their bounds are part of the offset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResolvedPlace {
    /// Where it is counted from.
    pub base: Base,
    /// The part of the way that is known.
    pub offset: u32,
    /// The part of the way that is found in the run.
    pub indices: Vec<Index>,
    /// What the cell keeps of a value.
    pub store: Store,
    /// Where it stands in the source.
    pub span: Span,
}

/// Where a cell is counted from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The first cell of the global variables.
    Global,
    /// The first cell of the local variables of the process that evaluates, or of the claim or the monitors.
    Local,
    /// The first cell of the local variables of another process. It reads as 0 if the process does not exist; it is a
    /// run-time error if the process is not an instance of the template, or to write there.
    Remote {
        /// The template of that process.
        template: TemplateId,
        /// The number of that process.
        process: Box<ResolvedExpr>,
    },
    /// The priority of the process that evaluates.
    OwnPriority,
    /// The process that made the last step; 0 at first. Only read, and only in models that keep it.
    LastMover,
}

/// An element of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Index {
    /// Which one, from 0 on. One outside of the bound is a run-time error, which is reported where the expression stands.
    pub value: ResolvedExpr,
    /// How many cells an element has.
    pub stride: u32,
    /// How many elements there are.
    pub bound: u32,
}

/// What a cell keeps of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Store {
    /// So many of its low bits.
    Bits {
        /// How many, from 1 to 32.
        bits: u8,
        /// Whether they are two's complement.
        signed: bool,
    },
    /// The value, which is a run-time error outside of these limits.
    Range {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
}

impl Store {
    /// What a cell of that type keeps.
    pub fn of(model: &UncheckedModel, scalar: Scalar) -> Self {
        let unsigned = |bits| Store::Bits {
            bits,
            signed: false,
        };
        match scalar {
            Scalar::Int { bits, signed } => Store::Bits { bits, signed },
            Scalar::Bool => unsigned(1),
            Scalar::Enum(_) | Scalar::Process | Scalar::Channel => unsigned(8),
            // -1 stands for undefined.
            Scalar::Id(domain) => Store::Range {
                min: -1,
                max: i64::from(model.domain_size(domain)) - 1,
            },
            Scalar::Range { min, max } => Store::Range { min, max },
            Scalar::Coded { max, .. } => Store::Range { min: 0, max },
        }
    }

    /// What is kept of a value, or nothing if it is not allowed.
    pub fn kept(self, value: i64) -> Option<i64> {
        match self {
            Store::Bits { bits, signed } => Some(wrap(value, bits, signed)),
            Store::Range { min, max } => (min..=max).contains(&value).then_some(value),
        }
    }
}

impl ResolvedPlace {
    /// Whether it is known which cell it is, once it is known whose.
    pub fn is_fixed(&self) -> bool {
        self.indices.is_empty()
    }

    /// Calls `visit` on the expressions that the place is directly made of, in the order of their evaluation.
    pub fn each_part(&self, visit: &mut impl FnMut(&ResolvedExpr)) {
        if let Base::Remote { process, .. } = &self.base {
            visit(process);
        }
        self.indices.iter().for_each(|index| visit(&index.value));
    }
}
