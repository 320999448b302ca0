//! The document about every size of a family.

use super::present;
use crate::explain;
use crate::frontend::LoadedModel;
use crate::outcome::{PropertyOutcome, Verdict};
use crate::plan::{Question, Scope, Subject};
use mandala_engine::Deadlock;
use mandala_model::ids::PropertyId;
use mandala_model::model::Language;
use mandala_model::property::PropertyKind;
use mandala_model::source::Sources;
use mandala_model::step::{Attribution, Fault, Violation};
use mandala_model::types::{Scalar, Storage, Variable};
use mandala_model::{Model, UncheckedModel};
use mandala_report::Document;
use mandala_report::document::{
    self, Every, EveryAnswer, RefusedCondition, SearchedSize, TriedViews,
};
use mandala_views::{
    AbstractViolation, Abstraction, Condition, Family, Parts, Reach, Refused, Role, Saturation,
    SizedModel, Split,
};
use std::collections::BTreeSet;

/// What is asked, as far as views decide it.
pub(crate) struct Wanted {
    /// The names by which it is selected.
    pub names: Vec<String>,
    /// The invariants, in the order of the model.
    pub invariants: Vec<PropertyId>,
    /// Whether deadlocks are asked about, which views cannot decide.
    deadlock: bool,
    covered: Vec<String>,
    not_covered: Vec<String>,
}

impl Wanted {
    pub fn of<'q>(model: &Model, checks: impl Iterator<Item = &'q Question>) -> Self {
        let mut wanted = Wanted {
            names: Vec::new(),
            invariants: Vec::new(),
            deadlock: false,
            covered: Vec::new(),
            not_covered: Vec::new(),
        };
        for check in checks {
            wanted.add(model, check);
        }
        wanted.invariants.sort_unstable();
        wanted
    }

    fn add(&mut self, model: &Model, check: &Question) {
        let name = check.subject.name(model).to_string();
        match check.subject {
            Subject::Safety => {
                self.names.push(name);
                self.covered.push("assertions".into());
                self.covered.push("run-time errors".into());
                let asked = matches!(check.scope, Scope::System(d) if d != Deadlock::Ignore);
                // Processes that wait for each other are no error there.
                if asked && model.language != Language::Cubicle {
                    self.deadlock = true;
                    self.not_covered.push("deadlock".into());
                }
            }
            Subject::Stated(id) => match &model.properties[id.index()].kind {
                PropertyKind::Invariant { .. } => {
                    self.invariants.push(id);
                    self.covered.push(name.clone());
                    self.names.push(name);
                }
                _ => self.not_covered.push(name),
            },
        }
    }

    /// What is decided by views, of all that there is.
    fn subjects(&self) -> impl Iterator<Item = Subject> + '_ {
        let stated = self.invariants.iter().map(|id| Subject::Stated(*id));
        std::iter::once(Subject::Safety).chain(stated)
    }
}

/// Views of one size.
pub(crate) struct Trial {
    views: Vec<Split>,
    k: u32,
    reach: Reach,
    /// Whose violations were met; nothing if a limit was reached.
    violated: Option<BTreeSet<Whose>>,
    found: Vec<String>,
    configuration: Vec<String>,
}

/// Whose violation something is: that of an invariant, or of the system.
type Whose = Option<PropertyId>;

impl Trial {
    pub fn complete(
        found: Abstraction,
        base: SizedModel<'_>,
        family: &Family,
        loaded: &LoadedModel,
        wanted: &Wanted,
    ) -> Self {
        let first = found.violations.first();
        let configuration = first.map(|first| described(base, family, &first.configuration));
        let told = found.violations.iter();
        let told = told.map(|violation| message(violation, loaded, wanted));
        Trial {
            k: found.reach.k as u32,
            reach: found.reach,
            violated: Some(
                found
                    .violations
                    .iter()
                    .flat_map(|v| whose(&v.violation, wanted))
                    .collect(),
            ),
            found: told.collect(),
            views: found.views,
            configuration: configuration.unwrap_or_default(),
        }
    }

    pub fn stopped(reach: &Reach, k: usize, reason: String) -> Self {
        Trial {
            k: k as u32,
            reach: *reach,
            violated: None,
            views: Vec::new(),
            found: vec![reason],
            configuration: Vec::new(),
        }
    }

