//! The front end for the language of PRISM: Markov chains and decision processes as modules that synchronise.
//!
//! `docs/prism.md` says what is taken. The stages, each a module:
//!
//! 1. *lex*, *parse*: texts to syntax trees (`ast`), models and files of properties alike;
//! 2. *names*: formulas are put in, then modules are made of others by renaming;
//! 3. *constants*, *terms*: values and types; numbers with fractions stay exact;
//! 4. *layout*: which variables become one array; *system*: commands with their types;
//! 5. *compose*: which commands are taken at once; *lower*: edges, one for each outcome; *properties*: queries.
//!
//! They accept any text: they never panic and end on any input.

mod ast;
mod compose;
mod constants;
mod contradictions;
mod layout;
mod lexer;
mod limits;
mod lower;
mod names;
mod parser;
mod properties;
mod stated;
mod system;
mod terms;
mod token;

use crate::ast::{Definition, Expr, Ident, Program};
use crate::layout::Layout;
use crate::names::Formulas;
use crate::parser::{TextKind, parse};
use crate::properties::Asking;
use crate::stated::Stating;
use crate::system::TypedModule;
use crate::terms::Names;
use mandala_model::Diagnostic;
use mandala_model::chance::Stochastic;
use mandala_model::definitions::Definitions;
use mandala_model::findings::{Findings, error, error_help};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{FileId, Sources, Span};
use mandala_model::stated::{Stated, StatedForm};
use std::collections::HashMap;
use std::sync::Arc;

/// What the front end is told besides the text.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Constants from outside, as `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Properties that are stated beside the model: queries, and files of them.
    pub stated: Vec<Stated>,
}

/// Reads the model in `file`, and the properties beside it. There is a model unless one of the diagnostics is an error.
pub fn load(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let model = read(sources, file, options, &mut findings);
    let model = model.filter(|_| !findings.has_errors());
    (model, findings.into_vec())
}

/// Properties of one text, with the name of a property without one.
struct Asked {
    form: StatedForm,
    program: Program,
    default_name: String,
}

fn read(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
    findings: &mut Findings,
) -> Option<UncheckedModel> {
    let program = tree(sources, file, TextKind::Model, findings)?;
    let asked = asked(sources, file, &options.stated, findings);
    if findings.has_errors() {
        return None;
    }
    let mut given = findings.note(constants::given(sources, &options.defines))?;
    let whole = whole(sources, file);
    Reading {
        sources,
        findings,
        whole,
    }
    .model(program, asked?, &mut given)
}

fn whole(sources: &Sources, file: FileId) -> Span {
    Span::new(file, 0, sources.file(file).text().len())
}

/// The syntax tree of a text.
fn tree(
    sources: &Sources,
    file: FileId,
    kind: TextKind,
    findings: &mut Findings,
) -> Option<Program> {
    let text = sources.file(file).text();
    if text.len() > limits::FILE_BYTES {
        let message = format!("the file has more than {} bytes", limits::FILE_BYTES);
        findings.push(Diagnostic::error(Span::new(file, 0, 0), message));
        return None;
    }
    let tokens = findings.note(lexer::lex(file, text))?;
    Some(parse(tokens, kind, findings))
}

/// The properties beside the model.
fn asked(
    sources: &Sources,
    file: FileId,
    stated: &[Stated],
    findings: &mut Findings,
) -> Option<Vec<Asked>> {
    let mut all = Vec::new();
    for (number, property) in stated.iter().enumerate() {
        match property.form {
            StatedForm::Pctl
            | StatedForm::Queries
            | StatedForm::Ltl
            | StatedForm::Ctl
            | StatedForm::Possible
            | StatedForm::AlwaysPossible => {}
            form @ (StatedForm::Automaton | StatedForm::Progress | StatedForm::Accept) => {
                let option = form.name();
                let start = Span::new(file, 0, 0);
                let message = format!("`--{option}` is not available for the language of PRISM");
                let help = "`--pctl`, `--props`, `--ltl`, `--ctl`, `--possible` and `--always-possible` are";
                findings.push(*error_help(start, message, help));
                return None;
            }
        }
        let program = tree(sources, property.file, TextKind::Properties, findings)?;
        let is_one = program.properties.len() == 1;
        if property.form != StatedForm::Queries && !is_one && !findings.has_errors() {
            let message = "expected one property";
            let span = whole(sources, property.file);
            findings.push(*error_help(span, message, "`--props FILE` takes several"));
        }
        all.push(Asked {
            form: property.form,
            program,
            default_name: property.name_after(&stated[..number]),
        });
    }
    Some(all)
}

