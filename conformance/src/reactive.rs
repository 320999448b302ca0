//! Random Promela programs with infinite runs.
//!
//! The programs of [`crate::generate`] try everything once and then mostly end. What happens for ever is more interesting in these:
//! two to four processes, each a loop over a few small variables and channels, with waiting, choices, rendezvous, `atomic`, `d_step`, `else`,
//! `timeout` and `unless`. They have few states, and there are many ways to starve.

use crate::program::{
    Bracket, Declaration, Expr, Keeping, Order, Pattern, Place, Process, Program, Reach, Statement,
};
use crate::random::RandomSource;

/// The program of that seed.
pub fn program(seed: u64) -> Program {
    let mut maker = Maker {
        dice: RandomSource::new(seed ^ 0x5245_4143),
        buffered: false,
        meets: false,
        labels: &["L", "L", "end_L", "progress_L"],
    };
    if maker.dice.chance(25) {
        maker.labels = &["accept_L", "progress_L", "L"];
    }
    maker.buffered = maker.dice.chance(40);
    maker.meets = maker.dice.chance(45);
    let mut program = Program {
        globals: maker.globals(),
        ..Program::default()
    };
    let kinds: usize = maker.dice.weighted(&[(1, 1), (5, 2), (2, 3)]);
    for number in 0..kinds {
        let process = maker.process(number, kinds);
        program.processes.push(process);
    }
    if maker.dice.chance(60) {
        program.processes.push(idler());
    }
    program
}

/// A program in which several processes want to meet one that goes a long way in one step: many ways through that step lead to the same
/// state, and only who takes part tells them apart.
pub fn meetings(seed: u64) -> Program {
    let mut maker = Maker {
        dice: RandomSource::new(seed ^ 0x4d45_4554),
        buffered: false,
        meets: true,
        labels: &["L"],
    };
    let mut program = Program {
        globals: maker.globals(),
        ..Program::default()
    };
    for number in 0..maker.dice.between(1, 2) {
        let active = maker.dice.pick(&[1, 2]);
        let sender = maker.sender();
        let sender = looping(format!("S{number}"), active, sender);
        program.processes.push(sender);
    }
    let receiver = vec![vec![maker.long_step()]];
    program.processes.push(looping("R".into(), 1, receiver));
    program.processes.push(idler());
    program
}

/// A process that chooses one of the branches again and again.
fn looping(name: String, active: usize, branches: Vec<Vec<Statement>>) -> Process {
    let own = Statement::Declare(Declaration::plain("byte", "x"));
    Process {
        name,
        active,
        parameters: Vec::new(),
        priority: None,
        provided: None,
        body: vec![own, Statement::Do(branches)],
    }
}

/// A process that always goes on and does nothing, so that no run ends. Spin does not let a process wait for `true` for ever.
pub fn idler() -> Process {
    let exists = Expr::binary(">=", Expr::word("_pid"), Expr::Number(0));
    let idle = vec![Statement::Guard(exists)];
    Process {
        name: "I".into(),
        active: 1,
        parameters: Vec::new(),
        priority: None,
        provided: None,
        body: vec![Statement::Do(vec![idle])],
    }
}

/// The values of variables are below this.
const VALUES: i32 = 3;

struct Maker {
    dice: RandomSource,
    buffered: bool,
    meets: bool,
    labels: &'static [&'static str],
}

impl Maker {
    fn globals(&mut self) -> Vec<Declaration> {
        let channel = |name: &str, capacity: i32| Declaration {
            channel: Some(format!("[{capacity}] of {{ byte }}")),
            ..Declaration::plain("chan", name)
        };
        let mut globals = vec![
            Declaration::plain("byte", "a"),
            Declaration::plain("byte", "b"),
        ];
        if self.buffered {
            globals.push(channel("q", self.dice.between(1, 2)));
        }
        if self.meets {
            globals.push(channel("m", 0));
        }
        globals
    }

    fn process(&mut self, number: usize, kinds: usize) -> Process {
        let active = match kinds {
            1 => self.dice.pick(&[2, 3]),
            _ => self.dice.weighted(&[(3, 1), (1, 2)]),
        };
        let mut body = vec![Statement::Declare(Declaration::plain("byte", "x"))];
        if self.dice.chance(30) {
            body.extend(self.sequence(2));
        }
        let label = self.dice.pick(self.labels);
        let repeated = Statement::Do(self.branches(2));
        body.push(Statement::Labelled(label.into(), Box::new(repeated)));
        if self.dice.chance(40) {
            let last = self.sequence(1);
            body.extend(last);
        }
        let provided = self.dice.chance(7).then(|| self.condition());
        Process {
            name: format!("P{number}"),
            active,
            parameters: Vec::new(),
            priority: None,
            provided,
            body,
        }
    }

    fn branches(&mut self, depth: usize) -> Vec<Vec<Statement>> {
        let count = self.dice.between(1, 3);
        let mut branches: Vec<Vec<Statement>> = (0..count).map(|_| self.branch(depth)).collect();
        if self.dice.chance(15) {
            branches.push(vec![Statement::word("else"), self.simple()]);
        }
        branches
    }

    fn branch(&mut self, depth: usize) -> Vec<Statement> {
        let mut branch = match self.dice.chance(60) {
            true => vec![Statement::Guard(self.condition())],
            false => Vec::new(),
        };
        branch.extend(self.sequence(depth));
        if self.dice.chance(12) {
            branch.push(Statement::word("break"));
        }
        branch
    }

