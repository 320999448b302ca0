//! Random Promela programs.
//!
//! A seed means one program. The programs are small, valid for Spin, free of anything that C leaves
//! undefined (indices are masked, divisors and shifts kept in range), and mostly small in their state
//! space: loops that may go on for ever change variables only within a few values, and the others
//! count their rounds. Within that they try to combine everything with everything.
//!
//! | file | what it makes |
//! |---|---|
//! | `scope` | what can be named at a point of the program |
//! | `expressions` | values, conditions, patterns |
//! | `simple` | statements without statements in them |
//! | `compound` | statements with statements in them |
//! | `observers` | claims and observers of messages |

mod compound;
mod expressions;
mod observers;
mod scope;
mod simple;

use crate::program::{Declaration, Expr, Inline, Place, Process, Program, Statement};
use crate::random::RandomSource;
use scope::{Channel, ChannelClass, Leaf, Scope, Type};

/// The program of that seed.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator::new(seed);
    generator.claimed = generator.dice.chance(25);
    generator.prioritised = generator.dice.chance(6);
    generator.globals();
    generator.channels();
    generator.inlines();
    let count: usize = generator.dice.weighted(&[(1, 1), (4, 2), (3, 3)]);
    // The last process first: a process may start those after it, whose parameters must be known.
    let mut processes: Vec<Process> = (0..count).rev().map(|i| generator.process(i)).collect();
    processes.reverse();
    let init = generator.init(&processes);
    if generator.claimed {
        processes.insert(0, observers::watchman());
    }
    let never = generator.claimed.then(|| generator.never(&processes));
    let events = match generator.dice.chance(10) {
        true => generator.events(),
        false => None,
    };
    Program {
        processes,
        init,
        never,
        events,
        ..generator.program
    }
}

/// The program of that seed as a system of which claims are to be checked: without assertions, which are another matter, and without
/// what Spin does differently next to a claim. Sometimes it has a claim of its own.
pub fn system(seed: u64) -> Program {
    let mut generator = Generator::new(seed ^ 0x4c54_4c00);
    generator.claimed = true;
    generator.globals();
    generator.channels();
    generator.inlines();
    let count: usize = generator.dice.weighted(&[(1, 1), (4, 2)]);
    let mut processes: Vec<Process> = (0..count).rev().map(|i| generator.process(i)).collect();
    processes.reverse();
    let init = generator.init(&processes);
    processes.insert(0, observers::watchman());
    let never = generator.dice.chance(25);
    let never = never.then(|| generator.never(&processes));
    let program = Program {
        processes,
        init,
        never,
        ..generator.program
    };
    program.without_assertions()
}

/// A process that can be started.
#[derive(Clone, Debug)]
struct Startable {
    name: String,
    parameters: Vec<Parameter>,
}

/// A parameter of a process.
#[derive(Clone, Copy, Debug)]
enum Parameter {
    Value,
    Channel(ChannelClass),
}

/// An `inline` that can be used.
#[derive(Clone, Debug)]
struct Usable {
    name: String,
    never_blocks: bool,
}

/// What is known while a program grows.
struct Generator {
    dice: RandomSource,
    program: Program,
    scope: Scope,
    startable: Vec<Startable>,
    usable: Vec<Usable>,
    /// Labels that were jumped to or may be, in the process that is being made.
    labels: Labels,
    /// How many more statements there may be.
    budget: usize,
    /// Whether there will be a claim. Spin counts it as a process in `_nr_pr`, so that a claim would
    /// change what the system does: such programs do not ask for that number.
    claimed: bool,
    /// Whether processes have priorities.
    prioritised: bool,
    /// Whether there is a channel for rendezvous.
    meets: bool,
    /// Whether a process starts others, so that the number of one that has ended may come again.
    restarts: bool,
}

