//! A walk that tells what happens on it.

use crate::chart::ChartOutput;
use crate::console::Console;
use crate::exit::{Failure, Status};
use mandala_checker::document::present;
use mandala_checker::document::run::{self, StepTeller};
use mandala_checker::explain;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::plan::Question;
use mandala_evidence::replay::{ReplayedStep, step_of};
use mandala_interpreter::Interpreter;
use mandala_interpreter::simulate::{RandomSource, Session};
use mandala_model::step::{StepLabel, Turn, Violation};
use mandala_report::document::{self, PropertyId, Step, Trace, Waiting};
use mandala_report::style::{Tone, tame};
use mandala_report::text;
use std::collections::BTreeSet;

/// How many steps are kept back so that they line up.
const BLOCK: usize = 64;

/// Whether a walk can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It cannot, or something went wrong.
    Yes,
    /// It can.
    No,
}

/// A walk through a model.
pub struct Walk<'a> {
    loaded: &'a LoadedModel,
    check: Question,
    console: &'a Console,
    session: Session<'a>,
    /// Steps that are not printed yet.
    pending: Vec<Step>,
    /// Tells the steps.
    teller: StepTeller<'a>,
    /// The steps that come next if nothing else is chosen, the first one last: those of a trace, and those that were taken back.
    ahead: Vec<StepLabel>,
}

impl<'a> Walk<'a> {
    /// A walk that is still at the start.
    pub fn new(
        loaded: &'a LoadedModel,
        check: Question,
        console: &'a Console,
    ) -> Result<Self, Failure> {
        let interpreter = Interpreter::new(&loaded.model, check.observers);
        let session = Session::new(interpreter).map_err(|fault| {
            let violation = Violation::Fault(fault);
            let what = explain::message(&violation, loaded, &check);
            Failure::Command(format!("the model fails before its first state: {what}"))
        })?;
        Ok(Walk {
            loaded,
            check,
            console,
            session,
            pending: Vec::new(),
            teller: StepTeller::new(loaded),
            ahead: Vec::new(),
        })
    }

