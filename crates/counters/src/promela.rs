//! A counter program as a program in Promela: a counter for each local state, and what is shared.
//!
//! A member that moves from one local state to another is a statement that takes one from a counter and adds one to another. The states of that program are those that are counted.
//!
//! After E. A. Emerson and R. J. Trefler, *From Asymmetry to Full Symmetry*, CHARME 1999, where such programs are called generic.

use crate::parts::Member;
use crate::program::{LocalId, Mover, Program, SharedId};
use crate::reachable::{Possible, Unknown};
use crate::refusal::Refused;
use mandala_model::Model;
use mandala_model::model::Deadlock;
use mandala_model::source::Span;
use mandala_model::state::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How many states are looked at to find out which steps are possible.
const MOST_STATES: usize = 1 << 20;

/// Where a statement stands, in words.
pub type Place<'p> = dyn Fn(Span) -> String + 'p;

/// The counter program as a text.
///
/// # Errors
///
/// If it has too many states to know which steps are possible, or steps may concern several members.
pub fn promela(program: &mut Program<'_>, place: &Place<'_>) -> Result<String, Refused> {
    if let Some(why) = program.is_spread() {
        return Err(why.clone());
    }
    if let Some(monitor) = program.model().monitors.first() {
        return Err(Refused::at(
            monitor.span,
            "an invariant is asked of every state",
        ));
    }
    let possible = program.possible(MOST_STATES).map_err(|why| match why {
        Unknown::TooWide => Refused::whole("very many steps follow each other in an atomic sequence"),
        Unknown::TooMany => Refused::whole(format!(
            "more than {MOST_STATES} states were looked at to find out which steps are possible: ask for fewer processes"
        )),
    })?;
    let [start] = program.starts() else {
        return Err(Refused::whole("there are several start states"));
    };
    let start = start.clone();
    let printer = Printer {
        columns: columns(program),
        program,
        possible: &possible,
        place,
    };
    let counted = printer.program.parts().split(&start);
    printer.text(&counted.map(|split| split.shared).unwrap_or_default())
}

/// A value of the shared part that is not always the same.
struct Column {
    name: String,
    /// Which value of the shared part it is; nothing if it is the number of the shared part.
    at: Option<usize>,
}

struct Printer<'p, 'm> {
    program: &'p Program<'m>,
    possible: &'p Possible,
    columns: Vec<Column>,
    place: &'p Place<'p>,
}

/// What a statement does: takes one from a counter and adds one to another, and gives shared variables other values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Doing {
    mover: Mover,
    to: Option<LocalId>,
    assigned: Vec<(usize, Value)>,
    is_wrong: bool,
}

/// Words that a variable cannot be called, here or in Promela.
const WORDS: &[&str] = &[
    "active", "assert", "atomic", "bit", "bool", "break", "byte", "chan", "d_step", "do", "else",
    "empty", "enabled", "eval", "false", "fi", "for", "full", "goto", "hidden", "if", "init",
    "inline", "int", "len", "local", "ltl", "mtype", "nempty", "never", "nfull", "notrace", "np_",
    "od", "of", "pc_value", "pid", "print", "printf", "printm", "priority", "proctype", "provided",
    "run", "select", "short", "show", "skip", "timeout", "trace", "true", "typedef", "unless",
    "unsigned", "xr", "xs", "Counters", "CAN_MOVE", "MAY_STAY",
];

fn columns(program: &Program<'_>) -> Vec<Column> {
    let all = 0..program.shared_count() as SharedId;
    let lengths: BTreeSet<usize> = all.clone().map(|s| program.shared(s).len()).collect();
    if lengths.len() > 1 {
        // Channels hold different numbers of messages.
        return vec![Column {
            name: "shared".into(),
            at: None,
        }];
    }
    let names = program.parts().shared_names(program.model());
    let length = lengths.first().copied().unwrap_or(0);
    let varies = |at: &usize| {
        let values: BTreeSet<Value> = all.clone().map(|s| program.shared(s)[*at]).collect();
        values.len() > 1
    };
    let mut known = BTreeSet::new();
    let columns = (0..length).filter(varies).map(|at| {
        let name = names.get(at).filter(|name| !WORDS.contains(&name.as_str()));
        let name = name.filter(|name| known.insert((*name).clone()));
        Column {
            name: name.cloned().unwrap_or_else(|| format!("shared_{at}")),
            at: Some(at),
        }
    });
    columns.collect()
}

impl Printer<'_, '_> {
    fn text(&self, start: &[Value]) -> Result<String, Refused> {
        let mut text = String::new();
        self.write(&mut text, start)
            .map_err(|error| Refused::whole(error.to_string()))?;
        Ok(text)
    }

