//! A guess at the sorts, by unification over all the forms of a model.
//!
//! Every cell class has an unknown sort. What is assigned or compared has one sort; what is computed with
//! is plain; adding a constant relates two sorts of names whose offsets differ by it.
//!
//! Nothing here is trusted: `rename` refuses every term that does not fit the sorts, however
//! they were found. What matters is that the guess is good and that a conflict names both places.

use crate::births::{First, FirstValue};
use crate::breach::Breach;
use crate::budget::{ProofBudget, TERM};
use crate::domain::{Candidate, NameSet};
use crate::path::{Deed, Field, Path, Segment};
use crate::sorts::{Classes, Names, Shape, Sort, Sorts};
use crate::term::{Cell, Home, Part, Term, shift};
use crate::unknowns::{Unknowns, Var};
use mandala_model::expr::{BinaryOp, UnaryOp};
use mandala_model::ids::{GlobalId, LocalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::symmetry::{ScalarsetUse, UseKind, VariableRef};
use mandala_model::types::{Scalar, Type, Variable};
use mandala_model::{Model, UncheckedModel};
use std::collections::{BTreeMap, BTreeSet};

/// Unknown sorts, some of them the same.
pub(crate) struct Inference<'m> {
    model: &'m Model,
    candidate: &'m Candidate,
    unknowns: Unknowns,
    classes: Classes<Var>,
    /// The templates of processes that are permuted.
    moved: &'m [TemplateId],
    /// What the work is paid from.
    budget: &'m ProofBudget,
    /// Whether only classes of channels are learnt about.
    loose: bool,
}

impl<'m> Inference<'m> {
    pub fn new(
        model: &'m Model,
        moved: &'m [TemplateId],
        candidate: &'m Candidate,
        budget: &'m ProofBudget,
    ) -> Self {
        let mut unknowns = Unknowns::default();
        let classes = Classes::of(model, || unknowns.fresh());
        let mut inference = Inference {
            model,
            candidate,
            unknowns,
            classes,
            moved,
            budget,
            loose: false,
        };
        for (domain, set) in (0..).zip(&candidate.names) {
            inference.seeds(domain, set);
        }
        for seed in &candidate.numbers {
            for var in inference.classes.used(model, &seed.kind) {
                inference.unknowns.process(*var, 0, seed.span);
            }
        }
        for row in &candidate.rows {
            let span = model.global(row.variables[0]).span;
            for pair in row.variables.windows(2) {
                inference.unify_globals(pair[0].index(), pair[1].index(), span);
            }
        }
        inference
    }

    fn seeds(&mut self, domain: u32, set: &NameSet) {
        for seed in &set.seeds {
            for var in self.classes.used(self.model, &seed.kind) {
                self.unknowns.name(*var, domain, 0, seed.span);
            }
        }
    }

    fn unify_globals(&mut self, a: usize, b: usize, span: Span) {
        let globals = &self.classes.globals;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        all_vars(&globals[a], &mut left);
        all_vars(&globals[b], &mut right);
        for (a, b) in left.into_iter().zip(right) {
            self.unknowns.unify(a, b, span);
        }
    }

    /// Takes over what might be processes, where nothing better is known.
    pub fn take_hints(&mut self, from: &Inference<'_>) {
        let mut vars = Vec::new();
        let shapes = self.classes.globals.iter();
        let shapes = shapes.chain(self.classes.locals.iter().flatten());
        shapes.for_each(|shape| all_vars(shape, &mut vars));
        vars.extend(self.classes.fields.iter().flatten());
        // Both have the same unknowns for the classes of the model.
        for var in vars {
            if let Some(offset) = from.unknowns.process_offset(var) {
                self.unknowns.maybe_process_at(var, offset);
            }
        }
    }

    /// Learns from everything that a template does.
    pub fn path(&mut self, template: TemplateId, path: &Path) {
        for segment in &path.segments {
            self.segment(template, segment);
        }
    }

