//! Cost against size as a picture, both axes logarithmic.

use std::fmt::Write;

use super::figures::Figures;
use super::scene::Encoder;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 60.0;
/// The requests that are drawn, each in a colour that both light and dark pages can show.
const LINES: [(&str, &str); 3] = [("search", "#2f81c7"), ("context", "#c7692f"), ("add", "#4f9a3a")];

/// Draws instructions of requests against the number of memories, with the encoder off.
pub fn svg(figures: &[Figures]) -> String {
    let scenes: Vec<&Figures> = figures
        .iter()
        .filter(|scene| scene.encoder == Encoder::Never)
        .collect();
    let count = |scene: &Figures, work: &str| {
        let figure = scene.each.iter().find(|figure| figure.work == work)?;
        figure.instructions.map(|count| count.max(1) as f64)
    };
    let counts = || {
        LINES
            .iter()
            .flat_map(|(work, _)| scenes.iter().filter_map(|s| count(s, work)))
    };
    let (low, high) = counts().fold((f64::MAX, 1.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    let sizes = || scenes.iter().map(|scene| scene.memories.max(1) as f64);
    let (small, large) = sizes().fold((f64::MAX, 1.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>Instructions a request against memories</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    if scenes.is_empty() || counts().next().is_none() {
        svg.push_str("</svg>\n");
        return svg;
    }
    let x = |size: f64| MARGIN + share(size, small, large) * (WIDTH - 2.5 * MARGIN);
    let y = |count: f64| HEIGHT - MARGIN - share(count, low, high) * (HEIGHT - 2.0 * MARGIN);
    for size in sizes() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{size}</text>",
            x(size),
            HEIGHT - MARGIN / 2.0
        );
    }
    for exponent in low.log10().ceil() as i32..=high.log10().floor() as i32 {
        let at = y(10_f64.powi(exponent));
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" x2=\"{:.0}\" y1=\"{at:.0}\" y2=\"{at:.0}\" stroke=\"#cccccc\"/>\n\
             <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">1e{exponent}</text>",
            WIDTH - 1.5 * MARGIN,
            MARGIN - 6.0,
            at + 4.0
        );
    }
    for (work, colour) in LINES {
        let drawn = scenes
            .iter()
            .filter_map(|scene| Some((scene.memories as f64, count(scene, work)?)));
        let points: Vec<(f64, f64)> = drawn.map(|(size, count)| (x(size), y(count))).collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        if let Some((x, y)) = points.last() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{work}</text>",
                x + 6.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Where a number stands between two others, by their logarithms.
fn share(number: f64, low: f64, high: f64) -> f64 {
    let span = (high / low).ln();
    if span <= 0.0 {
        0.5
    } else {
        (number / low).ln() / span
    }
}
