//! Locations that are alike but for a number, and those that somebody could tell apart.

use crate::common::{explore, model, verified};
use mandala_model::Model;
use mandala_model::ids::EdgeId;
use mandala_model::step::Observers;
use mandala_model::template::Role;
use mandala_simplify::{Gathered, gather_alike};

const NOBODY: Observers = Observers {
    claim: None,
    events: None,
    asked: None,
};

fn gathered(model: &Model) -> Option<Gathered> {
    verified(gather_alike(model, NOBODY))
}

/// As many states and the same violations; gives how many locations became one with others.
#[track_caller]
fn gathers(text: &str) -> usize {
    let before = model(text);
    let Some(after) = gathered(&before) else {
        return 0;
    };
    let (all, same) = (explore(&before, NOBODY), explore(&after.model, NOBODY));
    assert_eq!(all.states.len(), same.states.len());
    assert_eq!(all.violations.len(), same.violations.len());
    after.locations
}

const QUEUES: &str = "chan q[2] = [1] of { byte };
    active proctype P() { byte x;
        do
        :: x = 3; if :: len(q[0]) <= len(q[1]) -> q[0] ! x :: len(q[1]) <= len(q[0]) -> q[1] ! x fi; x = 0
        :: q[0] ? x -> x = 0 :: q[1] ? x -> x = 0 od }";

#[test]
fn branches_to_queues_are_gathered() {
    // Those that send, and those that have received.
    assert_eq!(gathers(QUEUES), 4);
    let text =
        mandala_ir::Text::new(&gathered(&model(QUEUES)).expect("gathered").model).to_string();
    assert!(text.contains("when branch == 1"), "{text}");
    assert!(text.contains("send q[branch] ! x"), "{text}");
}

#[test]
fn branches_may_go_on_and_round() {
    let text = "bool seen[3]; byte many; active [2] proctype P() { do
        :: !seen[0] -> seen[0] = true; many++; seen[0] = false; many--
        :: !seen[1] -> seen[1] = true; many++; seen[1] = false; many--
        :: !seen[2] -> seen[2] = true; many++; seen[2] = false; many-- od }";
    assert_eq!(gathers(text), 12);
    let text = "byte a[2]; byte g; active proctype P() { do
        :: a[0] == 0 -> do :: a[0] < 2 -> a[0]++; g = 1 - g :: a[0] == 2 -> break od; a[0] = 0
        :: a[1] == 0 -> do :: a[1] < 2 -> a[1]++; g = 1 - g :: a[1] == 2 -> break od; a[1] = 0 od }";
    assert!(gathers(text) > 0);
}

#[test]
fn what_goes_wrong_goes_wrong_there_as_well() {
    let text = "byte a[2]; active [2] proctype P() { do
        :: a[0] == 0 -> a[0]++; assert(a[0] < 2); a[0] = 0
        :: a[1] == 0 -> a[1]++; assert(a[1] < 2); a[1] = 0 od }";
    assert!(gathers(text) > 0);
    assert!(!explore(&model(text), NOBODY).violations.is_empty());
    // A full queue is a deadlock.
    let text = "chan q[2] = [1] of { byte }; active [3] proctype P() {
        if :: len(q[0]) == 0 -> q[0] ! 1 :: len(q[1]) == 0 -> q[1] ! 1 fi; false }";
    assert_eq!(gathers(text), 2);
}

#[test]
fn every_edge_stands_for_one_of_its_own() {
    let before = model(QUEUES);
    let after = gathered(&before).expect("gathered");
    let mut seen = 0;
    for (template, of) in after.model.runnables() {
        for (index, edge) in (0..).zip(&of.edges) {
            let origin = after.origins.of(EdgeId { template, index });
            if let Some(origin) = origin {
                let own = &before.template(template).edges[origin.edge.index as usize];
                assert_eq!((&own.text, own.span), (&edge.text, edge.span));
                seen += 1;
            }
        }
    }
    let all: usize = before.runnables().map(|(_, t)| t.edges.len()).sum();
    assert_eq!(seen, all);
}

#[test]
fn where_somebody_could_tell_nothing_is_gathered() {
    // A rendezvous cannot ask first.
    let text = "chan q[2] = [0] of { byte }; byte g; active proctype P() { do :: g == 0 -> q[0] ! 1 :: g == 0 -> q[1] ! 1 od }
        active proctype R() { byte x; do :: q[0] ? x :: q[1] ? x od }";
    assert_eq!(gathers(text), 0);
    // An `else` depends on what else is there.
    let text = "byte a[2]; active proctype P() { do
        :: a[0] == 0 -> if :: a[0] == 1 -> skip :: else -> a[0] = 1 fi
        :: a[1] == 0 -> if :: a[1] == 1 -> skip :: else -> a[1] = 1 fi od }";
    assert_eq!(gathers(text), 0);
    // Marks and labels.
    let text = "byte a[2]; active proctype P() { do
        :: a[0] == 0 -> end0: a[0] == 1 :: a[1] == 0 -> a[1] == 1 od }";
    assert_eq!(gathers(text), 0);
    let text = "byte a[2]; active proctype P() { do :: a[0] == 0 -> here: a[0] = 1 :: a[1] == 0 -> there: a[1] = 1 od }
        active proctype Q() { assert(!P@here) }";
    assert_eq!(gathers(text), 0);
    // The number of a location.
    let text =
        "byte a[2]; active proctype P() { do :: a[0] == 0 -> a[0] = 1 :: a[1] == 0 -> a[1] = 1 od }
        active proctype Q() { assert(pc_value(0) < 9) }";
    assert_eq!(gathers(text), 0);
}

#[test]
fn an_observer_of_messages_sees_sends_only() {
    let text = format!("{QUEUES} trace {{ do :: q[0] ! _ :: q[0] ? _ od }}");
    let model = model(&text);
    let events = model
        .runnables()
        .find(|(_, t)| matches!(t.role, Role::Events(_)));
    let observers = Observers {
        events: events.map(|(id, _)| id),
        ..NOBODY
    };
    assert!(observers.events.is_some());
    assert!(verified(gather_alike(&model, observers)).is_none());
}
