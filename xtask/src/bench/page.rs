//! The page `docs/performance.md`.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result};

use super::figures::Figures;
use super::floor::Floor;
use super::plot;

const PATH: &str = "docs/performance.md";
const PLOT: &str = "docs/performance.svg";
/// The table stands between these two lines; what is around it is written by hand.
const BEGIN: &str = "<!-- made by `cargo xtask bench` -->";
const END: &str = "<!-- end -->";

/// Writes the figures as a table.
pub fn table(figures: &[Figures], floor: &Floor) -> String {
    let mut table = String::new();
    table.push_str("| encoder | memories | request | instructions | of an empty request | median time |\n");
    table.push_str("|---|---:|---|---:|---:|---:|\n");
    for scene in figures {
        let empty = scene.each.first().and_then(|figure| figure.instructions);
        let mut row = |work: &str, instructions: Option<u64>, us: f64| {
            let ratio = instructions.zip(empty.filter(|empty| 0 < *empty));
            let ratio = ratio.map_or("–".to_owned(), |(all, empty)| {
                format!("{:.1} ×", all as f64 / empty as f64)
            });
            let _ = writeln!(
                table,
                "| {} | {} | {work} | {} | {ratio} | {} |",
                scene.encoder.as_str(),
                grouped(scene.memories as u64),
                instructions.map_or("–".to_owned(), grouped),
                time(us),
            );
        };
        for figure in &scene.each {
            row(figure.work, figure.instructions, figure.median_us);
        }
        row(
            "first search after a start",
            scene.first_instructions,
            scene.first_us,
        );
    }
    let _ = writeln!(
        table,
        "\nOne `fdatasync` of a page on the same disk took {} (median).",
        time(floor.fdatasync_us)
    );
    table
}

/// Puts the table and the plot in their places.
pub fn write(table: &str, figures: &[Figures]) -> Result<()> {
    let page = fs::read_to_string(PATH).with_context(|| format!("cannot read {PATH}"))?;
    let (before, rest) = page
        .split_once(BEGIN)
        .context("the page has no place for the table")?;
    let (_, after) = rest
        .split_once(END)
        .context("the place for the table has no end")?;
    fs::write(PATH, format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))?;
    fs::write(PLOT, plot::svg(figures))?;
    Ok(())
}

fn time(us: f64) -> String {
    match us {
        us if us < 1_000.0 => format!("{us:.0} µs"),
        us => format!("{:.1} ms", us / 1_000.0),
    }
}

/// Groups the digits of a number by threes.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if 0 < place && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(123), "123");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn times_are_short() {
        assert_eq!(time(12.4), "12 µs");
        assert_eq!(time(12_400.0), "12.4 ms");
    }
}
