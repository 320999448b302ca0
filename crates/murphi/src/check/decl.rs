//! Declarations, types and functions.

use super::scope::Meaning;
use super::{Checker, Returning};
use crate::ast;
use crate::typed::{
    Constant, Field, Function, FunctionId, Number, Stmt, StmtKind, TypeId, TypeKind, Types,
    VariableId, VariableKind,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help, fail};
use mandala_model::suggest::closest;
use std::collections::HashMap;

/// The most elements that a multiset can have.
const LARGEST_MULTISET: Number = 1 << 16;
/// The most values that a scalarset can have.
const LARGEST_SCALARSET: Number = 1 << 32;

impl Checker<'_> {
    pub(super) fn global_declaration(&mut self, decl: &ast::Decl) -> Fallible<()> {
        if let ast::Decl::Constant(decl) = decl {
            return self.global_constants(decl);
        }
        let variables = self.declaration(decl, VariableKind::Global)?;
        self.program.globals.extend(variables);
        Ok(())
    }

    /// Declarations inside of a function or rule. Gives the variables.
    pub(super) fn local_declarations(&mut self, decls: &[ast::Decl]) -> Fallible<Vec<VariableId>> {
        let mut locals = Vec::new();
        for decl in decls {
            locals.extend(self.declaration(decl, VariableKind::Local)?);
        }
        Ok(locals)
    }

    fn declaration(&mut self, decl: &ast::Decl, kind: VariableKind) -> Fallible<Vec<VariableId>> {
        match decl {
            ast::Decl::Constant(decl) => self.constants(decl).map(|()| Vec::new()),
            ast::Decl::Type(decl) => self.named_types(decl).map(|()| Vec::new()),
            ast::Decl::Variable(decl) => {
                let ty = self.type_expr(&decl.ty)?;
                let variables = decl.names.iter();
                let variables = variables.map(|name| self.new_variable(name, ty, kind));
                let variables = variables.collect::<Fallible<Vec<_>>>()?;
                if kind == VariableKind::Local && self.types().has_multiset(ty) {
                    self.program.local_multisets.extend(&variables);
                }
                Ok(variables)
            }
        }
    }

    fn constants(&mut self, decl: &ast::ExprDecl) -> Fallible<()> {
        let (value, ty) = self.constant_value(&decl.value)?;
        decl.names
            .iter()
            .try_for_each(|name| self.new_constant(name, value, ty))
    }

    /// Constants of the model, whose values may be given from outside. The declared value must be right
    /// all the same.
    fn global_constants(&mut self, decl: &ast::ExprDecl) -> Fallible<()> {
        let (declared, ty) = self.constant_value(&decl.value)?;
        for name in &decl.names {
            let value = match self.overriding(name) {
                Some(value) => self.overriding_value(name, &value, ty)?,
                None => declared,
            };
            self.new_constant(name, value, ty)?;
        }
        Ok(())
    }

    fn constant_value(&mut self, value: &ast::Expr) -> Fallible<(Number, TypeId)> {
        let (number, ty) = self.constant(value, "the value of a constant")?;
        super::fold::check_width(number, value.span)?;
        Ok((number, ty))
    }

    fn new_constant(&mut self, name: &ast::Ident, value: Number, ty: TypeId) -> Fallible<()> {
        self.scopes.declare(name, Meaning::Constant(value, ty))?;
        self.program.constants.push(Constant {
            name: name.name.clone(),
            value,
            ty,
            span: name.span,
        });
        Ok(())
    }

    /// The value that is given from outside.
    fn overriding(&mut self, name: &ast::Ident) -> Option<ast::Expr> {
        self.definitions.get(&name.name).cloned()
    }

    fn overriding_value(
        &mut self,
        name: &ast::Ident,
        value: &ast::Expr,
        declared: TypeId,
    ) -> Fallible<Number> {
        let (number, ty) = self.constant_value(value)?;
        let both_numbers = self.types().is_number(ty) && self.types().is_number(declared);
        if both_numbers || ty == declared {
            return Ok(number);
        }
        let (wanted, found) = (self.describe(declared), self.describe(ty));
        let message = format!(
            "the constant `{}` is {wanted}, but this is {found}",
            name.name
        );
        fail(Diagnostic::error(value.span, message).with_related(name.span, "declared here"))
    }

    /// Complains about values from outside for which there is no constant.
    pub(super) fn all_definitions_used(&mut self) -> bool {
        let names = self.program.constants.iter().map(|c| &*c.name);
        let names: Vec<&str> = names.collect();
        let complaint = |(name, value): (&str, &ast::Expr)| {
            let message = format!("the model has no constant `{name}`");
            let help = match closest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "it has no constants at all".to_string(),
                None => format!("its constants are: {}", names.join(", ")),
            };
            Diagnostic::error(value.span, message).with_help(help)
        };
        let complaints: Vec<Diagnostic> = self.definitions.unused().map(complaint).collect();
        let all_used = complaints.is_empty();
        complaints.into_iter().for_each(|c| self.findings.push(c));
        all_used
    }

    fn named_types(&mut self, decl: &ast::TypeDecl) -> Fallible<()> {
        let ty = self.type_expr(&decl.ty)?;
        for name in &decl.names {
            self.scopes.declare(name, Meaning::Type(ty))?;
            self.program.types.name(ty, &name.name);
        }
        Ok(())
    }

    /// The type that is written. The members of enums in it become known in the current scope.
    pub(super) fn type_expr(&mut self, ty: &ast::TypeExpr) -> Fallible<TypeId> {
        match &ty.kind {
            ast::TypeExprKind::Boolean => Ok(Types::BOOLEAN),
            ast::TypeExprKind::Name(name) => self.type_name(name),
            ast::TypeExprKind::Range(low, high) => self.range(low, high),
            ast::TypeExprKind::Enum(members) => self.enumeration(members),
            ast::TypeExprKind::Scalarset(size) => self.scalarset(size, ty),
            ast::TypeExprKind::Union(members) => self.union(members, ty),
            ast::TypeExprKind::Record(fields) => self.record(fields),
            ast::TypeExprKind::Array(index, element) => self.array(index, element),
            ast::TypeExprKind::Multiset(capacity, element) => self.multiset(capacity, element),
        }
    }

    fn type_name(&self, name: &ast::Ident) -> Fallible<TypeId> {
        match self.scopes.find(&name.name) {
            Some(symbol) => match symbol.meaning {
                Meaning::Type(ty) => Ok(ty),
                other => Err(self.wrong_meaning(name, symbol.span, other, "a type")),
            },
            None => Err(self.unknown(name, "type", |m| matches!(m, Meaning::Type(_)))),
        }
    }

    fn range(&mut self, low: &ast::Expr, high: &ast::Expr) -> Fallible<TypeId> {
        let lo = self.constant_number(low, "the lower bound of a range")?;
        let hi = self.constant_number(high, "the upper bound of a range")?;
        if hi < lo {
            let message = format!("the range {lo}..{hi} is empty");
            return Err(error_help(
                low.span.to(high.span),
                message,
                "write the smaller bound first",
            ));
        }
        Ok(self.program.types.intern(TypeKind::Range { lo, hi }))
    }

    fn enumeration(&mut self, members: &[ast::Ident]) -> Fallible<TypeId> {
        let names = members.iter().map(|member| member.name.clone()).collect();
        let ty = self.program.types.intern(TypeKind::Enum(names));
        for (value, member) in members.iter().enumerate() {
            self.scopes
                .declare(member, Meaning::Constant(value as Number, ty))?;
        }
        Ok(ty)
    }

    fn scalarset(&mut self, size: &ast::Expr, ty: &ast::TypeExpr) -> Fallible<TypeId> {
        let value = self.constant_number(size, "the size of a scalarset")?;
        if !(1..=LARGEST_SCALARSET).contains(&value) {
            let message = format!("a scalarset has 1 to {LARGEST_SCALARSET} values, not {value}");
            return Err(error(size.span, message));
        }
        Ok(self.program.types.new_scalarset(value as u64, ty.span))
    }

    fn union(&mut self, members: &[ast::TypeExpr], ty: &ast::TypeExpr) -> Fallible<TypeId> {
        let mut list = Vec::new();
        for member in members {
            let id = self.type_expr(member)?;
            for id in self.union_members(id, member)? {
                if list.contains(&id) {
                    let message = format!("`{}` is in the union twice", self.types().describe(id));
                    return Err(error(member.span, message));
                }
                list.push(id);
            }
        }
        if list.is_empty() {
            return Err(error_help(
                ty.span,
                "this union has no members",
                "name scalarsets or enums",
            ));
        }
        Ok(self.program.types.intern(TypeKind::Union(list)))
    }

    /// What a member brings into a union: itself, or the members of another union.
    fn union_members(&self, id: TypeId, member: &ast::TypeExpr) -> Fallible<Vec<TypeId>> {
        match self.types().kind(id) {
            TypeKind::Scalarset(_) | TypeKind::Enum(_) | TypeKind::Boolean => Ok(vec![id]),
            TypeKind::Union(members) => Ok(members.clone()),
            _ => {
                let found = self.describe(id);
                let message =
                    format!("members of a union are scalarsets or enums, but this is {found}");
                Err(error(member.span, message))
            }
        }
    }

    fn record(&mut self, decls: &[ast::TypeDecl]) -> Fallible<TypeId> {
        let mut fields = Vec::new();
        let mut seen = HashMap::new();
        for decl in decls {
            let ty = self.type_expr(&decl.ty)?;
            for name in &decl.names {
                if let Some(first) = seen.insert(name.name.clone(), name.span) {
                    let message = format!("the record has two fields `{}`", name.name);
                    return fail(
                        Diagnostic::error(name.span, message).with_related(first, "the first one"),
                    );
                }
                fields.push(Field {
                    name: name.name.clone(),
                    ty,
                });
            }
        }
        Ok(self.program.types.intern(TypeKind::Record(fields)))
    }

    fn array(&mut self, index: &ast::TypeExpr, element: &ast::TypeExpr) -> Fallible<TypeId> {
        let index_type = self.type_expr(index)?;
        self.expect_simple(index_type, index.span, "the index of an array")?;
        let element = self.type_expr(element)?;
        Ok(self.program.types.intern(TypeKind::Array {
            index: index_type,
            element,
        }))
    }

    fn multiset(&mut self, capacity: &ast::Expr, element: &ast::TypeExpr) -> Fallible<TypeId> {
        let value = self.constant_number(capacity, "the capacity of a multiset")?;
        if !(1..=LARGEST_MULTISET).contains(&value) {
            let message =
                format!("a multiset has room for 1 to {LARGEST_MULTISET} elements, not {value}");
            return Err(error(capacity.span, message));
        }
        let element_type = self.type_expr(element)?;
        if self.types().has_multiset(element_type) {
            return Err(error(
                element.span,
                "the elements of a multiset cannot have multisets in them",
            ));
        }
        let kind = TypeKind::Multiset {
            capacity: value as u64,
            element: element_type,
        };
        Ok(self.program.types.intern(kind))
    }

    pub(super) fn function(&mut self, function: &ast::Function) -> Fallible<()> {
        self.scopes.open();
        let id = self.signature(function)?;
        let checked = self.function_body(id, function);
        self.scopes.close_all();
        checked
    }

    /// The types of the parameters and the result, then the function is known, then the parameters are: so
    /// a parameter may have the name of a type.
    fn signature(&mut self, function: &ast::Function) -> Fallible<FunctionId> {
        let mut types = Vec::new();
        for parameter in &function.parameters {
            types.push(self.type_expr(&parameter.decl.ty)?);
        }
        let result = function
            .result
            .as_ref()
            .map(|ty| self.type_expr(ty))
            .transpose()?;
        let id = FunctionId::from(self.program.functions.len());
        self.scopes
            .declare_global(&function.name, Meaning::Function(id))?;
        let mut parameters = Vec::new();
        for (parameter, ty) in function.parameters.iter().zip(types) {
            let kind = match parameter.by_reference {
                true => VariableKind::Reference,
                false if self.types().has_multiset(ty) => VariableKind::Seen,
                false => VariableKind::Value,
            };
            for name in &parameter.decl.names {
                parameters.push(self.new_variable(name, ty, kind)?);
            }
        }
        self.program.functions.push(Function {
            name: function.name.name.clone(),
            parameters,
            result,
            locals: Vec::new(),
            body: Vec::new(),
            name_span: function.name.span,
            span: function.span,
        });
        Ok(id)
    }

    fn function_body(&mut self, id: FunctionId, function: &ast::Function) -> Fallible<()> {
        let result = self.program.function(id).result;
        self.returning = result.map_or(Returning::Procedure, Returning::Function);
        let locals = self.local_declarations(&function.decls)?;
        let body = self.statements(&function.body)?;
        if result.is_some() && !body.iter().any(returns) {
            let message = format!(
                "the function `{}` never returns a value",
                function.name.name
            );
            let warning = Diagnostic::warning(function.name.span, message);
            self.findings
                .push(warning.with_help("add `return`, or leave out the type of the result"));
        }
        let made = &mut self.program.functions[id.index()];
        made.locals = locals;
        made.body = body;
        Ok(())
    }
}

/// True if there is a `return` somewhere in the statement.
fn returns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::If(clauses, rest) => {
            clauses.iter().any(|c| c.body.iter().any(returns)) || rest.iter().any(returns)
        }
        StmtKind::Switch(_, cases, rest) => {
            cases.iter().any(|c| c.body.iter().any(returns)) || rest.iter().any(returns)
        }
        StmtKind::For(_, body) | StmtKind::While(_, body) | StmtKind::Alias(_, body) => {
            body.iter().any(returns)
        }
        _ => false,
    }
}
