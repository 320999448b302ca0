//! Values of parameters and of the variables of quantifiers.
//!
//! There is a loop over them, so that the length of the code does not depend on how many there are. Only in code that is worth more time to make
//! ([`CodeKind::Copies`]) there is code for each value, if there are few; then the value is a number, and so are the cells that it is an index of.
//!
//! Measured, in seconds of processor time from the command to the verdict, with loops and with copies: German's protocol for four caches, a
//! million states without symmetry 1.60 and 1.44, directory for three caches 0.52 and 0.65, a list of six cells 0.07 and 0.20.

use super::CodeKind;
use super::code::Run;
use super::facts::Held;
use super::operand::{Bounds, Operand};
use super::translator::Translator;
use crate::code::{CompiledEdge, Register};
use crate::values::{CompiledParameter, Loop, Parameters, extremes};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use mandala_model::parameters::{Progression, Values};

/// For so many choices of the parameters of an edge there is code for each of them.
const MOST_COPIES: u32 = 64;

/// So many operations of a quantifier have code for each value.
const MOST_OPERATIONS: u64 = 400;

/// How many times an edge with those parameters is translated.
pub(crate) fn copies(kind: CodeKind, parameters: Parameters) -> usize {
    match (kind, parameters.choices) {
        (CodeKind::Copies, choices @ 1..=MOST_COPIES) => choices as usize,
        _ => 1,
    }
}

/// What is translated for each choice.
struct Target<'t, 'a, 'f> {
    process: u32,
    /// The row behind that of the last parameter.
    end: u32,
    /// Whether there is code for each value.
    copied: bool,
    each: &'t mut dyn FnMut(&mut Translator<'a, 'f>, Operand),
}

impl<'a, 'f> Translator<'a, 'f> {
    /// Translates something for each choice of the parameters of an edge, by its number, and goes on behind all of them.
    pub fn each_choice(
        &mut self,
        edge: &CompiledEdge,
        process: u32,
        each: &mut dyn FnMut(&mut Translator<'a, 'f>, Operand),
    ) {
        if edge.parameters.is_empty() {
            return each(self, Operand::Constant(0));
        }
        let plan = self.plan;
        let end = self.block();
        if self.guard(edge.parameters.early, process, end).is_ok() {
            let mut target = Target {
                process,
                end: edge.parameters.first + edge.parameters.count,
                copied: copies(plan.kind, edge.parameters) > 1,
                each,
            };
            let parameters = edge.parameters.of(&plan.program.code);
            self.choose(&mut target, parameters, Operand::Constant(0));
            self.jump(end);
        }
        self.switch_to(end);
    }

    /// Goes through the values of the parameters that are left. Those before them make up the number `chosen`.
    fn choose(
        &mut self,
        target: &mut Target<'_, 'a, 'f>,
        left: &'a [CompiledParameter],
        chosen: Operand,
    ) {
        self.facts.registers.clear();
        let Some((parameter, left)) = left.split_first() else {
            return (target.each)(self, chosen);
        };
        let facts = self.facts.clone();
        if target.copied {
            for position in 0..parameter.count {
                self.facts = facts.clone();
                let position = Operand::Constant(position.into());
                let next = self.block();
                self.choose_one(target, parameter, left, (chosen, position), next);
            }
        } else if parameter.count > 0 {
            self.choose_in_turn(target, parameter, left, chosen);
        }
        self.facts = facts;
    }

    /// Goes through the values of a parameter in a loop.
    fn choose_in_turn(
        &mut self,
        target: &mut Target<'_, 'a, 'f>,
        parameter: &'a CompiledParameter,
        left: &'a [CompiledParameter],
        chosen: Operand,
    ) {
        let variable = self.builder.declare_var(types::I64);
        self.define(variable, types::I64, 0);
        let (head, next, out) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.switch_to(head);
        let position = self.builder.use_var(variable);
        let last = i64::from(parameter.count) - 1;
        let at = Operand::computed(position, Bounds::new(0, last));
        self.choose_one(target, parameter, left, (chosen, at), next);
        let position = self.builder.use_var(variable);
        let following = self.builder.ins().iadd_imm(position, 1);
        self.builder.def_var(variable, following);
        let goes_on = self
            .builder
            .ins()
            .icmp_imm(IntCC::UnsignedLessThanOrEqual, following, last);
        self.branch(goes_on, head, out);
        self.switch_to(out);
    }

