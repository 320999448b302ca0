//! Code as a graph: what becomes the routine of an edge.
//!
//! Code is added where control is at the moment, at the *ends*: places behind which nothing follows yet. As
//! long as there is one end, effects are added to the choice that it is behind, so straight code
//! stays one choice; where several ends meet, a new node begins. After a `return` or an error there is no
//! end, and what is added then is dropped, because it is never reached.

use super::build::{Chain, chain, truth};
use mandala_model::expr::Expr;
use mandala_model::function::Call;
use mandala_model::ids::NodeId;
use mandala_model::loops::Loop;
use mandala_model::source::Span;
use mandala_model::template::{Choice, Effect, Node, Routine, Step};
use mandala_model::tidy::{tidy, tidy_body};

/// Where code can be added: the begin, or behind a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Begin,
    Behind { node: usize, choice: usize },
}

/// What a statement is called, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) text: String,
    pub(super) span: Span,
}

#[derive(Debug)]
struct Draft {
    choices: Vec<DraftChoice>,
    quiet: bool,
    /// Whether somebody wants to know if it is passed.
    watched: Option<usize>,
    span: Span,
}

#[derive(Debug)]
struct DraftChoice {
    guard: Expr,
    effects: Vec<Effect>,
    /// What is called in place of all that.
    call: Option<Call>,
    next: Option<usize>,
    label: Label,
}

/// Code that is being written.
#[derive(Debug)]
pub(super) struct Flow {
    nodes: Vec<Draft>,
    ends: Vec<End>,
    loops: Vec<Loop>,
    /// How much has been added.
    size: usize,
}

/// Code that is complete.
pub(super) struct Code {
    pub(super) step: Step,
    /// The nodes that somebody watches, each with the number that it is watched under.
    pub(super) watched: Vec<(usize, NodeId)>,
}

impl Flow {
    pub(super) fn new() -> Flow {
        Flow {
            nodes: Vec::new(),
            ends: vec![End::Begin],
            loops: Vec::new(),
            size: 0,
        }
    }

