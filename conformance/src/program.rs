//! Promela programs as trees that can be printed and taken apart.
//!
//! The tree knows as much of the language as generating and shrinking need: which parts are
//! statements, which are expressions. Whether a program is meaningful is not its business: after
//! a declaration is taken out, its uses remain, and both sides of a comparison refuse the program.

mod print;
mod visit;

pub(crate) use visit::parts;

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Program {
    /// Macro definitions, whole lines.
    pub macros: Vec<String>,
    /// Declarations of symmetry, whole comments.
    pub notes: Vec<String>,
    /// The words of the one unnamed `mtype`.
    pub words: Vec<String>,
    /// `typedef` declarations.
    pub records: Vec<String>,
    /// Global variables and channels.
    pub globals: Vec<Declaration>,
    /// `inline` definitions.
    pub inlines: Vec<Inline>,
    /// Processes; the order is that of their creation.
    pub processes: Vec<Process>,
    /// The body of the `init` process.
    pub init: Option<Vec<Statement>>,
    /// The never claim.
    pub never: Option<Vec<Statement>>,
    /// Formulas, whole declarations.
    pub formulas: Vec<String>,
    /// The observer of messages.
    pub events: Option<Events>,
}

/// An observer of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Events {
    /// `trace` or `notrace`.
    pub kind: &'static str,
    /// Its body: sends and receives only.
    pub body: Vec<Statement>,
}

/// A variable or a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What stands before the name: `byte`, `hidden short`, `chan`.
    pub kind: String,
    /// The name with what belongs to it: `x`, `a[2]`, `u : 3`.
    pub name: String,
    /// The first value: an expression.
    pub first: Option<Expr>,
    /// The first value: a new channel, as `[1] of { byte }`.
    pub channel: Option<String>,
}

/// An `inline` definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Its body.
    pub body: Vec<Statement>,
}

/// A `proctype`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// How many exist from the start; 0 for one that is only started by `run`.
    pub active: usize,
    /// Parameters: type and name.
    pub parameters: Vec<String>,
    /// Its priority.
    pub priority: Option<u8>,
    /// The condition without which it does not move.
    pub provided: Option<Expr>,
    /// Its body.
    pub body: Vec<Statement>,
}

impl Program {
    /// Adds a process without a priority that may always move.
    pub fn add_process(
        &mut self,
        name: &str,
        active: usize,
        parameters: Vec<String>,
        body: Vec<Statement>,
    ) {
        self.processes.push(Process {
            name: name.into(),
            active,
            parameters,
            priority: None,
            provided: None,
            body,
        });
    }
}

impl Program {
    /// The same without assertions, formulas and declarations of symmetry.
    pub fn without_assertions(mut self) -> Program {
        self.notes.clear();
        self.formulas.clear();
        self.each_sequence(&mut |sequence| sequence.iter_mut().for_each(forget_assertion));
        self
    }
}

fn forget_assertion(statement: &mut Statement) {
    match statement {
        Statement::Labelled(_, inner) => forget_assertion(inner),
        Statement::Assert(_) => *statement = Statement::word("skip"),
        _ => {}
    }
}

/// A place that can be read and assigned: `x`, `a[i & 1]`, `r[0].f`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What stands before the index.
    pub before: String,
    /// The index and the mask that keeps it within the array.
    pub index: Option<(Box<Expr>, u32)>,
    /// What stands after the index.
    pub after: String,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(i32),
    /// A word of the language or an `mtype` constant: `_pid`, `timeout`, `true`.
    Word(String),
    /// The value of a place.
    Place(Place),
    /// A channel, by a variable that refers to it. Numbers in its place would mean other channels.
    Channel(Place),
    /// An operator before its operand.
    Unary(&'static str, Box<Expr>),
    /// An operator between its operands.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `(condition -> a : b)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(q)`, `full(q)` and the like.
    OfChannel(&'static str, Place),
    /// `q?[...]` or `q??[...]`.
    Poll(Place, Reach, Vec<Pattern>),
    /// The use of a macro with arguments, or `enabled(..)` and the like.
    Call(String, Vec<Expr>),
    /// `P[e]@label`.
    AtLabel(String, Box<Expr>, String),
}

/// Which message of a channel a receive looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The oldest one.
    First,
    /// The oldest one that fits.
    Any,
}

/// What happens to a message that is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// It is taken out.
    Taken,
    /// It stays.
    Copied,
}

/// Where a message is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Behind all others.
    Last,
    /// Before the first greater one.
    Sorted,
}

/// A field of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The field goes there.
    Into(Place),
    /// The field must be this constant.
    Constant(Expr),
    /// The field must have this value.
    Eval(Expr),
    /// The field may be anything.
    Anything,
}

/// What holds a sequence together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bracket {
    /// Nothing but its scope.
    Plain,
    /// `atomic`.
    Atomic,
    /// `d_step`.
    DStep,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// One without parts: `skip`, `break`, `else`, `goto L`.
    Word(String),
    /// A declaration.
    Declare(Declaration),
    /// An assignment.
    Assign(Place, Expr),
    /// `x++` or `x--`.
    Count(Place, &'static str),
    /// A condition to wait for.
    Guard(Expr),
    /// An assertion.
    Assert(Expr),
    /// `printf` of numbers.
    Print(Vec<Expr>),
    /// A send.
    Send(Place, Order, Vec<Expr>),
    /// A receive.
    Receive(Place, Reach, Keeping, Vec<Pattern>),
    /// `run P(..)`, its number assigned somewhere or dropped.
    Run(Option<Place>, String, Vec<Expr>),
    /// A label and its statement.
    Labelled(String, Box<Statement>),
    /// `if`.
    If(Vec<Vec<Statement>>),
    /// `do`.
    Do(Vec<Vec<Statement>>),
    /// A sequence in brackets.
    Block(Bracket, Vec<Statement>),
    /// `for (x : a .. b)`.
    For(Place, Expr, Expr, Vec<Statement>),
    /// `for (x in a)`.
    ForIn(Place, String, Vec<Statement>),
    /// `select (x : a .. b)`.
    Select(Place, Expr, Expr),
    /// `{ .. } unless { .. }`.
    Unless(Vec<Statement>, Vec<Statement>),
    /// The use of an `inline`.
    Inline(String, Vec<Expr>),
}

impl Place {
    /// A variable that is no array.
    pub fn named(name: impl Into<String>) -> Place {
        Place {
            before: name.into(),
            index: None,
            after: String::new(),
        }
    }
}

impl Expr {
    /// A word.
    pub fn word(word: impl Into<String>) -> Expr {
        Expr::Word(word.into())
    }

    /// An operator between its operands.
    pub fn binary(operator: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }
}

impl Statement {
    /// One without parts.
    pub fn word(word: impl Into<String>) -> Statement {
        Statement::Word(word.into())
    }
}
