//! The line on a terminal that tells how far a search is. None if nobody watches.

use crate::console::Console;
use crate::monitor::Monitor;
use crate::pending::Draft;
use mandala_checker::document::draft::draft;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::outcome::Interim;
use mandala_checker::watch::{Phase, Progress, ProgressObserver, Watch, Wish};

use mandala_report::style::{Tone, bytes, counted, grouped};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);

/// Back to the start of the line, and away with what is there.
const CLEAR: &str = "\r\x1b[K";

/// Whether the line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// On standard error.
    Shown,
    /// Not at all.
    Hidden,
}

/// Shows progress, and stands between the check and the limit monitor.
pub struct ProgressLine<'c> {
    console: &'c Console,
    monitor: &'c Monitor,
    loaded: Arc<LoadedModel>,
    line: Line,
    last: Instant,
    before: Progress,
    drawn: bool,
}

impl<'c> ProgressLine<'c> {
    /// A line that has shown nothing yet.
    pub fn new(
        console: &'c Console,
        monitor: &'c Monitor,
        loaded: Arc<LoadedModel>,
        line: Line,
    ) -> Self {
        ProgressLine {
            console,
            monitor,
            loaded,
            line,
            last: Instant::now(),
            before: Progress::default(),
            drawn: false,
        }
    }

    fn draw(&mut self, now: &Progress, elapsed: Duration) {
        let text = cut(describe(now, &self.before, elapsed), self.console.width());
        let text = self.console.error_colour().paint(Tone::Faint, text);
        self.console.complain(&format!("{CLEAR}{text}"));
        self.drawn = true;
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            self.console.complain(CLEAR);
        }
    }
}

impl ProgressObserver for ProgressLine<'_> {
    fn update(&mut self, progress: &Progress) -> Wish {
        let wish = self.monitor.update(progress);
        let elapsed = self.last.elapsed();
        if self.line == Line::Shown && elapsed >= PERIOD && !self.monitor.is_cut_off() {
            self.draw(progress, elapsed);
            self.last = Instant::now();
            self.before = *progress;
        }
        wish
    }
}

impl Watch for ProgressLine<'_> {
    fn enter(&mut self, phase: Phase) -> Wish {
        self.monitor.enter(phase)
    }

    fn learn(&mut self, known: Interim<'_>) {
        self.monitor.learn(Draft::Check {
            document: Box::new(draft(known)),
            loaded: Some(Arc::clone(&self.loaded)),
        });
    }
}

/// Takes away a line that may be there.
pub fn clear(console: &Console) {
    if console.is_watched() {
        console.complain(CLEAR);
    }
}

/// The line, cut so that it stays one: the last column is left free, where some terminals wrap.
fn cut(line: String, width: usize) -> String {
    let room = width.saturating_sub(1);
    match line.chars().count() > room {
        true => line.chars().take(room).collect(),
        false => line,
    }
}

fn describe(now: &Progress, before: &Progress, elapsed: Duration) -> String {
    let new = now.states.saturating_sub(before.states) as f64;
    let rate = (new / elapsed.as_secs_f64()) as u64;
    let trend = match now.frontier.cmp(&before.frontier) {
        std::cmp::Ordering::Less => "shrinking",
        std::cmp::Ordering::Equal => "steady",
        std::cmp::Ordering::Greater => "growing",
    };
    format!(
        "{}{}, {}/s, depth {}, {}, {} to do and {trend}",
        counted(now.states, "state"),
        share(now),
        grouped(rate),
        grouped(now.depth),
        bytes(now.bytes),
        grouped(now.frontier),
    )
}

/// Which part of all states that is, if anything can be said about it.
fn share(now: &Progress) -> String {
    let Some((least, most)) = now.total else {
        return String::new();
    };
    let percent = |total: u64| {
        let share = now.states as f64 / total.max(now.states).max(1) as f64;
        (share * 100.0).floor() as u64
    };
    match (percent(most), percent(least)) {
        (low, high) if low == high => format!(" (~{low} %)"),
        (low, high) => format!(" (~{low}-{high} %)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_stays_one_line_on_a_narrow_terminal() {
        let line = || "21,000 states, 100,000/s".to_string();
        assert_eq!(cut(line(), 80), line());
        assert_eq!(cut(line(), 25), line());
        assert_eq!(cut(line(), 24), "21,000 states, 100,000/");
        assert_eq!(cut(line(), 8), "21,000 ");
        assert_eq!(cut(line(), 0), "");
    }

    #[test]
    fn the_line_tells_size_rate_depth_memory_and_trend() {
        let before = Progress {
            states: 1000,
            frontier: 50,
            ..Progress::default()
        };
        let now = Progress {
            states: 21_000,
            transitions: 50_000,
            depth: 12,
            frontier: 20,
            bytes: 3_000_000,
            total: None,
        };
        assert_eq!(
            describe(&now, &before, Duration::from_millis(200)),
            "21,000 states, 100,000/s, depth 12, 3.0 MB, 20 to do and shrinking"
        );
        let now = Progress {
            total: Some((38_000, 52_000)),
            ..now
        };
        let line = describe(&now, &before, Duration::from_millis(200));
        assert!(
            line.starts_with("21,000 states (~40-55 %), 100,000/s"),
            "{line}"
        );
    }

    #[test]
    fn an_estimate_that_is_too_small_never_gives_more_than_everything() {
        let told = |total| {
            share(&Progress {
                states: 1000,
                total: Some(total),
                ..Progress::default()
            })
        };
        assert_eq!(told((900, 950)), " (~100 %)");
        assert_eq!(told((900, 4000)), " (~25-100 %)");
        assert_eq!(told((0, 0)), " (~100 %)");
    }
}
