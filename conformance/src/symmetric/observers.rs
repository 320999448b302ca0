//! Claims and formulas that treat all names alike.

use super::Generator;
use super::tamper::Site;
use super::values::{join, word};
use super::world::Holds;
use crate::program::{Expr, Statement};

impl Generator {
    /// Sometimes a never claim or a formula.
    pub(super) fn observers(&mut self) {
        if !self.dice.chance(25) {
            return;
        }
        let wrong = self.observation();
        let slips = self.odd_observations();
        let wrong = self
            .tamper
            .pass(Site::Observation, || slips)
            .map_or(wrong, word);
        if self.dice.chance(30) {
            self.program
                .formulas
                .push(format!("ltl safe {{ [] (!({wrong})) }}"));
            return;
        }
        let found = vec![Statement::Guard(wrong), Statement::word("break")];
        let idle = vec![Statement::word("else")];
        let mut claim = vec![Statement::Do(vec![found, idle])];
        if self.dice.chance(30) {
            let then = Statement::Guard(self.observation());
            let idle = vec![Statement::Guard(Expr::word("true"))];
            claim.push(Statement::Do(vec![
                vec![then, Statement::word("break")],
                idle,
            ]));
        }
        self.program.never = Some(claim);
    }

    /// Something that can be seen from outside.
    pub(super) fn observation(&mut self) -> Expr {
        let number = Expr::Number(self.dice.between(1, 2));
        let seen = match self.dice.below(4) {
            0 => self.quantified(),
            1 => self.everybody_there(),
            2 => self.somebody_named(),
            _ => self.global_number(number),
        };
        seen.unwrap_or_else(|| Expr::binary(">", Expr::word("_nr_pr"), Expr::Number(9)))
    }

    fn global_number(&mut self, number: Expr) -> Option<Expr> {
        let numbers = self.cells(|c| c.indices.is_empty() && matches!(c.holds, Holds::Number(_)));
        let cell = (!numbers.is_empty()).then(|| self.dice.pick(&numbers))?;
        Some(Expr::binary("==", word(cell.at(&[])), number))
    }

    /// A shared variable names somebody, or two name the same.
    fn somebody_named(&mut self) -> Option<Expr> {
        let ids = self.cells(|c| c.indices.is_empty() && matches!(c.holds, Holds::Id(_)));
        let cell = (!ids.is_empty()).then(|| self.dice.pick(&ids))?;
        let Holds::Id(domain) = cell.holds else {
            return None;
        };
        let id = word(cell.at(&[]));
        if self.domain(domain).numbers && self.dice.chance(40) {
            return Some(Expr::binary("==", Expr::word("_last"), id));
        }
        let nobody = Expr::Number(self.domain(domain).nobody);
        Some(Expr::binary("!=", id, nobody))
    }

    /// All members of a family are at a place; for that they need process numbers.
    fn everybody_there(&mut self) -> Option<Expr> {
        let family = self.world.families.first()?;
        let (domain, _) = *family.selves.iter().find(|s| s.1 == "_pid")?;
        let at = |member: &i32| {
            let number = Box::new(Expr::Number(*member));
            Expr::AtLabel(family.name.into(), number, family.label.into())
        };
        let members = self.domain(domain).members.iter();
        Some(join("&&", members.map(at).collect()))
    }

    fn odd_observations(&self) -> Vec<String> {
        let mut odd = Vec::new();
        for cell in &self.scope.cells {
            match (cell.holds, cell.indices.as_slice()) {
                (Holds::Id(domain), []) => {
                    odd.push(format!(
                        "{} == {}",
                        cell.at(&[]),
                        self.domain(domain).first()
                    ));
                }
                (_, [(domain, base)]) => {
                    let one = format!("{}", self.domain(*domain).last() - base);
                    odd.push(format!("{} == 1", cell.at(&[one])));
                }
                _ => {}
            }
        }
        if let Some((domain, "_pid")) = self.world.families[0].selves.last() {
            odd.push(format!("_last == {}", self.domain(*domain).last()));
        }
        odd
    }
}
