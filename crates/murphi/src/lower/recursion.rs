//! Functions that call themselves.
//!
//! Their bodies cannot be inlined, so they are written once, and calls jump there. Parameters, local
//! variables and the result of such a function have temporaries of their own, its *homes*. A call from outside
//! puts the arguments there and goes to the body. A call from inside first saves on the stack what
//! the caller needs afterwards: the homes and all temporaries that are in use. Where the body returns, control
//! goes on behind the call that the stack names, which takes back what was saved.
//!
//! A `var` parameter stands for a place, and code is about places. So there is a body for each combination of places
//! that are passed; only their indices may differ, which have homes as well. A local variable of the
//! caller is passed as the place on the stack where it is saved. Since a part of a variable never has the type
//! of the whole, the combinations come to an end.
//!
//! Functions are declared before they are used: one that calls itself does so directly, and whatever else it
//! calls is finished when it does.

use super::build::read;
use super::calls::Target;
use super::flow::{End, Label};
use super::places::Spot;
use super::scratch::{ANY, any_number};
use super::stack::{Index, Stack};
use super::value::{Value, local_place};
use super::{Lowering, Meaning};
use crate::limits;
use crate::typed::walk::{Part, any_part};
use crate::typed::{Argument, ExprKind, FunctionId, Program, StmtKind};
use mandala_model::expr::{Place, Root};
use mandala_model::findings::{Fallible, error_help};
use mandala_model::ids::LocalId;
use std::collections::HashMap;

/// What is known about functions that call themselves.
pub(super) struct Recursion {
    recursive: Vec<bool>,
    homes: HashMap<FunctionId, Homes>,
    /// Those that are being lowered, the innermost last.
    active: Vec<Active>,
    pub(super) stack: Stack,
}

/// Where a function has its variables.
#[derive(Clone, Debug)]
struct Homes {
    /// Nothing for `var` parameters.
    parameters: Vec<Option<Spot>>,
    locals: Vec<Spot>,
    result: Option<Target>,
}

/// A function that was called from outside of it, and whose bodies are being lowered.
struct Active {
    function: FunctionId,
    /// The temporaries that were taken before its bodies.
    mark: usize,
    bodies: Vec<Body>,
    /// The body that is being lowered.
    current: usize,
    /// Where control goes on behind each call from inside.
    behind: Vec<usize>,
    /// Where the bodies return.
    returned: Vec<End>,
}

/// The body for certain places that are passed to `var` parameters.
struct Body {
    /// Nothing for other parameters.
    places: Vec<Option<Spot>>,
    /// The homes of their indices.
    indices: Vec<LocalId>,
    /// The node that it begins with.
    entry: usize,
}

/// What is passed in a call.
struct Passed {
    meanings: Vec<Meaning>,
    places: Vec<Option<Spot>>,
    /// The homes of indices, and what they get.
    indices: Vec<(LocalId, Place)>,
}

impl Recursion {
    pub(super) fn new(program: &Program) -> Recursion {
        let functions = (0..program.functions.len()).map(FunctionId::from);
        Recursion {
            recursive: functions.map(|id| calls_itself(program, id)).collect(),
            homes: HashMap::new(),
            active: Vec::new(),
            stack: Stack::default(),
        }
    }

    pub(super) fn is_recursive(&self, id: FunctionId) -> bool {
        self.recursive.get(id.index()).is_some_and(|r| *r)
    }

    fn current_body(&self) -> Option<&Body> {
        let active = self.active.last()?;
        active.bodies.get(active.current)
    }
}

fn calls_itself(program: &Program, id: FunctionId) -> bool {
    let body = program.function(id).body.iter().map(Part::Stmt);
    any_part(program, body, |part| match part {
        Part::Stmt(stmt) => matches!(stmt.kind, StmtKind::Call(callee, _) if callee == id),
        Part::Expr(expr) => matches!(expr.kind, ExprKind::Call(callee, _) if callee == id),
    })
}

