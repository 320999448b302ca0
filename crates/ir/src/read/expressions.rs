//! Expressions, places and patterns.

use super::tables::{Known, look_up, spelled};
use super::{Reader, Scope};
use crate::lexer::{Key, TokenKind};
use crate::operators::{self, Binding};
use mandala_model::expr::{
    BinaryOp, Expr, ExprKind, Pattern, Place, Projection, ReceiveOrder, Root, UnaryOp,
};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::{BinderId, LocalId, LocationId, TemplateId};
use mandala_model::parameters::Values;
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::types::{Type, Variable};
use std::collections::HashMap;

/// How high the tree of an expression may be: chains are read by a loop, but walked and dropped by recursion.
const HEIGHT: u32 = 2_000;

/// What a name stands for, with what follows it.
enum Reference {
    Place(Place),
    Other(Expr),
}

/// The way from a variable to a part of it, before the type of the variable is asked.
enum Step {
    Field(Key, Span),
    Index(Expr),
}

/// A variable that may be meant, and where it is.
struct Found<'k> {
    root: Root,
    variable: Option<&'k Variable>,
}

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Fallible<Expr> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Fallible<Expr> {
        let condition = self.binary(1)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let mut height = self.height;
        let span = self.place_in_source()?;
        let yes = self.binary(1)?;
        height = height.max(self.height);
        self.expect(":")?;
        let no = self.binary(1)?;
        let span = span.unwrap_or(condition.span.to(no.span));
        self.grown(height.max(self.height), span)?;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Expr::new(kind, span))
    }

    /// Operations on two values that bind at least that tightly.
    fn binary(&mut self, least: Binding) -> Fallible<Expr> {
        let mut left = self.unary()?;
        while let Some((operator, binding)) = self.operator(least) {
            self.advance();
            let height = self.height;
            let span = self.place_in_source()?;
            let right = self.nested(|r| r.binary(binding + 1))?;
            let span = span.unwrap_or(left.span.to(right.span));
            self.grown(height.max(self.height), span)?;
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = Expr::new(kind, span);
        }
        Ok(left)
    }

    fn operator(&self, least: Binding) -> Option<(BinaryOp, Binding)> {
        let TokenKind::Symbol(symbol) = self.token().kind else {
            return None;
        };
        operators::binary_of(symbol).filter(|(_, binding)| *binding >= least)
    }

    /// Notes how high the tree is that has just been read.
    fn grown(&mut self, below: u32, span: Span) -> Fallible<()> {
        self.height = below + 1;
        match self.height > HEIGHT {
            true => Err(error(
                span,
                format!("the tree of this expression is higher than {HEIGHT}"),
            )),
            false => Ok(()),
        }
    }

    fn unary(&mut self) -> Fallible<Expr> {
        let is_number = matches!(self.ahead(1).kind, TokenKind::Number(_));
        let operators: &[UnaryOp] = match self.token().kind {
            TokenKind::Symbol("-") if !is_number => &[UnaryOp::Negate],
            TokenKind::Symbol("!") => &[UnaryOp::Not],
            TokenKind::Symbol("!!") => &[UnaryOp::Not, UnaryOp::Not],
            TokenKind::Symbol("~") => &[UnaryOp::BitNot],
            _ => return self.postfix(),
        };
        let own = self.here();
        self.advance();
        let span = self.place_in_source()?;
        let mut inner = self.nested(Self::unary)?;
        for operator in operators {
            let span = span.unwrap_or(own.to(inner.span));
            self.grown(self.height, span)?;
            inner = Expr::new(ExprKind::Unary(*operator, Box::new(inner)), span);
        }
        Ok(inner)
    }

    /// Something that needs no parentheses, and what is asked of it if it is a channel.
    pub(super) fn postfix(&mut self) -> Fallible<Expr> {
        let start = self.here();
        let mut inner = self.primary()?;
        while self.is_symbol_ahead(1, "[") && (self.is_symbol("?") || self.is_symbol("??")) {
            let height = self.height;
            let order = self.receive_order()?;
            self.advance();
            let patterns = self.list_until("]", Self::pattern)?;
            let span = self.since(start);
            let span = self.span_or(span)?;
            self.grown(height.max(self.height), span)?;
            let channel = Box::new(inner);
            let kind = ExprKind::Poll {
                channel,
                order,
                patterns,
            };
            inner = Expr::new(kind, span);
        }
        Ok(inner)
    }

    pub(super) fn receive_order(&mut self) -> Fallible<ReceiveOrder> {
        if self.eat("??") {
            return Ok(ReceiveOrder::AnyMatching);
        }
        match self.eat("?") {
            true => Ok(ReceiveOrder::First),
            false => self.expected("`?` or `??`"),
        }
    }

    fn primary(&mut self) -> Fallible<Expr> {
        let start = self.here();
        self.height = 0;
        match &self.token().kind {
            TokenKind::Symbol("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            TokenKind::Symbol("-") | TokenKind::Number(_) => {
                let value = self.integer()?;
                let span = self.since(start);
                Ok(Expr::constant(value, self.span_or(span)?))
            }
            TokenKind::Word(_) if self.is_edge() => self.expected("an expression"),
            TokenKind::Word(_) | TokenKind::Quoted(_) => match self.reference()? {
                Reference::Other(expression) => Ok(expression),
                Reference::Place(place) => {
                    let span = self.span_or(place.span)?;
                    Ok(Expr::new(ExprKind::Read(place), span))
                }
            },
            _ => self.expected("an expression"),
        }
    }

    pub(super) fn place(&mut self) -> Fallible<Place> {
        let span = self.here();
        match self.reference()? {
            Reference::Place(place) => Ok(place),
            Reference::Other(_) => Err(error(span, "expected a variable or a part of one")),
        }
    }

    pub(super) fn pattern(&mut self) -> Fallible<Pattern> {
        self.height = 0;
        if self.is_word("_") {
            self.advance();
            return Ok(Pattern::Ignore);
        }
        if self.is_word("eval") && self.is_symbol_ahead(1, "(") {
            self.advance();
            self.advance();
            let value = self.expression()?;
            self.expect(")")?;
            return Ok(Pattern::Match(value));
        }
        if !self.is_name() {
            return Ok(Pattern::Match(self.primary()?));
        }
        match self.reference()? {
            Reference::Place(place) => Ok(Pattern::Bind(place)),
            Reference::Other(value) => Ok(Pattern::Match(value)),
        }
    }

    /// A name with what follows it: a question, a constant, a place, or what is asked of another process.
    fn reference(&mut self) -> Fallible<Reference> {
        let start = self.here();
        if self.is_symbol_ahead(1, "(") {
            return self.call(start);
        }
        let key = self.name("a name")?;
        let own = self.since(start);
        let given = self.place_in_source()?;
        if let Some(level) = self.binders.iter().rposition(|bound| *bound == key) {
            let kind = ExprKind::Bound(BinderId::from(level));
            return Ok(Reference::Other(Expr::new(kind, given.unwrap_or(own))));
        }
        if given.is_none() && self.eat("[") {
            let index = self.expression()?;
            self.expect("]")?;
            if self.is_symbol("@") || self.is_symbol("::") {
                return self.other_process(&key, index, start);
            }
            return self.cell(&key, own, start, vec![Step::Index(index)], None);
        }
        if let Some(value) = self.constant(&key) {
            let span = given.unwrap_or(own);
            return Ok(Reference::Other(Expr::constant(value, span)));
        }
        self.cell(&key, own, start, Vec::new(), given)
    }

    /// The number that a name stands for, unless it is a variable.
    fn constant(&self, key: &Key) -> Option<i64> {
        let known = self
            .known
            .filter(|_| !self.is_symbol(".") && !self.is_symbol("["))?;
        let is_variable = self.variable_named(known, key).is_some();
        let number = known.constants.number(&key.name)?;
        (!is_variable && key.number.is_none()).then_some(number)
    }

    /// `TEMPLATE[process]@location` or `TEMPLATE[process]::local`, from the symbol in the middle on.
    fn other_process(&mut self, key: &Key, process: Expr, start: Span) -> Fallible<Reference> {
        let template = self.template_named(key, start)?;
        let process = Box::new(process);
        if self.eat("@") {
            let location = LocationId(self.numbered("s", "a location")?);
            let span = self.since(start);
            let span = self.span_or(span)?;
            self.grown(self.height, span)?;
            let kind = ExprKind::At {
                template,
                process,
                location,
            };
            return Ok(Reference::Other(Expr::new(kind, span)));
        }
        self.expect("::")?;
        let own = self.here();
        let name = self.name("the name of a local variable")?;
        let given = self.place_in_source()?;
        let local = self.local_of(template, &name, own)?;
        let root = Root::Remote {
            template,
            process,
            local,
        };
        let known = self.known;
        let locals = known.map(|k| &k.model.template(template).locals);
        let variable = locals.map(|locals| &locals[local.index()]);
        let height = self.height;
        let path = self.path(Vec::new(), height)?;
        self.finish(Found { root, variable }, path, start, given)
    }

    pub(super) fn local_of(
        &self,
        template: TemplateId,
        name: &Key,
        span: Span,
    ) -> Fallible<LocalId> {
        let Some(known) = self.known else {
            return Ok(LocalId(0));
        };
        let locals = &known.tables.locals[template.index()];
        look_up(locals, name, span, "local variable")
    }

    /// A variable of the process itself or of all, with a path.
    fn cell(
        &mut self,
        key: &Key,
        own: Span,
        start: Span,
        begun: Vec<Step>,
        given: Option<Span>,
    ) -> Fallible<Reference> {
        let height = self.height;
        let path = self.path(begun, height)?;
        let found = match self.known {
            None => Some(Found {
                root: Root::OwnPriority,
                variable: None,
            }),
            Some(known) => self.variable_named(known, key),
        };
        match found {
            Some(found) => self.finish(found, path, start, given),
            None => Err(error(own, self.unknown(key))),
        }
    }

    fn unknown(&self, key: &Key) -> String {
        let name = spelled(key);
        let known = self.known.map(|known| &known.constants);
        match known.is_some_and(|constants| constants.is_ambiguous(&key.name)) {
            true => format!("`{name}` is the name of several numbers; write the number"),
            false => format!("there is no variable or constant `{name}` here"),
        }
    }

    fn variable_named<'k>(&self, known: &'k Known, key: &Key) -> Option<Found<'k>> {
        let locals: Option<(&HashMap<Key, LocalId>, &'k [Variable])> = match self.scope {
            Scope::Outside => None,
            Scope::Function(number) => return self.in_function(known, number, key),
            Scope::Template(number) => {
                let template = known.model.templates.get(number)?;
                Some((known.tables.locals.get(number)?, &template.locals))
            }
            Scope::Property(number) => {
                let property = known.model.properties.get(number)?;
                Some((known.tables.indices.get(number)?, property.kind.indices()))
            }
            Scope::Monitors => Some((&known.tables.monitor_locals, &known.model.monitor_scratch)),
        };
        let local = locals.and_then(|(names, variables)| {
            let id = *names.get(key)?;
            let variable = variables.get(id.index());
            Some(Found {
                root: Root::Local(id),
                variable,
            })
        });
        local.or_else(|| global(known, key))
    }

    /// A variable or reference of a function, or a global variable.
    fn in_function<'k>(&self, known: &'k Known, number: usize, key: &Key) -> Option<Found<'k>> {
        let Some(root) = known.tables.frames.get(number)?.get(key).cloned() else {
            return global(known, key);
        };
        let function = known.model.functions.get(number)?;
        let variable = match &root {
            Root::Local(id) => function.locals.get(id.index()),
            Root::Reference(number) => function.references.get(*number as usize),
            _ => None,
        };
        Some(Found { root, variable })
    }

    fn path(&mut self, mut path: Vec<Step>, mut height: u32) -> Fallible<Vec<Step>> {
        loop {
            if self.eat(".") {
                let span = self.here();
                path.push(Step::Field(self.name("the name of a field")?, span));
            } else if self.eat("[") {
                path.push(Step::Index(self.expression()?));
                height = height.max(self.height);
                self.expect("]")?;
            } else {
                let span = self.here();
                self.grown(height, span)?;
                return Ok(path);
            }
        }
    }

    /// A place, once the type of its variable is known.
    fn finish(
        &self,
        found: Found<'_>,
        steps: Vec<Step>,
        start: Span,
        given: Option<Span>,
    ) -> Fallible<Reference> {
        let span = given.unwrap_or(self.since(start));
        let known: Option<&Known> = self.known;
        let (mut path, mut ty) = (Vec::new(), found.variable.map(|v| &v.ty));
        for step in steps {
            let (projection, part) = projected(known, ty, step)?;
            path.push(projection);
            ty = part;
        }
        let root = found.root;
        Ok(Reference::Place(Place { root, path, span }))
    }

    /// A question, whose parentheses tell it from a variable.
    fn call(&mut self, start: Span) -> Fallible<Reference> {
        let Some(name) = self.word().map(str::to_owned) else {
            return self.expected("the name of a question");
        };
        self.advance();
        self.advance();
        let kind = match name.as_str() {
            "own_priority" => return self.own_priority(start),
            "self" => ExprKind::SelfId,
            "processes" => ExprKind::ProcessCount,
            "last_mover" => ExprKind::LastMover,
            "timeout" => ExprKind::Timeout,
            "non_progress" => ExprKind::NonProgress,
            "accepting" => ExprKind::Accepting,
            "first" => ExprKind::FirstInstance(self.template()?),
            _ => match operators::quantifier_of(&name) {
                Some(quantifier) => self.quantified(quantifier)?,
                None => self.asked(&name, start)?,
            },
        };
        self.expect(")")?;
        let span = self.since(start);
        let span = self.span_or(span)?;
        self.grown(self.height, span)?;
        Ok(Reference::Other(Expr::new(kind, span)))
    }

    /// A quantifier from behind its word on: `i: u8 of 1..3: x[i] > 0`.
    fn quantified(
        &mut self,
        (quantifier, evaluation): (Quantifier, Evaluation),
    ) -> Fallible<ExprKind> {
        let start = self.here();
        let key = self.name("the name of a variable")?;
        let own = self.since(start);
        let span = self.span_or(own)?;
        self.expect(":")?;
        let scalar = self.scalar()?;
        self.expect_word("of")?;
        let values = Values(self.list(Self::progression)?);
        self.expect(":")?;
        let variable = BoundVariable {
            id: BinderId::from(self.binders.len()),
            name: key.name.clone(),
            scalar,
            span,
        };
        self.binders.push(key);
        let body = self.expression();
        self.binders.pop();
        Ok(ExprKind::Quantified(Box::new(Quantified {
            quantifier,
            evaluation,
            variable,
            values,
            body: body?,
        })))
    }

    fn own_priority(&mut self, start: Span) -> Fallible<Reference> {
        self.expect(")")?;
        let span = self.since(start);
        let (root, path) = (Root::OwnPriority, Vec::new());
        let span = self.span_or(span)?;
        Ok(Reference::Place(Place { root, path, span }))
    }

    /// A question about a value.
    fn asked(&mut self, name: &str, start: Span) -> Fallible<ExprKind> {
        let query = operators::query_of(name);
        let known = ["enabled", "location_number", "priority", "defined"].contains(&name);
        if query.is_none() && !known {
            return Err(error(start, format!("there is no question `{name}(..)`")));
        }
        let value = Box::new(self.expression()?);
        Ok(match (query, name) {
            (Some(query), _) => ExprKind::Channel(query, value),
            (None, "enabled") => ExprKind::Enabled(value),
            (None, "location_number") => ExprKind::LocationNumber(value),
            (None, "priority") => ExprKind::Priority(value),
            (None, _) => ExprKind::Unary(UnaryOp::Defined, value),
        })
    }
}