    fn decides(&self, subject: Subject) -> bool {
        let violated = self.violated.as_ref();
        violated.is_some_and(|violated| !violated.contains(&subject.property()))
    }
}

/// Whose violation it is. An invariant that has no value is violated, and that is a run-time error as well.
fn whose(violation: &Violation, wanted: &Wanted) -> Vec<Whose> {
    let own = |id: PropertyId| wanted.invariants.get(id.index()).copied();
    match violation.attribution() {
        Attribution::Search => vec![None],
        Attribution::Property(id) => vec![own(id)],
        Attribution::Evaluation(id) => vec![None, own(id)],
    }
}

fn message(found: &AbstractViolation, loaded: &LoadedModel, wanted: &Wanted) -> String {
    let own = |id: PropertyId| wanted.invariants.get(id.index()).copied();
    let violation = match found.violation.clone() {
        Violation::Failed { span, property } => Violation::Failed {
            span,
            property: property.and_then(own),
        },
        Violation::Fault(fault) => Violation::Fault(Fault {
            monitors: fault.monitors.and_then(own),
            ..fault
        }),
        other => other,
    };
    let check = crate::plan::check_of(&loaded.model, Subject::Safety);
    let message = explain::message(&violation, loaded, &check);
    match explain::span_of(&violation, loaded, &check) {
        Some(span) => {
            let location = loaded.sources.location(span);
            format!("line {}: {message}", location.line)
        }
        None => message,
    }
}

/// All that is found out on the way.
pub(crate) struct Account {
    constant: String,
    covered: Vec<String>,
    not_covered: Vec<String>,
    pub family: Option<String>,
    pub w: Option<usize>,
    /// Whether views show that all that is covered holds.
    decided: bool,
    pub smallest: Option<u32>,
    pub refused: Option<Refused>,
    pub stopped: Option<String>,
    pub tried: Vec<Trial>,
    searched: Vec<SearchedSize>,
}

impl Account {
    pub fn new(constant: &str, wanted: &Wanted) -> Self {
        Account {
            constant: constant.to_string(),
            covered: wanted.covered.clone(),
            not_covered: wanted.not_covered.clone(),
            family: None,
            w: None,
            decided: false,
            smallest: None,
            refused: None,
            stopped: None,
            tried: Vec::new(),
            searched: Vec::new(),
        }
    }

    /// Notes that a size was searched and nothing is violated, and for a refused model what else its states have.
    pub fn searched(&mut self, size: u32, document: &Document, advice: Option<Saturation>) {
        self.searched.push(SearchedSize {
            size,
            states: document.stats.states,
            transitions: document.stats.transitions,
            unreached: document.unreached.len() as u64,
            views: advice.and_then(|advice| advice.views),
            executed: advice.map(|advice| advice.executed),
            statements: advice.map(|advice| advice.statements),
        });
    }

    /// Notes whether all that views decide is decided.
    pub fn settle(&mut self, wanted: &Wanted) -> bool {
        self.decided = wanted.subjects().all(|subject| self.decides(subject));
        self.decided
    }

    /// The last views, and how many members they have, if they show all that is covered.
    pub fn evidence(&self, wanted: &Wanted) -> Option<(u32, &[Split])> {
        let trial = self.tried.last()?;
        let shows = wanted.subjects().all(|subject| trial.decides(subject));
        (shows && self.smallest.is_none()).then_some((trial.k, &trial.views[..]))
    }

    /// Whether some views show that a property holds.
    fn decides(&self, subject: Subject) -> bool {
        self.tried.iter().any(|trial| trial.decides(subject))
    }

    /// The outcomes of all properties, of which nothing is known to be violated.
    pub fn outcomes(
        &self,
        planned: Vec<PropertyOutcome>,
        wanted: &Wanted,
        sources: &Sources,
    ) -> Vec<PropertyOutcome> {
        let outcomes = planned.into_iter();
        let outcomes = outcomes.map(|outcome| PropertyOutcome {
            verdict: self.verdict(outcome.check.subject, wanted, sources),
            ..outcome
        });
        outcomes.collect()
    }

