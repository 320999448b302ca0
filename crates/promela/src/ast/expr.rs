//! Expressions, including those of `ltl` formulas.

use super::{Ident, Priority};
use mandala_model::source::Span;
use std::sync::Arc;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is, with the parentheses around it if there are any.
    pub span: Span,
    /// The macro that it is written as, if it is the expansion of one without parameters.
    pub written: Option<Arc<str>>,
    height: u32,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant, and how it was written.
    Const(i32, Literal),
    /// A variable, an array element, a field of a structure, or an `mtype` constant.
    Var(VarRef),
    /// `_pid`, `_nr_pr`, `_last`, `_priority`, `np_`, `timeout`
    Predefined(Predefined),
    /// `!e`, `-e`, `~e`, and in `ltl` also `[] e`, `<> e`, `X e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and the like
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> yes : no)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority k`
    Run(RunExpr),
    /// `len(q)`
    Len(VarRef),
    /// `full(q)`, `empty(q)`, `nfull(q)`, `nempty(q)`
    Probe(Probe, VarRef),
    /// `enabled(e)`
    Enabled(Box<Expr>),
    /// `pc_value(e)`
    PcValue(Box<Expr>),
    /// `get_priority(e)`
    GetPriority(Box<Expr>),
    /// `q?[args]` and `q??[args]`: would that receive be possible? (`op` is `Fifo` or `Random`.)
    Poll(super::Receive),
    /// `P[e]@label` and `P@label`
    RemoteLabel(RemoteRef, Ident),
    /// `P[e]:x` and `P:x`
    RemoteVar(RemoteRef, Field),
    /// Something that could not be parsed; a diagnostic says so.
    Error,
}

/// How a constant was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `12`
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `skip`, which is 1 wherever it stands
    Skip,
    /// `'c'`
    Char,
}

/// Names that the language defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predefined {
    /// `_pid`
    Pid,
    /// `_nr_pr`
    NrPr,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    /// `np_`
    NonProgress,
    /// `timeout`
    Timeout,
}

/// The four tests of a channel. They may stand under `&&` and `||` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// `full(q)`
    Full,
    /// `empty(q)`
    Empty,
    /// `nfull(q)`
    NotFull,
    /// `nempty(q)`
    NotEmpty,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!e`
    Not,
    /// `-e`
    Neg,
    /// `~e`
    BitNot,
    /// `[] e`, `always e`; only in `ltl`
    Always,
    /// `<> e`, `eventually e`; only in `ltl`
    Eventually,
    /// `X e`, `next e`; only in `ltl`
    Next,
    /// `A e`: in all runs; only in formulas of computation tree logic
    InAllRuns,
    /// `E e`: in some run; only in formulas of computation tree logic
    InSomeRun,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `U`, `until`; only in `ltl`
    Until,
    /// `W`, `weakuntil`; only in `ltl`
    WeakUntil,
    /// `V`, `release`; only in `ltl`
    Release,
    /// `->`, `implies`; only in `ltl`
    Implies,
    /// `<->`, `equivalent`; only in `ltl`
    Equivalent,
}

/// `a`, `a[i]`, `a.b[i].c`: at least one field.
#[derive(Clone, Debug, PartialEq)]
pub struct VarRef {
    /// The variable, then the fields.
    pub fields: Vec<Field>,
    /// From the first name to the last name or bracket.
    pub span: Span,
}

impl VarRef {
    /// The name of the variable itself.
    pub fn root(&self) -> &Ident {
        &self.fields[0].name
    }

    /// The name, if it is nothing but a name: no index, no field.
    pub fn as_plain_name(&self) -> Option<&Ident> {
        match self.fields.as_slice() {
            [
                Field {
                    name, index: None, ..
                },
            ] => Some(name),
            _ => None,
        }
    }
}

/// One part of a [`VarRef`]: `a` or `a[i]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name.
    pub name: Ident,
    /// The index, if there is one.
    pub index: Option<Box<Expr>>,
    /// The name and the index.
    pub span: Span,
}

/// The process of a remote reference: `P[e]` or `P`.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteRef {
    /// The name of the proctype.
    pub process: Ident,
    /// The pid, if given.
    pub pid: Option<Box<Expr>>,
}

/// `run P(args) priority k`
#[derive(Clone, Debug, PartialEq)]
pub struct RunExpr {
    /// The proctype.
    pub process: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// `priority k`
    pub priority: Option<Priority>,
}

