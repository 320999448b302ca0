//! Guesses at what a misspelt name was meant to be.

/// The candidate that is closest to a misspelt name, if one is close.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|c| (distance(name, c), c))
        .filter(|(d, c)| *d > 0 && *d <= (c.len().min(name.len()) + 1) / 3)
        .min()
        .map(|(_, c)| c)
}

/// How many letters must be put in, taken out, replaced, or exchanged with the next one to get from one to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let above = &rows[i - 1];
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let exchanged = match i > 1 && j > 1 && (a[i - 2], a[i - 1]) == (b[j - 1], b[j - 2]) {
                true => rows[i - 2][j - 2] + 1,
                false => usize::MAX,
            };
            row.push(
                replaced
                    .min(row[j - 1] + 1)
                    .min(above[j] + 1)
                    .min(exchanged),
            );
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_find_their_neighbours() {
        let names = ["turn", "flag", "count"];
        assert_eq!(closest("flg", names.into_iter()), Some("flag"));
        assert_eq!(closest("trun", names.into_iter()), Some("turn"));
        assert_eq!(closest("cuont", names.into_iter()), Some("count"));
        assert_eq!(closest("nrut", names.into_iter()), None);
        assert_eq!(closest("z", ["x", "y"].into_iter()), None);
        assert_eq!(closest("coutn", names.into_iter()), Some("count"));
    }
}
