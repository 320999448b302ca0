//! The graph of a model: its automorphisms are what may be a symmetry.
//!
//! There is a vertex for every process and every name of the candidate, coloured by its domain. What the processes do,
//! with constants recognised as the names that they are, hangs below: a vertex for each path of each location,
//! joined to its process; trees of terms below it, whose leaves are the vertices of processes and names. Functions
//! that are given value by value have a vertex for each value. Equal trees are one. So it is with conditions on all moves,
//! with conditions that a property asks of states, and with what new processes hold at first.
//!
//! So a permutation of the processes and names that maps what everybody does to what his image does can be
//! continued to an automorphism of the graph, and every automorphism is one of these, but for the order in which
//! things are evaluated. Nothing here is trusted: what is found is only proposed.

use crate::births::{self, First, FirstValue};
use crate::breach::Breach;
use crate::budget::{ProofBudget, TERM};
use crate::case::Places;
use crate::compare::order_matters;
use crate::domain::DomainKind;
use crate::execute::Actor;
use crate::hashing::{HashMap, HashSet};
use crate::lasting::OUTSIDE;
use crate::locations::{reachable_exit, spawns};
use crate::path::{Deed, EdgeForm, End, Field, Observation, Path, Segment};
use crate::proof::{Proof, renamed_first};
use crate::rename::{Renamer, Scope};
use crate::renaming::{Permutation, Renaming};
use crate::room::points;
use crate::sorts::{Point, Sort, Sorts};
use crate::term::{Cell, Home, Part, Table, Term};
use mandala_graphs::{Edge, Graph, GraphError, SparsePermutation};
use mandala_groups::Permutation as Vertices;
use mandala_model::expr::BinaryOp;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The label of edges whose order does not matter.
const ANY: u32 = 0;

/// A statement of somebody in the graph.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub location: (TemplateId, LocationId),
    /// The vertex of one way through it.
    pub vertex: u32,
    pub text: String,
    pub span: Span,
}

/// The graph of a model.
pub(crate) struct Structure {
    pub graph: Graph,
    /// The colours of its vertices, and its edges.
    pub colours: Vec<u32>,
    pub edges: Vec<Edge>,
    /// The vertices of processes and names come first, in this order.
    pub points: Vec<Point>,
    pub statements: Vec<Statement>,
}

/// Collects the vertices.
struct Builder<'a> {
    sorts: &'a Sorts,
    /// What the work is paid from.
    budget: &'a ProofBudget,
    vertices: Vec<u32>,
    edges: Vec<Edge>,
    points: BTreeMap<Point, u32>,
    colours: HashMap<String, u32>,
    /// Vertices by colour and edges.
    nodes: HashMap<(u32, Vec<(u32, u32)>), u32>,
    /// The vertices of the segments of paths that were seen; equal paths of a location are shared.
    paths: HashMap<*const Path, Vec<u32>>,
    statements: Vec<Statement>,
}

impl Proof<'_, '_> {
    /// The graph of everything but what is done at some places.
    ///
    /// # Errors
    ///
    /// What does not fit the sorts.
    pub(crate) fn structure(&self, without: &Places) -> Result<Structure, Vec<Breach>> {
        let all: Vec<Point> = points(&self.case.domains).flatten().collect();
        let mut builder = Builder::new(self.sorts, &self.case.domains, &self.case.budget);
        let scope = Scope::new(all.iter().copied());
        let identity = Renaming::identity();
        for ((template, actor), forms) in &self.forms.edges {
            if self.case.is_nobody(*template, *actor) {
                continue;
            }
            self.case
                .require_budget(|| self.case.template_part(*template))?;
            let renamer = self.renamer(*template, &scope, &identity);
            for (index, edges) in forms.iter().enumerate() {
                let location = LocationId::from(index);
                if without.get(template).is_some_and(|w| w.contains(&location)) {
                    continue;
                }
                let ordered = order_matters(self.case.model.template(*template), edges);
                let renamer = renamer.at(location);
                for (place, form) in (1..).zip(edges) {
                    let place = if ordered { place } else { 0 };
                    for path in &form.paths {
                        let segments = builder.segments(&renamer, path)?;
                        let what = (form, place, path.end, &segments[..]);
                        builder.statement((*template, location), *actor, what);
                    }
                }
            }
            self.provided(&mut builder, &renamer, *actor)?;
        }
        self.questions(&mut builder, &scope)?;
        self.births(&mut builder, &scope, without)?;
        self.exits(&mut builder);
        builder.keep_apart_what_nobody_touches();
        let too_large = |_: GraphError| vec![Breach::everywhere("the model is too large")];
        Ok(Structure {
            graph: Graph::new(&builder.vertices, &builder.edges).map_err(too_large)?,
            colours: builder.vertices,
            edges: builder.edges,
            points: all,
            statements: builder.statements,
        })
    }

