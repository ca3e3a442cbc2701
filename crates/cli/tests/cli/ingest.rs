//! `recalld ingest`: files that are there, files that are not, and documents whose files are gone.

use std::fs;

use expect_test::expect;

use crate::sandbox::Sandbox;

/// A home with two documents, one of them alone in a folder.
fn library() -> Sandbox {
    let sandbox = Sandbox::new();
    for (file, text) in [
        ("docs/leave.md", "# Leave\n\nEveryone has 30 days of leave."),
        ("docs2/trips.md", "# Trips\n\nTrains are preferred."),
        ("kd/one.md", "# One\n\nThe office is closed on Mondays."),
    ] {
        let file = sandbox.home().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    sandbox
}

#[test]
fn a_path_that_is_missing_is_told_and_the_rest_goes_in() {
    library().check(
        &[
            "ingest nope/",
            "ingest docs/leave.md docs/nope.md",
            "ingest docs/leave.md",
        ],
        expect![[r#"
            $ recalld ingest nope/
            0 added, 0 replaced, 0 unchanged, 0 removed; 0 chunks
            skipped nope/: file or folder not found
            1 path could not be ingested.
            error: nothing could be ingested
            [1]
            $ recalld ingest docs/leave.md docs/nope.md
            1 added, 0 replaced, 0 unchanged, 0 removed; 1 chunk
            skipped docs/nope.md: file or folder not found
            1 path could not be ingested.
            error: one of the given paths could not be ingested
            [1]
            $ recalld ingest docs/leave.md
            0 added, 0 replaced, 1 unchanged, 0 removed; 1 chunk
        "#]],
    );
}

#[test]
fn a_document_goes_with_its_file_or_folder() {
    let sandbox = library();
    sandbox.run(&["ingest", "docs", "docs2", "kd"]);
    fs::remove_dir_all(sandbox.home().join("kd")).unwrap();
    fs::remove_dir_all(sandbox.home().join("docs")).unwrap();
    let knowledge = r#"tool search_knowledge_base '{"query": "office mondays"}'"#;
    sandbox.check(
        &[
            "ingest kd/one.md",
            knowledge,
            "ingest kd/one.md --prune",
            "ingest kd/one.md --prune",
            knowledge,
            "ingest dcs --prune",
            "ingest '' --prune",
            "ingest docs --prune",
            "ingest docs2 --prune",
        ],
        expect![[r#"
            $ recalld ingest kd/one.md
            0 added, 0 replaced, 0 unchanged, 0 removed; 0 chunks
            skipped kd/one.md: file or folder not found
            1 path could not be ingested.
            error: nothing could be ingested
            [1]
            $ recalld tool search_knowledge_base '{"query": "office mondays"}'
            From the knowledge base, the best match first:
            - "~/kd/one.md", "One": "The office is closed on Mondays."
            - "~/docs/leave.md", "Leave": "Everyone has 30 days of leave."
            $ recalld ingest kd/one.md --prune
            0 added, 0 replaced, 0 unchanged, 1 removed; 0 chunks
            $ recalld ingest kd/one.md --prune
            0 added, 0 replaced, 0 unchanged, 0 removed; 0 chunks
            skipped kd/one.md: file or folder not found, and no document came from it
            1 path could not be ingested.
            error: nothing could be ingested
            [1]
            $ recalld tool search_knowledge_base '{"query": "office mondays"}'
            From the knowledge base, the best match first:
            - "~/docs/leave.md", "Leave": "Everyone has 30 days of leave."
            $ recalld ingest dcs --prune
            0 added, 0 replaced, 0 unchanged, 0 removed; 0 chunks
            skipped dcs: file or folder not found, and no document came from it
            1 path could not be ingested.
            error: nothing could be ingested
            [1]
            $ recalld ingest '' --prune
            error: a value is required for '<PATHS>...' but none was supplied
            hint: see `recalld ingest --help`
            [2]
            $ recalld ingest docs --prune
            0 added, 0 replaced, 0 unchanged, 1 removed; 0 chunks
            $ recalld ingest docs2 --prune
            0 added, 0 replaced, 1 unchanged, 0 removed; 1 chunk
        "#]],
    );
}
