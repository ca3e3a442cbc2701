//! Finds the module that a path names.
//!
//! `crate::a::Thing` names the module `a`, also where `a` re-exports `Thing` from elsewhere: the
//! module that is named counts. There is one exception. A name that an *ancestor* of the naming
//! module imports or re-exports is followed to where it comes from; otherwise `use super::Thing`
//! would hide an arrow to the sibling that defines `Thing`.

use super::module_tree::{ModuleId, ModuleTree};

/// How many imports are followed one after the other. Imports that refer to each other end here.
const IMPORTS_MAX: usize = 8;

/// Returns the module that `path` names when it is written in `from`, or `None` if it leads out of
/// the crate or to something local.
pub fn resolve(tree: &ModuleTree, from: ModuleId, path: &[String]) -> Option<ModuleId> {
    let resolver = Resolver {
        tree,
        lineage: tree.lineage(from),
    };
    resolver.path(from, path, IMPORTS_MAX)
}

struct Resolver<'tree> {
    tree: &'tree ModuleTree,
    /// The naming module and its ancestors.
    lineage: Vec<ModuleId>,
}

impl Resolver<'_> {
    /// Resolves a path in the scope of the module `at`.
    fn path(&self, at: ModuleId, path: &[String], imports_left: usize) -> Option<ModuleId> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.below(0, rest, imports_left),
            "self" => self.below(at, rest, imports_left),
            "super" => self.below(self.tree.modules[at].parent?, rest, imports_left),
            name => self.name(at, name, rest, imports_left),
        }
    }

    /// Resolves the rest of a path whose beginning is the module `at`.
    fn below(&self, at: ModuleId, rest: &[String], imports_left: usize) -> Option<ModuleId> {
        let Some((name, rest)) = rest.split_first() else {
            return Some(at);
        };
        if name == "super" {
            return self.below(self.tree.modules[at].parent?, rest, imports_left);
        }
        self.name(at, name, rest, imports_left).or(Some(at))
    }

    /// Resolves `name::rest` where `name` is looked up in the module `at`.
    fn name(&self, at: ModuleId, name: &str, rest: &[String], imports_left: usize) -> Option<ModuleId> {
        let module = &self.tree.modules[at];
        if let Some(&child) = module.children.get(name) {
            return self.below(child, rest, imports_left);
        }
        if !self.lineage.contains(&at) {
            return Some(at);
        }
        let imports_left = imports_left.checked_sub(1)?;
        if let Some(imports) = module.names.imports.get(name) {
            // `use serde::{self}` does not lead anywhere inside the crate.
            let mut others = imports
                .iter()
                .filter(|import| import.first().is_some_and(|first| first != name));
            return others.find_map(|import| {
                let whole = [import.as_slice(), rest].concat();
                self.path(at, &whole, imports_left)
            });
        }
        if module.names.defined.contains(name) {
            return Some(at);
        }
        module.names.globs.iter().find_map(|glob| {
            let source = self.module(at, glob, imports_left)?;
            let found = source != at && self.has(source, name, imports_left);
            found.then(|| self.name(source, name, rest, imports_left))?
        })
    }

    /// Resolves a path that ends at a module and not at an item such as an enum.
    fn module(&self, at: ModuleId, path: &[String], imports_left: usize) -> Option<ModuleId> {
        let found = self.path(at, path, imports_left)?;
        let last = path.last()?;
        let is_module =
            matches!(last.as_str(), "crate" | "self" | "super") || *last == self.tree.modules[found].name;
        is_module.then_some(found)
    }

    fn has(&self, at: ModuleId, name: &str, imports_left: usize) -> bool {
        let module = &self.tree.modules[at];
        let Some(imports_left) = imports_left.checked_sub(1) else {
            return false;
        };
        module.children.contains_key(name)
            || module.names.imports.contains_key(name)
            || module.names.defined.contains(name)
            || module.names.globs.iter().any(|glob| {
                self.module(at, glob, imports_left)
                    .is_some_and(|source| source != at && self.has(source, name, imports_left))
            })
    }
}
