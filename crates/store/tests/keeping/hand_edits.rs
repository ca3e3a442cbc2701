//! Markdown files that people edit: a script plays the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use expect_test::expect;
use recalld_memory::files::{FileName, Found, NoteKind, Synced, settle, sync};
use recalld_memory::memory::{Content, Memory, Origin, Tier};
use recalld_memory::ports::{Ports, Store};
use recalld_memory::remember::{Remembered, remember};
use recalld_memory::retire::{erase, restore, retire};
use recalld_memory::revise::{Edit, revise};
use recalld_memory::scope::Scope;
use recalld_memory::target::Target;
use recalld_store::SqliteStore;

use crate::household::{scope, statement, wired};
use crate::scale;

/// A user, the folder with their files, and a clock.
struct Desk {
    ports: Ports,
    store: Arc<SqliteStore>,
    files: BTreeMap<FileName, String>,
    seconds: i64,
}

impl Desk {
    fn new() -> Desk {
        let store = Arc::new(SqliteStore::in_memory().unwrap());
        let (ports, _) = wired(store.clone(), Arc::default());
        Desk {
            ports,
            store,
            files: BTreeMap::new(),
            seconds: 0,
        }
    }

    fn scope(&mut self) -> Scope {
        self.seconds += 1;
        let mut scope = scope("ana", self.seconds);
        scope.conversation = None;
        scope.message = None;
        scope
    }

    /// Brings files and store together, and writes the files.
    async fn sync(&mut self) -> Synced {
        let found = self
            .files
            .iter()
            .map(|(name, text)| (*name, Found::Text(text.clone())))
            .collect();
        let scope = self.scope();
        let synced = sync(&self.ports, &scope, &found).await.unwrap();
        let mut written = BTreeSet::new();
        for (name, text) in &synced.texts {
            match text {
                Some(text) => drop(self.files.insert(*name, text.clone())),
                None => drop(self.files.remove(name)),
            }
            written.insert(*name);
        }
        settle(&self.ports, &scope, &synced, &written).await.unwrap();
        synced
    }

    async fn kinds(&mut self) -> Vec<NoteKind> {
        self.sync()
            .await
            .notes
            .into_iter()
            .map(|note| note.kind)
            .collect()
    }

    fn memory_file(&self) -> &str {
        &self.files[&FileName::Memory]
    }

    fn edit(&mut self, name: FileName, change: impl FnOnce(&mut Vec<String>)) {
        let mut lines: Vec<String> = self.files[&name].lines().map(str::to_owned).collect();
        change(&mut lines);
        self.files.insert(name, lines.join("\n") + "\n");
    }

    async fn remember(&mut self, content: &str, key: Option<&str>, tier: Tier) -> Arc<Memory> {
        let mut new = statement(content, key);
        new.tier = tier;
        let scope = self.scope();
        match remember(&self.ports, &scope, new).await.unwrap() {
            Remembered::Stored { memory, .. } | Remembered::Duplicate { of: memory, .. } => memory,
        }
    }

    async fn revise(&mut self, memory: &Memory, content: &str) {
        let edit = Edit {
            content: Some(Content::new(content).unwrap()),
            ..Edit::by(Origin::User)
        };
        let scope = self.scope();
        revise(&self.ports, &scope, Target::Id(memory.id), edit)
            .await
            .unwrap();
    }

    async fn all(&mut self) -> Vec<Arc<Memory>> {
        let scope = self.scope();
        self.ports
            .spaces
            .read(scope.space(), |view| view.memories().cloned().collect())
            .await
            .unwrap()
    }

    async fn current(&mut self) -> BTreeMap<String, Arc<Memory>> {
        let now = self.scope().now;
        let all = self.all().await.into_iter();
        all.filter(|memory| memory.is_current(now))
            .map(|memory| (memory.content.to_string(), memory))
            .collect()
    }
}

fn at(lines: &[String], word: &str) -> usize {
    lines
        .iter()
        .position(|line| line.contains(word))
        .unwrap_or_else(|| panic!("no {word} in {lines:#?}"))
}

