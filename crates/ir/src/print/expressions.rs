//! Expressions and places, with as few parentheses as C needs.

use super::Scope;
use super::names::quoted;
use super::steps::progressions;
use crate::operators::{self, Binding, LOOSEST, UNARY};
use mandala_model::expr::{
    BinaryOp, Expr, ExprKind, Pattern, Place, Projection, ReceiveOrder, Root, UnaryOp,
};
use mandala_model::ids::{ChannelKindId, LocalId};
use mandala_model::quantified::Quantified;
use mandala_model::types::{Initial, Scalar, Type, Variable};

/// Something that never needs parentheses.
const ATOM: Binding = UNARY + 1;

impl Scope<'_> {
    /// The expression; `hint` is the type as which a number in it is meant, if that is known.
    pub(super) fn expression(&self, expression: &Expr, hint: Option<Scalar>) -> String {
        self.bound(expression, hint, LOOSEST)
    }

    /// The expression, in parentheses if it binds less tightly than `context`.
    fn bound(&self, expression: &Expr, hint: Option<Scalar>, context: Binding) -> String {
        let (text, binding) = self.parts(expression, hint);
        if binding < context {
            format!("({text})")
        } else {
            text
        }
    }

    fn parts(&self, expression: &Expr, hint: Option<Scalar>) -> (String, Binding) {
        let span = self.span(expression.span);
        match &expression.kind {
            ExprKind::Const(value) => {
                let (text, binding) = self.number(*value, hint);
                (text + &span, binding)
            }
            ExprKind::Read(place) => {
                let own = if place.span == expression.span {
                    ""
                } else {
                    &span
                };
                (self.place(place) + own, ATOM)
            }
            ExprKind::Unary(UnaryOp::Defined, inner) => {
                let inner = self.expression(inner, None);
                (format!("defined({inner}){span}"), ATOM)
            }
            ExprKind::Unary(operator, inner) => (self.unary(*operator, inner, &span), UNARY),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, &span),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.bound(condition, None, 1);
                let (yes, no) = (self.bound(yes, hint, 1), self.bound(no, hint, 1));
                (format!("{condition} ?{span} {yes} : {no}"), LOOSEST)
            }
            _ => (self.question(expression) + &span, ATOM),
        }
    }

    /// An operator before its operand. A number after a minus stands in parentheses: `-5` is a number itself.
    fn unary(&self, operator: UnaryOp, inner: &Expr, span: &str) -> String {
        let symbol = operators::unary(operator);
        let inner = match inner.kind {
            ExprKind::Const(_) => format!("({})", self.expression(inner, None)),
            _ => self.bound(inner, None, ATOM),
        };
        match span {
            "" => format!("{symbol}{inner}"),
            span => format!("{symbol}{span} {inner}"),
        }
    }

    /// A number, or its name if the type that it is meant as has one for it that means nothing else here.
    fn number(&self, value: i64, hint: Option<Scalar>) -> (String, Binding) {
        let name = match (hint, value) {
            (Some(Scalar::Bool), 0) => Some("false"),
            (Some(Scalar::Bool), 1) => Some("true"),
            (Some(Scalar::Enum(id)), _) => self.model.enumeration(id).name_of(value),
            (Some(Scalar::Coded { coding, .. }), _) => self.model.coding(coding).name_of(value),
            _ => None,
        };
        let means_it = |name: &&str| self.names.constants.number(name) == Some(value);
        let name = name.filter(means_it).map(quoted);
        match name.filter(|name| !self.is_variable(name)) {
            Some(name) => (name, ATOM),
            None if value < 0 => (value.to_string(), UNARY),
            None => (value.to_string(), ATOM),
        }
    }

    fn is_variable(&self, name: &String) -> bool {
        let local = self.locals.is_some_and(|l| l.names.contains(name));
        let bound = self.binders.iter().any(|(other, _)| other == name);
        local || bound || self.names.globals.contains(name)
    }

    /// `forall(i: u8 of 1..3: x[i] > 0)`
    fn quantified(&self, quantified: &Quantified) -> String {
        let variable = &quantified.variable;
        let name = self.free_name(&variable.name);
        let mut binders = self.binders.to_vec();
        binders.push((name.clone(), variable.scalar));
        let inside = Scope {
            binders: &binders,
            ..*self
        };
        let word = operators::quantifier(quantified.quantifier, quantified.evaluation);
        let (span, ty) = (
            self.attribute(variable.span),
            self.names.scalar(variable.scalar),
        );
        let values = progressions(&quantified.values);
        let body = inside.expression(&quantified.body, None);
        format!("{word}({name}{span}: {ty} of {values}: {body})")
    }

    /// A name that no variable in sight has.
    fn free_name(&self, name: &str) -> String {
        let name = quoted(name);
        let numbered = (1..).map(|number: u32| format!("{name}#{number}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        let free = candidates.find(|candidate| !self.is_variable(candidate));
        free.unwrap_or(name)
    }

    fn binary(
        &self,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: &str,
    ) -> (String, Binding) {
        let (symbol, binding) = operators::binary(operator);
        let (left_hint, right_hint) = match operator {
            BinaryOp::Equal | BinaryOp::NotEqual => (self.meant(right), self.meant(left)),
            _ => (None, None),
        };
        let left = self.bound(left, left_hint, binding);
        let right = self.bound(right, right_hint, binding + 1);
        (format!("{left} {symbol}{span} {right}"), binding)
    }

    /// What is asked of processes and channels.
    fn question(&self, expression: &Expr) -> String {
        let call = |name: &str, argument: &Expr| {
            let argument = self.expression(argument, None);
            format!("{name}({argument})")
        };
        match &expression.kind {
            ExprKind::SelfId => "self()".into(),
            ExprKind::ProcessCount => "processes()".into(),
            ExprKind::LastMover => "last_mover()".into(),
            ExprKind::Timeout => "timeout()".into(),
            ExprKind::NonProgress => "non_progress()".into(),
            ExprKind::Accepting => "accepting()".into(),
            ExprKind::FirstInstance(template) => {
                format!("first({})", self.names.templates[template.index()])
            }
            ExprKind::Enabled(process) => call("enabled", process),
            ExprKind::LocationNumber(process) => call("location_number", process),
            ExprKind::Priority(process) => call("priority", process),
            ExprKind::Channel(query, channel) => call(operators::query(*query), channel),
            ExprKind::Poll {
                channel,
                order,
                patterns,
            } => {
                let patterns = self.patterns(channel, patterns);
                let (channel, mark) = (self.channel(channel), order_mark(*order));
                format!("{channel}{mark}[{patterns}]")
            }
            ExprKind::At {
                template,
                process,
                location,
            } => {
                let name = &self.names.templates[template.index()];
                format!("{name}[{}]@{location}", self.expression(process, None))
            }
            ExprKind::Quantified(quantified) => self.quantified(quantified),
            ExprKind::Bound(id) => self.binders[id.index()].0.clone(),
            ExprKind::Const(_)
            | ExprKind::Read(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => self.bound(expression, None, ATOM),
        }
    }

    /// A channel before `!` or `?`.
    pub(super) fn channel(&self, channel: &Expr) -> String {
        self.bound(channel, None, ATOM)
    }

    pub(super) fn patterns(&self, channel: &Expr, patterns: &[Pattern]) -> String {
        let patterns = patterns.iter().enumerate();
        let texts = patterns.map(|(i, p)| self.pattern(p, self.field(channel, i)));
        texts.collect::<Vec<_>>().join(", ")
    }

    fn pattern(&self, pattern: &Pattern, hint: Option<Scalar>) -> String {
        match pattern {
            Pattern::Match(value) if value.as_constant().is_some() => self.expression(value, hint),
            Pattern::Match(value) => format!("eval({})", self.expression(value, hint)),
            Pattern::Bind(place) => self.place(place),
            Pattern::Ignore => "_".into(),
        }
    }

    pub(super) fn place(&self, place: &Place) -> String {
        let mut text = match &place.root {
            Root::Global(id) => self.names.globals[id.index()].clone(),
            Root::Local(id) => self.local_name(*id),
            Root::Reference(number) => self.reference_name(*number),
            Root::Remote {
                template,
                process,
                local,
            } => {
                let name = &self.names.templates[template.index()];
                let local = &self.names.locals[template.index()][local.index()];
                format!("{name}[{}]::{local}", self.expression(process, None))
            }
            Root::OwnPriority => "own_priority()".into(),
        };
        text.push_str(&self.span(place.span));
        let mut ty = self.variable(&place.root).map(|v| &v.ty);
        for projection in &place.path {
            text.push_str(&self.projection(ty, projection));
            ty = ty.and_then(|ty| self.part(ty, projection));
        }
        text
    }

    pub(super) fn local_name(&self, id: LocalId) -> String {
        self.locals
            .map_or_else(|| id.to_string(), |locals| locals.names[id.index()].clone())
    }

    fn reference_name(&self, number: u32) -> String {
        let name = self.references.map(|r| r.names[number as usize].clone());
        name.unwrap_or_else(|| format!("reference{number}"))
    }

    fn projection(&self, ty: Option<&Type>, projection: &Projection) -> String {
        match (projection, ty) {
            (Projection::Index(index), _) => format!("[{}]", self.expression(index, None)),
            (Projection::Field(field), Some(Type::Record(id))) => {
                format!(".{}", self.names.fields[id.index()][*field as usize])
            }
            (Projection::Field(field), _) => format!(".{field}"),
        }
    }

    fn variable(&self, root: &Root) -> Option<&Variable> {
        match root {
            Root::Global(id) => Some(self.model.global(*id)),
            Root::Local(id) => Some(&self.locals?.variables[id.index()]),
            Root::Reference(number) => Some(&self.references?.variables[*number as usize]),
            Root::Remote {
                template, local, ..
            } => Some(&self.model.template(*template).locals[local.index()]),
            Root::OwnPriority => None,
        }
    }

    fn part<'t>(&'t self, ty: &'t Type, projection: &Projection) -> Option<&'t Type> {
        match (ty, projection) {
            (Type::Record(id), Projection::Field(field)) => {
                Some(&self.model.record(*id).fields[*field as usize].ty)
            }
            (Type::Array { element, .. }, Projection::Index(_)) => Some(element),
            _ => None,
        }
    }

    /// The type of the cell that a place is.
    pub(super) fn cell(&self, place: &Place) -> Option<Scalar> {
        let variable = self.variable(&place.root)?;
        let mut path = place.path.iter();
        let ty = path.try_fold(&variable.ty, |ty, projection| self.part(ty, projection))?;
        match ty {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Record(_) | Type::Array { .. } => None,
        }
    }

    /// As what a number beside this expression is meant.
    fn meant(&self, expression: &Expr) -> Option<Scalar> {
        match &expression.kind {
            ExprKind::Read(place) => self.cell(place),
            ExprKind::Bound(id) => Some(self.binders[id.index()].1),
            ExprKind::Unary(UnaryOp::Defined, inner) => self.meant(inner),
            _ => None,
        }
    }

    /// The type of a field of the messages of a channel, if its declaration tells.
    pub(super) fn field(&self, channel: &Expr, index: usize) -> Option<Scalar> {
        let kind = self.model.channel_kind(self.kind(channel)?);
        kind.fields.get(index).copied()
    }

    fn kind(&self, channel: &Expr) -> Option<ChannelKindId> {
        let ExprKind::Read(place) = &channel.kind else {
            return None;
        };
        match self.variable(&place.root)?.initial {
            Initial::NewChannel(kind) => Some(kind),
            _ => None,
        }
    }
}

pub(super) fn order_mark(order: ReceiveOrder) -> &'static str {
    match order {
        ReceiveOrder::First => "?",
        ReceiveOrder::AnyMatching => "??",
    }
}
