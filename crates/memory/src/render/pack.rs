//! Fits lines into a token budget: the most useful first, cut between lines and never inside one.

use std::borrow::Cow;

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
    let titles: Vec<&str> = sections.iter().map(|section| section.title.as_str()).collect();
    let line = |(section, line): (usize, usize)| Cow::Borrowed(sections[section].lines[line].as_str());
    pack_written(intro, &titles, turns, budget, line)
}

/// The same with lines that are written when it is their turn: of many, few are ever needed.
pub fn pack_written<'a>(
    intro: &str,
    titles: &[&str],
    turns: &[(usize, usize)],
    budget: usize,
    line: impl Fn((usize, usize)) -> Cow<'a, str>,
) -> Packed {
    let mut total = TokenCount::of(intro);
    let mut kept: Vec<PackedLine<'_>> = Vec::new();
    let mut opened = vec![false; titles.len()];
    let mut misses = 0;
    for &place in turns {
        let (section, text) = (place.0, line(place));
        let mut cost = TokenCount::of(&text);
        if !opened[section] {
            cost += TokenCount::of(titles[section]);
        }
        if (total + cost).fits(budget) {
            total += cost;
            opened[section] = true;
            kept.push(PackedLine { place, text });
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
    let regular = |kept: &PackedLine<'_>| adds_up(titles[kept.place.0]) && adds_up(&kept.text);
    if !kept.is_empty() && adds_up(intro) && kept.iter().all(regular) {
        return Packed {
            text: write(intro, titles, &kept),
            tokens: total,
            left_out: offered - kept.len(),
            kept: places(&kept),
        };
    }
    settle(intro, titles, kept, offered, budget)
}

/// A line that has found room.
struct PackedLine<'a> {
    place: (usize, usize),
    text: Cow<'a, str>,
}

fn places(kept: &[PackedLine<'_>]) -> Vec<(usize, usize)> {
    kept.iter().map(|kept| kept.place).collect()
}

/// For lines whose counts may not add up: writes the text, counts it as a whole, and gives up the
/// least useful lines should the sum have been too small.
fn settle(
    intro: &str,
    titles: &[&str],
    mut kept: Vec<PackedLine<'_>>,
    offered: usize,
    budget: usize,
) -> Packed {
    while !kept.is_empty() {
        let text = write(intro, titles, &kept);
        let tokens = TokenCount::of(&text);
        if tokens.fits(budget) {
            return Packed {
                text,
                tokens,
                left_out: offered - kept.len(),
                kept: places(&kept),
            };
        }
        kept.pop();
    }
    Packed {
        left_out: offered,
        ..Packed::default()
    }
}

fn write(intro: &str, titles: &[&str], kept: &[PackedLine<'_>]) -> String {
    let mut text = intro.to_owned();
    for (number, title) in titles.iter().enumerate() {
        let own = kept.iter().filter(|kept| kept.place.0 == number);
        let mut lines: Vec<&PackedLine<'_>> = own.collect();
        lines.sort_unstable_by_key(|kept| kept.place.1);
        if !lines.is_empty() {
            text.push_str(title);
        }
        lines.iter().for_each(|kept| text.push_str(&kept.text));
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
