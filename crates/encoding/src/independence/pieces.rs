//! The accesses of each step of the processes of one shape.
//!
//! A *step* is an edge of a process with a choice of its parameters, taken as the first move of whatever follows it while the process holds control. Processes
//! that do not exist yet have one step for each template, which stands for all that such a process may ever do. A monitor with a choice of its
//! parameters is taken for a step that can always be made and only reads.
//!
//! What an edge touches is derived once for all choices, and then what a choice touches is read off. A choice in which the edge can
//! never be taken is no step.

use super::bits::Bits;
use super::objects::{Objects, Touch, Who};
use super::table::{Port, Talk};
use super::templates::TemplateFacts;
use super::visible::{Mover, Sight};
use crate::code::Entry;
use mandala_model::Model;
use mandala_model::footprint::{Analysis, Birth, ParametricFootprint};
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::state::Value;
use mandala_model::template::{Control, Edge, Keep, SendOrder, Step};
use std::collections::BTreeSet;

/// What a step touches.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub whose: Whose,
    /// The edge, and the choice of its parameters.
    pub edge: u32,
    pub choice: u32,
    /// All of the step.
    pub touch: Touch,
    /// What decides whether it can be taken, but for its own channel and the location of its process.
    pub enabling: Bits,
    /// Conditions without each of which it cannot be taken: the code that asks, and what is read.
    pub conditions: Vec<(Entry, Bits)>,
    /// The channels that its first move sends to or receives from.
    pub channels: Bits,
    /// Where it may offer a rendezvous, now or on the way.
    pub offers: Bits,
    /// Where it may accept one.
    pub accepts: Bits,
    /// Another process may take part after the first move.
    pub meets_later: bool,
    pub talk: Talk,
    pub spawns: BTreeSet<TemplateId>,
    /// The locations that the process may be at afterwards.
    pub targets: Bits,
    /// It may change what is looked at, the part of a partner in it aside.
    pub visible: bool,
}

/// Whose step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// That of a process, from a location.
    Process {
        number: usize,
        source: usize,
        /// Whether it is wrong to have a choice there.
        alone: bool,
    },
    /// That of a monitor: nobody moves.
    Monitor,
    /// All those of processes of a template that do not exist yet.
    Unborn(TemplateId),
}

/// What an edge of one process touches.
#[derive(Clone, Debug)]
struct EdgeTouch {
    choices: Vec<ChoiceTouch>,
    channels: Bits,
    meetings: Bits,
    talk: Talk,
    spawns: BTreeSet<TemplateId>,
}

/// What an edge of one process touches in a choice of its parameters.
#[derive(Clone, Debug)]
struct ChoiceTouch {
    choice: u32,
    /// If it is the first move of a step.
    first: Touch,
    /// If it is a later one, where it may be one.
    later: Touch,
    enabling: Bits,
    /// Conditions without each of which it cannot be taken.
    conditions: Vec<(Entry, Bits)>,
}

/// Finds out what steps touch.
pub(crate) struct Pieces<'a> {
    pub model: &'a Model,
    pub analysis: Analysis<'a>,
    pub facts: &'a [TemplateFacts],
    pub objects: Objects<'a>,
    /// What is looked at, if something is.
    pub sight: Option<&'a Sight>,
}

