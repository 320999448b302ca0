//! The selection of rows.

/// The texts of `--only`: a row is wanted if its name contains one of them, or if there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    texts: Vec<String>,
}

impl Selection {
    /// Rows whose names contain one of these texts.
    pub(crate) fn new(texts: Vec<String>) -> Self {
        Selection { texts }
    }

    /// Whether the row of that name is wanted.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.texts.is_empty() || self.texts.iter().any(|text| name.contains(text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_text_everything_is_wanted() {
        assert!(Selection::default().wants("peterson/4/auto"));
        let two = Selection::new(vec!["peterson/4".into(), "/auto".into()]);
        assert!(two.wants("peterson/4/full") && two.wants("email/3/auto"));
        assert!(!two.wants("email/3/full"));
    }
}
