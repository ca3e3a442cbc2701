//! Splits invalid arguments into the command, its options and its text.

use clap::{Arg, Command, ValueHint};

/// The parts of the arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The command, such as `entity add`.
    pub(super) command: Vec<String>,
    /// Everything that is neither an option nor the value of one.
    pub(super) texts: Vec<String>,
    /// Whether there are options as well.
    pub(super) has_options: bool,
    /// The maximum number of texts; 0 if the last positional argument is a path or one of a few
    /// words.
    pub(super) texts_max: usize,
}

impl Words {
    /// Splits the arguments, the first of which is the name of the program, by the commands of
    /// `root`.
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

/// Whether the next word is the value of this option.
fn takes_next(root: &Command, command: &Command, word: &str) -> bool {
    let known = || command.get_arguments().chain(root.get_arguments());
    let option = match word.strip_prefix("--") {
        Some(long) => known().find(|option| option.get_long() == Some(long)),
        // The value may follow a short name without a space.
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
    fn text_is_distinguished_from_options_and_their_values() {
        let words = of("recalld --user ana add -k tea likes --tier=daily green tea");
        assert_eq!(words.command, ["add"]);
        assert_eq!(words.texts, ["likes", "green", "tea"]);
        assert_eq!((words.texts_max, words.has_options), (1, true));
    }

    #[test]
    fn paths_and_names_of_shells_are_not_text() {
        for line in [
            "recalld import a.txt b.txt",
            "recalld completions bash zsh",
            "recalld config x",
        ] {
            assert_eq!(of(line).texts_max, 0, "{line}");
        }
    }

    #[test]
    fn commands_may_be_nested() {
        let words = of("recalld entity add cafe-1 Central -- -x");
        assert_eq!(words.command, ["entity", "add"]);
        assert_eq!(words.texts, ["cafe-1", "Central", "-x"]);
        assert!(!words.has_options);
    }
}
