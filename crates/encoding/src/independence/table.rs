//! Tables of dependent steps, and of steps that may enable others, for the processes of one shape.

use super::bits::Bits;
use super::objects::Objects;
use super::pieces::{Piece, Pieces, Whose};
use super::relations::Relations;
use super::templates::TemplateFacts;
use super::visible::Sight;
use crate::code::Entry;
use crate::layout::Layout;
use crate::shape::Shape;
use mandala_model::Model;
use mandala_model::expr::ReceiveOrder;
use mandala_model::footprint::{Analysis, Birth};
use mandala_model::ids::TemplateId;
use mandala_model::template::Edge;
use std::collections::BTreeSet;
use std::ops::Range;

/// Tables of more steps than this are not made.
const MOST_STEPS: usize = 1 << 11;

/// So many choices of parameters are looked at, to see which of them are steps.
const MOST_CHOICES: u64 = 1 << 16;

/// A choice that is no step.
const NO_STEP: u32 = u32::MAX;

/// What an edge does with a channel in its own right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    /// It is no send and no receive.
    None,
    /// It sends.
    Send,
    /// It receives, from that channel if it is always the same one.
    Receive(ReceiveOrder, Option<u32>),
}

/// How an edge of a process speaks to others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Talk {
    pub port: Port,
    /// It may be half of a rendezvous.
    pub meets: bool,
}

/// What is known of a step. Sets of steps are named by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct StepRow {
    /// The process, and the location that the step begins at. Nothing for what is not born yet, and for monitors.
    pub begin: Option<(u32, u32)>,
    /// Those that do not commute with it, or are the other half of it.
    pub conflicts: u32,
    /// Those that may bring the process to where the step begins.
    pub openers: u32,
    /// Those that may change whether it can be taken, but for its channel.
    pub enabling: u32,
    /// Those that may take messages from its channel, and those that may put some there.
    pub takers: u32,
    pub putters: u32,
    /// The rows of its conditions.
    pub conditions: Range<u32>,
    pub talk: Talk,
    /// The edge, and the choice of its parameters.
    pub edge: u32,
    pub choice: u32,
    /// It may change what is looked at, the part of a partner in it aside.
    pub visible: bool,
    /// It is a monitor: nobody moves.
    pub is_monitor: bool,
}

/// A condition of a step: the code that asks it, and the steps that may change the answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConditionRow {
    pub entry: Entry,
    pub writers: u32,
}

/// What is known of all steps of the processes of a shape. Monitors come before them.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// The row of the first edge of each process.
    first_edge: Vec<u32>,
    /// For each edge of each process, the row of its first choice.
    first_choice: Vec<u32>,
    /// The step of each choice, or [`NO_STEP`].
    choices: Vec<u32>,
    steps: Vec<StepRow>,
    conditions: Vec<ConditionRow>,
    sets: Vec<Bits>,
}

impl Table {
    /// Works out everything.
    pub fn new(
        model: &Model,
        facts: &[TemplateFacts],
        shape: &Shape,
        layout: &Layout,
        births: &[Birth],
        sight: Option<&Sight>,
    ) -> Self {
        if choices(model, shape) > MOST_CHOICES {
            return Table::default();
        }
        let pieces = Pieces {
            model,
            analysis: Analysis::new(model),
            facts,
            objects: Objects { shape, layout },
            sight,
        };
        let mut table = Table::default();
        let mut all = pieces.of_monitors();
        for (number, birth) in births.iter().enumerate() {
            let steps = pieces.of_process(number, birth);
            if all.len() + steps.len() > MOST_STEPS {
                return Table::default();
            }
            let template = model.template(shape.processes[number].template);
            table.number(&template.edges, all.len() as u32, &steps);
            all.extend(steps);
        }
        all.extend(unborn(&pieces, &all));
        table.fill(&all, &pieces.objects);
        table
    }

