//! A guess at the sorts, by unification over all the forms of a model.
//!
//! Nothing here is trusted: `rename` refuses every term that does not fit the sorts, however
//! they were found. What matters is that the guess is good and that a conflict names both places.

use crate::births::{First, FirstValue};
use crate::breach::Breach;
use crate::path::{Deed, Field, Path, Segment};
use crate::sorts::{Classes, Shape, Sort, Sorts};
use crate::term::{Cell, Home, Part, Term};
use mandala_model::UncheckedModel;
use mandala_model::expr::BinaryOp;
use mandala_model::ids::{ChannelKindId, TemplateId};
use mandala_model::source::Span;
use std::collections::{BTreeMap, BTreeSet};

type Var = usize;

/// What is known of an unknown sort, and where it was learnt.
#[derive(Clone, Debug, Default)]
struct Known {
    plain: Option<Span>,
    process: Option<Span>,
    channel: Option<Span>,
    /// If it is a channel: the fields of its messages and the kinds of channels.
    messages: Vec<Var>,
    kinds: BTreeSet<ChannelKindId>,
}

/// Unknown sorts, some of them the same.
pub(crate) struct Inference<'m> {
    model: &'m UncheckedModel,
    parents: Vec<Var>,
    known: Vec<Known>,
    classes: Classes<Var>,
    /// The templates of processes that are permuted.
    moved: &'m [TemplateId],
}

impl<'m> Inference<'m> {
    pub fn new(model: &'m UncheckedModel, moved: &'m [TemplateId]) -> Self {
        let mut count = 0;
        let classes = Classes::of(model, || {
            count += 1;
            count - 1
        });
        Inference {
            model,
            parents: (0..count).collect(),
            known: vec![Known::default(); count],
            classes,
            moved,
        }
    }

    fn fresh(&mut self) -> Var {
        self.parents.push(self.parents.len());
        self.known.push(Known::default());
        self.parents.len() - 1
    }

    fn root(&self, var: Var) -> Var {
        let mut var = var;
        while self.parents[var] != var {
            var = self.parents[var];
        }
        var
    }