    fn verdict(&self, subject: Subject, wanted: &Wanted, sources: &Sources) -> Verdict {
        let constant = &self.constant;
        let is_covered = wanted.subjects().any(|covered| covered == subject);
        if let Some(refused) = &self.refused {
            let place = refused
                .span
                .map(|span| format!("{}: ", sources.location(span)));
            return Verdict::Unknown(format!(
                "refused for every {constant}: {}{refused}",
                place.unwrap_or_default()
            ));
        }
        if !is_covered {
            let what = "views decide assertions, run-time errors and invariants";
            return Verdict::Unknown(format!("not decided for every {constant}: {what}"));
        }
        if let Some(stopped) = &self.stopped {
            return Verdict::Unknown(stopped.clone());
        }
        if !self.decides(subject) {
            let largest = self.searched.last().map_or(0, |size| size.size);
            let tried = self.tried.iter().map(|trial| trial.k.to_string());
            let tried: Vec<String> = tried.collect();
            return Verdict::Unknown(format!(
                "not decided for every {constant}: no violation up to {constant}={largest}, but views of {} members do not exclude one",
                tried.join(", ")
            ));
        }
        if subject == Subject::Safety && wanted.deadlock {
            return Verdict::Unknown(format!(
                "assertions and run-time errors hold for every {constant}; whether there is a deadlock is not decided (`--no-deadlock` leaves it out)"
            ));
        }
        Verdict::Holds
    }

    /// The part of the document.
    pub fn document(&self, sources: &Sources) -> Every {
        let decisive = self.tried.last().filter(|trial| trial.violated.is_some());
        let decisive = decisive.filter(|_| self.smallest.is_none());
        let answer = self.answer();
        Every {
            constant: self.constant.clone(),
            family: self.family.clone(),
            answer,
            smallest: self.smallest,
            k: decisive.map(|trial| trial.k),
            w: self.w.map(|w| w as u32),
            views: decisive.map(|trial| trial.reach.views),
            configurations: decisive.map(|trial| trial.reach.configurations),
            covered: self.covered.clone(),
            not_covered: self.not_covered.clone(),
            searched: self.searched.clone(),
            tried: self.tried.iter().map(Trial::document).collect(),
            refused: self.refused.as_ref().map(|refused| RefusedCondition {
                condition: refused.condition.number(),
                name: refused.condition.name().into(),
                demand: refused.condition.demand().into(),
                message: refused.message.clone(),
                place: refused.span.map(|span| present::place(sources, span)),
            }),
        }
    }

    fn answer(&self) -> EveryAnswer {
        if self.smallest.is_some() {
            return EveryAnswer::Violated;
        }
        if self.refused.is_some() {
            return EveryAnswer::Refused;
        }
        match self.decided {
            true => EveryAnswer::Holds,
            false => EveryAnswer::Unknown,
        }
    }
}

impl Trial {
    fn document(&self) -> TriedViews {
        TriedViews {
            k: self.k,
            views: self.reach.views,
            configurations: self.reach.configurations,
            found: self.found.clone(),
            configuration: self.configuration.clone(),
        }
    }
}

/// The shared cells of a model, by their names, and those of a member.
struct Cells<'m> {
    model: &'m UncheckedModel,
    shared: Vec<(Scalar, String, bool)>,
    member: Vec<(Scalar, String)>,
}

impl<'m> Cells<'m> {
    fn of(model: &'m UncheckedModel, family: &Family, roles: &[Role]) -> Self {
        let mut cells = Cells {
            model,
            shared: Vec::new(),
            member: Vec::new(),
        };
        let mut roles = roles.iter();
        for variable in &model.globals {
            for offset in 0..model.cells(&variable.ty) {
                let role = roles.next().copied().unwrap_or(Role::Unused);
                cells.add(variable, offset, role, family);
            }
        }
        cells
    }

    fn add(&mut self, variable: &Variable, offset: usize, role: Role, family: &Family) {
        let Some((scalar, name)) = self.model.cell_name(variable, offset) else {
            if matches!(role, Role::Shared | Role::Holder) {
                let name = variable.name.clone();
                self.shared.push((Scalar::Bool, name, false));
            }
            return;
        };
        match role {
            Role::Shared | Role::Holder => {
                self.shared.push((scalar, name, role == Role::Holder));
            }
            Role::Of(0) => {
                let index = format!("[{}_1]", family.name(self.model));
                self.member.push((scalar, name.replace(&index, "")));
            }
            Role::Of(_) | Role::Unused => {}
        }
    }

