//! Permutations of numbers, and renamings: what a symmetry does to every kind of name at once.

use mandala_model::state::Value;

/// A permutation of numbers; those that it does not know stay where they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permutation {
    /// The image of each number below the length; no fixed point at the end, so that equal
    /// permutations are equal values.
    images: Vec<u32>,
}

impl Permutation {
    /// The one that moves nothing.
    pub fn identity() -> Self {
        Permutation { images: Vec::new() }
    }

    /// The one with these images of 0, 1, 2, ..; `None` if that is no permutation.
    pub fn from_images(images: Vec<u32>) -> Option<Self> {
        let mut hit = vec![false; images.len()];
        for image in &images {
            let hit = hit.get_mut(*image as usize)?;
            if std::mem::replace(hit, true) {
                return None;
            }
        }
        Some(Permutation { images }.trimmed())
    }

    /// The one that exchanges two numbers.
    pub fn swap(a: u32, b: u32) -> Self {
        let mut images: Vec<u32> = (0..=a.max(b)).collect();
        images.swap(a as usize, b as usize);
        Permutation { images }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self
            .images
            .last()
            .is_some_and(|last| *last as usize + 1 == self.images.len())
        {
            self.images.pop();
        }
        self
    }

    /// True if it moves nothing.
    pub fn is_identity(&self) -> bool {
        self.images.is_empty()
    }

    /// Where a number goes.
    pub fn image(&self, number: u32) -> u32 {
        let image = self.images.get(number as usize);
        image.copied().unwrap_or(number)
    }

    /// Where a value goes that may be one of the numbers.
    pub fn image_of_value(&self, value: Value) -> Value {
        let index = usize::try_from(value).ok();
        let image = index.and_then(|index| self.images.get(index));
        image.map_or(value, |image| Value::from(*image))
    }

    /// The numbers that do not stay.
    pub fn moved(&self) -> impl Iterator<Item = u32> {
        let images = self.images.iter().zip(0..);
        images.filter(|(image, n)| **image != *n).map(|(_, n)| n)
    }

    /// The one that takes everything back.
    pub fn inverse(&self) -> Self {
        let mut images = vec![0; self.images.len()];
        for (number, image) in self.images.iter().enumerate() {
            images[*image as usize] = number as u32;
        }
        Permutation { images }
    }

    /// This one, and then another.
    pub fn then(&self, next: &Permutation) -> Self {
        let length = self.images.len().max(next.images.len()) as u32;
        let images = (0..length).map(|n| next.image(self.image(n))).collect();
        Permutation { images }.trimmed()
    }
}

/// Nothing moves.
static STILL: Permutation = Permutation { images: Vec::new() };

/// A permutation for each kind of name: one of the numbers of processes, and one of the names of each
/// domain of names. Names are counted from 0 here, whatever their values are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Renaming {
    processes: Permutation,
    /// None that moves nothing at the end, so that equal renamings are equal values.
    names: Vec<Permutation>,
}

impl Renaming {
    /// The one that moves nothing.
    pub fn identity() -> Self {
        Renaming::new(Permutation::identity(), Vec::new())
    }

    /// The one with these parts: numbers of processes, and the names of domain 0, 1, 2, ..
    pub fn new(processes: Permutation, mut names: Vec<Permutation>) -> Self {
        while names.last().is_some_and(Permutation::is_identity) {
            names.pop();
        }
        Renaming { processes, names }
    }

    /// The one that moves processes only.
    pub fn of_processes(processes: Permutation) -> Self {
        Renaming::new(processes, Vec::new())
    }

    /// The one that moves the names of one domain only.
    pub fn of_names(domain: u32, names: Permutation) -> Self {
        let mut all = vec![Permutation::identity(); domain as usize];
        all.push(names);
        Renaming::new(Permutation::identity(), all)
    }

    /// What happens to the numbers of processes.
    pub fn processes(&self) -> &Permutation {
        &self.processes
    }

    /// What happens to the names of a domain, counted from 0.
    pub fn names(&self, domain: u32) -> &Permutation {
        self.names.get(domain as usize).unwrap_or(&STILL)
    }

    /// How many domains of names it knows of.
    pub fn sets(&self) -> u32 {
        self.names.len() as u32
    }

    /// True if it moves nothing.
    pub fn is_identity(&self) -> bool {
        self.names.is_empty() && self.processes.is_identity()
    }

    /// The one that takes everything back.
    pub fn inverse(&self) -> Self {
        let names = self.names.iter().map(Permutation::inverse);
        Renaming::new(self.processes.inverse(), names.collect())
    }

    /// This one, and then another.
    pub fn then(&self, next: &Renaming) -> Self {
        let domains = 0..self.names.len().max(next.names.len()) as u32;
        let names = domains.map(|d| self.names(d).then(next.names(d)));
        Renaming::new(self.processes.then(&next.processes), names.collect())
    }
}