    /// Gives numbers to the steps of a process, from that one on.
    fn number(&mut self, edges: &[Edge], first: u32, steps: &[Piece]) {
        self.first_edge.push(self.first_choice.len() as u32);
        for edge in edges {
            self.first_choice.push(self.choices.len() as u32);
            let end = self.choices.len() + edge.choices() as usize;
            self.choices.resize(end, NO_STEP);
        }
        let process = self.first_edge.len() - 1;
        for (step, piece) in (first..).zip(steps) {
            let row = self.row_of(process as u32, piece.edge, piece.choice);
            self.choices[row] = step;
        }
    }

    fn row_of(&self, process: u32, edge: u32, choice: u32) -> usize {
        let edge = self.first_edge[process as usize] + edge;
        (self.first_choice[edge as usize] + choice) as usize
    }

    fn fill(&mut self, pieces: &[Piece], objects: &Objects<'_>) {
        let mut relations = Relations::new(pieces, objects);
        for piece in pieces {
            let first = self.conditions.len() as u32;
            for (entry, reads) in &piece.conditions {
                self.conditions.push(ConditionRow {
                    entry: *entry,
                    writers: relations.writers(reads),
                });
            }
            let row = StepRow {
                begin: begin(piece.whose),
                conflicts: relations.conflicts(piece),
                openers: relations.openers(piece),
                enabling: relations.writers(&piece.enabling),
                takers: relations.takers(&piece.channels),
                putters: relations.putters(&piece.channels),
                conditions: first..self.conditions.len() as u32,
                talk: piece.talk,
                edge: piece.edge,
                choice: piece.choice,
                visible: piece.visible,
                is_monitor: piece.whose == Whose::Monitor,
            };
            self.steps.push(row);
        }
        self.sets = relations.rows.sets;
    }

    /// Whether anything is known.
    pub fn is_known(&self) -> bool {
        !self.first_edge.is_empty()
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// How many conditions there are.
    pub fn conditions(&self) -> usize {
        self.conditions.len()
    }

    /// The number of the step that begins with an edge of a process in a choice of its parameters.
    ///
    /// # Panics
    ///
    /// If the edge can never be taken in that choice.
    #[inline]
    pub fn step(&self, process: u32, edge: u32, choice: u32) -> usize {
        let step = self.choices[self.row_of(process, edge, choice)];
        assert_ne!(step, NO_STEP, "an edge that is never taken is no step");
        step as usize
    }

    /// What is known of a step.
    #[inline]
    pub fn row(&self, step: usize) -> &StepRow {
        &self.steps[step]
    }

    /// A condition.
    #[inline]
    pub fn condition(&self, number: u32) -> ConditionRow {
        self.conditions[number as usize]
    }

    /// A set of steps.
    #[inline]
    pub fn set(&self, number: u32) -> &Bits {
        &self.sets[number as usize]
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        let sets: usize = self.sets.iter().map(Bits::bytes).sum();
        let rows = size_of_val(self.choices.as_slice());
        sets + rows + size_of_val(self.steps.as_slice()) + size_of_val(self.conditions.as_slice())
    }
}

/// How many choices of parameters the processes of a shape and the monitors have.
fn choices(model: &Model, shape: &Shape) -> u64 {
    let processes = shape.processes.iter().map(|slot| slot.template);
    let templates = processes.chain(model.monitor_template());
    let edges = templates.flat_map(|template| &model.template(template).edges);
    let choices = edges.map(|edge| u64::from(edge.choices()));
    choices.fold(0, u64::saturating_add)
}

fn begin(whose: Whose) -> Option<(u32, u32)> {
    match whose {
        Whose::Process { number, source, .. } => Some((number as u32, source as u32)),
        Whose::Unborn(_) | Whose::Monitor => None,
    }
}

/// What the processes may do that some steps may make, and those that these may make.
fn unborn(pieces: &Pieces<'_>, steps: &[Piece]) -> Vec<Piece> {
    let spawned = steps.iter().flat_map(|step| &step.spawns);
    let mut all: BTreeSet<TemplateId> = spawned.copied().collect();
    let mut waiting: Vec<TemplateId> = all.iter().copied().collect();
    let mut unborn = Vec::new();
    while let Some(template) = waiting.pop() {
        let piece = pieces.of_unborn(template);
        let further = piece.spawns.iter().copied();
        waiting.extend(further.filter(|template| all.insert(*template)));
        unborn.push(piece);
    }
    unborn
}
