//! Places: which cell is meant, and how to read and write it.

use super::{Compiler, Unsupported, after};
use crate::code::{Op, Register, Site, Space, StoreRule};
use crate::fold::constant_value;
use mandala_model::expr::{Expr, Place, Projection, Root};
use mandala_model::function::CALL;
use mandala_model::source::Span;
use mandala_model::types::{Scalar, Type};

/// A cell that is known before the model runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub space: Space,
    pub cell: u32,
}

/// An index that is known only in the run.
struct Step<'e> {
    index: &'e Expr,
    stride: u32,
    length: u32,
}

/// The way from a variable to one of its cells.
struct Path<'e> {
    /// The part that is known.
    offset: u32,
    steps: Vec<Step<'e>>,
    scalar: Scalar,
}

/// Where the variable of a place is.
enum Home {
    At(Spot),
    /// In the frame of another process, so far from its start.
    Remote {
        offset: u32,
    },
    /// Processes have no priority cell: it is always 1.
    NoPriority,
}

/// Where code can find a cell.
enum Target {
    Fixed(Spot),
    /// The index is in the register.
    Element {
        space: Space,
        base: u32,
        length: u32,
        site: Site,
    },
    /// The address is in the register.
    Address(Space),
}

impl<'m> Compiler<'m> {
    /// Emits code that reads a cell.
    pub fn read(&mut self, place: &Place, to: Register) -> Result<(), Unsupported> {
        let path = self.path(place);
        match self.home(place) {
            Home::NoPriority => self.emit(Op::Const { to, value: 1 }),
            Home::At(spot) => {
                let target = self.locate(spot, &path, to)?;
                self.emit(load(target, to))
            }
            Home::Remote { offset } => {
                self.remote_address(place, offset, &path, to)?;
                self.emit(Op::GlobalAt { to })
            }
        };
        Ok(())
    }

    /// Emits code that puts what is in `from` into a cell. The cell is found first, then the value checked.
    pub fn write(&mut self, place: &Place, from: Register) -> Result<(), Unsupported> {
        let path = self.path(place);
        let rule = self.store_rule(path.scalar);
        let index = after(from, place.span)?;
        let target = match self.home(place) {
            Home::NoPriority => None,
            Home::At(spot) if rule.range.is_some() && !path.steps.is_empty() => {
                self.address(spot.cell + path.offset, &path, index)?;
                Some(Target::Address(spot.space))
            }
            Home::At(spot) => Some(self.locate(spot, &path, index)?),
            Home::Remote { offset } => {
                self.remote_address(place, offset, &path, index)?;
                Some(Target::Address(Space::Global))
            }
        };
        self.check(rule, from, place);
        if let Some(target) = target {
            self.store(target, rule, from);
        }
        Ok(())
    }

    fn check(&mut self, rule: StoreRule, from: Register, place: &Place) {
        let site = self.site(place.span);
        if place.root == Root::OwnPriority {
            self.emit(Op::CheckPriority { from, site });
        }
        self.check_range(rule, from, site);
        if matches!(place.root, Root::Remote { .. }) {
            self.emit(Op::CheckFrame { from, site });
        }
    }

    /// Emits the check that a value is in the range of its cell, where there is one.
    pub fn check_range(&mut self, rule: StoreRule, from: Register, site: Site) {
        if let Some(range) = rule.range {
            self.code.ranges.push(range);
            let range = self.code.ranges.len() as u32 - 1;
            self.emit(Op::CheckRange { from, range, site });
        }
    }

    fn store(&mut self, target: Target, rule: StoreRule, from: Register) {
        let wrap = rule.wrap;
        let op = match target {
            Target::Fixed(Spot {
                space: Space::Global,
                cell,
            }) => Op::StoreGlobal { from, wrap, cell },
            Target::Fixed(Spot {
                space: Space::Local,
                cell,
            }) => Op::StoreLocal {
                from,
                wrap,
                offset: cell,
            },
            Target::Element {
                space,
                base,
                length,
                site,
            } => {
                let array = self.array(base, length);
                Op::StoreElement {
                    space,
                    wrap,
                    from,
                    array,
                    site,
                }
            }
            Target::Address(space) => Op::StoreAt { space, wrap, from },
        };
        self.emit(op);
    }

    /// The cell that a place means, if that is known and it is an ordinary one.
    pub fn fixed_spot(&self, place: &Place) -> Option<Spot> {
        let path = self.path(place);
        match self.home(place) {
            Home::At(spot) if path.steps.is_empty() => Some(Spot {
                cell: spot.cell + path.offset,
                ..spot
            }),
            _ => None,
        }
    }

    /// The type of the cell that a place means.
    pub fn scalar_of(&self, place: &Place) -> Scalar {
        self.path(place).scalar
    }

    /// Emits code that finds a cell from the place of its variable; registers from `to` on may change.
    fn locate(&mut self, spot: Spot, path: &Path, to: Register) -> Result<Target, Unsupported> {
        let base = spot.cell + path.offset;
        match path.steps.as_slice() {
            [] => Ok(Target::Fixed(Spot { cell: base, ..spot })),
            [only] if only.stride == 1 => {
                self.value(only.index, to)?;
                Ok(Target::Element {
                    space: spot.space,
                    base,
                    length: only.length,
                    site: self.site(only.index.span),
                })
            }
            _ => {
                self.address(base, path, to)?;
                Ok(Target::Address(spot.space))
            }
        }
    }