/// The labels of one process.
#[derive(Clone, Debug, Default)]
struct Labels {
    wanted: Vec<String>,
    placed: Vec<String>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Generator {
            dice: RandomSource::new(seed),
            program: Program::default(),
            scope: Scope::default(),
            startable: Vec::new(),
            usable: Vec::new(),
            labels: Labels::default(),
            budget: 0,
            claimed: false,
            prioritised: false,
            meets: false,
            restarts: false,
        }
    }

    fn globals(&mut self) {
        self.program.macros = vec![
            "#define ADD(a, b) ((a) + (b))".into(),
            "#define SMALL(a) ((a) >= 0 && (a) < LIMIT)".into(),
            "#define LIMIT 3".into(),
        ];
        self.program.words = ["red", "green", "blue"].map(String::from).into();
        self.program.records = vec![
            "typedef Pair { byte f; short g[2] };".into(),
            "typedef Nest { Pair p; bit h };".into(),
        ];
        for i in 0..self.dice.between(2, 4) {
            let global = self.variable(&format!("g{i}"));
            self.program.globals.push(global);
        }
        if self.dice.chance(30) {
            let global = self.record("r");
            self.program.globals.push(global);
        }
    }

    /// Declares a variable of a random type, and brings it into scope.
    fn variable(&mut self, name: &str) -> Declaration {
        let ty = self.dice.weighted(Type::WEIGHTS);
        let alone = matches!(ty, Type::Unsigned(_));
        let length = (!alone && self.dice.chance(20)).then(|| self.dice.pick(&[2, 4]));
        let first = match ty {
            _ if self.dice.chance(50) => None,
            Type::Mtype => Some(self.word()),
            _ => Some(Expr::Number(self.dice.between(0, ty.reach().min(3)))),
        };
        self.scope.leaves.push(Leaf {
            before: name.into(),
            length,
            after: String::new(),
            ty,
            fixed: false,
        });
        let mut text = name.to_string();
        if let Some(length) = length {
            text = format!("{text}[{length}]");
        }
        if let Type::Unsigned(bits) = ty {
            text = format!("{text} : {bits}");
        }
        let kind = ty.to_string();
        Declaration {
            kind,
            name: text,
            first,
            channel: None,
        }
    }

    /// Declares a record or an array of them, and brings its fields into scope.
    fn record(&mut self, name: &str) -> Declaration {
        let many = self.dice.chance(40);
        let nested = self.dice.chance(40);
        let path = if nested { ".p" } else { "" };
        let mut field = |field: &str, ty: Type| {
            let before = if many {
                name.to_string()
            } else {
                format!("{name}{path}{field}")
            };
            let after = if many {
                format!("{path}{field}")
            } else {
                String::new()
            };
            let length = many.then_some(2);
            self.scope.leaves.push(Leaf {
                before,
                length,
                after,
                ty,
                fixed: false,
            });
        };
        field(".f", Type::Byte);
        field(".g[1]", Type::Short);
        let kind = if nested { "Nest" } else { "Pair" };
        let name = if many {
            format!("{name}[2]")
        } else {
            name.to_string()
        };
        Declaration {
            kind: kind.into(),
            name,
            first: None,
            channel: None,
        }
    }

    fn channels(&mut self) {
        let count = self.dice.between(1, 3);
        for i in 0..count {
            let class = self.class();
            let channel = self.channel(&format!("q{i}"), class);
            self.program.globals.push(channel);
        }
    }

    /// Spin knows no rendezvous together with priorities.
    fn class(&mut self) -> ChannelClass {
        let class = self.dice.weighted(ChannelClass::WEIGHTS);
        match self.prioritised && !class.holds_messages() {
            true => ChannelClass::Numbers,
            false => class,
        }
    }

    /// Declares a new channel, and brings it into scope.
    fn channel(&mut self, name: &str, class: ChannelClass) -> Declaration {
        let many = class != ChannelClass::Link && self.dice.chance(15);
        let capacity = class.capacity(&mut self.dice);
        self.meets |= capacity == 0;
        let channel = Some(format!("[{capacity}] of {{ {} }}", class.field_list()));
        self.scope.channels.push(Channel {
            name: name.into(),
            length: many.then_some(2),
            class,
            fixed: true,
        });
        let name = if many {
            format!("{name}[2]")
        } else {
            name.to_string()
        };
        Declaration {
            kind: "chan".into(),
            name,
            first: None,
            channel,
        }
    }

    fn inlines(&mut self) {
        for i in 0..self.dice.between(0, 2) {
            let never_blocks = self.dice.chance(60);
            let outer = self.scope.clone();
            let to = Leaf::plain("to", Type::Int);
            let from = Leaf {
                fixed: true,
                ..Leaf::plain("from", Type::Int)
            };
            self.scope.leaves.extend([to, from]);
            self.budget = 3;
            let place = if never_blocks {
                Around::step()
            } else {
                Around::inline()
            };
            let body = self.sequence(place, 2);
            self.scope = outer;
            let name = format!("do_{i}");
            let parameters = vec!["to".into(), "from".into()];
            self.program.inlines.push(Inline {
                name: name.clone(),
                parameters,
                body,
            });
            self.usable.push(Usable { name, never_blocks });
        }
    }

    fn process(&mut self, number: usize) -> Process {
        let outer = self.scope.clone();
        let name = format!("P{number}");
        let parameters = self.parameters();
        // The parameters of a process that is there from the start are 0, which is no channel.
        let startable = !parameters
            .iter()
            .any(|p| matches!(p, Parameter::Channel(_)));
        let startable = usize::from(startable);
        let active = self
            .dice
            .weighted(&[(4 * startable, 1), (2 * startable, 2), (1, 0)]);
        let provided = self.dice.chance(8).then(|| self.test(1));
        let priority = self.prioritised.then(|| self.dice.between(1, 3) as u8);
        let texts = self.declare_parameters(&parameters);
        let mut body = self.locals(number);
        self.scope.numbered = true;
        self.budget = self.dice.between(3, 9) as usize;
        self.labels = Labels::default();
        let length = self.dice.between(2, 6) as usize;
        body.extend(self.sequence(Around::body(), length));
        body.extend(self.missing_labels());
        self.scope = outer;
        self.startable.push(Startable {
            name: name.clone(),
            parameters,
        });
        Process {
            name,
            active,
            parameters: texts,
            priority,
            provided,
            body,
        }
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let count: usize = self.dice.weighted(&[(6, 0), (2, 1), (2, 2)]);
        let mut parameters = Vec::new();
        for _ in 0..count {
            if !self.dice.chance(40) {
                parameters.push(Parameter::Value);
                continue;
            }
            // A channel can only be given if there is one.
            let class = self.class();
            if self.scope.channels.iter().any(|c| c.class == class) {
                parameters.push(Parameter::Channel(class));
            }
        }
        parameters
    }

    /// The text of the parameters, which come into scope.
    fn declare_parameters(&mut self, parameters: &[Parameter]) -> Vec<String> {
        let mut texts = Vec::new();
        for (i, parameter) in parameters.iter().enumerate() {
            let name = format!("p{i}");
            match parameter {
                Parameter::Value => {
                    let ty = self
                        .dice
                        .pick(&[Type::Byte, Type::Int, Type::Bit, Type::Short]);
                    texts.push(format!("{ty} {name}"));
                    self.scope.leaves.push(Leaf::plain(&name, ty));
                }
                Parameter::Channel(class) => {
                    texts.push(format!("chan {name}"));
                    let channel = Channel {
                        name,
                        length: None,
                        class: *class,
                        fixed: false,
                    };
                    self.scope.channels.push(channel);
                }
            }
        }
        texts
    }

    /// The declarations at the head of a process: a few variables, counters for loops, a channel.
    fn locals(&mut self, process: usize) -> Vec<Statement> {
        let mut locals = Vec::new();
        for i in 0..self.dice.between(0, 2) {
            let name = format!("x{i}");
            locals.push(Statement::Declare(self.variable(&name)));
        }
        self.scope.counters = ["n0", "n1"].map(String::from).into();
        for counter in self.scope.counters.clone() {
            locals.push(Statement::Declare(Declaration::plain("byte", &counter)));
            let counter = Leaf {
                fixed: true,
                ..Leaf::plain(&counter, Type::Byte)
            };
            self.scope.leaves.push(counter);
        }
        if self.dice.chance(25) {
            locals.push(Statement::Declare(self.local_channel(process)));
        }
        locals
    }

    /// A channel variable: with a channel of its own, or referring to a global one.
    fn local_channel(&mut self, process: usize) -> Declaration {
        let class = self.class();
        match self.scope.plain_channel(class) {
            Some(global) if self.dice.chance(60) => {
                let channel = Channel {
                    name: "c".into(),
                    length: None,
                    class,
                    fixed: false,
                };
                self.scope.channels.push(channel);
                let first = Some(Expr::Channel(Place::named(global)));
                Declaration {
                    first,
                    ..Declaration::plain("chan", "c")
                }
            }
            _ => self.channel(&format!("own{process}"), class),
        }
    }

    /// Labels that were jumped to and stand nowhere yet.
    fn missing_labels(&mut self) -> Vec<Statement> {
        let placed = &self.labels.placed;
        let missing = self.labels.wanted.iter().filter(|l| !placed.contains(l));
        missing
            .map(|label| Statement::Labelled(label.clone(), Box::new(Statement::word("skip"))))
            .collect()
    }

    /// An `init` process that starts those that nobody else starts for sure.
    fn init(&mut self, processes: &[Process]) -> Option<Vec<Statement>> {
        let idle: Vec<usize> = (0..processes.len())
            .filter(|&i| processes[i].active == 0)
            .collect();
        if idle.is_empty() && !self.dice.chance(10) {
            return None;
        }
        self.budget = 3;
        self.scope.numbered = true;
        self.labels = Labels::default();
        let mut body: Vec<Statement> = idle.iter().map(|i| self.start(&format!("P{i}"))).collect();
        if self.dice.chance(40) {
            body.extend(self.sequence(Around::init(), 2));
        }
        if self.dice.chance(50) {
            let bracket = crate::program::Bracket::Atomic;
            body = vec![Statement::Block(bracket, body)];
        }
        Some(body)
    }
}

