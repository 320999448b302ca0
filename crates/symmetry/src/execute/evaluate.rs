//! The symbolic value of an expression.

use super::risks::Risks;
use super::{Actor, Executor, Stop};
use crate::breach::Breach;
use crate::execute::run::Run;
use crate::path::Field;
use crate::term::{Cell, Home, Part, Tag, Term};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, Place, Projection, Root, UnaryOp};
use mandala_model::function::CALL;
use mandala_model::types::{Type, Variable};
use std::rc::Rc;

/// How many operations an expression may have on its left side. Terms are walked by recursion.
const LONGEST_SPINE: usize = 1_000;

impl Executor<'_> {
    /// The value of an expression at this point of a run, where nothing goes wrong that the risks tell of.
    pub fn evaluate(&self, run: &Run, expr: &Expr, risks: &mut Risks) -> Result<Term, Stop> {
        let algebra = self.algebra;
        match &expr.kind {
            ExprKind::Const(value) => Ok(Term::Const(*value)),
            ExprKind::Read(place) => self.read(run, place, risks),
            ExprKind::Unary(op, operand) => {
                let operand = self.evaluate(run, operand, risks)?;
                if *op == UnaryOp::Defined {
                    risks.defined(algebra, &operand);
                }
                Ok(algebra.unary(*op, operand))
            }
            ExprKind::Binary(..) => self.spine(run, expr, risks),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = algebra.condition(self.evaluate(run, condition, risks)?);
                match condition.known() {
                    Some(0) => self.evaluate(run, no, risks),
                    Some(_) => self.evaluate(run, yes, risks),
                    None => {
                        let negated = algebra.not(condition.clone());
                        let yes = self.unless(negated, run, yes, risks)?;
                        let no = self.unless(condition.clone(), run, no, risks)?;
                        Ok(algebra.choose(condition, yes, no))
                    }
                }
            }
            ExprKind::Channel(query, channel) => {
                let channel = self.evaluate(run, channel, risks)?;
                Ok(Term::Channel(Tag(*query), Rc::new(channel)))
            }
            ExprKind::Poll {
                channel,
                order,
                patterns,
            } => {
                let channel = Rc::new(self.evaluate(run, channel, risks)?);
                Ok(Term::Poll(
                    channel,
                    Tag(*order),
                    self.wanted(run, patterns, risks)?,
                ))
            }
            _ => self.about_processes(run, expr, risks),
        }
    }

    /// Generated models nest binary operations thousands deep on the left, so that side is a loop.
    fn spine(&self, run: &Run, expr: &Expr, risks: &mut Risks) -> Result<Term, Stop> {
        let mut operations = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary(op, left, right) = &leftmost.kind {
            operations.push((*op, right));
            leftmost = left;
        }
        if operations.len() > LONGEST_SPINE {
            return Err(Stop::Give(Breach::too_complex(expr.span, "an expression")));
        }
        let mut value = self.evaluate(run, leftmost, risks)?;
        while let Some((op, right)) = operations.pop() {
            let right = match op {
                BinaryOp::And | BinaryOp::Or => {
                    value = self.algebra.condition(value);
                    let enough = match op {
                        BinaryOp::And => self.algebra.not(value.clone()),
                        _ => value.clone(),
                    };
                    self.unless(enough, run, right, risks)?
                }
                _ => self.evaluate(run, right, risks)?,
            };
            value = self.algebra.binary(op, value, right);
        }
        Ok(value)
    }

    /// The value of an expression that is not evaluated if that condition holds.
    fn unless(
        &self,
        condition: Term,
        run: &Run,
        expr: &Expr,
        risks: &mut Risks,
    ) -> Result<Term, Stop> {
        let mut own = Risks::default();
        let value = self.evaluate(run, expr, &mut own)?;
        risks.unless(self.algebra, &condition, own);
        Ok(value)
    }

    fn about_processes(&self, run: &Run, expr: &Expr, risks: &mut Risks) -> Result<Term, Stop> {
        match &expr.kind {
            ExprKind::SelfId => Ok(match self.actor {
                Actor::Known(number) => Term::Own(i64::from(number), i64::from(number)),
                Actor::Other => Term::Other,
            }),
            ExprKind::ProcessCount => Ok(Term::ProcessCount),
            ExprKind::FirstInstance(template) => Ok(Term::FirstInstance(*template)),
            ExprKind::LastMover => Ok(Term::LastMover),
            ExprKind::Timeout => Ok(Term::Timeout),
            ExprKind::NonProgress => Ok(Term::NonProgress),
            ExprKind::Accepting => Ok(Term::Accepting),
            ExprKind::LocationNumber(process) => {
                let process = self.evaluate(run, process, risks)?;
                Ok(Term::LocationNumber(Rc::new(process)))
            }
            ExprKind::At {
                template,
                process,
                location,
            } => {
                let process = self.evaluate(run, process, risks)?;
                Ok(Term::At(*template, Rc::new(process), *location))
            }
            ExprKind::Enabled(_) => Err(Stop::Give(Breach::at(
                expr.span,
                "asks whether a process is enabled, which is not supported with symmetry",
            ))),
            _ => Err(Stop::Give(Breach::at(
                expr.span,
                "asks for the priority of a process, which is not supported with symmetry",
            ))),
        }
    }

    fn read(&self, run: &Run, place: &Place, risks: &mut Risks) -> Result<Term, Stop> {
        let cell = self.cell(run, place, risks)?;
        if let Some(value) = run.value(&cell) {
            return Ok(value.clone());
        }
        if run.may_hide(&cell) {
            return Err(Stop::Flush);
        }
        Ok(Term::Read(cell))
    }

    /// The cell that a place is.
    pub fn cell(&self, run: &Run, place: &Place, risks: &mut Risks) -> Result<Cell, Stop> {
        let (home, variable) = self.home(run, place, risks)?;
        let mut path = Vec::new();
        let mut ty = &variable.ty;
        for projection in &place.path {
            ty = match (ty, projection) {
                (Type::Record(id), Projection::Field(field)) => {
                    path.push(Part::Field(*field));
                    &self.model.record(*id).fields[*field as usize].ty
                }
                (Type::Array { element, length }, Projection::Index(index)) => {
                    path.push(Part::Index(self.evaluate(run, index, risks)?, *length));
                    element
                }
                _ => unreachable!("the verifier lets paths fit their types only"),
            };
        }
        let Type::Scalar(scalar) = ty else {
            unreachable!("the verifier lets a path end in one cell only");
        };
        Ok(Cell {
            lasting: self.is_lasting(&home),
            home,
            path,
            scalar: Tag(*scalar),
        })
    }

    fn home(&self, run: &Run, place: &Place, risks: &mut Risks) -> Result<(Home, &Variable), Stop> {
        match &place.root {
            Root::Global(id) => Ok((Home::Global(*id), self.model.global(*id))),
            Root::Local(id) => Ok((Home::Own(*id), &self.template.locals[id.index()])),
            Root::Remote {
                template,
                process,
                local,
            } => {
                let process = Rc::new(self.evaluate(run, process, risks)?);
                let locals = &self.model.template(*template).locals;
                let home = Home::Remote(*template, process, *local);
                Ok((home, &locals[local.index()]))
            }
            Root::Reference(_) => unreachable!("{CALL}"),
            Root::OwnPriority => Err(Stop::Give(Breach::at(
                place.span,
                "uses a priority, which is not supported with symmetry",
            ))),
        }
    }

    fn is_lasting(&self, home: &Home) -> bool {
        match home {
            Home::Global(id) => self.lasting.globals.contains(&id.0),
            Home::Own(id) => {
                let same = |t: &&mandala_model::ids::TemplateId| {
                    std::ptr::eq(self.model.template(**t), self.template)
                };
                let locals = self.lasting.locals.iter();
                locals
                    .filter(|(t, local)| same(&t) && *local == id.0)
                    .count()
                    > 0
            }
            Home::Remote(..) => false,
        }
    }

    /// What is wanted of the fields of a message that nobody takes yet.
    pub fn wanted(
        &self,
        run: &Run,
        patterns: &[Pattern],
        risks: &mut Risks,
    ) -> Result<Vec<Option<Term>>, Stop> {
        let wanted = |pattern: &Pattern| match pattern {
            Pattern::Match(value) => Ok(Some(self.evaluate(run, value, risks)?)),
            Pattern::Bind(_) | Pattern::Ignore => Ok(None),
        };
        patterns.iter().map(wanted).collect()
    }

    /// What a receive wants. A place is found when the fields before it have been bound.
    pub fn fields(
        &self,
        run: &Run,
        patterns: &[Pattern],
        risks: &mut Risks,
    ) -> Result<Vec<Field>, Stop> {
        let mut later = run.clone();
        let mut fields = Vec::new();
        for pattern in patterns {
            fields.push(match pattern {
                Pattern::Match(value) => Field::Match(self.evaluate(run, value, risks)?),
                Pattern::Ignore => Field::Ignore,
                Pattern::Bind(place) => {
                    let cell = self.cell(&later, place, risks)?;
                    later.forget(&cell);
                    Field::Bind(cell)
                }
            });
        }
        Ok(fields)
    }
}
