//! Facts that hold at a point of the code that is being made.

use super::operand::{Bounds, Operand};
use crate::code::Register;
use cranelift_codegen::ir::Block;
use std::collections::BTreeMap;

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Known(Operand),
    /// Different things on different ways to this point. The variable of the register has it, and is asked only if it is
    /// wanted: most of what is in registers is not.
    Met(Bounds),
}

impl Held {
    fn bounds(self) -> Bounds {
        match self {
            Held::Known(operand) => operand.bounds(),
            Held::Met(bounds) => bounds,
        }
    }
}

/// A set of cells that is quickly copied: it is, for each choice of a routine.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells(Vec<u64>);

impl Cells {
    pub fn insert(&mut self, cell: u32) {
        let (word, bit) = (cell as usize / 64, cell % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    pub fn contains(&self, cell: u32) -> bool {
        let word = self.0.get(cell as usize / 64);
        word.is_some_and(|word| word >> (cell % 64) & 1 != 0)
    }

    fn insert_all(&mut self, others: &Cells) {
        if self.0.len() < others.0.len() {
            self.0.resize(others.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }
}

/// What is known of registers and cells. A value that is named here was computed on every way to this point.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub registers: BTreeMap<Register, Held>,
    pub cells: BTreeMap<u32, Operand>,
    /// Cells that may have been changed since the step began, so that what holds between steps says nothing about them.
    pub touched: Cells,
}

impl Facts {
    /// What is known of a cell that holds that number.
    pub fn of_cell(cell: u32, value: i64) -> Self {
        let mut facts = Facts::default();
        facts.cells.insert(cell, Operand::Constant(value));
        facts
    }

    /// Forgets what was known of cells that may have been changed.
    pub fn touch(&mut self, cells: impl Iterator<Item = u32>) {
        for cell in cells {
            self.cells.remove(&cell);
            self.touched.insert(cell);
        }
    }

    /// What is known where two ways meet.
    pub fn meet(&mut self, other: &Facts) {
        self.cells
            .retain(|cell, operand| other.cells.get(cell) == Some(operand));
        self.touched.insert_all(&other.touched);
        self.registers
            .retain(|register, held| match other.registers.get(register) {
                None => false,
                Some(same) if same == held => true,
                Some(different) => {
                    *held = Held::Met(held.bounds().hull(different.bounds()));
                    true
                }
            });
    }

    /// The cells that hold known numbers, among those that may have been changed.
    pub fn numbers(&self) -> Vec<(u32, i64)> {
        let touched = self
            .cells
            .iter()
            .filter(|(cell, _)| self.touched.contains(**cell));
        touched
            .filter_map(|(cell, operand)| Some((*cell, operand.constant()?)))
            .collect()
    }
}

/// The ways that lead to a point of the code, which all come before it.
#[derive(Debug)]
pub(super) struct Landing {
    pub block: Block,
    facts: Option<Facts>,
}

impl Landing {
    pub fn new(block: Block) -> Self {
        Landing { block, facts: None }
    }

    /// One more way leads there.
    pub fn add(&mut self, facts: &Facts) {
        match &mut self.facts {
            Some(known) => known.meet(facts),
            None => self.facts = Some(facts.clone()),
        }
    }

    /// What is known there; nothing if no way leads there.
    pub fn facts(self) -> Option<Facts> {
        self.facts
    }
}
