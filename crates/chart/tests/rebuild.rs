//! Every arrow of a chart is an event of the run: the contents of all channels after each step follow from the chart alone.
//!
//! Random programs put channels into messages, receive from anywhere in a channel, insert in order, hand messages over, make processes
//! that have channels of their own, and end with messages in these.

use mandala_chart::{Action, Chart, Fate, chart};
use mandala_checker::document::run;
use mandala_checker::frontend::{LoadedModel, ModelInput, load_with};
use mandala_evidence::replay::{ReplayedStep, step_of};
use mandala_interpreter::Interpreter;
use mandala_interpreter::simulate::{RandomSource, Session};
use mandala_model::step::Observers;
use mandala_report::document::{PropertyId, Trace};
use std::collections::BTreeMap;

/// How many programs are run, and how many steps of each.
const PROGRAMS: u64 = 150;
const STEPS: usize = 80;

#[test]
fn the_contents_of_channels_follow_from_the_chart() {
    let mut seen = Seen::default();
    for seed in 0..PROGRAMS {
        let mut dice = RandomSource::new(seed);
        let text = program(&mut dice);
        let loaded = loaded(&text);
        let interpreter = Interpreter::new(&loaded.model, Observers::default());
        let made = random_run(interpreter, &mut dice);
        let trace = trace(&loaded, &made);
        let chart = chart(&trace, None);
        rebuild(interpreter, &chart, &made, &mut seen).unwrap_or_else(|wrong| {
            panic!("seed {seed}: {wrong}\n{text}\n{chart:#?}");
        });
    }
    // Whoever changes the programs makes sure that they still have all this.
    let all = [
        seen.received,
        seen.from_the_middle,
        seen.sorted_in,
        seen.lost,
        seen.unread,
        seen.handed_over,
        seen.spawned,
        seen.inspected,
        seen.channels,
    ];
    assert!(all.iter().all(|count| *count > 20), "{seen:?}");
}

/// How often something was seen.
#[derive(Debug, Default)]
struct Seen {
    received: usize,
    from_the_middle: usize,
    sorted_in: usize,
    lost: usize,
    unread: usize,
    handed_over: usize,
    spawned: usize,
    inspected: usize,
    /// Messages with a channel in them.
    channels: usize,
}

/// Messages in channels, by the names of these.
type Contents = BTreeMap<String, Vec<usize>>;

/// Follows the chart and the run side by side.
fn rebuild(
    interpreter: Interpreter<'_>,
    chart: &Chart,
    made: &[ReplayedStep],
    seen: &mut Seen,
) -> Result<(), String> {
    let mut contents = Contents::new();
    let mut rows = chart.rows.iter().enumerate().peekable();
    for (index, step) in made.iter().enumerate() {
        while let Some((row, shown)) = rows.next_if(|(_, row)| row.step == index) {
            apply(chart, row, &shown.action, &mut contents, seen)?;
        }
        let Some(after) = &step.after else { break };
        for number in 0..after.state.channels.len() {
            let name = interpreter.channel_name(&after.state, number);
            let told = interpreter.channel_text(&after.state, number);
            let held = contents.get(&name).cloned().unwrap_or_default();
            let held: Vec<&str> = held
                .iter()
                .map(|m| chart.messages[*m].text.as_str())
                .collect();
            let held = format!("[{}]", held.join(", "));
            if !same(&held, &told) {
                return Err(format!(
                    "step {index}: {name} holds {told}, the chart says {held}"
                ));
            }
        }
    }
    rows.next().map_or(Ok(()), |(row, _)| {
        Err(format!("row {row} belongs to no step"))
    })?;
    for (id, message) in chart.messages.iter().enumerate() {
        let waits = contents.values().any(|held| held.contains(&id));
        if waits != (message.fate == Fate::Unread) {
            return Err(format!("message {id} is {:?}", message.fate));
        }
        seen.unread += usize::from(waits);
        seen.channels += usize::from(message.text.contains("mine") || message.text.contains('g'));
    }
    Ok(())
}

/// A channel that is gone has no name any more, but the message that refers to it had one when it was sent.
fn same(held: &str, told: &str) -> bool {
    let fields = |text: &str| -> Vec<String> { text.split(", ").map(str::to_owned).collect() };
    let (held, told) = (fields(held), fields(told));
    let equal = |(a, b): (&String, &String)| a == b || b.starts_with("channel(");
    held.len() == told.len() && held.iter().zip(&told).all(equal)
}

