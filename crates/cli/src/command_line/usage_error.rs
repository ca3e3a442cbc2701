//! What is printed when no command runs: help, the version, or a usage error.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use recalld_index::text::plain;

use super::Invocation;
use super::words::Words;
use crate::arguments::quoted;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Why no command runs.
#[derive(Debug)]
pub(crate) struct NotRun {
    error: clap::Error,
    /// All arguments, including the name of the program.
    raw: Vec<String>,
}

impl NotRun {
    /// Wraps an error about the arguments.
    pub(super) fn new(error: clap::Error, raw: &[OsString]) -> NotRun {
        let raw = raw.iter().map(|word| word.to_string_lossy().into_owned());
        NotRun {
            error,
            raw: raw.collect(),
        }
    }

    /// Prints it and returns the exit code.
    pub(crate) fn report(self, output: &Output) -> ExitCode {
        match self.error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                match output.styled(&self.error.render().ansi().to_string()) {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(failure) => output.report(&failure),
                }
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !output.is_json() => {
                anstream::eprint!("{}", self.error.render().ansi());
                ExitCode::from(Exit::BadInput as u8)
            }
            _ => output.report(&self.into_failure()),
        }
    }

    fn into_failure(self) -> Failure {
        let message = message(&self.error);
        let hint = hint(&self.error, &self.raw);
        Failure {
            exit: Exit::BadInput,
            code: "usage",
            message,
            hint: Some(hint),
        }
    }
}

/// Returns the first paragraph of clap's message, on one line.
fn message(error: &clap::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidUtf8 => return "an argument is not valid UTF-8".to_owned(),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return "no command given".to_owned(),
        _ => {}
    }
    let rendered = error.render().to_string();
    let paragraph = rendered.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    // The message quotes an argument, which may be long.
    plain::shorten(line.trim_start_matches("error: "), 400)
}

fn hint(error: &clap::Error, raw: &[String]) -> String {
    let suggested = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let guess = suggested.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(guess) => Some(guess.clone()),
        // The best one comes last.
        ContextValue::Strings(guesses) => guesses.last().cloned(),
        _ => None,
    });
    if let Some(guess) = guess {
        return format!("did you mean `{guess}`?");
    }
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(hint) = text_hint(error, raw)
    {
        return hint;
    }
    match (error.kind(), error.get(ContextKind::Usage)) {
        (ErrorKind::InvalidUtf8, _) => "arguments must be UTF-8 text".to_owned(),
        (ErrorKind::InvalidSubcommand, _) => "`recalld --help` lists the commands".to_owned(),
        (_, Some(ContextValue::StyledStr(usage))) => {
            let usage = usage.to_string();
            let words: Vec<&str> = usage.split_whitespace().skip(1).collect();
            format!("usage: {}", words.join(" "))
        }
        _ => {
            let words = Words::of(&Invocation::command(), raw);
            let command: String = words.command.iter().map(|word| format!("{word} ")).collect();
            format!("see `recalld {command}--help`")
        }
    }
}

/// The longest text that a hint repeats.
const TEXT_CHARS_MAX: usize = 100;

/// Returns the hint for text that was not recognised as text: several words without quotes, or text
/// that starts with a dash.
fn text_hint(error: &clap::Error, raw: &[String]) -> Option<String> {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let words = Words::of(&Invocation::command(), raw);
    if words.texts_max == 0 {
        return None;
    }
    if given.starts_with('-') {
        let is_text = words.texts.len() < words.texts_max || raw.iter().any(|word| is_sentence(word, given));
        return is_text.then(|| "put text that starts with a dash after `--`".to_owned());
    }
    let (own, text) = words.texts.split_at_checked(words.texts_max - 1)?;
    let text = text.join(" ");
    if TEXT_CHARS_MAX < text.chars().count() {
        return Some("put text of several words in quotes".to_owned());
    }
    let shown = match text.contains(['"', '$', '`', '\\', '!']) {
        true => quoted(&text),
        false => format!("\"{text}\""),
    };
    Some(match words.has_options {
        true => format!("put text of several words in quotes: {shown}"),
        false => {
            let before = words.command.into_iter().chain(own.iter().map(|own| quoted(own)));
            let before: Vec<String> = before.collect();
            format!(
                "put text of several words in quotes: recalld {} {shown}",
                before.join(" ")
            )
        }
    })
}

/// Whether an argument is a sentence, such as `-5 degrees is too cold`, whose beginning was parsed
/// as an option.
fn is_sentence(word: &str, given: &str) -> bool {
    word.starts_with(given) && word.contains(' ')
}
