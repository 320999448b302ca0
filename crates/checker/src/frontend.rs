//! The registry of front ends: from a file's text to a verified model.
//!
//! A new input language is one crate and one line in [`FRONT_ENDS`].

use crate::options::Deadlock;
use mandala_boolean::Threads;
use mandala_model::diagnostic::has_errors;
use mandala_model::ids::PropertyId;
use mandala_model::model::{self, Language};
use mandala_model::stated::{Stated, StatedForm};
use mandala_model::verify::verify;
use mandala_model::{Diagnostic, FileId, Model, SourceText, Sources, Span, UncheckedModel};
pub use mandala_murphi::Dialect;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the text of a file. Only the outermost crate has one that touches the disk.
pub type ReadFile = fn(&Path) -> io::Result<String>;

/// What a model is made from.
#[derive(Clone, Debug)]
pub struct ModelInput {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Macros or constants defined from outside, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The tool whose meaning a Murphi model has, if one is given; for other languages there must be none.
    pub dialect: Option<Dialect>,
    /// How included files are read, and the file of declarations beside the model.
    pub read: ReadFile,
}

/// A property that is stated beside a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyInput {
    /// What it is written in.
    pub form: StatedForm,
    /// Its name, if it is given one.
    pub name: Option<String>,
    /// Where it comes from, as messages are to say: an option, or a file.
    pub origin: PathBuf,
    /// Its text.
    pub text: String,
}

/// What is wanted of a model whose language has any number of threads. Others take none of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadWish {
    /// At most so many threads ever, that of the start included. Every number if nothing is said.
    pub at_most: Option<u32>,
    /// What must not be reached: a label of a program, or a configuration of a system.
    pub target: Option<String>,
    /// Where a system starts.
    pub start: Option<String>,
}

impl ThreadWish {
    /// The option that asks for something, if one does.
    fn option(&self) -> Option<&'static str> {
        let asked = [
            (self.at_most.is_some(), "--max-threads"),
            (self.target.is_some(), "--target"),
            (self.start.is_some(), "--start"),
        ];
        let mut asked = asked.into_iter();
        asked.find(|(asked, _)| *asked).map(|(_, option)| option)
    }
}

/// A model of a language with any number of threads, before their number is known.
#[derive(Clone, Debug)]
pub struct ThreadedModel {
    /// The program or system.
    pub(crate) threads: Arc<Threads>,
    /// What is wanted of it.
    pub wish: ThreadWish,
}

/// A model, with the texts that it came from.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// The model.
    pub model: Arc<Model>,
    /// All its files.
    pub sources: Sources,
    /// What the front end noticed, none of it an error.
    pub warnings: Vec<Diagnostic>,
    /// The file, as the user named it.
    pub path: PathBuf,
    /// Macros defined from outside.
    pub defines: Vec<String>,
    /// The tool whose meaning it has, if it is a Murphi model.
    pub dialect: Option<Dialect>,
    /// Where the model comes from, if its language has any number of threads. If every number is wanted, it is that with one.
    pub threads: Option<ThreadedModel>,
    /// The properties that are stated beside it.
    pub stated: Vec<PropertyInput>,
    /// What they are in the model, in its order.
    pub stated_properties: Vec<PropertyId>,
}

impl LoadedModel {
    /// Whether it stands for every number of threads.
    pub fn has_every_number_of_threads(&self) -> bool {
        let threads = self.threads.as_ref();
        threads.is_some_and(|threads| threads.wish.at_most.is_none())
    }

    /// The same model with at most so many threads.
    pub(crate) fn with_threads(&self, threads: u32) -> Result<LoadedModel, String> {
        let mut loaded = self.clone();
        if let Some(threaded) = &mut loaded.threads {
            threaded.wish.at_most = Some(threads);
            let model = threaded.threads.model(threads).map_err(|e| e.message)?;
            loaded.model = Arc::new(verify(model).map_err(|errors| describe(&errors))?);
        }
        Ok(loaded)
    }

    /// The model with what is wanted to count as a deadlock in it.
    pub(crate) fn with_deadlock(&self, wanted: Deadlock) -> Result<Cow<'_, LoadedModel>, String> {
        let wanted = match wanted {
            Deadlock::Report | Deadlock::Ignore => self.model.deadlock,
            Deadlock::Stuck => model::Deadlock::NoMove,
            Deadlock::Stuttering => model::Deadlock::NoChange,
        };
        if wanted == self.model.deadlock {
            return Ok(Cow::Borrowed(self));
        }
        let mut changed = Model::clone(&self.model).into_unchecked();
        changed.deadlock = wanted;
        Ok(Cow::Owned(LoadedModel {
            model: Arc::new(verify(changed).map_err(|errors| describe(&errors))?),
            ..self.clone()
        }))
    }
}

