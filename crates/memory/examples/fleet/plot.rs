//! Plots as SVG: the hit rate over the day.

use std::fmt::Write;
use std::path::Path;

use crate::day::{DEATH_S, GROWTH_S, OUTAGE_S, RETURN_S};
use crate::figures::{Day, WINDOW_S};
use crate::scale::Routing;
use crate::traffic::DAY_S;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const MARGIN: f64 = 44.0;
const COLOURS: [&str; 3] = ["#1b6ca8", "#c0561e", "#3b7d3a"];

/// Writes one plot for each kind of routing.
pub fn write(directory: &Path, days: &[Day]) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (routing, file) in [
        (Routing::ByUser, "fleet-by-user.svg"),
        (Routing::RoundRobin, "fleet-round-robin.svg"),
    ] {
        let days: Vec<&Day> = days.iter().filter(|day| day.routing == routing).collect();
        std::fs::write(directory.join(file), plot(routing, &days))?;
    }
    Ok(())
}

fn plot(routing: Routing, days: &[&Day]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\" role=\"img\">\n<title>Requests answered from memory over a day, routed {}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n",
        routing.name()
    );
    for percent in [0, 25, 50, 75, 100] {
        let y = height_of(f64::from(percent) / 100.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>",
            WIDTH - MARGIN,
            MARGIN - 6.0,
            y + 4.0
        );
    }
    for (at_s, what) in [
        (DEATH_S, "a server dies"),
        (RETURN_S, "it returns"),
        (GROWTH_S, "one is added"),
        (OUTAGE_S, "database fails over"),
    ] {
        let x = place_of(at_s);
        let above = if at_s == RETURN_S { 26.0 } else { 14.0 };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"30\" y2=\"{:.1}\" stroke=\"#999\" stroke-dasharray=\"3 3\"/>\
             <text x=\"{x:.1}\" y=\"{above}\" text-anchor=\"middle\">{what}</text>",
            HEIGHT - MARGIN
        );
    }
    for hour in [0, 6, 12, 18, 24] {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{hour}:00</text>",
            place_of(f64::from(hour) * 3600.0),
            HEIGHT - MARGIN + 16.0
        );
    }
    for (number, (day, colour)) in days.iter().zip(COLOURS).enumerate() {
        let points: Vec<String> = (0..)
            .zip(&day.windows)
            .filter(|(_, window)| 0 < window.requests)
            .map(|(place, window)| {
                let x = place_of((f64::from(place) + 0.5) * WINDOW_S);
                format!("{x:.1},{:.1}", height_of(window.hit_rate()))
            })
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\" points=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{} users, {} servers</text>",
            points.join(" "),
            MARGIN + 180.0 * number as f64,
            HEIGHT - 8.0,
            day.scale.name,
            day.scale.servers
        );
    }
    svg + "</svg>\n"
}

fn place_of(at_s: f64) -> f64 {
    MARGIN + (WIDTH - 2.0 * MARGIN) * (at_s / DAY_S).min(1.0)
}

fn height_of(rate: f64) -> f64 {
    HEIGHT - MARGIN - (HEIGHT - MARGIN - 34.0) * rate
}
