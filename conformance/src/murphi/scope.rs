//! Types, and what can be named.

use super::Generator;

/// A type, by its number.
pub(super) type Type = usize;

/// A declared type.
#[derive(Clone, Debug)]
pub(super) struct TypeDef {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// What a type is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Boolean,
    Range(i32, i32),
    Enum(Vec<String>),
    Scalarset(usize),
    Record(Vec<(String, Type)>),
    Array(Type, Type),
}

/// Something with a name.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) ty: Type,
    pub(super) access: Access,
}

/// What may be done with something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It has a value that cannot be changed.
    Read,
    /// It has a value.
    Write,
    /// It may be undefined.
    Doubtful,
}

impl Generator {
    /// One simple type of each kind, scalarsets of different sizes, and some records and arrays of them.
    pub(super) fn types(&mut self) {
        self.declare("B", Kind::Boolean, "boolean".into());
        let (low, high) = self.dice.pick(&[(0, 1), (0, 2), (1, 3), (-1, 1)]);
        self.declare("R", Kind::Range(low, high), format!("{low} .. {high}"));
        let members = ["Red", "Green", "Blue"];
        let members = &members[..2 + self.dice.below(2)];
        let kind = Kind::Enum(members.iter().map(ToString::to_string).collect());
        self.declare("E", kind, format!("enum {{ {} }}", members.join(", ")));
        for size in [2, 3] {
            if size == 3 || self.dice.chance(50) {
                let text = format!("scalarset({size})");
                self.declare(&format!("S{size}"), Kind::Scalarset(size), text);
            }
        }
        let simple = self.types.len();
        if self.dice.chance(60) {
            let fields = [
                ("f", self.dice.below(simple)),
                ("g", self.dice.below(simple)),
            ];
            let fields = fields.map(|(name, ty)| (name.to_string(), ty));
            let declared = fields
                .iter()
                .map(|(f, ty)| format!("{f}: {};", self.types[*ty].name));
            let text = format!("record {} end", declared.collect::<Vec<_>>().join(" "));
            self.declare("P", Kind::Record(fields.into()), text);
        }
        let elements = self.types.len();
        for number in 0..1 + self.dice.below(2) {
            let index = match self.dice.chance(60) {
                true => simple - 1,
                false => self.dice.below(simple),
            };
            let element = self.dice.below(elements);
            let (i, e) = (&self.types[index].name, &self.types[element].name);
            let text = format!("array [{i}] of {e}");
            self.declare(&format!("A{number}"), Kind::Array(index, element), text);
        }
    }

    fn declare(&mut self, name: &str, kind: Kind, text: String) {
        self.model
            .declarations
            .push(format!("type {name}: {text};"));
        self.types.push(TypeDef {
            name: name.to_string(),
            kind,
        });
    }

    /// The variables of the state. Most models have one that only goes to and fro, so that there is no deadlock.
    pub(super) fn globals(&mut self) {
        if self.dice.chance(85) {
            self.model.declarations.push("var toggle: boolean;".into());
            self.toggle = Some("toggle".into());
        }
        let mut room = 5000;
        for number in 0..6 {
            let ty = match number {
                0 => self.types.len() - 1,
                _ => self.dice.below(self.types.len()),
            };
            let values = self.values(ty);
            if values > room {
                continue;
            }
            room /= values;
            let text = self.fresh("v");
            let access = match number > 0 && self.dice.chance(25) {
                true => Access::Doubtful,
                false => Access::Write,
            };
            let declaration = format!("var {text}: {};", self.types[ty].name);
            self.model.declarations.push(declaration);
            self.names.push(Name { text, ty, access });
        }
    }

    /// How many values a variable of the type has, undefined ones included.
    fn values(&self, ty: Type) -> u32 {
        match &self.types[ty].kind {
            Kind::Boolean => 3,
            Kind::Range(low, high) => (high - low + 2) as u32,
            Kind::Enum(members) => members.len() as u32 + 1,
            Kind::Scalarset(size) => *size as u32 + 1,
            Kind::Record(fields) => {
                let fields = fields.iter().map(|(_, ty)| self.values(*ty));
                fields.fold(1, u32::saturating_mul)
            }
            Kind::Array(index, element) => self
                .values(*element)
                .saturating_pow(self.values(*index) - 1),
        }
    }

    pub(super) fn is_simple(&self, ty: Type) -> bool {
        !matches!(self.types[ty].kind, Kind::Record(_) | Kind::Array(..))
    }

    /// A simple type.
    pub(super) fn simple_type(&mut self) -> Type {
        let simple = (0..self.types.len()).filter(|ty| self.is_simple(*ty));
        let simple: Vec<Type> = simple.collect();
        self.dice.pick(&simple)
    }

    /// A simple type that something with a name has or holds; most are variables of the state.
    pub(super) fn held_type(&mut self, access: &[Access]) -> Type {
        let names = self.names.iter().filter(|n| access.contains(&n.access));
        let types: Vec<Type> = names.map(|n| n.ty).collect();
        if types.is_empty() {
            return self.simple_type();
        }
        let mut ty = self.dice.pick(&types);
        loop {
            ty = match self.types[ty].kind.clone() {
                Kind::Record(fields) => self.dice.pick(&fields).1,
                Kind::Array(_, element) => element,
                _ => return ty,
            };
        }
    }

    /// A part of something with a name, of that type and with one of those ways of access, if there is one.
    pub(super) fn place(&mut self, ty: Type, access: &[Access]) -> Option<String> {
        let names = self.names.iter().filter(|n| access.contains(&n.access));
        let names: Vec<Name> = names.filter(|n| self.contains(n.ty, ty)).cloned().collect();
        if names.is_empty() {
            return None;
        }
        let name = self.dice.pick(&names);
        let (mut text, mut at) = (name.text, name.ty);
        while at != ty {
            match self.types[at].kind.clone() {
                Kind::Record(fields) => {
                    let fields = fields.into_iter().filter(|(_, f)| self.contains(*f, ty));
                    let (field, inside) = self.dice.pick(&fields.collect::<Vec<_>>());
                    text = format!("{text}.{field}");
                    at = inside;
                }
                Kind::Array(index, element) => {
                    let index = self.value(index, 0)?;
                    text = format!("{text}[{index}]");
                    at = element;
                }
                _ => return None,
            }
        }
        Some(text)
    }

    fn contains(&self, whole: Type, part: Type) -> bool {
        whole == part
            || match &self.types[whole].kind {
                Kind::Record(fields) => fields.iter().any(|(_, field)| self.contains(*field, part)),
                Kind::Array(_, element) => self.contains(*element, part),
                _ => false,
            }
    }
}
