//! Searches written down, to be taken up again.
//!
//! # What is written
//!
//! Everything that a search knows between two batches: the states with their depths, those that wait to be expanded,
//! the counts, what was reached, the way to the first violation, the numbers of shapes (packed states begin with them) and
//! what the reducer has to know. A search that goes on from there comes to the same counts as one that was never
//! interrupted.
//!
//! # Crashes
//!
//! A checkpoint is written to a file of its own under a name that says that it is not done, brought to the disk, and
//! renamed; then the folder is brought to the disk, and only then the one before the last is removed. So at every moment there
//! is a whole one, and a file with the name of a checkpoint is whole unless something else has damaged it. That is
//! noticed when it is read ([`blocks`]), and is an error: nothing is guessed.

pub(crate) mod blocks;
pub(crate) mod codec;

use crate::options::{Checkpoints, SearchError};
use blocks::{BlockReader, BlockWriter};
use codec::{Decoder, Encoder};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// What a checkpoint begins with. The last character is the number of the format.
const MAGIC: &[u8; 16] = b"mandala search 4";

/// How the names of checkpoints end.
const ENDING: &str = ".checkpoint";

/// The name of a checkpoint that is not done.
const UNDONE: &str = "undone.tmp";

/// How many checkpoints are kept.
const KEPT: usize = 2;

/// The checkpoints of a folder, by number, the last one last.
fn numbered(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_suffix(ENDING)?.parse().ok());
        found.extend(number.map(|number| (number, path)));
    }
    found.sort();
    Ok(found)
}

/// Makes the folder, so that it is known at once if that is not possible.
pub(crate) fn prepare(checkpoints: &Checkpoints) -> Result<(), SearchError> {
    let folder = &checkpoints.folder;
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))
}

/// Writes the next checkpoint of a folder.
pub(crate) fn write(
    checkpoints: &Checkpoints,
    kind: &[u8],
    content: &mut dyn FnMut(&mut Encoder<'_>) -> io::Result<()>,
) -> Result<(), SearchError> {
    let folder = &checkpoints.folder;
    let written = write_to(folder, [&checkpoints.description, kind], content);
    written.map_err(|error| unwritable(folder, &error))
}

fn write_to(
    folder: &Path,
    head: [&[u8]; 2],
    content: &mut dyn FnMut(&mut Encoder<'_>) -> io::Result<()>,
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let undone = folder.join(UNDONE);
    let mut file = BufWriter::new(File::create(&undone)?);
    file.write_all(MAGIC)?;
    let mut blocks = BlockWriter::new(file);
    let mut encoder = Encoder(&mut blocks);
    head.iter().try_for_each(|bytes| encoder.bytes(bytes))?;
    content(&mut encoder)?;
    let file = blocks.finish()?.into_inner().map_err(|e| e.into_error())?;
    file.sync_all()?;
    let before = numbered(folder)?;
    let number = before.last().map_or(1, |(number, _)| number + 1);
    fs::rename(&undone, folder.join(format!("{number}{ENDING}")))?;
    sync_folder(folder)?;
    let spare = (before.len() + 1).saturating_sub(KEPT);
    before
        .iter()
        .take(spare)
        .try_for_each(|(_, path)| fs::remove_file(path))
}

/// Makes a change of names last.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Elsewhere folders cannot be opened, and renaming lasts.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A checkpoint that is being read.
pub(crate) struct OpenCheckpoint {
    path: PathBuf,
    blocks: BlockReader<BufReader<File>>,
    description: Vec<u8>,
    kind: Vec<u8>,
}

/// What a file is that does not begin as checkpoints of this version do.
fn foreign(magic: &[u8; 16]) -> &'static str {
    match magic[..15] == MAGIC[..15] {
        true => {
            "it was written by another version of Mandala, which stores states in another way: start the search anew with \
             `mandala check` and another folder, or go on with that version"
        }
        false => "it is not a checkpoint",
    }
}

impl OpenCheckpoint {
    /// Opens the last checkpoint of a folder.
    pub(crate) fn last(folder: &Path) -> Result<Self, SearchError> {
        let checkpoints = numbered(folder).map_err(|e| unreadable(folder, &e))?;
        let Some((_, path)) = checkpoints.into_iter().next_back() else {
            let folder = folder.display();
            let what = format!("there is no checkpoint in `{folder}`");
            return Err(SearchError::Checkpoint(what));
        };
        Self::open(&path).map_err(|error| unreadable(&path, &error))
    }

    fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(path)?);
        let mut magic = [0; MAGIC.len()];
        file.read_exact(&mut magic)?;
        if &magic != MAGIC {
            return Err(io::Error::new(io::ErrorKind::InvalidData, foreign(&magic)));
        }
        let mut blocks = BlockReader::new(file);
        let mut head = Decoder(&mut blocks);
        let (description, kind) = (head.bytes()?, head.bytes()?);
        Ok(OpenCheckpoint {
            path: path.to_path_buf(),
            blocks,
            description,
            kind,
        })
    }

    /// Whether it is of that search, in the words of the caller and in those of the engine.
    pub(crate) fn is_of(&self, description: &[u8], kind: &[u8]) -> bool {
        self.description == description && self.kind == kind
    }

    /// Reads the rest.
    pub(crate) fn read<T>(
        mut self,
        content: impl FnOnce(&mut Decoder<'_>) -> io::Result<T>,
    ) -> Result<T, SearchError> {
        let read = content(&mut Decoder(&mut self.blocks));
        let complete = self.blocks.is_complete();
        match (read, complete) {
            (Ok(content), Ok(true)) => Ok(content),
            (Err(error), _) | (_, Err(error)) => Err(unreadable(&self.path, &error)),
            (Ok(_), Ok(false)) => Err(unreadable(&self.path, &blocks::damaged())),
        }
    }
}