    fn sequence(&mut self, depth: usize) -> Vec<Statement> {
        let count = self.dice.between(1, 2);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if depth == 0 || self.dice.chance(70) {
            return self.simple();
        }
        match self.dice.below(5) {
            0 => Statement::If(self.unbroken(depth - 1)),
            1 | 2 => Statement::Block(Bracket::Atomic, self.sequence(depth - 1)),
            3 => Statement::Block(Bracket::DStep, self.single_step()),
            _ => Statement::Unless(
                self.sequence(depth - 1),
                vec![Statement::Guard(self.condition()), self.assignment()],
            ),
        }
    }

    /// Branches of an `if`, which may stand outside of loops.
    fn unbroken(&mut self, depth: usize) -> Vec<Vec<Statement>> {
        let mut branches = self.branches(depth);
        for branch in &mut branches {
            branch.retain(|statement| *statement != Statement::word("break"));
        }
        branches
    }

    /// A `d_step`: only its first statement may block.
    fn single_step(&mut self) -> Vec<Statement> {
        let first = Statement::Guard(self.condition());
        vec![first, self.assignment(), self.assignment()]
    }

    fn simple(&mut self) -> Statement {
        match self.dice.below(10) {
            0 => Statement::word("skip"),
            1 => Statement::Guard(self.condition()),
            2 | 3 if self.meets => self.message("m"),
            4 | 5 if self.buffered => self.message("q"),
            _ => self.assignment(),
        }
    }

    fn message(&mut self, channel: &str) -> Statement {
        let channel = Place::named(channel);
        if self.dice.chance(50) {
            let value = self.value();
            return Statement::Send(channel, Order::Last, vec![value]);
        }
        let pattern = match self.dice.below(3) {
            0 => Pattern::Constant(Expr::Number(self.dice.between(0, VALUES - 1))),
            1 => Pattern::Into(Place::named("x")),
            _ => Pattern::Anything,
        };
        Statement::Receive(channel, Reach::First, Keeping::Taken, vec![pattern])
    }

    /// What somebody does who sends, and perhaps something else.
    fn sender(&mut self) -> Vec<Vec<Statement>> {
        let value = Expr::Number(0);
        let send = Statement::Send(Place::named("m"), Order::Last, vec![value]);
        let mut branches = vec![vec![send]];
        if self.dice.chance(60) {
            branches.push(vec![self.assignment()]);
        }
        branches
    }

    /// A meeting and what follows it in one step: longer or shorter, with ways that part and come together.
    fn long_step(&mut self) -> Statement {
        let meet = Statement::Receive(
            Place::named("m"),
            Reach::First,
            Keeping::Taken,
            vec![Pattern::Anything],
        );
        let mut steps = vec![meet];
        if self.dice.chance(60) {
            let ways = [self.assignment(), self.assignment()];
            steps.push(Statement::If(ways.map(|way| vec![way]).into()));
        }
        let count = self.dice.between(0, 7);
        steps.extend((0..count).map(|_| Statement::word("skip")));
        let ways = [Statement::word("skip"), Statement::word("skip")];
        steps.push(Statement::If(ways.map(|way| vec![way]).into()));
        if self.dice.chance(60) {
            steps.push(self.assignment());
        }
        Statement::Block(Bracket::Atomic, steps)
    }

    fn variable(&mut self) -> Place {
        Place::named(self.dice.weighted(&[(4, "a"), (4, "b"), (1, "x")]))
    }

    fn value(&mut self) -> Expr {
        match self.dice.chance(50) {
            true => Expr::Number(self.dice.between(0, VALUES - 1)),
            false => Expr::Place(self.variable()),
        }
    }

    fn assignment(&mut self) -> Statement {
        let target = self.variable();
        let value = match self.dice.chance(50) {
            true => self.value(),
            false => {
                let next = Expr::binary("+", Expr::Place(target.clone()), Expr::Number(1));
                Expr::binary("%", next, Expr::Number(VALUES))
            }
        };
        Statement::Assign(target, value)
    }

    fn condition(&mut self) -> Expr {
        let operator = self.dice.pick(&["==", "!=", "<"]);
        match self.dice.below(12) {
            0 => Expr::word("true"),
            1 => Expr::word("timeout"),
            2 if self.buffered => Expr::OfChannel("nempty", Place::named("q")),
            3 => Expr::binary(operator, Expr::word("_pid"), Expr::Number(1)),
            _ => {
                let variable = Expr::Place(self.variable());
                Expr::binary(operator, variable, self.value())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_one_program() {
        assert_eq!(program(5), program(5));
        assert_ne!(program(5), program(6));
        assert_eq!(meetings(5), meetings(5));
        assert_ne!(meetings(5), meetings(6));
    }

    #[test]
    fn everything_occurs() {
        let texts: Vec<String> = (0..200).map(|seed| program(seed).to_string()).collect();
        let wanted = [
            "atomic",
            "d_step",
            "unless",
            "timeout",
            "else",
            "m!",
            "q?",
            "provided",
            "proctype I",
            "accept_L",
        ];
        for word in wanted {
            assert!(texts.iter().any(|text| text.contains(word)), "{word}");
        }
    }
}
