//! The syntax tree.

use dashu_ratio::RBig;
use mandala_model::chance::Stochastic;
use mandala_model::property::Runs;
use mandala_model::source::Span;
use std::sync::Arc;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Ident {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
}

/// A whole file of a model, or what a file of properties declares.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) kind: Option<(Stochastic, Span)>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) globals: Vec<Declaration>,
    pub(crate) modules: Vec<Module>,
    pub(crate) formulas: Vec<Definition>,
    pub(crate) labels: Vec<Definition>,
    pub(crate) rewards: Vec<Rewards>,
    pub(crate) init: Option<Expr>,
    pub(crate) system: Option<Composition>,
    pub(crate) properties: Vec<Stated>,
}

/// A property of a file of properties.
#[derive(Debug)]
pub(crate) struct Stated {
    pub(crate) name: Option<Ident>,
    pub(crate) formula: Expr,
    pub(crate) span: Span,
}

/// What a constant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstantKind {
    Int,
    Double,
    Bool,
}

#[derive(Debug)]
pub(crate) struct Constant {
    pub(crate) name: Ident,
    pub(crate) kind: ConstantKind,
    pub(crate) value: Option<Expr>,
}

/// A formula or a label.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Ident,
    pub(crate) value: Expr,
}

/// The declaration of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Ident,
    pub(crate) range: Range,
    pub(crate) init: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) enum Range {
    Bool,
    Between(Expr, Expr),
}

#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) name: Ident,
    pub(crate) body: Body,
}

#[derive(Debug)]
pub(crate) enum Body {
    Own(Contents),
    /// Another module, in which each first name of a pair becomes the second.
    Renamed {
        base: Ident,
        pairs: Vec<(Ident, Ident)>,
    },
}

/// What is in a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    pub(crate) variables: Vec<Declaration>,
    pub(crate) commands: Vec<Command>,
}

#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) action: Option<Ident>,
    pub(crate) guard: Expr,
    pub(crate) updates: Vec<Update>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) weight: Option<Expr>,
    pub(crate) assignments: Vec<(Ident, Expr)>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Rewards {
    pub(crate) name: Option<Ident>,
    pub(crate) items: Vec<RewardItem>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct RewardItem {
    pub(crate) of: Earner,
    pub(crate) guard: Expr,
    pub(crate) amount: Expr,
    pub(crate) span: Span,
}

/// What earns a reward.
#[derive(Debug)]
pub(crate) enum Earner {
    State,
    /// Steps of an action, or those without one.
    Steps(Option<Ident>),
}

/// How modules are put together.
#[derive(Debug)]
pub(crate) enum Composition {
    Module(Ident),
    /// `||`: together on all actions that both have.
    Full(Box<Composition>, Box<Composition>),
    /// `|||`: never together.
    Interleaved(Box<Composition>, Box<Composition>),
    /// `|[a, b]|`: together on those.
    Over(Box<Composition>, Vec<Ident>, Box<Composition>),
    /// `/ {a}`: those actions lose their names.
    Hiding(Box<Composition>, Vec<Ident>),
    /// `{a <- b}`: each first action becomes the second.
    Renaming(Box<Composition>, Vec<(Ident, Ident)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Bool(bool),
    Int(i64),
    Real(RBig),
    Name(Arc<str>),
    /// A name in quotes: a label.
    Label(Arc<str>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// All of them.
    All(Vec<Expr>),
    /// Any of them.
    Any(Vec<Expr>),
    If(Box<[Expr; 3]>),
    Call(Function, Vec<Expr>),
    /// What stands in properties alone.
    Operator(Box<Operator>),
    Temporal(Box<Temporal>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Min,
    Max,
    Floor,
    Ceil,
    Round,
    Pow,
    Mod,
    Log,
}

impl Function {
    pub(crate) const ALL: [(&'static str, Function); 8] = [
        ("min", Function::Min),
        ("max", Function::Max),
        ("floor", Function::Floor),
        ("ceil", Function::Ceil),
        ("round", Function::Round),
        ("pow", Function::Pow),
        ("mod", Function::Mod),
        ("log", Function::Log),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, function)| function)
    }
}

/// What has a value or holds in a state, by looking at what comes.
#[derive(Clone, Debug)]
pub(crate) enum Operator {
    Probability(Asked, Expr),
    Reward(Option<Structure>, Asked, Accumulated),
    LongRun(Asked, Expr),
    /// `A [..]` and `E [..]`.
    Branching(Runs, Expr),
    Filter {
        operation: Ident,
        subject: Expr,
        states: Option<Expr>,
    },
}

/// Which structure of rewards.
#[derive(Clone, Debug)]
pub(crate) enum Structure {
    Named(Ident),
    Number(Expr),
}

/// What is asked of a value.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// `min` or `max`.
    pub(crate) optimum: Option<Bound>,
    /// The comparison and what with; none for `=?`.
    pub(crate) limit: Option<(BinaryOp, Expr)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Least,
    Greatest,
}

#[derive(Clone, Debug)]
pub(crate) enum Accumulated {
    Until(Expr),
    UpTo(Expr),
    Total,
    At(Expr),
    LongRun,
}

/// What is true of a run.
#[derive(Clone, Debug)]
pub(crate) enum Temporal {
    Next(Expr),
    Eventually(Within, Expr),
    Always(Within, Expr),
    Until(Within, Expr, Expr),
    WeakUntil(Within, Expr, Expr),
    Release(Within, Expr, Expr),
}

/// A span of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Within {
    /// The earliest time, and whether it is excluded.
    pub(crate) from: Option<(Expr, Edge)>,
    /// The latest time, and whether it is excluded.
    pub(crate) to: Option<(Expr, Edge)>,
}

/// Whether the end of a span of time belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Included,
    Excluded,
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, span: Span) -> Self {
        Expr { kind, span }
    }

    /// Calls `visit` on the expressions that this one is directly made of.
    pub(crate) fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Name(_)
            | ExprKind::Label(_) => {}
            ExprKind::Not(a) | ExprKind::Negate(a) => visit(a),
            ExprKind::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::All(parts) | ExprKind::Any(parts) | ExprKind::Call(_, parts) => {
                parts.iter().for_each(visit);
            }
            ExprKind::If(parts) => parts.iter().for_each(visit),
            ExprKind::Operator(operator) => operator.each_part(visit),
            ExprKind::Temporal(temporal) => temporal.each_part(visit),
        }
    }

    /// The same, to change them.
    pub(crate) fn each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Name(_)
            | ExprKind::Label(_) => {}
            ExprKind::Not(a) | ExprKind::Negate(a) => visit(a),
            ExprKind::Binary(_, a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::All(parts) | ExprKind::Any(parts) | ExprKind::Call(_, parts) => {
                parts.iter_mut().for_each(visit);
            }
            ExprKind::If(parts) => parts.iter_mut().for_each(visit),
            ExprKind::Operator(operator) => operator.each_part_mut(visit),
            ExprKind::Temporal(temporal) => temporal.each_part_mut(visit),
        }
    }

    /// Whether some part satisfies `test`.
    pub(crate) fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        let mut found = test(self);
        self.each_part(&mut |part| found = found || part.any(test));
        found
    }
}

