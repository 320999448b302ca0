//! The settings of a reduction strategy.

use mandala_canon::Budget;

/// What can be chosen about a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The array or local variable by whose values `sorted` and `segmented` sort; chosen for each domain if it is not given.
    pub main_array: Option<String>,
    /// How much search one state may take with `auto`.
    pub budget: Budget,
    /// How many permutations may be tried for one state by the strategies that try them one by one.
    pub permutations: u32,
    /// How much memory, in bytes, the strategies may hold that keep states themselves.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            main_array: None,
            budget: Budget::default(),
            // All of 10 names.
            permutations: 3_628_800,
            memory: usize::MAX,
        }
    }
}
