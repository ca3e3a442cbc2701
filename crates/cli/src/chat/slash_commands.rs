//! What the commands of a conversation show.

use recalld_agent::agent_loop::Ending;
use recalld_agent::chat::{MemoryState, Reply, Started};
use recalld_memory::retire::{self, Retired};
use recalld_memory::space::SpaceView;
use recalld_memory::target::Target;

use super::commands;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, NAME, Output, one_line, painted};

/// Writes a line that is not part of the conversation.
pub(super) fn faint(output: &Output, text: &str) -> Result<(), Failure> {
    output.styled(&format!("{}\n", painted(FAINT, text)))
}

/// Lists the commands.
pub(super) fn help(output: &Output) -> Result<(), Failure> {
    let line = |(name, about): (&str, &str)| format!("{} {about}\n", painted(NAME, &format!("{name:<8}")));
    output.styled(&commands::ALL.map(line).concat())
}

/// Shows the memories.
pub(super) async fn memory(output: &Output, engine: &Engine) -> Result<(), Failure> {
    let scope = engine.scope();
    let look = |view: &SpaceView| -> Vec<String> {
        let line = |memory: &std::sync::Arc<recalld_memory::memory::Memory>| {
            let name = painted(NAME, &one_line(&memory.name()));
            format!("{name} {}\n", one_line(memory.content.as_str()))
        };
        view.current(scope.lens()).map(line).collect()
    };
    let lines = engine.ports.spaces.read(scope.space(), look).await?;
    match lines.is_empty() {
        true => faint(output, "No memories yet."),
        false => output.styled(&lines.concat()),
    }
}

/// Explains the last answer.
pub(super) fn why(output: &Output, last: Option<&(Started, Reply)>) -> Result<(), Failure> {
    let Some((started, reply)) = last else {
        return faint(output, "No answer yet.");
    };
    let tools = match reply.tools.is_empty() {
        true => "none".to_owned(),
        false => one_line(&reply.tools.join(", ")),
    };
    let (usage, choice) = (&reply.usage, &started.choice);
    let mut text = format!(
        "{} mode: {}\nmodel {}; {} tokens in the system prompt, {} in total, {} in the answer\ntools called: {tools}\nmemories shown:{}\n",
        choice.mode.as_str(),
        choice.reason,
        one_line(&started.model),
        started.prompt_tokens,
        usage.tokens_in,
        usage.tokens_out,
        if started.used.is_empty() { " none" } else { "" },
    );
    for used in &started.used {
        text.push_str(&format!("  {}\n", one_line(&used.content)));
    }
    output.styled(&text)
}

/// Hides a memory.
pub(super) async fn forget(output: &Output, engine: &Engine, name: &str) -> Result<(), Failure> {
    if name.is_empty() {
        return faint(output, "Usage: /forget KEY. /memory lists the memories.");
    }
    let done = retire::retire(&engine.ports, &engine.scope(), Target::parse(name), None).await?;
    match done {
        Retired::Hidden(memory) => {
            let line = format!("- {}", one_line(memory.content.as_str()));
            output.styled(&format!("{}\n", painted(GOOD, &line)))?;
            let back = format!("Undo with `recalld restore {}`.", memory.id);
            faint(output, &one_line(&output.prefix().complete(&back)))
        }
        _ => faint(output, "Not found. /memory lists the memories."),
    }
}
/// Summarises an answer in one line.
pub(super) fn about(started: &Started, reply: &Reply) -> String {
    let mut about = vec![match started.used.len() {
        1 => "1 memory used".to_owned(),
        count => format!("{count} memories used"),
    }];
    if let MemoryState::Off(why) = reply.memory {
        about.push(format!("memory off: {why}"));
    }
    match (&reply.ending, &reply.failure) {
        (Ending::Abandoned, _) if reply.text.is_empty() => {
            about.push("stopped before the answer began".to_owned());
        }
        (Ending::Abandoned, _) => about.push("stopped".to_owned()),
        (_, Some(error)) => about.push(format!("interrupted: {}", one_line(&error.to_string()))),
        (Ending::Exhausted, None) => about.push("stopped after too many steps".to_owned()),
        _ => {}
    }
    about.join(", ")
}
