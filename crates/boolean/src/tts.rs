//! Thread transition systems: the text form, and the model of one with a bounded number of threads.

mod lower;

pub(crate) use lower::lower;

use crate::limits;
use mandala_coverability::{Local, Shared, Start, Target, ThreadSystem, Transition};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::{FileId, Span};

/// A system, and where its parts stand.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) system: ThreadSystem,
    /// Where each transition stands.
    pub(crate) spans: Vec<Span>,
    /// Where the target stands, and how it is written.
    pub(crate) target: (Span, String),
    pub(crate) span: Span,
}

/// A word of a line, and where it stands.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    span: Span,
}

/// The words of each line that has some, without comments.
fn lines(file: FileId, text: &str) -> Vec<Vec<Word<'_>>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let words = code.split_ascii_whitespace().map(|word| {
            let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
            Word {
                text: word,
                span: Span::new(file, at, at + word.len()),
            }
        });
        let words: Vec<Word<'_>> = words.collect();
        if !words.is_empty() {
            lines.push(words);
        }
        start += line.len();
    }
    lines
}

/// Reads the transitions of a system. It has no start and no target yet.
pub(crate) fn parse(file: FileId, text: &str, findings: &mut Findings) -> Option<System> {
    let lines = lines(file, text);
    let whole = Span::new(file, 0, 0);
    let Some((sizes, transitions)) = lines.split_first() else {
        let help = "the first line has the numbers of shared and of local states";
        return findings.note(Err(error_help(whole, "the system is empty", help)));
    };
    let (shared, locals) = findings.note(read_sizes(sizes))?;
    let mut system = System {
        system: ThreadSystem {
            shared,
            locals,
            ..ThreadSystem::default()
        },
        spans: Vec::new(),
        target: (whole, String::new()),
        span: whole,
    };
    for line in transitions {
        if findings.gave_up() {
            break;
        }
        let read = LineReader {
            words: line,
            at: 0,
            shared,
            locals,
        };
        if let Some(transition) = findings.note(read.transition()) {
            let span = line[0].span.to(line[line.len() - 1].span);
            system.system.transitions.push(transition);
            system.spans.push(span);
        }
    }
    Some(system)
}

fn read_sizes(words: &[Word<'_>]) -> Fallible<(Shared, Local)> {
    match words {
        [shared, locals] => Ok((size(*shared)?, size(*locals)?)),
        _ => {
            let help = "the first line has the numbers of shared and of local states, as in `3 4`";
            let span = words[0].span.to(words[words.len() - 1].span);
            Err(error_help(span, "expected two numbers", help))
        }
    }
}

fn size(word: Word<'_>) -> Fallible<u32> {
    match word.text.parse() {
        Ok(size) if (1..=limits::STATES).contains(&size) => Ok(size),
        _ => {
            let message = format!(
                "expected a number of states from 1 to {}, found `{}`",
                limits::STATES,
                word.text.escape_debug()
            );
            Err(error(word.span, message))
        }
    }
}

/// The number of a state, of which there are so many.
fn state(word: Word<'_>, count: u32, what: &str) -> Fallible<u32> {
    match word.text.parse() {
        Ok(state) if state < count => Ok(state),
        _ => {
            let message = format!(
                "expected a {what} state from 0 to {}, found `{}`",
                count - 1,
                word.text.escape_debug()
            );
            Err(error(word.span, message))
        }
    }
}

struct LineReader<'l, 't> {
    words: &'l [Word<'t>],
    at: usize,
    shared: Shared,
    locals: Local,
}

