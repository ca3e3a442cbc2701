//! What PostgreSQL must do beyond what every store must: its walls, its migrations, several
//! servers, and its outages.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

#[path = "postgres/sabotage.rs"]
mod sabotage;
#[path = "postgres/world.rs"]
mod world;

#[path = "postgres/cancelled.rs"]
mod cancelled;
#[path = "postgres/clients.rs"]
mod clients;
#[path = "postgres/erasing.rs"]
mod erasing;
#[path = "postgres/migrations.rs"]
mod migrations;
#[path = "postgres/other_readers.rs"]
mod other_readers;
#[path = "postgres/outage.rs"]
mod outage;
#[path = "postgres/own_tables.rs"]
mod own_tables;
#[path = "postgres/servers.rs"]
mod servers;
#[path = "postgres/walls.rs"]
mod walls;
