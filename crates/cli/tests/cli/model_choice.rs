//! A selected embedding model holds for the data directory that has it.

use std::fs;

use crate::sandbox::Sandbox;

#[test]
fn a_selection_belongs_to_the_data_directory() {
    let sandbox = Sandbox::new();
    let chosen = sandbox.run(&["models", "use", "none", "--data", "other"]);
    assert_eq!(chosen.code, Some(0), "{chosen:?}");
    assert!(sandbox.home().join("other/models/selected.toml").exists());
    let used = |arguments: &[&str]| {
        let listed = sandbox.run(arguments).json();
        let models = listed["models"].as_array().unwrap().clone();
        let used = models.iter().find(|model| model["used"] == true);
        used.unwrap()["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(used(&["models", "list", "--json", "--data", "other"]), "none");
    assert_eq!(used(&["models", "list", "--json"]), "builtin");
    // A configuration file that names a model is what counts, so it is what is changed.
    let config = sandbox.home().join("mine.toml");
    fs::write(&config, "# mine\nmodel = \"builtin\"\n").unwrap();
    let both = ["--data", "other", "--config", "mine.toml"];
    assert_eq!(
        used(&[&["models", "list", "--json"], &both[..]].concat()),
        "builtin"
    );
    sandbox.run(&[&["models", "use", "none"], &both[..]].concat());
    assert_eq!(fs::read_to_string(&config).unwrap(), "# mine\nmodel = \"none\"\n");
}
