//! The seam between the search and symmetry reduction.

use mandala_encoding::{Arrival, Stepper};
use mandala_store::StoreFull;
use mandala_symmetry::Renaming;

/// Chooses the representative of a state: the state that is stored for all states of an orbit, or for some of them.
///
/// Equal states have equal representatives throughout a search. Except for reducers that say that they
/// may miss something, a representative is always an image of the state under a symmetry of the model.
pub trait Reducer {
    /// The representative of a state.
    ///
    /// # Errors
    ///
    /// If the reducer keeps states itself and has no room for another one.
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull>;

    /// A renaming that maps the state to its representative. A reducer for which the first state that is met
    /// represents others may know one only for that state itself; then every stored state was met as it is.
    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming>;

    /// Tells a stepper which names are twins in the representative that it is about to expand: which of them can change places while everything else stays. It may
    /// know of none.
    fn find_twins(&mut self, packed: &[u8], stepper: &mut Stepper<'_>) {
        let _ = (packed, stepper);
    }

    /// How much memory it holds that grows with the search.
    fn bytes(&self) -> usize {
        0
    }

    /// Whether every state is its own representative.
    fn is_trivial(&self) -> bool {
        false
    }

    /// Whether representatives depend on which states were met before. Then one reducer has to see all states in
    /// the same order every time, and there is one worker.
    fn keeps_states(&self) -> bool {
        false
    }

    /// What another reducer of the same kind has to know to choose the same representatives, if there is anything;
    /// written down with a search that is taken up again later.
    fn notes(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes over what [`Reducer::notes`] has written, before the first state. False if it cannot be
    /// understood.
    fn recall(&mut self, notes: &[u8]) -> bool {
        notes.is_empty()
    }
}

/// The representative of a state.
#[derive(Clone, Copy, Debug)]
pub struct Representative<'a> {
    /// The packed state.
    pub packed: &'a [u8],
    /// Whether all states of its orbit have this representative.
    pub canonical: bool,
}

/// Every state represents itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;

impl Reducer for Identity {
    #[inline]
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull> {
        Ok(Representative {
            packed: arrival.packed(),
            canonical: true,
        })
    }

    fn witness(&mut self, _: &mut Arrival<'_, '_>) -> Option<Renaming> {
        Some(Renaming::identity())
    }

    #[inline]
    fn is_trivial(&self) -> bool {
        true
    }
}

impl<R: Reducer + ?Sized> Reducer for Box<R> {
    #[inline]
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull> {
        (**self).representative(arrival)
    }

    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        (**self).witness(arrival)
    }

    #[inline]
    fn find_twins(&mut self, packed: &[u8], stepper: &mut Stepper<'_>) {
        (**self).find_twins(packed, stepper);
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn is_trivial(&self) -> bool {
        (**self).is_trivial()
    }

    fn keeps_states(&self) -> bool {
        (**self).keeps_states()
    }

    fn notes(&self) -> Vec<u8> {
        (**self).notes()
    }

    fn recall(&mut self, notes: &[u8]) -> bool {
        (**self).recall(notes)
    }
}
