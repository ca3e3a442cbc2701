//! The program as its users meet it: every scene runs the built binary on a data directory of its
//! own.
//!
//! (`cfg(test)` is always true here; it tells the lints that helpers of tests may unwrap, too.)

#[cfg(test)]
mod bench;
#[cfg(test)]
mod beside;
#[cfg(test)]
mod canaries;
#[cfg(test)]
mod configuration;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod database;
#[cfg(test)]
mod erasing;
#[cfg(test)]
mod files;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod hostile_files;
#[cfg(test)]
mod importing;
#[cfg(test)]
mod ingesting;
#[cfg(test)]
mod json;
#[cfg(test)]
mod keyed;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod learning;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod models;
#[cfg(test)]
mod recovering;
#[cfg(test)]
mod scenes;
#[cfg(test)]
mod served;
#[cfg(test)]
mod serving;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod suggested;
#[cfg(test)]
mod talking;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod wording;
