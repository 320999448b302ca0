//! A successor at the moment when the search is told of it.
//!
//! Whoever remembers states as they are asks for the packed form. Whoever remembers another state in
//! its stead, because the two differ only by the names of interchangeable processes, looks at the cells,
//! arranges them anew and has the result packed; so a state is never packed and unpacked again just to be
//! renamed.

use crate::packing;
use crate::places::Places;
use crate::program::Program;
use crate::stepper::Stepper;

/// A process that takes part in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taker {
    /// Its number.
    pub process: u32,
    /// The number of the edge and the choice of its parameters that it takes ([`Program::actions`]).
    pub action: u32,
}

/// The processes that take part in a step, if their numbers are less than [`Party::MOST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Party {
    /// Whose step it is.
    pub first: u32,
    /// All of them, a bit each.
    pub all: u64,
}

impl Party {
    /// For so many processes there are bits. One more stands for all others.
    pub const MOST: u32 = u64::BITS - 1;

    /// The bit of a process.
    #[must_use]
    pub fn bit(process: u32) -> u64 {
        1 << process.min(Party::MOST)
    }

    /// A process takes part, too.
    fn join(&mut self, process: u32) {
        if self.all == 0 {
            self.first = process;
        }
        self.all |= Party::bit(process);
    }
}

/// The working state of a stepper, about to be remembered.
#[derive(Debug)]
pub struct Arrival<'s, 'p> {
    stepper: &'s mut Stepper<'p>,
}

impl<'s, 'p> Arrival<'s, 'p> {
    #[inline]
    pub(crate) fn new(stepper: &'s mut Stepper<'p>) -> Self {
        Arrival { stepper }
    }

    /// The program whose state it is.
    pub fn program(&self) -> &'p Program {
        self.stepper.program()
    }

    /// The number of the state's shape: which processes there are. States of one shape have their cells
    /// in the same [`Places`].
    #[inline]
    pub fn shape(&self) -> u32 {
        self.stepper.shape.id
    }

    /// Where everything lies in the cells.
    pub fn places(&self) -> Places {
        Places::new(self.program(), &self.stepper.shape)
    }

    /// The cells of the state.
    #[inline]
    pub fn cells(&self) -> &[i64] {
        &self.stepper.cells
    }

    /// Who has taken part in the steps of the system that lead here from the state that is expanded, in order. Known only to a
    /// [`Program::interpreting_stepper`].
    pub fn takers(&self) -> impl Iterator<Item = Taker> + '_ {
        self.stepper.takers()
    }

    /// The same without an order, known to every stepper. None if there is nobody, or somebody for whom there is no bit.
    #[inline]
    pub fn party(&self) -> Option<Party> {
        let mut party = self.stepper.party;
        let takers = self.stepper.takers();
        takers.for_each(|taker| party.join(taker.process));
        let all = party.all;
        (all != 0 && all & Party::bit(Party::MOST) == 0).then_some(party)
    }

    /// How many steps the one stands for that leads here: one for each move of an orbit that is made once.
    #[inline]
    pub fn weight(&self) -> u64 {
        self.stepper.weight()
    }

    /// Whether it is an accepting state: the claim is at an accepting location.
    #[inline]
    pub fn is_accepting(&self) -> bool {
        self.stepper.is_accepting()
    }

    /// The packed state.
    #[inline]
    pub fn packed(&mut self) -> &[u8] {
        self.stepper.pack()
    }

    /// The packed form of another state of the same shape.
    ///
    /// # Panics
    ///
    /// If there are more or fewer cells than a state of this shape has.
    #[inline]
    pub fn packed_as(&mut self, cells: &[i64]) -> &[u8] {
        let stepper = &mut *self.stepper;
        assert_eq!(
            cells.len(),
            stepper.cells.len(),
            "a state of the same shape"
        );
        packing::pack(&stepper.shape, cells, &mut stepper.packed);
        &stepper.packed[..stepper.shape.packed_length]
    }
}