    /// The condition on all moves of somebody.
    fn provided(
        &self,
        builder: &mut Builder<'_>,
        renamer: &Renamer<'_>,
        actor: Actor,
    ) -> Result<(), Vec<Breach>> {
        let template = self.case.model.template(renamer.template);
        let Some(provided) = &template.provided else {
            return Ok(());
        };
        let term = self.case.executor(renamer.template, actor).alone(provided);
        let term = self.case.algebra.condition(term.map_err(|b| vec![b])?);
        let term = renamer.condition(&term);
        let term = term.map_err(|why| vec![Breach::at(provided.span, why.0)])?;
        let doer = builder.doer(renamer.template, actor);
        let children = vec![(ANY, doer), (1, builder.term(&term))];
        let vertex = builder.node("provided", children);
        builder.statements.push(Statement {
            location: (renamer.template, template.entry),
            vertex,
            text: "provided".into(),
            span: provided.span,
        });
        Ok(())
    }

    /// What is asked of states, each condition by itself.
    fn questions(&self, builder: &mut Builder<'_>, scope: &Scope) -> Result<(), Vec<Breach>> {
        let identity = Renaming::identity();
        let renamer = self.renamer(OUTSIDE, scope, &identity);
        for (number, form) in (1..).zip(self.forms.conditions.iter()) {
            for path in &form.paths {
                let segments = builder.segments(&renamer, path)?;
                let what = (form, number, path.end, &segments[..]);
                builder.statement((OUTSIDE, LocationId(0)), Actor::Other, what);
            }
        }
        Ok(())
    }

    /// What the variables of processes hold at first that are made elsewhere than at some places.
    fn births(
        &self,
        builder: &mut Builder<'_>,
        scope: &Scope,
        without: &Places,
    ) -> Result<(), Vec<Breach>> {
        let identity = Renaming::identity();
        let unseen = |(by, at): &(TemplateId, LocationId)| {
            without.get(by).is_some_and(|places| places.contains(at))
        };
        for template in self.case.spawned().iter().copied() {
            if spawns(self.case.model, template).iter().all(unseen) {
                continue;
            }
            let executor = self.case.executor(template, Actor::Other);
            let values = births::of_locals(&executor).map_err(|b| vec![b])?;
            let renamer = self.renamer(template, scope, &identity);
            for (order, value) in values.iter().enumerate() {
                // What does not fit the sorts may be over when the symmetry begins.
                if let Ok((cell, first)) = renamed_first(&renamer, value) {
                    let vertex = builder.birth(template, order, &cell, &first);
                    let text = self.first_value(template, value);
                    let entry = self.case.model.template(template).entry;
                    builder.statements.extend(text.map(|text| Statement {
                        location: (template, entry),
                        vertex,
                        text,
                        span: value.span,
                    }));
                }
            }
        }
        Ok(())
    }

    /// What a variable holds at first, for a person, if that is a number.
    fn first_value(&self, template: TemplateId, value: &FirstValue) -> Option<String> {
        let Home::Own(local) = value.cell.home else {
            return None;
        };
        let name = &self.case.model.template(template).locals[local.index()].name;
        match &value.first {
            First::Value(term) => term.known().map(|number| format!("{name} = {number}")),
            First::Channel(_) => None,
        }
    }

    /// Processes that may end are known by the order in which they were made.
    fn exits(&self, builder: &mut Builder<'_>) {
        for family in &self.case.candidate.families {
            if reachable_exit(self.case.model.template(family.template)).is_none() {
                continue;
            }
            for number in &family.numbers {
                let process = builder.points[&Point::Process(*number)];
                builder.node(format!("ends {number}"), vec![(ANY, process)]);
            }
        }
    }
}

