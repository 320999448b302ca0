//! Statements.

use super::scope::{Access, Kind, Name, Type};
use super::{Generator, Statement};

const WRITABLE: [Access; 2] = [Access::Write, Access::Doubtful];

impl Generator {
    /// Some statements.
    pub(super) fn statements(&mut self, depth: usize) -> Vec<Statement> {
        let count = self.dice.weighted(&[(3, 1), (3, 2), (2, 3), (1, 4)]);
        (0..count).filter_map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Option<Statement> {
        if depth == 0 {
            return self.assignment();
        }
        match self.dice.below(24) {
            0..3 => self.conditional(depth),
            3 => self.switch(depth),
            4..6 => self.each(depth),
            6 => self.counted(depth),
            7 => self.waiting(depth),
            8 => self.aliased(depth),
            9 | 10 => self.call(),
            11 => self.forgotten(),
            12 => self.cleared(),
            13 => self.whole_assignment(),
            14 => self.complaint(),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> Option<Statement> {
        let ty = self.held_type(&WRITABLE);
        let place = self.place(ty, &WRITABLE)?;
        let mut value = self.value(ty, 2)?;
        if value == place {
            value = self.value(ty, 2)?;
        }
        Some(Statement::Simple(format!("{place} := {value}")))
    }

    /// A record or array as a whole. What may be undefined goes only where that is expected.
    fn whole_assignment(&mut self) -> Option<Statement> {
        let ty = self.dice.below(self.types.len());
        if self.is_simple(ty) {
            return self.assignment();
        }
        let doubtful = self.dice.chance(50);
        let (to, from) = match doubtful {
            true => (
                self.place(ty, &[Access::Doubtful])?,
                self.place(ty, &WRITABLE)?,
            ),
            false => (
                self.place(ty, &[Access::Write])?,
                self.place(ty, &[Access::Write, Access::Read])?,
            ),
        };
        Some(Statement::Simple(format!("{to} := {from}")))
    }

    fn forgotten(&mut self) -> Option<Statement> {
        let ty = self.dice.below(self.types.len());
        let place = self.place(ty, &[Access::Doubtful])?;
        Some(Statement::Simple(format!("undefine {place}")))
    }

    /// `clear` gives scalarsets their first member, which is not for everybody.
    fn cleared(&mut self) -> Option<Statement> {
        let ty = self.dice.below(self.types.len());
        if self.holds_members(ty) && !self.dice.chance(10) {
            return self.assignment();
        }
        let place = self.place(ty, &WRITABLE)?;
        Some(Statement::Simple(format!("clear {place}")))
    }

    fn holds_members(&self, ty: Type) -> bool {
        match &self.types[ty].kind {
            Kind::Scalarset(_) => true,
            Kind::Record(fields) => fields.iter().any(|(_, field)| self.holds_members(*field)),
            Kind::Array(_, element) => self.holds_members(*element),
            _ => false,
        }
    }

    fn conditional(&mut self, depth: usize) -> Option<Statement> {
        let head = format!("if {} then", self.condition(2));
        let mut branches = vec![(head, self.statements(depth - 1))];
        if self.dice.chance(30) {
            let head = format!("elsif {} then", self.condition(1));
            branches.push((head, self.statements(depth - 1)));
        }
        if self.dice.chance(40) {
            branches.push(("else".into(), self.statements(depth - 1)));
        }
        Some(Statement::Compound(branches, "end"))
    }

    fn switch(&mut self, depth: usize) -> Option<Statement> {
        let ty = self.simple_type();
        let value = self.value(ty, 1)?;
        let mut branches = vec![(format!("switch {value}"), Vec::new())];
        for _ in 0..1 + self.dice.below(2) {
            let mut head = format!("case {}", self.value(ty, 0)?);
            if self.dice.chance(30) {
                head += &format!(", {}", self.value(ty, 0)?);
            }
            branches.push((head + ":", self.statements(depth - 1)));
        }
        if self.dice.chance(40) {
            branches.push(("else".into(), self.statements(depth - 1)));
        }
        Some(Statement::Compound(branches, "end"))
    }

    /// Statements in which something has a name of its own.
    fn with_name(&mut self, name: Name, depth: usize) -> Vec<Statement> {
        self.names.push(name);
        let body = self.statements(depth);
        self.names.pop();
        body
    }

    fn each(&mut self, depth: usize) -> Option<Statement> {
        let ty = self.simple_type();
        let text = self.fresh("i");
        let head = format!("for {text}: {} do", self.types[ty].name);
        let access = Access::Read;
        let body = self.with_name(Name { text, ty, access }, depth - 1);
        Some(Statement::Compound(vec![(head, body)], "end"))
    }

    /// A loop over numbers: from the least value of the range to one that is known when the model runs.
    fn counted(&mut self, depth: usize) -> Option<Statement> {
        let ranges = (0..self.types.len()).filter(|ty| self.is_range(*ty));
        let ty = self.dice.pick(&ranges.collect::<Vec<_>>());
        let text = self.fresh("i");
        // Constants would have to be in order.
        let from = self.place(ty, &[Access::Write, Access::Read])?;
        let to = self.value(ty, 1)?;
        let head = format!("for {text} := {from} to {to} do");
        let access = Access::Read;
        let body = self.with_name(Name { text, ty, access }, depth - 1);
        Some(Statement::Compound(vec![(head, body)], "end"))
    }

    fn is_range(&self, ty: Type) -> bool {
        matches!(self.types[ty].kind, Kind::Range(..))
    }

    /// A loop that ends: every round makes a number larger.
    fn waiting(&mut self, depth: usize) -> Option<Statement> {
        let names = self.names.iter();
        let names = names.filter(|n| n.access == Access::Write && self.is_range(n.ty));
        let names: Vec<Name> = names.cloned().collect();
        if names.is_empty() {
            return self.conditional(depth);
        }
        let name = self.dice.pick(&names);
        let Kind::Range(_, high) = self.types[name.ty].kind else {
            return None;
        };
        let head = format!("while {} < {high} do", name.text);
        let text = format!("{0} := {0} + 1", name.text);
        // Nothing else in the loop may write to it.
        let hidden = self.names.iter().position(|n| n.text == name.text)?;
        self.names[hidden].access = Access::Read;
        let functions = std::mem::take(&mut self.functions);
        let mut body = self.statements(0);
        self.functions = functions;
        self.names[hidden].access = Access::Write;
        body.push(Statement::Simple(text));
        Some(Statement::Compound(vec![(head, body)], "end"))
    }

    fn aliased(&mut self, depth: usize) -> Option<Statement> {
        let ty = self.dice.below(self.types.len());
        let text = self.fresh("w");
        let (target, access) = match self.place(ty, &[Access::Write]) {
            Some(place) => (place, Access::Write),
            None if self.is_simple(ty) => (self.value(ty, 1)?, Access::Read),
            None => return self.assignment(),
        };
        let head = format!("alias {text}: {target} do");
        let body = self.with_name(Name { text, ty, access }, depth - 1);
        Some(Statement::Compound(vec![(head, body)], "end"))
    }

    fn call(&mut self) -> Option<Statement> {
        if self.functions.is_empty() {
            return self.assignment();
        }
        let functions = self.functions.clone();
        let function = self.dice.pick(&functions);
        let arguments = self.arguments(&function, 1)?;
        let call = format!("{}({arguments})", function.name);
        let Some(result) = function.result else {
            return Some(Statement::Simple(call));
        };
        // A variable without an index: the call may change what an index reads.
        let names = self.names.iter();
        let names = names.filter(|n| n.ty == result && n.access != Access::Read);
        let names: Vec<Name> = names.cloned().collect();
        if names.is_empty() {
            return Some(Statement::Simple(call));
        }
        let name = self.dice.pick(&names);
        Some(Statement::Simple(format!("{} := {call}", name.text)))
    }

    /// Something that may be wrong, or rule the step out.
    fn complaint(&mut self) -> Option<Statement> {
        let condition = self.condition(2);
        let text = match self.dice.below(6) {
            0 => format!("assert {condition} \"asserted\""),
            1..4 => format!("assume {condition}"),
            _ => {
                let other = self.condition(2);
                let wrong = vec![Statement::Simple("error \"wrong\"".into())];
                let head = format!("if {condition} & {other} & {} then", self.condition(1));
                return Some(Statement::Compound(vec![(head, wrong)], "end"));
            }
        };
        Some(Statement::Simple(text))
    }
}