    /// Learns of channels only. For what is done before the symmetry begins.
    pub fn loosely(&mut self, template: TemplateId, path: &Path) {
        self.loose = true;
        self.path(template, path);
        self.loose = false;
    }

    fn segment(&mut self, template: TemplateId, segment: &Segment) {
        for o in &segment.observations {
            self.term(template, o.what.term(), o.span);
        }
        for write in segment.puts() {
            let cell = self.cell(template, &write.what.0, write.span);
            if is_turned_over(&write.what) {
                continue;
            }
            let value = self.term(template, &write.what.1, write.span);
            self.unknowns.unify(cell, value, write.span);
        }
        if let Some(deed) = &segment.deed {
            self.deed(template, &deed.what, deed.span);
        }
    }

    fn deed(&mut self, template: TemplateId, deed: &Deed, span: Span) {
        match deed {
            Deed::Send(channel, _, message) => {
                let channel = self.term(template, channel, span);
                for (i, term) in message.iter().enumerate() {
                    let sent = self.term(template, term, span);
                    self.field(channel, i, sent, span);
                }
            }
            Deed::Receive(channel, _, _, fields) => {
                let channel = self.term(template, channel, span);
                for (i, wanted) in fields.iter().enumerate() {
                    let own = match wanted {
                        Field::Match(term) => self.term(template, term, span),
                        Field::Bind(cell) => self.bound(template, cell, span),
                        Field::Ignore => self.unknowns.fresh(),
                    };
                    self.field(channel, i, own, span);
                }
            }
            Deed::Spawn(made, arguments, _, result) => {
                self.arguments(*made, template, arguments, span);
                if let Some(cell) = result {
                    let cell = self.cell(template, cell, span);
                    if self.moved.contains(made) && !self.loose {
                        self.unknowns.process(cell, 0, span);
                    }
                }
            }
        }
    }

    fn bound(&mut self, template: TemplateId, cell: &Cell, span: Span) -> Var {
        if self.loose && cell.scalar.0 != Scalar::Channel {
            return self.unknowns.fresh();
        }
        self.cell(template, cell, span)
    }

    fn field(&mut self, channel: Var, field: usize, value: Var, span: Span) {
        let field = self.unknowns.field(channel, field, span);
        self.unknowns.unify(field, value, span);
    }

    /// Learns from the arguments that a new process gets.
    pub fn arguments(&mut self, made: TemplateId, by: TemplateId, values: &[Term], span: Span) {
        let count = self.model.template(made).parameters as usize;
        let mut cells = Vec::new();
        let shapes = &self.classes.locals[made.index()][..count];
        shapes.iter().for_each(|s| cell_vars(s, &mut cells));
        for (cell, value) in cells.into_iter().zip(values) {
            if let Term::Const(value) = value {
                self.unknowns.constant(cell, *value);
            }
            let value = self.term(by, value, span);
            self.unknowns.unify(cell, value, span);
        }
    }

    /// Learns from what a cell holds at first.
    pub fn first(&mut self, template: TemplateId, value: &FirstValue) {
        let cell = self.cell(template, &value.cell, value.span);
        match &value.first {
            // That a variable is 0 at first says nothing.
            First::Value(Term::Const(0)) => {}
            First::Value(term) => {
                let term = self.term(template, term, value.span);
                self.unknowns.unify(cell, term, value.span);
            }
            First::Channel(kind) => {
                let fields = self.classes.fields[kind.index()].clone();
                for (i, var) in fields.into_iter().enumerate() {
                    self.field(cell, i, var, value.span);
                }
                self.unknowns.kind(cell, *kind);
            }
        }
    }

