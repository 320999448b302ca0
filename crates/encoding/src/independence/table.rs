//! Who may get in the way of whom, for the processes of one shape.

use super::bits::Bits;
use super::objects::{Objects, Touch, Who};
use super::templates::TemplateFacts;
use super::visible::{Mover, Sight};
use crate::layout::Layout;
use crate::shape::Shape;
use mandala_model::Model;
use mandala_model::expr::ReceiveOrder;
use mandala_model::footprint::{Analysis, Birth, Footprint};
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::template::{Control, Keep, SendOrder, Step};
use std::collections::{BTreeSet, HashMap};

/// A question about an edge of a process, asked of another process and all that it may do from a location on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// May it get in the way of the step, or be the other half of it?
    Disturbs = 0,
    /// May it change what decides whether the edge can be taken, but for the channel of its own send or receive?
    Enables = 1,
    /// May it take messages from that channel?
    Takes = 2,
    /// May it put messages into that channel?
    Puts = 3,
}

const KINDS: usize = 4;

/// Tables with more answers than this are not made.
const MOST_ANSWERS: usize = 1 << 25;

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

/// An edge of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Talk {
    pub port: Port,
    /// It may be half of a rendezvous.
    pub meets: bool,
}

/// Who may get in the way of whom.
#[derive(Debug)]
pub(crate) struct Table {
    /// The first edge of each process among all edges of all processes.
    first_edge: Vec<u32>,
    talks: Vec<Talk>,
    /// The edges, among all edges of all processes, with which visible steps begin.
    visible: Bits,
    /// For each process, the answers at each of its locations. Locations with the same future share them.
    rows: Vec<Vec<u32>>,
    answers: Vec<Bits>,
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
        let builder = Builder {
            sight,
            model,
            analysis: Analysis::new(model),
            facts,
            objects: Objects { shape, layout },
        };
        builder.build(births)
    }

    /// Whether there are answers.
    pub fn is_known(&self) -> bool {
        !self.rows.is_empty()
    }

    /// What an edge of a process does with a channel.
    #[inline]
    pub fn talk(&self, process: usize, edge: u32) -> Talk {
        self.talks[(self.first_edge[process] + edge) as usize]
    }

    /// Whether a step of a process that begins with an edge may change what is looked at, the part of a partner in it aside.
    #[inline]
    pub fn is_visible(&self, process: usize, edge: u32) -> bool {
        self.visible
            .contains((self.first_edge[process] + edge) as usize)
    }

    /// The answers of a process at a location.
    #[inline]
    pub fn answers(&self, process: usize, location: usize) -> &Bits {
        &self.answers[self.rows[process][location] as usize]
    }

    /// Where a question about an edge of a process is answered.
    #[inline]
    pub fn question(&self, process: usize, edge: u32, kind: Kind) -> usize {
        (self.first_edge[process] + edge) as usize * KINDS + kind as usize
    }
}

/// What an edge of one process touches.
#[derive(Clone, Debug)]
struct EdgeTouch {
    /// If it is the first move of a step.
    first: Touch,
    /// If it is a later one.
    later: Touch,
    /// What decides whether it can be taken, but for its own channel.
    enabling: Bits,
    /// The channels that it sends to or receives from.
    channels: Bits,
    talk: Talk,
    spawns: BTreeSet<TemplateId>,
}

/// All that may happen from now on in one process and those that it makes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Future {
    touch: Touch,
    /// Where a rendezvous may be offered.
    sends: Bits,
    /// Where one may be accepted.
    receives: Bits,
}

impl Future {
    fn add(&mut self, other: &Future) {
        self.touch.add(&other.touch);
        self.sends.add(&other.sends);
        self.receives.add(&other.receives);
    }
}

struct Builder<'a> {
    /// What is looked at, if something is.
    sight: Option<&'a Sight>,
    model: &'a Model,
    analysis: Analysis<'a>,
    facts: &'a [TemplateFacts],
    objects: Objects<'a>,
}

