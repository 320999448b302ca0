//! The JSON document when there is no result.

use crate::args::ModelArguments;
use crate::exit::Failure;
use crate::load;
use mandala_checker::document::present;
use mandala_checker::frontend::{self, ThreadWish};
use mandala_report::document::{
    ErrorKind, ErrorReport, FailureDocument, Finding, ModelSource, ThreadSource, Tool,
};

/// The document that says why there is no result, where `schema` would be that of the result.
pub fn document(schema: &str, model: ModelSource, failure: &Failure) -> FailureDocument {
    FailureDocument {
        schema: schema.into(),
        tool: Tool::mandala(),
        model,
        verdict: None,
        error: report(failure),
    }
}

/// Which model it is about, as far as that is known before it is read.
pub fn source(model: &ModelArguments) -> ModelSource {
    let path = load::name(&model.model);
    ModelSource {
        language: frontend::language(&path),
        path: path.display().to_string(),
        defines: model.define.clone(),
        dialect: model.dialect.map(|dialect| dialect.to_string()),
        threads: threads(model),
        stated: Vec::new(),
        digest: String::new(),
    }
}

/// What is said of threads, if the language has any number of them or something is said.
fn threads(model: &ModelArguments) -> Option<ThreadSource> {
    let wish = model.threads.wish();
    let is_default = wish == ThreadWish::default();
    (!is_default).then(|| present::thread_source(&wish))
}

fn report(failure: &Failure) -> ErrorReport {
    let (kind, message, findings) = match failure {
        Failure::Model { findings, .. } => (ErrorKind::Model, summary(findings), findings.clone()),
        Failure::Command(what) => (ErrorKind::Command, what.clone(), Vec::new()),
        Failure::Io(what) => (ErrorKind::File, what.clone(), Vec::new()),
        Failure::Defect(what) => (ErrorKind::Internal, what.clone(), Vec::new()),
        Failure::Interrupted => (ErrorKind::Interrupted, "interrupted".into(), Vec::new()),
        Failure::ReaderGone(_) => (ErrorKind::File, "the reader has gone".into(), Vec::new()),
    };
    ErrorReport {
        kind,
        message,
        findings,
    }
}

/// The first error stands for all.
fn summary(findings: &[Finding]) -> String {
    let first = findings.iter().find(|f| f.severity == "error");
    first.map_or_else(|| "the model is wrong".into(), |f| f.message.clone())
}
