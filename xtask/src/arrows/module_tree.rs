//! Reads the modules of a crate by following `mod` declarations from its root file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use syn::spanned::Spanned;
use syn::{Attribute, Item};

use super::cfg_test;
use super::names::{self, Names};

/// The index of a module in its tree. The root is 0.
pub type ModuleId = usize;

/// All modules of one target: a library or a binary.
#[derive(Debug)]
pub struct ModuleTree {
    pub modules: Vec<Module>,
}

/// One module, inline or in a file of its own.
#[derive(Debug)]
pub struct Module {
    pub name: String,
    pub parent: Option<ModuleId>,
    pub children: BTreeMap<String, ModuleId>,
    pub file: PathBuf,
    /// Whether the module is compiled for tests only.
    pub is_test: bool,
    /// What the module defines, imports and mentions. Empty for a test module.
    pub names: Names,
}

impl ModuleTree {
    /// Reads the tree below a root file such as `src/lib.rs`.
    pub fn read(root: &Path) -> Result<ModuleTree> {
        let mut tree = ModuleTree { modules: Vec::new() };
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        tree.add_file("crate", None, root, folder, false)?;
        Ok(tree)
    }

    /// Returns the files that the tree was read from.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        self.modules.iter().map(|module| module.file.clone()).collect()
    }

    /// Returns the modules from the root down to `id`, both included.
    pub fn lineage(&self, id: ModuleId) -> Vec<ModuleId> {
        let mut lineage = vec![id];
        let mut at = id;
        while let Some(parent) = self.modules[at].parent {
            lineage.push(parent);
            at = parent;
        }
        lineage.reverse();
        lineage
    }

    /// Returns the path of a module as the source would write it: `crate::a::b`.
    pub fn path(&self, id: ModuleId) -> String {
        let names: Vec<&str> = self
            .lineage(id)
            .into_iter()
            .map(|id| self.modules[id].name.as_str())
            .collect();
        names.join("::")
    }

    /// `folder` is where the files of child modules are.
    fn add_file(
        &mut self,
        name: &str,
        parent: Option<ModuleId>,
        file: &Path,
        folder: PathBuf,
        is_test: bool,
    ) -> Result<ModuleId> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let parsed = syn::parse_file(&text).map_err(|error| {
            let line = error.span().start().line;
            anyhow::anyhow!("{}:{line}: {error}", file.display())
        })?;
        let is_test = is_test || cfg_test::is_test_only(&parsed.attrs);
        let module = Module {
            name: name.to_owned(),
            parent,
            children: BTreeMap::new(),
            file: file.to_owned(),
            is_test,
            names: Names::default(),
        };
        self.add(module, &parsed.items, &folder)
    }

    fn add(&mut self, module: Module, items: &[Item], folder: &Path) -> Result<ModuleId> {
        let id = self.modules.len();
        let (parent, name) = (module.parent, module.name.clone());
        let file = module.file.clone();
        let is_test = module.is_test;
        self.modules.push(module);
        if let Some(parent) = parent {
            // Two modules of one name exclude each other by `cfg`; either stands for both.
            self.modules[parent].children.entry(name).or_insert(id);
        }
        if !is_test {
            let names = names::collect(items);
            if let Some(line) = names.module_in_function {
                bail!(
                    "{}:{line}: a module inside a function is not supported",
                    file.display()
                );
            }
            self.modules[id].names = names;
        }
        for item in items {
            let Item::Mod(child) = item else { continue };
            reject_path_attribute(&child.attrs, &file)?;
            let name = child.ident.to_string();
            let folder_of_child = folder.join(&name);
            let is_test = is_test || cfg_test::is_test_only(&child.attrs);
            if let Some((_, items)) = &child.content {
                let module = Module {
                    name,
                    parent: Some(id),
                    children: BTreeMap::new(),
                    file: file.clone(),
                    is_test,
                    names: Names::default(),
                };
                self.add(module, items, &folder_of_child)?;
            } else {
                let path = folder.join(format!("{name}.rs"));
                ensure!(
                    path.exists(),
                    "{}:{}: module {name} is declared, but {} does not exist",
                    file.display(),
                    child.span().start().line,
                    path.display()
                );
                self.add_file(&name, Some(id), &path, folder_of_child, is_test)?;
            }
        }
        Ok(id)
    }
}

fn reject_path_attribute(attributes: &[Attribute], file: &Path) -> Result<()> {
    for attribute in attributes {
        ensure!(
            !attribute.path().is_ident("path"),
            "{}:{}: #[path] is not supported; write foo.rs beside foo/",
            file.display(),
            attribute.span().start().line
        );
    }
    Ok(())
}
