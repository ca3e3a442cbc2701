//! Each syntactic form that makes an arrow, and those that make none.

use super::control::{cycle_routes, write_files};
use super::module_graph::module_cycles;

/// Checks that a crate of the modules `a` and `b`, where `b` uses `a`, has a cycle exactly if
/// `source` in `a` leads to `b`.
#[track_caller]
fn check(source: &str, leads_to_b: bool) {
    let files = [
        (
            "src/lib.rs",
            "mod a; mod b; mod c { pub struct C; } pub use b::B as Reexported;",
        ),
        ("src/a.rs", source),
        (
            "src/b.rs",
            "pub mod inner { pub struct I; } pub struct B; pub fn f() { crate::a::g() }",
        ),
    ];
    let expected: &[&str] = match leads_to_b {
        true => &["crate: a → b → a"],
        false => &[],
    };
    assert_eq!(cycle_routes(&files).unwrap(), expected, "{source}");
}

#[test]
fn imports_make_arrows() {
    check("use crate::b;", true);
    check("use crate::b::B;", true);
    check("use crate::b::{self};", true);
    check("use crate::b::*;", true);
    check("use crate::b as other;", true);
    check("pub use crate::b::B as Other;", true);
    check("use super::b::inner::I;", true);
    check("use self::super::b::B;", true);
    check("use crate::{c::C, b::{B, inner::{I as J}}};", true);
    check("fn g() { use crate::b::B; }", true);
    check("use crate::c::C;", false);
    check("use ::b::B; use b::B;", false);
}

#[test]
fn inline_paths_make_arrows() {
    check("fn g() { crate::b::f() }", true);
    check("fn g() { super::b::f::<u8>() }", true);
    check("struct S { field: Vec<Option<crate::b::B>> }", true);
    check("impl From<crate::b::B> for S { }", true);
    check("fn g() -> impl Iterator<Item = crate::b::B> { todo() }", true);
    check("fn g(x: u8) { match x { crate::b::X => {} } }", true);
    check("fn g() { <crate::b::B as Default>::default() }", true);
    check("mod nested { fn g() { super::super::b::f() } }", true);
    check("use crate as root; fn g() { root::b::f() }", true);
    check("pub(in crate::b) fn g() {}", false);
    check("fn g() { let b = 1; b.inner }", false);
    check("/// See [`crate::b::B`].\nfn g() {}", false);
    check("fn g() { \"crate::b::B\" }", false);
}

#[test]
fn paths_in_macros_make_arrows() {
    check("fn g() { vec![crate::b::f()] }", true);
    check("fn g() { println!(\"{}\", super::b::f()) }", true);
    check("macro_rules! m { () => { $crate::b::f() } }", true);
    check(
        "macro_rules! m { () => { use crate::{c::C, b::{self, B}}; } }",
        true,
    );
    check("m! { fn g(x: crate::b::B) {} }", true);
    check("#[serde(with = \"crate::b::inner\")] struct S;", true);
    check("#[derive(crate::b::Derive)] struct S;", true);
    check(
        "macro_rules! m { ($b:ident) => { $b::f(); ::b::f(); x.b::<u8>() } }",
        false,
    );
}

#[test]
fn names_that_an_ancestor_imports_are_followed() {
    check("use crate::Reexported;", true);
    check("use super::*; fn g(x: Reexported) {}", true);
    check("use super::*; fn g() { b::f() }", true);
    check("use super::*; fn g(x: Unknown) {}", false);
}

/// Elsewhere the module that is named counts, whatever it re-exports.
#[test]
fn a_reexport_counts_for_the_module_that_is_named() {
    let files = [
        ("src/lib.rs", "mod a; mod b; mod facade;"),
        ("src/a.rs", "use crate::facade::B;"),
        ("src/b.rs", "use crate::a;"),
        ("src/facade.rs", "pub use crate::b::B;"),
    ];
    assert_eq!(cycle_routes(&files).unwrap(), ["crate: a → facade → b → a"]);
}

#[test]
fn tests_make_no_arrows() {
    check("#[cfg(test)] mod tests { use crate::b::B; }", false);
    check("#[cfg(all(test, unix))] use crate::b::B;", false);
    check("#[cfg(test)] fn g() { crate::b::f() }", false);
    check("#[test] fn g() { crate::b::f() }", false);
    check("#[tokio::test] async fn g() { crate::b::f() }", false);
    check("impl S { #[cfg(test)] fn g() { crate::b::f() } }", false);
    check("#[cfg(any(test, unix))] use crate::b::B;", true);
    check("#[cfg(not(test))] use crate::b::B;", true);
    check("#[cfg(unix)] mod nested { use crate::b::B; }", true);
}

#[test]
fn test_modules_in_files_make_no_arrows() {
    let files = [
        ("src/lib.rs", "mod a; mod b;"),
        ("src/a.rs", "#[cfg(test)] mod tests;"),
        ("src/a/tests.rs", "mod more; use crate::b::B;"),
        ("src/a/tests/more.rs", "use crate::b::B;"),
        ("src/b.rs", "use crate::a;"),
    ];
    assert!(cycle_routes(&files).unwrap().is_empty());
}

#[test]
fn siblings_in_a_folder_are_a_graph_of_their_own() {
    let files = [
        ("src/main.rs", "mod a;"),
        ("src/a.rs", "mod x; mod y; use x::X; pub struct A;"),
        ("src/a/x.rs", "mod deep; use super::A; pub struct X;"),
        ("src/a/x/deep.rs", "use crate::a::y::Y;"),
        ("src/a/y.rs", "use super::X; pub struct Y;"),
    ];
    assert_eq!(cycle_routes(&files).unwrap(), ["crate::a: x → y → x"]);
}

#[test]
fn a_cycle_names_a_line_for_each_arrow() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\n"),
        ("src/a.rs", "//! A.\n\nuse crate::b::B;\n"),
        ("src/b.rs", "//! B.\nfn f() {\n    crate::a::g();\n}\n"),
    ];
    write_files(folder.path(), &files).unwrap();
    let cycles = module_cycles(folder.path()).unwrap();
    let prefix = format!("{}/", folder.path().display());
    assert_eq!(
        cycles[0].to_string().replace(&prefix, ""),
        "src/lib.rs in crate: a → b → a\n  a → b  src/a.rs:3\n  b → a  src/b.rs:3"
    );
}

#[test]
fn the_control_finds_its_faults() {
    super::check_control().unwrap();
}

/// Checks that reading a crate fails with a message that contains `expected`.
#[track_caller]
fn check_error(files: &[(&str, &str)], expected: &str) {
    let error = format!("{:#}", cycle_routes(files).unwrap_err());
    assert!(error.contains(expected), "{error}");
}

#[test]
fn what_cannot_be_read_is_an_error() {
    check_error(
        &[("src/lib.rs", "#[path = \"x.rs\"] mod a;")],
        "src/lib.rs:1: #[path]",
    );
    check_error(
        &[("src/lib.rs", "\nmod a;")],
        "src/lib.rs:2: module a is declared",
    );
    check_error(&[("src/lib.rs", "\nfn f( {}")], "src/lib.rs:2: ");
    check_error(&[("src/lib.rs", "fn f() { mod a {} }")], "inside a function");
    check_error(
        &[("src/lib.rs", ""), ("src/lost.rs", "")],
        "no `mod` declaration leads to",
    );
    check_error(&[("src/other.rs", "")], "no lib.rs or main.rs");
}