impl Expr {
    /// An expression of that kind at that place.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let height = 1 + kind.children_height();
        Expr {
            kind,
            span,
            written: None,
            height,
        }
    }

    /// The height of the tree, 1 for a leaf. The parser keeps it bounded.
    pub fn height(&self) -> u32 {
        self.height
    }
}

impl ExprKind {
    fn children_height(&self) -> u32 {
        match self {
            ExprKind::Const(..) | ExprKind::Predefined(_) | ExprKind::Error => 0,
            ExprKind::Var(v) | ExprKind::Len(v) | ExprKind::Probe(_, v) => v.height(),
            ExprKind::Unary(_, e)
            | ExprKind::Enabled(e)
            | ExprKind::PcValue(e)
            | ExprKind::GetPriority(e) => e.height,
            ExprKind::Binary(_, a, b) => a.height.max(b.height),
            ExprKind::Conditional(c, a, b) => c.height.max(a.height).max(b.height),
            ExprKind::Run(run) => tallest(&run.args),
            ExprKind::Poll(receive) => receive.height(),
            ExprKind::RemoteLabel(r, _) => boxed_height(&r.pid),
            ExprKind::RemoteVar(r, f) => boxed_height(&r.pid).max(boxed_height(&f.index)),
        }
    }
}

impl VarRef {
    pub(super) fn height(&self) -> u32 {
        self.fields
            .iter()
            .map(|f| boxed_height(&f.index))
            .max()
            .unwrap_or(0)
    }
}

fn tallest(exprs: &[Expr]) -> u32 {
    exprs.iter().map(Expr::height).max().unwrap_or(0)
}

fn boxed_height(expr: &Option<Box<Expr>>) -> u32 {
    expr.as_ref().map_or(0, |e| e.height)
}

impl BinaryOp {
    /// How tightly it binds, as in Spin's grammar: a larger number binds tighter. All of them group
    /// to the left.
    pub fn precedence(self) -> u8 {
        use BinaryOp::*;
        match self {
            Implies | Equivalent => 1,
            Or => 2,
            And => 3,
            Until | WeakUntil | Release => 4,
            BitOr => 5,
            BitXor => 6,
            BitAnd => 7,
            Eq | Ne => 8,
            Lt | Le | Gt | Ge => 9,
            Shl | Shr => 10,
            Add | Sub => 11,
            Mul | Div | Rem => 12,
        }
    }

    /// True if its operands are conditions and it makes one of them, so that `full(q)` may be an operand.
    pub fn joins_conditions(self) -> bool {
        use BinaryOp::*;
        matches!(
            self,
            And | Or | Until | WeakUntil | Release | Implies | Equivalent
        )
    }

    /// The operator as written in a model.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            And => "&&",
            Or => "||",
            Until => "U",
            WeakUntil => "W",
            Release => "V",
            Implies => "->",
            Equivalent => "<->",
        }
    }
}

impl UnaryOp {
    /// The operator as written in a model.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Neg => "-",
            UnaryOp::BitNot => "~",
            UnaryOp::Always => "[] ",
            UnaryOp::Eventually => "<> ",
            UnaryOp::Next => "X ",
            UnaryOp::InAllRuns => "A ",
            UnaryOp::InSomeRun => "E ",
        }
    }
}

impl Predefined {
    /// All of them.
    pub const ALL: [Predefined; 6] = [
        Predefined::Pid,
        Predefined::NrPr,
        Predefined::Last,
        Predefined::Priority,
        Predefined::NonProgress,
        Predefined::Timeout,
    ];

    /// The name as written in a model.
    pub fn name(self) -> &'static str {
        match self {
            Predefined::Pid => "_pid",
            Predefined::NrPr => "_nr_pr",
            Predefined::Last => "_last",
            Predefined::Priority => "_priority",
            Predefined::NonProgress => "np_",
            Predefined::Timeout => "timeout",
        }
    }
}

impl Probe {
    /// The name as written in a model.
    pub fn name(self) -> &'static str {
        match self {
            Probe::Full => "full",
            Probe::Empty => "empty",
            Probe::NotFull => "nfull",
            Probe::NotEmpty => "nempty",
        }
    }

    /// The test that holds when this one does not.
    pub fn opposite(self) -> Probe {
        match self {
            Probe::Full => Probe::NotFull,
            Probe::Empty => Probe::NotEmpty,
            Probe::NotFull => Probe::Full,
            Probe::NotEmpty => Probe::Empty,
        }
    }
}
