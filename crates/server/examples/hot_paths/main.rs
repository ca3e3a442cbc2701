//! Does one thing so and so often, for a profiler to count what it takes (`cargo xtask bench`).
//!
//!     hot_paths prepare DIRECTORY --memories 1000 --encoder never
//!     hot_paths search DIRECTORY --times 10 --encoder never
//!
//! A run with one request more takes just that request more: so the difference of two runs tells
//! what one takes, and leaves out the start.

mod scene;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;

use work::Work;

type Failed = Box<dyn std::error::Error>;

const USAGE: &str = "hot_paths prepare|health|search|ask|context|add|keyed-add DIRECTORY \
                     [--memories N] [--times N] [--encoder auto|always|never]";

struct Options {
    work: Option<Work>,
    directory: PathBuf,
    memories: usize,
    times: usize,
    encoder: String,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("error: {failed}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failed> {
    let options = options()?;
    // One thread beside those of the store: what is counted does not depend on who runs what.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let embedder = scene::embedder(&options.encoder);
    match options.work {
        None => runtime.block_on(scene::prepare(&options.directory, embedder, options.memories)),
        Some(work) => runtime.block_on(work::run(&options.directory, embedder, work, options.times)),
    }
}

fn options() -> Result<Options, Failed> {
    let mut arguments = std::env::args().skip(1);
    let work = match arguments.next().ok_or(USAGE)?.as_str() {
        "prepare" => None,
        name => Some(Work::parse(name).ok_or(USAGE)?),
    };
    let mut options = Options {
        work,
        directory: arguments.next().ok_or(USAGE)?.into(),
        memories: 1_000,
        times: 1,
        encoder: "never".to_owned(),
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or("an option needs a value")?;
        match name.as_str() {
            "--memories" => options.memories = value.parse()?,
            "--times" => options.times = value.parse()?,
            "--encoder" => options.encoder = value,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}