    /// True if what is added now can be reached.
    pub(super) fn is_open(&self) -> bool {
        !self.ends.is_empty()
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Takes the ends away: control is nowhere.
    pub(super) fn take_ends(&mut self) -> Vec<End> {
        std::mem::take(&mut self.ends)
    }

    /// Goes on there, too.
    pub(super) fn join(&mut self, ends: impl IntoIterator<Item = End>) {
        self.ends.extend(ends);
    }

    /// Adds an effect.
    pub(super) fn effect(&mut self, effect: Effect, label: &Label) {
        if !self.is_open() {
            return;
        }
        self.size += 1;
        match self.ends[..] {
            [End::Behind { node, choice }] if self.nodes[node].choices[choice].call.is_none() => {
                self.nodes[node].choices[choice].effects.push(effect);
            }
            _ => {
                self.node(vec![(truth(true, label.span), label.clone())], label.span);
                self.nodes
                    .last_mut()
                    .into_iter()
                    .for_each(|node| node.choices[0].effects.push(effect.clone()));
                self.ends = vec![self.behind(0)];
            }
        }
    }

    /// Adds an effect that ends everything.
    pub(super) fn last(&mut self, effect: Effect, label: &Label) {
        self.alone(effect, label);
        self.take_ends();
    }

    /// Adds an effect that may fail, in a choice that has its label: reports find it by that.
    pub(super) fn alone(&mut self, effect: Effect, label: &Label) {
        let fits = match self.ends[..] {
            [End::Behind { node, choice }] => {
                let choice = &self.nodes[node].choices[choice];
                let empty = choice.effects.is_empty() && choice.call.is_none();
                empty && choice.label.span == label.span
            }
            _ => false,
        };
        if !fits {
            let always = truth(true, label.span);
            let ends = self.split(vec![(always, label.clone())], label.span);
            self.join(ends);
        }
        self.effect(effect, label);
    }

    /// Adds a call.
    pub(super) fn call(&mut self, call: Call, label: &Label) {
        let always = truth(true, label.span);
        let ends = self.split(vec![(always, label.clone())], label.span);
        for end in &ends {
            if let End::Behind { node, choice } = *end {
                self.nodes[node].choices[choice].call = Some(call.clone());
            }
        }
        self.join(ends);
    }

    /// Divides control: the first choice whose condition is true. Gives the end behind each choice; there is no
    /// other until one of them is joined.
    pub(super) fn split(&mut self, choices: Vec<(Expr, Label)>, span: Span) -> Vec<End> {
        if !self.is_open() {
            return Vec::new();
        }
        let count = choices.len();
        self.node(choices, span);
        self.ends.clear();
        (0..count).map(|choice| self.behind(choice)).collect()
    }

    /// Goes on only if the condition is true; else the edge cannot be taken.
    pub(super) fn require(&mut self, condition: Expr, label: Label) {
        let span = label.span;
        let possible = condition.as_constant() != Some(0);
        if let Some(before) = self.last_requirement() {
            *before = chain(Chain::All, [before.clone(), condition], span);
            if !possible {
                self.take_ends();
            }
            return;
        }
        let ends = self.split(vec![(condition, label)], span);
        if !ends.is_empty() {
            self.nodes
                .last_mut()
                .into_iter()
                .for_each(|n| n.quiet = true);
        }
        if possible {
            self.join(ends);
        }
    }

    /// The condition that was required before, if nothing has been added since.
    fn last_requirement(&mut self) -> Option<&mut Expr> {
        let [End::Behind { node, choice: 0 }] = self.ends[..] else {
            return None;
        };
        match &mut self.nodes[node] {
            Draft {
                choices,
                quiet: true,
                ..
            } => match &mut choices[..] {
                [only] if only.effects.is_empty() => Some(&mut only.guard),
                _ => None,
            },
            _ => None,
        }
    }

    /// A node that is passed here, to be watched under that number.
    pub(super) fn watch(&mut self, number: usize, label: Label) {
        let span = label.span;
        let ends = self.split(vec![(truth(true, span), label)], span);
        if !ends.is_empty() {
            self.nodes
                .last_mut()
                .into_iter()
                .for_each(|n| n.watched = Some(number));
        }
        self.join(ends);
    }

    /// A node to which one can [jump](Self::jump).
    pub(super) fn mark(&mut self, label: Label) -> usize {
        let span = label.span;
        let ends = self.split(vec![(truth(true, span), label)], span);
        self.join(ends);
        self.nodes.len().saturating_sub(1)
    }

    /// The head of a loop, to which one can [jump](Self::jump), with control in its body. Gives the head and the end behind the loop.
    pub(super) fn head(&mut self, mut each: Loop, label: &Label) -> (usize, Vec<End>) {
        let span = label.span;
        let head = self.nodes.len();
        each.head = NodeId::from(head);
        let choices = vec![
            (each.goes_on(), label.clone()),
            (truth(true, span), label.clone()),
        ];
        let mut ends = self.split(choices, span).into_iter();
        self.join(ends.next());
        for effect in each.takes_next() {
            self.effect(effect, label);
        }
        self.loops.push(each);
        (head, ends.collect())
    }

    /// Goes to a marked node from all ends.
    pub(super) fn jump(&mut self, target: usize) {
        for end in self.take_ends() {
            self.lead(end, target);
        }
    }

    fn node(&mut self, choices: Vec<(Expr, Label)>, span: Span) {
        let target = self.nodes.len();
        self.jump(target);
        self.size += choices.len();
        let choice = |(guard, label)| DraftChoice {
            guard,
            effects: Vec::new(),
            call: None,
            next: None,
            label,
        };
        self.nodes.push(Draft {
            choices: choices.into_iter().map(choice).collect(),
            quiet: false,
            watched: None,
            span,
        });
    }

    fn behind(&self, choice: usize) -> End {
        let node = self.nodes.len() - 1;
        End::Behind { node, choice }
    }

    fn lead(&mut self, end: End, target: usize) {
        if let End::Behind { node, choice } = end {
            self.nodes[node].choices[choice].next = Some(target);
        }
    }

    /// The routine, with the numbers that its nodes are watched under.
    fn routine(mut self, label: &Label) -> (Routine, Vec<Option<usize>>) {
        if self.nodes.is_empty() {
            self.mark(label.clone());
        }
        let numbers = self.nodes.iter().map(|node| node.watched).collect();
        let routine = Routine {
            nodes: self.nodes.into_iter().map(Draft::node).collect(),
            loops: self.loops,
        };
        (routine, numbers)
    }

    /// The body of a function that does all this, and the nodes that somebody watches.
    pub(super) fn finish_body(self, label: &Label) -> (Routine, Vec<(usize, NodeId)>) {
        let (routine, numbers) = self.routine(label);
        let (routine, nodes) = tidy_body(routine, &|node| numbers[node.index()].is_some());
        let watched = numbers.into_iter().zip(nodes);
        let watched = watched.filter_map(|(number, node)| Some((number?, node?)));
        (routine, watched.collect())
    }

    /// The step of an edge that does all this. There is none if it can never be taken.
    pub(super) fn finish(self, label: &Label) -> Option<Code> {
        let (routine, numbers) = self.routine(label);
        let tidied = tidy(routine, label.span, &|node| numbers[node.index()].is_some())?;
        let watched = numbers.into_iter().zip(tidied.nodes);
        let watched = watched.filter_map(|(number, node)| Some((number?, node?)));
        Some(Code {
            step: tidied.step,
            watched: watched.collect(),
        })
    }
}

impl Draft {
    fn node(self) -> Node {
        let choice = |choice: DraftChoice| Choice {
            step: match choice.call {
                Some(call) => Step::Call(call),
                None => Step::Guarded {
                    guard: choice.guard,
                    effects: choice.effects,
                },
            },
            next: choice.next.map(NodeId::from),
            text: choice.label.text,
            span: choice.label.span,
        };
        Node {
            choices: self.choices.into_iter().map(choice).collect(),
            number: 0,
            quiet: self.quiet,
            span: self.span,
        }
    }
}
