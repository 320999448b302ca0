//! Statements.

use super::{Decl, Expr, Ident, VarRef};
use mandala_model::source::Span;
use std::sync::Arc;

/// The statements between two braces, or of one option. Separators are not kept: `;` and `->` mean
/// the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// With the braces; of an option: from the first statement to the last.
    pub span: Span,
    /// At least one unless there was an error. Declarations stand where they were written.
    pub stmts: Vec<Stmt>,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The whole statement, labels included.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// A declaration of local variables.
    Decl(Decl),
    /// `xr q1, q2`: only this process receives from these channels.
    ExclusiveReceive(Vec<VarRef>),
    /// `xs q1, q2`: only this process sends to these channels.
    ExclusiveSend(Vec<VarRef>),
    /// `label: statement`. A label before nothing (`L: }`) has a `skip` with the label's span.
    Labelled(Ident, Box<Stmt>),
    /// `x = e`
    Assign(VarRef, Expr),
    /// `x++`
    Increment(VarRef),
    /// `x--`
    Decrement(VarRef),
    /// `q!args` and `q!!args`
    Send(Send),
    /// `q?args`, `q??args`, `q?<args>`, `q??<args>`
    Receive(Receive),
    /// An expression as a condition; `skip` and `timeout` are expressions too.
    Expr(Expr),
    /// `else`
    Else,
    /// `atomic { ... }`
    Atomic(Sequence),
    /// `d_step { ... }`
    DStep(Sequence),
    /// `{ ... }`
    Block(Sequence),
    /// `if :: ... fi`: the options.
    If(Vec<Sequence>),
    /// `do :: ... od`: the options.
    Do(Vec<Sequence>),
    /// `break`
    Break,
    /// `goto label`
    Goto(Ident),
    /// `for (x : a .. b) { ... }` and `for (x in a) { ... }`
    For(VarRef, ForRange, Sequence),
    /// `select (x : a .. b)`
    Select(Select),
    /// `main unless escape`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `printf(format, args)`: the text between the quotes, escapes as written.
    Printf(Arc<str>, Vec<Expr>),
    /// `printm(e)`: a variable or a constant.
    Printm(Expr),
    /// `assert(e)`
    Assert(Expr),
    /// `set_priority(pid, priority)`
    SetPriority(Expr, Expr),
    /// `f(args)` and `x = f(args)` for an `inline f`.
    InlineCall(InlineCall),
    /// `return e`: assigns to the variable on the left of the innermost `x = f(args)`.
    Return(Expr),
    /// Something that could not be parsed; a diagnostic says so.
    Error,
}

/// `q!args`: one message.
#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    /// The channel.
    pub channel: VarRef,
    /// True for `!!`, which keeps the buffer sorted.
    pub sorted: bool,
    /// The fields of the message.
    pub args: Vec<Expr>,
    /// True if written as `q!first(rest)`; it means the same as `q!first,rest`.
    pub call_form: bool,
}

/// `q?args` in any of its forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Receive {
    /// The channel.
    pub channel: VarRef,
    /// Which form.
    pub op: ReceiveOp,
    /// What the fields of the message are compared with or stored in.
    pub args: Vec<ReceiveArg>,
    /// True if written as `q?first(rest)`; it means the same as `q?first,rest`.
    pub call_form: bool,
}

impl Receive {
    pub(super) fn height(&self) -> u32 {
        let args = self.args.iter().map(ReceiveArg::height).max().unwrap_or(0);
        args.max(self.channel.height())
    }
}

/// The four ways to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReceiveOp {
    /// `q?x`: the first message.
    Fifo,
    /// `q??x`: the first message that matches.
    Random,
    /// `q?<x>`: as `q?x`, but the message stays.
    FifoKeep,
    /// `q??<x>`: as `q??x`, but the message stays.
    RandomKeep,
}

/// One argument of a receive.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceiveArg {
    /// What it is.
    pub kind: ReceiveArgKind,
    /// Where it is.
    pub span: Span,
}

impl ReceiveArg {
    fn height(&self) -> u32 {
        match &self.kind {
            ReceiveArgKind::Var(v) => v.height(),
            ReceiveArgKind::Const(_) => 0,
            ReceiveArgKind::Eval(e) => e.height(),
        }
    }
}

/// What an argument of a receive is.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveArgKind {
    /// A variable to store in (`_`: to throw away), or the name of an `mtype` constant to compare
    /// with.
    Var(VarRef),
    /// A constant to compare with: [`ExprKind::Const`](super::ExprKind::Const), the sign applied.
    Const(Expr),
    /// `eval(e)`: a value to compare with.
    Eval(Box<Expr>),
}

/// What a `for` runs over.
#[derive(Clone, Debug, PartialEq)]
pub enum ForRange {
    /// `: from .. to`
    Range(Box<Expr>, Box<Expr>),
    /// `in x`: the indices of an array, or the messages of a channel.
    In(VarRef),
}

/// `select (x : from .. to)`
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    /// The variable that gets a value.
    pub var: VarRef,
    /// The smallest value.
    pub from: Expr,
    /// The largest value.
    pub to: Expr,
    /// True if Spin's lexer rewrites the text of this statement to an `if` or `do` before its
    /// parser sees it: outside of inlines, a letters-and-digits name and two plain numbers.
    pub textual: bool,
}

/// A call of an `inline`, expanded.
#[derive(Clone, Debug, PartialEq)]
pub struct InlineCall {
    /// The called name, at the call.
    pub name: Ident,
    /// `x` of `x = f(args)`.
    pub result: Option<VarRef>,
    /// The arguments as text, for display.
    pub args: Vec<Arc<str>>,
    /// The body with the arguments in place of the parameters.
    pub body: Sequence,
}
