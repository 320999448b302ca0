//! A stream of bytes in which damage is noticed.
//!
//! Bytes are written in blocks, each with its length, its number and a sum over all three; an empty block ends the stream. So whatever is
//! read has been written like that, and a file that was cut off is told from one that is complete. The sum finds
//! accidents, not forgeries.

use std::io::{self, Read, Write};

/// How many bytes a block has at most.
const BLOCK: usize = 1 << 16;

/// Writes blocks.
pub(crate) struct BlockWriter<W> {
    inner: W,
    block: Vec<u8>,
    number: u64,
}

impl<W: Write> BlockWriter<W> {
    pub(crate) fn new(inner: W) -> Self {
        BlockWriter {
            inner,
            block: Vec::with_capacity(BLOCK),
            number: 0,
        }
    }

    /// Writes what is left, and the end of the stream.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        self.write_block()?;
        Ok(self.inner)
    }

    fn write_block(&mut self) -> io::Result<()> {
        let length = self.block.len() as u32;
        self.inner.write_all(&length.to_le_bytes())?;
        self.inner.write_all(&self.block)?;
        let sum = sum(&self.block, self.number);
        self.inner.write_all(&sum.to_le_bytes())?;
        self.block.clear();
        self.number += 1;
        Ok(())
    }
}

impl<W: Write> Write for BlockWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = BLOCK - self.block.len();
        let some = &bytes[..bytes.len().min(room)];
        self.block.extend_from_slice(some);
        if self.block.len() == BLOCK {
            self.write_block()?;
        }
        Ok(some.len())
    }

    /// Does nothing: blocks are written when they are full.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads blocks.
pub(crate) struct BlockReader<R> {
    inner: R,
    block: Vec<u8>,
    at: usize,
    number: u64,
    ended: bool,
}

impl<R: Read> BlockReader<R> {
    pub(crate) fn new(inner: R) -> Self {
        BlockReader {
            inner,
            block: Vec::new(),
            at: 0,
            number: 0,
            ended: false,
        }
    }

    /// Whether everything has been read and the end of the stream is there.
    pub(crate) fn is_complete(&mut self) -> io::Result<bool> {
        if self.at == self.block.len() && !self.ended {
            self.read_block()?;
        }
        Ok(self.ended)
    }

    fn read_block(&mut self) -> io::Result<()> {
        let mut length = [0; 4];
        self.inner.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > BLOCK {
            return Err(damaged());
        }
        self.block.resize(length, 0);
        self.inner.read_exact(&mut self.block)?;
        let mut written = [0; 8];
        self.inner.read_exact(&mut written)?;
        if u64::from_le_bytes(written) != sum(&self.block, self.number) {
            return Err(damaged());
        }
        self.ended = length == 0;
        self.number += 1;
        self.at = 0;
        Ok(())
    }
}

impl<R: Read> Read for BlockReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.at == self.block.len() && !self.ended {
            self.read_block()?;
        }
        let some = bytes.len().min(self.block.len() - self.at);
        bytes[..some].copy_from_slice(&self.block[self.at..self.at + some]);
        self.at += some;
        Ok(some)
    }
}

/// What is said if a block is not as it was written.
pub(crate) fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "its bytes are not as they were written",
    )
}

/// A sum over the bytes of a block, its length and its number.
fn sum(block: &[u8], number: u64) -> u64 {
    let mix = |sum: u64, word: u64| {
        let product = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 29
    };
    let (words, rest) = block.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let head = [number, block.len() as u64].into_iter();
    let all = head.chain(words).chain([u64::from_le_bytes(last)]);
    all.fold(0x6a09_e667_f3bc_c909, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8]) -> Vec<u8> {
        let mut writer = BlockWriter::new(Vec::new());
        writer.write_all(bytes).expect("memory does not fail");
        writer.finish().expect("memory does not fail")
    }

    fn read(file: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        BlockReader::new(file).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn what_is_written_is_read() {
        for length in [0, 1, 7, 8, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * 7 % 251) as u8).collect();
            assert_eq!(read(&written(&bytes)).expect("it is whole"), bytes);
        }
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let bytes: Vec<u8> = (0..100).collect();
        let file = written(&bytes);
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 0x10;
            assert!(read(&changed).is_err(), "byte {at}");
            assert!(read(&file[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn blocks_do_not_change_places() {
        let bytes: Vec<u8> = vec![5; 2 * BLOCK];
        let mut file = written(&bytes);
        file.drain(..BLOCK + 12);
        assert!(read(&file).is_err());
    }
}
