//! What one scene takes.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::callgrind;
use super::scene::{Encoder, Program, Scene};

/// How often each request is timed.
const TIMED: usize = 200;

/// The requests, by the name that the program gives them.
pub const WORKS: [&str; 6] = ["health", "search", "ask", "context", "add", "keyed-add"];

/// What one kind of request takes.
#[derive(Clone, Debug)]
pub struct Figure {
    pub work: &'static str,
    /// None without valgrind.
    pub instructions: Option<u64>,
    pub median_us: f64,
}

/// All of one scene.
#[derive(Clone, Debug)]
pub struct Figures {
    pub encoder: Encoder,
    pub memories: usize,
    pub each: Vec<Figure>,
    /// The first search after a start.
    pub first_instructions: Option<u64>,
    pub first_us: f64,
}

/// Measures a scene.
pub fn of(program: &Program, encoder: Encoder, memories: usize) -> Result<Figures> {
    eprintln!("{memories} memories, encoder {}", encoder.as_str());
    let scene = Scene::prepare(program, encoder, memories)?;
    let counts = callgrind::is_installed();
    let mut each = Vec::new();
    let mut first_us = f64::INFINITY;
    for work in WORKS {
        let (first, median_us) = time(program, &scene, work)?;
        if work == "search" {
            first_us = first;
        }
        let instructions = match counts {
            true => Some(callgrind::each(program, &scene, work)?),
            false => None,
        };
        each.push(Figure {
            work,
            instructions,
            median_us,
        });
    }
    let first_instructions = match counts {
        true => Some(callgrind::first(program, &scene, "search")?),
        false => None,
    };
    Ok(Figures {
        encoder,
        memories,
        each,
        first_instructions,
        first_us,
    })
}

/// Times the first request, and the median of the others, in microseconds.
fn time(program: &Program, scene: &Scene, work: &str) -> Result<(f64, f64)> {
    let data = scene.copy()?;
    let output = Command::new(program.path())
        .arg(work)
        .arg(data.path())
        .args(["--times", &TIMED.to_string(), "--encoder", scene.encoder.as_str()])
        .output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{work} failed: {told}");
    let told = String::from_utf8_lossy(&output.stdout);
    let mut numbers = told.split_whitespace().filter_map(|word| word.parse().ok());
    let first = numbers.next().context("no first time")?;
    Ok((first, numbers.next().context("no median")?))
}