fn apply(
    chart: &Chart,
    row: usize,
    action: &Action,
    contents: &mut Contents,
    seen: &mut Seen,
) -> Result<(), String> {
    let channel = |message: usize| chart.messages[message].channel.clone();
    match action {
        Action::Send { message, position } => {
            let held = contents.entry(channel(*message)).or_default();
            seen.sorted_in += usize::from(*position < held.len());
            held.insert(*position, *message);
            let sent = chart.messages[*message].sent;
            if sent != row {
                return Err(format!("message {message} was sent in row {sent}"));
            }
        }
        Action::Receive {
            message,
            by,
            position,
        } => {
            let held = contents.entry(channel(*message)).or_default();
            if held.get(*position) != Some(message) {
                return Err(format!(
                    "message {message} is not at {position} in {held:?}"
                ));
            }
            held.remove(*position);
            let fate = Fate::Received { by: *by, row };
            if chart.messages[*message].fate != fate {
                return Err(format!("message {message} has another fate than {fate:?}"));
            }
            seen.received += 1;
            seen.from_the_middle += usize::from(*position > 0);
        }
        Action::Inspect { message, .. } => {
            let held = contents.get(&channel(*message));
            if !held.is_some_and(|held| held.contains(message)) {
                return Err(format!("message {message} is read where it is not"));
            }
            seen.inspected += 1;
        }
        Action::Lose { message, .. } => {
            let held = contents.entry(channel(*message)).or_default();
            if held.first() != Some(message) {
                return Err(format!("message {message} is lost out of {held:?}"));
            }
            held.remove(0);
            seen.lost += 1;
        }
        Action::Rendezvous { .. } => seen.handed_over += 1,
        Action::Spawn { .. } => seen.spawned += 1,
        Action::End { .. } | Action::Local { .. } => {}
    }
    Ok(())
}

fn random_run(interpreter: Interpreter<'_>, dice: &mut RandomSource) -> Vec<ReplayedStep> {
    let mut session = Session::new(interpreter).expect("the model starts");
    while session.walked().len() < STEPS
        && session.take_any(dice).is_ok_and(|taken| taken.is_some())
    {}
    let walked = session.walked().iter().enumerate();
    walked
        .map(|(index, taken)| {
            let from = session.before(index).expect("it was made somewhere");
            step_of(session.interpreter(), from, taken)
        })
        .collect()
}

fn trace(loaded: &LoadedModel, made: &[ReplayedStep]) -> Trace {
    Trace {
        property_id: PropertyId::Safety,
        property: "safety".into(),
        shortest: false,
        before_cycle: None,
        fairness: None,
        steps: run::steps(loaded, made),
        last_state: None,
    }
}

fn loaded(text: &str) -> LoadedModel {
    let input = ModelInput {
        text: text.into(),
        path: "random.pml".into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::Error::other("there is no other file")),
    };
    match load_with(input, Vec::new()) {
        Ok(loaded) => loaded,
        Err(_) => panic!("the program is wrong:\n{text}"),
    }
}

/// A program with random statements.
fn program(dice: &mut RandomSource) -> String {
    let mut text = String::from(
        "chan g0 = [2] of { byte, chan };\nchan g1 = [3] of { byte, chan };\nchan r = [0] of { byte, chan };\n\
         byte made;\n",
    );
    for (head, count) in [("proctype P(chan c)", 5), ("init", 7)] {
        let own = match head {
            "init" => "chan c = g0;\n",
            _ => "",
        };
        text += &format!(
            "{head} {{\n  {own}  chan mine = [2] of {{ byte, chan }};\n  chan z; byte x;\n  z = mine;\n  do\n"
        );
        for _ in 0..count {
            text += &format!("  :: {}\n", option(dice));
        }
        text +=
            "  :: made < 4 -> made++; run P(mine)\n  :: _nr_pr > 1 && _pid > 0 -> break\n  od\n}\n";
    }
    text
}

fn option(dice: &mut RandomSource) -> String {
    let first = statement(dice);
    match dice.below(6) {
        Some(0) => format!("atomic {{ {first}; {} }}", statement(dice)),
        Some(1) => {
            let channel = pick(dice, &["g0", "g1", "mine"]);
            format!(
                "d_step {{ nfull({channel}) && {channel} != g0 -> {channel}!x,mine; {channel}?x,z; z = mine }}"
            )
        }
        _ => first,
    }
}

fn statement(dice: &mut RandomSource) -> String {
    let channel = pick(dice, &["g0", "g1", "c", "mine", "z"]);
    let value = dice.below(4).unwrap_or(0);
    let passed = pick(dice, &["mine", "g0", "g1", "c"]);
    match dice.below(9).unwrap_or(0) {
        0 | 1 => format!("{channel}!{value},{passed}"),
        2 => format!("{channel}!!{value},{passed}"),
        3 => format!("{channel}?x,z"),
        4 => format!("{channel}??{value},z"),
        5 => format!("{channel}?<x,z>"),
        6 => format!("{channel}??<{value},z>"),
        7 => format!("r!{value},{passed}"),
        _ => "r?x,z".into(),
    }
}

fn pick<'t>(dice: &mut RandomSource, from: &[&'t str]) -> &'t str {
    from[dice.below(from.len()).unwrap_or(0)]
}
