//! Aliases.

use super::scope::Meaning;
use super::{Checker, fold};
use crate::ast;
use crate::typed::{Alias, AliasId, AliasTarget, Expr, ExprKind, Place, Root};
use mandala_model::findings::Fallible;

impl Checker<'_> {
    /// Makes aliases known in the current scope, each from its declaration on. An alias of a constant is a
    /// constant and no row of the table.
    pub(super) fn aliases(&mut self, decls: &[ast::ExprDecl]) -> Fallible<Vec<AliasId>> {
        let mut aliases = Vec::new();
        for decl in decls {
            let value = self.expr(&decl.value)?;
            let constant = fold::fold(&value)?;
            for name in &decl.names {
                match constant {
                    Some(number) => self
                        .scopes
                        .declare(name, Meaning::Constant(number, value.ty))?,
                    None => aliases.push(self.new_alias(name, value.clone())?),
                }
            }
        }
        Ok(aliases)
    }

    fn new_alias(&mut self, name: &ast::Ident, value: Expr) -> Fallible<AliasId> {
        let ty = value.ty;
        let target = match value.kind {
            ExprKind::Read(place) => AliasTarget::Place(place),
            _ => AliasTarget::Value(value),
        };
        let id = AliasId::from(self.program.aliases.len());
        self.program.aliases.push(Alias {
            name: name.name.clone(),
            target,
            ty,
            span: name.span,
        });
        self.scopes.declare(name, Meaning::Alias(id))?;
        Ok(id)
    }

    /// True if the place is in the end an alias of a value.
    pub(super) fn is_alias_of_value(&self, place: &Place) -> bool {
        match place.root {
            Root::Variable(_) => false,
            Root::Alias(id) => match &self.program.alias(id).target {
                AliasTarget::Place(place) => self.is_alias_of_value(place),
                AliasTarget::Value(_) => true,
            },
        }
    }
}