    fn unify(&mut self, a: Var, b: Var) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            self.parents[b] = a;
            let other = std::mem::take(&mut self.known[b]);
            let own = &mut self.known[a];
            own.plain = own.plain.or(other.plain);
            own.process = own.process.or(other.process);
            own.channel = own.channel.or(other.channel);
            own.kinds.extend(other.kinds);
            open.extend(own.messages.iter().copied().zip(other.messages.clone()));
            let longer = other.messages.into_iter().skip(own.messages.len());
            own.messages.extend(longer);
        }
    }

    fn plain(&mut self, var: Var, span: Span) {
        let root = self.root(var);
        self.known[root].plain.get_or_insert(span);
    }

    fn process(&mut self, var: Var, span: Span) {
        let root = self.root(var);
        self.known[root].process.get_or_insert(span);
    }

    /// The field of the messages of a channel.
    fn field(&mut self, channel: Var, field: usize, span: Span) -> Var {
        let root = self.root(channel);
        self.known[root].channel.get_or_insert(span);
        while self.known[root].messages.len() <= field {
            let var = self.fresh();
            self.known[root].messages.push(var);
        }
        self.known[root].messages[field]
    }

    /// Learns from everything that a template does.
    pub fn path(&mut self, template: TemplateId, path: &Path) {
        for segment in &path.segments {
            self.segment(template, segment);
        }
    }

    fn segment(&mut self, template: TemplateId, segment: &Segment) {
        for o in &segment.observations {
            self.term(template, o.what.term(), o.span);
        }
        for write in &segment.writes {
            let cell = self.cell(template, &write.what.0, write.span);
            let value = self.term(template, &write.what.1, write.span);
            self.unify(cell, value);
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
                    let field = self.field(channel, i, span);
                    self.unify(field, sent);
                }
            }
            Deed::Receive(channel, _, _, fields) => {
                let channel = self.term(template, channel, span);
                for (i, wanted) in fields.iter().enumerate() {
                    let field = self.field(channel, i, span);
                    let own = match wanted {
                        Field::Match(term) => self.term(template, term, span),
                        Field::Bind(cell) => self.cell(template, cell, span),
                        Field::Ignore => continue,
                    };
                    self.unify(field, own);
                }
            }
            Deed::Spawn(made, arguments, _, result) => {
                self.arguments(*made, template, arguments, span);
                if let Some(cell) = result {
                    let cell = self.cell(template, cell, span);
                    if self.moved.contains(made) {
                        self.process(cell, span);
                    }
                }
            }
        }
    }

    /// Learns from the arguments that a new process gets.
    pub fn arguments(&mut self, made: TemplateId, by: TemplateId, values: &[Term], span: Span) {
        let count = self.model.template(made).parameters as usize;
        let mut cells = Vec::new();
        let shapes = &self.classes.locals[made.index()][..count];
        shapes.iter().for_each(|s| cell_vars(s, &mut cells));
        for (cell, value) in cells.into_iter().zip(values) {
            let value = self.term(by, value, span);
            self.unify(cell, value);
        }
    }

    /// Learns from what a cell holds at first.
    pub fn first(&mut self, template: TemplateId, value: &FirstValue) {
        let cell = self.cell(template, &value.cell, value.span);
        match &value.first {
            First::Value(term) => {
                let term = self.term(template, term, value.span);
                self.unify(cell, term);
            }
            First::Channel(kind) => {
                let fields = self.classes.fields[kind.index()].clone();
                for (i, var) in fields.into_iter().enumerate() {
                    let field = self.field(cell, i, value.span);
                    self.unify(field, var);
                }
                let root = self.root(cell);
                self.known[root].kinds.insert(*kind);
            }
        }
    }

    /// The sort of a term, which is learnt from its parts.
    pub fn term(&mut self, template: TemplateId, term: &Term, span: Span) -> Var {
        match term {
            Term::Const(_) | Term::Other | Term::FirstInstance(_) => self.fresh(),
            Term::Own(_) | Term::LastMover => {
                let var = self.fresh();
                self.process(var, span);
                var
            }
            Term::Read(cell) => self.cell(template, cell, span),
            Term::Choose(condition, yes, no) => {
                self.operand(template, condition, span);
                let (yes, no) = (
                    self.term(template, yes, span),
                    self.term(template, no, span),
                );
                self.unify(yes, no);
                yes
            }
            computed => {
                self.parts(template, computed, span);
                let var = self.fresh();
                self.plain(var, span);
                var
            }
        }
    }

    fn operand(&mut self, template: TemplateId, term: &Term, span: Span) {
        let var = self.term(template, term, span);
        self.plain(var, span);
    }

    fn parts(&mut self, template: TemplateId, term: &Term, span: Span) {
        match term {
            Term::Binary(op, a, b) if matches!(op.0, BinaryOp::Equal | BinaryOp::NotEqual) => {
                let (a, b) = (self.term(template, a, span), self.term(template, b, span));
                self.unify(a, b);
            }
            Term::Binary(_, a, b) => {
                self.operand(template, a, span);
                self.operand(template, b, span);
            }
            Term::Unary(_, a) | Term::Stored(_, a) => self.operand(template, a, span),
            Term::Sum(list) | Term::All(list) | Term::Any(list) => {
                list.iter().for_each(|t| self.operand(template, t, span));
            }
            Term::LocationNumber(p) | Term::At(_, p, _) => {
                let var = self.term(template, p, span);
                self.process(var, span);
            }
            Term::Channel(_, c) | Term::Room(c) => {
                let channel = self.term(template, c, span);
                let root = self.root(channel);
                self.known[root].channel.get_or_insert(span);
            }
            Term::Poll(c, _, fields) | Term::Waiting(c, _, _, fields) => {
                let channel = self.term(template, c, span);
                for (i, wanted) in fields.iter().enumerate() {
                    let field = self.field(channel, i, span);
                    if let Some(term) = wanted {
                        let var = self.term(template, term, span);
                        self.unify(field, var);
                    }
                }
            }
            _ => {}
        }
    }

    fn cell(&mut self, template: TemplateId, cell: &Cell, span: Span) -> Var {
        let classes = &self.classes;
        let mut shape = match &cell.home {
            Home::Global(id) => classes.globals[id.index()].clone(),
            Home::Own(id) => classes.locals[template.index()][id.index()].clone(),
            Home::Remote(other, _, local) => classes.locals[other.index()][local.index()].clone(),
        };
        if let Home::Remote(_, process, _) = &cell.home {
            let var = self.term(template, process, span);
            self.process(var, span);
        }
        for part in &cell.path {
            shape = match (shape, part) {
                (Shape::Record(mut fields), Part::Field(field)) => {
                    fields.swap_remove(*field as usize)
                }
                (Shape::Array { index, element, .. }, Part::Index(term, _)) => {
                    let var = self.term(template, term, span);
                    self.unify(index, var);
                    *element
                }
                (other, _) => other,
            };
        }
        match shape {
            Shape::Cell(var, _) => var,
            _ => self.fresh(),
        }
    }

    /// The sorts, or the places that contradict each other.
    pub fn finish(self) -> Result<Sorts, Vec<Breach>> {
        let roots: BTreeSet<Var> = (0..self.parents.len()).map(|v| self.root(v)).collect();
        let mut breaches: Vec<Breach> = roots.iter().filter_map(|r| self.conflict(*r)).collect();
        breaches.sort_by_key(|b| b.span);
        breaches.dedup();
        if !breaches.is_empty() {
            return Err(breaches);
        }
        let channels = roots.iter().filter(|r| self.known[**r].channel.is_some());
        let numbers: BTreeMap<Var, u32> = channels.copied().zip(0..).collect();
        let sort = |var: &Var| {
            let root = self.root(*var);
            match (numbers.get(&root), self.known[root].process) {
                (Some(class), _) => Sort::Channel(*class),
                (None, Some(_)) => Sort::Process(0),
                (None, None) => Sort::Plain,
            }
        };
        let shapes = |list: &Vec<Shape<Var>>| -> Vec<Shape<Sort>> {
            list.iter().map(|s| s.map(&mut { sort })).collect()
        };
        let fields = self.classes.fields.iter();
        let classes = Classes {
            globals: shapes(&self.classes.globals),
            locals: self.classes.locals.iter().map(shapes).collect(),
            fields: fields.map(|f| f.iter().map(sort).collect()).collect(),
        };
        let channels = numbers.keys().map(|r| &self.known[*r]);
        let messages = channels.map(|k| k.messages.iter().map(sort).collect());
        let messages = messages.collect();
        let channels = numbers.keys().map(|r| &self.known[*r]);
        Ok(Sorts {
            names: Vec::new(),
            rows: Vec::new(),
            classes,
            messages,
            kinds: channels
                .map(|k| k.kinds.iter().copied().collect())
                .collect(),
        })
    }

    fn conflict(&self, root: Var) -> Option<Breach> {
        let known = &self.known[root];
        let name = self.name_of(root);
        let as_plain = format!("uses {name} as a plain number");
        let as_process = format!("uses {name} as the number of a process");
        let as_channel = format!("uses {name} as a channel");
        match (known.plain, known.process, known.channel) {
            (Some(plain), Some(process), _) => {
                Some(Breach::at(plain, as_plain).and(process, as_process))
            }
            (_, Some(process), Some(channel)) => {
                Some(Breach::at(process, as_process).and(channel, as_channel))
            }
            (Some(plain), _, Some(channel)) => {
                Some(Breach::at(plain, as_plain).and(channel, as_channel))
            }
            _ => None,
        }
    }

    /// Something of the source that has the sort.
    fn name_of(&self, root: Var) -> String {
        let globals = self.model.globals.iter().zip(&self.classes.globals);
        let locals = self.model.templates.iter().zip(&self.classes.locals);
        let locals = locals.flat_map(|(t, shapes)| t.locals.iter().zip(shapes));
        let variables: Vec<_> = globals.chain(locals).collect();
        let holds = |shape: &Shape<Var>| {
            let mut vars = Vec::new();
            cell_vars(shape, &mut vars);
            vars.into_iter().any(|v| self.root(v) == root)
        };
        if let Some((variable, _)) = variables.iter().find(|(_, shape)| holds(shape)) {
            return format!("`{}`", variable.name);
        }
        let indexed = |shape: &Shape<Var>| matches!(shape, Shape::Array { index, .. } if self.root(*index) == root);
        match variables.iter().find(|(_, shape)| indexed(shape)) {
            Some((variable, _)) => format!("the index of `{}`", variable.name),
            None => "the same thing".to_string(),
        }
    }
}

fn cell_vars(shape: &Shape<Var>, vars: &mut Vec<Var>) {
    match shape {
        Shape::Cell(var, _) => vars.push(*var),
        Shape::Record(fields) => fields.iter().for_each(|f| cell_vars(f, vars)),
        Shape::Array {
            element, length, ..
        } => (0..*length).for_each(|_| cell_vars(element, vars)),
    }
}
