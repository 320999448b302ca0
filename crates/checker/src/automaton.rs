//! Claims as automata that read states.
//!
//! Most claims do nothing but look: at each location some conditions, and where to go if they hold. Such a claim need not run along with
//! the system. It is enough to know of each state of the system which of the conditions hold there, and to let the automaton
//! read the graph of all states afterwards: the system is explored once, by all workers, and not once for each location of the
//! claim.

use mandala_explicit::{Accepting, Automaton, AutomatonState, Choice};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::template::{Control, Edge, Effect, Step, Template};

/// An automaton that accepts the runs that a claim forbids, and the propositions that it reads.
pub struct ClaimAutomaton {
    /// The automaton.
    pub automaton: Automaton,
    /// What its guards mean, by number.
    pub conditions: Vec<Expr>,
}

/// The claim as an automaton, if all it does is look. Where it ends, or fails an assertion that was made to fail, every continuation of
/// the run is accepted.
pub fn claim_automaton(model: &Model, claim: TemplateId) -> Option<ClaimAutomaton> {
    let template = model.template(claim);
    if !template.locals.is_empty() {
        return None;
    }
    let mut reading = Reading {
        template,
        conditions: Vec::new(),
    };
    let locations = (0..template.locations.len()).map(LocationId::from);
    let states: Option<Vec<AutomatonState>> = locations.map(|at| reading.state(at)).collect();
    Some(ClaimAutomaton {
        automaton: Automaton::new(states?, template.entry.0).ok()?,
        conditions: reading.conditions,
    })
}

/// A claim that is being read.
struct Reading<'m> {
    template: &'m Template,
    /// The conditions met so far, each once.
    conditions: Vec<Expr>,
}

impl Reading<'_> {
    fn state(&mut self, at: LocationId) -> Option<AutomatonState> {
        let location = &self.template.locations[at.index()];
        if location.end || self.fails(at) {
            let again = Choice {
                guard: None,
                target: at.0,
            };
            return Some(AutomatonState {
                accepting: Accepting::Always,
                choices: vec![again],
            });
        }
        let edges = self.template.edges_from(at);
        let choices: Option<Vec<Choice>> = edges.map(|(_, edge)| self.choice(edge)).collect();
        Some(AutomatonState {
            accepting: match location.accept {
                true => Accepting::Always,
                false => Accepting::Never,
            },
            choices: choices?,
        })
    }

    /// A step that only looks.
    fn choice(&mut self, edge: &Edge) -> Option<Choice> {
        let Step::Guarded { guard, effects } = &edge.step else {
            return None;
        };
        let steps = edge.control == Control::Release || self.fails(edge.target);
        let plain = effects.is_empty() && steps && edge.escape == 0;
        let asks = guard.any(|e| matches!(e.kind, ExprKind::Timeout | ExprKind::Enabled { .. }));
        if !plain || asks {
            return None;
        }
        Some(Choice {
            guard: self.proposition(guard),
            target: edge.target.0,
        })
    }

    /// The number of the proposition that a condition is; none if it always holds.
    fn proposition(&mut self, guard: &Expr) -> Option<u32> {
        if let ExprKind::Const(value) = guard.kind
            && value != 0
        {
            return None;
        }
        let known = self.conditions.iter().position(|known| known == guard);
        let number = known.unwrap_or_else(|| {
            self.conditions.push(guard.clone());
            self.conditions.len() - 1
        });
        Some(number as u32)
    }

    /// Whether the claim comes here only to fail: with control in its hands, and nothing to do but to assert that what brought it here is not
    /// so.
    fn fails(&self, at: LocationId) -> bool {
        let mut ways_out = self.template.edges_from(at).map(|(_, edge)| edge);
        let (Some(out), None) = (ways_out.next(), ways_out.next()) else {
            return false;
        };
        let mut ways_here = self.template.edges.iter().filter(|edge| edge.target == at);
        let fails = |edge: &Edge| edge.control == Control::Hold && is_denied(edge, out);
        // Nothing need lead to where the claim begins.
        ways_here.next().is_some_and(fails) && ways_here.all(fails)
    }
}

/// Whether a step asserts that the condition of the one before it does not hold.
fn is_denied(before: &Edge, step: &Edge) -> bool {
    let (Step::Guarded { guard, .. }, Step::Guarded { effects, .. }) = (&before.step, &step.step)
    else {
        return false;
    };
    matches!(effects.as_slice(), [Effect::Assert { condition }] if *condition == guard.clone().negated())
}