impl Lowering<'_> {
    /// A call of a function that calls itself.
    pub(super) fn recursive_call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
    ) -> Fallible<Option<Value>> {
        let function = self.program.function(id);
        let before = self.scratch.mark();
        let meanings = self.arguments(function, arguments)?;
        if self.flow.is_open() {
            let inside = self.recursion.active.last();
            match inside.is_some_and(|active| active.function == id) {
                true => self.call_from_inside(id, meanings, before)?,
                false => self.call_from_outside(id, meanings, before)?,
            }
        }
        self.scratch.release(before);
        let (Some(target), Some(ty)) = (self.homes(id)?.result, function.result) else {
            return Ok(None);
        };
        let value = self.result_value(target);
        self.keep(value, ty).map(Some)
    }

    fn call_from_outside(
        &mut self,
        id: FunctionId,
        meanings: Vec<Meaning>,
        before: usize,
    ) -> Fallible<()> {
        let is_outermost = self.recursion.active.is_empty();
        self.recursion.active.push(Active::new(id));
        let passed = self.with_places(id, meanings, &[])?;
        match is_outermost {
            true => self.first_level(),
            false => self.next_level(id),
        }
        self.return_to(0);
        self.expect_removals(&self.program.function(id).body);
        self.enter(id, passed)?;
        self.scratch.release(before);
        let label = self.label.clone();
        self.bodies(id)?;
        self.return_from_bodies(id);
        self.label = label;
        if !is_outermost {
            self.previous_level();
        }
        Ok(())
    }

    fn call_from_inside(
        &mut self,
        id: FunctionId,
        meanings: Vec<Meaning>,
        before: usize,
    ) -> Fallible<()> {
        let needed = self.needed_afterwards(id, before)?;
        let passed = self.with_places(id, meanings, &needed)?;
        self.save(&needed)?;
        self.next_level(id);
        let behind = self.flow.apart(self.label.clone());
        let number = self.with_active(|active| {
            active.behind.push(behind);
            active.behind.len()
        });
        self.return_to(number.unwrap_or(0));
        self.enter(id, passed)?;
        self.flow.go_on_at(behind);
        self.previous_level();
        self.restore(&needed)
    }

    fn with_active<T>(&mut self, change: impl FnOnce(&mut Active) -> T) -> Option<T> {
        self.recursion.active.last_mut().map(change)
    }

    /// What has to be saved: the homes of the function, and the temporaries that its body uses at the moment.
    fn needed_afterwards(&mut self, id: FunctionId, before: usize) -> Fallible<Vec<LocalId>> {
        let homes = self.homes(id)?;
        let spots = homes.parameters.iter().flatten().chain(&homes.locals);
        let mut needed: Vec<LocalId> = spots.filter_map(Spot::local).collect();
        let body = self.recursion.current_body();
        needed.extend(body.iter().flat_map(|body| &body.indices));
        let mark = self.recursion.active.last().map_or(before, |a| a.mark);
        needed.extend(self.scratch.in_use(mark..before));
        Ok(needed)
    }

    /// The arguments of a call, with the places among them as the body sees them. Indices are read now: the
    /// homes may hold those of the caller.
    fn with_places(
        &mut self,
        id: FunctionId,
        meanings: Vec<Meaning>,
        saved: &[LocalId],
    ) -> Fallible<Passed> {
        let mut passed = Passed {
            meanings: Vec::new(),
            places: Vec::new(),
            indices: Vec::new(),
        };
        let parameters = &self.program.function(id).parameters;
        for (parameter, meaning) in meanings.into_iter().enumerate() {
            let kind = self.program.variable(parameters[parameter]).kind;
            let place = match &meaning {
                Meaning::Spot(spot) if kind.is_reference() => {
                    let spot = self.outliving(spot.clone(), saved)?;
                    Some(self.passed_place_of(id, parameter, spot, &mut passed.indices))
                }
                _ => None,
            };
            passed.places.push(place);
            passed.meanings.push(meaning);
        }
        Ok(passed)
    }

    /// A place of the caller: on the stack, if it will be saved there.
    fn outliving(&mut self, spot: Spot, saved: &[LocalId]) -> Fallible<Spot> {
        let Some(local) = spot.local().filter(|local| saved.contains(local)) else {
            return Ok(spot);
        };
        let array = self.array_for(local)?;
        let level = self.current_level();
        Ok(spot.in_array(array, level))
    }

    /// A place as the body sees it: with the homes of its indices.
    fn passed_place_of(
        &mut self,
        function: FunctionId,
        parameter: usize,
        spot: Spot,
        indices: &mut Vec<(LocalId, Place)>,
    ) -> Spot {
        let declared = self.program.function(function).parameters[parameter];
        let span = self.program.variable(declared).span;
        let mut homes = Vec::new();
        for (number, from) in spot.index_locals().into_iter().enumerate() {
            let shape = self.scratch.roomy(from);
            let copy = self.scratch.take(&shape, "index", span);
            let place = local_place(copy, span);
            self.store(place.clone(), read(local_place(from, span)));
            let index = Index {
                function,
                parameter,
                number,
                shape,
            };
            let home = self.index_home(index, span);
            if let Some(ty) = self.typed_locals.get(&from).copied() {
                self.typed_locals.entry(copy).or_insert(ty);
                self.typed_locals.entry(home).or_insert(ty);
            }
            homes.push(home);
            indices.push((home, place));
        }
        spot.with_index_locals(&homes, span)
    }

    /// Puts the arguments into the homes of the parameters and goes to the body.
    fn enter(&mut self, id: FunctionId, passed: Passed) -> Fallible<()> {
        let homes = self.homes(id)?;
        for (meaning, home) in passed.meanings.into_iter().zip(&homes.parameters) {
            match (meaning, home) {
                (_, None) => {}
                (Meaning::Spot(from) | Meaning::Value(Value::Whole(from)), Some(home)) => {
                    self.copy(home, &from);
                }
                (Meaning::Value(value), Some(home)) => {
                    let raw = self.raw(value, home.ty)?;
                    self.store(home.place(), raw);
                }
            }
        }
        for (home, from) in &passed.indices {
            self.store(local_place(*home, from.span), read(from.clone()));
        }
        let indices = passed.indices.iter().map(|(home, _)| *home).collect();
        let entry = self.entry(id, passed.places, indices)?;
        self.flow.jump(entry);
        Ok(())
    }

    /// The first node of the body for those places. If there is none yet, it will be lowered.
    fn entry(
        &mut self,
        id: FunctionId,
        places: Vec<Option<Spot>>,
        indices: Vec<LocalId>,
    ) -> Fallible<usize> {
        let bodies = self.recursion.active.last().map(|active| &active.bodies);
        let known = bodies.and_then(|bodies| bodies.iter().find(|body| body.is_for(&places)));
        if let Some(body) = known {
            return Ok(body.entry);
        }
        let name = &self.program.function(id).name;
        if bodies.is_some_and(|bodies| bodies.len() >= limits::BODIES) {
            let message = format!(
                "`{name}` calls itself and is called with more than {} different variables",
                limits::BODIES
            );
            let help =
                "pass an index by value and leave the choice of the variable to the function";
            return Err(error_help(self.label.span, message, help));
        }
        let label = Label {
            text: name.to_string(),
            span: self.program.function(id).name_span,
        };
        let entry = self.flow.apart(label);
        let body = Body {
            places,
            indices,
            entry,
        };
        self.with_active(|active| active.bodies.push(body));
        Ok(entry)
    }

    /// Lowers the bodies, as long as calls ask for new ones.
    fn bodies(&mut self, id: FunctionId) -> Fallible<()> {
        let function = self.program.function(id);
        let homes = self.homes(id)?;
        let mark = self.scratch.mark();
        self.with_active(|active| active.mark = mark);
        while let Some(body) = self.recursion.current_body() {
            self.flow.go_on_at(body.entry);
            self.move_in(id, &homes);
            self.body(function, homes.result.clone())?;
            self.scratch.release(mark);
            let ends = self.flow.take_ends();
            self.with_active(|active| {
                active.returned.extend(ends);
                active.current += 1;
            });
            self.check_size()?;
        }
        Ok(())
    }

    /// Gives parameters and local variables their meanings in the current body.
    fn move_in(&mut self, id: FunctionId, homes: &Homes) {
        let body = self.recursion.current_body();
        let places = body.map(|body| body.places.clone());
        let spots = homes.parameters.iter().zip(places.unwrap_or_default());
        let spots = spots.filter_map(|(home, place)| place.or(home.clone()));
        let meanings = spots.map(Meaning::Spot).collect();
        self.bind(id, meanings);
        let function = self.program.function(id);
        for (variable, home) in function.locals.iter().zip(&homes.locals) {
            self.undefine(home);
            self.variables
                .insert(*variable, Meaning::Spot(home.clone()));
        }
    }

    /// Leads every return to where it was called from.
    fn return_from_bodies(&mut self, id: FunctionId) {
        let Some(active) = self.recursion.active.pop() else {
            return;
        };
        self.flow.join(active.returned);
        let function = self.program.function(id);
        let label = Label {
            text: format!("end of {}", function.name),
            span: function.name_span,
        };
        let mut ends = self
            .divide_returns(active.behind.len() + 1, &label)
            .into_iter();
        let outside = ends.next();
        for (end, behind) in ends.zip(active.behind) {
            self.flow.join([end]);
            self.flow.jump(behind);
        }
        self.flow.join(outside);
    }

    fn homes(&mut self, id: FunctionId) -> Fallible<Homes> {
        if let Some(homes) = self.recursion.homes.get(&id) {
            return Ok(homes.clone());
        }
        let homes = self.new_homes(id)?;
        self.recursion.homes.insert(id, homes.clone());
        Ok(homes)
    }

    fn new_homes(&mut self, id: FunctionId) -> Fallible<Homes> {
        let function = self.program.function(id);
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let is_copy = !self.program.variable(*parameter).kind.is_reference();
            parameters.push(is_copy.then(|| self.home(*parameter)).transpose()?);
        }
        let locals: Fallible<Vec<Spot>> = function.locals.iter().map(|id| self.home(*id)).collect();
        let span = function.name_span;
        let result = match function.result {
            Some(ty) if self.program.types.is_number(ty) => Some(Target::Number {
                local: self.scratch.own(&any_number(), "result", span),
                bounds: Some(ANY),
                span,
            }),
            Some(ty) => {
                let local = self.own_temporary(ty, "result", span)?;
                Some(Target::Typed(Spot::new(Root::Local(local), ty, span)))
            }
            None => None,
        };
        Ok(Homes {
            parameters,
            locals: locals?,
            result,
        })
    }

    fn home(&mut self, id: crate::typed::VariableId) -> Fallible<Spot> {
        let variable = self.program.variable(id);
        self.refuse_multiset(variable.ty, &variable.name, variable.span)?;
        let local = self.own_temporary(variable.ty, &variable.name, variable.span)?;
        Ok(Spot::new(Root::Local(local), variable.ty, variable.span))
    }
}

impl Active {
    fn new(function: FunctionId) -> Active {
        Active {
            function,
            mark: 0,
            bodies: Vec::new(),
            current: 0,
            behind: Vec::new(),
            returned: Vec::new(),
        }
    }
}

impl Body {
    fn is_for(&self, places: &[Option<Spot>]) -> bool {
        let mut pairs = self.places.iter().zip(places);
        pairs.all(|(mine, other)| match (mine, other) {
            (Some(mine), Some(other)) => mine.is_same_as(other),
            (None, None) => true,
            _ => false,
        })
    }
}