    /// The sort of a term, which is learnt from its parts.
    pub fn term(&mut self, template: TemplateId, term: &Term, span: Span) -> Var {
        self.budget.spend(TERM);
        if self.loose {
            return self.loose_term(template, term, span);
        }
        match term {
            Term::Other | Term::FirstInstance(_) => self.unknowns.fresh(),
            Term::Const(value) => {
                let var = self.unknowns.fresh();
                self.unknowns.constant(var, *value);
                var
            }
            Term::Named(..) | Term::Table(_) => self.unknowns.fresh(),
            Term::Own(number, value) => {
                let var = self.unknowns.fresh();
                self.unknowns.own_process(var, number - value, span);
                var
            }
            Term::LastMover => {
                let var = self.unknowns.fresh();
                self.unknowns.process(var, 0, span);
                var
            }
            Term::Read(cell) => self.cell(template, cell, span),
            Term::Choose(condition, yes, no) => {
                self.operand(template, condition, span);
                let yes = self.term(template, yes, span);
                let no = self.term(template, no, span);
                self.unknowns.unify(yes, no, span);
                yes
            }
            Term::Stored(_, inner) => self.term(template, inner, span),
            Term::Unary(op, inner) if op.0 == UnaryOp::Defined => self.term(template, inner, span),
            Term::Sum(list) if shift(list).is_some() => {
                let var = self.term(template, &list[0], span);
                let sum = self.unknowns.fresh();
                let by = shift(list).unwrap_or(0);
                self.unknowns.relate(sum, var, -by, span);
                sum
            }
            computed => self.computed(template, computed, span),
        }
    }

    fn computed(&mut self, template: TemplateId, term: &Term, span: Span) -> Var {
        self.parts(template, term, span);
        let var = self.unknowns.fresh();
        // What is computed from one name may be another.
        let leaf = term.only_leaf();
        if term.is_condition() || leaf.is_none() {
            self.unknowns.plain(var, span);
        } else if leaf == Some(&Term::Other) && self.moved.contains(&template) {
            self.unknowns.maybe_process(var);
        }
        var
    }

    fn loose_term(&mut self, template: TemplateId, term: &Term, span: Span) -> Var {
        match term {
            Term::Read(cell) if cell.scalar.0 == Scalar::Channel => self.cell(template, cell, span),
            Term::Choose(_, yes, no) => {
                let yes = self.loose_term(template, yes, span);
                let no = self.loose_term(template, no, span);
                self.unknowns.unify(yes, no, span);
                yes
            }
            _ => self.unknowns.fresh(),
        }
    }

    fn operand(&mut self, template: TemplateId, term: &Term, span: Span) {
        let var = self.term(template, term, span);
        self.unknowns.plain(var, span);
    }

    fn parts(&mut self, template: TemplateId, term: &Term, span: Span) {
        match term {
            Term::Binary(op, a, b) if matches!(op.0, BinaryOp::Equal | BinaryOp::NotEqual) => {
                let (a, b) = (self.term(template, a, span), self.term(template, b, span));
                self.unknowns.unify(a, b, span);
            }
            Term::Binary(..) | Term::Unary(..) | Term::Sum(_) if term.only_leaf().is_some() => {
                if let Some(leaf) = term.only_leaf() {
                    self.term(template, leaf, span);
                }
            }
            Term::Binary(_, a, b) => {
                self.operand(template, a, span);
                self.operand(template, b, span);
            }
            Term::Unary(_, a) => self.operand(template, a, span),
            Term::Sum(list) | Term::All(list) | Term::Any(list) => {
                list.iter().for_each(|t| self.operand(template, t, span));
            }
            Term::LocationNumber(p) | Term::At(_, p, _) => {
                let var = self.term(template, p, span);
                self.unknowns.process(var, 0, span);
            }
            Term::Channel(_, c) | Term::Room(c) => {
                let channel = self.term(template, c, span);
                self.unknowns.channel(channel, span);
            }
            Term::Poll(c, _, fields) | Term::Waiting(c, _, _, fields) => {
                let channel = self.term(template, c, span);
                for (i, wanted) in fields.iter().enumerate() {
                    let var = match wanted {
                        Some(term) => self.term(template, term, span),
                        None => self.unknowns.fresh(),
                    };
                    self.field(channel, i, var, span);
                }
            }
            _ => {}
        }
    }

