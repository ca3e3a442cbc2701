//! Embeds lines with a model from a directory, or measures it.
//!
//!     encode MODEL < lines.txt > vectors.jsonl
//!     encode MODEL --time

use std::error::Error;
use std::io::{BufRead, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use recalld_memory::ports::{Embedder, TextRole};
use recalld_models::transformer::{TransformerEmbedder, TransformerOptions};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [model] => encode(Path::new(model)).await,
        [model, flag] if flag == "--time" => time(Path::new(model)).await,
        _ => Err("usage: encode MODEL [--time]".into()),
    }
}

async fn encode(model: &Path) -> Result<(), Box<dyn Error>> {
    let embedder = TransformerEmbedder::load(model, &TransformerOptions::default())?;
    let lines = std::io::stdin().lock().lines().collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut out = std::io::stdout().lock();
    for vector in embedder.embed(&texts, TextRole::Passage).await? {
        writeln!(out, "{}", serde_json::to_string(&vector)?)?;
    }
    Ok(())
}

async fn time(model: &Path) -> Result<(), Box<dyn Error>> {
    let start = (Instant::now(), thread_time());
    let embedder = TransformerEmbedder::load(model, &TransformerOptions::default())?;
    let (wall, cpu) = (start.0.elapsed(), thread_time() - start.1);
    println!("{:?}: loaded in {wall:.0?}, {cpu:.0?} of CPU", embedder.model());
    // The counter moves with the scheduler's tick, so only the mean of several runs is exact.
    for (tokens, runs) in [(11, 100), (16, 100), (64, 40), (256, 20)] {
        let text = "the ".repeat(tokens - 2);
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let start = thread_time();
            for _ in 0..runs {
                embedder.embed_blocking(&[&text], TextRole::Query)?;
            }
            best = best.min((thread_time() - start) / runs);
        }
        println!("{tokens} tokens: {best:.2?} of CPU on one thread, best of 5 means of {runs}");
    }
    let texts: Vec<String> = (0..256).map(|number| "the ".repeat(5 + number % 60)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let tokens: usize = (0..256).map(|number| 7 + number % 60).sum();
    for threads in [1, 2] {
        let options = TransformerOptions {
            threads: NonZeroUsize::new(threads),
            ..TransformerOptions::default()
        };
        let embedder = TransformerEmbedder::load(model, &options)?;
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            embedder.embed(&texts, TextRole::Passage).await?;
            best = best.min(start.elapsed());
        }
        let rate = |count: usize| count as f64 / best.as_secs_f64();
        println!(
            "256 texts, {threads} threads: {:.0} texts/s, {:.0} tokens/s",
            rate(256),
            rate(tokens)
        );
    }
    Ok(())
}

/// Gives the time this thread has spent on a processor (Linux; zero elsewhere).
fn thread_time() -> Duration {
    let counters = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = counters
        .split_whitespace()
        .next()
        .and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
