//! From the events of a trace to a chart.

use crate::{Action, Chart, Fate, Lane, LaneId, Message, MessageId, Outcome, Row};
use mandala_report::document::{Actor, Event, EventKind, Step, Trace, Violation, ViolationKind};
use std::collections::HashMap;

/// The chart of a trace and of the violation that it leads to, if it does.
///
/// Of a run with messages the chart has what is done with messages and processes. Of one without any, and of one that consists of rules, it
/// has the steps.
pub fn chart(trace: &Trace, violation: Option<&Violation>) -> Chart {
    let mut builder = Builder {
        whole_steps: !trace.steps.iter().flat_map(Step::events).any(is_message),
        ..Builder::default()
    };
    for (index, step) in trace.steps.iter().enumerate() {
        if trace.before_cycle == Some(index) {
            builder.chart.repeats_from = Some(builder.chart.rows.len());
        }
        builder.step(index, step);
    }
    if trace.before_cycle.is_some() {
        let all = builder.chart.rows.len();
        builder.chart.repeats_from.get_or_insert(all);
    }
    let last = trace.steps.iter().rfind(|s| s.actor == Actor::Process);
    builder.chart.outcome = violation.map(|violation| Outcome {
        text: violation.message.clone(),
        number: last.map_or(0, |last| last.number),
        lane: match violation.kind {
            ViolationKind::Assertion | ViolationKind::RuntimeError | ViolationKind::Events => {
                last.and_then(|last| builder.lane_of(last))
            }
            _ => None,
        },
    });
    builder.sorted()
}

fn is_message(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Spawn | EventKind::End)
}

/// A chart in the making.
#[derive(Default)]
struct Builder {
    chart: Chart,
    /// Whether steps are shown that do nothing with messages or processes.
    whole_steps: bool,
    /// Who has that name now. A process may have the name of one that has ended.
    named: HashMap<String, LaneId>,
    /// The numbers of processes, for their order, as far as they are known.
    pids: Vec<Option<u32>>,
    /// Messages by their numbers.
    messages: HashMap<u32, MessageId>,
}

impl Builder {
    fn step(&mut self, index: usize, step: &Step) {
        if step.actor == Actor::Claim {
            return;
        }
        let mut shown = false;
        for event in step.events() {
            if let Some(action) = self.action(event, step) {
                self.push(index, step, action);
                shown = true;
            }
        }
        if step.is_rule() {
            let lanes = self.members(step);
            let text = rule_text(step);
            self.push(index, step, Action::Local { lanes, text });
        } else if self.whole_steps && !shown && !step.bookkeeping {
            let lanes = vec![self.process(step)];
            let text = step.statement.clone();
            self.push(index, step, Action::Local { lanes, text });
        }
        self.learn_numbers(step);
    }

    fn push(&mut self, index: usize, step: &Step, action: Action) {
        self.chart.rows.push(Row {
            step: index,
            number: step.number,
            action,
        });
    }

    /// The members of sets that a rule acts on, each once.
    fn members(&mut self, step: &Step) -> Vec<LaneId> {
        let mut lanes = Vec::new();
        for parameter in step.parameters.iter().filter(|p| p.scalarset.is_some()) {
            let lane = self.lane(&parameter.value);
            if !lanes.contains(&lane) {
                lanes.push(lane);
            }
        }
        lanes
    }

    fn process(&mut self, step: &Step) -> LaneId {
        self.lane(&name_of(&step.process, step.pid))
    }

    /// The lane that a step is on alone.
    fn lane_of(&self, step: &Step) -> Option<LaneId> {
        if step.is_rule() {
            let mut members = step.parameters.iter().filter(|p| p.scalarset.is_some());
            let only = members.next().filter(|_| members.next().is_none());
            return self.named.get(&only?.value).copied();
        }
        self.named.get(&name_of(&step.process, step.pid)).copied()
    }

    /// Who has that name now.
    fn lane(&mut self, name: &str) -> LaneId {
        match self.named.get(name) {
            Some(lane) => *lane,
            None => self.new_lane(name, None),
        }
    }

    fn new_lane(&mut self, name: &str, begins: Option<usize>) -> LaneId {
        let namesakes = self.chart.lanes.iter();
        let before = namesakes.filter(|lane| lane.name.split('\'').next() == Some(name));
        let name_of_lane = format!("{name}{}", "'".repeat(before.count()));
        self.chart.lanes.push(Lane {
            name: name_of_lane,
            begins,
            ends: None,
        });
        self.pids.push(None);
        let lane = self.chart.lanes.len() - 1;
        self.named.insert(name.to_owned(), lane);
        lane
    }

    fn learn_numbers(&mut self, step: &Step) {
        let partner = step.partner.as_ref();
        let partner = partner.map(|p| (name_of(&p.process, Some(p.pid)), p.pid));
        let actor = step.pid.map(|pid| (name_of(&step.process, Some(pid)), pid));
        for (name, pid) in actor.into_iter().chain(partner) {
            if let Some(lane) = self.named.get(&name) {
                self.pids[*lane] = Some(pid);
            }
        }
    }

