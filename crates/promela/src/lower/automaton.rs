//! From the graph of a body to the automaton of a template.
//!
//! The rules are those of Spin's verifier, so that the automata have the same locations:
//!
//! - A statement leads to the next element that is one: jumps and join points are passed through.
//!   Only where that would leave an atomic sequence, the jump or join point is a location of its own,
//!   whose step gives up control.
//! - The head of a choice, of `atomic` or of a block is the location; the first statements of its
//!   options are the edges out of it. A label on such a first statement therefore says something
//!   about the location *behind* the statement.
//! - The first statements of an escape are edges out of every location that it covers, before the
//!   ordinary ones.

use super::graph::{ElementId, Graph, Jump, Kind, SequenceId};
use super::routine;
use mandala_model::Diagnostic;
use mandala_model::expr::Expr;
use mandala_model::ids::LocationId;
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Location, Step};
use std::collections::BTreeMap;

/// How many elements a chain of jumps may have: longer ones lead nowhere.
const LONGEST_CHAIN: usize = 500;

/// What the graph of a body becomes.
pub(super) struct Automaton {
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub entry: LocationId,
    /// From element numbers to locations.
    pub by_number: BTreeMap<u32, LocationId>,
}

/// A transition between element numbers.
#[derive(Clone, Debug)]
struct Transition {
    element: ElementId,
    target: u32,
    holds: bool,
    escapes: Vec<u32>,
    class: u32,
    /// Of a `d_step` that began with a rendezvous: where the rest of it starts.
    rest: Option<ElementId>,
}

/// What starts at an element.
#[derive(Clone, Debug)]
enum Row {
    /// One statement.
    Statement(Transition),
    /// The statements that start at these elements.
    Branches(Vec<u32>),
}

#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    end: bool,
    progress: bool,
    accept: bool,
}

impl Marks {
    fn add(&mut self, other: Marks) {
        self.end |= other.end;
        self.progress |= other.progress;
        self.accept |= other.accept;
    }
}

/// Resolves jumps and follows chains of them.
pub(super) struct Paths<'g> {
    pub graph: &'g Graph,
}

impl Paths<'_> {
    /// The element that a jump goes to.
    pub fn jump(&self, jump: &Jump) -> Option<ElementId> {
        jump_target(self.graph, jump)
    }

    /// The first element from `from` on that is a statement or a head. A statement that `holds`
    /// control does not pass through to a place outside the atomic sequence.
    pub fn statement_at(&self, from: ElementId, holds: bool) -> Result<ElementId, Diagnostic> {
        let mut at = from;
        for _ in 0..LONGEST_CHAIN {
            let element = self.graph.element(at);
            let next = match &element.kind {
                Kind::Goto(jump) => self.jump(jump),
                Kind::Join | Kind::LoopExit => element.next,
                Kind::Unless => {
                    Some(self.statement_at(self.graph.first(element.options[0]), holds)?)
                }
                _ => None,
            };
            let Some(next) = next else { return Ok(at) };
            if holds && !self.graph.element(next).atomicity.holds {
                return Ok(at);
            }
            at = next;
        }
        let span = self.graph.element(from).span;
        Err(Diagnostic::error(
            span,
            "this jump leads into a cycle of jumps without a statement",
        ))
    }

    /// The first element of an option that can be its guard.
    pub fn guard_at(&self, option: SequenceId) -> ElementId {
        let mut at = self.graph.first(option);
        for _ in 0..LONGEST_CHAIN {
            let element = self.graph.element(at);
            at = match (&element.kind, element.next) {
                (Kind::Join, Some(next)) => next,
                (Kind::Unless, _) => self.graph.first(element.options[0]),
                _ => return at,
            };
        }
        at
    }
}

/// The element that a jump goes to: for a label the one in the same scope, else the innermost one
/// around, else any of that name.
pub(super) fn jump_target(graph: &Graph, jump: &Jump) -> Option<ElementId> {
    match jump {
        Jump::Behind(id) => Some(graph.exit_of(*id)),
        Jump::Label { name, scope } => graph
            .labels
            .iter()
            .filter(|l| l.name == *name)
            .max_by_key(|l| {
                if scope.starts_with(&l.scope) {
                    l.scope.len() + 1
                } else {
                    0
                }
            })
            .map(|l| l.element),
    }
}

