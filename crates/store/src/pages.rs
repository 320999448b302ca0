//! The pages that hold the bytes of the states.
//!
//! # The layout
//!
//! States of one length form a *class*. A class owns *pages*; a page holds up to [`PAGE_STATES`] states of that
//! length, one after the other, without headers or padding. An id is `page number << 12 | slot`, so finding
//! a state is one look-up in the page directory and one multiplication, and the length of a state costs
//! nothing: its page knows it.
//!
//! A class remembers its pages in the order in which it filled them, so the states of a class are numbered
//! by the order of their insertion. Breadth-first search needs no queue because of that: a level is a range of
//! positions in each class.
//!
//! # How much is wasted
//!
//! A page grows by steps of one part in [`STEP_FRACTION`] of its class, never past its end. So at most 3% of
//! the memory of a class is unused, a length that occurs once costs one state and not four thousand, and a class
//! of more than 131,072 states takes whole pages, which are never copied. (Doubling would waste up to half;
//! whole pages at once would waste 40% at 10,000 states.) Copying while a class is small costs less than a
//! millisecond in total for states of usual size.

use crate::budget::Budget;
use crate::{MAX_STATE_LENGTH, StateId, StoreFull};

const SLOT_BITS: u32 = 12;
const PAGE_STATES: u32 = 1 << SLOT_BITS;
/// One page less than fits, so that counts of states do not overflow either and the id `u32::MAX` is never given out.
const MAX_PAGES: u32 = (1 << (u32::BITS - SLOT_BITS)) - 1;
const STEP_FRACTION: u32 = 32;

/// All stored states.
#[derive(Debug)]
pub(crate) struct Pages {
    pages: Vec<Page>,
    /// In the order in which their first states came, which fixes the order of iteration.
    classes: Vec<Class>,
    /// Pairs of length and class, sorted. A search through this list is cheap beside the rest of storing
    /// a new state; a direct table would take 256 KiB as soon as one long state comes along.
    by_length: Vec<(u32, u32)>,
    max_pages: u32,
    states: u32,
    packed_bytes: u64,
}

#[derive(Debug)]
struct Page {
    bytes: Vec<u8>,
    length: u32,
    count: u32,
}

#[derive(Debug)]
struct Class {
    length: u32,
    count: u32,
    pages: Vec<u32>,
}

/// A class that has room for one more state: the proof that [`Pages::push`] asks for.
#[derive(Debug)]
pub(crate) struct Room {
    class: usize,
}

impl Pages {
    pub(crate) fn new() -> Self {
        Self::with_max_pages(MAX_PAGES)
    }

    /// Pages that run out of ids early, for tests.
    pub(crate) fn with_max_pages(max_pages: u32) -> Self {
        Self {
            pages: Vec::new(),
            classes: Vec::new(),
            by_length: Vec::new(),
            max_pages,
            states: 0,
            packed_bytes: 0,
        }
    }

    pub(crate) fn states(&self) -> usize {
        self.states as usize
    }

    pub(crate) fn packed_bytes(&self) -> u64 {
        self.packed_bytes
    }

    /// One more than the largest index that an id can have by now.
    pub(crate) fn id_bound(&self) -> usize {
        self.pages.len() << SLOT_BITS
    }

    /// The state with this id, or nothing if there is none.
    #[inline]
    pub(crate) fn get(&self, id: StateId) -> Option<&[u8]> {
        let page = self.pages.get((id.0 >> SLOT_BITS) as usize)?;
        page.get(id.0 & (PAGE_STATES - 1))
    }

    /// All states with their ids, in the order in which they lie in memory.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (StateId, &[u8])> {
        self.pages.iter().zip(0u32..).flat_map(|(page, number)| {
            (0..page.count).filter_map(move |slot| Some((id_of(number, slot), page.get(slot)?)))
        })
    }

    /// Makes room for one more state of this length. An error leaves everything as it was, but for
    /// memory that the next state may use.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        length: usize,
        budget: &mut Budget,
    ) -> Result<Room, StoreFull> {
        let class = self.class_for(length, budget)?;
        match self.last_page(class) {
            Some(page) if page.count < PAGE_STATES => {}
            _ => self.add_page(class, budget)?,
        }
        self.grow_last_page(class, budget)?;
        Ok(Room { class })
    }

    /// Stores a state of the length that `room` was made for.
    #[inline]
    pub(crate) fn push(&mut self, room: Room, state: &[u8]) -> StateId {
        let class = &mut self.classes[room.class];
        let number = class.pages[class.pages.len() - 1];
        let page = &mut self.pages[number as usize];
        debug_assert_eq!(state.len(), page.length as usize);
        let id = id_of(number, page.count);
        page.bytes.extend_from_slice(state);
        page.count += 1;
        class.count += 1;
        self.states += 1;
        self.packed_bytes += state.len() as u64;
        id
    }

    /// How many states each class has, in the order of the classes.
    pub(crate) fn class_counts(&self) -> Vec<u32> {
        self.classes.iter().map(|class| class.count).collect()
    }

    /// The id of the state that came to its class as the one with this number, counting from zero.
    #[inline]
    pub(crate) fn id_at(&self, class: usize, position: u32) -> Option<StateId> {
        let class = self.classes.get(class)?;
        if position >= class.count {
            return None;
        }
        let number = class.pages.get((position >> SLOT_BITS) as usize)?;
        Some(id_of(*number, position & (PAGE_STATES - 1)))
    }

    fn class_for(&mut self, length: usize, budget: &mut Budget) -> Result<usize, StoreFull> {
        if length > MAX_STATE_LENGTH {
            return Err(StoreFull::Length);
        }
        let length = length as u32;
        match self
            .by_length
            .binary_search_by_key(&length, |entry| entry.0)
        {
            Ok(place) => Ok(self.by_length[place].1 as usize),
            Err(place) => self.add_class(length, place, budget),
        }
    }

    fn add_class(
        &mut self,
        length: u32,
        place: usize,
        budget: &mut Budget,
    ) -> Result<usize, StoreFull> {
        budget.reserve_one(&mut self.classes)?;
        budget.reserve_one(&mut self.by_length)?;
        let class = self.classes.len();
        self.by_length.insert(place, (length, class as u32));
        self.classes.push(Class {
            length,
            count: 0,
            pages: Vec::new(),
        });
        Ok(class)
    }

    fn last_page(&self, class: usize) -> Option<&Page> {
        let number = self.classes[class].pages.last()?;
        self.pages.get(*number as usize)
    }

    fn add_page(&mut self, class: usize, budget: &mut Budget) -> Result<(), StoreFull> {
        let number = self.pages.len() as u32;
        if number >= self.max_pages {
            return Err(StoreFull::Ids);
        }
        let class = &mut self.classes[class];
        budget.reserve_one(&mut self.pages)?;
        budget.reserve_one(&mut class.pages)?;
        class.pages.push(number);
        self.pages.push(Page {
            bytes: Vec::new(),
            length: class.length,
            count: 0,
        });
        Ok(())
    }

    /// Gives the last page of a class, which is not full, room for a state.
    #[inline]
    fn grow_last_page(&mut self, class: usize, budget: &mut Budget) -> Result<(), StoreFull> {
        let class = &self.classes[class];
        let page = &mut self.pages[class.pages[class.pages.len() - 1] as usize];
        let length = page.length as usize;
        if page.bytes.capacity() - page.bytes.len() >= length {
            return Ok(());
        }
        let step = (class.count / STEP_FRACTION)
            .max(1)
            .min(PAGE_STATES - page.count);
        budget.reserve(&mut page.bytes, step as usize * length)
    }
}

