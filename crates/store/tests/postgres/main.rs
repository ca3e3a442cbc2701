//! What PostgreSQL must do beyond what every store must: isolation between users, migrations,
//! several servers, and outages.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

mod sabotage;
mod world;

mod cancelled;
mod citus;
mod clients;
mod damage;
mod erasing;
mod isolation;
mod migrations;
mod other_readers;
mod outage;
mod own_tables;
mod owners;
mod parts;
mod refused_starts;
mod round_trips;
mod servers;
