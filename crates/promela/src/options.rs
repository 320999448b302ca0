//! The options of the preprocessor and the parser.

use mandala_model::source::SourceText;
use mandala_model::stated::Stated;
use std::io;
use std::path::Path;

/// Reads an included file, given its path relative to the folder of the file that includes it.
pub type Loader = Box<dyn Fn(&Path) -> io::Result<String>>;

/// The options of the parser: everything besides the text.
pub struct ParseOptions {
    /// Macros that are defined before the first line, in order: `-D NAME=VALUE`.
    pub defines: Vec<(String, String)>,
    /// How included files are read.
    pub loader: Loader,
    /// A file of symmetry declarations that accompanies the model: `m.sym` beside `m.pml`.
    pub declarations: Option<SourceText>,
    /// Properties beside the model, whose texts are among the sources already.
    pub stated: Vec<Stated>,
}

impl Default for ParseOptions {
    /// No macros, and no file can be included.
    fn default() -> Self {
        let refuse = |_: &Path| Err(io::Error::other("including files is switched off"));
        ParseOptions {
            defines: Vec::new(),
            loader: Box::new(refuse),
            declarations: None,
            stated: Vec::new(),
        }
    }
}

impl ParseOptions {
    /// Adds a macro as the command line gives it: `NAME=VALUE`, or `NAME`, which means 1.
    pub fn define(&mut self, definition: &str) {
        let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
        self.defines.push((name.to_string(), value.to_string()));
    }
}