impl Page {
    #[inline]
    fn get(&self, slot: u32) -> Option<&[u8]> {
        if slot >= self.count {
            return None;
        }
        let length = self.length as usize;
        let start = slot as usize * length;
        self.bytes.get(start..start + length)
    }
}

#[inline]
fn id_of(page: u32, slot: u32) -> StateId {
    StateId(page << SLOT_BITS | slot)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(pages: &mut Pages, state: &[u8]) -> Result<StateId, StoreFull> {
        let room = pages.reserve(state.len(), &mut Budget::new(usize::MAX))?;
        Ok(pages.push(room, state))
    }

    #[test]
    fn lengths_live_in_separate_pages() {
        let mut pages = Pages::new();
        let ids: Vec<_> = [&b"one"[..], b"", b"two", b"four"]
            .iter()
            .map(|s| store(&mut pages, s).unwrap())
            .collect();
        assert_eq!(
            ids,
            [StateId(0), StateId(1 << 12), StateId(1), StateId(2 << 12)]
        );
        assert_eq!(pages.get(ids[1]), Some(&b""[..]));
        assert_eq!(pages.get(ids[2]), Some(&b"two"[..]));
        assert_eq!(
            (pages.states(), pages.packed_bytes(), pages.id_bound()),
            (4, 10, 3 << 12)
        );
        let all: Vec<_> = pages.iter().collect();
        assert_eq!(
            all,
            [
                (ids[0], &b"one"[..]),
                (ids[2], b"two"),
                (ids[1], b""),
                (ids[3], b"four")
            ]
        );
    }

    #[test]
    fn ids_that_were_not_given_out_name_nothing() {
        let mut pages = Pages::new();
        store(&mut pages, b"").unwrap();
        assert_eq!(pages.get(StateId(1)), None);
        assert_eq!(pages.get(StateId(u32::MAX)), None);
        assert_eq!(pages.id_at(0, 1), None);
        assert_eq!(pages.id_at(1, 0), None);
    }

    #[test]
    fn positions_follow_the_order_of_insertion_across_pages() {
        let mut pages = Pages::new();
        let mut given = Vec::new();
        for number in 0..3 * PAGE_STATES + 5 {
            given.push(store(&mut pages, &number.to_le_bytes()).unwrap());
            if number % 1000 == 0 {
                store(&mut pages, &[0; 9]).unwrap();
            }
        }
        let found: Vec<_> = (0..given.len() as u32)
            .filter_map(|position| pages.id_at(0, position))
            .collect();
        assert_eq!(found, given);
    }

    #[test]
    fn running_out_of_ids_is_an_error_and_harmless() {
        let mut pages = Pages::with_max_pages(1);
        for number in 0..PAGE_STATES {
            store(&mut pages, &number.to_le_bytes()).unwrap();
        }
        assert_eq!(store(&mut pages, &[9; 4]), Err(StoreFull::Ids));
        assert_eq!(store(&mut pages, &[9; 5]), Err(StoreFull::Ids));
        assert_eq!(pages.states(), PAGE_STATES as usize);
        assert_eq!(
            pages.get(StateId(PAGE_STATES - 1)),
            Some(&(PAGE_STATES - 1).to_le_bytes()[..])
        );
    }

    #[test]
    fn a_rare_length_takes_no_more_than_its_states() {
        let mut pages = Pages::new();
        let mut budget = Budget::new(usize::MAX);
        let room = pages.reserve(50_000, &mut budget).unwrap();
        pages.push(room, &[7; 50_000]);
        assert!(budget.used() < 50_500, "{} bytes", budget.used());
    }
}
