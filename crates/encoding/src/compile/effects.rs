//! Effects: code that changes the state.

use super::conditions::small;
use super::expressions::added;
use super::places::Spot;
use super::{Compiler, Unsupported, after};
use crate::code::{Entry, Op, Space, Spawn, StoreRule};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_resolved::{
    Base, Otherwise, ResolvedEffect, ResolvedExpr, ResolvedKind, ResolvedPlace, ResolvedSpawn,
    Store,
};

impl Compiler<'_> {
    /// Compiles a list of effects; nothing if there are none.
    pub fn effects(&mut self, effects: &[ResolvedEffect]) -> Result<Option<Entry>, Unsupported> {
        if effects.is_empty() {
            return Ok(None);
        }
        let entry = self.here();
        for effect in effects {
            self.effect(effect)?;
        }
        self.emit(Op::Done);
        Ok(Some(entry))
    }

    fn effect(&mut self, effect: &ResolvedEffect) -> Result<(), Unsupported> {
        match effect {
            ResolvedEffect::Assign { place, value } => self.assign(place, value),
            ResolvedEffect::Check {
                condition,
                otherwise,
            } => {
                let holds = self.jumps(condition, 0, true)?;
                let op = self.otherwise(*otherwise);
                self.emit(op);
                self.land(holds);
                Ok(())
            }
            ResolvedEffect::Evaluate(value) => self.value(value, 0),
            ResolvedEffect::Spawn(spawn) => self.make(spawn),
            ResolvedEffect::SetPriority { process, priority } => {
                self.value(process, 0)?;
                self.value(priority, 1)?;
                let site = self.site(priority.span);
                self.emit(Op::SetPriority { from: 0, site });
                Ok(())
            }
        }
    }

    fn otherwise(&mut self, otherwise: Otherwise) -> Op {
        match otherwise {
            Otherwise::Report(span) => Op::Fail {
                site: self.site(span),
            },
            Otherwise::Fail(span) => Op::Halt {
                site: self.site(span),
            },
            Otherwise::Abandon => Op::Abandon,
        }
    }

    fn make(&mut self, made: &ResolvedSpawn) -> Result<(), Unsupported> {
        let spawn = self.spawn(made.template, made.priority, made.span);
        self.arguments(&made.arguments, made.span)?;
        self.emit(Op::Spawn { from: 0, spawn });
        match &made.result {
            Some(place) => self.write(place, 0),
            None => Ok(()),
        }
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
        arguments: &[(ResolvedExpr, Store)],
        span: Span,
    ) -> Result<(), Unsupported> {
        let mut register = 0;
        for (argument, store) in arguments {
            self.value(argument, register)?;
            let site = self.site(argument.span);
            self.check_range(StoreRule::of(*store), register, site);
            register = after(register, span)?;
        }
        Ok(())
    }

    fn assign(&mut self, place: &ResolvedPlace, value: &ResolvedExpr) -> Result<(), Unsupported> {
        if let Some(spot) = self.fixed_spot(place) {
            let rule = StoreRule::of(place.store);
            if let Some(stored) = value.as_constant().and_then(|value| rule.store(value))
                && let Ok(stored) = i32::try_from(stored)
                && place.base != Base::OwnPriority
            {
                self.emit(set(spot, stored));
                return Ok(());
            }
            if rule.range.is_none()
                && self.model.arithmetic.wraps()
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
    fn increase(&self, spot: Spot, value: &ResolvedExpr) -> Option<i32> {
        let ResolvedKind::Calculate(op, operands) = &value.kind else {
            return None;
        };
        let [left, right] = &**operands;
        let ResolvedKind::Read(read) = &left.kind else {
            return None;
        };
        let from = self.fixed_spot(read)?;
        let same = from.space == spot.space && from.cell == spot.cell;
        added(*op, small(right)?).filter(|_| same)
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