/// Why there is no model.
#[derive(Debug)]
pub enum LoadError {
    /// The text is wrong.
    Wrong {
        /// What is wrong, some of it errors.
        diagnostics: Vec<Diagnostic>,
        /// The texts that they point into.
        sources: Box<Sources>,
    },
    /// An option is not for this language.
    Option(String),
    /// The front end made a model that the verifier refuses: a defect of Mandala.
    Defect(String),
}

/// What a front end makes of a text: a model unless a finding is an error.
type Found = (Option<UncheckedModel>, Vec<Diagnostic>);

/// A front end: text in, model and findings out.
struct FrontEnd {
    /// The language of its files; nothing if each file says that of the model that it was made from.
    language: Option<Language>,
    /// How the names of its files end.
    extensions: &'static [&'static str],
    load: Loader,
}

/// How a front end is called.
#[derive(Clone, Copy)]
enum Loader {
    /// It makes a model.
    Model(fn(&mut Sources, FileId, &ModelInput, Vec<Stated>) -> Found),
    /// It makes a model for each number of threads.
    Threads(fn(&Sources, FileId, &mandala_boolean::BooleanOptions) -> FoundThreads),
}

/// What a front end makes of a text with any number of threads: nothing only if a finding is an error.
type FoundThreads = (Option<Threads>, Vec<Diagnostic>);

/// All front ends. The first takes every file that no other one claims, because Promela models
/// carry any ending or none.
const FRONT_ENDS: &[FrontEnd] = &[
    FrontEnd {
        language: Some(Language::Promela),
        extensions: &["pml", "prom", "promela", "pr", "p", "prm"],
        load: Loader::Model(load_promela),
    },
    FrontEnd {
        language: Some(Language::Murphi),
        extensions: &["m", "murphi"],
        load: Loader::Model(load_murphi),
    },
    FrontEnd {
        language: Some(Language::Red),
        extensions: &["red"],
        load: Loader::Model(load_red),
    },
    FrontEnd {
        language: Some(Language::Boolean),
        extensions: &["bp"],
        load: Loader::Threads(mandala_boolean::load_program),
    },
    FrontEnd {
        language: Some(Language::Tts),
        extensions: &["tts"],
        load: Loader::Threads(mandala_boolean::load_system),
    },
    FrontEnd {
        language: Some(Language::Cubicle),
        extensions: &["cub"],
        load: Loader::Model(load_cubicle),
    },
    FrontEnd {
        language: Some(Language::Prism),
        extensions: &["prism", "nm", "pm", "sm"],
        load: Loader::Model(load_prism),
    },
    FrontEnd {
        language: None,
        extensions: &["ir"],
        load: Loader::Model(load_ir),
    },
];

fn front_end(path: &Path) -> &'static FrontEnd {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let claims = |f: &&FrontEnd| f.extensions.contains(&extension);
    FRONT_ENDS.iter().find(claims).unwrap_or(&FRONT_ENDS[0])
}

/// Whether the name of a file ends as those of models do.
pub fn is_model_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    let claims = |f: &FrontEnd| extension.is_some_and(|e| f.extensions.contains(&e));
    FRONT_ENDS.iter().any(claims)
}

/// The language that a file of that name is taken to be written in.
pub fn language(path: &Path) -> String {
    let language = front_end(path).language;
    language.map_or_else(|| "ir".into(), |language| language.to_string())
}

/// The language of files of that name, unless each of them says it itself.
pub fn single_language(path: &Path) -> Option<Language> {
    front_end(path).language
}

/// Reads and verifies a model.
pub fn load(input: ModelInput) -> Result<LoadedModel, LoadError> {
    load_with(input, Vec::new())
}

/// Reads and verifies a model with properties that are stated beside it.
pub fn load_with(
    input: ModelInput,
    properties: Vec<PropertyInput>,
) -> Result<LoadedModel, LoadError> {
    load_threads(input, properties, ThreadWish::default())
}

