//! A model is read together with the file of declarations beside it.

use mandala_checker::frontend::{LoadError, LoadedModel, ModelInput, ReadFile, load};
use std::io;
use std::path::Path;

const MODEL: &str = "byte turn; byte most = N;\nactive [2] proctype P() { turn = 1 }";

fn loaded(path: &str, read: ReadFile) -> Result<LoadedModel, LoadError> {
    load(ModelInput {
        path: path.into(),
        text: MODEL.into(),
        defines: vec!["N=4".into()],
        dialect: None,
        read,
    })
}

/// A folder that has declarations for one model.
fn folder(path: &Path) -> io::Result<String> {
    match path.to_str() {
        Some("models/m.sym") => Ok("\nscalarset ID[N]: turn".into()),
        Some("models/wrong.sym") => Ok("scalarset ID[N]: tern".into()),
        Some("models/secret.sym") => Err(io::ErrorKind::PermissionDenied.into()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Where the declarations of a model stand.
fn places(loaded: &LoadedModel) -> Vec<String> {
    let sets = loaded.model.scalarsets.iter();
    sets.map(|set| loaded.sources.location(set.span).to_string())
        .collect()
}

#[test]
fn declarations_beside_a_model_are_read() {
    for model in ["models/m.pml", "models/m", "models/m.prom"] {
        let loaded = loaded(model, folder).expect("a right model");
        assert_eq!(places(&loaded), ["models/m.sym:2:1"]);
        assert_eq!(loaded.model.scalarsets[0].size, 4);
        assert_eq!(loaded.warnings, []);
    }
}

#[test]
fn most_models_have_none() {
    for model in ["models/other.pml", "<stdin>", "models/m.sym"] {
        let loaded = loaded(model, folder).expect("a right model");
        assert_eq!((places(&loaded).len(), loaded.warnings.len()), (0, 0));
    }
}

#[test]
fn declarations_that_cannot_be_read_are_missed() {
    let loaded = loaded("models/secret.pml", folder).expect("a right model");
    let warnings: Vec<String> = loaded
        .warnings
        .iter()
        .map(|w| w.one_line(&loaded.sources))
        .collect();
    assert_eq!(
        warnings,
        ["models/secret.pml:1:1: warning: `models/secret.sym` is not used: permission denied"]
    );
}

#[test]
fn mistakes_are_found_in_the_file_that_has_them() {
    let Err(LoadError::Wrong {
        diagnostics,
        sources,
    }) = loaded("models/wrong.pml", folder)
    else {
        panic!("an error is expected");
    };
    assert_eq!(
        diagnostics[0].one_line(&sources),
        "models/wrong.sym:1:18: error: there is no variable, proctype or type `tern`"
    );
}
