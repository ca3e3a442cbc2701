//! Where settings come from, and which of them wins.

use std::fs;

use expect_test::expect;

use crate::sandbox::{Sandbox, finish};

fn setting(run: &crate::sandbox::Run, key: &str) -> (String, String) {
    let settings = run.json();
    let found = settings["settings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|setting| setting["key"] == key)
        .unwrap()
        .clone();
    (
        found["value"].to_string(),
        found["from"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn arguments_win_over_the_environment_and_the_environment_over_the_file() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("my.toml");
    fs::write(
        &file,
        "user = \"file\"\n[memory]\ndaily_days = 1\nbm25_b = 0.5\ncontext_notes_days = 3\n",
    )
    .unwrap();
    let mut command = sandbox.command(&[
        "config",
        "--json",
        "--config",
        "my.toml",
        "-o",
        "memory.daily_days=3",
        "--user",
        "flag",
    ]);
    command
        .env("RECALLD_USER", "environment")
        .env("RECALLD_MEMORY_DAILY_DAYS", "2")
        .env("RECALLD_MEMORY_BM25_B", "0.25");
    let run = finish(command);
    let of = |value: &str, from: &str| (value.to_owned(), from.to_owned());
    assert_eq!(setting(&run, "user"), of("\"flag\"", "argument"));
    assert_eq!(setting(&run, "memory.daily_days"), of("3", "argument"));
    assert_eq!(setting(&run, "memory.bm25_b"), of("0.25", "environment"));
    assert_eq!(setting(&run, "memory.context_notes_days"), of("3", "file"));
    assert_eq!(setting(&run, "memory.bm25_k1"), of("1.5", "default"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is the list of all settings")]
fn what_is_in_force_is_shown_with_where_it_came_from() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.home().join(".config/recalld")).unwrap();
    fs::write(
        sandbox.home().join(".config/recalld/config.toml"),
        "data = \"/srv/memories\"\nmemory.spaces_bytes_max = \"1 GiB\"\n",
    )
    .unwrap();
    sandbox.check(
        &["config --user ana"],
        expect![[r#"
            $ recalld config --user ana
            SETTING                             VALUE                                        FROM
            data                                /srv/memories                                file ~/.config/recalld/config.toml:1
            data_wait_ms                        2000                                         default
            user                                ana                                          argument --user
            log                                 warn                                         default
            model                               builtin                                      default
            reranker                            none                                         default
            search.encoder                      auto                                         default
            database.url                                                                     default
            database.owner_url                                                               default
            database.migrate                    true                                         default
            database.connections_max            16                                           default
            database.storage_vouched            false                                        default
            database.fallback                   off                                          default
            database.tables_role                recalld_reader                               default
            database.keep_vectors               true                                         default
            embedding.url                                                                    default
            embedding.model                                                                  default
            embedding.dimension                 0                                            default
            embedding.key                                                                    default
            memory.durable_confidence_min       0.7                                          default
            memory.daily_days                   90                                           default
            memory.document_tokens_max          10000                                        default
            memory.context_notes_days           7                                            default
            memory.tool_tokens_max              4000                                         default
            memory.spaces_bytes_max             1073741824                                   file ~/.config/recalld/config.toml:2
            memory.bm25_k1                      1.5                                          default
            memory.bm25_b                       0.75                                         default
            memory.bm25_length                  root                                         default
            knowledge.chunk_tokens_max          320                                          default
            knowledge.chunk_overlap_tokens      40                                           default
            prompt.inject                       user+assistant                               default
            quotas.memories_max                                                              default
            quotas.bytes_max                                                                 default
            quotas.model_tokens_per_day_max                                                  default
            quotas.writes_per_minute_max                                                     default
            profile.presets                     b2b,account                                  default
            profile.categories                                                               default
            server.listen                       127.0.0.1:7077                               default
            server.public                       false                                        default
            server.oauth                        true                                         default
            server.metrics_public               false                                        default
            server.access_log                                                                default
            server.access_log_users             false                                        default
            server.body_bytes_max               1048576                                      default
            server.concurrent_max               512                                          default
            server.per_key_second_max           2000                                         default
            server.request_timeout_s            60                                           default
            server.connections_max              8192                                         default
            server.address_connections_max      1024                                         default
            server.trusted_proxies                                                           default
            server.url                                                                       default
            server.tool_sets                                                                 default
            server.cors_origins                                                              default
            server.peers                                                                     default
            server.jwt_secret                                                                default
            server.jwt_jwks_url                                                              default
            server.jwt_algorithms               RS256,ES256                                  default
            server.jwt_issuer                                                                default
            server.jwt_audience                                                              default
            telemetry.endpoint                                                               default
            telemetry.headers                                                                default
            telemetry.service                   recalld                                      default
            telemetry.sampled_share             1.0                                          default
            telemetry.content                   false                                        default
            telemetry.users                     false                                        default
            mcp.url                                                                          default
            mcp.key                                                                          default
            hooks.answer_ms_max                 150                                          default
            hooks.model                         false                                        default
            openai.key                                                                       default
            openai.url                          https://api.openai.com/v1                    default
            openai.model                        gpt-6.1-terra                                default
            anthropic.key                                                                    default
            anthropic.url                       https://api.anthropic.com/v1                 default
            anthropic.model                     claude-sonnet-5-5                            default
            chat.model                                                                       default
            chat.models                                                                      default
            chat.phase                          full                                         default
            chat.percent                        10.0                                         default
            chat.tools                          context,document,semantic,history,knowledge  default
            chat.task_prompt                                                                 default
            chat.conversation_prompt                                                         default
            chat.task_tokens_max                3500                                         default
            chat.conversation_tokens_max        300                                          default
            chat.time_in                        message                                      default
            chat.judge_model                                                                 default
            chat.history_messages               20                                           default
            channels.feishu.app_id                                                           default
            channels.feishu.app_secret                                                       default
            channels.feishu.encrypt_key                                                      default
            channels.feishu.verification_token                                               default
            channels.feishu.url                 https://open.feishu.cn                       default
            channels.feishu.user_id             open_id                                      default
            channels.feishu.bot_open_id                                                      default
            channels.feishu.user_prefix                                                      default
            channels.slack.signing_secret                                                    default
            channels.slack.bot_token                                                         default
            channels.slack.url                  https://slack.com                            default
            channels.slack.user_prefix          slack:                                       default
            extraction.method                   auto                                         default
            extraction.model                                                                 default
            extraction.buffer_tokens            2000                                         default
            extraction.buffer_idle_ms           10000                                        default
            extraction.schedule                 0 23 * * *                                   default
            extraction.daily_tokens_max         200000                                       default
            summary.model                                                                    default
        "#]],
    );
}

#[test]
fn mistakes_in_the_file_are_pointed_out() {
    let sandbox = Sandbox::new();
    fs::write(
        sandbox.home().join("typo.toml"),
        "# ours\n[memory]\ndayly_days = 3\n",
    )
    .unwrap();
    fs::write(
        sandbox.home().join("value.toml"),
        "[memory]\ndaily_days = \"soon\"\n",
    )
    .unwrap();
    fs::write(sandbox.home().join("broken.toml"), "user = \n").unwrap();
    sandbox.check(
        &[
            "list --config typo.toml",
            "list --config value.toml",
            "list --config broken.toml",
            "list --config missing.toml",
            "doctor --config typo.toml",
            "list -o memory.bm25_b=NaN",
            "list -o nonsense",
            "list -o log=loud",
        ],
        expect![[r#"
            $ recalld list --config typo.toml
            error: typo.toml, line 3: unknown setting "memory.dayly_days"
            hint: did you mean `memory.daily_days`?
            [2]
            $ recalld list --config value.toml
            error: the value of memory.daily_days (value.toml, line 2) is "soon", which is not a number from 1 to 36500
            hint: memory.daily_days: number of days until a daily note expires
            [2]
            $ recalld list --config broken.toml
            error: broken.toml, line 1: string values must be quoted, expected literal string
            hint: the file must be TOML
            [2]
            $ recalld list --config missing.toml
            error: cannot read the configuration file missing.toml: No such file or directory (os error 2)
            [2]
            $ recalld doctor --config typo.toml
            problem  configuration  typo.toml, line 3: unknown setting "memory.dayly_days"
                                    did you mean `memory.daily_days`?
            error: one check failed
            [1]
            $ recalld list -o memory.bm25_b=NaN
            error: the value of memory.bm25_b (argument -o) is "NaN", which is not a number from 0 to 1
            hint: memory.bm25_b: BM25 length normalisation
            [2]
            $ recalld list -o nonsense
            error: the option "nonsense" does not have the form KEY=VALUE
            hint: for example -o memory.daily_days=30
            [2]
            $ recalld list -o log=loud
            error: the value of log (argument -o) is "loud", which is not a log level
            hint: log: log level: error, warn, info, debug, trace, or TARGET=LEVEL,…
            [2]
        "#]],
    );
}

#[test]
fn the_template_is_a_valid_file() {
    let sandbox = Sandbox::new();
    let template = sandbox.run(&["config", "--template"]).out;
    let all: String = template
        .lines()
        .map(|line| {
            format!(
                "{}\n",
                line.strip_prefix("# ")
                    .filter(|rest| rest.contains(" = "))
                    .unwrap_or(line)
            )
        })
        .collect();
    fs::write(sandbox.home().join("all.toml"), all).unwrap();
    let run = sandbox.run(&["config", "--json", "--config", "all.toml"]);
    assert_eq!(
        setting(&run, "memory.daily_days"),
        ("90".to_owned(), "file".to_owned())
    );
}

#[test]
fn each_user_has_memories_of_their_own() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats", "--user", "ana"]);
    assert_eq!(sandbox.run(&["list", "-q"]).out, "");
    assert_ne!(sandbox.run(&["list", "-q", "--user", "ana"]).out, "");
}

#[test]
fn a_deployment_declares_its_own_categories() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("categories.json");
    let declared = r#"[{"name": "diet", "description": "what the user eats",
        "schema": {"type": "object", "properties": {"avoids": {"type": "array"}}, "additionalProperties": false}}]"#;
    std::fs::write(&file, declared).unwrap();
    let option = format!("profile.categories={}", file.display());
    let ask = |category: &str| {
        let arguments = format!(r#"{{"category": "{category}"}}"#);
        let presets = "profile.presets=account";
        sandbox.run(&[
            "tool",
            "get_user_context",
            &arguments,
            "-o",
            &option,
            "-o",
            presets,
        ])
    };
    assert_eq!(ask("diet").code, Some(0), "{:?}", ask("diet"));
    assert_eq!(ask("account").code, Some(0));
    let unknown = ask("icp");
    assert!(
        unknown.code != Some(0) && unknown.err.contains("diet"),
        "{unknown:?}"
    );
    for (bad, said) in [("{}", "list"), (r#"[{"name": "all"}]"#, "all")] {
        std::fs::write(&file, bad).unwrap();
        let run = ask("diet");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.err.contains(said), "{run:?}");
    }
    let run = sandbox.run(&["list", "-o", "profile.presets=b2c"]);
    assert!(
        run.code == Some(2) && run.err.contains("known are b2b, account"),
        "{run:?}"
    );
}

#[test]
fn the_page_on_configuration_has_every_setting() {
    let page = include_str!("../../../../docs/configuration.md");
    let shown = Sandbox::new().run(&["config"]).out;
    for line in shown.lines().skip(1) {
        let name = line.split_whitespace().next().unwrap();
        assert!(page.contains(&format!("| `{name}` |")), "{name} is missing");
    }
}

/// The URL of a Supabase project's API is not that of its database: nothing is stored elsewhere.
#[test]
fn a_supabase_project_without_its_database_is_refused() {
    let sandbox = Sandbox::new();
    let run = |line: &[&str], variables: &[(&str, &str)]| {
        let mut command = sandbox.command(line);
        command.env("SUPABASE_URL", "https://abc.supabase.co");
        command.envs(variables.iter().copied());
        crate::sandbox::finish(command)
    };
    let refused = run(&["add", "likes tea"], &[]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("SUPABASE_DB_URL"), "{refused:?}");
    assert!(!sandbox.data().exists(), "something was stored");
    let url = "postgres://nobody@127.0.0.1:1/memories";
    let shown = run(&["config", "--json"], &[("SUPABASE_DB_URL", url)]);
    assert_eq!(
        setting(&shown, "database.url"),
        ("\"(set)\"".to_owned(), "environment".to_owned())
    );
    let stored = run(&["add", "likes tea"], &[("RECALLD_DATABASE_URL", "none")]);
    assert_eq!(stored.code, Some(0), "{stored:?}");
}

#[test]
fn exported_tools_know_the_categories_of_the_deployment() {
    let sandbox = Sandbox::new();
    let declared = r#"[{"name": "diet", "description": "what the user eats"}]"#;
    fs::write(sandbox.home().join("categories.json"), declared).unwrap();
    let tools = |options: &[&str]| {
        sandbox
            .run(&[&["tools", "--format", "openai"], options].concat())
            .out
    };
    assert!(!tools(&[]).contains("diet"));
    assert!(tools(&["-o", "profile.categories=categories.json"]).contains("diet"));
}
