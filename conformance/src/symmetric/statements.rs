//! Statements without loops, and sequences of statements.

use super::tamper::Site;
use super::values::{join, word};
use super::world::Holds;
use super::{Around, Generator};
use crate::program::{Bracket, Expr, Statement};

/// The statements of this file.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Id,
    Number,
    Count,
    Link,
    Message,
    Assert,
    Guard,
    Timeout,
    If,
    Unless,
    Atomic,
    Step,
    ForEach,
}

/// How often another kind of statement is tried where there is nothing to make one of.
const ATTEMPTS: usize = 6;

impl Generator {
    pub(super) fn sequence(&mut self, around: Around, length: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(around)).collect()
    }

    /// A statement together with what its indices need.
    pub(super) fn statement(&mut self, around: Around) -> Statement {
        let outer = std::mem::take(&mut self.needs);
        let honest = self.any(around);
        let needs = std::mem::replace(&mut self.needs, outer);
        let honest = self.when(needs, honest, around);
        let slips = self.odd_statements();
        let slip = self.tamper.pass(Site::Statement, || slips);
        slip.map_or(honest, Statement::Word)
    }

    /// The statement, if that is true.
    fn when(&mut self, needs: Vec<String>, then: Statement, around: Around) -> Statement {
        let how = self.dice.below(3);
        if needs.is_empty() {
            return then;
        }
        let guard = Statement::Guard(join("&&", words(needs)));
        if around.step || how == 0 {
            let branch = vec![guard, then];
            return Statement::If(vec![branch, vec![Statement::word("else")]]);
        }
        Statement::Block(Bracket::Atomic, vec![guard, then])
    }

    fn any(&mut self, around: Around) -> Statement {
        let shallow = usize::from(around.depth < 2);
        let waits = usize::from(!around.step);
        let kinds = [
            (5, Kind::Id),
            (4, Kind::Number),
            (2, Kind::Count),
            (1, Kind::Link),
            (5 * waits, Kind::Message),
            (2, Kind::Assert),
            (2 * waits, Kind::Guard),
            (usize::from(around.depth < 2) * waits, Kind::Timeout),
            (3 * shallow, Kind::If),
            (shallow * waits, Kind::Unless),
            (2 * shallow * waits, Kind::Atomic),
            (3 * shallow * waits, Kind::Step),
            (4 * shallow, Kind::ForEach),
        ];
        for _ in 0..ATTEMPTS {
            self.needs.clear();
            let kind = self.dice.weighted(&kinds);
            if let Some(statement) = self.of_kind(kind, around) {
                return statement;
            }
        }
        self.needs.clear();
        Statement::word("skip")
    }

    fn of_kind(&mut self, kind: Kind, around: Around) -> Option<Statement> {
        Some(match kind {
            Kind::Id => self.id_assignment()?,
            Kind::Number => self.number_assignment()?,
            Kind::Count => self.count(around)?,
            Kind::Link => self.link_assignment()?,
            Kind::Message => self.message(around)?,
            Kind::Assert => Statement::Assert(self.condition()),
            Kind::Guard => Statement::Guard(self.condition()),
            Kind::Timeout => Statement::Guard(Expr::word("timeout")),
            Kind::If => self.choice(around),
            Kind::Unless => {
                let main = self.sequence(around.deeper(), 2);
                Statement::Unless(main, vec![Statement::Guard(self.condition())])
            }
            Kind::Atomic => {
                let opening = self.opening(around);
                let rest = self.sequence(around.deeper(), 2);
                Statement::Block(Bracket::Atomic, [opening, rest].concat())
            }
            Kind::Step => {
                let opening = self.opening(around);
                let rest = self.sequence(around.in_step(), 2);
                Statement::Block(Bracket::DStep, [opening, rest].concat())
            }
            Kind::ForEach => self.for_each(around)?,
        })
    }

    /// What a sequence may have to wait for.
    fn opening(&mut self, around: Around) -> Vec<Statement> {
        match self.dice.below(3) {
            0 => vec![Statement::Guard(self.condition())],
            1 => {
                let outer = std::mem::take(&mut self.needs);
                let message = self.message(around.in_step());
                let needs = std::mem::replace(&mut self.needs, outer);
                match needs.is_empty() {
                    true => message.into_iter().collect(),
                    // Behind a guard the message might block in the middle of a `d_step`.
                    false => vec![Statement::Guard(join("&&", words(needs)))],
                }
            }
            _ => Vec::new(),
        }
    }

    fn id_assignment(&mut self) -> Option<Statement> {
        let (place, holds) = self.place(|h| matches!(h, Holds::Id(_)))?;
        let Holds::Id(domain) = holds else {
            return None;
        };
        let id = self.id(domain);
        (id != Expr::Place(place.clone())).then_some(Statement::Assign(place, id))
    }

    fn number_assignment(&mut self) -> Option<Statement> {
        let (place, holds) = self.place(|h| matches!(h, Holds::Number(_)))?;
        let Holds::Number(most) = holds else {
            return None;
        };
        let value = match self.dice.chance(50) {
            true => Expr::Number(self.dice.between(0, most)),
            false => modulo(self.number(), most + 1),
        };
        Some(Statement::Assign(place, value))
    }

    /// One more, as long as there are values left.
    fn count(&mut self, around: Around) -> Option<Statement> {
        let (place, holds) = self.place(|h| matches!(h, Holds::Number(_)))?;
        let Holds::Number(most) = holds else {
            return None;
        };
        let below = Expr::binary("<", Expr::Place(place.clone()), Expr::Number(most));
        let branch = vec![Statement::Guard(below), Statement::Count(place, "++")];
        if around.step {
            return Some(Statement::If(vec![branch, vec![Statement::word("else")]]));
        }
        Some(Statement::Block(Bracket::DStep, branch))
    }

    fn link_assignment(&mut self) -> Option<Statement> {
        let (place, holds) = self.place(|h| matches!(h, Holds::Link(_)))?;
        let Holds::Link(domain) = holds else {
            return None;
        };
        let value = match self.dice.chance(50) {
            true => self.link(domain)?,
            false => Expr::Number(0),
        };
        Some(Statement::Assign(place, value))
    }

    fn choice(&mut self, around: Around) -> Statement {
        let inner = around.deeper();
        let mut branches = Vec::new();
        for _ in 0..self.dice.between(1, 2) {
            let mut branch = vec![Statement::Guard(self.condition())];
            branch.extend(self.sequence(inner, 1));
            branches.push(branch);
        }
        if around.step || self.dice.chance(50) {
            let mut branch = vec![Statement::word("else")];
            branch.extend(self.sequence(inner, 1));
            branches.push(branch);
        }
        Statement::If(branches)
    }

    /// Statements that tell names apart.
    fn odd_statements(&self) -> Vec<String> {
        let mut odd = vec![format!("assert(_nr_pr < {})", self.world.domains[0].last())];
        let numbers = self.cells(|c| matches!(c.holds, Holds::Number(_)) && c.indices.is_empty());
        for (domain, own) in &self.scope.selves {
            let last = self.domain(*domain).last();
            odd.push(format!("assert({own} != {last})"));
            odd.push(format!("if :: {own} == {last} -> skip :: else fi"));
            for number in &numbers {
                let number = number.at(&[]);
                odd.push(format!("{number} = ({own} > {last} - 1)"));
                odd.push(format!(
                    "d_step {{ {number} = {own}; {number} = {number} % 2 }}"
                ));
            }
            let ids = self.cells(|c| c.holds == Holds::Id(*domain) && c.indices.is_empty());
            for id in ids.iter().map(|c| c.at(&[])) {
                odd.push(format!("{id} = {last}"));
                odd.push(format!("assert({id} != {last})"));
                odd.push(format!("if :: {id} < {last} -> {id}++ :: else fi"));
            }
        }
        for cell in self.cells(|c| c.indices.len() == 1) {
            let (domain, base) = cell.indices[0];
            let one = cell.at(&[format!("{}", self.domain(domain).first() - base)]);
            odd.push(format!("assert({one} != 1)"));
            if matches!(cell.holds, Holds::Number(_)) {
                odd.push(format!("{one} = 1"));
            }
        }
        odd
    }
}

/// The rest of a division.
pub(super) fn modulo(number: Expr, by: i32) -> Expr {
    match number {
        Expr::Number(n) => Expr::Number(n % by),
        number => Expr::binary("%", number, Expr::Number(by)),
    }
}

fn words(texts: Vec<String>) -> Vec<Expr> {
    texts.into_iter().map(word).collect()
}