/// What is at the end of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndOfBody {
    /// A step by which the process ends.
    Exit,
    /// Nothing: an observer stays there.
    Final,
}

/// Builds the automaton.
pub(super) fn build(
    graph: &mut Graph,
    body: SequenceId,
    end: EndOfBody,
) -> Result<Automaton, Diagnostic> {
    graph.tie_ends();
    graph.patch_jumps(&jump_target);
    let paths = Paths { graph };
    let mut table = Table::new(&paths)?;
    table.fill()?;
    table.expand_branches();
    table.add_escapes();
    table.pass_end_marks();
    let entry = paths.statement_at(graph.first(body), false)?;
    table.finish(graph.element(entry).number, end)
}

/// The transitions by element number, while they are being worked out.
struct Table<'g> {
    paths: &'g Paths<'g>,
    rows: Vec<Option<Row>>,
    lists: Vec<Vec<Transition>>,
    marks: Vec<Marks>,
    /// Elements that are no statement of the user's, or that never are a location.
    silent: Vec<bool>,
}

impl<'g> Table<'g> {
    fn new(paths: &'g Paths<'g>) -> Result<Self, Diagnostic> {
        let size = paths.graph.ids().count() + 1;
        let mut marks = vec![Marks::default(); size];
        for label in &paths.graph.labels {
            let mark = &mut marks[paths.graph.element(label.element).number as usize];
            mark.end |= label.name.starts_with("end");
            mark.progress |= label.name.starts_with("progress");
            mark.accept |= label.name.starts_with("accept");
        }
        Ok(Table {
            paths,
            rows: vec![None; size],
            lists: vec![Vec::new(); size],
            marks,
            silent: vec![false; size],
        })
    }

    fn number(&self, id: ElementId) -> u32 {
        self.paths.graph.element(id).number
    }

    fn fill(&mut self) -> Result<(), Diagnostic> {
        for id in self.paths.graph.ids() {
            let element = self.paths.graph.element(id);
            let inside_routine = element.atomicity.deterministic;
            if inside_routine {
                continue;
            }
            let row = self.row(id)?;
            let element = self.paths.graph.element(id);
            let number = element.number as usize;
            if let Kind::Meeting(body) = element.kind {
                self.split_meeting(id, body)?;
                continue;
            }
            if let Kind::Stop = element.kind {
                self.marks[number].end = true;
            }
            self.silent[number] |= is_silent(&element.kind);
            self.rows[number] = row;
        }
        Ok(())
    }

    /// A `d_step` that starts with a rendezvous is the receive, which keeps control, and the rest.
    fn split_meeting(&mut self, id: ElementId, body: SequenceId) -> Result<(), Diagnostic> {
        let whole = self.statement(id)?;
        let receive = self.paths.graph.first(body);
        let last = self.paths.graph.sequence(body).last;
        let next = self.paths.graph.element(receive).next;
        let rest = next.filter(|_| last != Some(receive));
        let first = match rest {
            Some(rest) => Transition {
                element: receive,
                target: self.number(rest),
                holds: true,
                ..whole.clone()
            },
            None => Transition {
                element: receive,
                ..whole.clone()
            },
        };
        if let Some(rest) = rest {
            let number = self.number(rest) as usize;
            self.silent[number] = true;
            self.rows[number] = Some(Row::Statement(Transition {
                rest: Some(rest),
                ..whole
            }));
        }
        let number = self.number(id) as usize;
        self.rows[number] = Some(Row::Statement(first));
        Ok(())
    }

    fn row(&mut self, id: ElementId) -> Result<Option<Row>, Diagnostic> {
        let graph = self.paths.graph;
        let element = graph.element(id);
        Ok(match &element.kind {
            Kind::Unless => None,
            Kind::Choice => Some(Row::Branches(self.guards(&element.options))),
            Kind::Atomic(body) | Kind::Block(body) => Some(Row::Branches(self.guards(&[*body]))),
            _ => Some(Row::Statement(self.statement(id)?)),
        })
    }

