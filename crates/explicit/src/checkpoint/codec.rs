//! Numbers and lists of numbers as bytes.

use super::blocks::damaged;
use mandala_store::StateRef;
use std::io::{self, Read, Write};

/// Writes numbers.
pub(crate) struct Encoder<'a>(pub &'a mut dyn Write);

impl Encoder<'_> {
    pub(crate) fn number(&mut self, number: u64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    pub(crate) fn numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.number(numbers.len() as u64)?;
        numbers.iter().try_for_each(|number| self.number(*number))
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.number(bytes.len() as u64)?;
        self.0.write_all(bytes)
    }

    pub(crate) fn state(&mut self, state: StateRef) -> io::Result<()> {
        self.0.write_all(&state.class().to_le_bytes())?;
        self.number(state.root())
    }

    pub(crate) fn states(
        &mut self,
        states: impl ExactSizeIterator<Item = StateRef>,
    ) -> io::Result<()> {
        self.number(states.len() as u64)?;
        let mut states = states;
        states.try_for_each(|state| self.state(state))
    }
}

/// Reads numbers.
pub(crate) struct Decoder<'a>(pub &'a mut dyn Read);

impl Decoder<'_> {
    pub(crate) fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number that fits a smaller type.
    pub(crate) fn small<T: TryFrom<u64>>(&mut self) -> io::Result<T> {
        T::try_from(self.number()?).map_err(|_| damaged())
    }

    pub(crate) fn flag(&mut self) -> io::Result<bool> {
        match self.number()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged()),
        }
    }

    pub(crate) fn numbers(&mut self) -> io::Result<Vec<u64>> {
        self.list(Self::number)
    }

    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let length = self.number()?;
        let mut bytes = Vec::new();
        self.0.take(length).read_to_end(&mut bytes)?;
        match bytes.len() as u64 == length {
            true => Ok(bytes),
            false => Err(damaged()),
        }
    }

    pub(crate) fn state(&mut self) -> io::Result<StateRef> {
        let mut class = [0; 2];
        self.0.read_exact(&mut class)?;
        let root = self.number()?;
        Ok(StateRef::new(u16::from_le_bytes(class), root))
    }

    pub(crate) fn states(&mut self) -> io::Result<Vec<StateRef>> {
        self.list(Self::state)
    }

    /// A list of anything, after its length.
    pub(crate) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> io::Result<T>,
    ) -> io::Result<Vec<T>> {
        // Room is made as things come, as nothing else vouches for the length.
        let length = self.number()?;
        (0..length).map(|_| read(self)).collect()
    }
}
