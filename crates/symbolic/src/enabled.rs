//! Enabledness of steps, in all states at once.
//!
//! This is what `enabled(p)` and the rule of priorities ask. A send at a rendezvous counts as possible and a receive there does not, whoever else there is; nothing
//! is asked about what the step would do beyond its guard.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made, without};
use crate::number::Number;
use crate::reachable_locations;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_model::template::Keep;
use mandala_resolved::ResolvedStep;
use oxidd::BooleanFunction;

impl Attempt<'_> {
    /// Where the process of that number is enabled. To ask about oneself is a fault, also if the question comes round
    /// through the guards of others. A condition of a formula may ask about every process.
    pub(crate) fn ask_enabled(
        &mut self,
        path: &Path,
        under: &Bdd,
        number: &Number,
        span: Span,
    ) -> Made<Bdd> {
        let processes = &self.context.layout.processes;
        let observing = std::mem::take(&mut self.observing);
        let asked_before = self.asking.len();
        self.asking.extend((!observing).then_some(self.actor));
        let asking: Vec<u32> = self.asking.iter().map(|&p| processes[p].number()).collect();
        for &own in &asking {
            let is_own = number.is(self.d(), own.into())?;
            self.fault(under, &is_own, FaultKind::EnabledOfSelf, span)?;
        }
        let mut enabled = self.d().no.clone();
        for (other, own) in processes.iter().enumerate() {
            let here = under.and(&self.is_meant(path, number, other)?)?;
            if asking.contains(&own.number()) || !here.satisfiable() {
                continue;
            }
            let viewer = std::mem::replace(&mut self.actor, other);
            enabled = enabled.or(&self.some_step_possible(path, &here)?)?;
            self.actor = viewer;
        }
        self.asking.truncate(asked_before);
        self.observing = observing;
        Ok(enabled)
    }

    /// Where some step of the actor is possible.
    pub(crate) fn some_step_possible(&mut self, path: &Path, under: &Bdd) -> Made<Bdd> {
        let context = self.context;
        let id = context.layout.processes[self.actor].template();
        let (template, code) = (context.model.template(id), context.code.template(id));
        let mut possible = self.d().no.clone();
        for location in reachable_locations::locations(template) {
            let here = under.and(&self.is_at(path, self.actor, location)?)?;
            let steps = template.edges_from(location);
            let steps = steps.map(|(index, edge)| (&code.steps[index as usize], edge.span));
            possible = possible.or(&self.one_possible(path, here, steps)?)?;
        }
        Ok(possible)
    }

    /// Where one of those steps is possible. Nobody looks at those after the first.
    fn one_possible<'s>(
        &mut self,
        path: &Path,
        mut open: Bdd,
        steps: impl Iterator<Item = (&'s ResolvedStep, Span)>,
    ) -> Made<Bdd> {
        let mut possible = self.d().no.clone();
        for (step, span) in steps {
            if !open.satisfiable() {
                break;
            }
            let here = open.and(&self.is_possible(path, &open, step, span)?)?;
            let here = without(&here, &self.halted)?;
            possible = possible.or(&here)?;
            open = without(&without(&open, &here)?, &self.halted)?;
        }
        Ok(possible)
    }

    fn is_possible(
        &mut self,
        path: &Path,
        under: &Bdd,
        step: &ResolvedStep,
        span: Span,
    ) -> Made<Bdd> {
        let mut possible = self.d().no.clone();
        match step {
            // Asked only where all steps before it have turned out impossible.
            ResolvedStep::Else => return Ok(under.clone()),
            ResolvedStep::Guarded { guard, .. } => return self.holds(path, under, guard),
            ResolvedStep::Send { channel, .. } => {
                for (here, channel) in self.channels(path, under, channel)? {
                    let room = without(&here, &self.is_full(path, channel)?)?;
                    possible = possible.or(&room)?;
                }
            }
            ResolvedStep::Receive(receipt) => {
                let reference = &receipt.channel;
                for (here, channel) in self.channels(path, under, reference)? {
                    let under = under.and(&here)?;
                    if channel.is_rendezvous() && receipt.keep == Keep::Stay {
                        let kind = FaultKind::PollAtRendezvous;
                        self.fault(&under, &under, kind, reference.span)?;
                    }
                    for chosen in self.chosen(path, &under, channel, &receipt.wanted, span)? {
                        possible = possible.or(&chosen)?;
                    }
                }
            }
            ResolvedStep::Exit => {
                let number = self.context.layout.processes[self.actor].number();
                return self.process_count(path).is(self.d(), i64::from(number) + 1);
            }
            ResolvedStep::Routine(routine) => {
                let choices = routine.nodes[0].choices.iter();
                let steps = choices.map(|choice| (&choice.step, choice.span));
                return self.one_possible(path, under.clone(), steps);
            }
        }
        Ok(possible)
    }
}
