//! The program `recalld`: parses the arguments, runs one command, and reports the result with its
//! exit code.
//!
//! The layers, from the top to the bottom; each uses only layers below it:
//!
//! 1. `command_line`: the list of commands
//! 2. `commands`: one file per command
//! 3. `jobs`: what a server does in the background
//! 4. `session`: what a command works with
//! 5. `forward`, `chat`: commands and conversations that run in a server; `connect`: the files of
//!    clients; `coding`: what hooks of coding agents do
//! 6. `engine`: opens the memories
//! 7. `models`, `chat_models`, `channels`, `tombstones`: what the engine and servers need
//! 8. `config`, `logging`, `memory_name`
//! 9. `output`, `input`
//! 10. `arguments`, `failure`, and small things without dependencies

mod arguments;
mod channels;
mod chat;
mod chat_models;
mod clock;
mod coding;
mod command_line;
mod commands;
mod config;
mod connect;
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
mod waiting_prompts;

use std::ffi::OsString;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::time::Duration;

use command_line::{Invocation, PROGRAM};
use commands::{Execution, Waiting};
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
    if let Some(waiting) = invocation.command.never_fails() {
        return run_silently(&raw, invocation, output, waiting);
    }
    match run(&raw, invocation, output.clone()) {
        Ok(code) => code,
        Err(failure) => output.report(&failure),
    }
}

/// Runs a command on which another program depends: whatever goes wrong, it ends with success and
/// in time. The reason goes to a log.
fn run_silently(raw: &[OsString], invocation: Invocation, output: Output, waiting: Waiting) -> ExitCode {
    coding::guard::start(coding::guard::MAX);
    let values = Config::load(&invocation.globals).map(|config| config.values);
    let values = values.unwrap_or_default();
    if waiting == Waiting::User {
        coding::guard::start(Duration::from_millis(values.hooks_answer_ms_max));
    }
    let data = values.data;
    std::panic::set_hook(Box::new(|_| ()));
    let done = std::panic::catch_unwind(AssertUnwindSafe(|| run(raw, invocation, output)));
    let problem = match done {
        Ok(Ok(_)) => return ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.message,
        Err(_) => "the program panicked".to_owned(),
    };
    if let Some(data) = data {
        coding::log::add(&data, &problem);
    }
    ExitCode::SUCCESS
}

/// With some threads more than a small machine has processors: while one is busy for a few
/// milliseconds, another answers.
fn server_runtime() -> tokio::runtime::Builder {
    const THREADS_MIN: usize = 4;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(processors.max(THREADS_MIN));
    runtime
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
    recalld_models::screening::install();
    let folder = std::env::current_dir().unwrap_or_default();
    let project = coding::project::named(globals.project.as_deref(), &folder)?;
    command.confirm(&output)?;
    if let (Execution::Forwarded, Ok(config)) = (execution, &config)
        && let Forwarded::Done(code) = forward_command(raw, config)?
    {
        return Ok(ExitCode::from(code));
    }
    let mut runtime = match execution {
        Execution::Server => server_runtime(),
        // The store has threads of its own: for one command, one more is enough, and starts faster.
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime
        .enable_all()
        .build()
        .map_err(|error| Failure::failed("runtime", format!("cannot start the async runtime: {error}")))?;
    let temporary = config.as_ref().ok().and_then(Config::temporary_data);
    let done = runtime.block_on(command.run(Session::new(config, output, PROGRAM).in_project(project)));
    if let Some(directory) = temporary {
        let _ = std::fs::remove_dir_all(directory);
    }
    if matches!(execution, Execution::Server | Execution::Interactive) {
        // A thread may be waiting for standard input, and nothing else would end it.
        runtime.shutdown_background();
    }
    done?;
    Ok(ExitCode::SUCCESS)
}
