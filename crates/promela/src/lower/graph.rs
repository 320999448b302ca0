//! The statements of one process body as a graph of elements.
//!
//! Spin numbers the statements of a model in the order in which its parser completes them, and those
//! numbers are visible to users: trails name them, `pc_value` returns them, and the states of a
//! process are counted by them. The graph is built in that same order, so that numbers, automata and
//! with them the counts of states come out the same.
//!
//! An element is a statement, or a join point that a compound statement brings along: `if` and `do`
//! have a head and a point where their options meet (for `do` that point leads back to the head, and
//! a third element is where `break` goes). A sequence is a chain of elements.

use mandala_model::source::Span;
use mandala_model::template::Step;

/// An element of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ElementId(pub u32);

/// A sequence of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SequenceId(pub u32);

/// A loop, as the target of `break`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LoopId(pub u32);

/// Where a jump goes, before labels are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Jump {
    /// To a label, seen from a scope.
    Label { name: String, scope: Vec<u32> },
    /// Behind a loop.
    Behind(LoopId),
}

/// What an element is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A statement that does something.
    Action(Box<Step>),
    /// `skip` and conditions that are always true.
    Skip,
    /// `else`.
    Else,
    /// `goto` and `break`.
    Goto(Jump),
    /// The point behind a loop.
    LoopExit,
    /// The point where the options of a compound statement meet.
    Join,
    /// The head of `if` or `do`: the options are in `Element::options`.
    Choice,
    /// `atomic { .. }`.
    Atomic(SequenceId),
    /// `d_step { .. }`.
    Deterministic(SequenceId),
    /// `d_step { .. }` whose first statement is a receive at a rendezvous.
    Meeting(SequenceId),
    /// `{ .. }`.
    Block(SequenceId),
    /// `main unless escape`: both are in `Element::options`.
    Unless,
    /// The end of a body.
    Stop,
}

/// Whether a statement runs inside `atomic` or `d_step`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Atomicity {
    /// The process keeps control after the statement.
    pub holds: bool,
    /// It is the last one of an atomic sequence.
    pub last: bool,
    /// It is inside a `d_step`.
    pub deterministic: bool,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub kind: Kind,
    /// Counts the elements of the body, from 1.
    pub number: u32,
    /// Counts the elements of the model, from 0.
    pub statement: u32,
    pub next: Option<ElementId>,
    pub options: Vec<SequenceId>,
    pub escapes: Vec<SequenceId>,
    pub atomicity: Atomicity,
    pub text: String,
    pub span: Span,
}

/// A chain of elements.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element when the sequence was closed, before a join point was appended.
    pub extent: Option<ElementId>,
}

/// A label and the element that it names.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub name: String,
    pub scope: Vec<u32>,
    pub element: ElementId,
    pub span: Span,
}

/// A statement whose parts are in the graph already, but which is not an element yet: Spin makes the
/// element when the statement joins its sequence.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub kind: Kind,
    pub options: Vec<SequenceId>,
    /// Set on the loops.
    pub exits: Option<LoopId>,
    pub labels: Vec<(String, Vec<u32>, Span)>,
    pub text: String,
    pub span: Span,
}

impl Pending {
    pub(super) fn new(kind: Kind, text: impl Into<String>, span: Span) -> Self {
        Pending {
            kind,
            options: Vec::new(),
            exits: None,
            labels: Vec::new(),
            text: text.into(),
            span,
        }
    }
}

/// The elements of one body.
#[derive(Debug, Default)]
pub(super) struct Graph {
    elements: Vec<Element>,
    sequences: Vec<Sequence>,
    open: Vec<SequenceId>,
    pub labels: Vec<Label>,
    exits: Vec<Option<ElementId>>,
    first_statement: u32,
}

impl Graph {
    /// An empty body whose first element is number `first_statement` of the model.
    pub(super) fn new(first_statement: u32) -> Self {
        Graph {
            first_statement,
            ..Graph::default()
        }
    }

    /// The number that the next body's first element gets.
    pub(super) fn next_statement(&self) -> u32 {
        self.first_statement + self.elements.len() as u32
    }

