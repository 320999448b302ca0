//! Places: which cell is meant, and how to read and write it.

use super::{Compiler, Unsupported, after};
use crate::code::{Op, Register, Site, Space, StoreRule};
use mandala_model::source::Span;
use mandala_resolved::{Base, Index, ResolvedPlace};

/// A cell that is known before the model runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub space: Space,
    pub cell: u32,
}

/// Where a place is, or would be if all its indices were 0.
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

impl Compiler<'_> {
    /// Emits code that reads a cell.
    pub fn read(&mut self, place: &ResolvedPlace, to: Register) -> Result<(), Unsupported> {
        match self.home(place) {
            Home::NoPriority => self.emit(Op::Const { to, value: 1 }),
            Home::At(spot) => {
                let target = self.locate(spot, &place.indices, to)?;
                self.emit(load(target, to))
            }
            Home::Remote { offset } => {
                self.remote_address(place, offset, to)?;
                self.emit(Op::GlobalAt { to })
            }
        };
        Ok(())
    }

    /// Emits code that puts what is in `from` into a cell. The cell is found first, then the value checked.
    pub fn write(&mut self, place: &ResolvedPlace, from: Register) -> Result<(), Unsupported> {
        let rule = StoreRule::of(place.store);
        let index = after(from, place.span)?;
        let target = match self.home(place) {
            Home::NoPriority => None,
            Home::At(spot) if rule.range.is_some() && !place.is_fixed() => {
                self.address(spot.cell, &place.indices, index)?;
                Some(Target::Address(spot.space))
            }
            Home::At(spot) => Some(self.locate(spot, &place.indices, index)?),
            Home::Remote { offset } => {
                self.remote_address(place, offset, index)?;
                Some(Target::Address(Space::Global))
            }
        };
        self.check(rule, from, place);
        if let Some(target) = target {
            self.store(target, rule, from);
        }
        Ok(())
    }

    fn check(&mut self, rule: StoreRule, from: Register, place: &ResolvedPlace) {
        let site = self.site(place.span);
        if place.base == Base::OwnPriority {
            self.emit(Op::CheckPriority { from, site });
        }
        self.check_range(rule, from, site);
        if matches!(place.base, Base::Remote { .. }) {
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
    pub fn fixed_spot(&self, place: &ResolvedPlace) -> Option<Spot> {
        match self.home(place) {
            Home::At(spot) if place.is_fixed() => Some(spot),
            _ => None,
        }
    }

    /// Emits code that finds a cell from where it would be if all indices were 0; registers from `to` on may change.
    fn locate(
        &mut self,
        spot: Spot,
        indices: &[Index],
        to: Register,
    ) -> Result<Target, Unsupported> {
        match indices {
            [] => Ok(Target::Fixed(spot)),
            [only] if only.stride == 1 => {
                self.value(&only.value, to)?;
                Ok(Target::Element {
                    space: spot.space,
                    base: spot.cell,
                    length: only.bound,
                    site: self.site(only.value.span),
                })
            }
            _ => {
                self.address(spot.cell, indices, to)?;
                Ok(Target::Address(spot.space))
            }
        }
    }

    /// Emits code that leaves `base` plus the way along the indices in `to`.
    fn address(&mut self, base: u32, indices: &[Index], to: Register) -> Result<(), Unsupported> {
        self.constant(i64::from(base), to);
        self.follow(indices, to)
    }

    fn follow(&mut self, indices: &[Index], to: Register) -> Result<(), Unsupported> {
        for index in indices {
            let span = index.value.span;
            self.value(&index.value, after(to, span)?)?;
            let site = self.site(span);
            self.emit(Op::Index {
                to,
                stride: index.stride,
                length: index.bound,
                site,
            });
        }
        Ok(())
    }

    fn remote_address(
        &mut self,
        place: &ResolvedPlace,
        offset: u32,
        to: Register,
    ) -> Result<(), Unsupported> {
        let Base::Remote { template, process } = &place.base else {
            unreachable!("only remote variables are at remote addresses");
        };
        self.value(process, to)?;
        let site = self.site(place.span);
        let template = template.0;
        self.emit(Op::Frame { to, template, site });
        self.constant_offset(offset, to, place.span)?;
        self.follow(&place.indices, to)
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

    fn home(&self, place: &ResolvedPlace) -> Home {
        let spot = |space, cell| Home::At(Spot { space, cell });
        match &place.base {
            Base::Global => spot(Space::Global, self.layout.globals.start + place.offset),
            Base::Local => {
                let (variables, _, base) = self.locals().expect("the verifier knows scopes");
                let cell = variables.start + place.offset;
                match base {
                    Some(base) => spot(Space::Global, base + cell),
                    None => spot(Space::Local, cell),
                }
            }
            Base::Remote { template, .. } => {
                let variables = &self.layout.templates[template.index()].variables;
                Home::Remote {
                    offset: variables.start + place.offset,
                }
            }
            Base::OwnPriority => self.own_priority(),
            Base::LastMover => {
                let cell = self.layout.last_mover;
                spot(Space::Global, cell.expect("the model keeps who moved last"))
            }
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
