//! Whose words the lines of the Markdown files are.

use recalld_memory::memory::{Content, Origin};
use recalld_memory::remember::{Statement, remember};
use recalld_portability::files::FileName;

use crate::folder_editor::FolderEditor;
use crate::hand_edits::at;

/// What an agent noted stays an agent's note, however often the files are written and read. Only a
/// line that a person writes anew is theirs.
#[tokio::test]
async fn lines_that_are_left_as_they_are_keep_their_origin() {
    let mut editor = FolderEditor::new();
    let scope = editor.scope();
    for (content, origin) in [
        ("likes tea", Origin::Assistant),
        ("is said to be tall", Origin::Document),
    ] {
        let statement = Statement {
            origin,
            ..Statement::plain(Content::new(content).unwrap())
        };
        remember(&editor.ports, &scope, statement).await.unwrap();
    }
    for _ in 0..3 {
        editor.sync().await;
    }
    editor.edit(FileName::Memory, |lines| {
        let tea = at(lines, "likes tea");
        let moved = lines.remove(tea);
        let end = lines.len() - 1;
        lines.splice(end..end, ["## Drinks".to_owned(), moved]);
    });
    editor.sync().await;
    let now = editor.current().await;
    assert_eq!(now["likes tea"].trust, Origin::Assistant);
    assert_eq!(now["is said to be tall"].trust, Origin::Document);
    editor.edit(FileName::Memory, |lines| {
        let tea = at(lines, "likes tea");
        lines[tea] = lines[tea].replace("likes tea", "likes green tea");
    });
    editor.sync().await;
    assert_eq!(editor.current().await["likes green tea"].trust, Origin::User);
}