impl Pieces<'_> {
    /// The steps of a process, one for each of its edges and each choice of parameters.
    pub fn of_process(&self, number: usize, birth: &Birth) -> Vec<Piece> {
        let id = self.objects.shape.processes[number].template;
        let edges = self.edges(id, birth, Who::Process(number));
        let mut steps = Vec::new();
        for (index, edge) in edges.iter().enumerate() {
            let choices = edge.choices.iter();
            steps.extend(choices.map(|choice| self.step_of(number, id, (index, choice), &edges)));
        }
        if let Some(sight) = self.sight {
            let template = id;
            self.find_visible(sight, Mover { number, template }, &edges, &mut steps);
        }
        steps
    }

    /// The monitors, as steps that read what they look at. Whatever they write is undone.
    pub fn of_monitors(&self) -> Vec<Piece> {
        let monitors = self.model.monitor_ids();
        let pieces = monitors.flat_map(|monitor| {
            let id = self.model.edge_of_monitor(monitor);
            let edge = &self.model.template(id.template).edges[id.index as usize];
            let all = self.analysis.taking_by(id, &Birth::default(), false);
            let choices = possible(edge, &all).into_iter();
            let pieces = choices.map(|(choice, values)| {
                let footprint = all.of_choice(&values);
                let reads = self.objects.touch(&footprint, Who::Monitor).reads;
                Piece {
                    touch: Touch {
                        reads,
                        ..Touch::default()
                    },
                    choice,
                    ..Piece::nothing(Whose::Monitor)
                }
            });
            pieces.collect::<Vec<_>>()
        });
        pieces.collect()
    }

    /// Notes which steps may change what is looked at.
    fn find_visible(
        &self,
        sight: &Sight,
        mover: Mover,
        touched: &[EdgeTouch],
        steps: &mut [Piece],
    ) {
        let seen = sight.objects(&self.objects);
        let edges = &self.model.template(mover.template).edges;
        let moves = |index: usize| {
            sight.sees_move(self.model, mover, &edges[index], &touched[index].spawns)
        };
        for step in steps {
            let index = step.edge as usize;
            let later = self.later_moves(mover.template, index);
            // Who else takes part in a later move is not known, nor what that one does.
            let elsewhere = step.meets_later || step.touch.writes.meets(&seen);
            step.visible = elsewhere || moves(index) || later.iter().any(moves);
        }
    }

    fn step_of(
        &self,
        number: usize,
        id: TemplateId,
        (index, choice): (usize, &ChoiceTouch),
        edges: &[EdgeTouch],
    ) -> Piece {
        let template = self.model.template(id);
        let whose = Whose::Process {
            number,
            source: template.edges[index].source.index(),
            alone: template.deterministic,
        };
        let target = template.edges[index].target.index();
        let mut piece = first_move(whose, (index, &edges[index]), choice, target);
        let location = self.objects.shape.processes[number].base as usize;
        piece.touch.reads.insert(location);
        for later in self.later_moves(id, index).iter() {
            piece.add_later(&edges[later], template.edges[later].target.index());
        }
        piece
    }

    /// All that processes of a template may do that do not exist yet.
    pub fn of_unborn(&self, id: TemplateId) -> Piece {
        let template = self.model.template(id);
        let facts = &self.facts[id.index()];
        let edges = self.edges(id, &Birth::default(), Who::Unborn);
        let mut piece = Piece::nothing(Whose::Unborn(id));
        for index in facts.reach[template.entry.index()].iter() {
            let edge = &edges[index];
            let held = facts.held[template.edges[index].source.index()];
            for choice in &edge.choices {
                let touch = if held { &choice.later } else { &choice.first };
                piece.touch.add(touch);
            }
            match edge.talk.port {
                Port::Send => piece.offers.add(&edge.meetings),
                _ => piece.accepts.add(&edge.meetings),
            }
            piece.spawns.extend(&edge.spawns);
        }
        piece
    }

    /// What must hold for an edge to be possible, each condition with what it reads in any choice of parameters.
    fn conditions(&self, edge: EdgeId, birth: &Birth) -> Vec<(Entry, ParametricFootprint)> {
        let conditions = self.facts[edge.template.index()]
            .conditions
            .get(edge.index as usize);
        let conditions = conditions.into_iter().flatten().map(|condition| {
            let footprint = self.analysis.condition_of(&condition.expr, edge, birth);
            (condition.entry, footprint)
        });
        conditions.collect()
    }

    /// What must hold for a step to be possible. While one condition is false, those before it are asked, and if one of
    /// them may fail, that is something that may happen as well. So there are none after the first that may.
    fn conditions_of(
        &self,
        conditions: &[(Entry, ParametricFootprint)],
        values: &[Value],
        who: Who,
    ) -> Vec<(Entry, Bits)> {
        let mut found = Vec::new();
        for (entry, footprint) in conditions {
            let reads = self.objects.touch(&footprint.of_choice(values), who).reads;
            found.push((*entry, reads));
            if !footprint.never_fails(values) {
                break;
            }
        }
        found
    }

    /// What each edge of a process touches.
    fn edges(&self, template: TemplateId, birth: &Birth, who: Who) -> Vec<EdgeTouch> {
        let edges = 0..self.model.template(template).edges.len() as u32;
        let edges = edges.map(|index| EdgeId { template, index });
        edges.map(|edge| self.edge(edge, birth, who)).collect()
    }

    fn edge(&self, edge: EdgeId, birth: &Birth, who: Who) -> EdgeTouch {
        let channels = self.analysis.channels_of(edge, birth);
        let channels = channels.unwrap_or_default();
        let numbers = self.objects.channels(&channels, who);
        let all = Derived::of(self, edge, birth, who);
        let choices = possible(self.edge_of(edge), &all.first).into_iter();
        let choices = choices.map(|(choice, values)| {
            let mut touch = all.choice(self, (choice, &values), who);
            self.add_port(edge, &numbers, &mut touch.first);
            if self.objects.may_go(&channels) {
                let population = self.objects.population();
                population.into_iter().for_each(|object| {
                    touch.first.reads.insert(object);
                    touch.enabling.insert(object);
                });
            }
            touch
        });
        let meetings = self.objects.rendezvous(&numbers);
        EdgeTouch {
            choices: choices.collect(),
            talk: self.talk(edge, &numbers, &meetings),
            channels: numbers,
            meetings,
            spawns: all.first.of_choice(&[]).spawns,
        }
    }

    fn edge_of(&self, edge: EdgeId) -> &Edge {
        &self.model.template(edge.template).edges[edge.index as usize]
    }

    /// What the first move of a step does to the channel of its own send or receive.
    fn add_port(&self, edge: EdgeId, channels: &Bits, touch: &mut Touch) {
        let (head, tail, writes) = match &self.step(edge) {
            Step::Send { order, .. } => (*order == SendOrder::Sorted, true, true),
            Step::Receive { keep, .. } => (true, false, *keep == Keep::Remove),
            _ => return,
        };
        for channel in channels.iter() {
            let ends = [
                (head, self.objects.head(channel)),
                (tail, self.objects.tail(channel)),
            ];
            for (_, object) in ends.into_iter().filter(|(touched, _)| *touched) {
                touch.reads.insert(object);
                if writes {
                    touch.writes.insert(object);
                }
            }
        }
    }

    fn step(&self, edge: EdgeId) -> &Step {
        &self.edge_of(edge).step
    }

    fn talk(&self, edge: EdgeId, channels: &Bits, meetings: &Bits) -> Talk {
        let unborn = self.objects.unborn_channels();
        let known = channels.single().filter(|channel| *channel < unborn);
        Talk {
            port: match self.step(edge) {
                Step::Send { .. } => Port::Send,
                Step::Receive { order, .. } => Port::Receive(*order, known.map(|c| c as u32)),
                _ => Port::None,
            },
            meets: meetings.iter().next().is_some(),
        }
    }

    /// The edges that a process may take in one step after the first one.
    fn later_moves(&self, template: TemplateId, index: usize) -> Bits {
        let template = self.model.template(template);
        let mut later = Bits::new(template.edges.len());
        let mut waiting = vec![index];
        while let Some(index) = waiting.pop() {
            let edge = &template.edges[index];
            if edge.control != Control::Hold {
                continue;
            }
            for (next, _) in template.edges_from(edge.target) {
                if !later.contains(next as usize) {
                    later.insert(next as usize);
                    waiting.push(next as usize);
                }
            }
        }
        later
    }
}

