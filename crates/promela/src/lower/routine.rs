//! `d_step` bodies as routines.

use super::automaton::{Paths, always};
use super::graph::{Element, ElementId, Kind, SequenceId};
use mandala_model::Diagnostic;
use mandala_model::ids::NodeId;
use mandala_model::source::Span;
use mandala_model::template::{Choice, Node, Routine, Step};
use std::collections::HashMap;

/// The routine of the `d_step` that is `whole`, from the element `first` of its body on.
pub(super) fn build(
    paths: &Paths,
    first: ElementId,
    whole: &Element,
) -> Result<Routine, Diagnostic> {
    let mut builder = Builder {
        paths,
        whole,
        nodes: Vec::new(),
        known: HashMap::new(),
    };
    builder.node(first)?;
    let nodes = builder
        .nodes
        .into_iter()
        .map(|n| n.expect("every node is completed"))
        .collect();
    Ok(Routine::new(nodes))
}

struct Builder<'g> {
    paths: &'g Paths<'g>,
    whole: &'g Element,
    nodes: Vec<Option<Node>>,
    known: HashMap<ElementId, NodeId>,
}

impl Builder<'_> {
    /// The node at which control is when it comes to an element; all that follows is built too.
    fn node(&mut self, first: ElementId) -> Result<NodeId, Diagnostic> {
        let mut work = vec![first];
        self.name(first);
        while let Some(id) = work.pop() {
            let mut choices = Vec::new();
            self.choices(id, &mut choices, &mut work)?;
            let element = self.paths.graph.element(id);
            let node = Node {
                choices,
                quiet: false,
                number: element.number,
                span: element.span,
            };
            let name = self.known[&id];
            self.nodes[name.index()] = Some(node);
        }
        Ok(NodeId(0))
    }

    fn name(&mut self, id: ElementId) -> NodeId {
        let next = NodeId::from(self.nodes.len());
        let name = *self.known.entry(id).or_insert(next);
        if name == next {
            self.nodes.push(None);
        }
        name
    }

    /// The choices that start at an element.
    fn choices(
        &mut self,
        id: ElementId,
        found: &mut Vec<Choice>,
        work: &mut Vec<ElementId>,
    ) -> Result<(), Diagnostic> {
        let element = self.paths.graph.element(id);
        let step = match &element.kind {
            Kind::Action(step) => (**step).clone(),
            Kind::Else => Step::Else,
            Kind::Choice => return self.options(&element.options, found, work),
            Kind::Block(body)
            | Kind::Atomic(body)
            | Kind::Deterministic(body)
            | Kind::Meeting(body) => {
                return self.options(&[*body], found, work);
            }
            Kind::Unless => {
                let error =
                    Diagnostic::error(element.span, "`unless` cannot be used inside `d_step`");
                return Err(error.with_help("move the escape into an option of an `if` or `do`"));
            }
            _ => always(element.span),
        };
        let next = self.next(element, work)?;
        found.push(Choice {
            step,
            next,
            text: element.text.clone(),
            span: element.span,
        });
        Ok(())
    }

    fn options(
        &mut self,
        options: &[SequenceId],
        found: &mut Vec<Choice>,
        work: &mut Vec<ElementId>,
    ) -> Result<(), Diagnostic> {
        for &option in options {
            self.choices(self.paths.guard_at(option), found, work)?;
        }
        Ok(())
    }

    /// Where control goes after a statement; `None` behind the `d_step`.
    fn next(
        &mut self,
        element: &Element,
        work: &mut Vec<ElementId>,
    ) -> Result<Option<NodeId>, Diagnostic> {
        let mut at = match &element.kind {
            Kind::Goto(jump) => self.paths.jump(jump),
            _ => element.next,
        };
        let mut hops = 0;
        let mut jump = element.span;
        while let Some(to) = at {
            let target = self.paths.graph.element(to);
            if !target.atomicity.deterministic {
                return self.leave(jump, to);
            }
            if let Kind::Goto(_) = target.kind {
                jump = target.span;
            }
            hops += 1;
            if hops > 1000 {
                return Err(Diagnostic::error(
                    element.span,
                    "this jump leads into a cycle of jumps without a statement",
                ));
            }
            at = match &target.kind {
                Kind::Goto(jump) => self.paths.jump(jump),
                Kind::Join | Kind::LoopExit => target.next,
                _ => {
                    let known = self.known.contains_key(&to);
                    let name = self.name(to);
                    if !known {
                        work.push(to);
                    }
                    return Ok(Some(name));
                }
            };
        }
        Ok(None)
    }

    /// Behind the `d_step` is where it ends; to jump anywhere else is an error.
    fn leave(&self, jump: Span, to: ElementId) -> Result<Option<NodeId>, Diagnostic> {
        let behind = match self.whole.next {
            Some(next) => Some(self.paths.statement_at(next, false)?),
            None => None,
        };
        if Some(to) == self.whole.next || Some(self.paths.statement_at(to, false)?) == behind {
            return Ok(None);
        }
        let error = Diagnostic::error(jump, "a jump out of `d_step`");
        Err(error.with_help("end the `d_step` before the jump, or use `atomic`"))
    }
}
