//! Collects what a module defines, imports and mentions, without descending into its child
//! modules. Test-only code is left out.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemMod, ItemUse, Local, Macro, Meta, TraitItem, UseTree, Visibility};

use super::cfg_test;
use super::token_paths::{self, Mention, Path};

/// The names of one module.
#[derive(Debug, Default)]
pub struct Names {
    /// Items that the module defines itself.
    pub defined: BTreeSet<String>,
    /// Imported names, and the paths that they stand for.
    pub imports: BTreeMap<String, Vec<Path>>,
    /// The paths before `::*`.
    pub globs: Vec<Path>,
    /// All paths that the module mentions, those of its imports included.
    pub mentions: Vec<Mention>,
    /// The line of a `mod` inside a function body, which the tree cannot represent.
    pub module_in_function: Option<usize>,
}

/// Collects the names of a module from its items.
pub fn collect(items: &[Item]) -> Names {
    let mut names = Names::default();
    for item in items {
        if matches!(item, Item::Mod(_)) || cfg_test::is_test_only(cfg_test::item_attributes(item)) {
            continue;
        }
        names
            .defined
            .extend(defined_by(item).map(|ident| ident.to_string()));
        names.visit_item(item);
    }
    names
}

fn defined_by(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

impl Names {
    fn mention(&mut self, path: Path, line: usize) {
        self.mentions.push(Mention { path, line });
    }

    fn import(&mut self, tree: &UseTree, prefix: &Path) {
        match tree {
            UseTree::Path(step) => {
                let mut path = prefix.clone();
                path.push(step.ident.to_string());
                self.import(&step.tree, &path);
            }
            UseTree::Name(leaf) => self.import_leaf(prefix, &leaf.ident, None),
            UseTree::Rename(leaf) => self.import_leaf(prefix, &leaf.ident, Some(&leaf.rename)),
            UseTree::Glob(glob) => {
                self.mention(prefix.clone(), glob.star_token.spans[0].start().line);
                self.globs.push(prefix.clone());
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, prefix);
                }
            }
        }
    }

    fn import_leaf(&mut self, prefix: &Path, ident: &Ident, rename: Option<&Ident>) {
        let mut path = prefix.clone();
        // `use a::{self}` imports `a`.
        if ident != "self" || prefix.is_empty() {
            path.push(ident.to_string());
        }
        let name = rename.map_or_else(|| path.last().cloned().unwrap_or_default(), Ident::to_string);
        self.mention(path.clone(), ident.span().start().line);
        let imports = self.imports.entry(name).or_default();
        if !imports.contains(&path) {
            imports.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        if !cfg_test::is_test_only(cfg_test::item_attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !cfg_test::is_test_only(cfg_test::impl_item_attributes(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !cfg_test::is_test_only(cfg_test::trait_item_attributes(item)) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if !cfg_test::is_test_only(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.module_in_function = Some(module.ident.span().start().line);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        // `use ::name` is always another crate.
        if item.leading_colon.is_none() {
            self.import(&item.tree, &Path::new());
        }
    }

    /// `pub(in crate::a)` gives access; it does not use anything.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let (None, Some(first)) = (path.leading_colon, path.segments.first()) {
            let segments = path.segments.iter().map(|segment| segment.ident.to_string());
            self.mention(segments.collect(), first.ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.visit_path(&call.path);
        self.mentions.extend(token_paths::in_macro(&call.tokens));
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        match &attribute.meta {
            Meta::List(list) => self.mentions.extend(token_paths::in_attribute(&list.tokens)),
            Meta::NameValue(pair) => self.visit_expr(&pair.value),
            Meta::Path(_) => {}
        }
    }
}