impl Declaration {
    /// A variable without a first value.
    pub(crate) fn plain(kind: &str, name: &str) -> Declaration {
        Declaration {
            kind: kind.into(),
            name: name.into(),
            first: None,
            channel: None,
        }
    }
}

/// What surrounds a statement, as far as it limits what may stand there.
#[derive(Clone, Copy, Debug)]
struct Around {
    /// Nothing may block, jump or start processes: within `d_step`.
    step: bool,
    /// Loops must end: within `atomic`.
    atomic: bool,
    /// `break` is possible.
    in_loop: bool,
    /// The statement may run again and again, so values must stay within a few.
    repeats: bool,
    /// Labels and jumps are possible.
    jumps: bool,
    /// Processes may be started.
    starts: bool,
    /// How deep statements are nested.
    depth: usize,
}

impl Around {
    fn body() -> Self {
        Around {
            step: false,
            atomic: false,
            in_loop: false,
            repeats: false,
            jumps: true,
            starts: true,
            depth: 0,
        }
    }

    fn init() -> Self {
        Around {
            jumps: false,
            starts: false,
            atomic: true,
            ..Around::body()
        }
    }

    fn inline() -> Self {
        Around {
            jumps: false,
            starts: false,
            atomic: true,
            repeats: true,
            depth: 2,
            ..Around::body()
        }
    }