    /// Emits code that leaves `base` plus the way along the path in `to`.
    fn address(&mut self, base: u32, path: &Path, to: Register) -> Result<(), Unsupported> {
        self.constant(i64::from(base), to);
        self.follow(path, to)
    }

    fn follow(&mut self, path: &Path, to: Register) -> Result<(), Unsupported> {
        for step in &path.steps {
            self.value(step.index, after(to, step.index.span)?)?;
            let site = self.site(step.index.span);
            self.emit(Op::Index {
                to,
                stride: step.stride,
                length: step.length,
                site,
            });
        }
        Ok(())
    }

    fn remote_address(
        &mut self,
        place: &Place,
        offset: u32,
        path: &Path,
        to: Register,
    ) -> Result<(), Unsupported> {
        let Root::Remote {
            template, process, ..
        } = &place.root
        else {
            unreachable!("only remote variables are at remote addresses");
        };
        self.value(process, to)?;
        let site = self.site(place.span);
        let template = template.0;
        self.emit(Op::Frame { to, template, site });
        self.constant_offset(offset + path.offset, to, place.span)?;
        self.follow(path, to)
    }

    /// Adds a constant to an address. Addresses are no numbers of the model and never wrap.
    fn constant_offset(
        &mut self,
        offset: u32,
        to: Register,
        span: Span,
    ) -> Result<(), Unsupported> {
        self.constant(i64::from(offset), after(to, span)?);
        let site = self.site(span);
        self.emit(Op::Index {
            to,
            stride: 1,
            length: u32::MAX,
            site,
        });
        Ok(())
    }

    fn home(&self, place: &Place) -> Home {
        let spot = |space, cell| Home::At(Spot { space, cell });
        match &place.root {
            Root::Global(id) => spot(Space::Global, self.layout.globals.offsets[id.index()]),
            Root::Local(id) => {
                let (variables, _, base) = self.locals().expect("the verifier knows scopes");
                let offset = variables.offsets[id.index()];
                match base {
                    Some(base) => spot(Space::Global, base + offset),
                    None => spot(Space::Local, offset),
                }
            }
            Root::Remote {
                template, local, ..
            } => {
                let variables = &self.layout.templates[template.index()].variables;
                Home::Remote {
                    offset: variables.offsets[local.index()],
                }
            }
            Root::OwnPriority => self.own_priority(),
            Root::Reference(_) => unreachable!("{CALL}"),
        }
    }

    fn own_priority(&self) -> Home {
        let cell = self
            .locals()
            .and_then(|(_, template, _)| self.layout.templates[template.index()].priority);
        match cell {
            Some(cell) => Home::At(Spot {
                space: Space::Local,
                cell,
            }),
            None => Home::NoPriority,
        }
    }

    /// Follows the projections of a place through its type.
    fn path<'e>(&self, place: &'e Place) -> Path<'e> {
        let mut path = Path {
            offset: 0,
            steps: Vec::new(),
            scalar: Scalar::unsigned(8),
        };
        let Some(mut ty) = self.type_of_root(place) else {
            return path;
        };
        for projection in &place.path {
            ty = self.project(ty, projection, &mut path);
        }
        if let Type::Scalar(scalar) = ty {
            path.scalar = *scalar;
        }
        path
    }

    fn type_of_root(&self, place: &Place) -> Option<&'m Type> {
        let model = self.model;
        match &place.root {
            Root::Global(id) => Some(&model.global(*id).ty),
            Root::Local(id) => {
                let (_, template, _) = self.locals()?;
                Some(&model.template(template).locals[id.index()].ty)
            }
            Root::Remote {
                template, local, ..
            } => Some(&model.template(*template).locals[local.index()].ty),
            Root::OwnPriority | Root::Reference(_) => None,
        }
    }

    fn project<'e>(
        &self,
        ty: &'m Type,
        projection: &'e Projection,
        path: &mut Path<'e>,
    ) -> &'m Type {
        let model = self.model;
        match (ty, projection) {
            (Type::Record(id), Projection::Field(field)) => {
                let fields = &model.record(*id).fields;
                path.offset += model.cell_offset(fields, *field as usize) as u32;
                &fields[*field as usize].ty
            }
            (Type::Array { element, length }, Projection::Index(index)) => {
                let stride = model.cells(element) as u32;
                match constant_value(index) {
                    Some(value) if (0..i64::from(*length)).contains(&value) => {
                        path.offset += value as u32 * stride;
                    }
                    _ => path.steps.push(Step {
                        index,
                        stride,
                        length: *length,
                    }),
                }
                element
            }
            _ => ty,
        }
    }
}

fn load(target: Target, to: Register) -> Op {
    match target {
        Target::Fixed(Spot {
            space: Space::Global,
            cell,
        }) => Op::Global { to, cell },
        Target::Fixed(Spot {
            space: Space::Local,
            cell,
        }) => Op::Local { to, offset: cell },
        Target::Element {
            space: Space::Global,
            base,
            length,
            site,
        } => Op::GlobalElement {
            to,
            base,
            length,
            site,
        },
        Target::Element {
            space: Space::Local,
            base,
            length,
            site,
        } => Op::LocalElement {
            to,
            base,
            length,
            site,
        },
        Target::Address(Space::Global) => Op::GlobalAt { to },
        Target::Address(Space::Local) => Op::LocalAt { to },
    }
}