    fn value(&self, shared: SharedId, column: usize) -> Value {
        match self.columns[column].at {
            Some(at) => self.program.shared(shared)[at],
            None => shared.into(),
        }
    }

    fn counter(&self, local: LocalId) -> String {
        let family = &self.program.parts().families()[self.program.local(local).0];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name: String = family.name.chars().filter(|c| is_word(*c)).collect();
        format!("{name}_in_{local}")
    }

    fn write(&self, out: &mut String, start: &[Value]) -> std::fmt::Result {
        let program = self.program;
        writeln!(
            out,
            "/* A counter program: how many are in which local state. */\n"
        )?;
        for (column, shared) in self.columns.iter().enumerate() {
            let all = (0..program.shared_count() as SharedId).map(|s| self.value(s, column));
            let first = shared.at.map_or(0, |at| start[at]);
            writeln!(out, "{} {} = {first};", kind(all), shared.name)?;
        }
        let first = self.first_counts();
        for local in 0..program.local_count() as LocalId {
            let (family, values) = program.local(local);
            let size = program.parts().families()[family].size();
            let count = first.get(&local).copied().unwrap_or(0);
            writeln!(
                out,
                "{} {} = {count}; /* {} */",
                kind([0, size as Value].into_iter()),
                self.counter(local),
                program
                    .parts()
                    .described(program.model(), (family, 0), values, self.place),
            )?;
        }
        let doings = self.doings();
        writeln!(out, "\nactive proctype Counters() {{\nend: do")?;
        for (doing, shared) in &doings {
            let guard = self.guard(doing.mover, shared);
            writeln!(out, "    :: d_step {{ {guard} -> {} }}", self.done(doing))?;
        }
        let stuck = self.stuck();
        if !stuck.is_empty() {
            let ended = self.ended();
            writeln!(out, "    /* Nothing can happen any more. */")?;
            writeln!(out, "    :: d_step {{ {stuck} -> assert({ended}) }}")?;
        }
        writeln!(out, "    od\n}}")
    }

    fn first_counts(&self) -> BTreeMap<LocalId, u32> {
        let start = &self.program.starts()[0];
        let members = self.program.parts().split(start).map(|split| split.members);
        let mut counts = BTreeMap::new();
        for (family, members) in members.unwrap_or_default().iter().enumerate() {
            for values in members {
                let all = 0..self.program.local_count() as LocalId;
                let mut same = all.filter(|l| self.program.local(*l) == (family, &values[..]));
                if let Some(local) = same.next() {
                    *counts.entry(local).or_default() += 1;
                }
            }
        }
        counts
    }

    /// What is done, with the shared parts with which it is.
    fn doings(&self) -> BTreeMap<Doing, BTreeSet<SharedId>> {
        let mut doings: BTreeMap<Doing, BTreeSet<SharedId>> = BTreeMap::new();
        for ((mover, from), steps) in self.possible {
            for step in &**steps {
                let mut note = |to, assigned, is_wrong| {
                    let mover = *mover;
                    let doing = Doing {
                        mover,
                        to,
                        assigned,
                        is_wrong,
                    };
                    doings.entry(doing).or_default().insert(*from);
                };
                if !step.violations.is_empty() {
                    note(None, Vec::new(), true);
                }
                if let Some((shared, local)) = step.to {
                    let columns = 0..self.columns.len();
                    let changed =
                        columns.filter(|c| self.value(*from, *c) != self.value(shared, *c));
                    let assigned = changed.map(|column| (column, self.value(shared, column)));
                    let to = matches!(mover, Mover::Member(_)).then_some(local);
                    note(to, assigned.collect(), false);
                }
            }
        }
        doings
    }

    fn done(&self, doing: &Doing) -> String {
        if doing.is_wrong {
            return "assert(false)".into();
        }
        let mut parts = Vec::new();
        if let (Mover::Member(from), Some(to)) = (doing.mover, doing.to)
            && from != to
        {
            parts.push(format!("{}--", self.counter(from)));
            parts.push(format!("{}++", self.counter(to)));
        }
        let assigned = doing.assigned.iter();
        parts.extend(assigned.map(|(c, value)| format!("{} = {value}", self.columns[*c].name)));
        match parts.is_empty() {
            true => "skip".into(),
            false => parts.join("; "),
        }
    }

    /// That somebody can move like that: of the shared parts with which the mover is met, it is one of these.
    fn guard(&self, mover: Mover, shared: &BTreeSet<SharedId>) -> String {
        let met = self.possible.keys().filter(|(other, _)| *other == mover);
        let met: BTreeSet<SharedId> = met.map(|(_, shared)| *shared).collect();
        let others = met.difference(shared);
        let condition = self.condition(shared, &others.copied().collect());
        match (mover, condition) {
            (Mover::Single, None) => "true".into(),
            (Mover::Single, Some(condition)) => condition,
            (Mover::Member(local), None) => format!("{} > 0", self.counter(local)),
            (Mover::Member(local), Some(condition)) => {
                format!("{} > 0 && {condition}", self.counter(local))
            }
        }
    }