    /// The guards of the options, without those that are constantly false.
    fn guards(&mut self, options: &[SequenceId]) -> Vec<u32> {
        let mut found = Vec::new();
        for &option in options {
            let first = self.number(self.paths.graph.first(option));
            self.silent[first as usize] = true;
            let guard = self.paths.guard_at(option);
            let element = self.paths.graph.element(guard);
            if options.len() > 1 && is_never(&element.kind) && element.escapes.is_empty() {
                continue;
            }
            found.push(element.number);
        }
        found
    }

    fn statement(&mut self, id: ElementId) -> Result<Transition, Diagnostic> {
        let graph = self.paths.graph;
        let element = graph.element(id);
        let holds = element.atomicity.holds;
        let next = match &element.kind {
            Kind::Goto(jump) => self.paths.jump(jump),
            _ => element.next,
        };
        let target = match next {
            Some(next) => self.number(self.paths.statement_at(next, holds)?),
            None => element.number,
        };
        let mut escapes = Vec::new();
        if element.kind != Kind::Join {
            for &escape in &element.escapes {
                let first = self.number(self.paths.statement_at(graph.first(escape), holds)?);
                self.silent[first as usize] = true;
                escapes.push(first);
            }
        }
        Ok(Transition {
            element: id,
            target,
            holds,
            escapes,
            class: 0,
            rest: None,
        })
    }

    /// Gives every head the statements that its options start with, and passes marks on.
    fn expand_branches(&mut self) {
        while self.splice_heads() {}
        for number in 1..self.rows.len() {
            match self.rows[number].clone() {
                Some(Row::Statement(transition)) => self.lists[number].push(transition),
                Some(Row::Branches(branches)) => {
                    for branch in branches {
                        let Some(Row::Statement(transition)) = self.rows[branch as usize].clone()
                        else {
                            continue;
                        };
                        let from = self.marks[branch as usize];
                        self.silent[branch as usize] = true;
                        self.marks[transition.target as usize].add(from);
                        self.lists[number].push(transition);
                    }
                }
                None => {}
            }
        }
    }

    /// Replaces branches that lead to heads by the branches of those heads, one level.
    fn splice_heads(&mut self) -> bool {
        let mut changed = false;
        for number in 1..self.rows.len() {
            let Some(Row::Branches(branches)) = self.rows[number].clone() else {
                continue;
            };
            let mut spliced = Vec::new();
            for branch in branches {
                match self.rows[branch as usize].clone() {
                    Some(Row::Branches(inner)) => {
                        let from = self.marks[branch as usize];
                        self.silent[branch as usize] = true;
                        for &b in &inner {
                            self.marks[b as usize].add(from);
                        }
                        spliced.extend(inner);
                        changed = true;
                    }
                    _ => spliced.push(branch),
                }
            }
            self.rows[number] = Some(Row::Branches(spliced));
        }
        changed
    }

    /// Puts the first statements of escapes before the statements that they cover.
    fn add_escapes(&mut self) {
        for number in 1..self.lists.len() {
            let mut at = 0;
            while at < self.lists[number].len() {
                let escapes = self.lists[number][at].escapes.clone();
                let before = self.lists[number].len();
                for &escape in escapes.iter().rev() {
                    self.add_escape(number, escape);
                }
                at += 1 + self.lists[number].len() - before;
            }
        }
    }

    fn add_escape(&mut self, number: usize, escape: u32) {
        for transition in self.lists[escape as usize].clone() {
            if self.lists[number]
                .iter()
                .any(|t| t.element == transition.element)
            {
                continue;
            }
            self.lists[number].insert(
                0,
                Transition {
                    class: escape,
                    ..transition
                },
            );
        }
    }

    /// A process that may stay at a join point may stay behind it.
    fn pass_end_marks(&mut self) {
        for number in 1..self.lists.len() {
            if let [only] = &self.lists[number][..]
                && self.paths.graph.element(only.element).kind == Kind::Join
                && self.marks[number].end
            {
                self.marks[only.target as usize].end = true;
            }
        }
    }