    fn value(&self, scalar: Scalar, value: i64) -> String {
        match scalar {
            Scalar::Coded { coding, .. } => self.model.coding(coding).show(value),
            Scalar::Bool => (value != 0).to_string(),
            Scalar::Enum(id) => {
                let name = self.model.enumeration(id).name_of(value);
                name.map_or_else(|| value.to_string(), str::to_string)
            }
            _ => value.to_string(),
        }
    }
}

/// A configuration in words: what is shared, and then its members.
fn described(base: SizedModel<'_>, family: &Family, split: &Split) -> Vec<String> {
    let verified = mandala_model::verify::verify(base.model.clone());
    let Ok(model) = verified else {
        return Vec::new();
    };
    let parts = Parts::of(&model, family, base.size as usize);
    let cells = Cells::of(base.model, family, parts.roles());
    let name = family.name(base.model);
    let mut shared = Vec::new();
    let mut holder = 0;
    for ((scalar, cell, is_holder), value) in cells.shared.iter().zip(&split.shared) {
        if !is_holder {
            shared.push(format!("{cell}={}", cells.value(*scalar, *value)));
            continue;
        }
        let marked = |m: &mandala_views::Member| m[m.len() - parts.holders() + holder] != 0;
        let held = split.members.iter().position(marked);
        shared.push(match (value, held) {
            (0, _) => format!("{cell}=undefined"),
            (_, Some(held)) => format!("{cell}={name} {}", held + 1),
            (_, None) => format!("{cell}=another {name}"),
        });
        holder += 1;
    }
    let mut lines = vec![shared.join(", ")];
    for (number, member) in (1..).zip(&split.members) {
        let values = cells.member.iter().zip(member);
        let mut values: Vec<String> = values
            .map(|((scalar, cell), value)| format!("{cell}={}", cells.value(*scalar, *value)))
            .collect();
        if let Family::Processes(template) = family {
            let at = cells.member.len();
            let template = base.model.template(*template);
            let location = template.locations.get(member[at] as usize);
            let number = location.map_or(0, |location| location.number);
            values.push(format!("at statement {number}"));
            let kept = template.locals.iter();
            let kept = kept.filter(|local| local.storage == Storage::State);
            let kept = kept.flat_map(|local| vec![local; base.model.cells(&local.ty)]);
            let locals = kept.zip(&member[at + 1..]);
            values.extend(locals.map(|(local, value)| format!("{}={value}", local.name)));
        }
        lines.push(format!("{name} {number}: {}", values.join(", ")));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// A shared number that grows with every member.
pub(crate) fn counter(base: SizedModel<'_>, family: &Family, cell: usize) -> Refused {
    let model = base.model;
    let mut number = 0;
    let message = |name: &str| {
        format!("`{name}` grows with the number of members: there is a view for each of its values")
    };
    let Ok(verified) = mandala_model::verify::verify(model.clone()) else {
        return Refused::whole(Condition::Size, message("a counter"));
    };
    let parts = Parts::of(&verified, family, base.size as usize);
    let mut roles = parts.roles().iter();
    for variable in &model.globals {
        for _ in 0..model.cells(&variable.ty) {
            if let Some(Role::Shared | Role::Holder) = roles.next() {
                if number == cell {
                    return Refused::at(Condition::Size, variable.span, message(&variable.name));
                }
                number += 1;
            }
        }
    }
    Refused::whole(Condition::Size, message("a counter"))
}

/// What a search of one size has come to.
pub(crate) enum Searched {
    /// Nothing is violated.
    Passed,
    /// Something is.
    Violated,
    /// It is not known, and why.
    Unknown(String),
}

/// What the document of a search says.
pub(crate) fn searched(document: &Document) -> Searched {
    match document.verdict {
        document::Verdict::Holds => Searched::Passed,
        document::Verdict::Violated => Searched::Violated,
        document::Verdict::Unknown | document::Verdict::Value => {
            let mut reasons = document.properties.iter().filter_map(|p| p.reason.clone());
            Searched::Unknown(reasons.next().unwrap_or_default())
        }
    }
}
