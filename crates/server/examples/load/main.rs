//! Measures a built `recalld` under load, beside a bare "hello" server as the floor of what this
//! machine can do.
//!
//! `cargo run --release --example load -- target/release/recalld [--seconds 5] [--users 1000]`
//!
//! With `--stores both`, and a PostgreSQL as `cargo xtask postgres -- …` lends it, the two stores
//! are compared.

mod client;
mod process;
mod stores;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use client::{Report, Until, drive};
use process::{Floor, Recalld};

/// How many clients ask at a time.
const CONNECTIONS: usize = 8;

/// How many memories the searched user has.
const MEMORIES: usize = 1_000;

/// How many memories each of the many users has.
const MEMORIES_EACH: usize = 100;

/// How often floor and search are measured in turn. The middle one counts.
const ROUNDS: usize = 5;

type Failed = Box<dyn std::error::Error>;

struct Options {
    binary: PathBuf,
    seconds: u64,
    users: usize,
    /// Whether the two stores are compared, instead.
    both_stores: bool,
}

fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1);
    let first = arguments
        .next()
        .ok_or("name the binary: target/release/recalld")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if first == process::FLOOR {
        return runtime.block_on(process::serve_floor());
    }
    let mut options = Options {
        binary: first.into(),
        seconds: 5,
        users: 1_000,
        both_stores: false,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or("an option needs a value")?;
        match name.as_str() {
            "--seconds" => options.seconds = value.parse()?,
            "--users" => options.users = value.parse()?,
            "--stores" => options.both_stores = value == "both",
            _ => return Err(format!("there is no option {name}").into()),
        }
    }
    match options.both_stores {
        true => runtime.block_on(stores::compare(&options.binary, options.seconds)),
        false => runtime.block_on(measure(&options)),
    }
}

async fn measure(options: &Options) -> Result<(), Failed> {
    let home = tempfile::tempdir()?;
    println!("{CONNECTIONS} connections, {} s a measurement\n", options.seconds);
    {
        let recalld = Recalld::start(&options.binary, home.path())?;
        writing(&recalld, home.path()).await?;
        searching(&recalld, options.seconds).await?;
        println!(
            "{:<34} {:>6} MiB",
            "memory of the server by then",
            recalld.memory_mib()?
        );
    }
    many_users(options, home.path()).await
}

/// Durable writes, beside the number of times this disk can be told to keep something.
async fn writing(recalld: &Recalld, folder: &std::path::Path) -> Result<(), Failed> {
    let syncs = syncs_per_second(folder)?;
    println!("{:<34} {syncs:>9.0} /s", "fsync of a page, one after another");
    let requests = (0..MEMORIES).map(|n| recalld.write(None, n)).collect();
    let written = drive(recalld.address, CONNECTIONS, requests, Until::Done).await?;
    written.expect_status(201)?;
    show("POST /v1/memories, durable", &written);
    println!("{:<34} {:>9.2}", "  writes a fsync", written.per_second() / syncs);
    Ok(())
}

/// Search, in turns with the floor, so that both meet the same machine.
async fn searching(recalld: &Recalld, seconds: u64) -> Result<(), Failed> {
    let floor = Floor::start()?;
    let until = || Until::After(Duration::from_secs(seconds));
    let hello = || vec![client::get(floor.address, "/")];
    let searches: Vec<Vec<u8>> = (0..200).map(|n| recalld.search(None, n)).collect();
    warm_up(floor.address, hello()).await?;
    warm_up(recalld.address, searches.clone()).await?;
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let least = drive(floor.address, CONNECTIONS, hello(), until()).await?;
        let found = drive(recalld.address, CONNECTIONS, searches.clone(), until()).await?;
        found.expect_status(200)?;
        show("hello", &least);
        show("POST /v1/search", &found);
        let speed = found.per_second() / least.per_second();
        let tail = found.percentile(99.0).as_secs_f64() / least.percentile(99.0).as_secs_f64();
        ratios.push((speed, tail));
    }
    let middle = |mut of: Vec<f64>| {
        of.sort_by(f64::total_cmp);
        of[of.len() / 2]
    };
    let speed = middle(ratios.iter().map(|ratio| ratio.0).collect());
    let tail = middle(ratios.iter().map(|ratio| ratio.1).collect());
    println!(
        "{:<34} {speed:>9.2}  (wanted: at least 0.5)",
        "requests a second, of the floor's"
    );
    println!(
        "{:<34} {tail:>9.2}  (wanted: under 3)",
        "99th percentile, of the floor's"
    );
    Ok(())
}

async fn warm_up(address: SocketAddr, requests: Vec<Vec<u8>>) -> Result<(), Failed> {
    drive(
        address,
        CONNECTIONS,
        requests,
        Until::After(Duration::from_secs(1)),
    )
    .await?;
    Ok(())
}

/// The memory of a server that was just started and has answered every one of many users.
async fn many_users(options: &Options, home: &std::path::Path) -> Result<(), Failed> {
    let data = home.join("many");
    let users = options.users;
    {
        let recalld = Recalld::start(&options.binary, &data)?;
        let began = Instant::now();
        // In small parts, so that this program needs little memory itself.
        for user in 0..users {
            let requests = (0..MEMORIES_EACH).map(|n| recalld.write(Some(user), n)).collect();
            let written = drive(recalld.address, CONNECTIONS * 4, requests, Until::Done).await?;
            written.expect_status(201)?;
        }
        let rate = (users * MEMORIES_EACH) as f64 / began.elapsed().as_secs_f64();
        println!("\n{users} users with {MEMORIES_EACH} memories each, written at {rate:.0} /s");
    }
    let recalld = Recalld::start(&options.binary, &data)?;
    println!(
        "{:<34} {:>6} MiB",
        "memory after a cold start",
        recalld.memory_mib()?
    );
    let requests = (0..users).map(|user| recalld.search(Some(user), user)).collect();
    let found = drive(recalld.address, CONNECTIONS, requests, Until::Done).await?;
    found.expect_status(200)?;
    show("first search of each user", &found);
    let used = recalld.memory_mib()?;
    println!(
        "{:<34} {used:>6} MiB  (wanted: under 300 MB)",
        "memory after that"
    );
    Ok(())
}

fn syncs_per_second(folder: &std::path::Path) -> Result<f64, Failed> {
    use std::io::Write;
    let mut file = std::fs::File::create(folder.join("page"))?;
    let began = Instant::now();
    for _ in 0..200 {
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
    }
    Ok(200.0 / began.elapsed().as_secs_f64())
}

fn show(name: &str, report: &Report) {
    let millis = |share| report.percentile(share).as_secs_f64() * 1_000.0;
    println!(
        "{name:<34} {:>9.0} /s   p50 {:>7.2} ms   p99 {:>7.2} ms",
        report.per_second(),
        millis(50.0),
        millis(99.0)
    );
}
