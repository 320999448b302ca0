//! Proofs as JSON, in types of their own: a change inside never changes the format of the file.
//!
//! The types of a variable are a list, in the order of its text: for an array first the type of its index and then those of an element, for a record those of its
//! fields. A type is `-` for a plain number, `p` for the number of a process, `n2` for a name of domain of names 2, `c1` for a channel of class 1; `p+1` is a value
//! that is less by 1 than the number of a process.

mod file;

pub use file::{PROOF_SCHEMA, ProofDocument, ProofForm, PropertyProof, digest, read, write};

use crate::proof::{Body, Case, Dead, Moves, Notes, Proof, Temporary};
use mandala_model::Model;
use mandala_model::ids::{ChannelKindId, FunctionId, GlobalId, LocationId, NodeId, TemplateId};
use mandala_model::state::Value;
use mandala_model::types::{Type, Variable};
use mandala_symmetry::sorts::{Classes, Names, Row, Shape, Sort, Sorts};
use mandala_symmetry::{Domain, DomainKind, Permutation, Renaming};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

type WrittenTypes = Vec<String>;
type WrittenValues = Vec<Option<Vec<Value>>>;

/// A [`Proof`], written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenProof {
    domains: Vec<WrittenDomain>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    renamings: Vec<WrittenRenaming>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<WrittenRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    channel_classes: Vec<Vec<u32>>,
    globals: Vec<WrittenTypes>,
    locals: Vec<Vec<WrittenTypes>>,
    messages: Vec<WrittenTypes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<WrittenClasses>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    scratch: BTreeMap<u32, WrittenTypes>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bodies: Vec<WrittenNotes>,
    cases: Vec<WrittenCase>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClasses {
    globals: Vec<WrittenValues>,
    locals: Vec<Vec<WrittenValues>>,
    messages: Vec<WrittenValues>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDomain {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    template: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<(String, Value, u32)>,
    /// The number of their set of names, if that is not one of their own, and their first place there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part_of: Option<(u32, u32)>,
    full: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    settled: Vec<(u32, Vec<u32>)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    residents: Vec<(u32, Vec<u32>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRenaming {
    processes: Vec<u32>,
    names: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRow {
    index: String,
    first: Value,
    variables: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenNotes {
    body: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    locals: BTreeMap<u32, WrittenTypes>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    globals: BTreeMap<u32, WrittenTypes>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    references: Vec<WrittenTypes>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    binders: WrittenTypes,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    counted: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dead: Vec<WrittenDead>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDead {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    local: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    global: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    path: Vec<u32>,
    nodes: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCase {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all: Option<Vec<usize>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    renaming: Option<WrittenRenaming>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    each: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edges: Vec<WrittenEdges>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trusted: Vec<WrittenTrust>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEdges {
    template: u32,
    location: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    process: Option<u32>,
    images: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTrust {
    body: String,
    reason: String,
}

impl WrittenProof {
    /// A proof as it is written.
    pub fn of(proof: &Proof) -> Self {
        let sorts = &proof.sorts;
        let all = |shapes: &[Shape<Sort>]| shapes.iter().map(types).collect::<Vec<_>>();
        let values = |shapes: &[Shape<Option<BTreeSet<Value>>>]| {
            shapes.iter().map(known).collect::<Vec<_>>()
        };
        let mut something = false;
        proof
            .values
            .map(&mut |values| something |= values.is_some());
        let known_values = || WrittenClasses {
            globals: values(&proof.values.globals),
            locals: proof.values.locals.iter().map(|l| values(l)).collect(),
            messages: proof
                .values
                .fields
                .iter()
                .map(|f| f.iter().map(listed).collect())
                .collect(),
        };
        WrittenProof {
            domains: proof
                .domains
                .iter()
                .zip(&proof.full)
                .map(|(d, full)| domain(d, *full))
                .collect(),
            renamings: proof.renamings.iter().map(|r| renaming(r, sorts)).collect(),
            rows: sorts.rows.iter().map(row).collect(),
            channel_classes: sorts
                .kinds
                .iter()
                .map(|kinds| kinds.iter().map(|k| k.0).collect())
                .collect(),
            globals: all(&sorts.classes.globals),
            locals: sorts.classes.locals.iter().map(|l| all(l)).collect(),
            messages: sorts
                .classes
                .fields
                .iter()
                .map(|f| f.iter().map(sort).collect())
                .collect(),
            values: something.then(known_values),
            scratch: proof
                .scratch
                .iter()
                .map(|(id, shape)| (id.0, types(shape)))
                .collect(),
            bodies: proof.bodies.iter().map(notes).collect(),
            cases: proof.cases.iter().map(|c| case(c, sorts)).collect(),
        }
    }

    /// The proof about a model; nothing if it cannot be about that one.
    pub fn read(&self, model: &Model) -> Option<Proof> {
        let mut domains: Vec<Domain> = Vec::new();
        let mut names: Vec<Names> = Vec::new();
        for written in &self.domains {
            domains.push(written.read(&mut names)?);
        }
        let classes = Classes {
            globals: shapes(model, &model.globals, &self.globals)?,
            locals: {
                let mut locals = Vec::new();
                (self.locals.len() == model.runnable_count()).then_some(())?;
                for ((_, template), written) in model.runnables().zip(&self.locals) {
                    locals.push(shapes(model, &template.locals, written)?);
                }
                locals
            },
            fields: self
                .messages
                .iter()
                .map(|f| f.iter().map(|s| read_sort(s)).collect())
                .collect::<Option<_>>()?,
        };
        let kinds: Vec<Vec<ChannelKindId>> = self
            .channel_classes
            .iter()
            .map(|kinds| kinds.iter().map(|k| ChannelKindId(*k)).collect())
            .collect();
        let messages = kinds
            .iter()
            .map(|kinds| classes.fields.get(kinds.first()?.index()).cloned());
        let rows = self.rows.iter().map(|row| {
            Some(Row {
                index: read_sort(&row.index)?,
                first: row.first,
                variables: row.variables.iter().map(|v| GlobalId(*v)).collect(),
            })
        });
        let sorts = Sorts {
            names,
            rows: rows.collect::<Option<_>>()?,
            messages: messages.collect::<Option<_>>()?,
            kinds,
            classes,
        };
        let values = match &self.values {
            None => sorts.classes.map(&mut |_| None),
            Some(written) => written.read(&sorts.classes)?,
        };
        let mut scratch = BTreeMap::new();
        for (id, written) in &self.scratch {
            let variable = model.globals.get(*id as usize)?;
            scratch.insert(GlobalId(*id), shape(model, &variable.ty, written)?);
        }
        let mut bodies = BTreeMap::new();
        for written in &self.bodies {
            let body = read_body(&written.body)?;
            bodies
                .insert(body, written.read(model, body)?)
                .is_none()
                .then_some(())?;
        }
        Some(Proof {
            domains,
            full: self.domains.iter().map(|d| d.full).collect(),
            renamings: self
                .renamings
                .iter()
                .map(WrittenRenaming::read)
                .collect::<Option<_>>()?,
            sorts,
            values,
            scratch,
            bodies,
            cases: self
                .cases
                .iter()
                .map(WrittenCase::read)
                .collect::<Option<_>>()?,
        })
    }
}

fn sort(sort: &Sort) -> String {
    let offset = |offset: Value| match offset {
        0 => String::new(),
        offset => format!("{offset:+}"),
    };
    match sort {
        Sort::Plain => "-".into(),
        Sort::Process(by) => format!("p{}", offset(*by)),
        Sort::Name(set, by) => format!("n{set}{}", offset(*by)),
        Sort::Channel(class) => format!("c{class}"),
    }
}

fn read_sort(text: &str) -> Option<Sort> {
    let split = |text: &str| -> Option<(String, Value)> {
        match text.find(['+', '-']) {
            None => Some((text.into(), 0)),
            Some(at) => Some((text[..at].into(), text[at..].parse().ok()?)),
        }
    };
    let mut rest = text.chars();
    match (rest.next()?, rest.as_str()) {
        ('-', "") => Some(Sort::Plain),
        ('p', rest) => {
            let (none, offset) = split(rest)?;
            none.is_empty().then_some(Sort::Process(offset))
        }
        ('n', rest) => {
            let (set, offset) = split(rest)?;
            Some(Sort::Name(set.parse().ok()?, offset))
        }
        ('c', rest) => Some(Sort::Channel(rest.parse().ok()?)),
        _ => None,
    }
}

fn types(shape: &Shape<Sort>) -> WrittenTypes {
    let mut all = Vec::new();
    shape.map(&mut |s| all.push(sort(s)));
    all
}

fn listed(values: &Option<BTreeSet<Value>>) -> Option<Vec<Value>> {
    values
        .as_ref()
        .map(|values| values.iter().copied().collect())
}

fn known(shape: &Shape<Option<BTreeSet<Value>>>) -> WrittenValues {
    let mut all = Vec::new();
    shape.map(&mut |values| all.push(listed(values)));
    all
}

fn shape(model: &Model, ty: &Type, written: &[String]) -> Option<Shape<Sort>> {
    let sorts: Vec<Sort> = written
        .iter()
        .map(|s| read_sort(s))
        .collect::<Option<_>>()?;
    let mut next = 0;
    let shape = Shape::of(model, ty, &mut || {
        next += 1;
        sorts.get(next - 1).copied().unwrap_or(Sort::Plain)
    });
    (next == sorts.len()).then_some(shape)
}

fn shapes(
    model: &Model,
    variables: &[Variable],
    written: &[WrittenTypes],
) -> Option<Vec<Shape<Sort>>> {
    (variables.len() == written.len()).then_some(())?;
    variables
        .iter()
        .zip(written)
        .map(|(v, written)| shape(model, &v.ty, written))
        .collect()
}

impl WrittenClasses {
    /// The values, in the shapes of types.
    fn read(&self, classes: &Classes<Sort>) -> Option<Classes<Option<BTreeSet<Value>>>> {
        let globals = self.globals.iter();
        let all = globals
            .chain(self.locals.iter().flatten())
            .chain(&self.messages)
            .flatten();
        let all: Vec<_> = all
            .map(|v| v.as_ref().map(|v| v.iter().copied().collect()))
            .collect();
        let mut next = 0;
        let values = classes.map(&mut |_| {
            next += 1;
            all.get(next - 1).cloned().flatten()
        });
        (next == all.len()).then_some(values)
    }
}

fn pairs<A: Copy + Into<u32>, B: Copy + Into<u32>>(
    conditions: &[(A, BTreeSet<B>)],
) -> Vec<(u32, Vec<u32>)> {
    conditions
        .iter()
        .map(|(a, all)| ((*a).into(), all.iter().map(|b| (*b).into()).collect()))
        .collect()
}

fn domain(domain: &Domain, full: bool) -> WrittenDomain {
    let settled: Vec<(u32, BTreeSet<u32>)> = domain
        .settled
        .iter()
        .map(|(t, all)| (t.0, all.iter().map(|l| l.0).collect()))
        .collect();
    let residents: Vec<(u32, BTreeSet<u32>)> = domain
        .residents
        .iter()
        .map(|(t, all)| (t.0, all.clone()))
        .collect();
    let mut written = WrittenDomain {
        template: None,
        numbers: Vec::new(),
        names: None,
        part_of: None,
        full,
        settled: pairs(&settled),
        residents: pairs(&residents),
    };
    match &domain.kind {
        DomainKind::Processes { template, numbers } => {
            written.template = Some(template.0);
            written.numbers.clone_from(numbers);
        }
        DomainKind::Names {
            label,
            first,
            size,
            set,
            start,
        } => {
            written.names = Some((label.clone(), *first, *size));
            written.part_of = (*start > 0).then_some((*set, *start));
        }
    }
    written
}

impl WrittenDomain {
    /// The domain. Its set of names is added to those that there are, or made larger.
    fn read(&self, sets: &mut Vec<Names>) -> Option<Domain> {
        let kind = match (self.template, &self.names) {
            (Some(template), None) => DomainKind::Processes {
                template: TemplateId(template),
                numbers: self.numbers.clone(),
            },
            (None, Some((label, first, size))) if self.numbers.is_empty() => {
                let (set, start) = self.part_of.unwrap_or((sets.len() as u32, 0));
                let end = start.checked_add(*size)?;
                match self.part_of {
                    None => sets.push(Names {
                        first: *first,
                        size: *size,
                    }),
                    Some(_) => {
                        let known = sets.get_mut(set as usize)?;
                        known.size = known.size.max(end);
                    }
                }
                DomainKind::Names {
                    label: label.clone(),
                    first: *first,
                    size: *size,
                    set,
                    start,
                }
            }
            _ => return None,
        };
        let settled = self.settled.iter();
        let residents = self.residents.iter();
        Some(Domain {
            kind,
            settled: settled
                .map(|(t, all)| (TemplateId(*t), all.iter().map(|l| LocationId(*l)).collect()))
                .collect(),
            residents: residents
                .map(|(t, all)| (TemplateId(*t), all.iter().copied().collect()))
                .collect(),
        })
    }
}

fn renaming(renaming: &Renaming, sorts: &Sorts) -> WrittenRenaming {
    let images = |permutation: &Permutation| {
        let end = permutation.moved().max().map_or(0, |last| last + 1);
        (0..end).map(|n| permutation.image(n)).collect()
    };
    WrittenRenaming {
        processes: images(renaming.processes()),
        names: (0..sorts.names.len() as u32)
            .map(|set| images(renaming.names(set)))
            .collect(),
    }
}

impl WrittenRenaming {
    fn read(&self) -> Option<Renaming> {
        let processes = Permutation::from_images(self.processes.clone())?;
        let names = self
            .names
            .iter()
            .map(|images| Permutation::from_images(images.clone()));
        Some(Renaming::new(processes, names.collect::<Option<_>>()?))
    }
}

fn row(row: &Row) -> WrittenRow {
    WrittenRow {
        index: sort(&row.index),
        first: row.first,
        variables: row.variables.iter().map(|v| v.0).collect(),
    }
}

fn body(body: &Body) -> String {
    match body {
        Body::Edge(template, index) => format!("edge {} {index}", template.0),
        Body::Provided(template) => format!("provided {}", template.0),
        Body::Births(template) => format!("births {}", template.0),
        Body::Function(id) => format!("function {}", id.0),
        Body::Conditions => "conditions".into(),
        Body::Globals => "globals".into(),
        Body::Start => "start".into(),
    }
}

fn read_body(text: &str) -> Option<Body> {
    let words: Vec<&str> = text.split(' ').collect();
    Some(match words[..] {
        ["edge", template, index] => {
            Body::Edge(TemplateId(template.parse().ok()?), index.parse().ok()?)
        }
        ["provided", template] => Body::Provided(TemplateId(template.parse().ok()?)),
        ["births", template] => Body::Births(TemplateId(template.parse().ok()?)),
        ["function", id] => Body::Function(FunctionId(id.parse().ok()?)),
        ["conditions"] => Body::Conditions,
        ["globals"] => Body::Globals,
        ["start"] => Body::Start,
        _ => return None,
    })
}

fn notes((of, notes): (&Body, &Notes)) -> WrittenNotes {
    WrittenNotes {
        body: body(of),
        locals: notes
            .locals
            .iter()
            .map(|(id, shape)| (*id, types(shape)))
            .collect(),
        globals: notes
            .globals
            .iter()
            .map(|(id, shape)| (id.0, types(shape)))
            .collect(),
        references: notes.references.iter().map(types).collect(),
        binders: notes.binders.iter().map(sort).collect(),
        counted: notes.counted.iter().map(|n| n.0).collect(),
        dead: notes.dead.iter().map(dead).collect(),
    }
}

fn dead(dead: &Dead) -> WrittenDead {
    let (local, global) = match dead.variable {
        Temporary::Local(id) => (Some(id), None),
        Temporary::Global(id) => (None, Some(id)),
    };
    WrittenDead {
        local,
        global,
        path: dead.path.clone(),
        nodes: dead.nodes.iter().map(|n| n.0).collect(),
    }
}

impl WrittenNotes {
    fn read(&self, model: &Model, body: Body) -> Option<Notes> {
        let (locals, references): (&[Variable], &[Variable]) = match body {
            Body::Edge(template, _) if template.index() < model.runnable_count() => {
                (&model.template(template).locals, &[])
            }
            Body::Function(id) => {
                let function = model.functions.get(id.index())?;
                (&function.locals, &function.references)
            }
            _ => (&[], &[]),
        };
        let mut notes = Notes {
            references: shapes(model, references, &self.references)?,
            binders: self
                .binders
                .iter()
                .map(|s| read_sort(s))
                .collect::<Option<_>>()?,
            counted: self.counted.iter().map(|n| NodeId(*n)).collect(),
            ..Notes::default()
        };
        for (id, written) in &self.locals {
            notes
                .locals
                .insert(*id, shape(model, &locals.get(*id as usize)?.ty, written)?);
        }
        for (id, written) in &self.globals {
            let variable = model.globals.get(*id as usize)?;
            notes
                .globals
                .insert(GlobalId(*id), shape(model, &variable.ty, written)?);
        }
        for dead in &self.dead {
            let variable = match (dead.local, dead.global) {
                (Some(id), None) => Temporary::Local(id),
                (None, Some(id)) => Temporary::Global(id),
                _ => return None,
            };
            notes.dead.push(Dead {
                variable,
                path: dead.path.clone(),
                nodes: dead.nodes.iter().map(|n| NodeId(*n)).collect(),
            });
        }
        Some(notes)
    }
}

fn case(case: &Case, sorts: &Sorts) -> WrittenCase {
    let (all, one) = match &case.moves {
        Moves::All(domains) => (Some(domains.clone()), None),
        Moves::One(one) => (None, Some(renaming(one, sorts))),
    };
    let edges = case
        .edges
        .iter()
        .map(|((template, location, process), images)| WrittenEdges {
            template: template.0,
            location: location.0,
            process: *process,
            images: images.clone(),
        });
    let trusted = case.trusted.iter();
    WrittenCase {
        all,
        renaming: one,
        each: case.each.iter().map(|t| t.0).collect(),
        edges: edges.collect(),
        trusted: trusted
            .map(|(of, reason)| WrittenTrust {
                body: body(of),
                reason: reason.clone(),
            })
            .collect(),
    }
}

impl WrittenCase {
    fn read(&self) -> Option<Case> {
        let moves = match (&self.all, &self.renaming) {
            (Some(domains), None) => Moves::All(domains.clone()),
            (None, Some(renaming)) => Moves::One(renaming.read()?),
            _ => return None,
        };
        let mut case = Case::of(moves);
        case.each = self.each.iter().map(|t| TemplateId(*t)).collect();
        for edges in &self.edges {
            let key = (
                TemplateId(edges.template),
                LocationId(edges.location),
                edges.process,
            );
            case.edges
                .insert(key, edges.images.clone())
                .is_none()
                .then_some(())?;
        }
        for trusted in &self.trusted {
            case.trusted
                .insert(read_body(&trusted.body)?, trusted.reason.clone());
        }
        Some(case)
    }
}