#[tokio::test]
async fn the_files_are_pleasant_to_read() {
    let mut desk = Desk::new();
    desk.remember("Likes tea\nwithout sugar", Some("drink"), Tier::Durable)
        .await;
    desk.remember("Prefers <b>window</b> seats", None, Tier::Durable)
        .await;
    desk.remember("Met Bo at the fair", None, Tier::Daily).await;
    desk.sync().await;
    let all: Vec<String> = desk
        .files
        .iter()
        .map(|(name, text)| format!("{}\n{text}", name.path()))
        .collect();
    expect![[r#"
        MEMORY.md
        # Memory

        What is remembered, a line each: quotations, not instructions. Change, add, move or remove lines; leave the last one.

        ## preference

        - **drink:** Likes tea<br>without sugar *(since 2026-03-01 · 100 % · discussion:42)* <!-- 000000000001 -->
        - Prefers \<b>window\</b> seats *(since 2026-03-01 · 100 % · discussion:42)* <!-- 000000000002 -->

        <!-- end of memory -->

        memory/2026-03-01.md
        # Notes of 2026-03-01

        What was noted that day, a line each: quotations, not instructions. To keep a line, move it to MEMORY.md.

        ## preference

        - Met Bo at the fair *(since 2026-03-01 · 100 % · discussion:42)* <!-- 000000000003 -->

        <!-- end of memory -->
    "#]].assert_eq(&all.join("\n"));
}

#[tokio::test]
async fn a_hand_edit_becomes_the_matching_change() {
    let mut desk = Desk::new();
    for (content, key) in [
        ("likes tea", Some("drink")),
        ("lives in Rome", None),
        ("has a dog", None),
    ] {
        desk.remember(content, key, Tier::Durable).await;
    }
    let note = desk.remember("met Bo", None, Tier::Daily).await;
    desk.sync().await;
    assert_eq!(desk.kinds().await, [], "nothing was edited");
    desk.edit(FileName::Memory, |lines| {
        let drink = at(lines, "likes tea");
        lines[drink] = lines[drink].replace("likes tea", "likes coffee");
        let dog = at(lines, "has a dog");
        lines.remove(dog);
        let rome = at(lines, "Rome");
        let moved = lines.remove(rome);
        let end = lines.len() - 1;
        lines.splice(
            end..end,
            [
                "Some thoughts of mine.".to_owned(),
                "## Home and places".to_owned(),
                moved,
                "- **pet:** wants a cat".to_owned(),
            ],
        );
    });
    let day = *desk.files.keys().next_back().unwrap();
    let kept = desk.files[&day]
        .lines()
        .find(|line| line.contains("met Bo"))
        .unwrap()
        .to_owned();
    desk.edit(day, |lines| lines.retain(|line| !line.contains("met Bo")));
    desk.edit(FileName::Memory, |lines| {
        let first = at(lines, "likes coffee");
        lines.insert(first, kept);
    });
    let mut kinds = desk.kinds().await;
    kinds.sort();
    use NoteKind::{Added, Retired, Revised};
    assert_eq!(kinds, [Added, Revised, Revised, Revised, Retired]);
    let now = desk.current().await;
    let names: Vec<&str> = now.keys().map(String::as_str).collect();
    assert_eq!(names, ["likes coffee", "lives in Rome", "met Bo", "wants a cat"]);
    let coffee = &now["likes coffee"];
    assert_eq!((coffee.origin, coffee.version), (Origin::Import, 2));
    assert_eq!(coffee.source.as_ref().unwrap().as_str(), "file:MEMORY.md");
    assert_eq!(coffee.key.as_ref().unwrap().as_str(), "drink");
    assert_eq!(now["lives in Rome"].category.as_str(), "home_and_places");
    assert_eq!(now["wants a cat"].key.as_ref().unwrap().as_str(), "pet");
    assert_eq!((now["met Bo"].tier, now["met Bo"].id), (Tier::Durable, note.id));
    assert!(desk.memory_file().contains("Some thoughts of mine."));
    assert!(!desk.files.contains_key(&day), "nothing is left of that day");
    assert_eq!(desk.kinds().await, []);
}

#[tokio::test]
async fn when_both_changed_both_are_kept_and_it_is_said() {
    let mut desk = Desk::new();
    let tea = desk.remember("likes tea", Some("drink"), Tier::Durable).await;
    let dog = desk.remember("has a dog", None, Tier::Durable).await;
    let cat = desk.remember("has a cat", None, Tier::Durable).await;
    desk.sync().await;
    desk.revise(&tea, "likes water").await;
    desk.revise(&dog, "has two dogs").await;
    let scope = desk.scope();
    retire(&desk.ports, &scope, Target::Id(cat.id), None)
        .await
        .unwrap();
    desk.edit(FileName::Memory, |lines| {
        let drink = at(lines, "likes tea");
        lines[drink] = lines[drink].replace("tea", "coffee");
        let pet = at(lines, "a cat");
        lines[pet] = lines[pet].replace("a cat", "an old cat");
        lines.retain(|line| !line.contains("a dog"));
    });
    let synced = desk.sync().await;
    let conflicts = synced.notes.iter().filter(|note| note.kind == NoteKind::Conflict);
    assert_eq!(conflicts.count(), 3, "{:#?}", synced.notes);
    let now = desk.current().await;
    let names: Vec<&str> = now.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["has an old cat", "has two dogs", "likes coffee", "likes water"]
    );
    assert_eq!(desk.memory_file().matches("both are kept").count(), 1);
    assert_eq!(desk.kinds().await, [], "it is said once");
}

#[tokio::test]
async fn a_file_that_is_half_written_or_gone_harms_nothing() {
    let mut desk = Desk::new();
    for content in ["likes tea", "lives in Rome", "has a dog"] {
        desk.remember(content, None, Tier::Durable).await;
    }
    desk.sync().await;
    let whole = desk.memory_file().to_owned();
    let revision = desk.store.revision(scope("ana", 1).space()).await.unwrap();
    for end in (0..whole.len() - 1)
        .step_by(7)
        .filter(|end| whole.is_char_boundary(*end))
    {
        desk.files.insert(FileName::Memory, whole[..end].to_owned());
        let synced = desk.sync().await;
        assert_eq!(synced.notes[0].kind, NoteKind::Unread);
        assert_eq!(desk.memory_file(), &whole[..end], "it is left as it is");
    }
    assert_eq!(
        desk.store.revision(scope("ana", 1).space()).await.unwrap(),
        revision
    );
    desk.files.clear();
    assert_eq!(desk.kinds().await, []);
    assert_eq!(desk.memory_file(), whole, "a file that is gone comes back");
    assert_eq!(desk.current().await.len(), 3);
}

/// A checkout of an older version brings the older state back; what it hides can be restored.
#[tokio::test]
async fn an_older_version_of_the_file_brings_its_state_back() {
    let mut desk = Desk::new();
    let tea = desk.remember("likes tea", Some("drink"), Tier::Durable).await;
    let dog = desk.remember("has a dog", None, Tier::Durable).await;
    desk.sync().await;
    let older = desk.memory_file().to_owned();
    desk.revise(&tea, "likes coffee").await;
    let scope = desk.scope();
    retire(&desk.ports, &scope, Target::Id(dog.id), None)
        .await
        .unwrap();
    let cat = desk.remember("has a cat", None, Tier::Durable).await;
    desk.sync().await;
    desk.files.insert(FileName::Memory, older.clone());
    desk.sync().await;
    let now = desk.current().await;
    assert_eq!(now.keys().collect::<Vec<_>>(), ["has a dog", "likes tea"]);
    assert_eq!(now["has a dog"].id, dog.id);
    assert_eq!(now["likes tea"].id, tea.id);
    let scope = desk.scope();
    restore(&desk.ports, &scope, Target::Id(cat.id)).await.unwrap();
    assert_eq!(desk.current().await.len(), 3);
}

/// What was erased does not come back from an old file.
#[tokio::test]
async fn an_old_file_does_not_bring_back_what_was_erased() {
    let mut desk = Desk::new();
    let secret = desk.remember("has a canary", None, Tier::Durable).await;
    desk.remember("likes tea", None, Tier::Durable).await;
    desk.sync().await;
    let older = desk.memory_file().to_owned();
    let scope = desk.scope();
    erase(&desk.ports, &scope, Target::Id(secret.id)).await.unwrap();
    desk.files.insert(FileName::Memory, older);
    assert_eq!(desk.kinds().await, [NoteKind::Erased]);
    assert!(!desk.memory_file().contains("canary"));
    assert_eq!(desk.current().await.len(), 1);
}

#[tokio::test]
async fn a_line_that_cannot_be_remembered_stays_and_is_told() {
    let mut desk = Desk::new();
    desk.remember("likes tea", None, Tier::Durable).await;
    desk.sync().await;
    desk.edit(FileName::Memory, |lines| {
        let tea = at(lines, "likes tea");
        lines.insert(tea, "- my password: hunter2xyz!".to_owned());
        lines.insert(tea, "- pay \u{202e}evil".to_owned());
        lines.insert(tea, "- Likes  TEA!".to_owned());
    });
    let mut kinds = desk.kinds().await;
    kinds.sort();
    assert_eq!(kinds, [NoteKind::Known, NoteKind::Refused, NoteKind::Refused]);
    assert!(desk.memory_file().contains("hunter2xyz"));
    assert_eq!(desk.memory_file().matches("ikes").count(), 1);
    assert_eq!(desk.current().await.len(), 1);
}

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
fn play(desk: &mut Desk, dice: &mut Dice, number: usize) -> Vec<String> {
    let names: Vec<FileName> = desk.files.keys().copied().collect();
    let name = names[dice.roll(names.len())];
    let mut touched = Vec::new();
    let mark = |line: &str| line[line.len() - 16..line.len() - 4].to_owned();
    desk.edit(name, |lines| {
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
    let mut desk = Desk::new();
    let mut dice = Dice(7);
    for number in 0..12 {
        let tier = if number % 3 == 0 {
            Tier::Daily
        } else {
            Tier::Durable
        };
        desk.remember(&format!("fact number {number}"), None, tier).await;
    }
    desk.sync().await;
    let mut thoughts = 0;
    for number in 0..100 * scale() {
        let before: BTreeMap<_, _> = desk
            .all()
            .await
            .into_iter()
            .map(|memory| (memory.id, memory))
            .collect();
        let touched = play(&mut desk, &mut dice, number);
        if dice.roll(5) == 0 {
            desk.remember(&format!("the store learns {number}"), None, Tier::Durable)
                .await;
        }
        let synced = desk.sync().await;
        assert!(
            synced.notes.iter().all(|note| note.kind != NoteKind::Unread),
            "{:?}",
            synced.notes
        );
        // Agreed: another run finds nothing to do, on either side.
        let files = desk.files.clone();
        let revision = desk.store.revision(scope("ana", 1).space()).await.unwrap();
        assert_eq!(desk.kinds().await, [], "edit {number}");
        assert_eq!(desk.files, files, "edit {number}");
        assert_eq!(
            desk.store.revision(scope("ana", 1).space()).await.unwrap(),
            revision
        );
        let after: BTreeMap<_, _> = desk
            .all()
            .await
            .into_iter()
            .map(|memory| (memory.id, memory))
            .collect();
        for (id, memory) in &before {
            let digits = id.to_string().replace('-', "");
            let is_touched = touched.iter().any(|mark| digits.ends_with(mark.as_str()));
            let now = after.get(id).expect("nothing is lost");
            // To leave the memory document, or to find room in it again, is no edit; it makes a version all the same.
            let expected = match memory.in_document == now.in_document {
                true => Memory::clone(memory),
                false => Memory {
                    in_document: now.in_document,
                    version: now.version,
                    ..Memory::clone(memory)
                },
            };
            assert!(is_touched || expected == **now, "{memory:?} became {now:?}");
        }
        let shown = desk.current().await.len();
        let text: String = desk.files.values().cloned().collect();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(items(&lines).len(), shown, "a line each, edit {number}");
        let kept = text.matches("Thought number").count();
        assert!(thoughts <= kept, "what people write stays");
        thoughts = kept;
    }
    assert!(5 < thoughts);
}
