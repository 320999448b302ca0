//! Progress while a command runs: a line that changes on a terminal, a line every 30 seconds elsewhere, and JSON for programs.
//!
//! The main thread tells it ([`crate::monitor`]), so that phases are told, too, in which nobody counts anything.

use crate::console::Console;
use crate::monitor::Limits;
use crate::output::Output;
use mandala_checker::watch::{Phase, Progress};
use mandala_report::document::{
    Estimate, LimitShares, PROGRESS_SCHEMA, ProgressPhase, ProgressReport, Trend,
};
use mandala_report::style::Tone;
use mandala_report::{json, text};
use std::cmp::Ordering;
use std::time::Duration;

/// How often the line on a terminal changes.
const ON_TERMINAL: Duration = Duration::from_millis(200);

/// How often there is a line elsewhere.
const IN_LOG: Duration = Duration::from_secs(30);

/// How often there is a line of JSON.
const AS_JSON: Duration = Duration::from_secs(1);

/// Back to the start of the line, and away with what is there.
const CLEAR: &str = "\r\x1b[K";

/// Where people are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// On the terminal at standard error, where one line changes.
    OnTerminal,
    /// In what is kept of standard error, line by line.
    InLog,
    /// Nowhere.
    Hidden,
}

/// Where a command is at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Since it began.
    pub elapsed: Duration,
    /// What it does.
    pub phase: Phase,
    /// How far its search is.
    pub progress: Progress,
    /// What it is limited to.
    pub limits: Limits,
}

/// Tells people and programs how far a command is.
pub struct Reporter {
    console: Console,
    line: Line,
    people: Pace,
    programs: Option<(Output, Pace)>,
    drawn: bool,
}

/// When something was told last, and what.
struct Pace {
    period: Duration,
    last: Duration,
    before: Progress,
}

impl Reporter {
    /// One that has told nothing yet. JSON goes to `programs`, from its beginning.
    pub fn new(console: Console, line: Line, programs: Option<Output>) -> Self {
        let period = match line {
            Line::OnTerminal => ON_TERMINAL,
            Line::InLog | Line::Hidden => IN_LOG,
        };
        Reporter {
            console,
            line,
            people: Pace::new(period),
            programs: programs.map(|output| (output, Pace::new(AS_JSON))),
            drawn: false,
        }
    }

    /// Tells what is due.
    pub fn tell(&mut self, now: &Moment) {
        if self.people.is_due(now.elapsed) && self.may_show(now.phase) {
            let report = self.people.report(now, told(now.phase));
            self.show(&text::progress::line(&report));
        }
        let due = self.programs.as_ref();
        if due.is_some_and(|(_, pace)| pace.is_due(now.elapsed)) {
            self.write(now, told(now.phase));
        }
    }

    /// The command has its answer: takes the line away, and writes the last JSON.
    pub fn finish(mut self, now: &Moment) {
        if self.drawn {
            self.console.complain(CLEAR);
        }
        self.write(now, ProgressPhase::Done);
    }

    /// While the model is read, the terminal is for what is wrong with it.
    fn may_show(&self, phase: Phase) -> bool {
        match self.line {
            Line::OnTerminal => phase != Phase::Reading,
            Line::InLog => true,
            Line::Hidden => false,
        }
    }

    fn show(&mut self, line: &str) {
        match self.line {
            Line::OnTerminal => {
                let text = cut(line, self.console.width());
                let text = self.console.error_colour().paint(Tone::Faint, text);
                self.console.complain(&format!("{CLEAR}{text}"));
                self.drawn = true;
            }
            Line::InLog => self.console.complain(&format!("mandala: {line}\n")),
            Line::Hidden => {}
        }
    }

    /// Writes a line of JSON. If that fails the check is worth more than its progress, and no more is written.
    fn write(&mut self, now: &Moment, phase: ProgressPhase) {
        let Some((output, pace)) = &mut self.programs else {
            return;
        };
        let line = json::write_progress(&pace.report(now, phase));
        let written = line.is_ok_and(|line| output.append(&line).is_ok());
        if !written {
            self.programs = None;
        }
    }
}

impl Pace {
    fn new(period: Duration) -> Self {
        Pace {
            period,
            last: Duration::ZERO,
            before: Progress::default(),
        }
    }

    fn is_due(&self, elapsed: Duration) -> bool {
        elapsed.saturating_sub(self.last) >= self.period
    }

