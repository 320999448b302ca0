//! A search that is interrupted and taken up again, any number of times, ends like one that is not.

use crate::common::{bundled, compiled, model, run_model};
use mandala_explicit::{
    AfterViolation, Checkpoints, ExplicitOutcome, Extent, Identity, Limit, Options, SearchError,
    SearchOrder, StoreKind, checkpoint_description, search, search_reduced,
};
use mandala_model::Model;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A folder that is gone when the test is over.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("mandala-resume-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    /// The checkpoints in it, the last one last.
    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let mut files: Vec<_> = entries
            .map(|e| e.expect("it can be listed").path())
            .collect();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn checkpoints(folder: &Path, resume: bool) -> Option<Checkpoints> {
    Some(Checkpoints {
        folder: folder.to_path_buf(),
        interval: Duration::ZERO,
        description: b"a model and options".to_vec(),
        resume,
    })
}

/// Searches until the observer has been called so often, with a program of its own.
fn part(
    model: &Model,
    options: &Options,
    folder: &Path,
    resume: bool,
    calls: u32,
) -> ExplicitOutcome {
    let cancel = Arc::new(AtomicBool::new(false));
    let options = Options {
        cancel: Some(Arc::clone(&cancel)),
        checkpoints: checkpoints(folder, resume),
        ..options.clone()
    };
    let mut left = calls;
    let outcome = search(&compiled(model), &options, &mut |_| {
        left = left.saturating_sub(1);
        cancel.store(left == 0, Ordering::Relaxed);
    });
    outcome.expect("checkpoints can be written and read")
}

/// Searches in parts; gives how many there were.
fn in_parts(name: &str, model: &Model, options: &Options, calls: u32) -> (ExplicitOutcome, u32) {
    let folder = Folder::new(name);
    let mut parts = 1;
    let mut outcome = part(model, options, &folder.0, false, calls);
    while outcome.extent == Extent::Limited(Limit::Cancelled) {
        assert_eq!(outcome.checkpoint_error, None);
        parts += 1;
        outcome = part(model, options, &folder.0, true, calls);
    }
    (outcome, parts)
}

#[track_caller]
fn assert_same(whole: &ExplicitOutcome, parts: &ExplicitOutcome, order: SearchOrder) {
    let counts = |o: &ExplicitOutcome| (o.extent, o.statistics.states, o.statistics.transitions);
    assert_eq!(counts(parts), counts(whole));
    assert_eq!(parts.statistics.expanded, whole.statistics.expanded);
    assert_eq!(parts.violations, whole.violations);
    assert_eq!(parts.reached, whole.reached);
    if order == SearchOrder::BreadthFirst {
        assert_eq!(parts.evidence, whole.evidence);
        assert_eq!(parts.statistics.depth, whole.statistics.depth);
    }
}

#[test]
fn searches_in_parts_end_like_searches_in_one_go() {
    let models = [
        ("peterson", &["N=3"][..]),
        ("peterson", &["N=3", "BUG=1"]),
        ("token-lock", &["N=4", "BUG=1"]),
        ("leader-ring", &["N=4", "BUG=1"]),
    ];
    for (name, defines) in models {
        let model = bundled(name, defines);
        for (order, workers) in [
            (SearchOrder::BreadthFirst, 1),
            (SearchOrder::BreadthFirst, 3),
            (SearchOrder::DepthFirst, 1),
            (SearchOrder::DepthFirst, 3),
        ] {
            let options = Options {
                order,
                workers,
                share_from: 1,
                on_violation: AfterViolation::GoOn,
                ..Options::default()
            };
            let whole = run_model(&model, &options);
            let (outcome, parts) = in_parts("parts", &model, &options, 2);
            assert!(parts > 1, "{name}: {parts} parts");
            assert_same(&whole, &outcome, order);
        }
    }
}

/// Searches to each of these depths, the next one from where the one before was left, and then to the end.
fn in_depths(name: &str, model: &Model, options: &Options, depths: &[u64]) -> ExplicitOutcome {
    let folder = Folder::new(name);
    let searched = |depth: Option<u64>, resume| {
        let mut options = Options {
            checkpoints: checkpoints(&folder.0, resume),
            ..options.clone()
        };
        options.limits.depth = depth;
        let outcome = search(&compiled(model), &options, &mut |_| {});
        let outcome = outcome.expect("checkpoints can be written and read");
        assert_eq!(outcome.checkpoint_error, None, "{name}");
        outcome
    };
    for (part, depth) in depths.iter().enumerate() {
        let outcome = searched(Some(*depth), part > 0);
        assert_eq!(outcome.extent, Extent::Limited(Limit::Depth), "{name}");
        assert!(outcome.is_written_down, "{name}");
        if options.order == SearchOrder::BreadthFirst {
            let mut limited = options.clone();
            limited.limits.depth = Some(*depth);
            let whole = run_model(model, &limited);
            assert_same(&whole, &outcome, options.order);
            assert_eq!(outcome.levels, whole.levels, "{name}");
        }
    }
    searched(None, true)
}

#[test]
fn searches_that_go_deeper_in_steps_end_like_searches_without_a_limit() {
    let models = [
        ("peterson", &["N=3"][..]),
        ("peterson", &["N=3", "BUG=1"]),
        ("token-lock", &["N=4", "BUG=1"]),
    ];
    for (name, defines) in models {
        let model = bundled(name, defines);
        for (order, workers) in [
            (SearchOrder::BreadthFirst, 1),
            (SearchOrder::BreadthFirst, 3),
            (SearchOrder::DepthFirst, 1),
            (SearchOrder::DepthFirst, 3),
        ] {
            let options = Options {
                order,
                workers,
                share_from: 1,
                on_violation: AfterViolation::GoOn,
                ..Options::default()
            };
            let whole = run_model(&model, &options);
            let outcome = in_depths("deeper", &model, &options, &[0, 1, 5, 5, 9]);
            assert_same(&whole, &outcome, order);
        }
    }
}

#[test]
fn a_search_for_one_violation_finds_it_as_soon_as_it_is_deep_enough() {
    let model = bundled("peterson", &["N=3", "BUG=1"]);
    let options = Options::default();
    let whole = run_model(&model, &options);
    let outcome = in_depths("soon", &model, &options, &[3, 6]);
    assert_eq!(whole.extent, Extent::FirstViolation);
    assert_same(&whole, &outcome, SearchOrder::BreadthFirst);
}

#[test]
fn what_is_too_deep_is_kept_by_lossy_stores_as_well() {
    let model = bundled("peterson", &["N=3"]);
    for store in [
        StoreKind::HashCompact,
        StoreKind::Bitstate {
            bytes: 1 << 22,
            hashes: 3,
        },
    ] {
        let options = Options {
            order: SearchOrder::DepthFirst,
            store,
            ..Options::default()
        };
        let whole = run_model(&model, &options);
        let outcome = in_depths("lossy", &model, &options, &[4, 40]);
        assert_eq!(outcome.statistics.states, whole.statistics.states);
        assert_eq!(outcome.statistics.transitions, whole.statistics.transitions);
    }
}

#[test]
fn an_interruption_keeps_what_was_too_deep() {
    let model = bundled("peterson", &["N=3"]);
    for (order, workers) in [
        (SearchOrder::DepthFirst, 1),
        (SearchOrder::DepthFirst, 3),
        (SearchOrder::BreadthFirst, 3),
    ] {
        let mut options = Options {
            order,
            workers,
            share_from: 1,
            ..Options::default()
        };
        let whole = run_model(&model, &options);
        options.limits.depth = Some(30);
        let folder = Folder::new("interrupted-deep");
        let mut outcome = part(&model, &options, &folder.0, false, 1);
        let mut parts = 1;
        while outcome.extent == Extent::Limited(Limit::Cancelled) {
            parts += 1;
            outcome = part(&model, &options, &folder.0, true, 1);
        }
        assert_eq!(outcome.extent, Extent::Limited(Limit::Depth));
        assert!(parts > 1, "{parts} parts");
        options.limits.depth = None;
        let outcome = part(&model, &options, &folder.0, true, u32::MAX);
        assert_same(&whole, &outcome, order);
    }
}

#[test]
fn a_violation_is_found_after_an_interruption() {
    let model = bundled("peterson", &["N=3", "BUG=1"]);
    let options = Options::default();
    let whole = run_model(&model, &options);
    assert_eq!(whole.extent, Extent::FirstViolation);
    let folder = Folder::new("violation");
    for resume in [false, true, true] {
        let outcome = part(&model, &options, &folder.0, resume, 1);
        assert_eq!(outcome.extent, Extent::Limited(Limit::Cancelled));
    }
    let outcome = part(&model, &options, &folder.0, true, u32::MAX);
    assert_same(&whole, &outcome, SearchOrder::BreadthFirst);
}

#[test]
fn claims_and_originals_go_on_as_well() {
    let text = "byte x, y; active [2] proctype p() { do :: x < 40 -> x++ :: y < 40 -> y++ od }
        never { do :: x < 40 :: y < 40 :: x == 40 && y == 40 -> break od }";
    let options = Options {
        on_violation: AfterViolation::GoOn,
        expand: mandala_explicit::Expansion::Originals,
        ..Options::default()
    };
    let model = model(text);
    let whole = run_model(&model, &options);
    let (outcome, parts) = in_parts("claims", &model, &options, 2);
    assert!(parts > 1 && !whole.violations.is_empty(), "{parts} parts");
    assert_same(&whole, &outcome, SearchOrder::BreadthFirst);
}

#[test]
fn what_is_written_between_can_be_taken_up_too() {
    let model = bundled("peterson", &["N=3"]);
    let options = Options::default();
    let whole = run_model(&model, &options);
    let folder = Folder::new("between");
    // The one that is written when the search is cancelled is lost.
    part(&model, &options, &folder.0, false, 6);
    let files = folder.files();
    assert_eq!(files.len(), 2);
    fs::remove_file(&files[1]).expect("it is there");
    let outcome = part(&model, &options, &folder.0, true, u32::MAX);
    assert_same(&whole, &outcome, SearchOrder::BreadthFirst);
}

#[test]
/// Checkpoints in a folder.
pub(crate) fn checkpoints_say_what_they_are_of() {
    let model = bundled("peterson", &["N=2"]);
    let folder = Folder::new("words");
    let nothing = checkpoint_description(&folder.0);
    assert!(matches!(nothing, Err(SearchError::Checkpoint(_))));
    part(&model, &Options::default(), &folder.0, false, 1);
    assert!(folder.files().len() <= 1, "small searches end before");
    let large = bundled("peterson", &["N=3"]);
    part(&large, &Options::default(), &folder.0, false, 1);
    let description = checkpoint_description(&folder.0);
    assert_eq!(description, Ok(b"a model and options".to_vec()));
}

/// How a search with these options and words begins from what a breadth-first one has written.
fn refusal(options: &Options, change: impl Fn(&mut Checkpoints)) -> Option<SearchError> {
    let model = bundled("peterson", &["N=3"]);
    let folder = Folder::new("refusal");
    part(&model, &Options::default(), &folder.0, false, 2);
    let mut checkpoints = checkpoints(&folder.0, true);
    checkpoints.iter_mut().for_each(change);
    let options = Options {
        checkpoints,
        ..options.clone()
    };
    search(&compiled(&model), &options, &mut |_| {}).err()
}

#[test]
fn other_searches_are_refused() {
    assert_eq!(refusal(&Options::default(), |_| {}), None);
    let other = refusal(&Options::default(), |c| c.description = b"another".to_vec());
    assert_eq!(other, Some(SearchError::OtherSearch));
    let deep = Options {
        order: SearchOrder::DepthFirst,
        ..Options::default()
    };
    assert_eq!(refusal(&deep, |_| {}), Some(SearchError::OtherSearch));
}

#[test]
fn damage_is_an_error() {
    let model = bundled("peterson", &["N=3"]);
    let folder = Folder::new("damage");
    part(&model, &Options::default(), &folder.0, false, 2);
    let last = folder.files().pop().expect("there is one");
    let mut bytes = fs::read(&last).expect("it can be read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&last, bytes).expect("it can be written");
    let options = Options {
        checkpoints: checkpoints(&folder.0, true),
        ..Options::default()
    };
    let refused = search(&compiled(&model), &options, &mut |_| {}).err();
    let said = refused.expect("it is damaged").to_string();
    assert!(said.contains("damaged"), "{said}");
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_at_once() {
    let folder = Folder::new("file");
    fs::write(&folder.0, "not a folder").expect("it can be written");
    let options = Options {
        checkpoints: checkpoints(&folder.0, false),
        ..Options::default()
    };
    let model = bundled("peterson", &["N=2"]);
    let refused = search(&compiled(&model), &options, &mut |_| {});
    fs::remove_file(&folder.0).expect("it is there");
    assert!(matches!(refused.err(), Some(SearchError::Checkpoint(_))));
    let again = search_reduced(
        &compiled(&model),
        &Options::default(),
        &mut || Identity,
        &mut |_| {},
    );
    assert!(again.is_ok());
}
