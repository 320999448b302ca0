//! Random programs that are symmetric but for one thing, and what can be said of them by looking at all of their states.

use crate::engines::load_text;
use crate::random::RandomSource;
use mandala_adaptive::{Subject, cover};
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{CheckOptions, PartialSymmetry, Selection, SymmetryChoice};
use mandala_checker::plan::{CheckPlan, plan};
use mandala_checker::symmetry::of_plan;
use mandala_engine::SAFETY;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::State;
use mandala_model::step::Turn;
use mandala_symmetry::{Action, Partition, StatementSymmetry};
use std::collections::{HashSet, VecDeque};
use std::path::Path;

/// Where a process may go on.
const GUARDS: [&str; 9] = [
    "true",
    "s == 0",
    "s == 1",
    "n < 2",
    "who == _pid",
    "who != _pid",
    "nempty(c)",
    "who == 99",
    "at[_pid] == 0",
];

/// What treats one process differently, as a guard.
const ODD_GUARDS: [&str; 9] = [
    "_pid < 1",
    "_pid != 1",
    "who == 1",
    "who < _pid",
    "at[0] == 1",
    "(_pid == 0 || at[0] != 1)",
    "n == 0 && _pid > 0",
    "timeout",
    "who == 0 && s == 0",
];

/// What a process does.
const ACTIONS: [&str; 13] = [
    "s = 1 - s",
    "n = (n + 1) % 3",
    "who = _pid",
    "who = 99",
    "at[_pid] = 1",
    "at[_pid] = 0",
    "c!_pid",
    "c?who",
    "r!_pid",
    "r?who",
    "r?_",
    "assert(n < 2 || s == 0)",
    "skip",
];

/// What treats one process differently, as an action.
const ODD_ACTIONS: [&str; 7] = [
    "s = (_pid == 1)",
    "who = 1",
    "at[0] = 1 - at[0]",
    "c!1",
    "r?eval(1)",
    "assert(who != 0 || s == 1)",
    "n = (_pid < 1 -> 0 : n)",
];

/// The program of that seed: two families of processes with rendezvous, atomic sequences and numbers of processes in shared variables, and one thing, or two,
/// that treats a process differently.
pub fn program(seed: u64) -> String {
    let mut dice = RandomSource::new(seed ^ 0x4153_594d);
    let (first, second) = (dice.between(2, 3), dice.between(2, 2));
    let bodies = [first, second].map(|size| {
        let options: Vec<String> = (0..dice.between(2, 4)).map(|_| option(&mut dice)).collect();
        (size, options)
    });
    let mut bodies = bodies.to_vec();
    for _ in 0..dice.between(1, 2) {
        let family = dice.below(2);
        let odd = odd_option(&mut dice);
        let options = &mut bodies[family].1;
        let place = dice.below(options.len() + 1);
        options.insert(place, odd);
    }
    let ends = dice.chance(20);
    let provided = match dice.below(12) {
        0 => " provided (at[0] == 0 || n > 0)",
        1 => " provided (who != _pid)",
        _ => "",
    };
    let unless = dice.chance(10);
    let family = |name: &str, (size, options): &(i32, Vec<String>), provided: &str| {
        let options: String = options.concat();
        let last = if ends { "  :: break\n" } else { "" };
        let body = format!("do\n{options}{last}  od");
        let body = match unless {
            true => format!("{{ {body} }} unless {{ n == 2 && who == 0 }}; end: false"),
            false => body,
        };
        format!("active [{size}] proctype {name}(){provided} {{\n  byte s;\n  {body}\n}}\n")
    };
    let first = family("P", &bodies[0], provided);
    let second = family("Q", &bodies[1], "");
    format!(
        "byte n; byte who = 99; byte at[5]; chan c = [2] of {{ byte }}; chan r = [0] of {{ byte }};\n{first}{second}"
    )
}

fn option(dice: &mut RandomSource) -> String {
    let guard = dice.pick(&GUARDS);
    sequence(dice, guard, None)
}

fn odd_option(dice: &mut RandomSource) -> String {
    match dice.chance(55) {
        true => {
            let guard = dice.pick(&ODD_GUARDS);
            sequence(dice, guard, None)
        }
        false => {
            let (guard, action) = (dice.pick(&GUARDS), dice.pick(&ODD_ACTIONS));
            sequence(dice, guard, Some(action))
        }
    }
}

fn sequence(dice: &mut RandomSource, guard: &str, odd: Option<&'static str>) -> String {
    let mut actions: Vec<&str> = (0..dice.between(1, 3))
        .map(|_| dice.pick(&ACTIONS))
        .collect();
    if let Some(odd) = odd {
        let place = dice.below(actions.len());
        actions[place] = odd;
    }
    let actions = actions.join("; ");
    let alternative = match dice.chance(20) {
        true => format!("if :: {guard} -> {actions} :: else -> n = 0 fi"),
        false => format!("{guard} -> {actions}"),
    };
    match dice.chance(40) {
        true => format!("  :: atomic {{ {alternative} }}\n"),
        false => format!("  :: {alternative}\n"),
    }
}

