//! Joins the console's modules into one file, so that a browser needs one request for all of them.
//!
//! The modules are plain ES modules that follow three rules: an `import` names one module of the
//! console on one line, an `export` stands before what it exports, and no two modules declare the
//! same name at the top. Then what is left without the imports and the word `export` is one module.

/// One source file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// Joins `modules`, which come in the order in which they need each other, after `vendored`
/// scripts. Those are no modules: they expect the global object as `this`.
pub(super) fn joined(vendored: &[&str], modules: &[Module]) -> String {
    let mut all = String::new();
    for script in vendored {
        all.push_str(&format!("(function () {{\n{script}\n}}).call(globalThis);\n"));
    }
    for module in modules {
        all.push_str(&format!("// {}\n", module.name));
        for line in module.text.lines().filter(|line| !line.starts_with("import ")) {
            all.push_str(line.strip_prefix("export ").unwrap_or(line));
            all.push('\n');
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::console::assets::MODULES;

    /// The name that a line at the top of a module declares.
    fn declared(line: &str) -> Option<&str> {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let line = line.strip_prefix("async ").unwrap_or(line);
        let rest = ["const ", "let ", "function* ", "function ", "class "]
            .iter()
            .find_map(|word| line.strip_prefix(word))?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let name = rest.split(|c| !is_name(c)).next()?;
        Some(name).filter(|name| !name.is_empty())
    }

    /// The names that an import takes, and the module from which.
    fn imported(line: &str) -> Option<(Vec<&str>, &str)> {
        let rest = line.strip_prefix("import { ")?;
        let (names, from) = rest.split_once(" } from './")?;
        Some((names.split(", ").collect(), from.strip_suffix("';")?))
    }

    #[test]
    fn no_two_modules_declare_the_same_name() {
        let mut owners = HashMap::new();
        for module in MODULES {
            for name in module.text.lines().filter_map(declared) {
                let other = owners.insert(name, module.name);
                assert_eq!(other, None, "{name} of {}", module.name);
            }
        }
    }

    #[test]
    fn a_module_imports_only_what_an_earlier_one_exports() {
        let mut exported: HashMap<&str, HashSet<&str>> = HashMap::new();
        for module in MODULES {
            for line in module.text.lines().filter(|line| line.starts_with("import")) {
                let (names, from) = imported(line).unwrap_or_else(|| panic!("{}: {line}", module.name));
                let known = &exported
                    .get(from)
                    .unwrap_or_else(|| panic!("{}: {line}", module.name));
                let unknown: Vec<_> = names.iter().filter(|name| !known.contains(*name)).collect();
                assert!(
                    unknown.is_empty(),
                    "{}: {from} exports no {unknown:?}",
                    module.name
                );
            }
            let lines = module.text.lines().filter(|line| line.starts_with("export "));
            exported.insert(module.name, lines.filter_map(declared).collect());
        }
    }

    #[test]
    fn what_is_joined_has_neither_imports_nor_exports() {
        let text = joined(
            &[],
            &[
                Module {
                    name: "a.js",
                    text: "export const one = 1;\n",
                },
                Module {
                    name: "b.js",
                    text: "import { one } from './a.js';\nfunction two() {\n  return one + one;\n}\n",
                },
            ],
        );
        assert_eq!(
            text,
            "// a.js\nconst one = 1;\n// b.js\nfunction two() {\n  return one + one;\n}\n"
        );
    }

    /// The page renders text as text: nothing in it parses markup or evaluates code.
    #[test]
    fn no_module_writes_markup_or_evaluates_text() {
        for module in MODULES {
            for word in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
            ] {
                assert!(!module.text.contains(word), "{}: {word}", module.name);
            }
        }
    }

    /// The names of texts that a module asks for.
    fn texts(module: &str) -> impl Iterator<Item = &str> {
        let asked = module.split("t('").zip(module.split("t('").skip(1));
        let asked = asked.filter(|(before, _)| !before.ends_with(|c: char| c.is_ascii_alphanumeric()));
        asked.filter_map(|(_, after)| after.split_once('\'').map(|(name, _)| name))
    }

    #[test]
    fn every_text_is_in_the_catalogue_in_both_languages() {
        let catalogue = MODULES
            .iter()
            .find(|module| module.name == "catalogue.js")
            .unwrap()
            .text;
        for module in MODULES {
            for name in texts(module.text) {
                let entries = [format!("\n  {name}: ['"), format!("\n  '{name}': ['")];
                let known = entries.iter().any(|entry| catalogue.contains(entry.as_str()));
                assert!(known, "{}: {name}", module.name);
            }
        }
        let entries = catalogue.lines().filter(|line| line.starts_with("  "));
        for entry in entries {
            assert_eq!(entry.matches("', '").count(), 1, "{entry}");
        }
    }
}