    /// The session under it.
    pub fn session(&self) -> &Session<'a> {
        &self.session
    }

    /// Prints.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        self.console.print(text, Status::Fine)
    }

    /// Takes the move of that number.
    pub fn take(&mut self, index: usize) -> Result<Ended, Failure> {
        match self.session.take(index).is_some() {
            true => self.moved(),
            false => Ok(Ended::Yes),
        }
    }

    /// Takes a random move.
    pub fn take_any(&mut self, dice: &mut RandomSource) -> Result<Ended, Failure> {
        let taken = self.session.take_any(dice);
        let taken = taken.map_err(|wrong| Failure::Command(wrong.to_string()))?;
        match taken.is_some() {
            true => self.moved(),
            false => Ok(Ended::Yes),
        }
    }

    /// How many steps were taken.
    pub fn length(&self) -> usize {
        self.session.walked().len()
    }

    /// How many steps come next if nothing else is chosen.
    pub fn known_ahead(&self) -> usize {
        self.ahead.len()
    }

    /// From now on these steps come next if nothing else is chosen.
    pub fn intend(&mut self, steps: Vec<StepLabel>) {
        self.ahead = steps;
        self.ahead.reverse();
    }

    /// Takes steps back until only so many are left.
    pub fn back_to(&mut self, length: usize) -> Result<(), Failure> {
        self.flush()?;
        while self.length() > length
            && let Some(undone) = self.session.undo()
        {
            self.ahead.push(undone.label);
        }
        self.teller = StepTeller::new(self.loaded);
        for index in 0..self.length() {
            self.told(index);
        }
        Ok(())
    }

    /// Takes the step that comes next. Says whether there was one.
    pub fn forward(&mut self) -> Result<bool, Failure> {
        let Some(next) = self.ahead.last().copied() else {
            return Ok(false);
        };
        let moves = self.session.moves();
        match moves.iter().position(|taken| taken.label == next) {
            Some(index) => self.take(index).map(|_| true),
            None => Ok(false),
        }
    }

    fn moved(&mut self) -> Result<Ended, Failure> {
        let taken = self.session.walked().last().map(|taken| taken.label);
        if self.ahead.pop() != taken {
            self.ahead.clear();
        }
        let step = self.told(self.session.walked().len() - 1);
        self.pending.extend(step);
        if self.pending.len() >= BLOCK {
            self.flush()?;
        }
        Ok(match self.violation() {
            Some(_) => Ended::Yes,
            None => Ended::No,
        })
    }

    /// All steps, as the report of a check shows them.
    pub fn steps(&self) -> String {
        let walked = 0..self.length();
        let made: Vec<_> = walked.filter_map(|index| self.made(index)).collect();
        text::steps(&run::steps(self.loaded, &made), &self.console.view())
    }

    /// The processes that cannot move here, with their reasons.
    pub fn blocked(&self) -> Vec<Waiting> {
        let Some(current) = self.session.current() else {
            return Vec::new();
        };
        // Inside an atomic sequence only one process may move.
        if current.turn != Turn::Free {
            return Vec::new();
        }
        let mut movers = BTreeSet::new();
        for taken in self.session.moves() {
            movers.extend(explain::process_number(taken.label.actor));
            movers.extend(taken.label.partner.map(|(partner, _)| partner));
        }
        let interpreter = self.session.interpreter();
        let blocked = explain::blocked(interpreter, &current.state, &movers);
        blocked
            .iter()
            .map(|waiting| present::waiting_process(self.loaded, waiting))
            .collect()
    }

    /// The process inside an atomic sequence, if there is one: no other process can move before it leaves the sequence or blocks in it.
    pub fn atomic_process(&self) -> Option<String> {
        let current = self.session.current()?;
        let Turn::Held(process) = current.turn else {
            return None;
        };
        let interpreter = self.session.interpreter();
        let rules = interpreter.model().is_system_of_rules();
        (!rules).then(|| interpreter.process_name(&current.state, process))
    }

    /// Draws the chart of the walk.
    pub fn draw(&self, chart: &mut ChartOutput) -> Result<(), Failure> {
        let walked = 0..self.session.walked().len();
        let made: Vec<_> = walked.filter_map(|index| self.made(index)).collect();
        let trace = Trace {
            property_id: PropertyId::Safety,
            property: PropertyId::Safety.to_string(),
            shortest: false,
            before_cycle: None,
            fairness: None,
            steps: run::steps(self.loaded, &made),
            last_state: None,
        };
        let violation = self.violation().map(|found| self.told_violation(&found));
        chart.write(&trace, violation.as_ref(), self.console, Status::Fine)
    }

    /// A violation as a chart tells it.
    fn told_violation(&self, violation: &Violation) -> document::Violation {
        document::Violation {
            property_id: PropertyId::Safety,
            property: PropertyId::Safety.to_string(),
            kind: present::violation_kind(violation),
            message: self.words(violation),
            place: None,
            text: None,
            values: Vec::new(),
            waiting: Vec::new(),
            parameters: Vec::new(),
            choice: 0,
            notes: Vec::new(),
        }
    }

    fn told(&mut self, index: usize) -> Option<Step> {
        let made = self.made(index)?;
        Some(self.teller.tell(&made))
    }

    /// The step of that number.
    fn made(&self, index: usize) -> Option<ReplayedStep> {
        let taken = self.session.walked().get(index)?;
        let from = self.session.before(index)?;
        Some(step_of(self.session.interpreter(), from, taken))
    }

    /// Prints the steps that were kept back.
    pub fn flush(&mut self) -> Result<(), Failure> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let table = text::steps(&self.pending, &self.console.view());
        self.pending.clear();
        self.say(&table)
    }

    /// What is wrong here, or went wrong on the last step.
    pub fn violation(&self) -> Option<Violation> {
        let last = self.session.walked().last();
        let on_the_way = last.and_then(|m| m.violations.first().cloned());
        let found = on_the_way.or_else(|| self.session.verdict());
        found.filter(|violation| self.check.concerns(violation))
    }

    /// Says what is wrong here, if something is.
    pub fn tell_violation(&self) -> Result<(), Failure> {
        match self.violation() {
            Some(violation) => self.say(&self.violation_text(&violation)),
            None => Ok(()),
        }
    }

    fn violation_text(&self, violation: &Violation) -> String {
        let colour = self.console.output_colour();
        let what = colour.paint(Tone::Bad, format_args!("✗ {}", self.words(violation)));
        match explain::span_of(violation, self.loaded, &self.check) {
            Some(span) => format!("{what}  ({})\n", self.loaded.sources.location(span)),
            None => format!("{what}\n"),
        }
    }

    fn words(&self, violation: &Violation) -> String {
        explain::message(violation, self.loaded, &self.check)
    }

    /// Says how the walk ended.
    pub fn finish(&mut self) -> Result<Status, Failure> {
        self.flush()?;
        if self.violation().is_some() {
            self.tell_violation()?;
            return Ok(Status::Violated);
        }
        if self.session.moves().is_empty() {
            self.say("The run ends here: no process can move, and each is where it may stay\n")?;
        }
        Ok(Status::Fine)
    }

    /// The moves that can be made now, one a line.
    pub fn offers(&self) -> String {
        let offered = self.session.offered();
        let colour = self.console.output_colour();
        let actors = offered.iter().map(|o| o.step.actor.chars().count());
        let width = actors.max().unwrap_or(0);
        let mut text = String::new();
        for (number, offer) in (1..).zip(&offered) {
            let actor = format!("{:<width$}  ", tame(&offer.step.actor));
            let actor = match self.loaded.model.is_system_of_rules() {
                true => String::new(),
                false => colour.paint(Tone::Name, actor),
            };
            let line = self.loaded.sources.location(offer.step.span).line;
            let statement = tame(&offer.step.text);
            text.push_str(&format!(
                "  {number:>3}  {actor}line {line:<4}  {statement}"
            ));
            if let Some(partner) = &offer.partner {
                let (who, what) = (tame(&partner.actor), tame(&partner.text));
                text.push_str(&format!("   with {who}  {what}"));
            }
            if let Some(violation) = offer.violations.first() {
                let words = colour.paint(Tone::Bad, self.words(violation));
                text.push_str(&format!("   ✗ {words}"));
            }
            text.push('\n');
        }
        text
    }

    /// All variables and channels whose names contain `part`, one a line.
    pub fn values(&self, part: &str) -> String {
        let Some(current) = self.session.current() else {
            return String::new();
        };
        let values = self.session.interpreter().values(&current.state);
        let shown = values.iter().filter(|(name, _)| name.contains(part));
        shown
            .map(|(name, value)| format!("  {} = {}\n", tame(name), tame(value)))
            .collect()
    }
}