impl Structure {
    /// What an automorphism does to the vertices of processes and names.
    pub fn vertices(&self, automorphism: &SparsePermutation) -> Option<Vertices> {
        let images = (0..self.points.len() as u32).map(|v| automorphism.image(v));
        Vertices::from_images(images.collect()).ok()
    }

    /// What a permutation of the vertices of processes and names does to these.
    pub fn renaming(&self, vertices: &Vertices) -> Option<Renaming> {
        let mut processes: BTreeMap<u32, u32> = BTreeMap::new();
        let mut names: BTreeMap<u32, BTreeMap<u32, u32>> = BTreeMap::new();
        for (vertex, point) in (0..).zip(&self.points) {
            let image = self.points.get(vertices.image(vertex) as usize)?;
            match (point, image) {
                (Point::Process(from), Point::Process(to)) => {
                    processes.insert(*from, *to);
                }
                (Point::Name(domain, from), Point::Name(_, to)) => {
                    names.entry(*domain).or_default().insert(*from, *to);
                }
                _ => return None,
            }
        }
        let sets = names.keys().next_back().map_or(0, |last| last + 1);
        let none = BTreeMap::new();
        let names = (0..sets).map(|d| permutation(names.get(&d).unwrap_or(&none)));
        let names: Option<Vec<Permutation>> = names.collect();
        Some(Renaming::new(permutation(&processes)?, names?))
    }
}

fn permutation(images: &BTreeMap<u32, u32>) -> Option<Permutation> {
    let length = images.keys().next_back().map_or(0, |last| last + 1);
    let image = |n: u32| images.get(&n).copied().unwrap_or(n);
    Permutation::from_images((0..length).map(image).collect())
}

impl<'a> Builder<'a> {
    fn new(sorts: &'a Sorts, domains: &[DomainKind], budget: &'a ProofBudget) -> Self {
        let mut builder = Builder {
            sorts,
            budget,
            vertices: Vec::new(),
            edges: Vec::new(),
            points: BTreeMap::new(),
            colours: HashMap::default(),
            nodes: HashMap::default(),
            paths: HashMap::default(),
            statements: Vec::new(),
        };
        for (number, domain) in points(domains).enumerate() {
            let colour = builder.colour(format!("domain {number}"));
            for point in domain {
                let vertex = builder.vertex(colour);
                builder.points.insert(point, vertex);
            }
        }
        builder
    }

    /// Where names are nowhere kept, but stand in the text only, those that do not stand there are permuted in vain.
    fn keep_apart_what_nobody_touches(&mut self) {
        let kept = self.sorts.kept();
        let touched: HashSet<u32> = self.edges.iter().map(|e| e.to).collect();
        let points = self.points.clone();
        for (point, vertex) in points {
            let alone = matches!(point, Point::Name(set, _) if !kept.contains(&set));
            if alone && !touched.contains(&vertex) {
                self.vertices[vertex as usize] = self.colour(format!("untouched {point:?}"));
            }
        }
    }

    fn colour(&mut self, name: String) -> u32 {
        let next = self.colours.len() as u32;
        *self.colours.entry(name).or_insert(next)
    }

    fn vertex(&mut self, colour: u32) -> u32 {
        self.vertices.push(colour);
        self.vertices.len() as u32 - 1
    }

    /// The vertex with that name and those children; the label of an edge says which child it is.
    fn node(&mut self, name: impl Into<String>, mut children: Vec<(u32, u32)>) -> u32 {
        self.budget.spend(TERM);
        let colour = self.colour(name.into());
        children.sort_unstable();
        let key = (colour, children);
        if let Some(vertex) = self.nodes.get(&key) {
            return *vertex;
        }
        let vertex = self.vertex(colour);
        let edges = key.1.iter().map(|(label, child)| Edge {
            from: vertex,
            to: *child,
            label: *label,
        });
        self.edges.extend(edges);
        self.nodes.insert(key, vertex);
        vertex
    }

    fn statement(
        &mut self,
        location: (TemplateId, LocationId),
        actor: Actor,
        (form, place, end, segments): (&EdgeForm, u32, End, &[u32]),
    ) {
        let doer = self.doer(location.0, actor);
        let name = format!("at {location:?} {place} {} {end:?}", form.is_else);
        let mut children = vec![(ANY, doer)];
        children.extend((1..).zip(segments.iter().copied()));
        let vertex = self.node(name, children);
        self.statements.push(Statement {
            location,
            vertex,
            text: form.text.clone(),
            span: form.span,
        });
    }

