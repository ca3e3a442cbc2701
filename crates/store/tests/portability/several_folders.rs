//! Several folders of one user, and folders whose store is another one.

use recalld_memory::memory::Tier;
use recalld_memory::ports::Store;
use recalld_memory::retire;
use recalld_memory::target::Target;
use recalld_portability::erase::{self, was_erased};
use recalld_portability::files::{FileName, NoteKind, Past, SyncFolder as Folder};

use crate::folder_editor::FolderEditor;
use crate::sample_user::{scope, stores, wired};

fn words(editor: &FolderEditor) -> Vec<&str> {
    let text = &editor.files[&FileName::Memory];
    let lines = text.lines().filter(|line| line.starts_with("- "));
    lines.map(|line| line[2..].split(" *(").next().unwrap()).collect()
}

/// What one folder has not heard of yet is no edit of its files.
#[tokio::test]
async fn two_folders_of_one_user_never_undo_each_other() {
    let mut here = FolderEditor::new();
    let mut there = here.elsewhere(&Folder::new("machine", "/copy", Past::Whole));
    here.remember("likes tea", None, Tier::Durable).await;
    here.sync().await;
    there.sync().await;
    here.remember("has a dog", None, Tier::Durable).await;
    here.edit(FileName::Memory, |lines| {
        lines
            .iter_mut()
            .for_each(|line| *line = line.replace("tea", "coffee"));
    });
    assert_eq!(here.kinds().await, [NoteKind::Revised]);
    assert_eq!(there.kinds().await, [], "it is only behind");
    assert_eq!(words(&there), ["likes coffee", "has a dog"]);
    there.edit(FileName::Memory, |lines| {
        lines.retain(|line| !line.contains("dog"))
    });
    assert_eq!(there.kinds().await, [NoteKind::Retired]);
    assert_eq!(here.kinds().await, []);
    assert_eq!(words(&here), ["likes coffee"]);
}

/// Files that outlive their store bring everything back; what was erased stays away.
#[tokio::test]
async fn files_fill_a_new_store() {
    let mut old = FolderEditor::new();
    old.remember("likes tea", Some("drink"), Tier::Durable).await;
    old.remember("met Bo", None, Tier::Daily).await;
    old.sync().await;
    let mut new = FolderEditor::new();
    new.files = old.files.clone();
    assert_eq!(new.kinds().await, [NoteKind::Added, NoteKind::Added]);
    assert_eq!(words(&new), ["**drink:** likes tea"]);
    assert_eq!(new.kinds().await, []);
    assert_eq!(new.current().await.len(), 2);

    let tea = new.current().await["likes tea"].id;
    let before = new.files.clone();
    let scope = new.scope();
    retire::erase(&new.ports, &scope, Target::Id(tea)).await.unwrap();
    new.files = before;
    assert_eq!(new.kinds().await, [NoteKind::Erased]);
    assert_eq!(new.current().await.len(), 1);
}

#[tokio::test]
async fn an_old_folder_does_not_bring_an_erased_user_back() {
    for (name, store, _keep) in stores().await {
        let (ports, eraser) = wired(store, std::sync::Arc::default());
        let ana = scope("ana", 1);
        assert!(!was_erased(&eraser, ana.space()).unwrap(), "{name}");
        erase::erase(&ports, &eraser, &ana).await.unwrap();
        assert!(was_erased(&eraser, ana.space()).unwrap(), "{name}");
        assert!(!was_erased(&eraser, scope("bo", 1).space()).unwrap(), "{name}");
    }
    let mut old = FolderEditor::new();
    old.remember("sings like a canary", None, Tier::Durable).await;
    old.sync().await;
    let mut new = FolderEditor::new().elsewhere(&Folder::new("machine", "/notes", Past::Erased));
    new.files = old.files.clone();
    assert_eq!(new.kinds().await, [NoteKind::Erased]);
    assert!(!new.memory_file().contains("canary"));
    let revision = new.store.revision(scope("ana", 1).space()).await.unwrap();
    assert_eq!(revision.0, 0, "a folder does not begin a space");
    assert_eq!(new.current().await.len(), 0);
}