fn field_type(field: Option<&Variable>) -> Option<&Type> {
    field.map(|f| &f.ty)
}

/// One step from a value of a type to a part of it, and the type of the part.
fn projected<'k>(
    known: Option<&'k Known>,
    ty: Option<&'k Type>,
    step: Step,
) -> Fallible<(Projection, Option<&'k Type>)> {
    let Some(known) = known else {
        return Ok((Projection::Field(0), None));
    };
    match (step, ty) {
        (Step::Index(index), ty) => {
            let element = ty.and_then(|ty| match ty {
                Type::Array { element, .. } => Some(&**element),
                _ => None,
            });
            Ok((Projection::Index(index), element))
        }
        (Step::Field(key, span), Some(Type::Record(id))) => {
            let field = look_up(&known.tables.fields[id.index()], &key, span, "field")?;
            let record = known.model.record(*id);
            let part = field_type(record.fields.get(field as usize));
            Ok((Projection::Field(field), part))
        }
        (Step::Field(_, span), _) => Err(error(span, "only a record has fields")),
    }
}

fn global<'k>(known: &'k Known, key: &Key) -> Option<Found<'k>> {
    let id = *known.tables.globals.get(key)?;
    let variable = known.model.globals.get(id.index());
    Some(Found {
        root: Root::Global(id),
        variable,
    })
}
