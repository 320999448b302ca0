//! Checkpoints of a search on the command line: writing them, and resuming from one.
//!
//! A checkpoint carries the whole command as it was typed, the folder that it was typed in, and a fingerprint of the
//! model. Whoever goes on reads the command again, so that no option can be forgotten, and makes sure that
//! the model is still the same.

use crate::args::{Arguments, CheckArguments, Command, ResumeArguments};
use crate::exit::Failure;
use crate::load;
use clap::Parser;
use mandala_checker::checkpoint::{description, exists};
use mandala_checker::document::present;
use mandala_checker::frontend::{LoadedModel, digest};
use mandala_checker::options::Checkpoints;
use mandala_report::document::{CHECKPOINT_SCHEMA, CheckpointDescription, Tool};
use mandala_report::json;
use mandala_report::style::tame;
use std::path::Path;

/// A search that has written checkpoints and is to go on.
pub struct EarlierSearch {
    /// What was asked for, with what is asked for anew.
    pub arguments: CheckArguments,
    description: CheckpointDescription,
    /// The description as it was read.
    text: Vec<u8>,
}

/// Where checkpoints go and what they say, if there are to be any.
pub fn wish(
    arguments: &CheckArguments,
    loaded: &LoadedModel,
    earlier: Option<&EarlierSearch>,
) -> Result<Option<Checkpoints>, Failure> {
    let Some((folder, interval)) = arguments.checkpoints() else {
        return Ok(None);
    };
    let description = match earlier {
        Some(earlier) => earlier.of_model(loaded)?,
        None => of_new_search(arguments, loaded, folder)?,
    };
    Ok(Some(Checkpoints {
        folder: folder.to_path_buf(),
        interval,
        description,
        resume: earlier.is_some(),
    }))
}

/// Looks what was searched, and adds what is asked for anew.
pub fn earlier(resume: &ResumeArguments) -> Result<EarlierSearch, Failure> {
    let folder = &resume.folder;
    let unusable = |why: String| {
        let folder = folder.display();
        Failure::Command(format!("cannot go on from `{folder}`: {why}"))
    };
    let text = description(folder).map_err(unusable)?;
    let description = json::read_checkpoint(&text).map_err(unusable)?;
    require_this_version(&description.tool).map_err(unusable)?;
    let mut arguments = command(&description).map_err(unusable)?;
    arguments.outputs = resume.outputs.clone();
    arguments.resources = resume.resources.or(&arguments.resources);
    arguments.checkpoint = Some(folder.clone());
    Ok(EarlierSearch {
        arguments,
        description,
        text,
    })
}

fn require_this_version(tool: &Tool) -> Result<(), String> {
    let this = Tool::mandala();
    match *tool == this {
        true => Ok(()),
        false => Err(format!(
            "it was written by {} {}, and this is {} {}, which may store states in another way",
            tame(&tool.name),
            tame(&tool.version),
            this.name,
            this.version
        )),
    }
}

/// The command that started the search, with the model where it is as seen from here.
fn command(description: &CheckpointDescription) -> Result<CheckArguments, String> {
    let words = description.command.iter().map(String::as_str);
    let words = std::iter::once("mandala").chain(words);
    let parsed = Arguments::try_parse_from(words).map(|arguments| arguments.command);
    let Ok(Command::Check(mut arguments)) = parsed else {
        return Err("its command is none that this version understands".into());
    };
    let then = Path::new(&description.directory);
    if std::env::current_dir().is_ok_and(|now| now != then) {
        arguments.model.model = then.join(&arguments.model.model);
        arguments.stated.typed_in(then);
    }
    Ok(*arguments)
}

impl EarlierSearch {
    /// The description, if the model is still the one that it is about.
    fn of_model(&self, loaded: &LoadedModel) -> Result<Vec<u8>, Failure> {
        match digest(&loaded.sources) == self.description.model.digest {
            true => Ok(self.text.clone()),
            false => Err(Failure::Command(format!(
                "`{}` has changed since the checkpoint was written, so the search cannot go on; `mandala check` \
                 starts it anew",
                tame(&loaded.path.display().to_string())
            ))),
        }
    }
}

fn of_new_search(
    arguments: &CheckArguments,
    loaded: &LoadedModel,
    folder: &Path,
) -> Result<Vec<u8>, Failure> {
    if load::is_standard_input(&arguments.model.model) {
        let what = "`--checkpoint` needs a model in a file, as `mandala resume` reads it again";
        return Err(Failure::Command(what.into()));
    }
    if exists(folder) {
        let folder = folder.display();
        return Err(Failure::Command(format!(
            "`{folder}` has a checkpoint already: `mandala resume {folder}` goes on from there; to start anew, \
             remove it or choose another folder"
        )));
    }
    let description = CheckpointDescription {
        schema: CHECKPOINT_SCHEMA.into(),
        tool: Tool::mandala(),
        model: present::model_source(loaded),
        directory: directory()?,
        command: words()?,
    };
    json::write_checkpoint(&description)
        .map(String::into_bytes)
        .map_err(|error| Failure::Defect(error.to_string()))
}

/// The folder that relative paths start from.
fn directory() -> Result<String, Failure> {
    let folder = std::env::current_dir().ok();
    let folder = folder.and_then(|folder| folder.into_os_string().into_string().ok());
    folder.ok_or_else(|| {
        Failure::Command("`--checkpoint` needs a current folder with a name that is text".into())
    })
}

/// The command as it was typed.
fn words() -> Result<Vec<String>, Failure> {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.into_string());
    words.collect::<Result<_, _>>().map_err(|word| {
        let word = word.display();
        Failure::Command(format!(
            "`--checkpoint` needs a command that is text; `{word}` is not"
        ))
    })
}
