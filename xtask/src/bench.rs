//! Measures what requests take: instructions, which are the same on a busy machine, and times
//! beside the floor of this machine.

mod budget;
mod callgrind;
mod figures;
mod floor;
mod page;
mod peers;
mod plot;
mod scene;

use std::path::PathBuf;

use anyhow::{Result, bail};

pub use budget::check;

use scene::{Encoder, Program, SIZES};

/// What to measure.
struct Options {
    profile: String,
    program: Option<PathBuf>,
    sizes: Vec<usize>,
    writes_page: bool,
}

/// Measures all, and writes `docs/performance.md`.
pub fn run(arguments: &[String]) -> Result<()> {
    match arguments.first().map(String::as_str) {
        Some("check") => return check(),
        Some("budget") => return budget::renew(),
        Some("--peers") => return peers::run(&arguments[1..]),
        _ => {}
    }
    let options = options(arguments)?;
    let program = match options.program {
        Some(path) => Program::at(path),
        None => Program::build(&options.profile)?,
    };
    let mut figures = Vec::new();
    for encoder in [Encoder::Never, Encoder::Auto] {
        for &size in &options.sizes {
            figures.push(figures::of(&program, encoder, size)?);
        }
    }
    let floor = floor::measure()?;
    let table = page::table(&figures, &floor);
    println!("{table}");
    if options.writes_page {
        page::write(&table, &figures)?;
    }
    Ok(())
}

fn options(arguments: &[String]) -> Result<Options> {
    let mut options = Options {
        profile: "bench".to_owned(),
        program: None,
        sizes: SIZES.to_vec(),
        writes_page: true,
    };
    let mut rest = arguments.iter();
    while let Some(name) = rest.next() {
        match (name.as_str(), rest.next()) {
            ("--profile", Some(value)) => options.profile.clone_from(value),
            ("--program", Some(value)) => options.program = Some(value.into()),
            ("--sizes", Some(value)) => {
                let sizes: Result<Vec<usize>, _> = value.split(',').map(str::parse).collect();
                options.sizes = sizes?;
                options.writes_page = false;
            }
            _ => bail!("usage: cargo xtask bench [--profile NAME] [--program PATH] [--sizes N,N]"),
        }
    }
    Ok(options)
}
