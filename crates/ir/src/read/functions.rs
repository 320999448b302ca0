//! Functions, and calls of them.

use super::tables::{declare, look_up};
use super::{Reader, Scope};
use crate::lexer::Key;
use mandala_model::expr::Root;
use mandala_model::findings::{Fallible, error};
use mandala_model::function::{Call, Function};
use mandala_model::ids::{FunctionId, LocalId};
use mandala_model::source::Span;
use mandala_model::template::{Routine, Step};
use mandala_model::types::Variable;
use std::collections::HashMap;

/// A function while it is read.
struct Draft {
    function: Function,
    names: HashMap<Key, Root>,
}

impl Draft {
    fn local(&mut self, key: Key, variable: Variable, span: Span) -> Fallible<()> {
        let id = LocalId::from(self.function.locals.len());
        declare(&mut self.names, key, Root::Local(id), span)?;
        self.function.locals.push(variable);
        Ok(())
    }

    fn reference(&mut self, key: Key, variable: Variable, span: Span) -> Fallible<()> {
        let number = self.function.references.len() as u32;
        declare(&mut self.names, key, Root::Reference(number), span)?;
        self.function.references.push(variable);
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn function(&mut self) -> Fallible<()> {
        let own = self.here();
        let key = self.name("the name of a function")?;
        let span = self.span_or(own)?;
        let number = self.model.functions.len();
        let scope = Scope::Function(number);
        let mut draft = Draft {
            function: Function {
                name: key.name.clone(),
                parameters: 0,
                locals: Vec::new(),
                references: Vec::new(),
                result: None,
                body: Routine::new(Vec::new()),
                span,
            },
            names: HashMap::new(),
        };
        declare(
            &mut self.tables.functions,
            key,
            FunctionId::from(number),
            own,
        )?;
        self.function_parameters(&mut draft)?;
        let result = self.result_name()?;
        self.expect("{")?;
        while self.eat_word("local") {
            let span = self.here();
            let (key, variable) = self.variable(Scope::Outside)?;
            draft.local(key, variable, span)?;
        }
        draft.function.result = result
            .map(|(key, span)| found(&draft, &key, span))
            .transpose()?;
        draft.function.body = self.within(scope, Self::nodes)?;
        self.model.functions.push(draft.function);
        self.tables.frames.push(draft.names);
        Ok(())
    }

    /// Parameters: `(scratch x: u8, ref scratch r: u8[3])`.
    fn function_parameters(&mut self, draft: &mut Draft) -> Fallible<()> {
        self.expect("(")?;
        self.list_until(")", |r| {
            let is_reference = r.is_word("ref") && r.is_name_ahead(1);
            if is_reference {
                r.advance();
            }
            let span = r.here();
            let (key, variable) = r.variable(Scope::Outside)?;
            match is_reference {
                true => draft.reference(key, variable, span),
                false if draft.function.references.is_empty() => draft.local(key, variable, span),
                false => Err(error(span, "references come behind all other parameters")),
            }
        })?;
        draft.function.parameters = draft.function.locals.len() as u32;
        Ok(())
    }

    fn result_name(&mut self) -> Fallible<Option<(Key, Span)>> {
        if !self.eat_word("returns") {
            return Ok(None);
        }
        let span = self.here();
        Ok(Some((self.name("the name of a local variable")?, span)))
    }

    /// `call f(1, x; place)` or `call y = f(1, x; place)`.
    pub(super) fn call_step(&mut self) -> Fallible<Step> {
        self.advance();
        let result = match self.is_symbol_ahead(1, "(") {
            true => None,
            false => {
                let place = self.place()?;
                self.expect("=")?;
                Some(place)
            }
        };
        let function = self.function_name()?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.is_symbol(")") && !self.is_symbol(";") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.expression()?);
        }
        let references = match self.eat(";") {
            true => self.list_until(")", Self::place)?,
            false => {
                self.expect(")")?;
                Vec::new()
            }
        };
        Ok(Step::Call(Call {
            function,
            arguments,
            references,
            result,
        }))
    }

    /// The function of a name. While declarations are being collected any name will do.
    pub(super) fn function_name(&mut self) -> Fallible<FunctionId> {
        let span = self.here();
        let key = self.name("the name of a function")?;
        match self.known {
            Some(known) => look_up(&known.tables.functions, &key, span, "function"),
            None => Ok(FunctionId(0)),
        }
    }
}

/// The local variable that holds the result.
fn found(draft: &Draft, key: &Key, span: Span) -> Fallible<LocalId> {
    match draft.names.get(key) {
        Some(Root::Local(id)) => Ok(*id),
        _ => Err(error(
            span,
            "the result is a local variable of the function",
        )),
    }
}
