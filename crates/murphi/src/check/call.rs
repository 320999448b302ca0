//! Calls of functions and procedures.

use super::Checker;
use super::scope::Meaning;
use crate::ast;
use crate::typed::{
    Argument, Expr, ExprKind, FunctionId, StmtKind, TypeId, VariableId, VariableKind,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help, fail};

impl Checker<'_> {
    pub(super) fn call_expr(&mut self, call: &ast::Call) -> Fallible<Expr> {
        let function = self.callee(&call.function)?;
        let Some(ty) = self.program.function(function).result else {
            let message = format!("the procedure `{}` has no result", call.function.name);
            let declared = self.program.function(function).name_span;
            return fail(
                Diagnostic::error(call.span, message).with_related(declared, "declared here"),
            );
        };
        let arguments = self.arguments(function, call)?;
        Ok(Expr {
            kind: ExprKind::Call(function, arguments),
            ty,
            span: call.span,
        })
    }

    /// A call as a statement: of a function, or what CMurphi does to multisets.
    pub(super) fn call_stmt(&mut self, call: &ast::Call) -> Fallible<StmtKind> {
        if self.scopes.find(&call.function.name).is_none() {
            match &*call.function.name.to_ascii_lowercase() {
                "multisetadd" => return self.multiset_add(call),
                "multisetremove" => return self.multiset_remove(call),
                _ => {}
            }
        }
        let function = self.callee(&call.function)?;
        let arguments = self.arguments(function, call)?;
        Ok(StmtKind::Call(function, arguments))
    }

    fn callee(&self, name: &ast::Ident) -> Fallible<FunctionId> {
        match self.scopes.find(&name.name) {
            Some(symbol) => match symbol.meaning {
                Meaning::Function(id) => Ok(id),
                other => Err(self.wrong_meaning(name, symbol.span, other, "a function")),
            },
            None => Err(self.unknown(name, "function", |m| matches!(m, Meaning::Function(_)))),
        }
    }

    fn arguments(&mut self, function: FunctionId, call: &ast::Call) -> Fallible<Vec<Argument>> {
        let parameters = self.program.function(function).parameters.clone();
        if parameters.len() != call.arguments.len() {
            return Err(self.wrong_count(function, call, parameters.len()));
        }
        let pairs = parameters.into_iter().zip(&call.arguments);
        pairs
            .map(|(parameter, argument)| self.argument(parameter, argument))
            .collect()
    }

    fn wrong_count(
        &self,
        function: FunctionId,
        call: &ast::Call,
        wanted: usize,
    ) -> Box<Diagnostic> {
        let name = &call.function.name;
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!(
            "`{name}` has {wanted} parameter{plural}, but gets {}",
            call.arguments.len()
        );
        let declared = self.program.function(function).name_span;
        Box::new(Diagnostic::error(call.span, message).with_related(declared, "declared here"))
    }

    fn argument(&mut self, parameter: VariableId, argument: &ast::Expr) -> Fallible<Argument> {
        let variable = self.program.variable(parameter);
        let (ty, name) = (variable.ty, variable.name.clone());
        let kind = variable.kind;
        if kind.is_reference() {
            return self.reference_argument(argument, kind, ty, &name);
        }
        if self.is_undefined_word(argument) {
            return Ok(Argument::Undefined);
        }
        let value = self.expr(argument)?;
        Ok(Argument::Value(self.expect_type(
            value,
            ty,
            &format!("the argument `{name}`"),
        )?))
    }

    /// The caller's variable must have exactly the type of the parameter: the function writes to it, or it has multisets.
    fn reference_argument(
        &mut self,
        argument: &ast::Expr,
        kind: VariableKind,
        ty: TypeId,
        name: &str,
    ) -> Fallible<Argument> {
        let is_written = kind == VariableKind::Reference;
        let ast::ExprKind::Designator(designator) = &argument.kind else {
            let why = match is_written {
                true => "it is a `var` parameter",
                false => "it has multisets, which are not copied",
            };
            let message = format!("the argument `{name}` must be a variable, because {why}");
            return Err(error(argument.span, message));
        };
        let what = format!("the argument `{name}`");
        let place = match is_written {
            true => self.writable_place(designator, &what)?,
            false => self.place(designator, &what)?,
        };
        if !self.same_type(place.ty, ty, argument.span) {
            let (wanted, found) = (self.describe(ty), self.describe(place.ty));
            let message = format!("the argument `{name}` must be {wanted}, but this is {found}");
            let help = match is_written {
                true => "a `var` parameter takes variables of exactly its type",
                false => "a parameter with multisets takes variables of exactly its type",
            };
            return Err(error_help(argument.span, message, help));
        }
        Ok(Argument::Reference(place))
    }

    /// True for CMurphi's word `undefined`, unless the model uses it as a name.
    pub(super) fn is_undefined_word(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::Designator(designator) => {
                let name = &designator.base.name;
                designator.selectors.is_empty()
                    && name.eq_ignore_ascii_case("undefined")
                    && self.scopes.find(name).is_none()
            }
            _ => false,
        }
    }
}
