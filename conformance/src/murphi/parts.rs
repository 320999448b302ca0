//! Functions, start states, rules and properties.

use super::scope::{Access, Kind, Name, Type};
use super::{Generator, Part, Statement};

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) name: String,
    /// The types of the parameters, and whether they are `var`.
    parameters: Vec<(Type, bool)>,
    pub(super) result: Option<Type>,
    /// Whether it changes nothing.
    pub(super) is_pure: bool,
    /// Whether its first parameter counts down.
    counts: bool,
}

impl Generator {
    /// Arguments for a call.
    pub(super) fn arguments(&mut self, function: &Signature, depth: usize) -> Option<String> {
        let mut texts = Vec::new();
        if function.counts {
            texts.push(self.dice.below(4).to_string());
        }
        for (ty, is_reference) in &function.parameters {
            texts.push(match is_reference {
                true => self.place(*ty, &[Access::Write])?,
                false => self.value(*ty, depth)?,
            });
        }
        Some(texts.join(", "))
    }

    pub(super) fn functions(&mut self) {
        for _ in 0..self.dice.below(4) {
            match self.dice.below(3) {
                0 => self.pure_function(),
                1 => self.procedure(),
                _ => self.recursive_function(),
            }
        }
    }

    /// A function that returns something and does nothing else.
    fn pure_function(&mut self) {
        let result = self.returned_type();
        let parameters: Vec<(Type, bool)> = (0..1 + self.dice.below(2))
            .map(|_| (self.simple_type(), false))
            .collect();
        let known = self.names.len();
        let head = self.head(&parameters);
        let mut body = Vec::new();
        if let (Some(value), true) = (self.value(result, 1), self.dice.chance(40)) {
            let head = format!("if {} then", self.condition(2));
            let returned = Statement::Simple(format!("return {value}"));
            body.push(Statement::Compound(vec![(head, vec![returned])], "end"));
        }
        let value = self.value(result, 2).unwrap_or("true".into());
        body.push(Statement::Simple(format!("return {value}")));
        self.names.truncate(known);
        let signature = Signature {
            name: self.fresh("f"),
            parameters,
            result: Some(result),
            is_pure: true,
            counts: false,
        };
        self.define(signature, &head, Vec::new(), body);
    }

    /// A type of which there always is a value.
    fn returned_type(&mut self) -> Type {
        self.dice.below(3)
    }

    fn procedure(&mut self) {
        let parameters = self.mixed_parameters();
        let known = self.names.len();
        let head = self.head(&parameters);
        let (locals, mut body) = self.locals();
        body.extend(self.statements(2));
        if self.dice.chance(20) {
            let head = format!("if {} then", self.condition(1));
            let returned = vec![Statement::Simple("return".into())];
            body.push(Statement::Compound(vec![(head, returned)], "end"));
            body.extend(self.statements(1));
        }
        self.names.truncate(known);
        let signature = Signature {
            name: self.fresh("p"),
            parameters,
            result: None,
            is_pure: false,
            counts: false,
        };
        self.define(signature, &head, locals, body);
    }

    /// A function whose first parameter counts how often it calls itself.
    fn recursive_function(&mut self) {
        let result = self.returned_type();
        let parameters = self.mixed_parameters();
        let known = self.names.len();
        let head = format!(
            "n: 0 .. 3{}{}",
            separator(&parameters),
            self.head(&parameters)
        );
        let (locals, mut body) = self.locals();
        let name = self.fresh("f");
        let signature = Signature {
            name: name.clone(),
            parameters,
            result: Some(result),
            is_pure: false,
            counts: true,
        };
        let own = self.fresh("l");
        let mut locals = locals;
        locals.push(format!("{own}: {}", self.types[result].name));
        body.extend(self.statements(1));
        let value = self.value(result, 1).unwrap_or("true".into());
        let last = vec![Statement::Simple(format!("return {value}"))];
        let ends = vec![("if n = 0 then".to_string(), last)];
        body.push(Statement::Compound(ends, "end"));
        for _ in 0..1 + self.dice.below(2) {
            if let Some(arguments) = self.arguments_of(&signature) {
                let call = format!("{own} := {name}(n - 1{arguments})");
                body.push(Statement::Simple(call));
                body.extend(self.statements(0));
            }
        }
        let other = self.value(result, 1).unwrap_or("true".into());
        let returned = format!("return (isundefined({own}) ? {other} : {own})");
        body.push(Statement::Simple(returned));
        self.names.truncate(known);
        self.define(signature, &head, locals, body);
    }