struct Reading<'a> {
    sources: &'a Sources,
    findings: &'a mut Findings,
    /// The whole text of the model.
    whole: Span,
}

/// What is known before anything is lowered.
struct Known {
    kind: Stochastic,
    names: Names,
    formulas: Formulas,
    layout: Layout,
    modules: Vec<TypedModule>,
}

impl Reading<'_> {
    fn model(
        mut self,
        mut program: Program,
        mut asked: Vec<Asked>,
        given: &mut Definitions<Expr>,
    ) -> Option<UncheckedModel> {
        for beside in &mut asked {
            program.constants.append(&mut beside.program.constants);
            program.formulas.append(&mut beside.program.formulas);
            program.labels.append(&mut beside.program.labels);
        }
        let mut known = self.known(&mut program, &asked, given)?;
        let labels = std::mem::take(&mut program.labels);
        let labels = self.labels(labels, &mut known.formulas, &known.names);
        let mut model = self.lowered(program, &mut known)?;
        let mut asking = Asking {
            model: &mut model,
            names: &known.names,
            labels: &labels,
            kind: known.kind,
            sources: self.sources,
        };
        for beside in asked {
            add_all(&mut asking, beside, &mut known.formulas, self.findings);
        }
        Some(model)
    }

    /// Nothing if something is wrong so far.
    fn go_on(&self) -> Option<()> {
        (!self.findings.has_errors()).then_some(())
    }

    /// Names, types and commands.
    fn known(
        &mut self,
        program: &mut Program,
        asked: &[Asked],
        given: &mut Definitions<Expr>,
    ) -> Option<Known> {
        let kind = self.kind(program);
        self.require_different(program, asked);
        self.require_module(program);
        let mut names = Names::default();
        constants::evaluate(&program.constants, given, &mut names, self.findings);
        let formulas = std::mem::take(&mut program.formulas);
        let mut formulas = Formulas::of(formulas, self.findings);
        let modules = std::mem::take(&mut program.modules);
        let modules = names::modules(modules, &mut formulas, self.findings);
        self.go_on()?;
        let declared = (program.globals.as_slice(), modules.as_slice());
        let has_init = program.init.is_some();
        let layout = system::declare(declared, &mut names, has_init, self.findings);
        self.go_on()?;
        self.require_unshadowed(&formulas, &names);
        let modules = system::commands(modules, &names, &layout, kind, self.findings);
        Some(Known {
            kind,
            names,
            formulas,
            layout,
            modules,
        })
    }

    /// The model with its rewards, without properties.
    fn lowered(&mut self, mut program: Program, known: &mut Known) -> Option<UncheckedModel> {
        if let Some(init) = &mut program.init {
            self.findings.note(known.formulas.put_into(init));
        }
        self.go_on()?;
        let combined = compose::compose(&known.modules, program.system.as_ref());
        let combined = self.findings.note(combined)?;
        let parts = lower::Parts {
            kind: known.kind,
            layout: &known.layout,
            modules: &known.modules,
            combined: &combined,
            init: program.init.as_ref(),
            span: self.whole,
        };
        let mut model = self.findings.note(lower::lower(&parts, &known.names))?;
        let of = (&known.names, &mut known.formulas);
        lower::rewards(&mut model, program.rewards, of, self.findings);
        self.go_on()?;
        Some(model)
    }

    fn require_module(&mut self, program: &Program) {
        if program.modules.is_empty() && !self.findings.has_errors() {
            let help = "a model has one at least: `module NAME ... endmodule`";
            let wrong = error_help(self.whole, "the model has no module", help);
            self.findings.push(*wrong);
        }
    }

    /// What kind of model it is; a decision process if that is not said.
    fn kind(&mut self, program: &Program) -> Stochastic {
        let Some((kind, _)) = program.kind else {
            let start = Span::new(self.whole.file, 0, 0);
            let message = "it is not said what kind of model this is, so it is a decision process";
            let warning = Diagnostic::warning(start, message);
            let help = "begin with `mdp`, `dtmc` or `ctmc`";
            self.findings.push(warning.with_help(help));
            return Stochastic::Mdp;
        };
        kind
    }

    /// Names mean one thing each.
    fn require_different(&mut self, program: &Program, asked: &[Asked]) {
        let declared = program
            .modules
            .iter()
            .flat_map(|module| match &module.body {
                ast::Body::Own(contents) => contents.variables.as_slice(),
                ast::Body::Renamed { .. } => &[],
            });
        let variables = program.globals.iter().chain(declared);
        let groups = [
            (
                "constant",
                program.constants.iter().map(|c| &c.name).collect(),
            ),
            (
                "formula",
                program.formulas.iter().map(|f| &f.name).collect(),
            ),
            ("variable", variables.map(|v| &v.name).collect()),
        ];
        system::require_different(&groups, self.findings);
        let modules: Vec<&Ident> = program.modules.iter().map(|m| &m.name).collect();
        system::require_different(&[("module", modules)], self.findings);
        let properties = asked.iter().flat_map(|beside| &beside.program.properties);
        let properties = properties.filter_map(|property| property.name.as_ref());
        let groups = [
            ("label", program.labels.iter().map(|l| &l.name).collect()),
            ("property", properties.collect()),
        ];
        system::require_different(&groups, self.findings);
        let rewards: Vec<&Ident> = program
            .rewards
            .iter()
            .filter_map(|r| r.name.as_ref())
            .collect();
        system::require_different(&[("structure of rewards", rewards)], self.findings);
    }

    /// A variable that a module gets by renaming has no name of a constant or formula.
    fn require_unshadowed(&mut self, formulas: &Formulas, names: &Names) {
        let mut taken: Vec<&str> = formulas.names().collect();
        taken.extend(names.constants.keys().map(|name| &**name));
        taken.retain(|name| names.variables.contains_key(*name));
        taken.sort_unstable();
        for name in taken {
            let message =
                format!("`{name}` is a variable of a renamed module and something else, too");
            self.findings.push(*error(self.whole, message));
        }
    }

    /// Labels with formulas put in, each a condition.
    fn labels(
        &mut self,
        labels: Vec<Definition>,
        formulas: &mut Formulas,
        names: &Names,
    ) -> HashMap<Arc<str>, Expr> {
        let mut known = HashMap::new();
        for mut label in labels {
            let name = &label.name;
            if ["init", "deadlock"].contains(&&*name.name) {
                let message = format!(
                    "the label \"{}\" has its meaning from the language",
                    name.name
                );
                self.findings.push(*error(name.span, message));
            }
            let value = formulas.put_into(&mut label.value);
            let value = value.and_then(|_| names.condition(&label.value));
            if self.findings.note(value).is_some() {
                known.insert(label.name.name, label.value);
            }
        }
        known
    }
}

/// Adds all properties of a text.
fn add_all(
    asking: &mut Asking<'_>,
    asked: Asked,
    formulas: &mut Formulas,
    findings: &mut Findings,
) {
    let several = asked.program.properties.len() > 1;
    for (number, mut property) in (1..).zip(asked.program.properties) {
        let name = match (&property.name, several) {
            (Some(name), _) => name.name.to_string(),
            (None, false) => asked.default_name.clone(),
            (None, true) => format!("{}_{number}", asked.default_name),
        };
        let put = formulas.put_into(&mut property.formula);
        let added = put.and_then(|_| match asked.form {
            StatedForm::Pctl | StatedForm::Queries => {
                asking.add(name, &property.formula, property.span)
            }
            form => Stating {
                names: asking.names,
                labels: asking.labels,
                sources: asking.sources,
            }
            .add(asking.model, name, form, &property.formula),
        });
        findings.note(added);
    }
}
