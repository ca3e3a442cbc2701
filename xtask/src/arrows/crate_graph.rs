//! Which crate of the workspace may depend on which, and what none of them may bring in.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use crate::workspace::{self, Package};

/// What a crate may depend on.
struct Rule {
    name: &'static str,
    /// The crates of the workspace that it may depend on. Tests may depend on others.
    may_use: &'static [&'static str],
    /// Packages that it must not bring in, directly or indirectly.
    absent: &'static [&'static str],
}

/// What the crates without SQL, HTTP and command line must not bring in.
const DOMAIN_ABSENT: &[&str] = &["rusqlite", "tokio-postgres", "reqwest", "axum", "hyper", "clap"];

/// A workspace crate without a line here is an error; a line without a crate is not.
const RULES: &[Rule] = &[
    Rule {
        name: "recalld-index",
        may_use: &[],
        absent: &[
            "tokio",
            "rusqlite",
            "tokio-postgres",
            "reqwest",
            "axum",
            "hyper",
            "clap",
        ],
    },
    Rule {
        name: "recalld-memory",
        may_use: &["recalld-index"],
        absent: DOMAIN_ABSENT,
    },
    Rule {
        name: "recalld-agent",
        may_use: &["recalld-index", "recalld-memory"],
        absent: DOMAIN_ABSENT,
    },
    Rule {
        name: "recalld-portability",
        may_use: &["recalld-index", "recalld-memory"],
        absent: DOMAIN_ABSENT,
    },
    Rule {
        name: "recalld-wire",
        may_use: &[
            "recalld-index",
            "recalld-memory",
            "recalld-agent",
            "recalld-portability",
        ],
        absent: DOMAIN_ABSENT,
    },
    Rule {
        name: "recalld-store",
        may_use: &["recalld-index", "recalld-memory"],
        absent: &["reqwest", "axum", "hyper", "clap"],
    },
    Rule {
        name: "recalld-models",
        may_use: &["recalld-index", "recalld-memory"],
        absent: &["rusqlite", "tokio-postgres", "axum", "clap"],
    },
    Rule {
        name: "recalld-channels",
        may_use: &["recalld-memory", "recalld-agent"],
        absent: &["rusqlite", "tokio-postgres", "axum", "clap"],
    },
    Rule {
        name: "recalld-server",
        may_use: &[
            "recalld-index",
            "recalld-memory",
            "recalld-agent",
            "recalld-portability",
            "recalld-wire",
        ],
        absent: &["rusqlite", "tokio-postgres", "reqwest", "clap"],
    },
    Rule {
        name: "recalld",
        may_use: &[
            "recalld-index",
            "recalld-memory",
            "recalld-agent",
            "recalld-portability",
            "recalld-wire",
            "recalld-store",
            "recalld-models",
            "recalld-channels",
            "recalld-server",
        ],
        absent: &[],
    },
    // Test doubles. No other rule lists this crate, so it can be a dev-dependency only.
    Rule {
        name: "recalld-testing",
        may_use: &[
            "recalld-index",
            "recalld-memory",
            "recalld-agent",
            "recalld-portability",
            "recalld-store",
        ],
        absent: &[],
    },
    Rule {
        name: "recalld-example-embedded",
        may_use: &["recalld-memory", "recalld-store", "recalld-models"],
        absent: &["axum", "clap"],
    },
    Rule {
        name: "xtask",
        may_use: &[],
        absent: &[
            "rusqlite",
            "tokio-postgres",
            "reqwest",
            "axum",
            "hyper",
            "clap",
            "tokio",
        ],
    },
];

/// Returns the faults of the crate graph: unlisted crates and forbidden dependencies.
pub fn faults(packages: &[Package]) -> Vec<String> {
    let names: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let rules: BTreeMap<&str, &Rule> = RULES.iter().map(|rule| (rule.name, rule)).collect();
    let mut faults = Vec::new();
    for package in packages {
        let Some(rule) = rules.get(package.name.as_str()) else {
            faults.push(format!("{} has no rule in crate_graph.rs", package.name));
            continue;
        };
        let ours = package.depends_on.iter().map(String::as_str);
        for other in ours.filter(|other| names.contains(other)) {
            if !rule.may_use.contains(&other) {
                faults.push(format!("{} must not depend on {other}", package.name));
            }
        }
    }
    faults
}

/// Returns the faults of the workspace as [`faults`] does, and packages that a crate brings in
/// although its rule forbids them.
pub fn check(packages: &[Package]) -> Result<Vec<String>> {
    let mut faults = faults(packages);
    for package in packages {
        let dependencies = dependency_tree(&package.name)?;
        faults.extend(forbidden(&package.name, &dependencies));
    }
    Ok(faults)
}

/// Returns the faults of a crate that is built from `dependencies`.
pub fn forbidden(name: &str, dependencies: &BTreeSet<String>) -> Vec<String> {
    let rule = RULES.iter().find(|rule| rule.name == name);
    let absent = rule.map_or(&[][..], |rule| rule.absent).iter();
    absent
        .filter(|other| dependencies.contains(**other))
        .map(|other| format!("{name} must not bring in {other}"))
        .collect()
}

/// Lists everything that a crate is built from, tests and build scripts left out.
fn dependency_tree(name: &str) -> Result<BTreeSet<String>> {
    let arguments = [
        "tree",
        "--package",
        name,
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ];
    let output = workspace::cargo(&arguments)?;
    let names = output.lines().filter_map(|line| line.split(' ').next());
    Ok(names.map(str::to_owned).collect())
}
