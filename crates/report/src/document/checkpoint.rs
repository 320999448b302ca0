//! The header of a checkpoint, with which a search can be resumed from its folder alone.

use super::{ModelSource, Tool};
use serde::{Deserialize, Serialize};

/// The name of this form of the description.
pub const CHECKPOINT_SCHEMA: &str = "mandala-checkpoint/2";

/// What is searched, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointDescription {
    /// Always [`CHECKPOINT_SCHEMA`].
    pub schema: String,
    /// The program that wrote it. Another version may lay out states in another way.
    pub tool: Tool,
    /// The model, with the fingerprint of its text.
    pub model: ModelSource,
    /// The folder that relative paths start from.
    pub directory: String,
    /// The command as it was typed, word by word, without the name of the program: every option is in there, and is
    /// read again by who has read it the first time.
    pub command: Vec<String>,
}