/// Processes that compete, with a priority among those that try, and conditions on their states that treat all alike: orbits are bisimilar to states, as long as
/// nothing else is odd.
pub fn arbitrated(seed: u64) -> (String, Vec<String>) {
    let mut dice = RandomSource::new(seed ^ 0x5649_5254);
    let size = dice.between(2, 4);
    let others = |what: &dyn Fn(i32) -> String, join: &str| {
        let all: Vec<String> = (0..size).map(what).collect();
        format!("({})", all.join(join))
    };
    let none_in = others(&|i| format!("st[{i}] != 2"), " && ");
    let first = match dice.below(4) {
        0 => others(&|i| format!("(st[{i}] != 1 || _pid >= {i})"), " && "),
        1 => others(&|i| format!("(st[{i}] != 1 || _pid <= {i})"), " && "),
        2 => others(&|i| format!("(_pid < 1 || st[0] != 1 || {i} < 0)"), " && "),
        _ => "true".to_string(),
    };
    let mut options = vec![
        "d_step { st[_pid] == 0 -> st[_pid] = 1 }".to_string(),
        "d_step { st[_pid] == 2 -> st[_pid] = 0 }".to_string(),
        format!("d_step {{ st[_pid] == 1 && {none_in} && {first} -> st[_pid] = 2 }}"),
    ];
    let more = [
        "d_step { st[_pid] == 1 -> st[_pid] = 0 }",
        "d_step { st[_pid] == 2 && n < 2 -> n++ }",
        "d_step { st[_pid] == 0 && n > 0 -> n = 0 }",
        "d_step { st[_pid] == 1 && _pid == 0 -> st[_pid] = 0 }",
        "d_step { st[_pid] == 2 && _pid == 0 && n == 0 -> n = 1 }",
    ];
    for option in more {
        if dice.chance(25) {
            options.push(option.to_string());
        }
    }
    let options: Vec<String> = options.iter().map(|o| format!("  :: {o}\n")).collect();
    let text = format!(
        "byte n; byte st[{size}];\nactive [{size}] proctype P() {{\nend: do\n{}  od\n}}\n",
        options.concat()
    );
    let conditions = vec![
        others(&|i| format!("st[{i}] == 2"), " || "),
        others(&|i| format!("st[{i}] == 0"), " && "),
        others(&|i| format!("st[{i}] == 1"), " || "),
        "n > 0".to_string(),
    ];
    (text, conditions)
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// The abstract states stand for the reachable states exactly: how many there are of each.
    Exactly {
        /// Abstract states.
        pairs: usize,
        /// States.
        states: usize,
    },
    /// There are too many states.
    TooLarge,
    /// Nothing can be proven about the program.
    NotTaken,
}

/// Compares what the abstract states of a program stand for with the states that can be reached.
///
/// # Errors
///
/// How they differ.
pub fn compare(text: &str, most: usize) -> Result<Covered, String> {
    let loaded = load_text(Path::new("random.pml"), text, &[])?;
    let plan = adaptive_plan(&loaded)?;
    let prepared = of_plan(&loaded, &plan).map_err(|error| format!("{error:?}"))?;
    let (check, prepared) = (&plan.checks[0], &prepared[0]);
    let Ok(subject) = Subject::new(prepared, check.observers) else {
        return Ok(Covered::NotTaken);
    };
    let interpreter = Interpreter::new(&prepared.searched, check.observers);
    let Some(reachable) = reachable(&interpreter, most) else {
        return Ok(Covered::TooLarge);
    };
    let pairs = cover(&subject, check).map_err(|error| error.to_string())?;
    let mut covered = HashSet::new();
    for pair in &pairs {
        let action = Action::new(subject.model(), subject.symmetry.sorts());
        images(
            &action,
            &subject.symmetry,
            &pair.partition,
            &pair.state,
            &mut covered,
        );
    }
    let extra = covered.difference(&reachable).count();
    let missing = reachable.difference(&covered).count();
    match (extra, missing) {
        (0, 0) => Ok(Covered::Exactly {
            pairs: pairs.len(),
            states: reachable.len(),
        }),
        _ => Err(format!(
            "{} abstract states stand for {extra} states that cannot be reached, and not for {missing} of {} that can",
            pairs.len(),
            reachable.len()
        )),
    }
}

fn adaptive_plan(loaded: &LoadedModel) -> Result<CheckPlan, String> {
    let options = CheckOptions {
        symmetry: SymmetryChoice::Partial(PartialSymmetry::Adaptive),
        properties: Selection::Named(vec![SAFETY.into()]),
        ..CheckOptions::default()
    };
    plan(&loaded.model, &options).map_err(|error| error.to_string())
}

/// All states that a search remembers; nothing if there are too many.
fn reachable(interpreter: &Interpreter<'_>, most: usize) -> Option<HashSet<State>> {
    let start = interpreter.start().ok()?;
    let mut seen = HashSet::from([start.state.clone()]);
    let mut open = VecDeque::from([start.state]);
    while let Some(state) = open.pop_front() {
        let here = Configuration {
            state,
            turn: Turn::Free,
        };
        for chain in interpreter.macro_steps(&here) {
            if let Some(next) = chain.successor()
                && seen.insert(next.state.clone())
            {
                open.push_back(next.state.clone());
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(seen)
}

/// Adds all images of a state under the permutations that keep the cells of a partition.
fn images(
    action: &Action<'_>,
    symmetry: &StatementSymmetry,
    partition: &Partition,
    state: &State,
    all: &mut HashSet<State>,
) {
    let exchanges = partition.neighbours().into_iter();
    let exchanges: Vec<_> = exchanges.map(|(a, b)| symmetry.exchange(a, b)).collect();
    let mut own = HashSet::from([state.clone()]);
    let mut open = vec![state.clone()];
    while let Some(state) = open.pop() {
        for exchange in &exchanges {
            if let Some(image) = action.apply(exchange, &state)
                && own.insert(image.clone())
            {
                open.push(image);
            }
        }
    }
    all.extend(own);
}
