//! What violations come from, as far as values tell: those that the failed condition or statement read, up to symmetry.
//!
//! The interpreter makes the steps from the state again in which something went wrong, and says which cells were read by what failed. Names of what can be
//! exchanged are then replaced by numbers, in the order in which they come up, a count for each orbit. So exchanges do not tell violations apart; where an
//! orbit has less symmetry than all permutations, as on a ring, some violations that differ are taken for one.
//!
//! A violation can come up in several ways in one state, by several processes say; each is something that it comes from. All of that depends on the state alone,
//! and so not on who has found it. The run that is shown for a way that only comes up together with others may end in one of these.

use crate::options::Causes;
use mandala_engine::Task;
use mandala_interpreter::{CellRead, Configuration, Interpreter, Owner};
use mandala_model::State;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::specialise::put_constants;
use mandala_model::step::{Actor, Fault, Observers, StepLabel, Turn, Violation};
use mandala_model::template::Step;
use mandala_prepare::CompiledModel;
use mandala_symmetry::sorts::{Point, Shape, Sort, Sorts};
use mandala_symmetry::{Certificate, Renaming};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// So many steps are looked at of an atomic sequence that is very wide.
const STEPS: usize = 10_000;

/// What violations come from, in a task that tells several apart; nothing if one is enough.
pub(super) fn causes(task: &Task<'_>, observers: Observers) -> Option<Causes> {
    if task.bugs < 2 {
        return None;
    }
    let found = Values {
        model: Arc::clone(&task.prepared.searched),
        observers,
        names: task.certificate().map(Names::of),
    };
    Some(Causes::new(move |state, turn, violation| {
        found.fingerprints(state, turn, violation)
    }))
}

struct Values {
    model: Arc<CompiledModel>,
    observers: Observers,
    names: Option<Names>,
}

/// What values mean, and what can be exchanged with what.
struct Names {
    sorts: Sorts,
    /// The least member of the orbit of each point that can be moved.
    orbits: BTreeMap<Point, Point>,
}

impl Names {
    fn of(certificate: &Certificate) -> Self {
        let mut orbits: BTreeMap<Point, Point> = BTreeMap::new();
        for renaming in certificate.generators() {
            for (from, to) in moves(&renaming) {
                let of = |point: Point| orbits.get(&point).copied().unwrap_or(point);
                let (a, b) = (of(from), of(to));
                let (least, other) = (a.min(b), a.max(b));
                orbits.insert(from, least);
                orbits.insert(to, least);
                let others = orbits.values_mut().filter(|orbit| **orbit == other);
                others.for_each(|orbit| *orbit = least);
            }
        }
        Names {
            sorts: certificate.sorts().clone(),
            orbits,
        }
    }
}

/// The points that a renaming moves, and where to.
fn moves(renaming: &Renaming) -> Vec<(Point, Point)> {
    let processes = renaming.processes();
    let processes = processes.moved().map(|number| {
        let image = processes.image(number);
        (Point::Process(number), Point::Process(image))
    });
    let names = (0..renaming.sets()).flat_map(|domain| {
        let names = renaming.names(domain);
        let image = move |number| Point::Name(domain, names.image(number));
        let moved = names.moved();
        moved.map(move |number| (Point::Name(domain, number), image(number)))
    });
    processes.chain(names).collect()
}

impl Values {
    /// A number for each way in which a violation comes up in a state.
    fn fingerprints(&self, state: &State, turn: Turn, violation: &Violation) -> BTreeSet<u64> {
        let interpreter = Interpreter::new(&self.model, self.observers);
        let here = Configuration {
            state: state.clone(),
            turn,
        };
        let ways = match violation {
            Violation::Failed {
                property: Some(_), ..
            }
            | Violation::Fault(Fault {
                monitors: Some(_), ..
            }) => self.in_monitors(&interpreter, &here, violation),
            Violation::Assertion { span }
            | Violation::Failed { span, .. }
            | Violation::Fault(Fault { span, .. }) => {
                self.in_steps(&interpreter, &here, (violation, *span))
            }
            _ => BTreeSet::new(),
        };
        let fingerprint = |way: &Vec<i64>| {
            let mut hasher = DefaultHasher::new();
            way.hash(&mut hasher);
            hasher.finish()
        };
        ways.iter().map(fingerprint).collect()
    }

