//! Models of the lock-free parts, run through every order of steps that the memory model allows, by `loom`:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p mandala-store --profile interleavings --lib model_check
//! ```

use super::allowance::Allowance;
use super::nodes::{Nodes, Supplies};
use super::roots::{Entered, Roots};
use super::{StateStore, StoreKind, Tree};
use loom::sync::Arc;
use loom::thread;

fn nodes() -> Nodes {
    let mut nodes = Nodes::new();
    nodes.grow(&Allowance::new(usize::MAX)).unwrap();
    nodes
}

fn roots() -> Roots {
    let mut roots = Roots::new();
    roots.grow(&Allowance::new(usize::MAX)).unwrap();
    roots
}

/// Interns pairs and checks that they can be read at once.
fn intern(nodes: &Nodes, pairs: [(u32, u32); 2]) -> [u32; 2] {
    let mut supplies = Supplies::default();
    pairs.map(|(left, right)| {
        let id = nodes.intern(left, right, &mut supplies).unwrap();
        assert_eq!(nodes.pair(id), (left, right));
        id
    })
}

#[test]
fn a_pair_has_one_id_whoever_is_first() {
    loom::model(|| {
        let nodes = Arc::new(nodes());
        let shared = nodes.clone();
        let other = thread::spawn(move || intern(&shared, [(1, 2), (3, 4)]));
        let [b, a] = intern(&nodes, [(3, 4), (1, 2)]);
        assert_eq!(other.join().unwrap(), [a, b]);
        assert_ne!(a, b);
        assert_eq!((nodes.find(1, 2), nodes.find(3, 4)), (Some(a), Some(b)));
    });
}

#[test]
fn a_root_is_new_to_one_thread() {
    loom::model(|| {
        let roots = Arc::new(roots());
        let shared = roots.clone();
        let insert = |roots: &Roots, root: u64| roots.insert(root, Roots::hash(root), 1, None);
        let other = thread::spawn(move || [5, 0].map(|root| insert(&shared, root)));
        let mine = [0, 5].map(|root| insert(&roots, root));
        let theirs = other.join().unwrap();
        for (a, b) in [(mine[0], theirs[1]), (mine[1], theirs[0])] {
            assert!(matches!(
                (a, b),
                (Entered::New, Entered::Seen) | (Entered::Seen, Entered::New)
            ));
        }
        assert!(roots.contains(0) && roots.contains(5));
        assert_eq!(roots.iter(0, 1).count(), 2);
    });
}

/// Different roots that want the same words.
#[test]
fn roots_that_collide_are_both_kept() {
    loom::model(|| {
        let roots = Arc::new(roots());
        let shared = roots.clone();
        let other = thread::spawn(move || shared.insert(7, 3, 1, None));
        assert_eq!(roots.insert(8, 3, 2, None), Entered::New);
        assert_eq!(other.join().unwrap(), Entered::New);
        let mut all: Vec<_> = roots.iter(0, 1).collect();
        all.sort_unstable();
        assert_eq!(all, [(7, 1), (8, 2)]);
    });
}

#[test]
fn who_sees_a_root_sees_the_nodes_under_it() {
    loom::model(|| {
        let tables = Arc::new((nodes(), roots()));
        let shared = tables.clone();
        let other = thread::spawn(move || {
            let id = shared.0.intern(6, 7, &mut Supplies::default()).unwrap();
            assert_eq!(id, 1);
            shared.1.insert(1, Roots::hash(1), 1, None);
        });
        // Who inserts the same root learns from the answer whether the other thread was first.
        let (nodes, roots) = &*tables;
        if roots.insert(1, Roots::hash(1), 1, None) == Entered::Seen {
            assert_eq!(nodes.pair(1), (6, 7));
        }
        other.join().unwrap();
    });
}

/// The whole way, with the lock: classes are made and tables grow while another thread works.
#[test]
fn two_sessions_share_a_store_that_grows() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let store = Arc::new(StateStore::new(StoreKind::Exact, usize::MAX));
        let insert = |store: &StateStore| {
            let mut session = store.session();
            let prepared = session.prepare(&[1, 2, 3], &Tree::default()).unwrap();
            let arrived = session.insert(prepared, 0).unwrap();
            let mut tree = Tree::default();
            session.load(arrived.state(), &mut tree);
            assert_eq!(tree.bytes(), [1, 2, 3]);
            arrived
        };
        let shared = store.clone();
        let other = thread::spawn(move || insert(&shared));
        let mine = insert(&store);
        let theirs = other.join().unwrap();
        assert_eq!(mine.state(), theirs.state());
        assert_ne!(mine.is_new(), theirs.is_new());
    });
}
