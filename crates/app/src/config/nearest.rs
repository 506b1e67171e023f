//! What a misspelt word was probably meant to be.

/// The name that a word is closest to, if it is close to any: a third of its letters may be
/// wrong, missing, added or swapped.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let most = (word.chars().count() / 3).max(1);
    names
        .into_iter()
        .map(|name| (distance(&word, name), name))
        .filter(|&(distance, _)| distance <= most)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// How many letters have to be changed, added, taken away or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // A word far longer than any name is close to none; the table stays small.
    if a.len() > 100 || b.len() > 100 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let names = ["conservative", "normal", "aggressive"];
        assert_eq!(nearest("agressive", names), Some("aggressive"));
        assert_eq!(nearest("Nromal", names), Some("normal"));
        assert_eq!(nearest("fast", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest(&"n".repeat(1000), names), None);
    }
}
