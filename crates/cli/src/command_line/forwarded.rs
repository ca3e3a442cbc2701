//! Runs a command that another process forwarded, and collects its output.

use std::ffi::OsString;
use std::pin::Pin;
use std::sync::Arc;

use parking_lot::Mutex;
use recalld_memory::id::UserId;

use super::{Invocation, PROGRAM};
use crate::coding::project;
use crate::failure::Failure;
use crate::forward::{ForwardedCommand, Response};
use crate::input::FORWARDED;
use crate::output::{Captured, Output, Sink};
use crate::session::{Sender, Session};

/// Runs the command. A command may be a server that runs forwarded commands, so the future has to
/// be boxed.
pub(super) fn run(command: ForwardedCommand) -> Pin<Box<dyn Future<Output = Response> + Send>> {
    Box::pin(respond(command))
}

async fn respond(command: ForwardedCommand) -> Response {
    let raw: Vec<OsString> = command.request.arguments.iter().map(OsString::from).collect();
    let captured = Arc::new(Mutex::new(Captured {
        width: command.request.width,
        ..Captured::default()
    }));
    let output = Output::for_arguments(&raw).into_sink(Sink::Captured(Arc::clone(&captured)));
    let exit = match execute(command, &raw, &output).await {
        Ok(()) => 0,
        Err((failure, output)) => {
            output.failure(&failure);
            failure.exit as u8
        }
    };
    let captured = captured.lock();
    Response {
        exit,
        out: captured.out.clone(),
        err: captured.err.clone(),
    }
}

/// Runs the command. A failure comes with the output that reports it.
async fn execute(
    command: ForwardedCommand,
    raw: &[OsString],
    output: &Output,
) -> Result<(), (Failure, Output)> {
    let ForwardedCommand {
        request,
        mut config,
        engine,
    } = command;
    let (Ok(invocation), Ok(user)) = (Invocation::parse(raw), UserId::new(request.user)) else {
        // The sender has parsed the arguments: this is another version of the program.
        let message = "the server that holds the data directory has another version";
        let failure = Failure::failed("server", message).hint("restart the server");
        return Err((failure, output.clone()));
    };
    let output = output.clone().with(&invocation.globals);
    config.set_forwarded_user(&user, request.user_is_argument);
    let project = match project::named(invocation.globals.project.as_deref(), &request.folder) {
        Ok(project) => project,
        Err(failure) => return Err((failure, output)),
    };
    let sender = Sender {
        folder: request.folder,
        unknown_variables: request.unknown_variables,
    };
    let session = Session::new(Ok(config), output.clone(), PROGRAM)
        .in_project(project)
        .forwarded(engine.for_user(user), sender);
    let running = invocation.command.run(session);
    let done = match request.input {
        Some(input) => FORWARDED.scope(input, running).await,
        None => running.await,
    };
    done.map_err(|failure| (failure, output))
}
