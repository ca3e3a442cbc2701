//! Finds what somebody may have meant.

/// Gives the candidate that is nearest to `given`, if any is near enough to be a slip of the
/// finger.
pub(crate) fn nearest<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let given: String = given.chars().take(64).collect::<String>().to_lowercase();
    let scored = candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&given, &candidate.to_lowercase()), candidate));
    scored
        .filter(|(likeness, _)| 0.85 < *likeness)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Writes the question, such as ``did you mean `role`?``.
pub(crate) fn did_you_mean<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(given, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood_and_another_word_is_not() {
        let known = ["preference", "work_context", "personal_context"];
        assert_eq!(nearest("prefrence", known), Some("preference"));
        assert_eq!(nearest("Work-Context", known), Some("work_context"));
        assert_eq!(nearest("food", known), None);
        assert_eq!(nearest("", known), None);
    }
}