impl Builder<'_> {
    fn build(&self, births: &[Birth]) -> Table {
        let slots = &self.objects.shape.processes;
        let processes = slots.iter().zip(births).enumerate();
        let edges: Vec<Vec<EdgeTouch>> = processes
            .map(|(number, (slot, birth))| self.edges(slot.template, birth, Who::Process(number)))
            .collect();
        let mut first_edge = Vec::new();
        let mut talks = Vec::new();
        for touched in &edges {
            first_edge.push(talks.len() as u32);
            talks.extend(touched.iter().map(|edge| edge.talk));
        }
        let (rows, futures) = self.futures(&edges);
        let many = futures.len() * talks.len() * KINDS > MOST_ANSWERS;
        let questions = match many {
            true => Vec::new(),
            false => self.questions(&edges),
        };
        let answers = futures.iter().map(|future| answers(&questions, future));
        Table {
            visible: self.visible(&edges),
            first_edge,
            answers: answers.collect(),
            rows: if many { Vec::new() } else { rows },
            talks,
        }
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
        let taking = |aside| self.analysis.taking_by(edge, birth, aside);
        let provided = self.analysis.provided_for(edge.template, birth);
        let enabling = self.analysis.enabling_beside_channel(edge, birth);
        let with_provided = |mut footprint: Footprint| {
            footprint.add(&provided);
            self.objects.touch(&footprint, who)
        };
        let mut enabling = with_provided(enabling).reads;
        let mut first = with_provided(taking(true));
        self.add_port(edge, &numbers, &mut first);
        if self.objects.may_go(&channels) {
            let population = self.objects.population();
            population.into_iter().for_each(|object| {
                first.reads.insert(object);
                enabling.insert(object);
            });
        }
        EdgeTouch {
            first,
            later: with_provided(taking(false)),
            enabling,
            talk: self.talk(edge, &numbers),
            channels: numbers,
            spawns: taking(true).spawns,
        }
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
        &self.model.template(edge.template).edges[edge.index as usize].step
    }

    fn talk(&self, edge: EdgeId, channels: &Bits) -> Talk {
        let unborn = self.objects.unborn_channels();
        let known = channels.single().filter(|channel| *channel < unborn);
        Talk {
            port: match self.step(edge) {
                Step::Send { .. } => Port::Send,
                Step::Receive { order, .. } => Port::Receive(*order, known.map(|c| c as u32)),
                _ => Port::None,
            },
            meets: self.objects.rendezvous(channels).iter().next().is_some(),
        }
    }

    /// All that may happen in each process from each of its locations on: each future once, and which one it is.
    fn futures(&self, edges: &[Vec<EdgeTouch>]) -> (Vec<Vec<u32>>, Vec<Future>) {
        let mut unborn = HashMap::new();
        let mut numbers: HashMap<Future, u32> = HashMap::new();
        let mut futures = Vec::new();
        let mut rows = Vec::new();
        for (slot, edges) in self.objects.shape.processes.iter().zip(edges) {
            let locations = 0..self.model.template(slot.template).locations.len();
            let row = locations.map(|location| {
                let future = self.future(slot.template, location, edges, &mut unborn);
                let number = numbers.entry(future).or_insert_with_key(|future| {
                    futures.push(future.clone());
                    futures.len() as u32 - 1
                });
                *number
            });
            rows.push(row.collect());
        }
        (rows, futures)
    }

    fn future(
        &self,
        template: TemplateId,
        location: usize,
        edges: &[EdgeTouch],
        unborn: &mut HashMap<TemplateId, Future>,
    ) -> Future {
        let mut spawned = BTreeSet::new();
        let mut future = self.own_future(template, location, edges, &mut spawned);
        for template in self.descendants(spawned, unborn) {
            future.add(&unborn[&template]);
        }
        future
    }

    /// What a process itself may do, and what it may make.
    fn own_future(
        &self,
        template: TemplateId,
        location: usize,
        edges: &[EdgeTouch],
        spawned: &mut BTreeSet<TemplateId>,
    ) -> Future {
        let facts = &self.facts[template.index()];
        let mut future = Future::default();
        for index in facts.reach[location].iter() {
            let source = self.model.template(template).edges[index].source;
            let edge = &edges[index];
            future.touch.add(match facts.held[source.index()] {
                true => &edge.later,
                false => &edge.first,
            });
            let meetings = self.objects.rendezvous(&edge.channels);
            match edge.talk.port {
                Port::Send => future.sends.add(&meetings),
                Port::Receive(..) => future.receives.add(&meetings),
                Port::None => {}
            }
            spawned.extend(&edge.spawns);
        }
        future
    }

    /// The templates of all processes that may come of processes of some templates. What each of them may do is then known.
    fn descendants(
        &self,
        spawned: BTreeSet<TemplateId>,
        unborn: &mut HashMap<TemplateId, Future>,
    ) -> BTreeSet<TemplateId> {
        let mut all = spawned.clone();
        let mut waiting: Vec<TemplateId> = spawned.into_iter().collect();
        while let Some(template) = waiting.pop() {
            let edges = self.edges(template, &Birth::default(), Who::Unborn);
            let mut further = BTreeSet::new();
            let entry = self.model.template(template).entry.index();
            let future = self.own_future(template, entry, &edges, &mut further);
            unborn.entry(template).or_insert(future);
            waiting.extend(further.into_iter().filter(|template| all.insert(*template)));
        }
        all
    }

    /// The questions about all edges.
    fn questions(&self, edges: &[Vec<EdgeTouch>]) -> Vec<Question> {
        let slots = self.objects.shape.processes.iter().zip(edges);
        let questions = slots.flat_map(|(slot, touched)| {
            let edges = 0..touched.len();
            edges.map(|index| self.question(slot.template, index, touched))
        });
        questions.collect()
    }

    fn question(&self, template: TemplateId, index: usize, edges: &[EdgeTouch]) -> Question {
        let edge = &edges[index];
        let mut step = edge.first.clone();
        let later = self.later_moves(template, index);
        let mut meets_later = false;
        for index in later.iter() {
            step.add(&edges[index].later);
            meets_later |= edges[index].talk.meets;
        }
        let meetings = self.objects.rendezvous(&edge.channels);
        let ends = |end: &dyn Fn(usize) -> usize| {
            let mut bits = Bits::default();
            edge.channels
                .iter()
                .for_each(|channel| bits.insert(end(channel)));
            bits
        };
        let sends = edge.talk.port == Port::Send;
        Question {
            step,
            everybody: meets_later,
            offered: if sends {
                meetings.clone()
            } else {
                Bits::default()
            },
            accepted: if sends { Bits::default() } else { meetings },
            enabling: edge.enabling.clone(),
            heads: ends(&|channel| self.objects.head(channel)),
            tails: ends(&|channel| self.objects.tail(channel)),
        }
    }

    /// The edges, among all edges of all processes, with which visible steps begin.
    fn visible(&self, edges: &[Vec<EdgeTouch>]) -> Bits {
        let mut visible = Bits::default();
        let Some(sight) = self.sight else {
            return visible;
        };
        let seen = sight.objects(&self.objects);
        let slots = self.objects.shape.processes.iter().zip(edges);
        let mut edge = 0;
        for (number, (slot, touched)) in slots.enumerate() {
            let template = slot.template;
            for index in 0..touched.len() {
                let mover = Mover { number, template };
                if self.is_visible(sight, &seen, mover, index, touched) {
                    visible.insert(edge);
                }
                edge += 1;
            }
        }
        visible
    }

    /// Whether a step that begins with an edge may change what is looked at.
    fn is_visible(
        &self,
        sight: &Sight,
        seen: &Bits,
        mover: Mover,
        index: usize,
        edges: &[EdgeTouch],
    ) -> bool {
        let all = &self.model.template(mover.template).edges;
        let moves =
            |index: usize| sight.sees_move(self.model, mover, &all[index], &edges[index].spawns);
        let later = self.later_moves(mover.template, index);
        // Who else takes part in a later move is not known, nor what that one does.
        let mut later = later.iter().map(|index| (index, &edges[index]));
        moves(index)
            || edges[index].first.writes.meets(seen)
            || later.any(|(index, edge)| {
                edge.talk.meets || moves(index) || edge.later.writes.meets(seen)
            })
    }

    /// The edges that a process may take in one step after the first one.
    fn later_moves(&self, template: TemplateId, index: usize) -> Bits {
        let edges = &self.model.template(template).edges;
        let mut later = Bits::new(edges.len());
        let mut waiting = vec![index];
        while let Some(index) = waiting.pop() {
            if edges[index].control != Control::Hold {
                continue;
            }
            for (next, _) in self
                .model
                .template(template)
                .edges_from(edges[index].target)
            {
                if !later.contains(next as usize) {
                    later.insert(next as usize);
                    waiting.push(next as usize);
                }
            }
        }
        later
    }
}

