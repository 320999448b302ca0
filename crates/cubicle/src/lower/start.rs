//! Where runs start: what `init` gives a value has it from the beginning, and everything else gets any.

use super::{Lowering, Scope, all, assign, bound, element, guarded, local, read, shared};
use crate::typed::{Formula, FormulaKind, Kind, Process, System, Term, TermKind};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::ids::LocationId;
use mandala_model::parameters::Parameter;
use mandala_model::template::{Control, Edge, Effect, Step};
use mandala_model::types::Initial;

/// What `init` says, taken apart.
struct Said<'s> {
    /// The value of each variable, for all processes.
    values: Vec<Option<Term>>,
    /// What is left, which has to hold for each process.
    further: Vec<&'s Formula>,
}

impl Lowering<'_> {
    /// The locations before the one where the system runs, and that one, which is the last.
    pub(super) fn starts(&mut self) {
        let said = said(self.system);
        let none = Scope::of(Vec::new());
        for (number, value) in said.values.iter().enumerate() {
            if let Some(value) = value {
                let value = self.term(*value, &none);
                self.model.globals[number].initial = Initial::Fill(value);
            }
        }
        let span = self.system.init_span;
        let free: Vec<usize> = (0..said.values.len())
            .filter(|number| said.values[*number].is_none())
            .collect();
        if !free.is_empty() || !said.further.is_empty() {
            self.model.start_held = true;
            for variable in free {
                self.choose(variable);
            }
            let here = self.location("init", span);
            let further = said.further.iter().map(|part| self.formula(part, &none));
            let holds = self.for_all(all(further.collect(), span), span);
            let step = guarded(holds, Vec::new());
            self.go(here, 1, Control::Release, Vec::new(), step);
            self.give_up(here);
        }
        self.location("run", span);
    }

    /// A variable gets any value, and an array one element after the other.
    fn choose(&mut self, variable: usize) {
        let declared = &self.system.variables[variable];
        let (kind, span, name) = (declared.kind, declared.span, &declared.name);
        let here = self.location(&format!("choose {name}"), span);
        let value = self.scratch("value", kind, span);
        let chosen = self.parameter("value", value, kind, span);
        if !declared.is_array {
            let effect = assign(shared(variable, span), local(value, span));
            let step = guarded(Expr::constant(1, span), vec![effect]);
            self.go(here, 1, Control::Hold, vec![chosen], step);
            return;
        }
        let process = self.scratch("process", Kind::Process, span);
        let of = self.parameter("process", process, Kind::Process, span);
        let place = || element(variable, local(process, span));
        let is = |op, place| Expr::binary(op, read(place), Expr::constant(0, span));
        let step = guarded(
            is(BinaryOp::Equal, place()),
            vec![assign(place(), local(value, span))],
        );
        self.go(here, 0, Control::Hold, vec![of, chosen], step);
        let done = is(BinaryOp::NotEqual, element(variable, bound(span)));
        let done = guarded(self.for_all(done, span), Vec::new());
        self.go(here, 1, Control::Hold, Vec::new(), done);
        self.give_up(here);
    }

    /// A step to nowhere: where there is no step at all, control would be lost, and the place one that runs start in.
    fn give_up(&mut self, here: LocationId) {
        let nowhere = guarded(
            Expr::constant(1, self.system.init_span),
            vec![Effect::Abandon],
        );
        self.go(here, 0, Control::Hold, Vec::new(), nowhere);
    }

    /// An edge to a location so much further on.
    fn go(
        &mut self,
        source: LocationId,
        further: u32,
        control: Control,
        parameters: Vec<Parameter>,
        step: Step,
    ) {
        self.add(Edge {
            source,
            target: LocationId(source.0 + further),
            step,
            control,
            escape: 0,
            text: "init".into(),
            statement: 0,
            span: self.system.init_span,
            twin: false,
            parameters,
            outcome: None,
        });
    }
}

/// What `init` says: equations that give values, and the rest.
fn said(system: &System) -> Said<'_> {
    let whole = &system.init;
    let parts = match &whole.kind {
        FormulaKind::And(parts) => parts.as_slice(),
        _ => std::slice::from_ref(whole),
    };
    let mut said = Said {
        values: vec![None; system.variables.len()],
        further: Vec::new(),
    };
    for part in parts {
        match given(part) {
            Some((variable, value)) if said.values[variable].is_none() => {
                said.values[variable] = Some(value);
            }
            _ => said.further.push(part),
        }
    }
    said
}

/// The variable that an equation gives a value, and the value.
fn given(formula: &Formula) -> Option<(usize, Term)> {
    let FormulaKind::Compare(true, left, right) = &formula.kind else {
        return None;
    };
    match (left.kind, right.kind) {
        (
            TermKind::Shared(variable) | TermKind::Element(variable, Process::Each),
            TermKind::Value(..),
        ) => Some((variable, *right)),
        (
            TermKind::Value(..),
            TermKind::Shared(variable) | TermKind::Element(variable, Process::Each),
        ) => Some((variable, *left)),
        _ => None,
    }
}
