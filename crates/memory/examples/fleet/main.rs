//! Plays a fleet of servers over one simulated day: users with unequal activity, a bounded memory
//! in each server, a server that dies and comes back, one that is added, and a database that fails
//! over.
//!
//! Real: the spaces of each server with their revisions, their memory bound and what leaves it, the
//! use cases that read and write, the choice of a user's server, and the rule by which work is
//! claimed. Simulated: the database, the clock, the network, and when users come. A sample of the
//! users stands for all: the memory bound of each server is reduced by the same factor, and the
//! sample is so large that a server still has room for dozens of its spaces.
//!
//! `cargo run --release --example fleet -- [--users SAMPLE] [--plots DIRECTORY]`

mod database;
mod day;
mod figures;
mod plot;
mod scale;
mod server;
mod traffic;

use std::path::PathBuf;

use scale::{Routing, Scale};

fn main() {
    let (sample, plots) = arguments().unwrap_or_else(|problem| {
        eprintln!("{problem}\nusage: fleet [--users SAMPLE] [--plots DIRECTORY]");
        std::process::exit(2);
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    println!("{}", figures::HEADER);
    let mut days = Vec::new();
    for scale in Scale::ALL {
        for routing in [Routing::ByUser, Routing::RoundRobin] {
            let day = runtime.block_on(day::play(
                scale,
                routing,
                sample.unwrap_or_else(|| scale.sample()),
            ));
            println!("{day}");
            days.push(day);
        }
    }
    println!("\n{}", figures::FAULTS_HEADER);
    days.iter().for_each(|day| println!("{}", day.faults()));
    if let Some(directory) = plots
        && let Err(error) = plot::write(&directory, &days)
    {
        eprintln!("cannot write plots to {}: {error}", directory.display());
        std::process::exit(1);
    }
}

fn arguments() -> Result<(Option<usize>, Option<PathBuf>), String> {
    let (mut sample, mut plots) = (None, None);
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--users" => {
                let users = value
                    .parse()
                    .ok()
                    .filter(|users| (1_000..=1_000_000).contains(users));
                sample = Some(users.ok_or_else(|| format!("{value:?} is not 1000 to 1000000 users"))?);
            }
            "--plots" => plots = Some(PathBuf::from(value)),
            other => return Err(format!("{other:?} is unknown")),
        }
    }
    Ok((sample, plots))
}
