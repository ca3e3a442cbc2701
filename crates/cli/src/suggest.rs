//! Finds what the user may have meant.

/// How similar a candidate must be to be a typo.
const SIMILARITY_MIN: f64 = 0.85;

/// Returns the candidate that is most similar to `given`, if it is similar enough to be a typo.
pub(crate) fn nearest<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    similar(given, candidates, 1).pop()
}

/// Returns up to `limit` candidates that are similar enough to `given` to be typos, best first.
pub(crate) fn similar<'c>(
    given: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    limit: usize,
) -> Vec<&'c str> {
    let given: String = given.chars().take(64).collect::<String>().to_lowercase();
    let scored = candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&given, &candidate.to_lowercase()), candidate));
    let mut scored: Vec<(f64, &str)> = scored.filter(|(score, _)| SIMILARITY_MIN < *score).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
        .into_iter()
        .take(limit)
        .map(|(_, candidate)| candidate)
        .collect()
}

/// Formats the question, for example ``did you mean `role`?``.
pub(crate) fn did_you_mean<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(given, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_recognised_and_another_word_is_not() {
        let known = ["preference", "work_context", "personal_context"];
        assert_eq!(nearest("prefrence", known), Some("preference"));
        assert_eq!(nearest("Work-Context", known), Some("work_context"));
        assert_eq!(nearest("food", known), None);
        assert_eq!(nearest("", known), None);
    }

    #[test]
    fn similar_words_are_listed_best_first() {
        let known = ["anna", "bo", "ana", "anabel"];
        assert_eq!(similar("Ana", known, 2), ["ana", "anna"]);
        assert_eq!(similar("zoe", known, 2), [""; 0]);
    }
}
