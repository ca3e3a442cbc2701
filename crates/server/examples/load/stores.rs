//! The same searches on the two stores, in turns, so that both meet the same machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::client::{Report, Until, drive};
use super::process::Recalld;
use super::{Failed, show, warm_up};

/// What the median of a search on PostgreSQL may be, of the median on SQLite.
const RATIO_MAX: f64 = 2.5;

/// How often both are measured in turn. The middle one counts.
const ROUNDS: usize = 5;

/// How many users search, and how many clients ask at a time.
const SHAPES: [(usize, usize); 3] = [(1, 1), (1, 8), (100, 8)];

/// How many memories each of them has.
const MEMORIES_EACH: usize = 200;

/// Fills both stores alike and compares. The administrator's address and the programs of a
/// PostgreSQL are in the environment, as `cargo xtask postgres -- …` puts them there.
pub async fn compare(binary: &Path, seconds: u64) -> Result<(), Failed> {
    let home = tempfile::tempdir()?;
    let url = fresh_database(binary)?;
    let sqlite = Recalld::start(binary, &home.path().join("sqlite"))?;
    let postgres = Recalld::start_on(binary, &home.path().join("postgres"), &["--database-url", &url])?;
    for (users, connections) in SHAPES {
        for recalld in [&sqlite, &postgres] {
            fill(recalld, users).await?;
            warm_up(recalld.address, searches(recalld, users)).await?;
        }
        println!("\n{users} users, {connections} connections");
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let until = || Until::After(Duration::from_secs(seconds));
            let of = async |recalld: &Recalld| -> Result<Report, Failed> {
                let found = drive(recalld.address, connections, searches(recalld, users), until()).await?;
                found.expect_status(200)?;
                Ok(found)
            };
            let (on_sqlite, on_postgres) = (of(&sqlite).await?, of(&postgres).await?);
            show("POST /v1/search on SQLite", &on_sqlite);
            show("POST /v1/search on PostgreSQL", &on_postgres);
            let median = |report: &Report| report.percentile(50.0).as_secs_f64();
            ratios.push(median(&on_postgres) / median(&on_sqlite));
        }
        ratios.sort_by(f64::total_cmp);
        let middle = ratios[ratios.len() / 2];
        println!(
            "{:<34} {middle:>9.2}  (wanted: at most {RATIO_MAX})",
            "median, of SQLite's"
        );
    }
    Ok(())
}

async fn fill(recalld: &Recalld, users: usize) -> Result<(), Failed> {
    let users = 0..users;
    let requests: Vec<Vec<u8>> = users
        .flat_map(|user| (0..MEMORIES_EACH).map(move |n| (user, n)))
        .map(|(user, n)| recalld.write(Some(user), n))
        .collect();
    // Those of an earlier shape are there already, and are refused as duplicates.
    drive(recalld.address, 16, requests, Until::Done).await?;
    Ok(())
}

fn searches(recalld: &Recalld, users: usize) -> Vec<Vec<u8>> {
    (0..200.max(users))
        .map(|n| recalld.search(Some(n % users), n))
        .collect()
}

/// Creates a database, and a role that serves from it.
fn fresh_database(binary: &Path) -> Result<String, Failed> {
    let missing = "run it as: cargo xtask postgres -- cargo run … --example load -- BINARY --stores both";
    let administrator = std::env::var("RECALLD_TEST_POSTGRES").map_err(|_| missing)?;
    let programs: PathBuf = std::env::var_os("RECALLD_TEST_POSTGRES_BIN")
        .ok_or(missing)?
        .into();
    let name = format!("load_{}", std::process::id());
    let (place, _) = administrator
        .rsplit_once('/')
        .ok_or("the address names no database")?;
    let (_, host) = place.rsplit_once('@').ok_or("the address names no user")?;
    for (database, sql) in [
        (
            "postgres",
            format!("CREATE ROLE {name} LOGIN NOINHERIT PASSWORD '{name}'"),
        ),
        ("postgres", format!("CREATE DATABASE {name}")),
        (&name, "CREATE EXTENSION vector".to_owned()),
    ] {
        let status = Command::new(programs.join("psql"))
            .args(["-q", "-v", "ON_ERROR_STOP=1", "-c", &sql])
            .arg(format!("{place}/{database}"))
            .status()?;
        if !status.success() {
            return Err(format!("psql ended with {status}").into());
        }
    }
    let status = Command::new(binary)
        .args(["--quiet", "migrate", "--serving-role", &name, "--database-url"])
        .arg(format!("{place}/{name}"))
        .status()?;
    if !status.success() {
        return Err(format!("recalld migrate ended with {status}").into());
    }
    Ok(format!("postgres://{name}:{name}@{host}/{name}"))
}