    fn finish(&self, entry: u32, end: EndOfBody) -> Result<Automaton, Diagnostic> {
        let needed = self.needed(entry);
        let kept: Vec<u32> = (1..self.lists.len() as u32)
            .filter(|&n| needed[n as usize])
            .collect();
        let by_number: BTreeMap<u32, LocationId> = kept
            .iter()
            .enumerate()
            .map(|(i, &n)| (n, LocationId::from(i)))
            .collect();
        let mut locations = Vec::new();
        let mut edges = Vec::new();
        for &number in &kept {
            let first = edges.len() as u32;
            for transition in &self.lists[number as usize] {
                let element = self.paths.graph.element(transition.element);
                if element.kind == Kind::Stop && end == EndOfBody::Final {
                    continue;
                }
                let Some(&target) = by_number.get(&transition.target) else {
                    continue;
                };
                edges.push(self.edge(by_number[&number], target, transition)?);
            }
            locations.push(self.location(number, first..edges.len() as u32));
        }
        Ok(Automaton {
            locations,
            edges,
            entry: by_number[&entry],
            by_number,
        })
    }

    fn needed(&self, entry: u32) -> Vec<bool> {
        let mut seen = vec![false; self.lists.len()];
        // Statements that cannot be reached are kept, to be reported, with the places they lead to.
        let statements =
            (1..self.lists.len()).filter(|&n| !self.silent[n] && !self.lists[n].is_empty());
        let mut work: Vec<u32> = statements.map(|n| n as u32).chain([entry]).collect();
        while let Some(number) = work.pop() {
            if !std::mem::replace(&mut seen[number as usize], true) {
                work.extend(self.lists[number as usize].iter().map(|t| t.target));
            }
        }
        seen
    }

    fn location(&self, number: u32, edges: std::ops::Range<u32>) -> Location {
        let marks = self.marks[number as usize];
        let labels = self
            .paths
            .graph
            .labels
            .iter()
            .filter(|l| l.element == ElementId(number - 1));
        Location {
            number,
            labels: labels.map(|l| l.name.clone()).collect(),
            end: marks.end,
            progress: marks.progress,
            accept: marks.accept,
            silent: self.silent[number as usize],
            edges,
            span: self.place_of(number),
        }
    }

    /// Where a location is in the text: a block is where its first statement is.
    fn place_of(&self, number: u32) -> Span {
        let graph = self.paths.graph;
        let element = graph.element(ElementId(number - 1));
        let first = self.lists[number as usize].iter().find(|t| t.class == 0);
        match (&element.kind, first) {
            (Kind::Block(_) | Kind::Atomic(_), Some(first)) => graph.element(first.element).span,
            _ => element.span,
        }
    }

    /// The number by which Spin knows a transition.
    fn statement_number(&self, from: &Transition) -> u32 {
        let element = self.paths.graph.element(from.element);
        match (from.rest, element.atomicity.deterministic) {
            (Some(_), _) => crate::trail::WITHOUT_LINE,
            (None, true) => self.paths.graph.owner_of(from.element).statement,
            (None, false) => element.statement,
        }
    }

    fn edge(
        &self,
        source: LocationId,
        target: LocationId,
        from: &Transition,
    ) -> Result<Edge, Diagnostic> {
        let element = self.paths.graph.element(from.element);
        let step = match &element.kind {
            Kind::Action(step) => (**step).clone(),
            Kind::Else => Step::Else,
            Kind::Stop => Step::Exit,
            Kind::Deterministic(body) | Kind::Meeting(body) => {
                let first = from.rest.unwrap_or(self.paths.graph.first(*body));
                Step::Routine(routine::build(self.paths, first, element)?)
            }
            _ => always(element.span),
        };
        Ok(Edge {
            source,
            target,
            step,
            control: if from.holds {
                Control::Hold
            } else {
                Control::Release
            },
            escape: from.class,
            text: element.text.clone(),
            statement: self.statement_number(from),
            span: element.span,
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        })
    }
}

/// A step that is always possible and does nothing.
pub(super) fn always(span: Span) -> Step {
    Step::Guarded {
        guard: Expr::constant(1, span),
        effects: Vec::new(),
    }
}

/// A block is not silent: its first statement starts there.
fn is_silent(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Action(_)
            | Kind::Stop
            | Kind::Deterministic(_)
            | Kind::Meeting(_)
            | Kind::Block(_)
            | Kind::Atomic(_)
    )
}

fn is_never(kind: &Kind) -> bool {
    matches!(kind, Kind::Action(step)
        if matches!(&**step, Step::Guarded { guard, effects } if effects.is_empty() && guard.as_constant() == Some(0)))
}
