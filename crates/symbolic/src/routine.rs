//! Code that runs to its end in one step, in all states at once.
//!
//! Each node is visited with all the paths that lead to it made one. Nodes are taken in an order in which those that lead to others
//! come first, so that a routine without loops visits each node once, and a loop goes round until no state is left that stays in it.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made, without};
use crate::effects::Performed;
use crate::stop::Stop;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_resolved::{Receipt, ResolvedNode, ResolvedRoutine, ResolvedStep};
use oxidd::BooleanFunction;
use std::collections::BTreeMap;

/// How many nodes are visited before a routine is given up.
const MOST_VISITS: usize = 100_000;

/// What is still to be done, by the place of the node in the order.
type Waiting = BTreeMap<usize, Path>;

impl Attempt<'_> {
    /// Runs a routine. It cannot be taken where it can do nothing at its first node or at a quiet one.
    pub(crate) fn run_routine(&mut self, path: Path, routine: &ResolvedRoutine) -> Made<Performed> {
        let order = Order::of(routine);
        let nowhere = Path {
            condition: self.d().no.clone(),
            cells: BTreeMap::new(),
        };
        let mut performed = Performed {
            taken: nowhere,
            blocked: self.d().no.clone(),
        };
        let mut waiting = Waiting::from([(order.place[0], path)]);
        let mut visits = 0;
        while let Some((place, path)) = waiting.pop_first() {
            let node = &routine.nodes[order.nodes[place]];
            if visits == MOST_VISITS {
                return Err(Stop::unsupported(
                    "a loop that goes round so often",
                    Some(node.span),
                ));
            }
            self.note_node(order.nodes[place], &path.condition)?;
            let blocked = self.visit(path, node, &order, &mut waiting, &mut performed.taken)?;
            match node.quiet || visits == 0 {
                true => performed.blocked = performed.blocked.or(&blocked)?,
                false => self.fault(&blocked, &blocked, FaultKind::RoutineBlocked, node.span)?,
            }
            visits += 1;
        }
        self.go_on(&mut performed.taken)?;
        Ok(performed)
    }

    /// Notes from where a node is executed.
    fn note_node(&mut self, node: usize, condition: &Bdd) -> Made<()> {
        let here = without(condition, &self.halted)?;
        let all = match self.nodes.get(&node) {
            Some(before) => before.or(&here)?,
            None => here,
        };
        self.nodes.insert(node, all);
        Ok(())
    }

    /// Takes the first choice that can be taken in each state, and says where there is none.
    fn visit(
        &mut self,
        mut path: Path,
        node: &ResolvedNode,
        order: &Order,
        waiting: &mut Waiting,
        end: &mut Path,
    ) -> Made<Bdd> {
        for choice in &node.choices {
            if !path.condition.satisfiable() {
                break;
            }
            self.refuse_rendezvous(&path, &choice.step, choice.span)?;
            let performed = self.perform(path.clone(), &choice.step, choice.span)?;
            path.condition = performed.blocked;
            if !performed.taken.condition.satisfiable() {
                continue;
            }
            match choice.next {
                Some(next) => {
                    let place = order.place[next.index()];
                    let arriving = match waiting.remove(&place) {
                        Some(other) => self.merged(other, performed.taken)?,
                        None => performed.taken,
                    };
                    waiting.insert(place, arriving);
                }
                None => *end = self.joined(end, performed.taken)?,
            }
        }
        Ok(path.condition)
    }

    /// A rendezvous needs another process to move, which cannot be inside a routine.
    fn refuse_rendezvous(&mut self, path: &Path, step: &ResolvedStep, span: Span) -> Made<()> {
        let (ResolvedStep::Send { channel, .. } | ResolvedStep::Receive(Receipt { channel, .. })) =
            step
        else {
            return Ok(());
        };
        for (here, channel) in self.channels(path, &path.condition, channel)? {
            if channel.is_rendezvous() {
                let kind = FaultKind::RendezvousInRoutine;
                self.fault(&path.condition, &here, kind, span)?;
            }
        }
        Ok(())
    }

    fn joined(&self, end: &Path, other: Path) -> Made<Path> {
        match end.condition.satisfiable() {
            true => self.merged(other, end.clone()),
            false => Ok(other),
        }
    }
}

/// An order in which nodes that lead to others come first, but for the way back in loops.
struct Order {
    /// The nodes in their order.
    nodes: Vec<usize>,
    /// Where each node is in it.
    place: Vec<usize>,
}

impl Order {
    /// Depth first from the first node, the nodes as they are left, backwards.
    fn of(routine: &ResolvedRoutine) -> Self {
        let next = |node: usize| {
            let choices = routine.nodes[node].choices.iter();
            choices.filter_map(|choice| Some(choice.next?.index()))
        };
        let mut seen = vec![false; routine.nodes.len()];
        let mut left = Vec::new();
        let mut stack = vec![(0, next(0).collect::<Vec<_>>())];
        seen[0] = true;
        while let Some((node, ahead)) = stack.last_mut() {
            match ahead.pop() {
                Some(other) if seen[other] => {}
                Some(other) => {
                    seen[other] = true;
                    stack.push((other, next(other).collect()));
                }
                None => {
                    left.push(*node);
                    stack.pop();
                }
            }
        }
        left.reverse();
        let mut place = vec![usize::MAX; routine.nodes.len()];
        left.iter()
            .enumerate()
            .for_each(|(at, &node)| place[node] = at);
        Order { nodes: left, place }
    }
}
