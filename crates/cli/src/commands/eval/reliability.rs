//! Whether scores mean what they say: of the results with a score of about 0.5, half should answer.

use serde::Serialize;

/// Steps of the score.
const STEPS: usize = 10;

/// The results of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Step {
    pub(super) results: usize,
    /// The mean of their scores.
    pub(super) score: f64,
    /// The share of them that answers.
    pub(super) right: f64,
}

/// Sorts results, each with its score and whether it answers, into steps. Steps without results are
/// left out.
pub(super) fn steps(results: &[(f32, bool)]) -> Vec<Step> {
    let mut all = [Step::default(); STEPS];
    for &(score, is_right) in results {
        let at = (score.clamp(0.0, 1.0) * STEPS as f32) as usize;
        let step = &mut all[at.min(STEPS - 1)];
        step.results += 1;
        step.score += f64::from(score);
        step.right += f64::from(u8::from(is_right));
    }
    let mean = |step: Step| {
        let share = 1.0 / step.results as f64;
        Step {
            results: step.results,
            score: step.score * share,
            right: step.right * share,
        }
    };
    all.into_iter()
        .filter(|step| 0 < step.results)
        .map(mean)
        .collect()
}

/// How far scores and shares are apart on average, each step by its results.
pub(super) fn error(steps: &[Step]) -> f64 {
    let results: usize = steps.iter().map(|step| step.results).sum();
    let apart = steps
        .iter()
        .map(|step| (step.score - step.right).abs() * step.results as f64);
    apart.sum::<f64>() / results.max(1) as f64
}

/// Draws the share of one step.
pub(super) fn bar(step: &Step) -> String {
    const WIDTH: f64 = 40.0;
    let right = (step.right * WIDTH).round() as usize;
    let said = ((step.score * WIDTH).round() as usize).min(WIDTH as usize);
    let mark = |at: usize| match (at == said, at < right) {
        (true, _) => '|',
        (false, true) => '=',
        (false, false) => ' ',
    };
    let drawn: String = (0..=WIDTH as usize).map(mark).collect();
    drawn.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_compare_what_scores_say_with_what_is_right() {
        let results = [(0.52, true), (0.58, false), (0.05, false), (1.0, true)];
        let steps = steps(&results);
        let counts: Vec<usize> = steps.iter().map(|step| step.results).collect();
        assert_eq!(counts, [1, 2, 1]);
        assert!((steps[1].score - 0.55).abs() < 1e-6 && steps[1].right == 0.5);
        assert!((error(&steps) - (0.05 + 2.0 * 0.05) / 4.0).abs() < 1e-6);
        assert_eq!(bar(&steps[0]), "  |");
        assert_eq!(error(&[]), 0.0);
    }
}
