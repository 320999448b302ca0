//! Bodies that the calls of one rule share.
//!
//! Where the calls of a rule would put in several copies of a long body, it is put in once. A call notes its number before it goes there, and where the body ends, control goes on
//! behind the call that was noted. Only functions that do not call themselves are shared in this way: there is one call of such a function at a time, so one note is enough, and
//! the homes of its variables are those that copies would have as well.
//!
//! A body is shared by the calls that pass it the same places; indices of these are the same if they stand at the same place in the source, since that is where an index outside is
//! reported.
//!
//! Short bodies are copied: up to [`LONGEST_COPY`] statements, those of the functions that they call included, each copy of a call is that long. So the code of a rule is linear in its
//! text and that of the functions that it calls, however often and however deeply nested they are called.

use crate::expr::{BinaryOp, Expr, Place, Projection, Root};
use crate::function::Call;
use crate::ids::{FunctionId, LocalId, NodeId};
use crate::inline::{Code, Inliner, Site, Substitution, index_home, is_steady, read};
use crate::model::Model;
use crate::source::Span;
use crate::template::{Choice, Effect, Step};
use crate::types::{Initial, Scalar, Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// How many statements a body may have that is copied for each call.
const LONGEST_COPY: usize = 24;

/// The bodies that are shared.
#[derive(Default)]
pub(crate) struct Shared {
    /// The functions whose calls share bodies.
    functions: BTreeSet<FunctionId>,
    /// What was put in for those in the routine at hand.
    bodies: Vec<Body>,
    /// For each function, the variable in which calls note their number.
    notes: BTreeMap<FunctionId, LocalId>,
    /// The homes of indices of places that are passed, by where these indices stand.
    indices: BTreeMap<(FunctionId, usize, usize, Span), LocalId>,
}

/// A body that calls lead to.
struct Body {
    function: FunctionId,
    references: Vec<Place>,
    /// Whether it is executed inside of a call of a function that calls itself.
    nested: bool,
    entry: NodeId,
    /// The node that it ends at.
    end: NodeId,
    calls: Vec<Caller>,
}

/// A call of a shared body.
struct Caller {
    /// The choice that leads to the body: the last thing that it does is to note the number of the call.
    choice: (NodeId, usize),
    /// Where control goes on.
    behind: Choice,
}

impl Shared {
    /// The functions that are too long for copies share their bodies.
    pub(crate) fn of(model: &Model) -> Self {
        let mut lengths = Lengths {
            model,
            known: vec![None; model.functions.len()],
        };
        let all = (0..model.functions.len()).map(FunctionId::from);
        let long = all.filter(|id| !model.is_recursive(*id) && lengths.of(*id) > LONGEST_COPY);
        Shared {
            functions: long.collect(),
            ..Shared::default()
        }
    }
}

/// How many statements bodies have with the copies in them.
struct Lengths<'m> {
    model: &'m Model,
    known: Vec<Option<usize>>,
}

impl Lengths<'_> {
    fn of(&mut self, id: FunctionId) -> usize {
        if let Some(known) = self.known[id.index()] {
            return known;
        }
        let body = &self.model.function(id).body;
        let mut length = body.size();
        for call in body
            .calls()
            .filter(|call| !self.model.is_recursive(call.function))
        {
            let copy = Some(self.of(call.function)).filter(|copy| *copy <= LONGEST_COPY);
            length += copy.unwrap_or(0);
        }
        self.known[id.index()] = Some(length);
        length
    }
}

