//! Effects: code that changes the state.

use super::expressions::added;
use super::places::Spot;
use super::{Compiler, Unsupported, after};
use crate::code::{Entry, Op, Space, Spawn};
use crate::fold::constant_value;
use mandala_model::expr::{Expr, ExprKind, Place};
use mandala_model::ids::TemplateId;
use mandala_model::model::Arithmetic;
use mandala_model::source::Span;
use mandala_model::template::{Effect, Insertion, Print};

impl Compiler<'_> {
    /// Compiles a list of effects; nothing if there are none.
    pub fn effects(
        &mut self,
        effects: &[Effect],
        span: Span,
    ) -> Result<Option<Entry>, Unsupported> {
        if effects.is_empty() {
            return Ok(None);
        }
        let entry = self.here();
        for effect in effects {
            self.effect(effect, span)?;
        }
        self.emit(Op::Done);
        Ok(Some(entry))
    }

    fn effect(&mut self, effect: &Effect, span: Span) -> Result<(), Unsupported> {
        match effect {
            Effect::Assign { place, value } => self.assign(place, value),
            Effect::Assert { condition } => {
                let holds = self.jumps(condition, 0, true)?;
                let site = self.site(condition.span);
                self.emit(Op::Fail { site });
                self.land(holds);
                Ok(())
            }
            Effect::Print { text } => self.print(text),
            Effect::Spawn {
                template,
                arguments,
                priority,
                result,
            } => {
                let spawn = self.spawn(*template, *priority, span);
                self.arguments(*template, arguments, span)?;
                self.emit(Op::Spawn { from: 0, spawn });
                match result {
                    Some(place) => self.write(place, 0),
                    None => Ok(()),
                }
            }
            Effect::SetPriority { process, priority } => {
                self.value(process, 0)?;
                self.value(priority, 1)?;
                let site = self.site(priority.span);
                self.emit(Op::SetPriority { from: 0, site });
                Ok(())
            }
            Effect::Fail { .. } => {
                let site = self.site(span);
                self.emit(Op::Halt { site });
                Ok(())
            }
            Effect::Abandon => {
                self.emit(Op::Abandon);
                Ok(())
            }
            Effect::Insert(insertion) => self.insert(insertion, span),
        }
    }

    fn insert(&mut self, insertion: &Insertion, span: Span) -> Result<(), Unsupported> {
        let has_room = self.jumps(&insertion.has_room, 0, true)?;
        let site = self.site(span);
        self.emit(Op::Halt { site });
        self.land(has_room);
        self.assign(&insertion.position, &insertion.first_free)?;
        let mut cells = insertion.cells.iter();
        cells.try_for_each(|(place, value)| self.assign(place, value))
    }

    /// A row of the table of what is created.
    pub fn spawn(&mut self, template: TemplateId, priority: u8, span: Span) -> u32 {
        let site = self.site(span);
        self.code.spawns.push(Spawn {
            template,
            priority,
            site,
        });
        self.code.spawns.len() as u32 - 1
    }

    /// The values of the cells of a new process's parameters into registers from 0 on.
    pub fn arguments(
        &mut self,
        template: TemplateId,
        arguments: &[Expr],
        span: Span,
    ) -> Result<(), Unsupported> {
        let template = self.model.template(template);
        let parameters = &template.locals[..template.parameters as usize];
        let scalars: Vec<_> = parameters
            .iter()
            .flat_map(|p| self.model.scalars(&p.ty))
            .collect();
        let mut register = 0;
        for (argument, scalar) in arguments.iter().zip(scalars) {
            self.value(argument, register)?;
            let site = self.site(argument.span);
            self.check_range(self.store_rule(scalar), register, site);
            register = after(register, span)?;
        }
        Ok(())
    }

    /// The values are not shown to anybody here, but to compute them may fail.
    fn print(&mut self, text: &Print) -> Result<(), Unsupported> {
        match text {
            Print::Format { arguments, .. } => arguments.iter().try_for_each(|a| self.value(a, 0)),
            Print::Name(name) => self.value(name, 0),
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Result<(), Unsupported> {
        if let Some(spot) = self.fixed_spot(place) {
            let rule = self.store_rule(self.scalar_of(place));
            if let Some(stored) = constant_value(value).and_then(|value| rule.store(value))
                && let Ok(stored) = i32::try_from(stored)
                && place.root != mandala_model::expr::Root::OwnPriority
            {
                self.emit(set(spot, stored));
                return Ok(());
            }
            if rule.range.is_none()
                && self.model.arithmetic == Arithmetic::Wrapping32
                && let Some(by) = self.increase(spot, value)
            {
                let wrap = rule.wrap;
                let cell = spot.cell;
                self.emit(match spot.space {
                    Space::Global => Op::IncreaseGlobal { wrap, cell, by },
                    Space::Local => Op::IncreaseLocal {
                        wrap,
                        offset: cell,
                        by,
                    },
                });
                return Ok(());
            }
        }
        self.value(value, 0)?;
        self.write(place, 0)
    }

    /// By how much an assignment of `value` to the cell increases it, if that is all it does.
    fn increase(&self, spot: Spot, value: &Expr) -> Option<i32> {
        let ExprKind::Binary(op, left, right) = &value.kind else {
            return None;
        };
        let ExprKind::Read(read) = &left.kind else {
            return None;
        };
        let from = self.fixed_spot(read)?;
        let same = from.space == spot.space && from.cell == spot.cell;
        let constant = i32::try_from(constant_value(right)?).ok()?;
        added(*op, constant).filter(|_| same)
    }
}

fn set(spot: Spot, value: i32) -> Op {
    match spot.space {
        Space::Global => Op::SetGlobal {
            cell: spot.cell,
            value,
        },
        Space::Local => Op::SetLocal {
            offset: spot.cell,
            value,
        },
    }
}
