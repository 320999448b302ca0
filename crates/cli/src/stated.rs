//! Properties that are stated on the command line, beside those of the model.

use crate::args::headings;
use crate::exit::Failure;
use crate::load;
use clap::Args;
use mandala_checker::frontend::{LoadedModel, PropertyInput};
use mandala_checker::options::RESERVED_NAMES;
use mandala_checker::plan::{Subject, named};
use mandala_model::ids::PropertyId;
use mandala_model::labels::{ACCEPT, NON_PROGRESS};
use mandala_model::stated::StatedForm;
use mandala_report::document;
use std::path::{Path, PathBuf};

/// Properties beside those of the model.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = headings::PROPERTIES)]
pub struct StatedArguments {
    /// Check this formula of linear temporal logic as well.
    ///
    /// As if `ltl NAME { FORMULA }` stood at the end of the model; may be repeated. Whatever can
    /// be said of a state in the model can be said in it: `--ltl 'answered: [] (len(q) > 0 -> <> P[1]@done)'`. Such
    /// properties are checked besides those of the model; `--property` selects from both.
    #[arg(long, value_name = "[NAME:]FORMULA", value_parser = named_text)]
    pub ltl: Vec<NamedText>,

    /// Check that no run is accepted by this Büchi automaton, in the HOA format (v1); may be repeated. Its propositions
    /// (`AP:`) are state expressions of the model, and the property is called as the file is.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub automaton: Vec<PathBuf>,

    /// Check this formula of computation tree logic as well.
    ///
    /// `AG`, `AF`, `AX`, `A[f U g]`, `A[f W g]` speak of all runs from a
    /// state, `EG` and so on of at least one; `A[] f` and `E<> f` are understood as well. May be repeated.
    #[arg(long, value_name = "[NAME:]FORMULA", value_parser = named_text)]
    pub ctl: Vec<NamedText>,

    /// Ask for this probability or expected reward as well, of a model of the language of PRISM: `--pctl 'P=? [ F x=3 ]'`. May be repeated.
    #[arg(long, value_name = "[NAME:]QUERY", value_parser = named_text, hide_short_help = true)]
    pub pctl: Vec<NamedText>,

    /// Ask for what this file of properties asks for, of a model of the language of PRISM; may be repeated.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub props: Vec<PathBuf>,

    /// Check that a state can be reached in which this holds: `--ctl 'EF (EXPR)'`; in Murphi and pointer automata a
    /// `cover` property, judged together with the model's own. May be repeated.
    #[arg(long, value_name = "[NAME:]EXPR", value_parser = named_text, hide_short_help = true)]
    pub possible: Vec<NamedText>,

    /// Check that from every state one can be reached in which this holds: `--ctl 'AG EF (EXPR)'`; in Murphi and
    /// pointer automata a `liveness` property, judged together with the model's own. May be repeated.
    #[arg(long, value_name = "[NAME:]EXPR", value_parser = named_text, hide_short_help = true)]
    pub always_possible: Vec<NamedText>,

    /// Check that no run goes on forever without progress.
    ///
    /// There is no non-progress cycle: every run that goes on forever is again and again at a `progress` label. As
    /// Spin's `-l`; the property is called `non-progress`.
    #[arg(long)]
    pub non_progress: bool,

    /// The earlier name of `--non-progress`, kept so that the error can say so.
    #[arg(long, hide = true)]
    pub progress: bool,

    /// Check that no run is at an `accept` label of a process again and again. As Spin's `-a` without a claim; the
    /// property is called `accept`.
    #[arg(long, hide_short_help = true)]
    pub accept: bool,
}

/// A text with a name, or without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText {
    name: Option<String>,
    text: String,
}

impl StatedArguments {
    /// The properties, in order.
    pub fn inputs(&self) -> Result<Vec<PropertyInput>, Failure> {
        if self.progress {
            let what = "there is no option `--progress`; `--non-progress` looks for runs that go on forever without progress, \
                        and progress is shown on a terminal anyway";
            return Err(Failure::Command(what.into()));
        }
        let formulas = [
            (StatedForm::Ltl, &self.ltl),
            (StatedForm::Ctl, &self.ctl),
            (StatedForm::Pctl, &self.pctl),
            (StatedForm::Possible, &self.possible),
            (StatedForm::AlwaysPossible, &self.always_possible),
        ];
        let formulas = formulas.into_iter();
        let formulas = formulas.flat_map(|(form, texts)| texts.iter().map(move |t| t.input(form)));
        let progress = self
            .non_progress
            .then(|| labels(StatedForm::Progress, NON_PROGRESS));
        let accept = self.accept.then(|| labels(StatedForm::Accept, ACCEPT));
        let automata = self.automaton.iter();
        let automata = automata.map(|path| in_file(path, StatedForm::Automaton));
        let queries = self
            .props
            .iter()
            .map(|path| in_file(path, StatedForm::Queries));
        let others = formulas.chain(progress).chain(accept).map(Ok);
        others.chain(automata).chain(queries).collect()
    }

