//! Arguments taken apart without their being right: which command is meant, and what of it is text.

use clap::{Arg, Command, ValueHint};

/// What was given to a command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The command, such as `entity add`.
    pub(super) command: Vec<String>,
    /// What is no option, and no value of one.
    pub(super) texts: Vec<String>,
    /// Whether there are options, too.
    pub(super) has_options: bool,
    /// How many texts the command takes at most; none if the last is no text but a path or one of a
    /// few words.
    pub(super) texts_max: usize,
}

impl Words {
    /// Takes the arguments apart by what `root` knows of its commands. The first one is the
    /// program's own name.
    pub(super) fn of(root: &Command, raw: &[String]) -> Words {
        let mut command = root;
        let mut words = Words::default();
        let mut rest = raw.iter().skip(1);
        while let Some(word) = rest.next() {
            if word == "--" {
                words.texts.extend(rest.cloned());
                break;
            }
            if word.len() > 1 && word.starts_with('-') && !word.contains(char::is_whitespace) {
                words.has_options = true;
                if takes_next(root, command, word) {
                    rest.next();
                }
                continue;
            }
            match command.find_subcommand(word) {
                Some(found) if words.texts.is_empty() => {
                    command = found;
                    words.command.push(word.clone());
                }
                _ => words.texts.push(word.clone()),
            }
        }
        words.texts_max = match command.get_positionals().last().is_some_and(is_text) {
            true => command.get_positionals().count(),
            false => 0,
        };
        words
    }
}

fn is_text(positional: &Arg) -> bool {
    positional.get_value_hint() == ValueHint::Unknown && positional.get_possible_values().is_empty()
}

/// Tells whether the next word is the value of this option.
fn takes_next(root: &Command, command: &Command, word: &str) -> bool {
    let known = || command.get_arguments().chain(root.get_arguments());
    let option = match word.strip_prefix("--") {
        Some(long) => known().find(|option| option.get_long() == Some(long)),
        // A value may stand right after a short name.
        None if word.chars().count() == 2 => known().find(|option| option.get_short() == word.chars().nth(1)),
        None => None,
    };
    option.is_some_and(|option| option.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::Invocation;
    use super::*;

    fn of(line: &str) -> Words {
        let raw: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Words::of(&Invocation::command(), &raw)
    }

    #[test]
    fn text_is_told_from_options_and_their_values() {
        let words = of("recalld --user ana add -k tea likes --tier=daily green tea");
        assert_eq!(words.command, ["add"]);
        assert_eq!(words.texts, ["likes", "green", "tea"]);
        assert_eq!((words.texts_max, words.has_options), (1, true));
    }

    #[test]
    fn paths_and_names_of_shells_are_no_text() {
        for line in [
            "recalld import a.txt b.txt",
            "recalld completions bash zsh",
            "recalld config x",
        ] {
            assert_eq!(of(line).texts_max, 0, "{line}");
        }
    }

    #[test]
    fn a_command_may_be_within_a_command() {
        let words = of("recalld entity add cafe-1 Central -- -x");
        assert_eq!(words.command, ["entity", "add"]);
        assert_eq!(words.texts, ["cafe-1", "Central", "-x"]);
        assert!(!words.has_options);
    }
}