    /// The arguments of a call from inside, behind the one that counts.
    fn arguments_of(&mut self, signature: &Signature) -> Option<String> {
        let inside = Signature {
            counts: false,
            ..signature.clone()
        };
        let arguments = self.arguments(&inside, 1)?;
        Some(format!(
            "{}{arguments}",
            if arguments.is_empty() { "" } else { ", " }
        ))
    }

    fn mixed_parameters(&mut self) -> Vec<(Type, bool)> {
        let count = self.dice.below(3);
        let mut parameters = Vec::new();
        for _ in 0..count {
            parameters.push(match self.dice.chance(60) {
                true => (self.dice.below(self.types.len()), true),
                false => (self.simple_type(), false),
            });
        }
        parameters
    }

    /// Declares parameters, and makes them known.
    fn head(&mut self, parameters: &[(Type, bool)]) -> String {
        let mut texts = Vec::new();
        for (ty, is_reference) in parameters {
            let text = self.fresh("a");
            let (word, access) = match is_reference {
                true => ("var ", Access::Write),
                false => ("", Access::Read),
            };
            texts.push(format!("{word}{text}: {}", self.types[*ty].name));
            let ty = *ty;
            self.names.push(Name { text, ty, access });
        }
        texts.join("; ")
    }

    fn define(
        &mut self,
        signature: Signature,
        head: &str,
        locals: Vec<String>,
        body: Vec<Statement>,
    ) {
        let name = &signature.name;
        let head = match signature.result {
            Some(ty) => format!("function {name}({head}): {};", self.types[ty].name),
            None => format!("procedure {name}({head});"),
        };
        self.model.parts.push(Part {
            head,
            locals,
            body,
            tail: "end;".into(),
        });
        self.functions.push(signature);
    }

    /// Local variables, known from here on, and what gives them values.
    fn locals(&mut self) -> (Vec<String>, Vec<Statement>) {
        let (mut locals, mut body) = (Vec::new(), Vec::new());
        for _ in 0..self.dice.below(3) {
            let ty = self.dice.below(self.types.len());
            let value = match self.is_simple(ty) {
                true => self.value(ty, 1),
                false => None,
            };
            let text = self.fresh("l");
            locals.push(format!("{text}: {}", self.types[ty].name));
            let access = match value {
                Some(value) => {
                    body.push(Statement::Simple(format!("{text} := {value}")));
                    Access::Write
                }
                None => Access::Doubtful,
            };
            self.names.push(Name { text, ty, access });
        }
        (locals, body)
    }

    /// Start states give everything a value that always has one.
    pub(super) fn start_states(&mut self) {
        let globals = self.names.clone();
        for _ in 0..1 + self.dice.below(2) {
            let known = self.names.len();
            let (before, after) = self.members();
            let toggle = self.toggle.iter();
            let toggle = toggle.map(|name| Statement::Simple(format!("{name} := true")));
            let mut body: Vec<Statement> = toggle.collect();
            for name in &globals {
                if name.access == Access::Write || self.dice.chance(20) {
                    body.extend(self.first_values(&name.text, name.ty));
                }
            }
            if self.dice.chance(30) {
                body.extend(self.statements(1));
            }
            self.names.truncate(known);
            let head = format!("{before}startstate");
            let (locals, tail) = (Vec::new(), format!("end;{after}"));
            self.model.parts.push(Part {
                head,
                locals,
                body,
                tail,
            });
        }
    }

