//! Routines without detours: what is known before the model runs is decided.
//!
//! A choice that can never be taken goes, and so do those behind one that always can be. Nodes at which nothing is decided and nothing done are led
//! past, straight code becomes one choice, and what cannot be reached goes. A routine that is one guarded step becomes one. What the
//! step does, and what it reports, stays the same.

use crate::expr::Expr;
use crate::ids::NodeId;
use crate::source::Span;
use crate::template::{Choice, Effect, Node, Routine, Step};

/// A step without detours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tidied {
    /// The step.
    pub step: Step,
    /// For each node of the routine, the one that it has become, if it is still there.
    pub nodes: Vec<Option<NodeId>>,
}

/// The routine of an edge at that place without detours; nothing if it can never be taken. Nodes that are `watched` stay.
pub fn tidy(mut routine: Routine, span: Span, watched: &dyn Fn(NodeId) -> bool) -> Option<Tidied> {
    let watched = watched_nodes(&routine, watched);
    let kept = straightened(&mut routine, &watched);
    calm_first(&mut routine, &kept);
    if is_impossible(&routine.nodes[kept[0]]) {
        return None;
    }
    let whole = kept.iter().any(|node| watched[*node]);
    let (routine, nodes) = renumbered(routine, &kept);
    let step = match whole {
        true => Step::Routine(routine),
        false => plain(routine, span),
    };
    Some(Tidied { step, nodes })
}

/// The body of a function without detours, and for each node the one that it has become, if it is still there. Nodes that are `watched` stay.
pub fn tidy_body(
    mut routine: Routine,
    watched: &dyn Fn(NodeId) -> bool,
) -> (Routine, Vec<Option<NodeId>>) {
    let watched = watched_nodes(&routine, watched);
    let kept = straightened(&mut routine, &watched);
    renumbered(routine, &kept)
}

fn watched_nodes(routine: &Routine, watched: &dyn Fn(NodeId) -> bool) -> Vec<bool> {
    let nodes = 0..routine.nodes.len();
    nodes.map(|node| watched(NodeId::from(node))).collect()
}

/// Takes detours out. Gives the nodes that can still be reached, the first one first.
fn straightened(routine: &mut Routine, watched: &[bool]) -> Vec<usize> {
    routine.nodes.iter_mut().for_each(decide);
    let start = skip_empty(routine, watched);
    join_straight_code(routine, start, watched);
    reachable(routine, start)
}

/// The guard of a choice that is a guarded step.
fn guard(choice: &Choice) -> Option<&Expr> {
    match &choice.step {
        Step::Guarded { guard, .. } => Some(guard),
        _ => None,
    }
}

fn is_never(choice: &Choice) -> bool {
    guard(choice).is_some_and(|guard| guard.as_constant() == Some(0))
}

fn is_always(choice: &Choice) -> bool {
    guard(choice).is_some_and(|guard| guard.as_constant().is_some_and(|value| value != 0))
}

/// Takes out the choices of a node that can never be taken. One stays if there is no other: whoever comes there is blocked.
fn decide(node: &mut Node) {
    if let Some(always) = node.choices.iter().position(is_always) {
        node.choices.truncate(always + 1);
    }
    if node.choices.iter().all(is_never) {
        node.choices.truncate(1);
    } else {
        node.choices.retain(|choice| !is_never(choice));
    }
}

fn is_impossible(node: &Node) -> bool {
    node.choices.iter().all(is_never)
}

/// True if nothing is decided at the node and nothing done.
fn is_empty(node: &Node) -> bool {
    match &node.choices[..] {
        [only] => is_always(only) && effects(only).is_some_and(<[Effect]>::is_empty),
        _ => false,
    }
}

fn effects(choice: &Choice) -> Option<&[Effect]> {
    match &choice.step {
        Step::Guarded { effects, .. } => Some(effects),
        _ => None,
    }
}

/// Leads past empty nodes. Gives the node that the routine begins at.
fn skip_empty(routine: &mut Routine, watched: &[bool]) -> usize {
    let behind = |node| behind_empty(routine, watched, node);
    let targets: Vec<Option<usize>> = (0..routine.nodes.len()).map(behind).collect();
    for choice in routine.nodes.iter_mut().flat_map(|node| &mut node.choices) {
        choice.next = choice
            .next
            .and_then(|next| targets[next.index()])
            .map(NodeId::from);
    }
    targets[0].unwrap_or(0)
}

