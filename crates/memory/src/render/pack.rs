//! Fits lines into a token budget: the most useful first, cut between lines and never inside one.

use recalld_index::text::tokens::TokenCount;

/// Lines under a title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// One line that ends in a newline.
    pub title: String,
    /// The most useful first; each ends in a newline and starts with something else than white
    /// space.
    pub lines: Vec<String>,
}

/// A text within its budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// Empty when not even one line fits.
    pub text: String,
    pub tokens: TokenCount,
    /// Which lines it holds: section and line.
    pub kept: Vec<(usize, usize)>,
    /// How many lines found no room.
    pub left_out: usize,
}

/// After so many lines in a row that did not fit, the budget counts as used up.
const MISSES_MAX: usize = 32;

/// Packs what fits into `budget` tokens, trying the lines in the order of `turns` (section and
/// line). The text starts with `intro`, and shows sections and lines in their own order.
pub fn pack(intro: &str, sections: &[Section], turns: &[(usize, usize)], budget: usize) -> Packed {
    let mut total = TokenCount::of(intro);
    let mut kept = Vec::new();
    let mut opened = vec![false; sections.len()];
    let mut misses = 0;
    for &(section, line) in turns {
        let mut cost = TokenCount::of(&sections[section].lines[line]);
        if !opened[section] {
            cost += TokenCount::of(&sections[section].title);
        }
        if (total + cost).fits(budget) {
            total += cost;
            opened[section] = true;
            kept.push((section, line));
            misses = 0;
        } else {
            misses += 1;
        }
        if MISSES_MAX <= misses {
            break;
        }
    }
    let offered = turns.len();
    let adds_up = |text: &str| text.ends_with('\n') && !text.starts_with(char::is_whitespace);
    let regular = |&(section, line): &(usize, usize)| {
        let section = &sections[section];
        adds_up(&section.title) && adds_up(&section.lines[line])
    };
    if !kept.is_empty() && adds_up(intro) && kept.iter().all(regular) {
        return Packed {
            text: write(intro, sections, &kept),
            tokens: total,
            left_out: offered - kept.len(),
            kept,
        };
    }
    settle(intro, sections, kept, offered, budget)
}

/// For lines whose counts may not add up: writes the text, counts it as a whole, and gives up the
/// least useful lines should the sum have been too small.
fn settle(
    intro: &str,
    sections: &[Section],
    mut kept: Vec<(usize, usize)>,
    offered: usize,
    budget: usize,
) -> Packed {
    while !kept.is_empty() {
        let text = write(intro, sections, &kept);
        let tokens = TokenCount::of(&text);
        if tokens.fits(budget) {
            let left_out = offered - kept.len();
            return Packed {
                text,
                tokens,
                kept,
                left_out,
            };
        }
        kept.pop();
    }
    Packed {
        left_out: offered,
        ..Packed::default()
    }
}

fn write(intro: &str, sections: &[Section], kept: &[(usize, usize)]) -> String {
    let mut text = intro.to_owned();
    for (number, section) in sections.iter().enumerate() {
        let mut lines: Vec<usize> = kept
            .iter()
            .filter(|(of, _)| *of == number)
            .map(|(_, line)| *line)
            .collect();
        lines.sort_unstable();
        if !lines.is_empty() {
            text.push_str(&section.title);
        }
        lines.iter().for_each(|&line| text.push_str(&section.lines[line]));
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn section(title: &str, lines: &[&str]) -> Section {
        Section {
            title: format!("{title}\n"),
            lines: lines.iter().map(|line| format!("- {line}\n")).collect(),
        }
    }

    #[test]
    fn the_most_useful_line_stays_when_there_is_room_for_one() {
        let sections = [section("One", &["first", "second"]), section("Two", &["third"])];
        let turns = [(1, 0), (0, 0), (0, 1)];
        let all = pack("Intro\n", &sections, &turns, 1_000);
        assert_eq!(all.text, "Intro\nOne\n- first\n- second\nTwo\n- third\n");
        assert_eq!(all.left_out, 0);
        let one = pack("Intro\n", &sections, &turns, 9);
        assert_eq!(one.text, "Intro\nTwo\n- third\n");
        assert_eq!(one.left_out, 2);
        assert_eq!(pack("Intro\n", &sections, &turns, 3).text, "");
    }

    proptest! {
        #[test]
        fn no_text_is_over_its_budget(
            lines in prop::collection::vec("\\PC{0,60}", 0..12),
            budget in 0_usize..200,
        ) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let sections = [section("Some title", &lines)];
            let turns: Vec<(usize, usize)> = (0..lines.len()).map(|line| (0, line)).collect();
            let packed = pack("What is remembered:\n", &sections, &turns, budget);
            prop_assert!(TokenCount::of(&packed.text).fits(budget));
            prop_assert_eq!(packed.tokens, TokenCount::of(&packed.text));
        }
    }
}
