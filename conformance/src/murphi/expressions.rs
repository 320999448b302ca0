//! Values and conditions. They change nothing and, unless the model is careless, cannot fail.

use super::Generator;
use super::scope::{Access, Kind, Name, Type};

const DEFINED: [Access; 2] = [Access::Read, Access::Write];
const ANY: [Access; 3] = [Access::Read, Access::Write, Access::Doubtful];

impl Generator {
    /// A value of a simple type. There is none of a scalarset if nothing holds a member.
    pub(super) fn value(&mut self, ty: Type, depth: usize) -> Option<String> {
        let careless = self.dice.chance(self.careless);
        let access = if careless { &ANY[..] } else { &DEFINED[..] };
        if let (Some(place), true) = (self.place_below(ty, access, depth), self.dice.chance(65)) {
            return Some(place);
        }
        match self.types[ty].kind.clone() {
            Kind::Boolean if depth == 0 => Some(self.dice.pick(&["true", "false"]).into()),
            Kind::Boolean => Some(self.condition(depth)),
            Kind::Range(low, high) => Some(self.number(ty, (low, high), depth)),
            Kind::Enum(members) => match depth > 0 && self.dice.chance(25) {
                true => self.chosen(ty, depth),
                false => Some(self.dice.pick(&members)),
            },
            _ => match depth > 0 && self.dice.chance(15) {
                true => self.chosen(ty, depth),
                false => self.place_below(ty, access, depth),
            },
        }
    }

    /// A place; without room, one without an index that would need another.
    fn place_below(&mut self, ty: Type, access: &[Access], depth: usize) -> Option<String> {
        if depth == 0 {
            let names = self.names.iter();
            let names = names.filter(|n| n.ty == ty && access.contains(&n.access));
            let names: Vec<Name> = names.cloned().collect();
            return (!names.is_empty()).then(|| self.dice.pick(&names).text);
        }
        self.place(ty, access)
    }

    fn chosen(&mut self, ty: Type, depth: usize) -> Option<String> {
        let condition = self.condition(depth - 1);
        let (yes, no) = (self.value(ty, depth - 1)?, self.value(ty, depth - 1)?);
        Some(format!("({condition} ? {yes} : {no})"))
    }

    fn number(&mut self, ty: Type, (low, high): (i32, i32), depth: usize) -> String {
        let literal = self.dice.between(low, high).to_string();
        if depth == 0 || self.dice.chance(30) {
            return literal;
        }
        let Some(inner) = self.value(ty, depth - 1) else {
            return literal;
        };
        if self.dice.chance(self.careless) {
            return format!("({inner} {} 1)", self.dice.pick(&["+", "-"]));
        }
        let size = high - low + 1;
        match self.dice.below(5) {
            0 => format!("({inner} < {high} ? {inner} + 1 : {low})"),
            1 => format!("({inner} > {low} ? {inner} - 1 : {high})"),
            2 => self.chosen(ty, depth).unwrap_or(inner),
            3 => self.called(ty, depth).unwrap_or(inner),
            _ => format!("((({inner} - ({low})) * 2 + 1) % {size} + {low})"),
        }
    }

    /// A call of a function that only reads.
    fn called(&mut self, ty: Type, depth: usize) -> Option<String> {
        let functions = self.functions.iter();
        let functions = functions.filter(|f| f.is_pure && f.result == Some(ty));
        let functions: Vec<_> = functions.cloned().collect();
        if functions.is_empty() {
            return None;
        }
        let function = self.dice.pick(&functions);
        let arguments = self.arguments(&function, depth.saturating_sub(1))?;
        Some(format!("{}({arguments})", function.name))
    }

    /// A condition.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.comparison(0);
        }
        match self.dice.below(12) {
            0 => format!("(!{})", self.condition(depth - 1)),
            1..4 => {
                let op = self.dice.pick(&["&", "|", "->", "&", "|"]);
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({a} {op} {b})")
            }
            4 | 5 => self.quantified(depth),
            6 => self.doubtful_condition(depth),
            7 => match self.called(0, depth) {
                Some(call) => call,
                None => self.comparison(depth - 1),
            },
            _ => self.comparison(depth - 1),
        }
    }

    fn comparison(&mut self, depth: usize) -> String {
        let ty = self.dice.below(self.types.len());
        if depth > 0 && !self.is_simple(ty) {
            let sides = (self.place(ty, &ANY), self.place(ty, &ANY));
            if let (Some(a), Some(b)) = sides {
                return format!("({a} {} {b})", self.dice.pick(&["=", "!="]));
            }
        }
        let ty = self.held_type(&DEFINED);
        let orders = ["=", "!=", "<", "<=", ">", ">="];
        let orders = match self.types[ty].kind {
            Kind::Range(..) => &orders[..],
            Kind::Boolean if depth == 0 => {
                let place = self.place_below(ty, &DEFINED, 1);
                return place.unwrap_or("true".into());
            }
            _ => &orders[..2],
        };
        let left = self
            .place_below(ty, &DEFINED, 1)
            .or_else(|| self.value(ty, depth));
        let mut right = self.value(ty, depth);
        if left == right {
            right = self.value(ty, depth);
        }
        match (left, right) {
            (Some(a), Some(b)) => format!("({a} {} {b})", self.dice.pick(orders)),
            _ => "false".into(),
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        let ty = self.simple_type();
        let text = self.fresh("q");
        let kind = self.dice.pick(&["forall", "exists"]);
        let domain = self.types[ty].name.clone();
        self.names.push(Name {
            text: text.clone(),
            ty,
            access: Access::Read,
        });
        let inner = self.condition(depth - 1);
        self.names.pop();
        format!("({kind} {text}: {domain} do {inner} end)")
    }

    /// A condition about something that may be undefined, which asks before it reads.
    fn doubtful_condition(&mut self, depth: usize) -> String {
        let ty = self.held_type(&[Access::Doubtful]);
        let Some(place) = self.place(ty, &[Access::Doubtful]) else {
            return self.comparison(depth - 1);
        };
        match self.value(ty, depth - 1) {
            Some(value) if self.dice.chance(60) => {
                format!("(!isundefined({place}) & ({place} = {value}))")
            }
            _ => format!("isundefined({place})"),
        }
    }
}