    /// The vertex of who acts.
    fn doer(&mut self, template: TemplateId, actor: Actor) -> u32 {
        match actor {
            Actor::Known(number) => self.points[&Point::Process(number)],
            Actor::Other => self.node(format!("others {template:?}"), Vec::new()),
        }
    }

    /// What a cell of a new process holds; new channels are made in order.
    fn birth(&mut self, template: TemplateId, order: usize, cell: &Cell, first: &First) -> u32 {
        let (name, value) = match first {
            First::Value(term) => (format!("born {template:?}"), Some(self.term(term))),
            First::Channel(kind) => (format!("born {template:?} {order} {kind:?}"), None),
        };
        let mut children = vec![(1, self.cell(cell))];
        children.extend(value.map(|value| (2, value)));
        self.node(name, children)
    }

    /// The vertices of the segments of a path.
    fn segments(
        &mut self,
        renamer: &Renamer<'_>,
        path: &Rc<Path>,
    ) -> Result<Vec<u32>, Vec<Breach>> {
        if let Some(known) = self.paths.get(&Rc::as_ptr(path)) {
            return Ok(known.clone());
        }
        let renamed = renamer.path(path);
        let renamed = renamed.map_err(|(span, why)| vec![Breach::at(span, why.0)])?;
        let segments = renamed.segments.iter().map(|s| self.segment(s));
        let segments: Vec<u32> = segments.collect();
        self.paths.insert(Rc::as_ptr(path), segments.clone());
        Ok(segments)
    }

    fn segment(&mut self, segment: &Segment) -> u32 {
        let mut children = Vec::new();
        for observation in &segment.observations {
            let kind = match observation.what {
                Observation::Holds(_) => "holds",
                Observation::Computes(_) => "computes",
                Observation::Asserts(_) => "asserts",
            };
            let term = self.term(observation.what.term());
            children.push((ANY, self.node(kind, vec![(1, term)])));
        }
        for write in &segment.writes {
            let (cell, value) = &write.what;
            let pair = vec![(1, self.cell(cell)), (2, self.term(value))];
            children.push((ANY, self.node("writes", pair)));
        }
        for insert in &segment.inserts {
            let cells = insert.cells.iter();
            let cells = cells.map(|w| (self.cell(&w.what.0), self.term(&w.what.1)));
            let pairs: Vec<(u32, u32)> = cells.collect();
            let pairs = pairs.into_iter();
            let pairs = pairs.map(|(cell, value)| self.node("gets", vec![(1, cell), (2, value)]));
            let pairs: Vec<u32> = pairs.collect();
            let pairs = pairs.into_iter().map(|pair| (ANY, pair)).collect();
            children.push((ANY, self.node("inserts", pairs)));
        }
        if let Some(deed) = &segment.deed {
            children.push((1, self.deed(&deed.what)));
        }
        self.node("segment", children)
    }

    fn deed(&mut self, deed: &Deed) -> u32 {
        match deed {
            Deed::Send(channel, order, message) => {
                let channel = self.term(channel);
                let message = self.in_order(message);
                self.node(format!("sends {order:?}"), vec![(1, channel), (2, message)])
            }
            Deed::Receive(channel, order, keep, fields) => {
                let mut children = vec![(1, self.term(channel))];
                for (label, field) in (2..).zip(fields) {
                    let (kind, inner) = match field {
                        Field::Match(term) => ("match", vec![(1, self.term(term))]),
                        Field::Bind(cell) => ("bind", vec![(1, self.cell(cell))]),
                        Field::Ignore => ("ignore", Vec::new()),
                    };
                    children.push((label, self.node(kind, inner)));
                }
                self.node(format!("receives {order:?} {keep:?}"), children)
            }
            Deed::Spawn(template, arguments, priority, result) => {
                let mut children = vec![(1, self.in_order(arguments))];
                if let Some(cell) = result {
                    children.push((2, self.cell(cell)));
                }
                self.node(format!("makes {template:?} {priority}"), children)
            }
        }
    }

    fn in_order(&mut self, terms: &[Term]) -> u32 {
        let children = (1..).zip(terms).map(|(label, t)| (label, self.term(t)));
        let children = children.collect();
        self.node("list", children)
    }

    fn unordered(&mut self, name: &str, terms: &[Term]) -> u32 {
        let children = terms.iter().map(|t| (ANY, self.term(t))).collect();
        self.node(name, children)
    }

