//! Which module of a crate uses which, and where they form a cycle.
//!
//! Every arrow belongs to one graph: that of the children of the innermost module that contains
//! both ends. The graph of the root's children is that of the top-level modules. Arrows from and
//! to a module that contains the other end are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::workspace::rust_files;

use super::cycles::{self, Graph, Knot};
use super::module_tree::{ModuleId, ModuleTree};
use super::resolve::resolve;

/// Sibling modules that depend on each other in a circle.
#[derive(Debug)]
pub struct ModuleCycle {
    /// The root file of the target.
    pub root: PathBuf,
    /// The module that contains the siblings: `crate` or `crate::a`.
    pub parent: String,
    pub knot: Knot,
    /// A place that makes each arrow of the shortest cycle.
    pub places: Vec<Place>,
}

/// A line of a source file.
#[derive(Clone, Debug)]
pub struct Place {
    pub file: PathBuf,
    pub line: usize,
}

impl ModuleCycle {
    /// Whether the cycle is one between top-level modules.
    pub fn is_top_level(&self) -> bool {
        self.parent == "crate"
    }

    /// Returns the shortest cycle as `a → b → a`.
    pub fn route(&self) -> String {
        let first = self.knot.shortest.first().into_iter();
        let nodes: Vec<&str> = self
            .knot
            .shortest
            .iter()
            .chain(first)
            .map(String::as_str)
            .collect();
        nodes.join(" → ")
    }
}

impl Display for ModuleCycle {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            output,
            "{} in {}: {}",
            self.root.display(),
            self.parent,
            self.route()
        )?;
        if self.knot.shortest.len() < self.knot.members.len() {
            let members: Vec<&str> = self.knot.members.iter().map(String::as_str).collect();
            write!(
                output,
                "\n  the shortest of several cycles between {} modules: {}",
                members.len(),
                members.join(", ")
            )?;
        }
        let shortest = &self.knot.shortest;
        let targets = shortest.iter().cycle().skip(1);
        for ((source, target), place) in shortest.iter().zip(targets).zip(&self.places) {
            write!(
                output,
                "\n  {source} → {target}  {}:{}",
                place.file.display(),
                place.line
            )?;
        }
        Ok(())
    }
}

/// Returns the cycles between the modules of the package in `folder`.
pub fn module_cycles(folder: &Path) -> Result<Vec<ModuleCycle>> {
    let source = folder.join("src");
    let mut unread = rust_files(&source)?;
    let mut found = Vec::new();
    for root in target_roots(&source)? {
        let tree = ModuleTree::read(&root)?;
        let files = tree.files();
        unread.retain(|file| !files.contains(file));
        found.extend(cycles_of(&tree, &root));
    }
    ensure!(
        unread.is_empty(),
        "no `mod` declaration leads to {}",
        unread[0].display()
    );
    Ok(found)
}

fn cycles_of(tree: &ModuleTree, root: &Path) -> Vec<ModuleCycle> {
    let mut found = Vec::new();
    for (parent, graph) in graphs(tree) {
        for knot in cycles::knots(&graph) {
            let targets = knot.shortest.iter().cycle().skip(1);
            let arrows = knot.shortest.iter().zip(targets);
            let places = arrows.map(|(source, target)| graph[source][target].clone());
            found.push(ModuleCycle {
                root: root.to_owned(),
                parent: tree.path(parent),
                places: places.collect(),
                knot,
            });
        }
    }
    found
}

/// Returns the graph of the children of each module that has arrows between them.
fn graphs(tree: &ModuleTree) -> BTreeMap<ModuleId, Graph<Place>> {
    let mut graphs: BTreeMap<ModuleId, Graph<Place>> = BTreeMap::new();
    for (from, module) in tree.modules.iter().enumerate() {
        let mut seen = BTreeSet::new();
        for mention in &module.names.mentions {
            // Most paths repeat, and a single name can lead elsewhere only through `use …::*`.
            let is_local = mention.path.len() == 1 && module.names.globs.is_empty();
            if is_local || !seen.insert(&mention.path) {
                continue;
            }
            let Some(to) = resolve(tree, from, &mention.path) else {
                continue;
            };
            let Some((parent, source, target)) = sibling_arrow(tree, from, to) else {
                continue;
            };
            let place = Place {
                file: module.file.clone(),
                line: mention.line,
            };
            let graph = graphs.entry(parent).or_default();
            graph.entry(target.clone()).or_default();
            graph.entry(source).or_default().entry(target).or_insert(place);
        }
    }
    graphs
}

/// Returns the innermost module that contains both ends, and its children that lead to them.
fn sibling_arrow(tree: &ModuleTree, from: ModuleId, to: ModuleId) -> Option<(ModuleId, String, String)> {
    let (source, target) = (tree.lineage(from), tree.lineage(to));
    let shared = source
        .iter()
        .zip(&target)
        .take_while(|(source, target)| source == target)
        .count();
    let name = |id: &ModuleId| tree.modules[*id].name.clone();
    let (source_child, target_child) = (name(source.get(shared)?), name(target.get(shared)?));
    // Modules of one name that exclude each other by `cfg` are one module here.
    (source_child != target_child).then(|| (source[shared - 1], source_child, target_child))
}

/// Lists the root files of the library and the binaries.
fn target_roots(source: &Path) -> Result<Vec<PathBuf>> {
    let mut roots = vec![source.join("lib.rs"), source.join("main.rs")];
    let binaries = source.join("bin");
    if binaries.is_dir() {
        for entry in fs::read_dir(binaries)? {
            let path = entry?.path();
            roots.push(match path.is_dir() {
                true => path.join("main.rs"),
                false => path,
            });
        }
    }
    roots.retain(|root| root.exists());
    ensure!(!roots.is_empty(), "{} has no lib.rs or main.rs", source.display());
    Ok(roots)
}