    /// Goes on with the value of a parameter at a position, and then at `next`.
    fn choose_one(
        &mut self,
        target: &mut Target<'_, 'a, 'f>,
        parameter: &'a CompiledParameter,
        left: &'a [CompiledParameter],
        (chosen, position): (Operand, Operand),
        next: cranelift_codegen::ir::Block,
    ) {
        let row = target.end - 1 - left.len() as u32;
        let value = self.value_at(&parameter.values, position);
        let cell = self.plan.frame(target.process) + parameter.cell;
        self.facts.cells.insert(cell, value);
        let part = self.times(position, parameter.rest.into());
        let chosen = self.exact_sum(chosen, part);
        if self.guard(parameter.early, target.process, next).is_ok() {
            // Most choices do not get here, so it is asked last whether they need be made.
            let before = self.add_value(row, position, next);
            self.choose(target, left, chosen);
            self.go_back_in_tuple(&before);
            self.jump(next);
        }
        self.switch_to(next);
    }

    /// The value at a position.
    fn value_at(&mut self, values: &Values, position: Operand) -> Operand {
        let at = match position {
            Operand::Constant(position) => return Operand::Constant(values.get(position as u64)),
            Operand::Computed { value, .. } => value,
        };
        let (low, high) = extremes(values);
        let mut before = 0;
        let mut found: Option<Value> = None;
        for run in values.0.iter().filter(|run| run.count > 0) {
            let here = self.value_in(run, before, at);
            found = Some(match found {
                None => here,
                Some(earlier) => {
                    let compare = IntCC::UnsignedLessThan;
                    let is_earlier = self.builder.ins().icmp_imm(compare, at, before);
                    self.builder.ins().select(is_earlier, earlier, here)
                }
            });
            before += i64::from(run.count);
        }
        match found {
            Some(value) => Operand::computed(value, Bounds::new(low, high)),
            None => Operand::Constant(0),
        }
    }

    /// The value at a position, if that is in a run that begins behind so many others.
    fn value_in(&mut self, run: &Progression, before: i64, position: Value) -> Value {
        let scaled = match run.step {
            1 => position,
            step => self.builder.ins().imul_imm(position, step),
        };
        let first = run.first.wrapping_sub(run.step.wrapping_mul(before));
        self.builder.ins().iadd_imm(scaled, first)
    }

    /// Translates the loop of a quantifier whose registers begin with `to`. Says whether it goes on behind it.
    pub(super) fn each_value(&mut self, to: Register, row: u32, run: &mut Run) -> bool {
        let plan = self.plan;
        let each = &plan.program.code.loops[row as usize];
        self.set(to + 2, Operand::Constant(0));
        if each.size > MOST_OPERATIONS {
            return self.each_in_turn(to, each, run);
        }
        let body = each.begin as usize + 1;
        (0..each.count).all(|position| {
            self.set(to, Operand::Constant(each.values.get(position)));
            self.set(to + 1, Operand::Constant(position as i64));
            self.go_through(body, each.end as usize - 1, run)
        })
    }

    /// Translates what is done for each value once.
    fn each_in_turn(&mut self, to: Register, each: &Loop, run: &mut Run) -> bool {
        let (low, high) = extremes(&each.values);
        let last = each.count as i64 - 1;
        self.set(to, Operand::Constant(each.values.get(0)));
        self.set(to + 1, Operand::Constant(0));
        self.settle_registers();
        let (head, out) = (self.block(), self.block());
        self.jump(head);
        self.switch_to(head);
        let known = &mut self.facts.registers;
        known.retain(|register, _| *register < to);
        known.insert(to, Held::Met(Bounds::new(low, high)));
        known.insert(to + 1, Held::Met(Bounds::new(0, last)));
        let result = Held::Met(Bounds::new(each.result.0, each.result.1));
        known.insert(to + 2, result);
        let mut facts = self.facts.clone();
        let body = each.begin as usize + 1;
        if !self.go_through(body, each.end as usize - 1, run) {
            return false;
        }
        let position = self.register(to + 1);
        let next = self.plus(position, 1);
        let value = self.value_at(&each.values, next);
        self.set(to + 1, next);
        self.set(to, value);
        self.settle_registers();
        let next = self.value(next);
        let at_most = IntCC::SignedLessThanOrEqual;
        let goes_on = self.builder.ins().icmp_imm(at_most, next, last);
        self.branch(goes_on, head, out);
        self.switch_to(out);
        facts.registers.remove(&to);
        facts.registers.remove(&(to + 1));
        self.facts = facts;
        true
    }
}
