//! The graph of states, and the group of a model as permutations, as documents.

use super::present::{self, identity, place};
use super::run::listing;
use crate::Refusal;
use crate::error::CheckError;
use crate::explain;
use crate::frontend::LoadedModel;
use crate::options::{CheckOptions, Switch, SymmetryChoice};
use crate::plan::{CheckPlan, KEEPING, PartialOrder, Question, plan};
use crate::run::EngineError;
use crate::symmetry::of_plan;
use mandala_engine::{SymmetrySupport, SymmetryUse};
use mandala_interpreter::Interpreter;
use mandala_model::State;
use mandala_model::ids::EdgeId;
use mandala_model::step::{Actor, Observers, StepLabel, Violation};
use mandala_prepare::{Points, Prepared};
use mandala_reduce::Strategy;
use mandala_report::document::{
    GRAPH_SCHEMA, GraphEdge, GraphStart, GraphState, PermutationGroup, Place, PropertyId,
    StateGraph, Tool,
};
use mandala_report::style::grouped;
use mandala_statespace::{
    Arrow, Cut, GraphError, SpaceState, StateSpace, StateSpaceOptions, explore,
};

/// Says why no graph can be made with these options, if none can.
///
/// # Errors
///
/// The reason.
pub fn require_possible(options: &CheckOptions) -> Result<(), String> {
    let engine = options.engine.engine();
    if engine.capabilities().symmetry == SymmetrySupport::Sets {
        return Err(format!(
            "the graph of states is made state by state, which `--engine {}` does not do; `--engine explicit` does",
            engine.name()
        ));
    }
    if let SymmetryChoice::Use(strategy) = options.symmetry
        && KEEPING.contains(&strategy)
    {
        return Err(format!(
            "the graph of states has one state for another, whichever was met first, and `--symmetry {strategy}` keeps states of its own; \
             `--symmetry auto` and most others do not"
        ));
    }
    if let SymmetryChoice::Partial(kind) = options.symmetry {
        return Err(format!(
            "the graph of states has one state for another under one group, and `--symmetry {}` has none for the whole model; `--symmetry auto` has one",
            kind.name()
        ));
    }
    if options.symmetry == SymmetryChoice::Counters {
        return Err("the graph of states has states with members that have names, and `--symmetry counters` counts them; `--symmetry auto` has one".into());
    }
    if options.partial_order == Switch::On {
        return Err("the graph of states has all steps, and `--por on` leaves some out".into());
    }
    Ok(())
}

/// The graph of the states of a model, as they are searched for the first property that is checked, with so many states at most, and no more than the options allow. It ends when the time is over that
/// the options grant, or when `goes_on` says so, which is asked now and then with how many states there are.
///
/// # Errors
///
/// If it cannot be planned, prepared or made.
pub fn graph(
    loaded: &LoadedModel,
    options: &CheckOptions,
    most: usize,
    goes_on: &mut dyn FnMut(usize) -> bool,
) -> Result<StateGraph, Refusal> {
    if loaded.has_every_number_of_threads() {
        return Err(not_taken(
            "a graph of states has a number of threads: add `--max-threads N`".into(),
        ));
    }
    let plan = plan(&loaded.model, options)
        .map_err(|error| Refusal::Plan(error.located(&loaded.sources)))?;
    let first = CheckPlan {
        checks: plan.checks.into_iter().take(1).collect(),
        partial_order: PartialOrder::Off,
        ..plan
    };
    let prepared = of_plan(loaded, &first)?;
    let (Some(check), Some(prepared)) = (first.checks.first(), prepared.first()) else {
        return Err(not_taken(
            "nothing is checked, so there is nothing to draw".into(),
        ));
    };
    let allowed = first.limits.states.and_then(|n| usize::try_from(n).ok());
    let most = allowed.map_or(most, |allowed| most.min(allowed));
    let strategy = match first.symmetry {
        SymmetryUse::Use { strategy, .. } => Some(strategy),
        SymmetryUse::Off
        | SymmetryUse::OnSets(_)
        | SymmetryUse::Partial(_)
        | SymmetryUse::Counters => None,
    };
    let wanted = StateSpaceOptions {
        prepared,
        observers: check.observers,
        strategy,
        most,
        deepest: first.limits.depth,
    };
    let mut waits = |states| !first.is_over() && goes_on(states);
    let space = explore(wanted, &mut waits).map_err(refused)?;
    let teller = Teller {
        loaded,
        prepared,
        check,
        interpreter: Interpreter::new(prepared.searched.model(), Observers::default()),
    };
    let mut graph = teller.graph(&space, (most, first.limits.depth));
    graph.property_id = identity(check.subject);
    graph.strategy = strategy.map_or("off", Strategy::name).into();
    Ok(graph)
}

/// The group of a model as permutations.
pub fn permutation_group(prepared: &Prepared) -> PermutationGroup {
    let group = &prepared.account.group;
    PermutationGroup {
        order: group.order.clone(),
        structure: group.structure.clone(),
        points: points(prepared).names().to_vec(),
        generators: group.permutations.clone(),
    }
}

fn points(prepared: &Prepared) -> Points {
    let certificate = prepared.certificate.as_ref();
    certificate.map_or_else(Points::default, |certificate| {
        Points::of(&prepared.certified, certificate)
    })
}

fn not_taken(what: String) -> Refusal {
    Refusal::Check(CheckError::Engine(EngineError::NotTaken {
        what,
        span: None,
    }))
}

fn refused(error: GraphError) -> Refusal {
    match error {
        GraphError::Unsupported(what) => not_taken(what.to_string()),
        GraphError::Strategy(what) => not_taken(what),
        GraphError::Defect(what) => Refusal::Check(CheckError::Defect(what)),
    }
}

