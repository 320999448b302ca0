//! Models that are not symmetric, next to one that is. Whoever argues that they are, with all that a prover finds and with evidence that is made up, is not believed.
//!
//! Each of them breaks one rule of the checker, which is why it is here: without that rule the argument would be accepted.

use crate::checked::{derived, is_accepted, is_right};
use crate::common::{Loaded, load, load_rules};
use mandala_model::Model;
use mandala_model::ids::NodeId;
use mandala_model::template::Routine;
use mandala_proof::proof::{Body, Dead, Notes, Proof, Temporary};
use mandala_proof::{annotated, argue, prove};
use mandala_symmetry::derive::annotate;
use mandala_symmetry::sorts::{Shape, Sort};

/// What is claimed of a model that is symmetric, for one with the same variables: types prove it, or what the model does.
fn claim(loaded: &Loaded) -> Option<Proof> {
    derived(loaded).or_else(|| {
        let certificate = loaded.symmetry().certificate?;
        prove(&loaded.model, loaded.observers(), &certificate).ok()
    })
}

/// The best argument for the same claim about another model.
fn argument(loaded: &Loaded, claim: &Proof) -> Option<Proof> {
    let model = &loaded.model;
    let mut proof = claim.clone();
    let shapes = |proof: &Proof| proof.sorts.classes.map(&mut |_| ());
    let own = mandala_symmetry::sorts::Classes::of(model, || ());
    if shapes(&proof) != own {
        let plain =
            |v: &mandala_model::types::Variable| Shape::of(model, &v.ty, &mut || Sort::Plain);
        let locals = model
            .runnables()
            .map(|(_, t)| t.locals.iter().map(plain).collect());
        proof.sorts.classes.locals = locals.collect();
    }
    proof.values = proof.sorts.classes.map(&mut |_| None);
    proof.bodies.clear();
    let annotations = annotate(model, loaded.observers(), &proof.domains, &proof.sorts);
    argue(
        model,
        loaded.observers(),
        annotated(model, proof, &annotations),
    )
    .ok()
}

/// The same, and everything is said to be dead: at all nodes, or at one of them.
fn with_dead(model: &Model, proof: &Proof) -> Vec<Proof> {
    let routine = |body: &Body| -> Option<Routine> {
        match body {
            Body::Edge(template, index) => {
                let edges = &model.template(*template).edges;
                edges.get(*index as usize)?.step.routine().cloned()
            }
            Body::Function(id) => Some(model.function(*id).body.clone()),
            _ => None,
        }
    };
    let claimed = |notes: &Notes, nodes: Vec<NodeId>| {
        let locals = notes.locals.keys().map(|id| Temporary::Local(*id));
        let globals = notes.globals.keys().map(|id| Temporary::Global(id.0));
        let dead = |variable| Dead {
            variable,
            path: Vec::new(),
            nodes: nodes.iter().copied().collect(),
        };
        locals.chain(globals).map(dead).collect::<Vec<_>>()
    };
    let most = proof
        .bodies
        .keys()
        .filter_map(routine)
        .map(|r| r.nodes.len())
        .max();
    let forged = |only: Option<u32>| {
        let mut forged = proof.clone();
        for (body, notes) in &mut forged.bodies {
            if let Some(routine) = routine(body) {
                let all = (0..routine.nodes.len() as u32).map(NodeId);
                let nodes = all
                    .filter(|node| only.is_none_or(|only| node.0 == only))
                    .collect();
                notes.dead.extend(claimed(notes, nodes));
            }
        }
        for case in &mut forged.cases {
            case.trusted.clear();
        }
        forged
    };
    let single = (0..most.unwrap_or_default() as u32).map(Some);
    std::iter::once(None).chain(single).map(forged).collect()
}

