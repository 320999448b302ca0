//! Declared symmetry: where the members of scalarsets are.
//!
//! All scalarsets whose values are mixed are one set. Everything that holds a member or is indexed by
//! members is named: the variables of the state and the temporaries. What holds values of a union holds members of each
//! scalarset in it; those that have one member alone are left out, because it is a constant.

use super::pools::Pool;
use super::shapes::set_name;
use super::{Lowering, Meaning};
use crate::typed::{ScalarsetId, TypeId, TypeKind, Types};
use mandala_model::ids::{LocalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many places are named: the proof of symmetry needs one and finds the others.
const MOST_USES: usize = 1 << 16;

impl Lowering<'_> {
    /// The sets, each with its uses; sets that nothing uses are left out.
    pub(super) fn scalarsets(&self) -> Vec<Scalarset> {
        let types = &self.program.types;
        let mut finder = Finder {
            types,
            uses: BTreeMap::new(),
            count: 0,
        };
        let program = self.program;
        for id in program.globals.iter().chain(&program.local_multisets) {
            let variable = self.program.variable(*id);
            if let Some(Meaning::Spot(spot)) = self.variables.get(id)
                && let Some((global, _)) = spot.origin()
                && !self.is_bare(variable.ty)
            {
                finder.whole(VariableRef::Global(global), variable.ty, variable.span);
            }
        }
        for pool in &self.pools {
            finder.pool(pool);
        }
        for (local, ty) in &self.typed_locals {
            for root in self.references(*local) {
                finder.whole(root, *ty, self.label.span);
            }
        }
        let sets = finder.uses.into_iter();
        let declared = sets.filter_map(|(id, uses)| self.declared_set(id, uses));
        let mut declared: Vec<Scalarset> = declared.collect();
        // Where names of several sets meet and one has to be given up, the later one is, so that is not the largest.
        declared.sort_by_key(|set| Reverse(set.size));
        declared.extend(self.pools.iter().filter_map(positions));
        declared
    }

    /// A temporary as a variable of the rules and, if they have it too, of the monitors.
    fn references(&self, local: LocalId) -> impl Iterator<Item = VariableRef> + use<> {
        let rules = VariableRef::Local(TemplateId(0), local);
        let monitors = self.edges.is_of_monitors(local);
        std::iter::once(rules).chain(monitors.then_some(VariableRef::Monitor(local)))
    }

    fn declared_set(&self, id: ScalarsetId, uses: Vec<ScalarsetUse>) -> Option<Scalarset> {
        let types = &self.program.types;
        let declared = types.scalarset(id);
        let is_set = |kind: &TypeKind| *kind == TypeKind::Scalarset(id);
        let (ty, _) = types.all().find(|(_, ty)| is_set(&ty.kind))?;
        // A single member is interchangeable with nobody.
        (declared.size > 1).then_some(())?;
        Some(Scalarset {
            name: set_name(types, id),
            span: declared.span,
            first: i64::try_from(self.shapes.numbering.base(ty)).ok()? + 1,
            size: u32::try_from(declared.size).ok()?,
            uses,
            unordered: false,
        })
    }
}

/// The positions of a pool, which have no order. A single one needs none.
fn positions(pool: &Pool) -> Option<Scalarset> {
    let kind = UseKind::Indexes {
        variable: VariableRef::Global(pool.global),
        path: Vec::new(),
        dimension: 0,
    };
    let span = pool.span;
    let size = u32::try_from(pool.positions).ok()?;
    (size > 1).then(|| Scalarset {
        name: pool.name.clone(),
        span,
        first: 1,
        size,
        uses: vec![ScalarsetUse { kind, span }],
        unordered: true,
    })
}

struct Finder<'t> {
    types: &'t Types,
    uses: BTreeMap<ScalarsetId, Vec<ScalarsetUse>>,
    count: usize,
}

impl Finder<'_> {
    fn whole(&mut self, variable: VariableRef, ty: TypeId, span: Span) {
        self.part(variable, ty, &mut Vec::new(), 0, span);
    }

    /// The owners and elements of a pool.
    fn pool(&mut self, pool: &Pool) {
        let variable = VariableRef::Global(pool.global);
        for (number, index) in pool.owners.iter().enumerate() {
            let path = vec![number as u32];
            self.found(*index, UseKind::Holds { variable, path }, pool.span);
        }
        let mut path = vec![pool.element_field()];
        self.part(variable, pool.element, &mut path, 0, pool.span);
    }

    fn part(
        &mut self,
        variable: VariableRef,
        ty: TypeId,
        path: &mut Vec<u32>,
        dimension: u32,
        span: Span,
    ) {
        match self.types.kind(ty) {
            TypeKind::Scalarset(_) | TypeKind::Union(_) => {
                let path = path.clone();
                self.found(ty, UseKind::Holds { variable, path }, span);
            }
            TypeKind::Array { index, element } => {
                let kind = UseKind::Indexes {
                    variable,
                    path: path.clone(),
                    dimension,
                };
                self.found(*index, kind, span);
                self.part(variable, *element, path, dimension + 1, span);
            }
            TypeKind::Record(fields) if self.count < MOST_USES => {
                for (number, field) in fields.iter().enumerate() {
                    path.push(number as u32);
                    self.part(variable, field.ty, path, 0, span);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// Notes a use of all sets in a simple type.
    fn found(&mut self, ty: TypeId, kind: UseKind, span: Span) {
        let types = self.types;
        match types.kind(ty) {
            TypeKind::Scalarset(set) => self.found_set(*set, kind, span),
            TypeKind::Union(members) => {
                for member in members {
                    if types.values(*member) > Some(1) {
                        self.found(*member, kind.clone(), span);
                    }
                }
            }
            _ => {}
        }
    }

    fn found_set(&mut self, set: ScalarsetId, kind: UseKind, span: Span) {
        if self.count < MOST_USES {
            self.count += 1;
            let representative = self.types.scalarset(set).representative;
            let uses = self.uses.entry(representative).or_default();
            uses.push(ScalarsetUse { kind, span });
        }
    }
}