/// Tells of the states and steps of what was searched, in the words of the user's model as far as it has some.
struct Teller<'a> {
    loaded: &'a LoadedModel,
    prepared: &'a Prepared,
    check: &'a Question,
    interpreter: Interpreter<'a>,
}

impl Teller<'_> {
    fn graph(&self, space: &StateSpace, limits: (usize, Option<u64>)) -> StateGraph {
        let points = points(self.prepared);
        let arrows = (0..).zip(&space.states);
        let arrows = arrows.flat_map(|(from, s)| s.arrows.iter().map(move |a| (from, a)));
        let start = |arrow: &Arrow| GraphStart {
            state: arrow.to,
            permutation: arrow.renaming,
        };
        let images = |renaming| points.images(renaming);
        StateGraph {
            schema: GRAPH_SCHEMA.into(),
            tool: Tool::mandala(),
            model: present::model_source(self.loaded),
            property_id: PropertyId::Safety,
            strategy: String::new(),
            group: permutation_group(self.prepared),
            permutations: space.renamings.iter().map(images).collect(),
            complete: space.cut.is_none(),
            reason: space.cut.map(|cut| reason(cut, limits)),
            starts: space.starts.iter().map(start).collect(),
            violations: self.messages(&space.violations),
            states: space.states.iter().map(|s| self.state(s)).collect(),
            edges: arrows
                .map(|(from, arrow)| self.edge(from, arrow, &space.states))
                .collect(),
            without_target: space.ended,
        }
    }

    fn state(&self, of: &SpaceState) -> GraphState {
        let searched = self.prepared.searched.model();
        let all = listing(searched, &self.loaded.sources, &of.state);
        GraphState {
            depth: of.depth,
            values: all.values,
            processes: all.processes,
            violations: self.messages(&of.violations),
            stabiliser: of.stabiliser.clone(),
            open: !of.expanded,
        }
    }

    fn messages(&self, violations: &[Violation]) -> Vec<String> {
        let concerning = violations.iter().filter(|v| self.check.concerns(v));
        concerning.map(|v| self.message(v)).collect()
    }

    /// What is wrong, and where.
    fn message(&self, violation: &Violation) -> String {
        let (loaded, check) = (self.loaded, self.check);
        let message = explain::message(violation, loaded, check);
        match explain::span_of(violation, loaded, check) {
            Some(span) => format!("{message} ({})", loaded.sources.location(span)),
            None => message,
        }
    }

    fn edge(&self, from: u32, arrow: &Arrow, states: &[SpaceState]) -> GraphEdge {
        let at = &states[from as usize].state;
        let first = arrow.labels.first();
        let place = first.map(|label| self.place(label));
        GraphEdge {
            from,
            to: arrow.to,
            label: self.label(at, &arrow.labels),
            line: place.as_ref().map_or(1, |place| place.line),
            file: place.map(|place| place.file).unwrap_or_default(),
            permutation: arrow.renaming,
        }
    }

    /// Who moves, and the statements. What was added to the model is no statement of the user.
    fn label(&self, at: &State, labels: &[StepLabel]) -> String {
        let mut text = String::new();
        let mut last = None;
        for label in labels {
            let Some(own) = self.prepared.step_of_user(label) else {
                continue;
            };
            let separator = if text.is_empty() { "" } else { "; " };
            let actor = match self.is_of_rules() || last == Some(own.actor) {
                true => String::new(),
                false => format!("{}: ", self.actor(at, own)),
            };
            text.push_str(&format!("{separator}{actor}{}", self.statement(&own)));
            last = Some(own.actor);
        }
        text
    }

    fn is_of_rules(&self) -> bool {
        self.loaded.model.is_system_of_rules()
    }

    /// The process; one that is made by an earlier step of the sequence is known by its statement.
    fn actor(&self, at: &State, label: StepLabel) -> String {
        let template = self.loaded.model.template(label.edge.template);
        match label.actor {
            Actor::Process(number) if at.processes.len() > number as usize => {
                self.interpreter.process_name(at, number)
            }
            Actor::Process(number) => format!("{}({number})", template.display_name()),
            Actor::Claim => template.display_name().to_string(),
        }
    }

    fn statement(&self, label: &StepLabel) -> String {
        let model = &self.loaded.model;
        let edge = |id: EdgeId| &model.template(id.template).edges[id.index as usize];
        let own = model.instance_text(label.edge.template, edge(label.edge), label.choice);
        match label.partner {
            Some((receiver, id)) => {
                let name = model.template(id.template).display_name();
                format!("{own} -> {name}({receiver}): {}", edge(id).text)
            }
            None => own,
        }
    }

    fn place(&self, label: &StepLabel) -> Place {
        let own = self.prepared.step_of_user(label);
        let (model, id) = match own {
            Some(own) => (&*self.loaded.model, own.edge),
            None => (&**self.prepared.searched.model(), label.edge),
        };
        let edge = &model.template(id.template).edges[id.index as usize];
        place(&self.loaded.sources, edge.span)
    }
}

fn reason(cut: Cut, (most, deepest): (usize, Option<u64>)) -> String {
    match cut {
        Cut::States => format!("there are more than {} states", grouped(most as u64)),
        Cut::Depth => {
            let deepest = grouped(deepest.unwrap_or_default());
            format!("states of depth {deepest} are not expanded")
        }
        Cut::Stopped => "it was stopped".into(),
        Cut::Oversize => "a state is too large to be packed".into(),
        Cut::Ways => "an atomic sequence has too many ways".into(),
    }
}
