//! What is printed when no command is run: help, the version, or why the arguments cannot be understood.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use recalld_memory::text::plain;

use crate::failure::{Exit, Failure};
use crate::output::Output;

/// The end of the program before a command was found.
#[derive(Debug)]
pub(crate) struct Stop(pub(super) clap::Error);

impl Stop {
    /// Prints it and gives the exit code.
    pub(crate) fn report(self, output: &Output) -> ExitCode {
        match self.0.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                match output.styled(&self.0.render().ansi().to_string()) {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(failure) => failure.report(output),
                }
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !output.is_json() => {
                anstream::eprint!("{}", self.0.render().ansi());
                ExitCode::from(Exit::BadInput as u8)
            }
            _ => self.into_failure().report(output),
        }
    }

    fn into_failure(self) -> Failure {
        let message = message(&self.0);
        let hint = hint(&self.0);
        Failure {
            exit: Exit::BadInput,
            code: "usage",
            message,
            hint: Some(hint),
        }
    }
}

/// The first paragraph of what clap says, on one line.
fn message(error: &clap::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidUtf8 => return "an argument is not valid UTF-8".to_owned(),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return "no command is given".to_owned(),
        _ => {}
    }
    let rendered = error.render().to_string();
    let paragraph = rendered.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    // What was given may be long, and is part of it.
    plain::shorten(line.trim_start_matches("error: "), 400)
}

fn hint(error: &clap::Error) -> String {
    let suggested = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let guess = suggested.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(guess) => Some(guess.clone()),
        ContextValue::Strings(guesses) => guesses.first().cloned(),
        _ => None,
    });
    if let Some(guess) = guess {
        return format!("did you mean `{guess}`?");
    }
    match (error.kind(), error.get(ContextKind::Usage)) {
        (ErrorKind::InvalidUtf8, _) => "arguments are read as UTF-8 text".to_owned(),
        (ErrorKind::UnknownArgument, _) if given_text(error) => {
            "text that starts with a dash goes after `--`".to_owned()
        }
        (ErrorKind::InvalidSubcommand, _) => "`recalld --help` lists the commands".to_owned(),
        (_, Some(ContextValue::StyledStr(usage))) => {
            let usage = usage.to_string();
            let words: Vec<&str> = usage.split_whitespace().skip(1).collect();
            format!("usage: {}", words.join(" "))
        }
        _ => "see `recalld --help`".to_owned(),
    }
}

/// Tells whether what was taken for an option is more likely a statement, such as `-5 degrees is too cold`.
fn given_text(error: &clap::Error) -> bool {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(given)) => !given.starts_with("--") || given.contains(' '),
        _ => false,
    }
}
