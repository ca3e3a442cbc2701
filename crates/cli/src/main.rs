//! The program `recalld`: parses the arguments, runs one command, and reports the result with its
//! exit code.
//!
//! The layers, from the top to the bottom; each uses only layers below it:
//!
//! 1. `command_line`: the list of commands
//! 2. `commands`: one file per command
//! 3. `jobs`: what a server does in the background
//! 4. `session`: what a command works with
//! 5. `forward`, `chat`: commands and conversations that run in a server
//! 6. `engine`: opens the memories
//! 7. `models`, `chat_models`, `tombstones`: what the engine needs
//! 8. `config`, `logging`, `memory_name`
//! 9. `output`, `input`
//! 10. `arguments`, `failure`, and small things without dependencies

mod arguments;
mod chat;
mod chat_models;
mod clock;
mod command_line;
mod commands;
mod config;
mod engine;
mod failure;
mod forward;
mod input;
mod jobs;
mod logging;
mod memory_name;
mod models;
mod output;
mod private_file;
mod session;
mod signals;
mod suggest;
mod tombstones;

use std::ffi::OsString;
use std::process::ExitCode;

use command_line::{Invocation, PROGRAM};
use commands::Execution;
use config::Config;
use failure::Failure;
use forward::{Forwarded, forward_command};
use output::Output;
use session::Session;

fn main() -> ExitCode {
    let raw: Vec<OsString> = std::env::args_os().collect();
    let output = Output::for_arguments(&raw);
    let invocation = match Invocation::parse(&raw) {
        Ok(invocation) => invocation,
        Err(not_run) => return not_run.report(&output),
    };
    let output = output.with(&invocation.globals);
    match run(&raw, invocation, output.clone()) {
        Ok(code) => code,
        Err(failure) => output.report(&failure),
    }
}

fn run(raw: &[OsString], invocation: Invocation, output: Output) -> Result<ExitCode, Failure> {
    let Invocation { globals, command } = invocation;
    let execution = command.execution();
    let config = match execution {
        Execution::Unconfigured => Ok(Config::defaults()),
        _ => Config::load(&globals),
    };
    if let Ok(config) = &config {
        logging::start(&config.values.log, &globals, &output);
    }
    command.confirm(&output)?;
    if let (Execution::Forwarded, Ok(config)) = (execution, &config)
        && let Forwarded::Done(code) = forward_command(raw, config)?
    {
        return Ok(code);
    }
    let mut runtime = match execution {
        Execution::Server => tokio::runtime::Builder::new_multi_thread(),
        // The store has threads of its own: for one command, one more is enough, and starts faster.
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime
        .enable_all()
        .build()
        .map_err(|error| Failure::failed("runtime", format!("cannot start the async runtime: {error}")))?;
    let done = runtime.block_on(command.run(Session::new(config, output, PROGRAM)));
    if matches!(execution, Execution::Server | Execution::Interactive) {
        // A thread may be waiting for standard input, and nothing else would end it.
        runtime.shutdown_background();
    }
    done?;
    Ok(ExitCode::SUCCESS)
}