impl Inliner<'_> {
    /// Whether the calls of a function share a body.
    pub(crate) fn is_shared(&self, function: FunctionId) -> bool {
        self.shared.functions.contains(&function)
    }

    /// Leads a call to the body that it shares with others, which is put in for the first of them. Gives the choice that leads there.
    pub(crate) fn put_in_shared(
        &mut self,
        call: &Call,
        (site, node, choice): (&Site, usize, usize),
        code: &mut Code,
        locals: &mut Vec<Variable>,
    ) -> Choice {
        let function = self.model.function(call.function);
        let homes = self.homes(call.function, locals);
        let behind = self.behind(call, function, &homes, site, code);
        let mut effects = self.arguments(call, function, &homes);
        let references = self.shared_references(call, locals, &mut effects);
        let number = self.shared_body((call.function, references), site, code, &homes);
        let body = &mut self.shared.bodies[number];
        let (entry, count) = (body.entry, body.calls.len());
        body.calls.push(Caller {
            choice: (NodeId::from(node), choice),
            behind: site.choice(Vec::new(), behind),
        });
        let value = Expr::constant(count as i64, site.span);
        let place = self.note(call.function, site.span, locals);
        effects.push(Effect::Assign { place, value });
        site.choice(effects, Some(entry))
    }

    /// The body for those places, by its number.
    fn shared_body(
        &mut self,
        (function, references): (FunctionId, Vec<Place>),
        site: &Site,
        code: &mut Code,
        homes: &[LocalId],
    ) -> usize {
        let is_same = |body: &Body| {
            body.function == function && body.nested == site.nested && body.references == references
        };
        if let Some(known) = self.shared.bodies.iter().position(is_same) {
            return known;
        }
        let end = site.push(Vec::new(), code);
        let frame = Substitution {
            homes,
            references: &references,
        };
        let entry = self.copy_body(function, &frame, (Some(end), site.nested), code);
        self.shared.bodies.push(Body {
            function,
            references,
            nested: site.nested,
            entry,
            end,
            calls: Vec::new(),
        });
        self.shared.bodies.len() - 1
    }

    /// The places that are passed. The homes of indices that may change are those of all calls at the same place in the source, and where a place itself stands is of no
    /// consequence, since what is reported is where it is used.
    fn shared_references(
        &mut self,
        call: &Call,
        locals: &mut Vec<Variable>,
        effects: &mut Vec<Effect>,
    ) -> Vec<Place> {
        let span = self.model.function(call.function).span;
        let passed: Vec<&Root> = call.references.iter().map(|place| &place.root).collect();
        let mut references = call.references.clone();
        for (number, place) in references.iter_mut().enumerate() {
            place.span = span;
            for (position, part) in place.path.iter_mut().enumerate() {
                if let Projection::Index(index) = part
                    && !is_steady(index, &passed, locals)
                {
                    let key = (call.function, number, position, index.span);
                    let home = self.shared.indices.entry(key);
                    let home = *home.or_insert_with(|| index_home(index.span, locals));
                    let home = Place::variable(Root::Local(home), index.span);
                    effects.push(Effect::Assign {
                        place: home.clone(),
                        value: index.clone(),
                    });
                    *index = read(home);
                }
            }
        }
        references
    }

    /// Where a call of a function is noted.
    fn note(&mut self, function: FunctionId, span: Span, locals: &mut Vec<Variable>) -> Place {
        let note = self.shared.notes.entry(function);
        let note = *note.or_insert_with(|| {
            locals.push(Variable {
                name: "behind".into(),
                ty: Type::Scalar(Scalar::Range {
                    min: 0,
                    max: i64::from(i32::MAX),
                }),
                indices: Vec::new(),
                initial: Initial::Default,
                storage: Storage::Scratch,
                span,
            });
            LocalId::from(locals.len() - 1)
        });
        Place::variable(Root::Local(note), span)
    }

    /// Leads from the end of each shared body back to where it was called from, when all calls are known.
    pub(crate) fn lead_back(&mut self, code: &mut Code, locals: &mut Vec<Variable>) {
        for body in std::mem::take(&mut self.shared.bodies) {
            let span = self.model.function(body.function).span;
            let note = self.note(body.function, span, locals);
            let choices = match <[Caller; 1]>::try_from(body.calls) {
                Ok([only]) => {
                    forget_note(only.choice, code);
                    vec![only.behind]
                }
                Err(calls) => back(calls, &note),
            };
            code.routine.nodes[body.end.index()].choices = choices;
        }
    }
}

/// Takes out that a call is noted which is the only one.
fn forget_note((node, choice): (NodeId, usize), code: &mut Code) {
    let choice = &mut code.routine.nodes[node.index()].choices[choice];
    if let Step::Guarded { effects, .. } = &mut choice.step {
        effects.pop();
    }
}

/// The choices at the end of a body that those calls share.
fn back(calls: Vec<Caller>, note: &Place) -> Vec<Choice> {
    let last = calls.len() - 1;
    let numbered = calls.into_iter().enumerate();
    let choice = |(number, caller): (usize, Caller)| {
        let mut choice = caller.behind;
        // There is no other call than these, so the last one needs no condition.
        if number < last
            && let Step::Guarded { guard, .. } = &mut choice.step
        {
            let value = Expr::constant(number as i64, choice.span);
            let is_noted = Expr::binary(BinaryOp::Equal, read(note.clone()), value);
            *guard = Expr {
                span: choice.span,
                ..is_noted
            };
        }
        choice
    };
    numbered.map(choice).collect()
}