    /// The vertex of a number: that of what it stands for.
    fn value(&mut self, sort: Sort, value: i64) -> u32 {
        let point = self.sorts.point(sort, value);
        let vertex = point.and_then(|p| self.points.get(&p)).copied();
        vertex.unwrap_or_else(|| self.node(format!("number {value}"), Vec::new()))
    }

    fn table(&mut self, table: &Table) -> u32 {
        let mut children = vec![(1, self.term(&table.leaf))];
        for (from, to) in &table.entries {
            let from = self.value(table.sorts.0, *from);
            let to = self.value(table.sorts.1, *to);
            children.push((ANY, self.node("entry", vec![(1, from), (2, to)])));
        }
        self.node("table", children)
    }

    fn term(&mut self, term: &Term) -> u32 {
        match term {
            Term::Const(value) | Term::Own(_, value) => self.value(Sort::Plain, *value),
            Term::Named(sort, value) => self.value(*sort, *value),
            Term::Table(table) => self.table(table),
            Term::Read(cell) => self.cell(cell),
            Term::Unary(op, a) => self.wrapped(format!("{op:?}"), a),
            Term::Stored(scalar, a) => self.wrapped(format!("stored {scalar:?}"), a),
            Term::LocationNumber(a) => self.wrapped("location", a),
            Term::Channel(query, a) => self.wrapped(format!("{query:?}"), a),
            Term::Room(a) => self.wrapped("room", a),
            Term::At(template, a, at) => self.wrapped(format!("{template:?} at {at:?}"), a),
            Term::Binary(op, a, b) => {
                let labels = if commutes(op.0) { (ANY, ANY) } else { (1, 2) };
                let children = vec![(labels.0, self.term(a)), (labels.1, self.term(b))];
                self.node(format!("{op:?}"), children)
            }
            Term::Sum(list) => self.unordered("sum", list),
            Term::All(list) => self.unordered("all", list),
            Term::Any(list) => self.unordered("any", list),
            Term::Choose(a, b, c) => {
                let children = vec![(1, self.term(a)), (2, self.term(b)), (3, self.term(c))];
                self.node("choose", children)
            }
            Term::Poll(c, order, fields) => self.wanted(format!("poll {order:?}"), c, fields),
            Term::Waiting(c, order, keep, fields) => {
                self.wanted(format!("waiting {order:?} {keep:?}"), c, fields)
            }
            Term::Other
            | Term::ProcessCount
            | Term::FirstInstance(_)
            | Term::LastMover
            | Term::Timeout
            | Term::NonProgress
            | Term::Accepting => self.node(format!("{term:?}"), Vec::new()),
        }
    }

    fn wrapped(&mut self, name: impl Into<String>, inner: &Term) -> u32 {
        let inner = self.term(inner);
        self.node(name, vec![(1, inner)])
    }

    fn wanted(&mut self, name: String, channel: &Term, fields: &[Option<Term>]) -> u32 {
        let mut children = vec![(1, self.term(channel))];
        for (label, field) in (2..).zip(fields) {
            if let Some(term) = field {
                children.push((label, self.term(term)));
            }
        }
        self.node(name, children)
    }

    fn cell(&mut self, cell: &Cell) -> u32 {
        let mut children = Vec::new();
        let mut name = match &cell.home {
            Home::Global(id) => {
                let mut rows = self.sorts.rows.iter().enumerate();
                let row = rows.find_map(|(number, row)| {
                    let place = row.variables.iter().position(|v| v == id)?;
                    Some((number, row.index, row.first + place as i64))
                });
                match row {
                    Some((number, sort, value)) => {
                        children.push((1, self.value(sort, value)));
                        format!("row {number}")
                    }
                    None => format!("{id:?}"),
                }
            }
            Home::Own(id) => format!("own {id:?}"),
            Home::Remote(template, process, id) => {
                children.push((1, self.term(process)));
                format!("{template:?} {id:?}")
            }
        };
        for (label, part) in (2..).zip(&cell.path) {
            match part {
                Part::Field(field) => name.push_str(&format!(" .{field}")),
                Part::Index(term, _) => {
                    name.push_str(" []");
                    children.push((label, self.term(term)));
                }
            }
        }
        self.node(name, children)
    }
}

fn commutes(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Multiply
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
    )
}
