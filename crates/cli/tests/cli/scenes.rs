//! What a person sees.

use expect_test::expect;

use crate::bench::Bench;

#[test]
fn what_is_added_is_found() {
    Bench::new().check(
        &[
            "add 'I prefer window seats' --category preference",
            "search 'seat preference'",
            "search umbrella",
        ],
        expect![[r#"
            $ recalld add 'I prefer window seats' --category preference
            Remembered <short>~ (preference, durable)
              I prefer window seats
            $ recalld search 'seat preference'
            SCORE  ID        CATEGORY    LEARNED   STATEMENT
            0.50   <short>~  preference  just now  I prefer window seats
            $ recalld search umbrella
            Nothing found.
        "#]],
    );
}

#[test]
fn what_is_known_is_not_stored_again() {
    Bench::new().check(
        &[
            "add 'I prefer window seats'",
            "add '  i prefer WINDOW   seats!'",
            "add 'Staff engineer at Acme' --key role",
            "add 'Gardener' --key Role",
            "list",
        ],
        expect![[r#"
            $ recalld add 'I prefer window seats'
            Remembered <short>~ (personal_context, durable)
              I prefer window seats
            $ recalld add '  i prefer WINDOW   seats!'
            Nothing stored: it is remembered already, by <short>~
              I prefer window seats
            Change it with: recalld update <short>~ "…"
            $ recalld add 'Staff engineer at Acme' --key role
            Remembered role (personal_context, durable)
              Staff engineer at Acme
            $ recalld add 'Gardener' --key Role
            Nothing stored: that key is taken, by role
              Staff engineer at Acme
            Change it with: recalld update role "…"
            $ recalld list
            ID        KEY   CATEGORY          LEARNED   STATEMENT
            <short>~  role  personal_context  just now  Staff engineer at Acme
            <short>~        personal_context  just now  I prefer window seats

            2 memories
        "#]],
    );
}

#[test]
fn an_unsure_statement_becomes_a_daily_note() {
    Bench::new().check(
        &[
            "add 'may like jazz' --confidence 0.6 --key music",
            "list --tier daily",
            "list --tier durable",
        ],
        expect![[r#"
            $ recalld add 'may like jazz' --confidence 0.6 --key music
            Remembered music (personal_context, daily)
              may like jazz
            A daily note and not durable: confidence 0.6 is too low
            $ recalld list --tier daily
            ID        KEY    CATEGORY          LEARNED          STATEMENT
            <short>~  music  personal_context  just now  daily  may like jazz

            1 memory
            $ recalld list --tier durable
            Nothing is remembered here.
        "#]],
    );
}

#[test]
fn a_memory_can_be_changed() {
    Bench::new().check(
        &[
            "add 'Staff engineer at Acme' --key role --category work_context",
            "update role 'Principal engineer at Acme'",
            "update role 'Principal engineer at Acme'",
            "update role",
            "restore role --version 1",
            "restore role --version 9",
            "history role",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer at Acme' --key role --category work_context
            Remembered role (work_context, durable)
              Staff engineer at Acme
            $ recalld update role 'Principal engineer at Acme'
            Updated role, now at version 2
              Principal engineer at Acme
              (was: Staff engineer at Acme)
            $ recalld update role 'Principal engineer at Acme'
            Unchanged: role is like that already
            $ recalld update role
            error: nothing to change is given
            hint: give the new content, or one of --key, --no-key, --category, --tier, --confidence, --source
            [2]
            $ recalld restore role --version 1
            Restored role, now at version 3
              Staff engineer at Acme
            $ recalld restore role --version 9
            error: it has no version 9
            hint: `recalld history role` lists them
            [3]
            $ recalld history role
            VERSION  WHEN              WHAT      BY   STATEMENT
            1        YYYY-MM-DD hh:mm  remember  cli  Staff engineer at Acme
            2        YYYY-MM-DD hh:mm  revise    cli  Principal engineer at Acme
            3        YYYY-MM-DD hh:mm  restore   cli  Staff engineer at Acme
        "#]],
    );
}

#[test]
fn a_memory_can_be_hidden_and_brought_back() {
    Bench::new().check(
        &[
            "add 'Staff engineer at Acme' --key role --category work_context",
            "forget role",
            "show role",
            "update role 'Gardener'",
            "forget role",
            "list",
            "list --hidden",
            "restore role",
            "restore role",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer at Acme' --key role --category work_context
            Remembered role (work_context, durable)
              Staff engineer at Acme
            $ recalld forget role
            Forgotten role
              Staff engineer at Acme
            Bring it back with: recalld restore <short>~
            $ recalld show role
            Staff engineer at Acme

              key          role
              id           <id>
              category     work_context
              tier         durable
              confidence   1
              origin       user
              learned      YYYY-MM-DD hh:mm
              revised      YYYY-MM-DD hh:mm
              version      2
              standing     retired; bring it back with: recalld restore <short>~
            $ recalld update role 'Gardener'
            error: the memory "role" is hidden
            hint: bring it back with `recalld restore <id>`
            [3]
            $ recalld forget role
            error: the memory "role" is hidden
            hint: bring it back with `recalld restore <id>`
            [3]
            $ recalld list
            Nothing is remembered here.
            $ recalld list --hidden
            ID        KEY   CATEGORY      LEARNED            STATEMENT
            <short>~  role  work_context  just now  retired  Staff engineer at Acme

            1 memory
            $ recalld restore role
            Restored role, now at version 3
              Staff engineer at Acme
            $ recalld restore role
            error: it is not hidden
            hint: to go back to an earlier version, add --version N
            [3]
        "#]],
    );
}

#[test]
fn erasing_asks_first_and_leaves_nothing() {
    Bench::new().check(
        &[
            "add 'Staff engineer at Acme' --key role",
            "forget role --erase",
            "forget role --erase --yes",
            "history role",
            "list --all",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer at Acme' --key role
            Remembered role (personal_context, durable)
              Staff engineer at Acme
            $ recalld forget role --erase
            error: erasing cannot be undone, and nobody is there to ask
            hint: add --yes to erase without being asked
            [2]
            $ recalld forget role --erase --yes
            Erased <id> and its history
            $ recalld history role
            error: there is no memory "role"
            hint: `recalld list` shows what is remembered
            [3]
            $ recalld list --all
            Nothing is remembered here.
        "#]],
    );
}

#[test]
fn a_slip_of_the_finger_gets_a_suggestion() {
    Bench::new().check(
        &[
            "add 'Staff engineer at Acme' --key role",
            "serch seats",
            "search seats --limt 3",
            "add '-5 degrees is too cold'",
            "list --tier dayly",
            "show rolle",
            "add 'I like tea' --category prefrence",
            "list --category prefernce",
            "tool wrte_memory",
            "tools --format opnai",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer at Acme' --key role
            Remembered role (personal_context, durable)
              Staff engineer at Acme
            $ recalld serch seats
            error: unrecognized subcommand 'serch'
            hint: did you mean `search`?
            [2]
            $ recalld search seats --limt 3
            error: unexpected argument '--limt' found
            hint: did you mean `--limit`?
            [2]
            $ recalld add '-5 degrees is too cold'
            error: unexpected argument '-5' found
            hint: text that starts with a dash goes after `--`
            [2]
            $ recalld list --tier dayly
            error: invalid value 'dayly' for '--tier <TIER>' [possible values: durable, daily]
            hint: did you mean `daily`?
            [2]
            $ recalld show rolle
            error: there is no memory "rolle"
            hint: did you mean `role`?
            [3]
            $ recalld add 'I like tea' --category prefrence
            Remembered <short>~ (prefrence, durable)
              I like tea
            note: the category prefrence is a new one; if you meant preference: `recalld update <short>~ --category preference`
            $ recalld list --category prefernce
            Nothing is remembered here.
            note: did you mean --category preference?
            $ recalld tool wrte_memory
            error: there is no tool "wrte_memory"
            hint: did you mean `write_memory`?
            [2]
            $ recalld tools --format opnai
            error: invalid value 'opnai' for '--format <FORMAT>' [possible values: openai, responses, anthropic, mcp]
            hint: did you mean `openai`?
            [2]
        "#]],
    );
}

#[test]
fn figures_and_health_are_told() {
    let bench = Bench::new();
    bench.check(
        &["stats", "doctor"],
        expect![[r#"
            $ recalld stats
            Memories of local
              current      0 (0 durable, 0 daily)
              hidden       0 (0 forgotten, 0 expired)

            Entities
              places       0
              accounts     0
              people       0

            Document
              facts        0
              tokens       … of 10000

            Store
              bytes free in the database 0
              database                   in memory
              rows in chunks             0
              rows in conversations      0
              rows in documents          0
              rows in entities           0
              rows in events             0
              rows in keys               0
              rows in memories           0
              rows in memory_versions    0
              rows in mentions           0
              rows in messages           0
              rows in records            0
              rows in spaces             0
              rows in vectors            0
              schema                     9
              sqlite version …
            $ recalld doctor
            ok       configuration  no file, which is fine; the user is local
            ok       directory      ~/.local/share/recalld will be made by the first memory
            ok       disk           … MiB are free
            ok       store          nothing is stored yet
            ok       search         by words and meaning (builtin-1-0ef874c2d7e59eb3)
        "#]],
    );
    assert!(!bench.data().exists(), "looking made a directory");
    bench.run(&["add", "I prefer window seats"]);
    let wrong = bench.run(&["doctor", "-q"]).out;
    // The disk of this machine may be full.
    assert!(wrong.lines().all(|line| line.starts_with("disk: ")), "{wrong}");
}

#[test]
fn help_is_short_and_has_examples() {
    Bench::new().check(
        &["-h"],
        expect![[r#"
            $ recalld -h
            Remembers what matters about a user, and finds it again

            Usage: recalld [OPTIONS] <COMMAND>

            Commands:
              add          Remembers one statement
              search       Finds memories, the best match first
              list         Lists what is remembered, the newest first
              show         Shows one memory with all that is known about it
              update       Changes what a memory says or how it is labelled; its history keeps the earlier state
              forget       Hides a memory, which can be restored; with --erase it is gone for good
              restore      Brings back a hidden memory, an earlier version of one, or everything from a backup
              history      Shows every version of a memory, the oldest first
              undo         Takes back the last change, or all of one source or conversation, or since a time
              audit        Looks for memories that are double, contradicting, old, unused or secret
              context      Writes what a model should know for a topic, never over a token budget
              prompt       Writes the block for a system prompt: the time, and the user's memories when a
                           conversation opens
              document     Shows the memory document: facts and places, under a token cap
              entity       Remembers places, accounts and people, and the messages that mention them
              chat         Talks with a model that remembers
              extract      Goes through what the user did, and brings their memories up to date
              runs         Lists the runs of the daily extraction, the latest first
              files        Keeps memories as Markdown files in a folder, in step with the store in both
                           directions
              export       Writes everything the user has to one archive: memories with their history,
                           conversations, profile, log
              import       Takes in an archive of `recalld export`, or what people have elsewhere
              erase        Removes everything a user has, for good: memories, history, conversations, files'
                           bases, keys
              backup       Copies everything, of all users and as of one moment, to a new file
              models       Shows, installs and chooses the model for semantic search
              serve        Serves the memories over HTTP: REST, tools and MCP
              console      Opens the web console, where you see and correct what is remembered
              mcp          Serves the memory tools over MCP on standard input and output
              ingest       Takes files into the knowledge base, which all users may search
              keys         Makes, lists and revokes the keys by which callers of the server are known
              tools        Lists the tools for models, or exports them in the shape that a provider asks for
              tool         Calls a tool as a model would; with --json the answer is {"text": …, "data": …}
              stats        Counts what is remembered
              migrate      Creates or updates the schema of a PostgreSQL database
              config       Shows the configuration in force, and where each value came from
              doctor       Examines the data directory, the store and the configuration; ends with 1 when
                           something is wrong
              reindex      Makes the vectors that are missing, for all users
              eval         Measures search on a data set, without touching any memory
              completions  Writes the completions for a shell
              help         Print this message or the help of the given subcommand(s)

            Options:
              -h, --help     Print help
              -V, --version  Print version

            Global options:
                  --data <DIR>          Directory in which the memories are kept [default: the platform's data
                                        directory]
                  --database-url <URL>  PostgreSQL database for the memories, in place of the directory
                  --user <ID>           User whose memories are meant [default: local]
                  --config <FILE>       Configuration file [default: recalld/config.toml where the platform
                                        keeps such files]
              -o, --option <KEY=VALUE>  Sets one value of the configuration (see `recalld config`)
                  --json                Answers in JSON, errors too
              -q, --quiet               Says only what matters to a script, such as ids
              -v, --verbose...          Logs more to standard error; twice or three times for even more

            Examples:
              recalld add "I prefer window seats" --category preference
              recalld search "seat preference"
              recalld context "booking a flight" --max-tokens 500
              recalld add --help
        "#]],
    );
}

#[test]
fn each_command_has_help_with_examples() {
    Bench::new().check(
        &["search -h", "--version"],
        expect![[r#"
            $ recalld search -h
            Finds memories, the best match first

            Usage: recalld search [OPTIONS] <QUERY>

            Arguments:
              <QUERY>  What to look for; `-` reads it from standard input

            Options:
              -c, --category <CATEGORY>  Only memories of this category
              -t, --tier <TIER>          Only memories of this tier [possible values: durable, daily]
              -n, --limit <LIMIT>        How many to show [default: 10]
                  --since <TIME>         Only what was learned at this time (RFC 3339) or day (UTC), or later
                  --until <TIME>         Only what was learned before this time or day
              -h, --help                 Print help

            Global options:
                  --data <DIR>          Directory in which the memories are kept [default: the platform's data
                                        directory]
                  --database-url <URL>  PostgreSQL database for the memories, in place of the directory
                  --user <ID>           User whose memories are meant [default: local]
                  --config <FILE>       Configuration file [default: recalld/config.toml where the platform
                                        keeps such files]
              -o, --option <KEY=VALUE>  Sets one value of the configuration (see `recalld config`)
                  --json                Answers in JSON, errors too
              -q, --quiet               Says only what matters to a script, such as ids
              -v, --verbose...          Logs more to standard error; twice or three times for even more

            Examples:
              recalld search "seat preference"
              recalld search rust --category reading_history -n 3
              recalld search flight --since YYYY-MM-DD --json
            $ recalld --version
            recalld 0.1.0
        "#]],
    );
}

#[test]
fn a_script_gets_ids() {
    let bench = Bench::new();
    let added = bench.run(&["add", "-q", "I prefer window seats"]);
    let listed = bench.run(&["list", "-q"]);
    assert_eq!(added.out, listed.out);
    let id = added.out.trim();
    assert_eq!(bench.run(&["show", "-q", id]).out, "I prefer window seats\n");
    assert_eq!(bench.run(&["show", "-q", &id[id.len() - 8..]]).code, Some(0));
}

#[test]
fn completions_are_for_the_shells_in_use() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = Bench::new().run(&["completions", shell]);
        assert!(
            run.code == Some(0) && run.out.contains("recalld"),
            "{shell}: {run:?}"
        );
    }
}