    /// What is to be told, with rate and trend since the last time.
    fn report(&mut self, now: &Moment, phase: ProgressPhase) -> ProgressReport {
        let progress = now.progress;
        let passed = now.elapsed.saturating_sub(self.last).as_secs_f64();
        let new = progress.states.saturating_sub(self.before.states) as f64;
        let held = mandala_checker::resident_bytes().unwrap_or(0);
        let report = ProgressReport {
            schema: PROGRESS_SCHEMA,
            phase,
            seconds: now.elapsed.as_secs_f64(),
            states: progress.states,
            transitions: progress.transitions,
            depth: progress.depth,
            queue: progress.frontier,
            trend: match progress.frontier.cmp(&self.before.frontier) {
                Ordering::Less => Trend::Shrinking,
                Ordering::Equal => Trend::Steady,
                Ordering::Greater => Trend::Growing,
            },
            bytes: progress.bytes.max(held),
            states_per_second: if passed > 0.0 { new / passed } else { 0.0 },
            total: progress.total.map(|(least, most)| Estimate { least, most }),
            limits: shares(now, held),
        };
        self.last = now.elapsed;
        self.before = progress;
        report
    }
}

/// How much of each limit is used up.
fn shares(now: &Moment, held: u64) -> LimitShares {
    let limits = &now.limits;
    let share = |used: f64, limit: f64| if limit > 0.0 { used / limit } else { 1.0 };
    let number = |used: u64| move |limit: u64| share(used as f64, limit as f64);
    let elapsed = now.elapsed.as_secs_f64();
    LimitShares {
        time: limits.time.map(|time| share(elapsed, time.as_secs_f64())),
        states: limits.states.map(number(now.progress.states)),
        memory: limits.memory.map(number(now.progress.bytes.max(held))),
    }
}

/// A phase in the words of reports.
fn told(phase: Phase) -> ProgressPhase {
    match phase {
        Phase::Reading => ProgressPhase::Reading,
        Phase::Planning => ProgressPhase::Planning,
        Phase::Preparing => ProgressPhase::Preparing,
        Phase::Searching => ProgressPhase::Searching,
        Phase::Replaying => ProgressPhase::Replaying,
        Phase::Concluding => ProgressPhase::Concluding,
    }
}

/// The line, cut so that it stays one: the last column is left free, where some terminals wrap.
fn cut(line: &str, width: usize) -> String {
    line.chars().take(width.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64, states: u64, frontier: u64) -> Moment {
        Moment {
            elapsed: Duration::from_millis(milliseconds),
            phase: Phase::Searching,
            progress: Progress {
                states,
                frontier,
                ..Progress::default()
            },
            limits: Limits {
                time: Some(Duration::from_secs(10)),
                memory: None,
                states: Some(4000),
            },
        }
    }

    #[test]
    fn the_line_stays_one_line_on_a_narrow_terminal() {
        let line = "21,000 states, 100,000/s";
        assert_eq!(cut(line, 80), line);
        assert_eq!(cut(line, 25), line);
        assert_eq!(cut(line, 24), "21,000 states, 100,000/");
        assert_eq!(cut(line, 8), "21,000 ");
        assert_eq!(cut(line, 0), "");
    }

    #[test]
    fn rates_trends_and_shares_are_those_since_the_last_time() {
        let mut pace = Pace::new(IN_LOG);
        assert!(!pace.is_due(Duration::from_secs(29)));
        assert!(pace.is_due(Duration::from_secs(30)));
        let first = pace.report(&at(1000, 500, 70), ProgressPhase::Searching);
        assert_eq!(
            (first.states_per_second, first.trend),
            (500.0, Trend::Growing)
        );
        let second = pace.report(&at(1500, 1000, 20), ProgressPhase::Searching);
        assert_eq!(second.states_per_second, 1000.0);
        assert_eq!(second.trend, Trend::Shrinking);
        let shares = second.limits;
        assert_eq!((shares.time, shares.states), (Some(0.15), Some(0.25)));
        assert_eq!(shares.memory, None);
        assert!(!pace.is_due(Duration::from_secs(31)));
        let third = pace.report(&at(1500, 1000, 20), ProgressPhase::Searching);
        assert_eq!((third.states_per_second, third.trend), (0.0, Trend::Steady));
    }

    #[test]
    fn the_terminal_is_for_findings_while_the_model_is_read() {
        let console = Console::new(crate::args::ColorWhen::Never);
        let shows = |line, phase| Reporter::new(console, line, None).may_show(phase);
        assert!(!shows(Line::OnTerminal, Phase::Reading));
        assert!(shows(Line::OnTerminal, Phase::Preparing));
        assert!(shows(Line::InLog, Phase::Reading));
        assert!(!shows(Line::Hidden, Phase::Searching));
    }
}