    /// The same as seen from another folder than the one in which they were typed.
    pub fn typed_in(&mut self, folder: &Path) {
        for path in self.automaton.iter_mut().chain(&mut self.props) {
            *path = folder.join(&*path);
        }
    }
}

/// A property of the labels of processes.
fn labels(form: StatedForm, name: &str) -> PropertyInput {
    PropertyInput {
        form,
        name: Some(name.into()),
        origin: option(form).into(),
        text: String::new(),
    }
}

/// The properties in a file, called as the file is if that is a name.
fn in_file(path: &Path, form: StatedForm) -> Result<PropertyInput, Failure> {
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let name = name.filter(|name| is_name(name) && !RESERVED_NAMES.contains(name));
    Ok(PropertyInput {
        form,
        name: name.map(str::to_string),
        origin: path.to_path_buf(),
        text: load::text(path)?,
    })
}

impl NamedText {
    fn input(&self, form: StatedForm) -> PropertyInput {
        PropertyInput {
            form,
            name: self.name.clone(),
            origin: option(form).into(),
            text: self.text.clone(),
        }
    }
}

/// Makes sure that what is stated on the command line is selected, if something is. A name that selects nothing at all is an error
/// of its own, which the plan of the check reports.
pub fn require_selected(loaded: &LoadedModel, names: &[String]) -> Result<(), Failure> {
    let selected: Vec<Vec<Subject>> = names
        .iter()
        .map(|name| named(&loaded.model, name))
        .collect();
    if selected.iter().any(Vec::is_empty) {
        return Ok(());
    }
    let selected = selected.concat();
    let is_left = |id: &&PropertyId| !selected.contains(&Subject::Stated(**id));
    let left = loaded.stated_properties.iter().filter(is_left);
    let left: Vec<&str> = left
        .map(|id| Subject::Stated(*id).name(&loaded.model))
        .collect();
    match left.is_empty() || names.is_empty() {
        true => Ok(()),
        false => Err(Failure::Command(not_selected(&left, names))),
    }
}

fn not_selected(left: &[&str], names: &[String]) -> String {
    let are = if left.len() == 1 { "is" } else { "are" };
    let (left, add) = (left.join("`, `"), left.join(" --property "));
    let given = names.join(" --property ");
    format!(
        "`{left}` {are} stated on the command line and not selected by `--property {given}`: add `--property {add}`, or leave \
         `--property` out to check everything"
    )
}

/// The properties that a document was written with.
pub fn of_document(model: &document::ModelSource) -> Result<Vec<PropertyInput>, String> {
    let stated = model.stated.iter();
    stated.map(of_stated).collect()
}

fn of_stated(stated: &document::StatedProperty) -> Result<PropertyInput, String> {
    let form = StatedForm::named(&stated.form);
    let form = form.ok_or_else(|| format!("no property is written in `{}`", stated.form))?;
    Ok(PropertyInput {
        form,
        name: stated.name.clone(),
        origin: option(form).into(),
        text: stated.text.clone(),
    })
}

fn option(form: StatedForm) -> String {
    format!("--{}", form.name())
}

/// `NAME: text` or `text`.
fn named_text(whole: &str) -> Result<NamedText, String> {
    let named = whole
        .split_once(':')
        .map(|(name, text)| (name.trim(), text));
    let (name, text) = match named {
        Some((name, text)) if is_name(name) => (Some(name.to_string()), text),
        _ => (None, whole),
    };
    match &name {
        Some(name) if RESERVED_NAMES.contains(&name.as_str()) => Err(format!(
            "`{name}` is what another property is called; choose another name"
        )),
        _ => Ok(NamedText {
            name,
            text: text.trim().to_string(),
        }),
    }
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters.next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Option<String>, String) {
        let named = named_text(text).expect("a right text");
        (named.name, named.text)
    }

    #[test]
    fn a_name_stands_before_a_colon() {
        assert_eq!(parts("[] p"), (None, "[] p".into()));
        assert_eq!(parts("live: [] p"), (Some("live".into()), "[] p".into()));
        assert_eq!(parts(" a_1 :p"), (Some("a_1".into()), "p".into()));
        assert_eq!(parts("P[1]:x == 2"), (None, "P[1]:x == 2".into()));
        assert_eq!(parts("(P:x == 2)"), (None, "(P:x == 2)".into()));
    }

    #[test]
    fn names_with_a_meaning_are_refused() {
        assert!(named_text("safety: [] p").is_err_and(|e| e.contains("`safety`")));
        assert!(named_text("never: [] p").is_err());
    }
}
