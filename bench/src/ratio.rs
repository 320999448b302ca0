//! Our time divided by that of another tool, which may have been stopped.

/// Our time divided by another's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ratio {
    /// So much.
    Exactly(f64),
    /// Less than that: the other one was stopped.
    LessThan(f64),
}

impl Ratio {
    /// Of our seconds and theirs. They have taken at least the limit if they were stopped for that.
    pub(crate) fn of(ours: f64, theirs: Result<f64, &str>) -> Option<Ratio> {
        match theirs {
            Ok(theirs) => Some(Ratio::Exactly(ours / theirs)),
            Err(why) => Some(Ratio::LessThan(ours / stopped_after(why)?)),
        }
    }

    /// Whether it is at most so much, as far as it can be said.
    pub(crate) fn is_at_most(self, most: f64) -> Option<bool> {
        match self {
            Ratio::Exactly(ratio) => Some(ratio <= most),
            Ratio::LessThan(ratio) => (ratio <= most).then_some(true),
        }
    }

    /// For people.
    pub(crate) fn told(self, number: impl Fn(f64) -> String) -> String {
        match self {
            Ratio::Exactly(value) => number(value),
            Ratio::LessThan(value) => format!("< {}", number(value)),
        }
    }
}

/// After how many seconds a program was stopped, if that is why there is no result: `> 60 s`, `(> 60 s)`.
pub(crate) fn stopped_after(why: &str) -> Option<f64> {
    let why = why.trim_start_matches('(').trim_end_matches(')');
    why.strip_prefix("> ")?.strip_suffix(" s")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_stopped_has_taken_at_least_that_long() {
        assert_eq!(Ratio::of(1.0, Ok(4.0)), Some(Ratio::Exactly(0.25)));
        let stopped = Ratio::of(1.0, Err("(> 10 s)")).unwrap();
        assert_eq!(stopped, Ratio::LessThan(0.1));
        assert_eq!(stopped.told(|value| value.to_string()), "< 0.1");
        assert_eq!(Ratio::of(1.0, Err("out of memory")), None);
    }

    #[test]
    fn less_than_something_large_says_nothing() {
        assert_eq!(Ratio::LessThan(0.5).is_at_most(0.3), None);
        assert_eq!(Ratio::LessThan(0.2).is_at_most(0.3), Some(true));
        assert_eq!(Ratio::Exactly(0.5).is_at_most(0.3), Some(false));
    }
}