/// What an edge of one process touches, in any choice of its parameters.
struct Derived {
    enabling: ParametricFootprint,
    first: ParametricFootprint,
    /// If it may be a later move of a step.
    later: Option<ParametricFootprint>,
    provided: Touch,
    conditions: Vec<(Entry, ParametricFootprint)>,
}

impl Derived {
    fn of(pieces: &Pieces<'_>, edge: EdgeId, birth: &Birth, who: Who) -> Self {
        let source = pieces.edge_of(edge).source.index();
        let held = pieces.facts[edge.template.index()].held[source];
        let provided = pieces.analysis.provided_for(edge.template, birth);
        Derived {
            enabling: pieces.analysis.enabling_beside_channel(edge, birth),
            first: pieces.analysis.taking_by(edge, birth, true),
            later: held.then(|| pieces.analysis.taking_by(edge, birth, false)),
            provided: pieces.objects.touch(&provided, who),
            conditions: pieces.conditions(edge, birth),
        }
    }

    fn choice(
        &self,
        pieces: &Pieces<'_>,
        (choice, values): (u32, &[Value]),
        who: Who,
    ) -> ChoiceTouch {
        let touch = |footprint: &ParametricFootprint| {
            let mut touch = pieces.objects.touch(&footprint.of_choice(values), who);
            touch.add(&self.provided);
            touch
        };
        ChoiceTouch {
            choice,
            first: touch(&self.first),
            later: self.later.as_ref().map(touch).unwrap_or_default(),
            enabling: touch(&self.enabling).reads,
            conditions: pieces.conditions_of(&self.conditions, values, who),
        }
    }
}