    /// What tells some shared parts from others, in as few variables as are left when one after the other is left out; nothing if there are no others.
    fn condition(
        &self,
        shared: &BTreeSet<SharedId>,
        others: &BTreeSet<SharedId>,
    ) -> Option<String> {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        let seen = |kept: &[usize], all: &BTreeSet<SharedId>| -> BTreeSet<Vec<Value>> {
            let row = |s: &SharedId| kept.iter().map(|c| self.value(*s, *c)).collect();
            all.iter().map(row).collect()
        };
        for column in 0..self.columns.len() {
            let fewer: Vec<usize> = kept.iter().copied().filter(|c| *c != column).collect();
            if seen(&fewer, shared).is_disjoint(&seen(&fewer, others)) {
                kept = fewer;
            }
        }
        if kept.is_empty() {
            return None;
        }
        let row = |values: Vec<Value>| {
            let parts = kept.iter().zip(values);
            let parts = parts.map(|(c, value)| format!("{} == {value}", self.columns[*c].name));
            parts.collect::<Vec<String>>().join(" && ")
        };
        let rows: Vec<String> = seen(&kept, shared).into_iter().map(row).collect();
        Some(match rows.as_slice() {
            [one] => one.clone(),
            rows => format!("(({}))", rows.join(") || (")),
        })
    }

    /// That nothing can happen that counts; empty if something always can.
    fn stuck(&self) -> String {
        let mut moves: BTreeMap<Mover, BTreeSet<SharedId>> = BTreeMap::new();
        for ((mover, from), steps) in self.possible {
            let counts = steps.iter().any(|step| {
                let stays = step.to.is_some_and(|(shared, local)| {
                    shared == *from && (*mover == Mover::Single || *mover == Mover::Member(local))
                });
                self.program.model().deadlock == Deadlock::NoMove || !stays
            });
            if counts {
                moves.entry(*mover).or_default().insert(*from);
            }
        }
        let moves = moves
            .iter()
            .map(|(mover, shared)| self.guard(*mover, shared));
        let moves: Vec<String> = moves.map(|guard| format!("!({guard})")).collect();
        match moves.iter().any(|guard| guard == "!(true)") {
            true => String::new(),
            false if moves.is_empty() => "true".into(),
            false => moves.join(" && "),
        }
    }

    /// That everybody may stay where it is.
    fn ended(&self) -> String {
        let program = self.program;
        let all: BTreeSet<SharedId> = (0..program.shared_count() as SharedId).collect();
        let ended: BTreeSet<SharedId> = all
            .iter()
            .copied()
            .filter(|s| program.has_ended(*s))
            .collect();
        if ended.is_empty() {
            return "false".into();
        }
        let others = all.difference(&ended).copied().collect();
        let condition = self.condition(&ended, &others).into_iter();
        let locals = 0..program.local_count() as LocalId;
        let unended = locals.filter(|local| !program.is_at_end(*local));
        let unended = unended.map(|local| format!("{} == 0", self.counter(local)));
        let parts: Vec<String> = condition.chain(unended).collect();
        match parts.is_empty() {
            true => "true".into(),
            false => parts.join(" && "),
        }
    }
}

/// The smallest type that has these values.
fn kind(values: impl Iterator<Item = Value>) -> &'static str {
    let (least, most) = values.fold((0, 0), |(least, most), v| (v.min(least), v.max(most)));
    match (least, most) {
        (0, 0..=255) => "byte",
        (-32_768..=0, 0..=32_767) => "short",
        _ => "int",
    }
}

impl crate::parts::Parts {
    /// What a member has, in words.
    pub(crate) fn described(
        &self,
        model: &Model,
        member: Member,
        values: &[Value],
        place: &Place<'_>,
    ) -> String {
        let names = self.names_of_member(model, member);
        let own = self.families()[member.0].process(member.1);
        let mut told = Vec::new();
        let mut values = values.iter();
        for name in &names.0 {
            told.extend(values.next().map(|value| format!("{name} = {value}")));
        }
        if let (Some(_), Some(template), Some(location)) =
            (own, self.families()[member.0].template, values.next())
        {
            let template = model.template(template);
            let location = &template.locations[*location as usize];
            told.insert(0, format!("at {}", place(location.span)));
            for name in &names.1 {
                told.extend(values.next().map(|value| format!("{name} = {value}")));
            }
        }
        told.join(", ")
    }
}