    fn action(&mut self, event: &Event, step: &Step) -> Option<Action> {
        let row = self.chart.rows.len();
        let (from, to) = (event.from.as_deref(), event.to.as_deref());
        let position = event.position.unwrap_or(0) as usize;
        Some(match event.kind {
            EventKind::Send => Action::Send {
                message: self.send(event, row)?,
                position,
            },
            EventKind::Receive => {
                let by = self.lane(to?);
                let message = self.settle(event, Fate::Received { by, row })?;
                Action::Receive {
                    message,
                    by,
                    position,
                }
            }
            EventKind::Inspect => Action::Inspect {
                by: self.lane(to?),
                message: *self.messages.get(&event.number?)?,
            },
            EventKind::Lost => {
                let message = self.settle(event, Fate::Lost { row })?;
                Action::Lose {
                    message,
                    at: self.process(step),
                }
            }
            EventKind::Rendezvous => Action::Rendezvous {
                from: self.lane(from?),
                to: self.lane(to?),
                channel: event.channel.clone()?,
                text: event.message.clone()?,
            },
            EventKind::Spawn => Action::Spawn {
                from: self.lane(from?),
                to: self.new_lane(to?, Some(row)),
            },
            EventKind::End => {
                let lane = self.lane(from?);
                self.chart.lanes[lane].ends = Some(row);
                Action::End { lane }
            }
        })
    }

    fn send(&mut self, event: &Event, row: usize) -> Option<MessageId> {
        let from = self.lane(event.from.as_deref()?);
        self.chart.messages.push(Message {
            from,
            channel: event.channel.clone()?,
            text: event.message.clone()?,
            sent: row,
            fate: Fate::Unread,
        });
        let message = self.chart.messages.len() - 1;
        self.messages.insert(event.number?, message);
        Some(message)
    }

    fn settle(&mut self, event: &Event, fate: Fate) -> Option<MessageId> {
        let message = *self.messages.get(&event.number?)?;
        self.chart.messages[message].fate = fate;
        Some(message)
    }

    /// The chart with its lanes in the order of the numbers of processes, as far as they are known; the others come last, as they have come
    /// up. Members of sets are ordered by their names.
    fn sorted(self) -> Chart {
        let Builder { chart, pids, .. } = self;
        let mut order: Vec<LaneId> = (0..chart.lanes.len()).collect();
        let rules = pids.iter().all(Option::is_none);
        match rules {
            true => order.sort_by(|a, b| natural(&chart.lanes[*a].name, &chart.lanes[*b].name)),
            false => order.sort_by_key(|lane| pids[*lane].unwrap_or(u32::MAX)),
        }
        let mut place = vec![0; order.len()];
        for (at, lane) in order.iter().enumerate() {
            place[*lane] = at;
        }
        moved(chart, &order, &place)
    }
}

/// Shorter names first, so that `Node_2` comes before `Node_10`.
fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn moved(mut chart: Chart, order: &[LaneId], place: &[LaneId]) -> Chart {
    chart.lanes = order
        .iter()
        .map(|lane| chart.lanes[*lane].clone())
        .collect();
    for message in &mut chart.messages {
        message.from = place[message.from];
        if let Fate::Received { by, .. } = &mut message.fate {
            *by = place[*by];
        }
    }
    for row in &mut chart.rows {
        for lane in lanes_of(&mut row.action) {
            *lane = place[*lane];
        }
    }
    if let Some(outcome) = &mut chart.outcome {
        outcome.lane = outcome.lane.map(|lane| place[lane]);
    }
    chart
}

fn lanes_of(action: &mut Action) -> Vec<&mut LaneId> {
    match action {
        Action::Send { .. } => Vec::new(),
        Action::Receive { by, .. } | Action::Inspect { by, .. } => vec![by],
        Action::Lose { at, .. } => vec![at],
        Action::Rendezvous { from, to, .. } | Action::Spawn { from, to } => vec![from, to],
        Action::End { lane } => vec![lane],
        Action::Local { lanes, .. } => lanes.iter_mut().collect(),
    }
}

/// A process as events tell it.
fn name_of(process: &str, pid: Option<u32>) -> String {
    match pid {
        Some(pid) => format!("{process}({pid})"),
        None => process.to_owned(),
    }
}

/// The name of a rule with the parameters that are no lanes.
fn rule_text(step: &Step) -> String {
    let rule = step.rule.as_ref().unwrap_or(&step.statement);
    let others = step.parameters.iter().filter(|p| p.scalarset.is_none());
    let others: Vec<String> = others
        .map(|p| format!("{} = {}", p.name, p.value))
        .collect();
    match others.is_empty() {
        true => rule.clone(),
        false => format!("{rule} [{}]", others.join(", ")),
    }
}
