//! Statements that do something with every name, or choose one of all.

use super::tamper::Site;
use super::values::word;
use super::world::{Cell, Holds};
use super::{Around, Generator};
use crate::program::{Bracket, Expr, Place, Statement};

impl Generator {
    /// One of the statements of this file.
    pub(super) fn for_each(&mut self, around: Around) -> Option<Statement> {
        let domain = self.some_domain();
        match self.dice.below(7) {
            0 | 1 => self.chosen(domain, around),
            2 => self.each_name(domain, around),
            3 => self.all_set(domain, around),
            4 | 5 => self.scan(domain, around),
            _ => self.branch_for_each(domain, around),
        }
    }

    /// The least and the greatest name, for a loop.
    fn bounds(&mut self, domain: usize) -> (Expr, Expr) {
        let (first, last) = (self.domain(domain).first(), self.domain(domain).last());
        let slip = self
            .tamper
            .pass(Site::Bound, || vec![format!("{}", last - 1)]);
        let last = slip.map_or(Expr::Number(last), word);
        (Expr::Number(first), last)
    }

    fn variable(&mut self, domain: usize) -> Option<Place> {
        let cells = self.cells(|c| c.indices.is_empty() && c.holds == Holds::Id(domain));
        if cells.is_empty() {
            return None;
        }
        Some(Place::named(self.dice.pick(&cells).at(&[])))
    }

    /// Any name goes into a variable.
    fn chosen(&mut self, domain: usize, around: Around) -> Option<Statement> {
        let variable = self.variable(domain)?;
        if around.step {
            return None;
        }
        let range = self.domain(domain).is_range();
        Some(match self.dice.below(3) {
            0 if range => {
                let (first, last) = self.bounds(domain);
                let select = Statement::Select(variable, first, last);
                Statement::Block(Bracket::Atomic, vec![select])
            }
            1 if range => self.climbed(variable, domain),
            _ => {
                let members = self.domain(domain).members.iter();
                let branch = |m: &i32| vec![Statement::Assign(variable.clone(), Expr::Number(*m))];
                Statement::If(members.map(branch).collect())
            }
        })
    }

    /// A counter that stops anywhere.
    fn climbed(&mut self, variable: Place, domain: usize) -> Statement {
        let (first, last) = self.bounds(domain);
        let below = Expr::binary("<", Expr::Place(variable.clone()), last);
        let on = vec![
            Statement::Guard(below),
            Statement::Count(variable.clone(), "++"),
        ];
        let climb = Statement::Do(vec![on, vec![Statement::word("break")]]);
        let start = Statement::Assign(variable, first);
        Statement::Block(Bracket::Atomic, vec![start, climb])
    }

    /// A branch for each name that a variable may hold.
    fn branch_for_each(&mut self, domain: usize, around: Around) -> Option<Statement> {
        let variable = Expr::Place(self.variable(domain)?);
        let arrays = self.arrays(domain, |h| matches!(h, Holds::Number(_)));
        let array = (!arrays.is_empty()).then(|| self.dice.pick(&arrays));
        let value = Expr::Number(self.dice.between(0, 1));
        let members = self.domain(domain).members.clone();
        let branch = |m: i32| {
            let guard = Expr::binary("==", variable.clone(), Expr::Number(m));
            let change = array.as_ref().map(|a| {
                let element = a.at(&[format!("{}", m - a.indices[0].1)]);
                Statement::Assign(Place::named(element), value.clone())
            });
            [Some(Statement::Guard(guard)), change]
                .into_iter()
                .flatten()
                .collect()
        };
        let mut branches: Vec<Vec<Statement>> = members.into_iter().map(branch).collect();
        if around.step || self.dice.chance(50) {
            branches.push(vec![Statement::word("else")]);
        }
        Some(Statement::If(branches))
    }

    fn arrays(&self, domain: usize, fits: impl Fn(Holds) -> bool) -> Vec<Cell> {
        let of = |c: &Cell| c.indices.len() == 1 && c.indices[0].0 == domain && fits(c.holds);
        self.cells(of)
    }

    /// All elements of an array get the same.
    fn each_name(&mut self, domain: usize, around: Around) -> Option<Statement> {
        let arrays = self.arrays(domain, |h| !matches!(h, Holds::Link(_) | Holds::Word));
        if arrays.is_empty() {
            return None;
        }
        let array = self.dice.pick(&arrays);
        let value = match array.holds {
            Holds::Id(of) => Expr::Number(self.domain(of).nobody),
            _ => Expr::Number(self.dice.between(0, 1)),
        };
        let element = self.element_at_counter(&array);
        let change = Statement::Assign(Place::named(element), value);
        self.looped(domain, vec![change], around)
    }