    fn cell(&mut self, template: TemplateId, cell: &Cell, span: Span) -> Var {
        let (place, indices) = self.place(template, cell);
        if let Home::Remote(_, process, _) = &cell.home
            && !self.loose
        {
            let var = self.term(template, process, span);
            self.unknowns.process(var, 0, span);
        }
        for (index, term) in indices {
            let var = self.term(template, term, span);
            if !self.loose {
                self.unknowns.unify(index, var, span);
            }
        }
        place.unwrap_or_else(|| self.unknowns.fresh())
    }

    /// The unknowns of a cell, if its path leads to one, and of the indices on the way to it.
    fn place<'c>(
        &self,
        template: TemplateId,
        cell: &'c Cell,
    ) -> (Option<Var>, Vec<(Var, &'c Term)>) {
        let mut shape = match &cell.home {
            Home::Global(id) => &self.classes.globals[id.index()],
            Home::Own(id) => &self.classes.locals[template.index()][id.index()],
            Home::Remote(other, _, local) => &self.classes.locals[other.index()][local.index()],
        };
        let mut indices = Vec::new();
        for part in &cell.path {
            match (shape, part) {
                (Shape::Record(fields), Part::Field(field)) => shape = &fields[*field as usize],
                (Shape::Array { index, element, .. }, Part::Index(term, _)) => {
                    indices.push((*index, term));
                    shape = element;
                }
                _ => {}
            }
        }
        match shape {
            Shape::Cell(var, _) => (Some(*var), indices),
            _ => (None, indices),
        }
    }

    fn check_conflicts(&self, roots: &BTreeSet<Var>) -> Result<(), Vec<Breach>> {
        let labels = self.candidate.names.iter().map(|n| n.label.as_str());
        let labels: Vec<&str> = labels.collect();
        let name = |root| self.name_of(root);
        let conflict = |root: &Var| self.unknowns.conflict(*root, name, &labels);
        let mut breaches: Vec<Breach> = roots.iter().filter_map(conflict).collect();
        breaches.sort_by_key(|b| b.span);
        breaches.dedup();
        if breaches.is_empty() {
            Ok(())
        } else {
            Err(breaches)
        }
    }

    /// The sorts, or the places that contradict each other.
    pub fn finish(self) -> Result<Sorts, Vec<Breach>> {
        let roots = self.unknowns.roots();
        self.check_conflicts(&roots)?;
        let channels = roots.into_iter().filter(|r| self.unknowns.is_channel(*r));
        let numbers: BTreeMap<Var, u32> = channels.zip(0..).collect();
        let sort = |var: &Var| self.unknowns.sort(*var, &numbers);
        let shapes = |list: &Vec<Shape<Var>>| -> Vec<Shape<Sort>> {
            list.iter().map(|s| s.map(&mut { sort })).collect()
        };
        let fields = self.classes.fields.iter();
        let classes = Classes {
            globals: shapes(&self.classes.globals),
            locals: self.classes.locals.iter().map(shapes).collect(),
            fields: fields.map(|f| f.iter().map(sort).collect()).collect(),
        };
        let messages = numbers.keys().map(|r| self.unknowns.messages(*r));
        let messages = messages.map(|m| m.iter().map(sort).collect()).collect();
        let kinds = numbers.keys().map(|r| self.unknowns.kinds(*r)).collect();
        let names = self.candidate.names.iter();
        let names = names.map(|n| Names {
            first: n.first,
            size: n.size,
        });
        Ok(Sorts {
            names: names.collect(),
            rows: self.candidate.rows.clone(),
            classes,
            messages,
            kinds,
        })
    }

    /// The classes of indices and parameters that may be names that nobody has thought of.
    pub fn open_classes(&self) -> Vec<OpenClass> {
        self.classes_of(|root| self.unknowns.is_open(root))
    }

    /// The classes of what is known by the numbers of processes: it may have names of its own.
    pub fn own_classes(&self) -> Vec<OpenClass> {
        self.classes_of(|root| self.unknowns.is_own(root))
    }

    fn classes_of(&self, meant: impl Fn(Var) -> bool) -> Vec<OpenClass> {
        let mut classes: BTreeMap<Var, OpenClass> = BTreeMap::new();
        for member in self.members() {
            let (root, offset) = self.unknowns.find(member.var);
            if !meant(root) {
                continue;
            }
            let class = classes.entry(root).or_insert_with(|| OpenClass {
                guides: member.guides,
                offset,
                seed: ScalarsetUse {
                    kind: member.kind.clone(),
                    span: member.span,
                },
                label: member.label.clone(),
                arrays: Vec::new(),
                range: None,
                constants: self.unknowns.constants(root).clone(),
            });
            class.guides |= member.guides;
            let length = member.length.map(i64::from);
            class
                .arrays
                .extend(length.map(|l| (offset, offset + l - 1)));
        }
        classes.into_values().collect()
    }

    /// The indices of all arrays, and all variables of one class of cells.
    fn members(&self) -> Vec<Member> {
        let mut members = Vec::new();
        let globals = self.model.globals.iter().zip(&self.classes.globals);
        for (id, (variable, shape)) in globals.enumerate() {
            let at = VariableRef::Global(GlobalId::from(id));
            indices(at, variable, shape, &mut Vec::new(), 0, &mut members);
            let whole = Within::of(at, variable, false);
            self.cells(&whole, shape, &mut members);
        }
        let templates = self.model.runnables().zip(&self.classes.locals);
        for ((template, declared), shapes) in templates {
            let locals = declared.locals.iter().zip(shapes);
            for (id, (variable, shape)) in locals.enumerate() {
                let at = VariableRef::Local(template, LocalId::from(id));
                indices(at, variable, shape, &mut Vec::new(), 0, &mut members);
                let parameter = id < declared.parameters as usize;
                let whole = Within::of(at, variable, parameter);
                self.cells(&whole, shape, &mut members);
            }
        }
        // What leads somewhere gives the better name.
        members.sort_by_key(|m| !m.guides);
        members
    }

    /// The classes of cells in a part of a variable.
    fn cells(&self, part: &Within<'_>, shape: &Shape<Var>, members: &mut Vec<Member>) {
        match shape {
            Shape::Cell(var, _) => members.push(Member {
                var: *var,
                guides: part.guides,
                kind: UseKind::Holds {
                    variable: part.at,
                    path: part.path.clone(),
                },
                length: None,
                label: part.label.clone(),
                span: part.variable.span,
            }),
            Shape::Array { element, .. } => self.cells(part, element, members),
            Shape::Record(shapes) => {
                let fields = part.fields(self.model);
                for (field, shape) in fields.iter().zip(shapes) {
                    self.cells(field, shape, members);
                }
            }
        }
    }

    /// Something of the source that has the sort.
    fn name_of(&self, root: Var) -> String {
        let globals = self.model.globals.iter().zip(&self.classes.globals);
        let locals = self.model.runnables().zip(&self.classes.locals);
        let locals = locals.flat_map(|((_, t), shapes)| t.locals.iter().zip(shapes));
        let variables: Vec<_> = globals.chain(locals).collect();
        let holds = |shape: &Shape<Var>| {
            let mut vars = Vec::new();
            shape.each_cell(&mut |var| vars.push(*var));
            vars.into_iter().any(|v| self.unknowns.root(v) == root)
        };
        if let Some((variable, _)) = variables.iter().find(|(_, shape)| holds(shape)) {
            return format!("`{}`", variable.name);
        }
        let indexed = |shape: &Shape<Var>| matches!(shape, Shape::Array { index, .. } if self.unknowns.root(*index) == root);
        match variables.iter().find(|(_, shape)| indexed(shape)) {
            Some((variable, _)) => format!("the index of `{}`", variable.name),
            None => "the same thing".to_string(),
        }
    }
}