    /// What monitors read that report the violation.
    fn in_monitors(
        &self,
        interpreter: &Interpreter<'_>,
        here: &Configuration,
        violation: &Violation,
    ) -> BTreeSet<Vec<i64>> {
        let seen = interpreter.seen_by_monitors(&here.state);
        let observed = interpreter.observations(here).into_iter();
        let wrong = observed.filter(|seen| seen.violations.contains(violation));
        wrong
            .map(|wrong| {
                let id = self.model.edge_of_monitor(wrong.monitor);
                let check = &self.model.template(id.template).edges[id.index as usize];
                let guard = match &check.step {
                    Step::Guarded { guard, .. } => Some(guard.clone()),
                    _ => None,
                };
                let guards = guard.into_iter().map(|mut guard| {
                    put_constants(&mut guard, &check.constants(wrong.choice));
                    guard
                });
                self.read(interpreter, &seen, None, &guards.collect::<Vec<_>>())
            })
            .collect()
    }

    /// What is read where steps from there fail.
    fn in_steps(
        &self,
        interpreter: &Interpreter<'_>,
        here: &Configuration,
        (violation, span): (&Violation, Span),
    ) -> BTreeSet<Vec<i64>> {
        let mut chains = interpreter.chains(here).within(STEPS);
        let mut ways = BTreeSet::new();
        while let Some(end) = chains.next_end() {
            let steps = chains.steps(end);
            let [earlier @ .., last] = &steps[..] else {
                continue;
            };
            if !last.violations.contains(violation) {
                continue;
            }
            let before = earlier.last().and_then(|step| step.next.as_ref());
            let before = &before.unwrap_or(here).state;
            let after = last.next.as_ref().map(|next| &next.state);
            ways.insert(self.of_step(interpreter, (before, after), (&last.label, span)));
        }
        ways
    }

    fn of_step(
        &self,
        interpreter: &Interpreter<'_>,
        (before, after): (&State, Option<&State>),
        (label, span): (&StepLabel, Span),
    ) -> Vec<i64> {
        let edge = &self.model.template(label.edge.template).edges[label.edge.index as usize];
        let process = match label.actor {
            Actor::Process(process) => Some(process),
            Actor::Claim => None,
        };
        let mut evaluated = edge.step.evaluated_at(span);
        if let (true, Some(routine)) = (evaluated.is_empty(), edge.step.routine()) {
            evaluated = routine.conditions_of_failure(span);
        }
        let constants = edge.constants(label.choice);
        for whole in &mut evaluated {
            put_constants(whole, &constants);
        }
        let moment = interpreter.state_at_failure(before, label);
        let is_false = |state: &&State| {
            let mut conditions = evaluated.iter();
            conditions.any(|c| interpreter.evaluate(state, process, c) == Ok(0))
        };
        // An assertion does not end the step that it is in.
        let around = [Some(before), after].into_iter().flatten().find(is_false);
        let state = moment.as_ref().or(around).unwrap_or(before);
        self.read(interpreter, state, process, &evaluated)
    }

    /// What some expressions read in a state, as numbers that do not depend on the names of what can be exchanged.
    fn read(
        &self,
        interpreter: &Interpreter<'_>,
        state: &State,
        process: Option<u32>,
        evaluated: &[Expr],
    ) -> Vec<i64> {
        let mut told = Telling {
            names: self.names.as_ref(),
            numbers: BTreeMap::new(),
            told: Vec::new(),
        };
        for whole in evaluated {
            let whole = interpreter.reason(state, process, whole).condition;
            whole.walk(&mut |part| match &part.kind {
                ExprKind::Read(place) => {
                    if let Some(read) = interpreter.cell_read(state, process, place) {
                        told.cell(state, &read);
                    }
                }
                ExprKind::SelfId => {
                    told.point(process.map(Point::Process), 0);
                }
                ExprKind::Channel(..) | ExprKind::ProcessCount => {
                    let value = interpreter.evaluate(state, process, part);
                    told.told.push(value.unwrap_or(-1));
                }
                _ => {}
            });
        }
        told.told
    }
}