    /// Statements that give all parts of a variable a value.
    fn first_values(&mut self, text: &str, ty: Type) -> Vec<Statement> {
        match self.types[ty].kind.clone() {
            Kind::Record(fields) => {
                let fields = fields.iter();
                fields
                    .flat_map(|(field, ty)| self.first_values(&format!("{text}.{field}"), *ty))
                    .collect()
            }
            Kind::Array(index, element) => {
                let variable = self.fresh("i");
                let head = format!("for {variable}: {} do", self.types[index].name);
                let body = self.first_values(&format!("{text}[{variable}]"), element);
                vec![Statement::Compound(vec![(head, body)], "end")]
            }
            Kind::Scalarset(_) => {
                let variable = self.fresh("i");
                let head = format!("for {variable}: {} do", self.types[ty].name);
                let body = vec![Statement::Simple(format!("{text} := {variable}"))];
                match self.parameter_of(ty) {
                    Some(parameter) => vec![Statement::Simple(format!("{text} := {parameter}"))],
                    None => vec![Statement::Compound(vec![(head, body)], "end")],
                }
            }
            Kind::Boolean => self.first(text, &["true", "false"].map(String::from)),
            Kind::Range(low, high) => self.first(text, &[low.to_string(), high.to_string()]),
            Kind::Enum(members) => self.first(text, &members),
        }
    }

    fn first(&mut self, text: &str, values: &[String]) -> Vec<Statement> {
        vec![Statement::Simple(format!(
            "{text} := {}",
            self.dice.pick(values)
        ))]
    }

    /// A parameter of that type.
    fn parameter_of(&self, ty: Type) -> Option<String> {
        let names = self.names.iter();
        let mut names = names.filter(|n| n.ty == ty && n.access == Access::Read);
        names.next().map(|n| n.text.clone())
    }

    /// A parameter for each scalarset, so that a start state need not single out a member. Some do.
    fn members(&mut self) -> (String, String) {
        let is_set = |ty: &Type| matches!(self.types[*ty].kind, Kind::Scalarset(_));
        let sets: Vec<Type> = (0..self.types.len()).filter(is_set).collect();
        match self.dice.chance(10) {
            true => self.parameters_of(&[]),
            false => self.parameters_of(&sets),
        }
    }

    /// Parameters around a rule, known from here on: what comes before it, and what comes after.
    fn parameters(&mut self, most: usize) -> (String, String) {
        let count = self.dice.below(most + 1);
        let types: Vec<Type> = (0..count).map(|_| self.parameter_type()).collect();
        self.parameters_of(&types)
    }

    /// Scalarsets are what parameters are for.
    fn parameter_type(&mut self) -> Type {
        let ty = self.simple_type();
        match self.types[ty].kind {
            Kind::Scalarset(_) => ty,
            _ => self.simple_type(),
        }
    }

    fn parameters_of(&mut self, types: &[Type]) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        for ty in types.iter().copied() {
            let text = self.fresh("x");
            before += &format!("ruleset {text}: {} do ", self.types[ty].name);
            after += " end;";
            let access = Access::Read;
            self.names.push(Name { text, ty, access });
        }
        (before, after)
    }

    pub(super) fn rules(&mut self) {
        if let Some(toggle) = self.toggle.clone() {
            let text = format!("{toggle} := !{toggle}");
            self.model.parts.push(Part {
                head: "rule \"toggle\"".into(),
                locals: Vec::new(),
                body: vec![Statement::Simple(text)],
                tail: "end;".into(),
            });
        }
        for number in 0..2 + self.dice.below(3) {
            let known = self.names.len();
            let (before, after) = self.parameters(2);
            let guard = match self.dice.chance(85) {
                true => {
                    let depth = 1 + self.dice.below(2);
                    format!("{} ==>", self.condition(depth))
                }
                false => String::new(),
            };
            let (locals, mut body) = self.locals();
            body.extend(self.statements(2));
            self.names.truncate(known);
            self.model.parts.push(Part {
                head: format!("{before}rule \"r{number}\" {guard}"),
                locals,
                body,
                tail: format!("end;{after}"),
            });
        }
    }

    pub(super) fn properties(&mut self) {
        for _ in 0..self.dice.below(3) {
            let known = self.names.len();
            let (before, after) = self.parameters(1);
            let condition = self.condition(3);
            let property = match self.dice.below(10) {
                0 => format!("cover \"covered\" {condition}"),
                1 => format!("assume {condition}"),
                _ => format!("invariant ({condition} | {})", self.condition(2)),
            };
            self.names.truncate(known);
            self.model
                .properties
                .push(format!("{before}{property};{after}"));
        }
    }
}

fn separator(parameters: &[(Type, bool)]) -> &'static str {
    match parameters {
        [] => "",
        _ => "; ",
    }
}