    pub(super) fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub(super) fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = ElementId> + use<> {
        (0..self.elements.len() as u32).map(ElementId)
    }

    pub(super) fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id.0 as usize]
    }

    /// The first element of a sequence. Every closed sequence has one.
    pub(super) fn first(&self, id: SequenceId) -> ElementId {
        self.sequence(id)
            .first
            .expect("a closed sequence has an element")
    }

    /// The `d_step` that starts with the element, or the element itself.
    pub(super) fn owner_of(&self, first: ElementId) -> &Element {
        let starts =
            |e: &&Element| matches!(e.kind, Kind::Meeting(body) if self.first(body) == first);
        self.elements
            .iter()
            .find(starts)
            .unwrap_or(self.element(first))
    }

    /// The elements of a sequence up to its extent.
    pub(super) fn members(&self, id: SequenceId) -> Vec<ElementId> {
        self.chain(self.sequence(id).first, self.sequence(id).extent)
    }

    fn chain(&self, first: Option<ElementId>, last: Option<ElementId>) -> Vec<ElementId> {
        let mut found = Vec::new();
        let mut at = first;
        while let Some(id) = at {
            found.push(id);
            if Some(id) == last {
                break;
            }
            at = self.element(id).next;
        }
        found
    }

    /// Starts a sequence; statements that are added now go there.
    pub(super) fn open(&mut self) {
        self.sequences.push(Sequence::default());
        self.open.push(SequenceId(self.sequences.len() as u32 - 1));
    }

    /// Ends the sequence that was opened last; `None` if no statement was added to it.
    pub(super) fn close(&mut self) -> Option<SequenceId> {
        let id = self.open.pop().expect("open and close come in pairs");
        let sequence = &mut self.sequences[id.0 as usize];
        sequence.extent = sequence.last;
        sequence.last.map(|_| id)
    }

    /// A loop to come, for `break` statements inside it.
    pub(super) fn new_loop(&mut self) -> LoopId {
        self.exits.push(None);
        LoopId(self.exits.len() as u32 - 1)
    }

    /// Where `break` goes.
    pub(super) fn exit_of(&self, id: LoopId) -> ElementId {
        self.exits[id.0 as usize].expect("a loop is complete before jumps are resolved")
    }

    /// Makes the statement an element and adds it to the open sequence.
    pub(super) fn add(&mut self, pending: Pending) -> ElementId {
        let labels = pending.labels.clone();
        let special = labels.iter().any(|(name, ..)| is_special(name));
        let id = match pending.kind {
            Kind::Choice => self.add_choice(pending),
            Kind::Unless => self.add_unless(pending),
            _ => self.make(pending.kind, pending.text, pending.span),
        };
        let joined = matches!(self.element(id).kind, Kind::Choice | Kind::Unless);
        if matches!(self.element(id).kind, Kind::Goto(_)) && special {
            // A jump takes no place of its own, so a label that means something gets a skip.
            let span = self.element(id).span;
            let skip = self.make(Kind::Skip, "(1)".into(), span);
            self.label(labels, skip);
            self.append(skip);
        } else {
            self.label(labels, id);
        }
        if !joined {
            self.append(id);
        }
        id
    }

    fn label(&mut self, labels: Vec<(String, Vec<u32>, Span)>, element: ElementId) {
        for (name, scope, span) in labels {
            self.labels.push(Label {
                name,
                scope,
                element,
                span,
            });
        }
    }

    fn make(&mut self, kind: Kind, text: String, span: Span) -> ElementId {
        let index = self.elements.len() as u32;
        self.elements.push(Element {
            kind,
            number: index + 1,
            statement: self.first_statement + index,
            next: None,
            options: Vec::new(),
            escapes: Vec::new(),
            atomicity: Atomicity::default(),
            text,
            span,
        });
        ElementId(index)
    }

    fn append(&mut self, element: ElementId) {
        let open = *self
            .open
            .last()
            .expect("a statement is added to an open sequence");
        self.append_to(element, open);
    }

    fn append_to(&mut self, element: ElementId, sequence: SequenceId) {
        let chain = &mut self.sequences[sequence.0 as usize];
        let before = chain.last.replace(element);
        match before {
            None => chain.first = Some(element),
            Some(last) => self.element_mut(last).next = Some(element),
        }
    }

    /// A head, the join point of the options, and for a loop the point behind it. The join point of
    /// a loop stands before the head, since it leads back to it.
    fn add_choice(&mut self, pending: Pending) -> ElementId {
        let head = self.make(Kind::Choice, pending.text, pending.span);
        let join = self.make(Kind::Join, ".(goto)".into(), pending.span);
        let options = self.with_else_last(pending.options);
        for &option in &options {
            self.append_to(join, option);
        }
        self.element_mut(head).options = options;
        match pending.exits {
            None => {
                self.append(head);
                self.append(join);
            }
            Some(id) => {
                self.append(join);
                let exit = self.make(Kind::LoopExit, "break".into(), pending.span);
                self.exits[id.0 as usize] = Some(exit);
                self.append(head);
                self.append(exit);
            }
        }
        head
    }

    /// `else` is tried after all other options, wherever it was written.
    fn with_else_last(&self, options: Vec<SequenceId>) -> Vec<SequenceId> {
        let (otherwise, mut rest): (Vec<_>, Vec<_>) = options
            .into_iter()
            .partition(|&o| self.element(self.first(o)).kind == Kind::Else);
        rest.extend(otherwise);
        rest
    }

    fn add_unless(&mut self, pending: Pending) -> ElementId {
        let head = self.make(Kind::Unless, pending.text, pending.span);
        let join = self.make(Kind::Join, ".(goto)".into(), pending.span);
        let (main, escape) = (pending.options[0], pending.options[1]);
        self.append_to(join, main);
        self.append_to(join, escape);
        self.element_mut(head).options = pending.options;
        self.attach_escape(main, escape);
        self.append(head);
        self.append(join);
        head
    }

    /// Every statement of `main` can be left by `escape`.
    fn attach_escape(&mut self, main: SequenceId, escape: SequenceId) {
        for element in self.members(main) {
            self.attach_escape_to(element, escape);
        }
    }

    fn attach_escape_to(&mut self, element: ElementId, escape: SequenceId) {
        if self.element(element).escapes.contains(&escape) {
            return;
        }
        for inner in self.element(element).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.element_mut(element).escapes.insert(0, escape);
        match self.element(element).kind.clone() {
            Kind::Unless => self.attach_escape(self.element(element).options[0], escape),
            Kind::Choice => {
                for option in self.element(element).options.clone() {
                    self.attach_escape(option, escape);
                }
            }
            Kind::Deterministic(body) | Kind::Meeting(body) => {
                self.attach_escape_to(self.first(body), escape);
            }
            Kind::Atomic(body) | Kind::Block(body) => self.attach_escape(body, escape),
            _ => {}
        }
    }

    /// Marks a sequence as the body of `atomic` or, if `deterministic`, of `d_step`.
    pub(super) fn make_atomic(&mut self, body: SequenceId, deterministic: bool) {
        let Sequence { first, last, .. } = self.sequence(body);
        self.walk_atomic(first, last, deterministic);
        let Some(last) = last else { return };
        match self.element(last).kind.clone() {
            Kind::Block(inner) | Kind::Atomic(inner) => self.make_atomic(inner, deterministic),
            Kind::Unless => self.make_atomic(self.element(last).options[0], deterministic),
            _ => {
                let atomicity = &mut self.element_mut(last).atomicity;
                atomicity.holds = false;
                atomicity.last = true;
            }
        }
    }

    fn walk_atomic(
        &mut self,
        first: Option<ElementId>,
        last: Option<ElementId>,
        deterministic: bool,
    ) {
        for id in self.chain(first, last) {
            let element = self.element_mut(id);
            element.atomicity.holds = true;
            element.atomicity.deterministic |= deterministic;
            let inner = match element.kind {
                Kind::Atomic(body) => Some(body),
                Kind::Deterministic(body) | Kind::Meeting(body) if deterministic => Some(body),
                Kind::Block(body) => Some(body),
                _ => None,
            };
            if let Some(body) = inner {
                // Atomic inside atomic adds nothing: it is a plain block there.
                element.kind = Kind::Block(body);
                let Sequence { first, last, .. } = self.sequence(body);
                self.walk_atomic(first, last, deterministic);
            }
            for option in self.element(id).options.clone() {
                let Sequence { first, last, .. } = self.sequence(option);
                self.walk_atomic(first, last, deterministic);
            }
        }
    }

    /// Takes unlabelled skips that follow another skip (or a print) out of an option, unless they
    /// are at its start or end.
    pub(super) fn prune_skips(&mut self, option: SequenceId) {
        let Sequence { first, last, .. } = self.sequence(option);
        let members = self.chain(first, last);
        let mut before = None;
        let mut run = 0;
        for &id in &members {
            let labelled = self.labels.iter().any(|l| l.element == id);
            let (skip, print) = self.skips(id);
            run = if (skip || print) && !labelled {
                run + 1
            } else {
                0
            };
            if run > 1 && skip && Some(id) != first && Some(id) != last {
                let next = self.element(id).next;
                let previous: ElementId = before.expect("the first element is kept");
                self.element_mut(previous).next = next;
            } else {
                before = Some(id);
            }
        }
    }

    fn skips(&self, id: ElementId) -> (bool, bool) {
        use mandala_model::template::Effect;
        let element = self.element(id);
        let print = matches!(&element.kind, Kind::Action(step)
            if matches!(&**step, Step::Guarded { effects, .. } if matches!(effects[..], [Effect::Print { .. }])));
        (element.kind == Kind::Skip, print)
    }

    /// A jump takes no place of its own. Where others refer to a label on one, a skip takes the
    /// jump's place and the jump follows it.
    pub(super) fn keep_place_of(&mut self, label: &str) {
        let labelled = self
            .labels
            .iter()
            .find(|l| l.name == label)
            .map(|l| l.element);
        let Some(id) = labelled.filter(|&id| matches!(self.element(id).kind, Kind::Goto(_))) else {
            return;
        };
        let jump = self.element(id).clone();
        let copy = self.make(jump.kind, jump.text, jump.span);
        self.element_mut(copy).next = jump.next;
        self.element_mut(copy).atomicity = jump.atomicity;
        let place = self.element_mut(id);
        place.kind = Kind::Skip;
        place.text = "(1)".into();
        place.next = Some(copy);
    }

    /// Ties the last statement of each block to what follows the block: outer blocks, which were
    /// completed later, before inner ones.
    pub(super) fn tie_ends(&mut self) {
        for id in self.ids().rev() {
            let body = match self.element(id).kind {
                Kind::Atomic(body)
                | Kind::Block(body)
                | Kind::Deterministic(body)
                | Kind::Meeting(body) => body,
                _ => continue,
            };
            let next = self.element(id).next;
            let last = self
                .sequence(body)
                .last
                .expect("a closed sequence has an element");
            self.element_mut(last).next = next;
        }
    }

    /// Lets jumps that leave an atomic sequence give up control, and jumps from its last statement
    /// into an atomic sequence keep it.
    pub(super) fn patch_jumps(&mut self, target: &impl Fn(&Graph, &Jump) -> Option<ElementId>) {
        for id in self.ids() {
            let Kind::Goto(jump) = &self.element(id).kind else {
                continue;
            };
            let Some(to) = target(self, jump) else {
                continue;
            };
            let there = self.element(to).atomicity;
            let inside = there.holds || there.last;
            let here = &mut self.element_mut(id).atomicity;
            if (here.holds || here.last) && !inside {
                *here = Atomicity {
                    holds: false,
                    last: true,
                    ..*here
                };
            }
            if here.last && inside {
                *here = Atomicity {
                    holds: true,
                    last: false,
                    ..*here
                };
            }
        }
    }
}

/// Labels that say something about the place they name.
pub(super) fn is_special(name: &str) -> bool {
    ["accept", "end", "progress"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}