    fn element_at_counter(&self, array: &Cell) -> String {
        let counter = &self.scope.counter;
        array.at(&[match array.indices[0].1 {
            0 => counter.clone(),
            base => format!("{counter} - {base}"),
        }])
    }

    /// All flags of the others are raised, or messages sent to them.
    fn all_set(&mut self, domain: usize, around: Around) -> Option<Statement> {
        let own: Vec<String> = self.selves(domain);
        let arrays = self.arrays(domain, |h| matches!(h, Holds::Number(_)));
        if own.is_empty() || arrays.is_empty() {
            return None;
        }
        let array = self.dice.pick(&arrays);
        let element = self.element_at_counter(&array);
        let counter = Expr::word(self.scope.counter.clone());
        let other = Expr::binary("!=", counter, word(self.dice.pick(&own)));
        let raise = Statement::Assign(Place::named(element), Expr::Number(1));
        let branch = vec![Statement::Guard(other), raise];
        let body = Statement::If(vec![branch, vec![Statement::word("else")]]);
        self.looped(domain, vec![body], around)
    }

    fn selves(&self, domain: usize) -> Vec<String> {
        let own = self.scope.selves.iter().filter(|s| s.0 == domain);
        own.map(|s| s.1.clone()).collect()
    }

    /// Whether something is true of all names, kept in a variable.
    fn scan(&mut self, domain: usize, around: Around) -> Option<Statement> {
        let results = self.cells(|c| matches!(c.holds, Holds::Number(_)) && c.indices.is_empty());
        let arrays = self.arrays(domain, |h| !matches!(h, Holds::Link(_) | Holds::Word));
        if results.is_empty() || arrays.is_empty() {
            return None;
        }
        let result = Place::named(self.dice.pick(&results).at(&[]));
        let array = self.dice.pick(&arrays);
        let element = word(self.element_at_counter(&array));
        let test = match array.holds {
            Holds::Id(of) => Expr::binary("!=", element, self.id_without_index(of)),
            _ => Expr::binary("==", element, Expr::Number(self.dice.between(0, 1))),
        };
        let own = self.selves(domain);
        let test = match own.is_empty() || self.dice.chance(40) {
            true => test,
            false => {
                let counter = Expr::word(self.scope.counter.clone());
                let same = Expr::binary("==", counter, word(self.dice.pick(&own)));
                Expr::binary("||", same, test)
            }
        };
        let still = Expr::binary("&&", Expr::Place(result.clone()), test);
        let body = vec![Statement::Assign(result.clone(), still)];
        let looped = self.looped(domain, body, around.in_step())?;
        let start = Statement::Assign(result, Expr::Number(1));
        Some(Statement::Block(Bracket::DStep, vec![start, looped])).filter(|_| !around.step)
    }

    fn id_without_index(&mut self, domain: usize) -> Expr {
        let own = self.selves(domain);
        match own.is_empty() || self.dice.chance(30) {
            true => Expr::Number(self.domain(domain).nobody),
            false => word(self.dice.pick(&own)),
        }
    }

    /// A loop over all names, in one step: written as `for`, or with `do` and a counter.
    fn looped(&mut self, domain: usize, body: Vec<Statement>, around: Around) -> Option<Statement> {
        if !self.domain(domain).is_range() {
            return None;
        }
        let (first, last) = self.bounds(domain);
        let counter = Place::named(self.scope.counter.clone());
        let mut statements = match self.dice.chance(70) {
            true => vec![Statement::For(counter.clone(), first, last, body)],
            false => counted(counter.clone(), first, last, body),
        };
        if !self.scope.hidden_counter && self.dice.chance(50) {
            let nobody = Expr::Number(self.domain(domain).nobody);
            statements.push(Statement::Assign(counter, nobody));
        }
        Some(match around.step {
            true => Statement::Block(Bracket::Plain, statements),
            false => Statement::Block(Bracket::DStep, statements),
        })
    }
}

fn counted(counter: Place, first: Expr, last: Expr, body: Vec<Statement>) -> Vec<Statement> {
    let below = Expr::binary("<=", Expr::Place(counter.clone()), last);
    let mut round = vec![Statement::Guard(below)];
    round.extend(body);
    round.push(Statement::Count(counter.clone(), "++"));
    let leave = vec![Statement::word("else"), Statement::word("break")];
    vec![
        Statement::Assign(counter, first),
        Statement::Do(vec![round, leave]),
    ]
}