/// What a checkpoint says of the search that it is of, for a command that resumes it.
///
/// # Errors
///
/// If there is none in the folder, or it cannot be read.
pub fn description(folder: &Path) -> Result<Vec<u8>, SearchError> {
    OpenCheckpoint::last(folder).map(|checkpoint| checkpoint.description)
}

/// What is said if nothing can be written.
fn unwritable(folder: &Path, error: &io::Error) -> SearchError {
    let folder = folder.display();
    SearchError::Checkpoint(format!(
        "no checkpoint can be written in `{folder}`: {error}"
    ))
}

/// Whether a folder has a checkpoint, be it whole or damaged.
pub fn exists(folder: &Path) -> bool {
    numbered(folder).is_ok_and(|checkpoints| !checkpoints.is_empty())
}

/// What is said if a file cannot be read.
fn unreadable(path: &Path, error: &io::Error) -> SearchError {
    let path = path.display();
    let why = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends too early".to_string(),
        _ => error.to_string(),
    };
    SearchError::Checkpoint(format!(
        "`{path}` is damaged or cannot be read: {why}; if there is an older checkpoint beside it, remove this one to go on \
         from there"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn checkpoints(name: &str) -> Checkpoints {
        let folder = std::env::temp_dir().join(format!("mandala-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Checkpoints {
            folder,
            interval: Duration::ZERO,
            description: b"what".to_vec(),
            resume: false,
        }
    }

    fn put(checkpoints: &Checkpoints, number: u64) {
        write(checkpoints, b"", &mut |out| out.number(number)).expect("it can be written");
    }

    fn get(checkpoints: &Checkpoints) -> Result<u64, SearchError> {
        OpenCheckpoint::last(&checkpoints.folder)?.read(|input| input.number())
    }

    #[test]
    fn the_last_one_counts_and_two_are_kept() {
        let checkpoints = checkpoints("last");
        assert!(get(&checkpoints).is_err());
        for number in 1..=5 {
            put(&checkpoints, number);
            assert_eq!(get(&checkpoints), Ok(number));
            let kept = numbered(&checkpoints.folder)
                .expect("it can be listed")
                .len();
            assert_eq!(kept, KEPT.min(number as usize));
        }
        assert_eq!(description(&checkpoints.folder), Ok(b"what".to_vec()));
        fs::remove_dir_all(&checkpoints.folder).expect("it is there");
    }

    #[test]
    fn one_that_is_not_done_does_no_harm() {
        let checkpoints = checkpoints("undone");
        put(&checkpoints, 1);
        let failed = write(&checkpoints, b"", &mut |_| Err(io::Error::other("no room")));
        assert!(failed.is_err() && checkpoints.folder.join(UNDONE).exists());
        assert_eq!(get(&checkpoints), Ok(1));
        put(&checkpoints, 2);
        assert_eq!(get(&checkpoints), Ok(2));
        fs::remove_dir_all(&checkpoints.folder).expect("it is there");
    }

    #[test]
    fn damage_is_told() {
        let checkpoints = checkpoints("damage");
        put(&checkpoints, 1);
        put(&checkpoints, 2);
        let path = checkpoints.folder.join(format!("2{ENDING}"));
        let whole = fs::read(&path).expect("it is there");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).expect("it can be written");
            assert!(get(&checkpoints).is_err(), "byte {at}");
            fs::write(&path, &whole[..at]).expect("it can be written");
            assert!(get(&checkpoints).is_err(), "cut at {at}");
        }
        fs::remove_file(path).expect("it is there");
        assert_eq!(get(&checkpoints), Ok(1));
        fs::remove_dir_all(&checkpoints.folder).expect("it is there");
    }
}
