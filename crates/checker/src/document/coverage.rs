//! Statements that no search has reached.
//!
//! A statement counts as reached if a process has ever stood before it, as in Spin. What one of
//! several searches reached is reached; a claim's own statements are listed if it took part.
//!
//! A search with symmetry visits representatives. Where a model has one branch for each name, representatives may take
//! one of them only. The certificate promises the same locations, except for those inside of atomic sequences and
//! routines that nobody ever sees: so nothing is said about these.

use crate::frontend::LoadedModel;
use crate::outcome::PropertyOutcome;
use mandala_engine::{Extent, Reached};
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Node, Role, Step, Template};
use mandala_report::document::Unreached;
use mandala_symmetry::passing;
use std::collections::BTreeSet;

/// The statements that were not reached, process by process. None are named if a search stopped at
/// a violation: it had no wish to reach everything.
pub fn unreached(loaded: &LoadedModel, outcomes: &[PropertyOutcome]) -> Vec<Unreached> {
    let searches = || outcomes.iter().filter_map(|o| o.search.as_ref());
    // Rules are tried in every state, so there is no place that control would not get to.
    let everywhere = loaded.model.is_system_of_rules();
    if everywhere || searches().any(|s| s.extent == Extent::FirstViolation) {
        return Vec::new();
    }
    let reached: Vec<&Reached> = searches().map(|s| &s.reached).collect();
    let reduced = outcomes.iter().filter(|o| has_reduction(o));
    // Of a location that is out of reach in the one nobody can be sure in the other.
    let certified: Vec<&Model> = reduced
        .flat_map(|o| [&*loaded.model, &**o.prepared.certified])
        .collect();
    let scope = match certified.is_empty() {
        true => Scope::Everything,
        false => Scope::Seen(&certified),
    };
    let claims: Vec<TemplateId> = outcomes
        .iter()
        .filter(|o| o.search.is_some())
        .filter_map(|o| match o.check.observers.claim? {
            Claim::Template(id) => Some(id),
            // Nobody has written its states.
            Claim::Automaton(_) => None,
        })
        .collect();
    let templates = loaded.model.templates.iter().enumerate();
    templates
        .map(|(index, template)| (TemplateId::from(index), template))
        .filter(|(id, template)| takes_part(template, *id, &claims))
        .flat_map(|(id, template)| of_template(loaded, id, template, &reached, scope))
        .collect()
}

fn has_reduction(outcome: &PropertyOutcome) -> bool {
    let search = outcome.search.as_ref();
    search.is_some_and(|s| s.reduction.is_some())
}

/// What can be told to have been reached or not.
#[derive(Clone, Copy, Debug)]
enum Scope<'m> {
    /// Every statement.
    Everything,
    /// Those that somebody else can see a process stand before, in all of these models.
    Seen(&'m [&'m Model]),
}

fn takes_part(template: &Template, id: TemplateId, claims: &[TemplateId]) -> bool {
    match template.role {
        Role::Process => true,
        Role::Claim => claims.contains(&id),
        Role::Events(_) | Role::Monitors => false,
    }
}

fn of_template(
    loaded: &LoadedModel,
    id: TemplateId,
    template: &Template,
    reached: &[&Reached],
    scope: Scope<'_>,
) -> Vec<Unreached> {
    let name = |(number, span, statement): (u32, Span, String)| {
        let location = loaded.sources.location(span);
        Unreached {
            process: template.display_name().to_string(),
            file: location.path.display().to_string(),
            line: location.line,
            state: number,
            statement,
        }
    };
    let unseen = match scope {
        Scope::Everything => BTreeSet::new(),
        Scope::Seen(models) => {
            let unseen = models.iter().flat_map(|m| passing(m, m.template(id)));
            &unseen.collect() & &connected(template)
        }
    };
    let locations = locations(id, template, reached, &unseen);
    let nodes = nodes(id, template, reached).filter(|_| matches!(scope, Scope::Everything));
    let mut all: Vec<Unreached> = locations.chain(nodes).map(name).collect();
    all.sort_by_key(|u| (u.line, u.state));
    all
}

/// The locations that some path leads to from the entry, whether or not it can be taken. Of all others it is
/// certain that nobody gets there.
fn connected(template: &Template) -> BTreeSet<LocationId> {
    let mut seen = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        let targets = template.edges_from(location).map(|(_, edge)| edge.target);
        open.extend(targets.filter(|target| seen.insert(*target)));
    }
    seen
}

/// Locations where no process has stood: number, place, statement.
fn locations<'a>(
    id: TemplateId,
    template: &'a Template,
    reached: &'a [&Reached],
    unseen: &'a BTreeSet<LocationId>,
) -> impl Iterator<Item = (u32, Span, String)> + 'a {
    let is_reached = move |at: usize| reached.iter().any(|r| r.locations[id.index()][at]);
    let is_seen = |at: usize| !unseen.contains(&LocationId::from(at));
    let locations = template.locations.iter().enumerate();
    locations
        .filter(move |(at, location)| !location.silent && !is_reached(*at) && is_seen(*at))
        .map(|(at, location)| {
            let mut edges = template.edges_from(LocationId::from(at));
            let text = edges.next().map_or("-end-", |(_, edge)| edge.text.as_str());
            (location.number, location.span, text.to_string())
        })
}

/// Nodes of routines that were never executed, the first ones aside: they are locations as well.
fn nodes<'a>(
    id: TemplateId,
    template: &'a Template,
    reached: &'a [&Reached],
) -> impl Iterator<Item = (u32, Span, String)> + 'a {
    let routines = template.edges.iter().filter_map(|edge| match &edge.step {
        Step::Routine(routine) => Some(routine.nodes.get(1..).unwrap_or(&[])),
        _ => None,
    });
    let looked_inside = reached.iter().all(|r| r.nodes.is_some());
    let is_reached = move |node: &Node| {
        let mut sets = reached.iter().filter_map(|r| r.nodes.as_ref());
        sets.any(|nodes| nodes[id.index()].contains(&node.number))
    };
    routines
        .flatten()
        .filter(move |node| looked_inside && !is_reached(node))
        .map(|node| {
            let text = node.choices.first().map_or("", |c| c.text.as_str());
            (node.number, node.span, text.to_string())
        })
}
