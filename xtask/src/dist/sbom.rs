//! The list of what the program is made of, in the form of CycloneDX.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Release, write};
use crate::workspace::cargo;

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--locked"])?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let used = used(&metadata)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo lists no packages")?;
    let mut components: Vec<Value> = packages
        .iter()
        .filter(|package| package["id"].as_str().is_some_and(|id| used.contains(id)))
        .filter(|package| !package["source"].is_null())
        .map(component)
        .collect();
    components.sort_by_key(|component| component["bom-ref"].to_string());
    let bom = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application",
            "bom-ref": "recalld",
            "name": "recalld",
            "version": release.version,
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        }},
        "components": components,
    });
    let path = release.out.join(format!("recalld-{}.cdx.json", release.version));
    write(&path, &(serde_json::to_string_pretty(&bom)? + "\n"))?;
    Ok(vec![path])
}

fn component(package: &Value) -> Value {
    let (name, version) = (&package["name"], &package["version"]);
    let purl = format!(
        "pkg:cargo/{}@{}",
        name.as_str().unwrap_or_default(),
        version.as_str().unwrap_or_default()
    );
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        "licenses": [{"expression": package["license"].as_str().unwrap_or("NOASSERTION").replace('/', " OR ")}],
    })
}

/// Returns the ids of all packages that the program depends on, tests left out.
fn used(metadata: &Value) -> Result<BTreeSet<String>> {
    let nodes = metadata["resolve"]["nodes"].as_array();
    let nodes = nodes.context("cargo resolves nothing")?;
    let dependencies = |id: &str| -> Vec<String> {
        let node = nodes.iter().find(|node| node["id"] == id);
        let of = node
            .and_then(|node| node["deps"].as_array())
            .into_iter()
            .flatten();
        of.filter(|dependency| {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            kinds.into_iter().any(|kind| kind["kind"] != "dev")
        })
        .filter_map(|dependency| Some(dependency["pkg"].as_str()?.to_owned()))
        .collect()
    };
    let program = metadata["packages"].as_array().into_iter().flatten();
    let program = program.into_iter().find(|package| package["name"] == "recalld");
    let program = program.and_then(|package| package["id"].as_str());
    let mut found = BTreeSet::new();
    let mut next = vec![program.context("there is no package recalld")?.to_owned()];
    while let Some(id) = next.pop() {
        if found.insert(id.clone()) {
            next.extend(dependencies(&id));
        }
    }
    Ok(found)
}