    fn step() -> Self {
        Around {
            step: true,
            ..Around::inline()
        }
    }

    fn deeper(self) -> Self {
        Around {
            depth: self.depth + 1,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_means_the_same_program() {
        assert_eq!(program(17), program(17));
        assert_ne!(program(17).to_string(), program(18).to_string());
    }

    /// Whether the programs of the first seeds contain the text.
    fn occurs(text: &str) -> bool {
        (0..400).any(|seed| program(seed).to_string().contains(text))
    }

    #[test]
    fn everything_occurs() {
        let wanted = [
            "bit ",
            "bool ",
            "byte ",
            "short ",
            "int ",
            "unsigned ",
            "mtype ",
            "pid ",
            "Pair ",
            "Nest ",
            "active [2]",
            "run ",
            "init ",
            "never ",
            "provided ",
            "chan p",
            "chan c",
            "atomic ",
            "d_step ",
            "unless ",
            "timeout",
            "goto ",
            "end",
            "break",
            "else",
            "for (",
            " in ",
            "select (",
            "!!",
            "??",
            "?<",
            "?[",
            "??[",
            "eval(",
            "len(",
            "full(",
            "nfull(",
            "empty(",
            "nempty(",
            "assert(",
            "printf(",
            "_pid",
            "_nr_pr",
            " -> ",
            "ADD(",
            "SMALL(",
            "do_0(",
            "[0] of",
            "of { chan",
            "++",
            "--",
            "<<",
            ">>",
            " / ",
            " % ",
            " ^ ",
            "~",
            "_,",
            "@",
            "_last",
            "enabled(",
            "pc_value(",
            "]:n0",
            "trace {",
            "notrace {",
            "priority ",
        ];
        let missing: Vec<&str> = wanted.into_iter().filter(|text| !occurs(text)).collect();
        assert!(missing.is_empty(), "never generated: {missing:?}");
    }
}