impl Asked {
    fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        if let Some((_, limit)) = &self.limit {
            visit(limit);
        }
    }

    fn each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        if let Some((_, limit)) = &mut self.limit {
            visit(limit);
        }
    }
}

impl Operator {
    fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Operator::Probability(asked, inner) | Operator::LongRun(asked, inner) => {
                asked.each_part(visit);
                visit(inner);
            }
            Operator::Reward(structure, asked, what) => {
                if let Some(Structure::Number(number)) = structure {
                    visit(number);
                }
                asked.each_part(visit);
                match what {
                    Accumulated::Until(e) | Accumulated::UpTo(e) | Accumulated::At(e) => visit(e),
                    Accumulated::Total | Accumulated::LongRun => {}
                }
            }
            Operator::Branching(_, inner) => visit(inner),
            Operator::Filter {
                subject, states, ..
            } => {
                visit(subject);
                states.iter().for_each(visit);
            }
        }
    }

    fn each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Operator::Probability(asked, inner) | Operator::LongRun(asked, inner) => {
                asked.each_part_mut(visit);
                visit(inner);
            }
            Operator::Reward(structure, asked, what) => {
                if let Some(Structure::Number(number)) = structure {
                    visit(number);
                }
                asked.each_part_mut(visit);
                match what {
                    Accumulated::Until(e) | Accumulated::UpTo(e) | Accumulated::At(e) => visit(e),
                    Accumulated::Total | Accumulated::LongRun => {}
                }
            }
            Operator::Branching(_, inner) => visit(inner),
            Operator::Filter {
                subject, states, ..
            } => {
                visit(subject);
                states.iter_mut().for_each(visit);
            }
        }
    }
}

impl Temporal {
    fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        let mut ends = |within: &'e Within| {
            let ends = within.from.iter().chain(&within.to);
            ends.for_each(|(end, _)| visit(end));
        };
        match self {
            Temporal::Next(inner) => visit(inner),
            Temporal::Eventually(within, inner) | Temporal::Always(within, inner) => {
                ends(within);
                visit(inner);
            }
            Temporal::Until(within, left, right)
            | Temporal::WeakUntil(within, left, right)
            | Temporal::Release(within, left, right) => {
                ends(within);
                visit(left);
                visit(right);
            }
        }
    }

    fn each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        let mut ends = |within: &mut Within| {
            let ends = within.from.iter_mut().chain(&mut within.to);
            ends.for_each(|(end, _)| visit(end));
        };
        match self {
            Temporal::Next(inner) => visit(inner),
            Temporal::Eventually(within, inner) | Temporal::Always(within, inner) => {
                ends(within);
                visit(inner);
            }
            Temporal::Until(within, left, right)
            | Temporal::WeakUntil(within, left, right)
            | Temporal::Release(within, left, right) => {
                ends(within);
                visit(left);
                visit(right);
            }
        }
    }
}