/// The choices of the parameters of an edge in which it may be possible to take it, with the values of the parameters.
fn possible(edge: &Edge, footprint: &ParametricFootprint) -> Vec<(u32, Vec<Value>)> {
    let choices = (0..edge.choices()).map(|choice| (choice, edge.chosen(choice)));
    choices
        .filter(|(_, values)| footprint.is_possible(values))
        .collect()
}

fn first_move(
    whose: Whose,
    (index, edge): (usize, &EdgeTouch),
    choice: &ChoiceTouch,
    target: usize,
) -> Piece {
    let sends = edge.talk.port == Port::Send;
    let meetings = |meets: bool| match meets {
        true => edge.meetings.clone(),
        false => Bits::default(),
    };
    let mut targets = Bits::default();
    targets.insert(target);
    Piece {
        whose,
        edge: index as u32,
        choice: choice.choice,
        touch: choice.first.clone(),
        enabling: choice.enabling.clone(),
        conditions: choice.conditions.clone(),
        channels: edge.channels.clone(),
        offers: meetings(sends),
        accepts: meetings(!sends),
        meets_later: false,
        talk: edge.talk,
        spawns: edge.spawns.clone(),
        targets,
        visible: false,
    }
}

impl Piece {
    fn nothing(whose: Whose) -> Self {
        Piece {
            whose,
            edge: 0,
            choice: 0,
            touch: Touch::default(),
            enabling: Bits::default(),
            conditions: Vec::new(),
            channels: Bits::default(),
            offers: Bits::default(),
            accepts: Bits::default(),
            meets_later: false,
            talk: Talk {
                port: Port::None,
                meets: false,
            },
            spawns: BTreeSet::new(),
            targets: Bits::default(),
            visible: false,
        }
    }

    /// A move that may come after the first one.
    fn add_later(&mut self, edge: &EdgeTouch, target: usize) {
        for choice in &edge.choices {
            self.touch.add(&choice.later);
        }
        self.meets_later |= edge.talk.meets;
        if edge.talk.port == Port::Send {
            self.offers.add(&edge.meetings);
        }
        self.spawns.extend(&edge.spawns);
        self.targets.insert(target);
    }
}