/// What was read, as numbers.
struct Telling<'a> {
    names: Option<&'a Names>,
    /// The numbers of points that came up, in each orbit.
    numbers: BTreeMap<Point, i64>,
    told: Vec<i64>,
}

impl Telling<'_> {
    /// Which cell, and what it holds.
    fn cell(&mut self, state: &State, read: &CellRead) {
        let template = match read.owner {
            Owner::Nobody => None,
            Owner::Process(process) => {
                self.point(Some(Point::Process(process)), i64::from(process));
                let own = state.processes.get(process as usize);
                own.map(|own| own.template)
            }
            Owner::Claim => state.claim.as_ref().map(|claim| claim.template),
        };
        let template_number = template.map_or(-1, |template| i64::from(template.0));
        match self.place_in_row(template, read.variable) {
            Some((row, point, value)) => {
                self.told.extend([-2, row]);
                self.point(point, value);
            }
            None => self.told.extend([template_number, read.variable as i64]),
        }
        match self.shape(template, read.variable).cloned() {
            Some(shape) => self.part(&shape, read.offset, read.value),
            None => self.told.extend([read.offset as i64, read.value]),
        }
    }

    /// Of a global variable that belongs to somebody: in which row it is, and whose it is.
    fn place_in_row(
        &self,
        template: Option<TemplateId>,
        variable: usize,
    ) -> Option<(i64, Option<Point>, i64)> {
        let sorts = &self.names.filter(|_| template.is_none())?.sorts;
        let mut rows = sorts.rows.iter().enumerate();
        rows.find_map(|(number, row)| {
            let mut variables = row.variables.iter();
            let place = variables.position(|own| own.index() == variable)?;
            let value = row.first + place as i64;
            Some((number as i64, sorts.point(row.index, value), value))
        })
    }

    fn shape(&self, template: Option<TemplateId>, variable: usize) -> Option<&Shape<Sort>> {
        let classes = &self.names?.sorts.classes;
        let variables = match template {
            None => &classes.globals,
            Some(template) => classes.locals.get(template.index())?,
        };
        variables.get(variable)
    }

    /// A cell of a variable: where it is in it, and what it holds.
    fn part(&mut self, shape: &Shape<Sort>, offset: usize, value: i64) {
        match shape {
            Shape::Cell(sort, _) => self.value(*sort, value),
            Shape::Array { index, element, .. } => {
                let size = element.cells().max(1);
                self.value(*index, (offset / size) as i64);
                self.part(element, offset % size, value);
            }
            Shape::Record(fields) => {
                let mut offset = offset;
                for (number, field) in fields.iter().enumerate() {
                    if offset < field.cells() {
                        self.told.push(number as i64);
                        return self.part(field, offset, value);
                    }
                    offset -= field.cells();
                }
            }
        }
    }

    fn value(&mut self, sort: Sort, value: i64) {
        // Which channel it is depends on the order in which channels were made.
        if !matches!(sort, Sort::Channel(_)) {
            let point = self.names.and_then(|names| names.sorts.point(sort, value));
            self.point(point, value);
        }
    }

    /// A point by its orbit and its number there, or a value that is no name of anything that can be moved.
    fn point(&mut self, point: Option<Point>, value: i64) {
        let orbits = self.names.map(|names| &names.orbits);
        let orbit = point.and_then(|point| Some((point, *orbits?.get(&point)?)));
        let Some((point, orbit)) = orbit else {
            return self.told.extend([0, value]);
        };
        let in_orbit = |other: &&Point| orbits.and_then(|o| o.get(other)) == Some(&orbit);
        let next = self.numbers.keys().filter(in_orbit).count() as i64;
        let number = *self.numbers.entry(point).or_insert(next);
        let orbit = match orbit {
            Point::Process(number) => [1, i64::from(number), 0],
            Point::Name(domain, number) => [2, i64::from(domain), i64::from(number)],
        };
        self.told.extend(orbit);
        self.told.push(number);
    }
}
