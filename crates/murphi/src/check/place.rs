//! Names in expressions, and places.

use super::Checker;
use super::scope::Meaning;
use crate::ast;
use crate::typed::{
    AliasTarget, Expr, ExprKind, Place, Projection, ProjectionKind, Root, TypeId, TypeKind,
    VariableKind,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;
use mandala_model::suggest::closest;

/// What a designator stands for.
pub(super) enum Reference {
    /// A constant.
    Constant(Expr),
    /// A place, perhaps one that cannot be written to.
    Place(Place),
}

impl Checker<'_> {
    pub(super) fn reference(&mut self, designator: &ast::Designator) -> Fallible<Reference> {
        let base = &designator.base;
        let Some(symbol) = self.scopes.find(&base.name) else {
            return Err(self.unknown(base, "name", |m| {
                !matches!(m, Meaning::Type(_) | Meaning::Function(_))
            }));
        };
        let (root, ty) = match symbol.meaning {
            Meaning::Constant(value, ty) => return self.constant_reference(value, ty, designator),
            Meaning::Variable(id) => (Root::Variable(id), self.program.variable(id).ty),
            Meaning::Alias(id) => (Root::Alias(id), self.program.alias(id).ty),
            other => return Err(self.wrong_meaning(base, symbol.span, other, "a value")),
        };
        let mut place = Place {
            root,
            projections: Vec::new(),
            ty,
            span: base.span,
        };
        for selector in &designator.selectors {
            self.select(&mut place, selector)?;
        }
        Ok(Reference::Place(place))
    }

    fn constant_reference(
        &self,
        value: i128,
        ty: TypeId,
        designator: &ast::Designator,
    ) -> Fallible<Reference> {
        if !designator.selectors.is_empty() {
            let message = format!("`{}` is a constant and has no parts", designator.base.name);
            return Err(error(designator.span, message));
        }
        Ok(Reference::Constant(Expr {
            kind: ExprKind::Constant(value),
            ty,
            span: designator.span,
        }))
    }

    /// A designator that must be a place.
    pub(super) fn place(&mut self, designator: &ast::Designator, what: &str) -> Fallible<Place> {
        match self.reference(designator)? {
            Reference::Place(place) => Ok(place),
            Reference::Constant(_) => {
                let message = format!(
                    "{what} must be a variable, but `{}` is a constant",
                    designator.base.name
                );
                Err(error(designator.span, message))
            }
        }
    }

    /// A designator that must be a place that can be written to.
    pub(super) fn writable_place(
        &mut self,
        designator: &ast::Designator,
        what: &str,
    ) -> Fallible<Place> {
        let place = self.place(designator, what)?;
        match self.read_only_reason(&place) {
            None => Ok(place),
            Some(reason) => Err(self.not_writable(designator, &reason, place.root)),
        }
    }

    fn not_writable(
        &self,
        designator: &ast::Designator,
        reason: &str,
        root: Root,
    ) -> Box<Diagnostic> {
        let message = format!(
            "`{}` cannot be written to: it is {reason}",
            designator.base.name
        );
        let declared = match root {
            Root::Variable(id) => self.program.variable(id).span,
            Root::Alias(id) => self.program.alias(id).span,
        };
        Box::new(
            Diagnostic::error(designator.span, message).with_related(declared, "declared here"),
        )
    }

    /// Why nothing may be written to a place, if that is so.
    pub(super) fn read_only_reason(&self, place: &Place) -> Option<String> {
        match place.root {
            Root::Alias(id) => match &self.program.alias(id).target {
                AliasTarget::Place(place) => self.read_only_reason(place),
                AliasTarget::Value(_) => Some("an alias of a value".to_string()),
            },
            Root::Variable(id) => match self.program.variable(id).kind {
                kind if kind.is_writable() => None,
                VariableKind::Value | VariableKind::Seen => {
                    Some("a parameter without `var`".to_string())
                }
                _ => Some("bound by a ruleset, loop or quantifier".to_string()),
            },
        }
    }

    /// One more step into a place.
    fn select(&mut self, place: &mut Place, selector: &ast::Selector) -> Fallible<()> {
        let projection = match selector {
            ast::Selector::Field(name) => self.field(place, name)?,
            ast::Selector::Index(index, brackets) => self.element(place, index, *brackets)?,
        };
        place.ty = projection.ty;
        place.span = place.span.to(projection.span);
        place.projections.push(projection);
        Ok(())
    }

    fn field(&self, place: &Place, name: &ast::Ident) -> Fallible<Projection> {
        let TypeKind::Record(fields) = self.types().kind(place.ty) else {
            let message = format!(
                "only records have fields, but this is {}",
                self.describe(place.ty)
            );
            return Err(error(place.span, message));
        };
        if let Some(index) = fields.iter().position(|field| field.name == name.name) {
            let ty = fields[index].ty;
            return Ok(Projection {
                kind: ProjectionKind::Field(index),
                ty,
                span: name.span,
            });
        }
        let message = format!("the record has no field `{}`", name.name);
        let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
        let help = match closest(&name.name, names.iter().copied()) {
            Some(near) => format!("there is `{near}`"),
            None => format!("its fields are: {}", names.join(", ")),
        };
        Err(error_help(name.span, message, help))
    }

    fn element(&mut self, place: &Place, index: &ast::Expr, span: Span) -> Fallible<Projection> {
        match *self.types().kind(place.ty) {
            TypeKind::Array {
                index: index_type,
                element,
            } => {
                let index = self.expr(index)?;
                let index = self.expect_type(index, index_type, "the index of this array")?;
                Ok(Projection {
                    kind: ProjectionKind::Index(index),
                    ty: element,
                    span,
                })
            }
            TypeKind::Multiset { element, .. } => {
                let slot = self.slot_of(index, place)?;
                Ok(Projection {
                    kind: ProjectionKind::Slot(slot),
                    ty: element,
                    span,
                })
            }
            _ => {
                let found = self.describe(place.ty);
                let message =
                    format!("only arrays and multisets have elements, but this is {found}");
                Err(error(place.span, message))
            }
        }
    }

    /// Complains about a name that is not known.
    pub(super) fn unknown(
        &self,
        name: &ast::Ident,
        what: &str,
        is_such: impl Fn(Meaning) -> bool,
    ) -> Box<Diagnostic> {
        let diagnostic =
            Diagnostic::error(name.span, format!("there is no {what} `{}`", name.name));
        if let Some(&later) = self.declared.get(&name.name) {
            let help = "names are known from their declaration on; move it before this";
            return Box::new(
                diagnostic
                    .with_help(help)
                    .with_related(later, "declared only here"),
            );
        }
        if name.name.eq_ignore_ascii_case("undefined") {
            let help = "`undefined` can only be assigned, or passed for a parameter without `var`";
            return Box::new(diagnostic.with_help(help));
        }
        let known: Vec<&str> = self.scopes.names(is_such).collect();
        let other_case = known
            .iter()
            .find(|known| known.eq_ignore_ascii_case(&name.name));
        match other_case
            .copied()
            .or_else(|| closest(&name.name, known.iter().copied()))
        {
            Some(near) => Box::new(diagnostic.with_help(format!("did you mean `{near}`?"))),
            None => Box::new(diagnostic),
        }
    }

    /// Complains about a name that is known as something else.
    pub(super) fn wrong_meaning(
        &self,
        name: &ast::Ident,
        declared: Option<Span>,
        meaning: Meaning,
        wanted: &str,
    ) -> Box<Diagnostic> {
        let message = format!(
            "expected {wanted}, but `{}` is {}",
            name.name,
            meaning.noun()
        );
        let diagnostic = Diagnostic::error(name.span, message);
        Box::new(match declared {
            Some(span) => diagnostic.with_related(span, "declared here"),
            None => diagnostic,
        })
    }
}