/// The first node from there on that is not empty; none if the routine ends before. In a cycle of empty nodes, the last one that was looked
/// at.
fn behind_empty(routine: &Routine, watched: &[bool], node: usize) -> Option<usize> {
    let mut at = node;
    for _ in 0..routine.nodes.len() {
        if watched[at] || !is_empty(&routine.nodes[at]) {
            return Some(at);
        }
        at = routine.nodes[at].choices[0].next?.index();
    }
    Some(at)
}

/// Appends the code of a node that always goes on to the only choice that leads to it.
fn join_straight_code(routine: &mut Routine, start: usize, watched: &[bool]) {
    let mut ways = vec![0u32; routine.nodes.len()];
    ways[start] = 1;
    for node in reachable(routine, start) {
        for next in routine.nodes[node].choices.iter().filter_map(|c| c.next) {
            ways[next.index()] += 1;
        }
    }
    let joins = |node: usize| ways[node] == 1 && !watched[node];
    for node in reachable(routine, start) {
        for choice in 0..routine.nodes[node].choices.len() {
            extend(routine, node, choice, &joins);
        }
    }
}

/// Appends what follows a choice to it, as long as that is straight code which nothing else leads to. It is taken out of its nodes, which nothing
/// leads to any more: a long sequence is gone through once, not again from each of its nodes.
fn extend(routine: &mut Routine, node: usize, choice: usize, joins: &dyn Fn(usize) -> bool) {
    if !is_silent(&routine.nodes[node].choices[choice]) {
        return;
    }
    while let Some(next) = routine.nodes[node].choices[choice].next
        && next.index() != node
        && joins(next.index())
        && let [only] = &routine.nodes[next.index()].choices[..]
        && is_always(only)
        && is_silent(only)
        && let Some(only) = routine.nodes[next.index()].choices.pop()
    {
        let extended = &mut routine.nodes[node].choices[choice];
        extended.next = only.next;
        if let (Step::Guarded { effects, .. }, Step::Guarded { effects: more, .. }) =
            (&mut extended.step, only.step)
        {
            effects.extend(more);
        }
    }
}

/// True for a guarded step none of whose effects is found by the span of its choice.
fn is_silent(choice: &Choice) -> bool {
    let speaks = |effect: &Effect| matches!(effect, Effect::Fail { .. } | Effect::Insert(_));
    effects(choice).is_some_and(|effects| !effects.iter().any(speaks))
}

/// The nodes that can be reached, the first one first.
fn reachable(routine: &Routine, start: usize) -> Vec<usize> {
    let mut seen = vec![false; routine.nodes.len()];
    let mut found = Vec::new();
    let mut waiting = vec![start];
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            found.push(node);
            let next = routine.nodes[node].choices.iter().filter_map(|c| c.next);
            waiting.extend(next.rev().map(NodeId::index));
        }
    }
    found
}

/// The first node blocks the edge anyway, unless one comes back to it.
fn calm_first(routine: &mut Routine, kept: &[usize]) {
    let Some(&first) = kept.first() else { return };
    let mut choices = kept.iter().flat_map(|node| &routine.nodes[*node].choices);
    if choices.all(|choice| choice.next != Some(NodeId::from(first))) {
        routine.nodes[first].quiet = false;
    }
}

/// The routine of those nodes alone, and the new number of each node.
fn renumbered(routine: Routine, kept: &[usize]) -> (Routine, Vec<Option<NodeId>>) {
    let mut numbers = vec![None; routine.nodes.len()];
    for (number, node) in kept.iter().enumerate() {
        numbers[*node] = Some(NodeId::from(number));
    }
    let mut nodes: Vec<Option<Node>> = routine.nodes.into_iter().map(Some).collect();
    let kept = kept.iter().filter_map(|node| nodes[*node].take());
    let renumber = |mut node: Node| {
        for choice in &mut node.choices {
            choice.next = choice.next.and_then(|next| numbers[next.index()]);
        }
        node
    };
    let loops = routine.loops.into_iter().filter_map(|mut each| {
        each.head = numbers[each.head.index()]?;
        Some(each)
    });
    let routine = Routine {
        loops: loops.collect(),
        nodes: kept.map(renumber).collect(),
    };
    (routine, numbers)
}

/// A guarded step if the routine is one, and whatever it reports is found at the place of the edge.
fn plain(mut routine: Routine, span: Span) -> Step {
    if let [only] = &mut routine.nodes[..]
        && let [choice] = &only.choices[..]
        && choice.next.is_none()
        && matches!(choice.step, Step::Guarded { .. })
        && (is_silent(choice) || choice.span == span)
        && let Some(choice) = only.choices.pop()
    {
        return choice.step;
    }
    Step::Routine(routine)
}
