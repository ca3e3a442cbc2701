//! The command `recalld`: reads the arguments, lets one command run, and tells how it went by its
//! exit code.

mod arguments;
mod carry;
mod commands;
mod config;
mod engine;
mod erasures;
mod failure;
mod input;
mod logging;
mod memory_name;
mod models;
mod output;
mod serve;
mod session;
mod suggest;
mod surroundings;
mod talk;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::Invocation;
use carry::{Carried, carry};
use failure::Failure;
use output::Output;
use session::Session;

fn main() -> ExitCode {
    let raw: Vec<OsString> = std::env::args_os().collect();
    let output = Output::for_arguments(&raw);
    let invocation = match Invocation::parse(&raw) {
        Ok(invocation) => invocation,
        Err(stop) => return stop.report(&output),
    };
    let output = output.with(&invocation.globals);
    match run(&raw, invocation, output.clone()) {
        Ok(code) => code,
        Err(failure) => failure.report(&output),
    }
}

fn run(raw: &[OsString], invocation: Invocation, output: Output) -> Result<ExitCode, Failure> {
    let Invocation { globals, command } = invocation;
    let config = match command.needs_configuration() {
        true => config::Config::load(&globals),
        false => Ok(config::Config::defaults()),
    };
    if let Ok(config) = &config {
        logging::start(&config.values.log, &globals, &output);
    }
    command.consent(&output)?;
    if let (true, Ok(config)) = (command.needs_memories(), &config)
        && let Carried::Done(code) = carry(raw, config)?
    {
        return Ok(code);
    }
    let (serves_many, listens) = (command.serves_many(), command.listens());
    let mut runtime = match serves_many {
        true => tokio::runtime::Builder::new_multi_thread(),
        // One user at a time, and the store has threads of its own: one thread is enough, and
        // starts at once.
        false => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime
        .enable_all()
        .build()
        .map_err(|error| Failure::failed("runtime", format!("the program cannot start: {error}")))?;
    let done = runtime.block_on(async {
        let session = Session::new(config, output);
        let session = match command.schema() {
            Some(schema) => session.connected(schema).await,
            None => session,
        };
        command.run(session).await
    });
    if listens {
        // A thread may wait for standard input, and nothing else would end that.
        runtime.shutdown_background();
    }
    done?;
    Ok(ExitCode::SUCCESS)
}
