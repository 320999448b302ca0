//! The progress of a command in one line.

use crate::document::{LimitShares, ProgressPhase, ProgressReport, Trend};
use crate::style::{bytes, counted, duration, grouped, percent};

/// The line. What matters most comes first, as a terminal may be narrow.
pub fn line(report: &ProgressReport) -> String {
    let mut parts = vec![whole_seconds(report.seconds)];
    match report.phase {
        ProgressPhase::Searching => parts.extend(search(report)),
        phase => parts.push(activity(phase).into()),
    }
    parts.push(bytes(report.bytes));
    parts.extend(limits(&report.limits));
    parts.join(", ")
}

fn whole_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{:.0} s", s.floor()),
        s => duration(s),
    }
}

fn activity(phase: ProgressPhase) -> &'static str {
    match phase {
        ProgressPhase::Reading => "reading the model",
        ProgressPhase::Planning => "planning",
        ProgressPhase::Preparing => "looking for symmetry and simplifying",
        ProgressPhase::Searching => "searching",
        ProgressPhase::Replaying => "replaying a run",
        ProgressPhase::Concluding => "making the report",
        ProgressPhase::Done => "done",
    }
}

fn search(report: &ProgressReport) -> Vec<String> {
    let trend = match report.trend {
        Trend::Shrinking => "shrinking",
        Trend::Steady => "steady",
        Trend::Growing => "growing",
    };
    let mut parts = vec![
        format!("{}{}", counted(report.states, "state"), share(report)),
        format!("{}/s", grouped(report.states_per_second as u64)),
    ];
    let left = report.seconds_left();
    parts.extend(left.map(|left| format!("up to {} left", whole_seconds(left.ceil()))));
    parts.push(format!("{} to do and {trend}", grouped(report.queue)));
    parts.push(format!("depth {}", grouped(report.depth)));
    parts
}

/// Which part of all states that is, if anything can be said about it.
fn share(report: &ProgressReport) -> String {
    let Some(total) = report.total else {
        return String::new();
    };
    let percent = |total: u64| {
        let share = report.states as f64 / total.max(report.states).max(1) as f64;
        (share * 100.0).floor() as u64
    };
    match (percent(total.most), percent(total.least)) {
        (low, high) if low == high => format!(" (~{low} %)"),
        (low, high) => format!(" (~{low}-{high} %)"),
    }
}

/// How much of the limits is used up.
fn limits(shares: &LimitShares) -> Option<String> {
    let named = [
        (shares.time, "time"),
        (shares.states, "states"),
        (shares.memory, "memory"),
    ];
    let told = named
        .iter()
        .filter_map(|(share, of)| Some(format!("{} of {of}", percent((*share)?))));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("limits: {}", told.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Estimate, PROGRESS_SCHEMA};

    fn report() -> ProgressReport {
        ProgressReport {
            schema: PROGRESS_SCHEMA,
            phase: ProgressPhase::Searching,
            seconds: 12.9,
            states: 21_000,
            transitions: 50_000,
            depth: 12,
            queue: 20,
            trend: Trend::Shrinking,
            bytes: 3_000_000,
            states_per_second: 1_000.0,
            total: None,
            limits: LimitShares::default(),
        }
    }

    #[test]
    fn the_line_tells_time_size_rate_queue_depth_memory_and_limits() {
        assert_eq!(
            line(&report()),
            "12 s, 21,000 states, 1,000/s, 20 to do and shrinking, depth 12, 3.0 MB"
        );
        let limits = LimitShares {
            time: Some(0.43),
            states: None,
            memory: Some(0.001),
        };
        let told = line(&ProgressReport { limits, ..report() });
        assert!(
            told.ends_with("3.0 MB, limits: 43 % of time, under 1 % of memory"),
            "{told}"
        );
    }

    #[test]
    fn an_estimate_is_a_range_with_the_time_that_may_be_left() {
        let of = |least, most| {
            line(&ProgressReport {
                total: Some(Estimate { least, most }),
                ..report()
            })
        };
        let told = of(38_000, 52_000);
        let expected = "21,000 states (~40-55 %), 1,000/s, up to 31 s left, 20 to do";
        assert!(told.contains(expected), "{told}");
        assert!(of(900, 950).contains("(~100 %)"));
        assert!(of(0, 0).contains("(~100 %)"));
    }

    #[test]
    fn before_and_after_the_search_the_line_says_what_is_done() {
        let report = ProgressReport {
            phase: ProgressPhase::Preparing,
            seconds: 95.0,
            ..report()
        };
        assert_eq!(
            line(&report),
            "1 min 35 s, looking for symmetry and simplifying, 3.0 MB"
        );
    }
}