/// A class of values that may be names.
#[derive(Clone, Debug)]
pub(crate) struct OpenClass {
    /// Whether it has the index of an array or a parameter.
    pub guides: bool,
    /// By how much values of the seed are less than numbers given here.
    pub offset: i64,
    /// One place of the class.
    pub seed: ScalarsetUse,
    pub label: String,
    /// The least and the greatest number that each array has an element for.
    pub arrays: Vec<(i64, i64)>,
    /// The least and the greatest value, if that is known.
    pub range: Option<(i64, i64)>,
    /// Numbers that occur.
    pub constants: BTreeSet<i64>,
}

/// An index or a cell.
struct Member {
    var: Var,
    /// Whether it is an index or a parameter.
    guides: bool,
    kind: UseKind,
    length: Option<u32>,
    label: String,
    span: Span,
}

/// A part of a variable: all of it, or a field.
struct Within<'m> {
    at: VariableRef,
    /// The variable or the field.
    variable: &'m Variable,
    path: Vec<u32>,
    label: String,
    guides: bool,
}

impl<'m> Within<'m> {
    fn of(at: VariableRef, variable: &'m Variable, guides: bool) -> Self {
        Within {
            at,
            variable,
            path: Vec::new(),
            label: variable.name.clone(),
            guides,
        }
    }

