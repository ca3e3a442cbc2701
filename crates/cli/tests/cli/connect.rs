//! Clients are connected by a change of their own configuration files, which can be taken back.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// The configuration file of every client, as its user may have it.
const FILES: [(&str, &str, &str); 9] = [
    (
        "claude-code",
        ".claude.json",
        "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"other\": {\"type\": \"stdio\", \"command\": \"x\", \"args\": []}\n  }\n}\n",
    ),
    (
        "claude-desktop",
        ".config/Claude/claude_desktop_config.json",
        "{}",
    ),
    ("cursor", ".cursor/mcp.json", "{ \"mcpServers\": {} }\n"),
    (
        "vscode",
        ".config/Code/User/mcp.json",
        "{\r\n\t\"servers\": {\r\n\t\t// mine\r\n\t\t\"x\": { \"type\": \"stdio\", \"command\": \"x\" },\r\n\t},\r\n}\r\n",
    ),
    (
        "codex",
        ".codex/config.toml",
        "# mine\nmodel = \"gpt\"   # spaces\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[tui]\ntheme = \"dark\"\n",
    ),
    ("gemini", ".gemini/settings.json", "{\n    \"theme\": \"dark\"\n}"),
    (
        "opencode",
        ".config/opencode/opencode.jsonc",
        "// settings\n{\n  \"$schema\": \"x\", /* y */\n  \"theme\": \"dark\"\n}\n",
    ),
    (
        "windsurf",
        ".codeium/windsurf/mcp_config.json",
        "\u{feff}{\n  \"mcpServers\": {}\n}\n",
    ),
    (
        "zed",
        ".config/zed/settings.json",
        "// Zed settings\n{\n  \"buffer_font_size\": 15,\n  // last\n}\n",
    ),
];

fn put(sandbox: &Sandbox, path: &str, text: &str) -> PathBuf {
    let path = sandbox.home().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn every_client_is_connected_verified_and_disconnected_to_the_byte() {
    let sandbox = Sandbox::new();
    let paths = FILES.map(|(_, path, text)| put(&sandbox, path, text));
    // All are found by the directories that they left.
    let run = sandbox.run(&["connect", "--yes", "--json", "--rules"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let connections = run.json()["connections"].as_array().unwrap().clone();
    assert_eq!(connections.len(), FILES.len());
    for ((id, _, before), (path, connection)) in FILES.iter().zip(paths.iter().zip(&connections)) {
        assert_eq!(connection["client"], *id);
        assert_eq!(connection["state"], "connected");
        assert!(5 < connection["tools"].as_u64().unwrap(), "{connection}");
        let after = fs::read_to_string(path).unwrap();
        assert!(after.contains("recalld") && after.contains("mcp"), "{after}");
        for comment in [
            "// mine",
            "# mine",
            "# spaces",
            "/* y */",
            "// Zed settings",
            "// last",
        ] {
            assert_eq!(after.contains(comment), before.contains(comment), "{id}: {after}");
        }
        let backup = connection["backups"][0].as_str().unwrap();
        assert_eq!(fs::read_to_string(backup).unwrap(), *before, "{id}");
    }
    let again = sandbox.run(&["connect", "--yes", "--json", "--rules"]);
    assert!(
        again.json()["connections"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["state"] == "unchanged"),
        "{again:?}"
    );
    let rules = fs::read_to_string(sandbox.home().join(".claude/CLAUDE.md"));
    assert!(rules.unwrap().contains("write_memory"));
    let removed = sandbox.run(&["connect", "--remove", "--yes", "--json"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
    for ((id, _, before), path) in FILES.iter().zip(&paths) {
        assert_eq!(fs::read(path).unwrap(), before.as_bytes(), "{id}");
    }
    for rules in [
        ".claude/CLAUDE.md",
        ".codex/AGENTS.md",
        "AGENTS.md",
        ".cursor/rules/recalld.mdc",
    ] {
        assert!(!sandbox.home().join(rules).exists(), "{rules}");
    }
}

#[test]
fn what_others_changed_since_stays() {
    let sandbox = Sandbox::new();
    let path = put(&sandbox, ".claude.json", "{\n  \"numStartups\": 3\n}\n");
    assert_eq!(sandbox.run(&["connect", "claude-code", "--yes"]).code, Some(0));
    let theirs = fs::read_to_string(&path).unwrap().replace("3", "4");
    fs::write(&path, theirs).unwrap();
    // Connected again from another place: the entry is replaced, not doubled.
    let again = sandbox.run(&["connect", "claude-code", "--yes", "--user", "ana"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let config: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(config["mcpServers"].as_object().unwrap().len(), 1);
    assert_eq!(
        config["mcpServers"]["recalld"]["args"],
        serde_json::json!(["--user", "ana", "mcp"])
    );
    assert_eq!(
        sandbox.run(&["connect", "claude-code", "--remove", "--yes"]).code,
        Some(0)
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\n  \"numStartups\": 4\n}\n");
}

#[test]
fn nothing_is_written_without_consent_and_print_only_shows() {
    let sandbox = Sandbox::new();
    let path = put(&sandbox, ".cursor/mcp.json", "{}\n");
    let refused = sandbox.run(&["connect"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("--print"), "{refused:?}");
    let printed = sandbox.run(&["connect", "--print"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.out.contains("+     \"recalld\": {"), "{printed:?}");
    assert!(printed.out.contains("Nothing was changed."), "{printed:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
    assert!(!sandbox.data().join("connections").exists());
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone() {
    let sandbox = Sandbox::new();
    for text in ["{\"mcpServers\": ", "[]", "{\"mcpServers\": []}"] {
        let path = put(&sandbox, ".cursor/mcp.json", text);
        let run = sandbox.run(&["connect", "cursor", "--yes"]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.err.contains("mcp.json"), "{run:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_server_that_does_not_start_is_taken_back() {
    let sandbox = Sandbox::new();
    let path = put(&sandbox, ".cursor/mcp.json", "{}\n");
    put(&sandbox, "broken", "a file where the data directory should be");
    let run = sandbox.run(&["connect", "cursor", "--yes", "--data", "broken"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("could not start the server"), "{run:?}");
    assert!(run.err.contains("is a file"), "{run:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
    let removed = sandbox.run(&["connect", "cursor", "--remove", "--yes"]);
    assert!(removed.out.contains("was not connected"), "{removed:?}");
}

#[test]
fn without_a_client_the_names_are_listed() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["connect"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.err.contains("claude-desktop"), "{run:?}");
    let run = sandbox.run(&["connect", "emacs"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let run = sandbox.run(&[
        "connect",
        "--database-url",
        "postgres://a:b@c/d",
        "cursor",
        "--yes",
    ]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(!sandbox.home().join(".cursor").exists());
}

#[cfg(unix)]
#[test]
fn a_linked_file_stays_a_link_and_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    let real = put(&sandbox, "dotfiles/mcp.json", "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(sandbox.home().join(".cursor")).unwrap();
    let link = sandbox.home().join(".cursor/mcp.json");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    assert_eq!(sandbox.run(&["connect", "cursor", "--yes"]).code, Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("recalld"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}