/// Nobody is convinced that a model has the symmetry of another one.
fn is_refused(loaded: &Loaded, claim: &Proof) -> Result<(), String> {
    let Some(argument) = argument(loaded, claim) else {
        return Ok(());
    };
    let all = with_dead(&loaded.model, &argument);
    match std::iter::once(&argument)
        .chain(&all)
        .any(|proof| is_accepted(loaded, proof))
    {
        true => Err("it is accepted".into()),
        false => Ok(()),
    }
}

fn rules_text(rules: &str) -> String {
    format!(
        "type Node: scalarset(3); Level: 0..3;
        var flag: array [Node] of boolean; friend: array [Node] of Node; level: array [Node] of Level;
            chosen: Node; total: Level; done: boolean;
            slots: array [0..1] of Level; pair: record f: Level; g: Level; end;
        startstate
            for n: Node do flag[n] := false; level[n] := 0; end;
            undefine friend; undefine chosen; total := 0; done := false;
            slots[0] := 0; slots[1] := 0; pair.f := 0; pair.g := 0;
        end;
        ruleset n: Node do rule \"turn\" true ==> flag[n] := !flag[n]; end; end;
        ruleset n: Node; m: Node do rule \"meet\" true ==> friend[n] := m; chosen := n; end; end;
        ruleset n: Node do rule \"rise\" level[n] < 3 ==> level[n] := level[n] + 1; end; end;
        {rules}"
    )
}

const RULES: &str = "rule done ==> done := false; end;";

/// Rules that tell nodes apart, for all that a loop or a call hides it.
const WRONG_RULES: &[&str] = &[
    // What is written last is left over.
    "rule !done ==> for n: Node do slots[0] := (slots[0] * 2 + level[n]) % 4; end; done := true; end;",
    "rule !done ==> for n: Node do pair.f := (pair.f * 2 + level[n]) % 4; end; done := true; end;",
    // It may leave the range in one order and not in another one.
    "rule for n: Node do if flag[n] then total := total + 1; else total := total - 1; end; end; end;",
    "rule for n: Node do if flag[n] then total := total + 1; else total := total + (-1); end; end; end;",
    // What is not evaluated cannot fail.
    "rule for n: Node do done := done & friend[n] = chosen; end; end;",
    "rule for n: Node do if flag[n] then done := done | level[n] = 1; else done := done & level[n] = 2; end; end; end;",
    // What one iteration reads another one writes.
    "ruleset m: Node do rule true ==> for n: Node do level[n] := (level[m] + 1) % 4; end; end; end;",
    "procedure up(a: Node; b: Node); begin level[a] := (level[b] + 1) % 4; end;
     ruleset m: Node do rule true ==> for n: Node do up(n, m); end; end; end;",
    "procedure up(a: Node); var b: Node; begin b := chosen; level[a] := (level[b] + 1) % 4; end;
     rule !isundefined(chosen) ==> for n: Node do up(n); end; end;",
    "procedure spread(var l: Level); begin for n: Node do level[n] := (l + 1) % 4; end; end;
     ruleset m: Node do rule true ==> spread(level[m]); end; end;",
    // A variable of the rule hands something on.
    "rule var t: Level; begin t := 0; for n: Node do level[n] := t; t := (t + 1) % 4; end; end;",
    "rule !isundefined(chosen) ==> var t: Node; begin t := chosen; for n: Node do level[t] := 1; t := n; end; end;",
    "procedure bump(var x: Level; var l: Level); begin l := x; x := (x + 1) % 4; end;
     rule var t: Level; begin t := 0; for n: Node do bump(t, level[n]); end; end;",
    "rule var t: array [0..1] of Level; begin t[0] := 0; t[1] := 0;
        for n: Node do t[0] := level[n]; level[n] := t[1]; t[1] := t[0]; end; end;",
    // An iteration ends the loop, or the step.
    "procedure first(); begin for n: Node do if flag[n] then chosen := n; return; end; end; end;
     rule true ==> first(); end;",
];