/// Reads and verifies a model, perhaps of a language with any number of threads.
pub fn load_threads(
    input: ModelInput,
    properties: Vec<PropertyInput>,
    wish: ThreadWish,
) -> Result<LoadedModel, LoadError> {
    let dialect = dialect(&input)?;
    let mut sources = Sources::default();
    let text = SourceText::new(&input.path, input.text.clone());
    let file = sources.add(text);
    let stated: Vec<Stated> = properties.iter().map(|p| add(&mut sources, p)).collect();
    let files: Vec<FileId> = stated.iter().map(|stated| stated.file).collect();
    let (unchecked, diagnostics, threads) = match front_end(&input.path).load {
        Loader::Model(load) => {
            refuse_threads(&input, &wish)?;
            let (unchecked, diagnostics) = load(&mut sources, file, &input, stated);
            (unchecked, diagnostics, None)
        }
        Loader::Threads(load) => {
            refuse_for_threads(&input, &properties)?;
            let (model, diagnostics, threads) = threaded(&mut sources, file, &input, &wish, load);
            let threads = threads.map(|threads| ThreadedModel { threads, wish });
            (model, diagnostics, threads)
        }
    };
    let unchecked = match unchecked {
        Some(unchecked) if !has_errors(&diagnostics) => unchecked,
        _ => {
            let sources = Box::new(sources);
            return Err(LoadError::Wrong {
                diagnostics,
                sources,
            });
        }
    };
    let defect = |errors: Vec<_>| LoadError::Defect(describe(&errors));
    let model = verify(unchecked).map_err(defect)?;
    Ok(LoadedModel {
        stated_properties: properties_in(&model, &files),
        model: Arc::new(model),
        sources,
        warnings: diagnostics,
        path: input.path,
        defines: input.defines,
        dialect,
        threads,
        stated: properties,
    })
}

/// Refuses what is only for languages with any number of threads.
fn refuse_threads(input: &ModelInput, wish: &ThreadWish) -> Result<(), LoadError> {
    match wish.option() {
        None => Ok(()),
        Some(option) => Err(LoadError::Option(format!(
            "`{option}` is for Boolean programs and thread transition systems, but `{}` is read as {}",
            input.path.display(),
            language(&input.path)
        ))),
    }
}

/// Refuses what languages with any number of threads do not have.
fn refuse_for_threads(input: &ModelInput, stated: &[PropertyInput]) -> Result<(), LoadError> {
    let refused = |option: String| {
        let path = input.path.display();
        let what = "Boolean programs and thread transition systems have no such thing";
        Err(LoadError::Option(format!("`{option}`: {what} (`{path}`)")))
    };
    if let Some(define) = input.defines.first() {
        return refused(format!("-D {define}"));
    }
    match stated.first() {
        Some(property) => refused(format!("--{}", property.form.name())),
        None => Ok(()),
    }
}

/// Reads a model with any number of threads, and makes that with as many as are wanted; with one, if every number is.
fn threaded(
    sources: &mut Sources,
    file: FileId,
    input: &ModelInput,
    wish: &ThreadWish,
    load: fn(&Sources, FileId, &mandala_boolean::BooleanOptions) -> FoundThreads,
) -> (
    Option<UncheckedModel>,
    Vec<Diagnostic>,
    Option<Arc<Threads>>,
) {
    let mut beside = |origin: PathBuf, text: &Option<String>| {
        let text = text.as_ref()?;
        Some(sources.add(SourceText::new(origin, text.clone())))
    };
    let start = beside("--start".into(), &wish.start);
    let (target, unreadable) = match beside("--target".into(), &wish.target) {
        Some(target) => (Some(target), None),
        None => target_beside(sources, input, file),
    };
    let options = mandala_boolean::BooleanOptions { target, start };
    let (threads, mut diagnostics) = load(sources, file, &options);
    diagnostics.extend(unreadable);
    let threads = threads.map(Arc::new);
    let model = threads.as_ref().map(|t| t.model(wish.at_most.unwrap_or(1)));
    match model {
        None => (None, diagnostics, None),
        Some(Ok(model)) => (Some(model), diagnostics, threads),
        Some(Err(error)) => {
            diagnostics.push(*error);
            (None, diagnostics, None)
        }
    }
}

