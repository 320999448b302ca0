//! Guesses at what a misspelt name was meant to be.

/// The candidate that is closest to a misspelt name, if one is close.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|c| (distance(name, c), c))
        .filter(|(d, c)| *d > 0 && *d <= (c.len().min(name.len()) + 1) / 3)
        .min()
        .map(|(_, c)| c)
}

/// How many letters must be put in, taken out or replaced to get from one to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_find_their_neighbours() {
        let names = ["turn", "flag", "count"];
        assert_eq!(closest("flg", names.into_iter()), Some("flag"));
        assert_eq!(closest("trun", names.into_iter()), None);
        assert_eq!(closest("z", ["x", "y"].into_iter()), None);
        assert_eq!(closest("coutn", names.into_iter()), Some("count"));
    }
}