#[test]
fn rules_that_tell_nodes_apart_are_refused_whatever_is_said_of_them() {
    let right = load_rules(&rules_text(RULES), &[]);
    let claim = claim(&right).expect("types prove it");
    let argued = argument(&right, &claim).expect("an argument");
    assert!(is_accepted(&right, &argued));
    let mut believed = Vec::new();
    for rules in WRONG_RULES {
        let loaded = load_rules(&rules_text(rules), &[]);
        if let Err(why) = is_refused(&loaded, &claim) {
            believed.push(format!("{why}: {rules}"));
        }
    }
    assert!(believed.is_empty(), "{believed:#?}");
}

/// Programs that are symmetric, and what is put in the place of a part of them so that they are not.
const PROGRAMS: &[(&str, &[(&str, &str)])] = &[
    (
        // Numbers of processes that are kept, counted from elsewhere, and looked up.
        "byte x[3], w = 9, n; chan h; chan c = [1] of { byte, byte }; chan d = [1] of { byte, byte };
         active [3] proctype P() {
            do
            :: w == 9 && n == 0 -> w = _pid + 1; x[_pid] = 1
            :: w == _pid + 1 -> x[w - 1] = 0; w = 9; n = 0
            :: x[_pid] == 1 -> c ! _pid, 1
            :: c ? eval(_pid), n
            od
         }
         active proctype Q() { do :: n == 1 -> n = 2 :: n == 2 -> n = 0; h = c :: d ! 3, 3 od }",
        &[
            // What fails for one of them only.
            ("w = 9; n = 0", "w = 9; n = 0 / _pid"),
            // A process that stays is called by what means another one.
            ("n = 2 :", "w = _pid :"),
            // Whether a name is 0.
            ("x[_pid] == 1 -> c", "_pid -> c"),
            ("n = 2 :", "n = (x[0] -> 0 : 1) :"),
            // A name that is counted from the wrong side.
            ("x[w - 1] = 0", "x[w] = 0"),
            ("w = _pid + 1; x", "w = _pid; x"),
            ("x[_pid] = 1", "x[1] = 1"),
            ("c ! _pid, 1", "c ! 1, 1"),
            ("c ! _pid, 1", "c !! _pid, 1"),
            ("c ? eval(_pid), n", "c ? 1, n"),
            ("w == 9 && n == 0", "w == 1 && n == 0"),
            ("w == _pid + 1", "w == _pid"),
            ("w == _pid + 1", "w < _pid + 1"),
            ("w = 9; n = 0", "w = 9; n = (n == 1 -> 0 : _pid)"),
            ("w = 9; n = 0", "w = 9; n = x[0]"),
        ],
    ),
    (
        // Branches for each.
        "bool f[3]; byte n;
         active proctype Q() {
            do
            :: d_step { f[0] == 0 -> f[0] = 1; n = 1 }
            :: d_step { f[1] == 0 -> f[1] = 1; n = 1 }
            :: d_step { f[2] == 0 -> f[2] = 1; n = 1 }
            :: d_step { f[0] && n == 1 -> f[0] = 0; n = 0 }
            :: d_step { f[1] && n == 1 -> f[1] = 0; n = 0 }
            :: d_step { f[2] && n == 1 -> f[2] = 0; n = 0 }
            od
         }",
        &[
            ("f[1] = 1; n = 1", "f[1] = 1; n = 2"),
            ("f[1] = 1; n = 1", "f[2] = 1; n = 1"),
            ("f[1] = 1; n = 1", "f[1] = 1; n = 1 + 1"),
            ("f[1] = 1; n = 1", "f[1] = 1; n++"),
            ("f[1] == 0 ->", "f[0] == 0 ->"),
            ("f[1] == 0 ->", "f[1] == 0 && n == 0 ->"),
        ],
    ),
    (
        // Operands in any order.
        "byte x[3], n, k;
         active [3] proctype P() {
            do
            :: x[_pid] == 0 -> x[_pid] = 1
            :: x[_pid] == 1 && (x[0] < 2 || x[1] < 2 || x[2] < 2) -> x[_pid] = 2
            :: x[_pid] == 2 -> x[_pid] = 0
            od
         }",
        &[
            ("(x[0] < 2 || x[1] < 2 || x[2] < 2)", "(2 / x[0] > 1 || 2 / x[1] > 1 || 2 / x[2] > 1)"),
            ("(x[0] < 2 || x[1] < 2 || x[2] < 2)", "(x[x[0] + 1] < 2 || x[x[1] + 1] < 2 || x[x[2] + 1] < 2)"),
            ("(x[0] < 2 || x[1] < 2 || x[2] < 2)", "(x[0] < 2 || x[1] < 1 || x[2] < 2)"),
            ("x[_pid] = 2", "x[_pid] = (_pid & 1) | (n & 1)"),
        ],
    ),
    (
        // Loops that count.
        "byte x[4], n; hidden byte k;
         active [4] proctype P() {
            do
            :: d_step { k = 0; do :: k < 4 -> x[k] = 0; k++ :: else -> break od }
            :: x[_pid] == 0 -> x[_pid] = 1
            :: n == 0 -> n = 1
            :: n == 1 -> n = 0
            od
         }",
        &[
            ("x[k] = 0; k++", "if :: x[k] -> k++ :: else fi; if :: k < 4 -> x[k] = 2 :: else fi; k++"),
            ("k = 0; do", "if :: n -> k = 0 :: else -> k = 1 fi; do"),
            ("k < 4", "k < 3"),
            ("x[k] = 0; k++", "n = x[k]; k++"),
            ("x[k] = 0; k++", "if :: x[k] == 1 -> break :: else fi; x[k] = 0; k++"),
            ("od }", "od; x[k - 1] = 1 }"),
            ("k = 0; do :: k < 4 -> x[k] = 0; k++", "k = 0; do :: k < 4 -> x[k] = n; n = 1 - n; k++"),
        ],
    ),
    (
        // Rings.
        "byte at, n;
         active [3] proctype P() {
            do
            :: at == _pid -> at = (at + 1) % 3
            :: at == (_pid + 1) % 3 && n == 0 -> n = 1
            :: n == 1 -> n = 0
            od
         }",
        &[
            ("n == 1 -> n = 0", "n == 1 -> at = 7; n = 0"),
            ("at = (at + 1) % 3", "at = (at + 1) % 4"),
            ("n == 0 -> n = 1", "n == 0 -> n = at"),
            ("at == (_pid + 1) % 3", "at == (_pid + 1) % 2"),
            ("n == 1 -> n = 0", "n == 1 -> n = at"),
        ],
    ),
    (
        // Processes that come later.
        "byte n, seen[6];
         proctype P(byte id) { do :: seen[id] == 0 -> seen[id] = 1; n = 1 :: seen[id] -> seen[id] = 0; n = 0 od }
         init { atomic { run P(3); run P(4); run P(5) } }",
        &[
            ("n = 1 ::", "n = id ::"),
            ("seen[id] = 1", "seen[4] = 1"),
            ("run P(5)", "run P(4)"),
        ],
    ),
];

#[test]
fn programs_that_tell_processes_apart_are_refused_whatever_is_said_of_them() {
    let (mut believed, mut wrong) = (Vec::new(), 0);
    for (text, changes) in PROGRAMS {
        let right = load(text, &[]);
        let claim = claim(&right).filter(|claim| {
            argument(&right, claim).is_some_and(|argued| is_accepted(&right, &argued))
        });
        let Some(claim) = claim else {
            believed.push(format!("nothing is proven of {text}"));
            continue;
        };
        for (old, new) in *changes {
            assert!(text.contains(old), "{old}");
            let loaded = load(&text.replacen(old, new, 1), &[]);
            if is_right(&loaded, &claim, 400) {
                continue;
            }
            wrong += 1;
            if let Err(why) = is_refused(&loaded, &claim) {
                believed.push(format!("{why}: {new} in {text}"));
            }
        }
    }
    assert!(believed.is_empty(), "{believed:#?}");
    assert!(wrong >= 30, "{wrong} are wrong");
}