    fn fields(&self, model: &'m UncheckedModel) -> Vec<Self> {
        let mut ty = &self.variable.ty;
        while let Type::Array { element, .. } = ty {
            ty = element;
        }
        let Type::Record(record) = ty else {
            return Vec::new();
        };
        let fields = (0..).zip(&model.records[record.index()].fields);
        let field = |(number, variable): (u32, &'m Variable)| Within {
            variable,
            path: self.path.iter().copied().chain([number]).collect(),
            label: format!("{}.{}", self.label, variable.name),
            ..*self
        };
        fields.map(field).collect()
    }
}

/// The indices of all arrays in a variable.
fn indices(
    at: VariableRef,
    variable: &Variable,
    shape: &Shape<Var>,
    path: &mut Vec<u32>,
    dimension: u32,
    members: &mut Vec<Member>,
) {
    match shape {
        Shape::Cell(..) => {}
        Shape::Record(fields) => {
            for (number, field) in (0..).zip(fields) {
                path.push(number);
                indices(at, variable, field, path, 0, members);
                path.pop();
            }
        }
        Shape::Array {
            index,
            element,
            length,
        } => {
            members.push(Member {
                var: *index,
                guides: true,
                kind: UseKind::Indexes {
                    variable: at,
                    path: path.clone(),
                    dimension,
                },
                length: Some(*length),
                label: variable.name.clone(),
                span: variable.span,
            });
            indices(at, variable, element, path, dimension + 1, members);
        }
    }
}

/// The unknowns of the cells of a variable, in order.
fn cell_vars(shape: &Shape<Var>, vars: &mut Vec<Var>) {
    match shape {
        Shape::Cell(var, _) => vars.push(*var),
        Shape::Record(fields) => fields.iter().for_each(|f| cell_vars(f, vars)),
        Shape::Array {
            element, length, ..
        } => (0..*length).for_each(|_| cell_vars(element, vars)),
    }
}

/// All unknowns of a variable.
fn all_vars(shape: &Shape<Var>, vars: &mut Vec<Var>) {
    drop(shape.map(&mut |var| vars.push(*var)));
}

/// Whether a cell gets the answer to a question about itself, as in `x = !x`. That may be another name.
fn is_turned_over((cell, value): &(Cell, Term)) -> bool {
    let own = |leaf: &Term| matches!(leaf, Term::Read(read) if read == cell);
    value.is_condition() && value.only_leaf().is_some_and(own)
}
