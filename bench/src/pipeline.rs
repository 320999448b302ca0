//! Tools that translate a model to C, compile that and run the result: one model on its way from the command to the verdict.

use crate::measure::over;
use crate::process::{self, Ended, Spent, last_line};
use crate::relay;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// One model on its way, in a folder of its own. The limit is for all steps together.
#[derive(Debug)]
pub(crate) struct Pipeline {
    folder: TempDir,
    limit: Duration,
    /// What it has taken so far.
    pub spent: Spent,
}

impl Pipeline {
    /// Begins with a file of this name that holds the model.
    pub(crate) fn new(file: &str, text: &str, limit: Duration) -> Result<Pipeline, String> {
        let no_folder = |error| format!("no folder for a model: {error}");
        let folder = tempfile::tempdir().map_err(no_folder)?;
        fs::write(folder.path().join(file), text).map_err(no_folder)?;
        Ok(Pipeline {
            folder,
            limit,
            spent: Spent::default(),
        })
    }

    /// Runs a program that has to end well.
    pub(crate) fn step(&mut self, program: &str, arguments: &[String]) -> Result<(), String> {
        let folder = self.folder.path();
        let ended = process::run(folder, Path::new(program), arguments, self.rest());
        let ended = ended.map_err(|why| self.told(why))?;
        self.spent = self.spent.and(ended.spent);
        match ended.well {
            true => Ok(()),
            false => Err(format!("{program}: {}", last_line(&ended))),
        }
    }

    /// Runs a program of the folder, which may take so many bytes: how it ended, and how many bytes it held at most.
    pub(crate) fn search(
        &mut self,
        program: &str,
        arguments: &[String],
        memory: u64,
    ) -> Result<(Ended, u64), String> {
        let folder = self.folder.path();
        let program = folder.join(program);
        let searched = relay::run(folder, &program, arguments, self.rest(), Some(memory));
        let (ended, peak) = searched.map_err(|why| self.told(why))?;
        self.spent = self.spent.and(ended.spent);
        Ok((ended, peak))
    }

    /// How much time on the wall is left.
    fn rest(&self) -> Duration {
        let spent = Duration::from_secs_f64(self.spent.wall);
        self.limit.saturating_sub(spent)
    }

    /// What took longer than the rest of the limit took longer than the limit.
    fn told(&self, why: String) -> String {
        match why == over(self.rest()) {
            true => over(self.limit),
            false => why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_for_everything_together() {
        let limit = Duration::from_secs(60);
        let mut pipeline = Pipeline::new("model", "text", limit).unwrap();
        pipeline.spent.wall = 2.5;
        assert_eq!(pipeline.rest(), Duration::from_millis(57_500));
        assert_eq!(pipeline.told("> 57 s".into()), "> 60 s");
        assert_eq!(pipeline.told("no such file".into()), "no such file");
    }
}