/// The file with the target of a thread transition system, `m.prop` for `m.tts`.
fn target_beside(
    sources: &mut Sources,
    input: &ModelInput,
    file: FileId,
) -> (Option<FileId>, Option<Diagnostic>) {
    let path = input.path.with_extension("prop");
    if front_end(&input.path).language != Some(Language::Tts) || path == input.path {
        return (None, None);
    }
    match (input.read)(&path) {
        Ok(text) => (Some(sources.add(SourceText::new(path, text))), None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (None, None),
        Err(error) => {
            let message = format!("`{}` is not used: {error}", path.display());
            let start = Span::new(file, 0, 0);
            (None, Some(Diagnostic::warning(start, message)))
        }
    }
}

/// The dialect that a model is read in, if its language has some.
fn dialect(input: &ModelInput) -> Result<Option<Dialect>, LoadError> {
    match (front_end(&input.path).language, input.dialect) {
        (Some(Language::Murphi), wanted) => Ok(Some(wanted.unwrap_or_default())),
        (_, None) => Ok(None),
        (_, Some(_)) => Err(LoadError::Option(format!(
            "`--dialect` is for Murphi models, but `{}` is read as {}",
            input.path.display(),
            language(&input.path)
        ))),
    }
}

/// Makes the text of a property one of the sources.
fn add(sources: &mut Sources, property: &PropertyInput) -> Stated {
    Stated {
        form: property.form,
        name: property.name.clone(),
        file: sources.add(SourceText::new(&property.origin, property.text.clone())),
    }
}

/// The properties that stand in certain files.
fn properties_in(model: &Model, files: &[FileId]) -> Vec<PropertyId> {
    let properties = (0..).map(PropertyId).zip(&model.properties);
    let inside = properties.filter(|(_, property)| files.contains(&property.span.file));
    inside.map(|(id, _)| id).collect()
}

fn describe(errors: &[impl std::fmt::Display]) -> String {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.join("; ")
}

fn load_promela(
    sources: &mut Sources,
    file: FileId,
    input: &ModelInput,
    stated: Vec<Stated>,
) -> Found {
    let read = input.read;
    let (declarations, unreadable) = declarations_beside(input, file);
    let mut options = mandala_promela::ParseOptions {
        loader: Box::new(read),
        declarations,
        stated,
        ..Default::default()
    };
    input.defines.iter().for_each(|d| options.define(d));
    let (model, mut diagnostics) = mandala_promela::load(sources, file, &options);
    diagnostics.extend(unreadable);
    (model, diagnostics)
}

fn load_murphi(
    sources: &mut Sources,
    file: FileId,
    input: &ModelInput,
    stated: Vec<Stated>,
) -> Found {
    let mut options = mandala_murphi::ParseOptions {
        dialect: input.dialect.unwrap_or_default(),
        stated,
        ..Default::default()
    };
    input.defines.iter().for_each(|d| options.define(d));
    mandala_murphi::load(sources, file, &options)
}

fn load_red(sources: &mut Sources, file: FileId, input: &ModelInput, stated: Vec<Stated>) -> Found {
    let mut options = mandala_red::RedOptions {
        stated,
        ..Default::default()
    };
    input.defines.iter().for_each(|d| options.define(d));
    mandala_red::load(sources, file, &options)
}

fn load_cubicle(
    sources: &mut Sources,
    file: FileId,
    input: &ModelInput,
    stated: Vec<Stated>,
) -> Found {
    let defines = input.defines.clone();
    let options = mandala_cubicle::ParseOptions { defines, stated };
    mandala_cubicle::load(sources, file, &options)
}

fn load_prism(
    sources: &mut Sources,
    file: FileId,
    input: &ModelInput,
    stated: Vec<Stated>,
) -> Found {
    let defines = input.defines.clone();
    let options = mandala_prism::ParseOptions { defines, stated };
    mandala_prism::load(sources, file, &options)
}

/// The text form of the intermediate representation. It has no macros or constants to be defined, and states its properties itself.
fn load_ir(sources: &mut Sources, file: FileId, input: &ModelInput, stated: Vec<Stated>) -> Found {
    let start = Span::new(file, 0, 0);
    let defined = input.defines.first().map(|define| {
        let message =
            format!("`-D {define}`: a model in the text form of the IR has no constants to define");
        Diagnostic::error(start, message)
            .with_help("define it where the text is made: `mandala ir -D ..`")
    });
    let property = stated.first().map(|property| {
        let message = format!("`--{}` is not available for a model in the text form of the IR", property.form.name());
        let help = "state the property where the text is made, so that it becomes part of it: `mandala ir --ltl ..`";
        Diagnostic::error(start, message).with_help(help)
    });
    let refused: Vec<Diagnostic> = defined.into_iter().chain(property).collect();
    if !refused.is_empty() {
        return (None, refused);
    }
    mandala_ir::load(sources, file)
}

/// The file of symmetry declarations beside a model, `m.sym` for `m.pml`. That there is none is the
/// usual case; that it cannot be read is worth a warning.
fn declarations_beside(
    input: &ModelInput,
    file: FileId,
) -> (Option<SourceText>, Option<Diagnostic>) {
    let path = input.path.with_extension("sym");
    if path == input.path {
        return (None, None);
    }
    match (input.read)(&path) {
        Ok(text) => (Some(SourceText::new(path, text)), None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (None, None),
        Err(error) => {
            let message = format!("`{}` is not used: {error}", path.display());
            let start = Span::new(file, 0, 0);
            (None, Some(Diagnostic::warning(start, message)))
        }
    }
}

/// A fingerprint of the text of all files of a model (FNV-1a, 64 bits), to notice changes.
pub fn digest(sources: &Sources) -> String {
    fingerprint(sources.files().flat_map(|(_, file)| file.text().bytes()))
}

/// 64 bits that hardly any other bytes have, in hexadecimal.
pub(crate) fn fingerprint(bytes: impl Iterator<Item = u8>) -> String {
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
