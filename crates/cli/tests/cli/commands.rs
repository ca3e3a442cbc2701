//! What a person sees.

use crate::sandbox::Sandbox;
use expect_test::expect;

#[test]
fn what_is_added_is_found() {
    Sandbox::new().check(
        &[
            "add 'I prefer window seats' --category preference",
            "search 'seat preference'",
            "search umbrella",
        ],
        expect![[r#"
            $ recalld add 'I prefer window seats' --category preference
            Stored <short>~ (preference, durable)
              I prefer window seats
            $ recalld search 'seat preference'
            SCORE  ID        CATEGORY    LEARNED   STATEMENT
            0.46   <short>~  preference  just now  I prefer window seats
            $ recalld search umbrella
            Nothing found.
        "#]],
    );
}

#[test]
fn what_is_known_is_not_stored_again() {
    Sandbox::new().check(
        &[
            "add 'I prefer window seats'",
            "add '  i prefer WINDOW   seats!'",
            "add 'Staff engineer at Acme' --key role",
            "add 'Gardener' --key Role",
            "list",
        ],
        expect![[r#"
            $ recalld add 'I prefer window seats'
            Stored <short>~ (personal_context, durable)
              I prefer window seats
            $ recalld add '  i prefer WINDOW   seats!'
            Nothing stored: <short>~ already says this
              I prefer window seats
            Change it with: recalld update <short>~ "…"
            $ recalld add 'Staff engineer at Acme' --key role
            Stored role (personal_context, durable)
              Staff engineer at Acme
            $ recalld add 'Gardener' --key Role
            error: nothing was stored: the memory <id> already has the key "role" and says something else: "Staff engineer at Acme"
            hint: change that memory with `recalld update role "…"`, or choose another key
            [1]
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
    Sandbox::new().check(
        &[
            "add 'may like jazz' --confidence 0.6 --key music",
            "list --tier daily",
            "list --tier durable",
        ],
        expect![[r#"
            $ recalld add 'may like jazz' --confidence 0.6 --key music
            Stored music (personal_context, daily)
              may like jazz
            Stored as a daily note: confidence 0.6 is too low for a durable memory
            $ recalld list --tier daily
            ID        KEY    CATEGORY          LEARNED          STATEMENT
            <short>~  music  personal_context  just now  daily  may like jazz

            1 memory
            $ recalld list --tier durable
            No memories.
        "#]],
    );
}

#[test]
fn a_memory_can_be_changed() {
    Sandbox::new().check(
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
            Stored role (work_context, durable)
              Staff engineer at Acme
            $ recalld update role 'Principal engineer at Acme'
            Updated role, now at version 2
              Principal engineer at Acme
              (was: Staff engineer at Acme)
            $ recalld update role 'Principal engineer at Acme'
            Unchanged: role is like that already
            $ recalld update role
            error: no change given
            hint: give the new content, or one of --key, --no-key, --category, --tier, --confidence, --source, --valid-from, --valid-until, --in-project, --everywhere
            [2]
            $ recalld restore role --version 1
            Restored role, now at version 3
              Staff engineer at Acme
            $ recalld restore role --version 9
            error: the memory has no version 9
            hint: `recalld history role` lists the versions
            [3]
            $ recalld history role
            VERSION  TIME              CHANGE    ACTOR  STATEMENT
            1        YYYY-MM-DD hh:mm  remember  cli    Staff engineer at Acme
            2        YYYY-MM-DD hh:mm  revise    cli    Principal engineer at Acme
            3        YYYY-MM-DD hh:mm  restore   cli    Staff engineer at Acme
        "#]],
    );
}

#[test]
fn a_memory_can_be_hidden_and_brought_back() {
    Sandbox::new().check(
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
            Stored role (work_context, durable)
              Staff engineer at Acme
            $ recalld forget role
            Forgotten role
              Staff engineer at Acme
            Restore it with: recalld restore <short>~
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
              standing     retired; restore it with: recalld restore <short>~
            $ recalld update role 'Gardener'
            error: the memory "role" is hidden
            hint: restore it with `recalld restore <id>`
            [3]
            $ recalld forget role
            error: the memory "role" is hidden
            hint: restore it with `recalld restore <id>`
            [3]
            $ recalld list
            No memories.
            $ recalld list --hidden
            ID        KEY   CATEGORY      LEARNED            STATEMENT
            <short>~  role  work_context  just now  retired  Staff engineer at Acme

            1 memory
            $ recalld restore role
            Restored role, now at version 3
              Staff engineer at Acme
            $ recalld restore role
            error: the memory is not hidden
            hint: add --version N to restore an earlier version
            [3]
        "#]],
    );
}

#[test]
fn erasing_asks_first_and_leaves_nothing() {
    Sandbox::new().check(
        &[
            "add 'Staff engineer at Acme' --key role",
            "forget role --erase",
            "forget role --erase --yes",
            "history role",
            "list --all",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer at Acme' --key role
            Stored role (personal_context, durable)
              Staff engineer at Acme
            $ recalld forget role --erase
            error: refusing to erase without confirmation (no terminal)
            hint: add --yes to erase without confirmation
            [2]
            $ recalld forget role --erase --yes
            Erased <id> and its history
            $ recalld history role
            error: memory not found: "role"
            hint: `recalld list` shows all memories
            [3]
            $ recalld list --all
            No memories.
        "#]],
    );
}

#[test]
fn a_slip_of_the_finger_gets_a_suggestion() {
    Sandbox::new().check(
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
            Stored role (personal_context, durable)
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
            hint: put text that starts with a dash after `--`
            [2]
            $ recalld list --tier dayly
            error: invalid value 'dayly' for '--tier <TIER>' [possible values: durable, daily]
            hint: did you mean `daily`?
            [2]
            $ recalld show rolle
            error: memory not found: "rolle"
            hint: did you mean `role`?
            [3]
            $ recalld add 'I like tea' --category prefrence
            Stored <short>~ (prefrence, durable)
              I like tea
            note: prefrence is a new category; if you meant preference: `recalld update <short>~ --category preference`
            $ recalld list --category prefernce
            No memories.
            note: did you mean --category preference?
            $ recalld tool wrte_memory
            error: unknown tool "wrte_memory"
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
    let sandbox = Sandbox::new();
    sandbox.check(
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
              schema                     12
              sqlite version …
            $ recalld doctor
            ok       configuration  no file; the user is local
            ok       directory      ~/.local/share/recalld will be created with the first memory
            ok       disk           … MiB free
            ok       store          nothing is stored yet
            ok       search         keywords and meaning (builtin-1-0ef874c2d7e59eb3+encoder-1-5129f4fb9e25512b); all 0 texts are embedded
        "#]],
    );
    assert!(!sandbox.data().exists(), "looking made a directory");
}

#[test]
#[expect(clippy::too_many_lines, reason = "the transcript lists every command")]
fn help_is_short_and_has_examples() {
    Sandbox::new().check(
        &["-h"],
        expect![[r#"
            $ recalld -h
            The memory server for LLM agents: stores what matters about each user, and finds it again

            Usage: recalld [OPTIONS] <COMMAND>

            Commands:
              add          Stores one statement as a memory
              search       Finds memories, best match first
              list         Lists memories, newest first
              show         Shows one memory with all its properties
              update       Changes the content or the properties of a memory; its history records the earlier
                           version
              forget       Hides a memory, which can be restored; with --erase, removes it permanently
              restore      Restores a hidden memory, an earlier version of one, or a backup
              history      Shows every version of a memory, oldest first
              undo         Undoes the last change, or all changes of a source or a conversation, or after a time
              review       Lists memories that wait for review; confirms or forgets them
              audit        Finds duplicate, contradictory, stale, unused or secret-looking memories
              context      Prints what a model should know about a topic, within a token budget
              prompt       Prints the memory block of a system prompt: the time, and the user's memories at the
                           start of a conversation
              document     Shows the memory document: facts and places, within a token limit
              entity       Manages places, accounts and people, and the messages that mention them
              chat         Chats with a model that remembers
              extract      Updates the user's memories from their recent interactions
              runs         Lists the runs of the daily extraction, latest first
              learn        Learns from earlier sessions of coding agents, or explains what a message teaches
              files        Synchronises memories with Markdown files in a folder, in both directions
              export       Exports everything about the user to one archive: memories with their history,
                           conversations, profile, log
              import       Imports an archive of `recalld export`, or memories from another product
              erase        Removes everything about a user permanently: memories, history, conversations, files'
                           bases, keys
              backup       Copies the memories of all users to a new file, as of one moment
              models       Lists, installs and selects models for semantic search
              serve        Serves the memories over HTTP: REST, tools and MCP
              connect      Connects coding agents, editors and desktop programs to the memories
              hook         Runs at the turns of a coding agent's session; `recalld connect --hooks` sets it up
              pause        Pauses the hooks in coding agents: nothing is injected and nothing is captured
              why          Shows what the last session of a coding agent here was told, and why
              check        Checks whether the code still says what memories of the project rest on
              handoff      Notes or shows the state of the work in this project, for whoever continues
              console      Opens the web console, which shows memories and lets you correct them
              mcp          Serves the memory tools over MCP on standard input and output
              channels     Checks the settings of chat platforms; exits with 1 if one is wrong
              ingest       Adds files to the knowledge base, which all users can search
              keys         Creates, lists and revokes the API keys of the server
              users        Lists the users of the deployment: how much they have, and when they were last active
              tools        Lists the tools for models, or exports them in the format of a provider
              tool         Calls a tool as a model would; with --json, prints {"text": …, "data": …}
              stats        Shows statistics about memories
              migrate      Creates or updates the schema of a PostgreSQL database
              config       Shows the effective configuration, and where each value came from
              doctor       Checks the configuration, the data directory, the store and the models; exits with 1
                           if there is a problem
              demo         Shows in under a minute what the program does, on memories that are thrown away
              reindex      Creates missing vectors, for all users
              eval         Measures search or learning on a data set, without touching any memory
              completions  Prints the completion script of a shell
              help         Print this message or the help of the given subcommand(s)

            Options:
              -h, --help     Print help
              -V, --version  Print version

            Global options:
                  --data <DIR>          Directory that stores the memories [default: recalld in the platform's
                                        data directory]
                  --database-url <URL>  PostgreSQL database that stores the memories, instead of the data
                                        directory
                  --memory              Keeps memories in this process only: nothing is stored
                  --user <ID>           User whose memories to use [default: local]
                  --project <PROJECT>   Project to work in: a directory such as `.`, or a name
                  --config <FILE>       Configuration file [default: recalld/config.toml in the platform's
                                        configuration directory]
              -o, --option <KEY=VALUE>  Sets one configuration value (`recalld config` lists them)
                  --json                Prints results and errors as JSON
              -q, --quiet               Prints only what a script needs, such as ids
              -v, --verbose...          Logs more to standard error; repeat for more detail (-vv, -vvv)

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
    Sandbox::new().check(
        &["search -h", "--version"],
        expect![[r#"
            $ recalld search -h
            Finds memories, best match first

            Usage: recalld search [OPTIONS] <QUERY>

            Arguments:
              <QUERY>  What to look for; `-` reads it from standard input

            Options:
              -c, --category <CATEGORY>  Only memories of this category
              -t, --tier <TIER>          Only memories of this tier [possible values: durable, daily]
              -n, --limit <LIMIT>        Maximum number of results [default: 10]
                  --since <TIME>         Only memories learned at or after this time (RFC 3339) or day (UTC)
                  --until <TIME>         Only memories learned before this time or day
                  --as-of <TIME>         Only what was known at this time or day, what held then first
              -h, --help                 Print help

            Global options:
                  --data <DIR>          Directory that stores the memories [default: recalld in the platform's
                                        data directory]
                  --database-url <URL>  PostgreSQL database that stores the memories, instead of the data
                                        directory
                  --memory              Keeps memories in this process only: nothing is stored
                  --user <ID>           User whose memories to use [default: local]
                  --project <PROJECT>   Project to work in: a directory such as `.`, or a name
                  --config <FILE>       Configuration file [default: recalld/config.toml in the platform's
                                        configuration directory]
              -o, --option <KEY=VALUE>  Sets one configuration value (`recalld config` lists them)
                  --json                Prints results and errors as JSON
              -q, --quiet               Prints only what a script needs, such as ids
              -v, --verbose...          Logs more to standard error; repeat for more detail (-vv, -vvv)

            Examples:
              recalld search "seat preference"
              recalld search rust --category reading_history -n 3
              recalld search flight --since YYYY-MM-DD --json
            $ recalld --version
            recalld 0.2.0
        "#]],
    );
}

#[test]
fn a_script_gets_ids() {
    let sandbox = Sandbox::new();
    let added = sandbox.run(&["add", "-q", "I prefer window seats"]);
    assert_eq!(added.out, sandbox.run(&["list", "-q"]).out);
    let id = added.out.trim();
    assert_eq!(sandbox.run(&["show", "-q", id]).out, "I prefer window seats\n");
    assert_eq!(sandbox.run(&["show", "-q", &id[id.len() - 8..]]).code, Some(0));
}
