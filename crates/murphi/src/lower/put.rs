//! Lowering of `put`, whose output is never part of the state.
//!
//! As in Rumur, a value is shown alone, and a variable part by part, each on a line with its name. Members of
//! scalarsets have the names that they have in traces.

use super::Lowering;
use super::Meaning;
use super::build::{compare, constant, is_raw, not, plus, read};
use super::flow::End;
use super::places::{Indices, Spot};
use super::shapes::set_name;
use super::value::Value;
use crate::typed::{Expr, Field, Place, Root, TypeId, TypeKind};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered};
use mandala_model::findings::Fallible;
use mandala_model::template::{Effect, Print};

/// How many names are told apart; of a longer list the numbers are shown.
const MOST_NAMES: usize = 64;

impl Lowering<'_> {
    pub(super) fn put_text(&mut self, text: &str) {
        self.print(&escaped(text), Vec::new());
    }

    fn print(&mut self, format: &str, arguments: Vec<Lowered>) {
        let text = Print::Format {
            format: format.to_string(),
            arguments,
        };
        self.flow.effect(Effect::Print { text }, &self.label);
    }

    pub(super) fn put_value(&mut self, expr: &Expr) -> Fallible<()> {
        let value = self.value(expr)?;
        self.shown("", value, expr.ty, "")
    }

    /// A place part by part.
    pub(super) fn put_place(&mut self, place: &Place) -> Fallible<()> {
        let name = self.program.show_place(place);
        match (self.place(place, Indices::Saved)?, place.root) {
            (Meaning::Value(value), Root::Alias(_)) => self.shown("", value, place.ty, ""),
            (Meaning::Value(value), Root::Variable(_)) => {
                self.shown(&format!("{}:", escaped(&name)), value, place.ty, "\\n")
            }
            (Meaning::Spot(spot), _) => self.put_spot(&name, &spot),
        }
    }

    fn put_spot(&mut self, name: &str, spot: &Spot) -> Fallible<()> {
        let names = self.part_names(name, spot.ty);
        for ((place, ty), name) in self.cells(spot).into_iter().zip(names) {
            let raw = read(place);
            let (undefined, defined) = self.fork(is_raw(&raw, 0), raw.span);
            self.flow.join(undefined);
            self.print(&format!("{}:Undefined\\n", escaped(&name)), Vec::new());
            let done = self.flow.take_ends();
            self.flow.join(defined);
            let value = Value::of_raw(raw, self.kind(ty));
            self.shown(&format!("{}:", escaped(&name)), value, ty, "\\n")?;
            self.flow.join(done);
        }
        self.put_elements(spot)
    }

    /// The elements of the multisets in a spot, in any order.
    fn put_elements(&mut self, spot: &Spot) -> Fallible<()> {
        for set in self.pools_inside(spot) {
            let name = format!("{}[]", set.pool.name);
            self.each_position(&set.pool, &mut |lowering, position| {
                let there = match set.owners.is_empty() {
                    true => not(set.pool.is_free(position)),
                    false => set.has(position),
                };
                let (there, others) = lowering.fork(there, spot.span);
                lowering.flow.join(there);
                lowering.put_spot(&name, &set.pool.element_at(position, spot.span))?;
                lowering.flow.join(others);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The names of the cells of a spot, in their order.
    fn part_names(&self, name: &str, ty: TypeId) -> Vec<String> {
        match self.kind(ty) {
            TypeKind::Record(fields) => {
                let part = |f: &Field| (format!("{name}.{}", f.name), f.ty);
                let parts = fields.iter().map(part);
                parts
                    .flat_map(|(name, ty)| self.part_names(&name, ty))
                    .collect()
            }
            TypeKind::Array { index, element } => {
                let first = match self.kind(*index) {
                    TypeKind::Range { lo, .. } => *lo,
                    _ => 0,
                };
                let count = self.program.types.values(*index).unwrap_or(0);
                let part = |i: i128| format!("{name}[{}]", self.value_name(first + i, *index));
                let parts = (0..count).map(part);
                parts
                    .flat_map(|name| self.part_names(&name, *element))
                    .collect()
            }
            TypeKind::Multiset { .. } => Vec::new(),
            _ => vec![name.to_string()],
        }
    }

    /// A value of a type in words: a number, or the name of a member.
    pub(super) fn value_name(&self, value: i128, ty: TypeId) -> String {
        match self.kind(ty) {
            TypeKind::Scalarset(set) => {
                let name = set_name(&self.program.types, *set);
                format!("{name}_{}", value + 1)
            }
            TypeKind::Union(_) => {
                let (part, rest) = self.part_of(value, ty);
                self.value_name(rest, part.ty)
            }
            TypeKind::Slot(_) => value.to_string(),
            _ => self.program.show_constant(value, ty),
        }
    }

    /// Shows a value between two texts, which are escaped.
    fn shown(&mut self, before: &str, value: Value, ty: TypeId, after: &str) -> Fallible<()> {
        match (value, self.kind(ty)) {
            (Value::Number(number), _) => {
                let number = number.expr()?;
                self.print(&format!("{before}%d{after}"), vec![number]);
            }
            (value @ (Value::Truth(_) | Value::Flag(_)), _) => {
                let Some(condition) = value.into_truth() else {
                    return Ok(());
                };
                let (yes, no) = self.fork(condition, self.label.span);
                let done = self.named(yes, &format!("{before}true{after}"));
                let other = self.named(no, &format!("{before}false{after}"));
                self.flow.join(done.into_iter().chain(other));
            }
            (Value::Member(raw), _) => self.shown_member(before, raw, ty, after)?,
            (Value::Whole(_), _) => {}
        }
        Ok(())
    }

    /// Shows a member of an enum, scalarset or union.
    fn shown_member(
        &mut self,
        before: &str,
        raw: Lowered,
        ty: TypeId,
        after: &str,
    ) -> Fallible<()> {
        let less = 1 - self.part_of(0, ty).0.first as i64;
        match self.kind(ty) {
            TypeKind::Union(_) => self.shown_part(before, raw, ty, after)?,
            TypeKind::Enum(members) if members.len() <= MOST_NAMES => {
                let members = members.clone();
                self.member(plus(raw, less), &members, before, after);
            }
            TypeKind::Scalarset(set) => {
                let set = escaped(&set_name(&self.program.types, *set));
                self.print(&format!("{before}{set}_%d{after}"), vec![plus(raw, less)]);
            }
            _ => self.print(&format!("{before}%d{after}"), vec![plus(raw, less - 1)]),
        }
        Ok(())
    }

    /// Shows a value of a union as one of the member that it belongs to.
    fn shown_part(&mut self, before: &str, raw: Lowered, ty: TypeId, after: &str) -> Fallible<()> {
        let mut done = Vec::new();
        for part in self.parts(ty) {
            let last = constant(part.last() as i64, raw.span);
            let is_here = compare(Op::LessEqual, raw.clone(), last);
            let (here, others) = self.fork(is_here, raw.span);
            self.flow.join(here);
            let value = Value::of_raw(raw.clone(), self.kind(part.ty));
            self.shown(before, value, part.ty, after)?;
            done.extend(self.flow.take_ends());
            self.flow.join(others);
        }
        self.flow.join(done);
        Ok(())
    }

    fn named(&mut self, ends: Vec<End>, text: &str) -> Vec<End> {
        self.flow.join(ends);
        self.print(text, Vec::new());
        self.flow.take_ends()
    }

    fn member(&mut self, raw: Lowered, members: &[std::sync::Arc<str>], before: &str, after: &str) {
        let mut done = Vec::new();
        for (number, member) in members.iter().enumerate() {
            let (this, others) = self.fork(is_raw(&raw, number as i64 + 1), raw.span);
            done.extend(self.named(this, &format!("{before}{}{after}", escaped(member))));
            self.flow.join(others);
        }
        self.flow.join(done);
    }
}

/// A text in which `%` means nothing else.
fn escaped(text: &str) -> String {
    text.replace('%', "%%")
}
