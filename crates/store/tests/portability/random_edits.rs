//! Random edits of Markdown files: whatever people do, file and store come to agree, and nothing is
//! lost.

use std::collections::BTreeMap;

use recalld_memory::memory::{Memory, Tier};
use recalld_memory::ports::Store;
use recalld_portability::files::{FileName, NoteKind};

use crate::folder_editor::FolderEditor;
use crate::sample_user::scope;
use crate::scale;

/// Numbers that look random and are the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

fn items(lines: &[String]) -> Vec<usize> {
    (0..lines.len())
        .filter(|at| lines[*at].starts_with("- ") && lines[*at].ends_with("-->"))
        .collect()
}

/// One random edit of a random file. Gives the marks of the lines it touched.
fn play(editor: &mut FolderEditor, dice: &mut Dice, number: usize) -> Vec<String> {
    let names: Vec<FileName> = editor.files.keys().copied().collect();
    let name = names[dice.roll(names.len())];
    let mut touched = Vec::new();
    let mark = |line: &str| line[line.len() - 16..line.len() - 4].to_owned();
    editor.edit(name, |lines| {
        let there = items(lines);
        let some = there.get(dice.roll(there.len())).copied();
        match (dice.roll(6), some) {
            (0, Some(at)) => {
                touched.push(mark(&lines[at]));
                let (body, rest) = lines[at].split_once(" *(").unwrap();
                let new = match dice.roll(3) {
                    0 => format!("- **key{number}:** says {number}"),
                    1 => format!("- says {number} <br> and * more \\< of it"),
                    _ => format!("{body} and {number}"),
                };
                lines[at] = format!("{new} *({rest}");
            }
            (1, Some(at)) => {
                touched.push(mark(&lines[at]));
                lines.remove(at);
            }
            (2, Some(at)) => {
                // Under the heading of another category, perhaps a new one.
                let line = lines.remove(at);
                touched.push(mark(&line));
                let end = lines.len() - 1;
                lines.splice(end..end, [format!("## topic{}", dice.roll(4)), line]);
            }
            (3, _) => {
                let at = lines.len() - 1;
                lines.insert(at, format!("Thought number {number}, kept where it stands."));
            }
            (4, Some(at)) => lines.insert(at, format!("- **new{number}:** added fact {number}")),
            _ => {
                let end = lines.len() - 1;
                lines.splice(
                    end..end,
                    ["## added".to_owned(), format!("- another fact {number}")],
                );
            }
        }
    });
    touched
}

/// File and store agree, nothing unedited changes, nothing is lost.
#[tokio::test]
async fn random_hand_edits_converge() {
    let mut editor = FolderEditor::new();
    let mut dice = Dice(7);
    for number in 0..12 {
        let tier = match number % 3 {
            0 => Tier::Daily,
            _ => Tier::Durable,
        };
        editor
            .remember(&format!("fact number {number}"), None, tier)
            .await;
    }
    editor.sync().await;
    let mut thoughts = 0;
    for number in 0..100 * scale() {
        let before: BTreeMap<_, _> = editor
            .all()
            .await
            .into_iter()
            .map(|memory| (memory.id, memory))
            .collect();
        let touched = play(&mut editor, &mut dice, number);
        if dice.roll(5) == 0 {
            editor
                .remember(&format!("the store learns {number}"), None, Tier::Durable)
                .await;
        }
        let synced = editor.sync().await;
        assert!(
            synced.notes.iter().all(|note| note.kind != NoteKind::Unread),
            "{:?}",
            synced.notes
        );
        // Agreed: another run finds nothing to do, on either side.
        let files = editor.files.clone();
        let revision = editor.store.revision(scope("ana", 1).space()).await.unwrap();
        assert_eq!(editor.kinds().await, [], "edit {number}");
        assert_eq!(editor.files, files, "edit {number}");
        assert_eq!(
            editor.store.revision(scope("ana", 1).space()).await.unwrap(),
            revision
        );
        let after: BTreeMap<_, _> = editor
            .all()
            .await
            .into_iter()
            .map(|memory| (memory.id, memory))
            .collect();
        for (id, memory) in &before {
            let digits = id.to_string().replace('-', "");
            let is_touched = touched.iter().any(|mark| digits.ends_with(mark.as_str()));
            let now = after.get(id).expect("nothing is lost");
            // To leave the memory document, or to find room in it again, is no edit; it makes a
            // version all the same.
            let expected = match memory.in_document == now.in_document {
                true => Memory::clone(memory),
                false => Memory {
                    in_document: now.in_document,
                    version: now.version,
                    revised_at: now.revised_at,
                    ..Memory::clone(memory)
                },
            };
            assert!(is_touched || expected == **now, "{memory:?} became {now:?}");
        }
        let shown = editor.current().await.len();
        let text: String = editor.files.values().cloned().collect();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(items(&lines).len(), shown, "a line each, edit {number}");
        let kept = text.matches("Thought number").count();
        assert!(thoughts <= kept, "what people write stays");
        thoughts = kept;
    }
    assert!(5 < thoughts);
}