impl<'t> LineReader<'_, 't> {
    fn next(&mut self) -> Fallible<Word<'t>> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word.ok_or_else(|| {
            let last = self.words[self.words.len() - 1].span;
            let help = "a line is `s l -> t m`, with `a ~> b` behind it as often as wanted, `s l +> t m` or `s l ~> t m`";
            error_help(last, "the line ends too early", help)
        })
    }

    fn pair(&mut self) -> Fallible<(Shared, Local)> {
        let shared = state(self.next()?, self.shared, "shared")?;
        Ok((shared, self.local()?))
    }

    fn local(&mut self) -> Fallible<Local> {
        state(self.next()?, self.locals, "local")
    }

    fn transition(mut self) -> Fallible<Transition> {
        let before = self.pair()?;
        let arrow = self.next()?;
        let after = self.pair()?;
        let mut step = Transition::step(before, after);
        match arrow.text {
            "->" => step.others = self.others()?,
            "+>" => {
                step.active = Some((before.1, before.1));
                step.spawned = Some(after.1);
            }
            "~>" => {
                step.active = None;
                step.others = vec![(before.1, vec![after.1])];
            }
            other => {
                let found = other.escape_debug();
                let message = format!("expected `->`, `+>` or `~>`, found `{found}`");
                return Err(error(arrow.span, message));
            }
        }
        match self.words.get(self.at) {
            None => Ok(step),
            Some(word) => {
                let message = format!("`{}` is too much", word.text.escape_debug());
                let help = "only a line with `->` moves other threads, too";
                Err(error_help(word.span, message, help))
            }
        }
    }

    /// `a ~> b ..`
    fn others(&mut self) -> Fallible<Vec<(Local, Vec<Local>)>> {
        let mut others: Vec<(Local, Vec<Local>)> = Vec::new();
        while self.at < self.words.len() {
            let before = self.local()?;
            let arrow = self.next()?;
            if arrow.text != "~>" {
                let found = arrow.text.escape_debug();
                return Err(error(arrow.span, format!("expected `~>`, found `{found}`")));
            }
            let after = self.local()?;
            match others.iter_mut().find(|(known, _)| *known == before) {
                Some((_, all)) => all.push(after),
                None => others.push((before, vec![after])),
            }
        }
        others.sort_unstable();
        for (_, after) in &mut others {
            after.sort_unstable();
            after.dedup();
        }
        Ok(others)
    }
}

/// A text about a system that stands beside it.
pub(crate) struct Beside<'t> {
    pub(crate) file: FileId,
    pub(crate) text: &'t str,
}

impl<'t> Beside<'t> {
    fn error(&self, what: &str, help: &str) -> Box<Diagnostic> {
        let text = self.text.trim().escape_debug();
        let span = Span::new(self.file, 0, self.text.len());
        error_help(span, format!("`{text}` is no {what}"), help)
    }

    fn number(&self, text: &str, count: u32, what: &str) -> Fallible<u32> {
        let text = text.trim();
        let at = (text.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let span = Span::new(self.file, at, at + text.len());
        state(Word { text, span }, count, what)
    }
}

/// `s|l1,l2`
pub(crate) fn parse_target(beside: &Beside<'_>, system: &ThreadSystem) -> Fallible<Target> {
    let help = "a target is a shared state and local states, as in `2|1,1`";
    let Some((shared, locals)) = beside.text.trim().split_once('|') else {
        return Err(beside.error("target", help));
    };
    let shared = beside.number(shared, system.shared, "shared")?;
    let locals = locals.split(',');
    let locals = locals.map(|local| beside.number(local, system.locals, "local"));
    let mut locals = locals.collect::<Fallible<Vec<Local>>>()?;
    locals.sort_unstable();
    Ok(Target {
        shared: Some(shared),
        locals,
    })
}

/// `s|a`, `s/b` or `s|a,c/b`
pub(crate) fn parse_start(beside: &Beside<'_>, system: &ThreadSystem) -> Fallible<Start> {
    let help = "a start is a shared state, with local states of single threads, `0|1,3`, or of any number of threads, `0/2`, or both, `0|1/2`";
    let text = beside.text.trim();
    let (rest, any) = match text.split_once('/') {
        Some((rest, any)) => (rest, Some(any)),
        None => (text, None),
    };
    let (shared, ones) = match rest.split_once('|') {
        Some((shared, ones)) => (shared, Some(ones)),
        None => (rest, None),
    };
    if ones.is_none() && any.is_none() {
        return Err(beside.error("start", help));
    }
    let local = |text: &str| beside.number(text, system.locals, "local");
    let ones = ones.into_iter().flat_map(|ones| ones.split(','));
    let mut ones = ones.map(local).collect::<Fallible<Vec<Local>>>()?;
    ones.sort_unstable();
    if ones.len() > limits::ONES {
        let help = format!("at most {} single threads are supported", limits::ONES);
        return Err(beside.error("start", &help));
    }
    Ok(Start {
        shared: beside.number(shared, system.shared, "shared")?,
        ones,
        any: any.map(local).transpose()?,
    })
}