/// What is asked about an edge.
#[derive(Debug)]
struct Question {
    /// The whole step.
    step: Touch,
    /// Everybody may take part.
    everybody: bool,
    /// The rendezvous at which it sends.
    offered: Bits,
    /// The rendezvous at which it receives.
    accepted: Bits,
    enabling: Bits,
    heads: Bits,
    tails: Bits,
}

impl Question {
    fn answer(&self, future: &Future, kind: Kind) -> bool {
        let writes = &future.touch.writes;
        match kind {
            Kind::Disturbs => {
                self.everybody
                    || self.step.conflicts(&future.touch)
                    || self.offered.meets(&future.receives)
                    || self.accepted.meets(&future.sends)
            }
            Kind::Enables => self.enabling.meets(writes),
            Kind::Takes => self.heads.meets(writes),
            Kind::Puts => self.tails.meets(writes),
        }
    }
}

fn answers(questions: &[Question], future: &Future) -> Bits {
    let kinds = [Kind::Disturbs, Kind::Enables, Kind::Takes, Kind::Puts];
    let mut answers = Bits::new(questions.len() * KINDS);
    for (edge, question) in questions.iter().enumerate() {
        let yes = kinds.iter().filter(|kind| question.answer(future, **kind));
        yes.for_each(|kind| answers.insert(edge * KINDS + *kind as usize));
    }
    answers
}
