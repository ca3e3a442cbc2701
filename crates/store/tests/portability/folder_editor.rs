//! Somebody who edits the files of a user.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use recalld_memory::memory::{Content, Memory, Origin, Tier};
use recalld_memory::remember::{Remembered, remember};
use recalld_memory::revise::{Edit, revise};
use recalld_memory::scope::Scope;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use recalld_portability::files::{
    FileContent, FileName, NoteKind, Past, SyncFolder as Folder, Synced, settle, sync,
};
use recalld_store::SqliteStore;

use crate::sample_user::{scope, statement, wired};

/// A user, the folder with their files, and a clock.
pub struct FolderEditor {
    pub ports: Ports,
    pub store: Arc<SqliteStore>,
    pub files: BTreeMap<FileName, String>,
    folder: Folder,
    seconds: i64,
}

impl FolderEditor {
    pub fn new() -> FolderEditor {
        let store = Arc::new(SqliteStore::in_memory().unwrap());
        let (ports, _) = wired(store.clone(), Arc::default());
        FolderEditor {
            ports,
            store,
            files: BTreeMap::new(),
            folder: Folder::new("machine", "/notes", Past::Whole),
            seconds: 0,
        }
    }

    /// Another folder of the same user, on the same store.
    pub fn elsewhere(&self, folder: &Folder) -> FolderEditor {
        FolderEditor {
            ports: self.ports.clone(),
            store: Arc::clone(&self.store),
            files: BTreeMap::new(),
            folder: folder.clone(),
            seconds: self.seconds,
        }
    }

    pub fn scope(&mut self) -> Scope {
        self.seconds += 1;
        let mut scope = scope("ana", self.seconds);
        scope.conversation = None;
        scope.message = None;
        scope
    }

    /// Brings files and store together, and writes the files.
    pub async fn sync(&mut self) -> Synced {
        let found = self
            .files
            .iter()
            .map(|(name, text)| (*name, FileContent::Text(text.clone())))
            .collect();
        let scope = self.scope();
        let synced = sync(&self.ports, &scope, &self.folder, &found).await.unwrap();
        let mut written = BTreeSet::new();
        for (name, text) in &synced.texts {
            match text {
                Some(text) => drop(self.files.insert(*name, text.clone())),
                None => drop(self.files.remove(name)),
            }
            written.insert(*name);
        }
        settle(&self.ports, &scope, &self.folder, &synced, &written)
            .await
            .unwrap();
        synced
    }

    pub async fn kinds(&mut self) -> Vec<NoteKind> {
        self.sync()
            .await
            .notes
            .into_iter()
            .map(|note| note.kind)
            .collect()
    }

    pub fn memory_file(&self) -> &str {
        &self.files[&FileName::Memory]
    }

    pub fn edit(&mut self, name: FileName, change: impl FnOnce(&mut Vec<String>)) {
        let mut lines: Vec<String> = self.files[&name].lines().map(str::to_owned).collect();
        change(&mut lines);
        self.files.insert(name, lines.join("\n") + "\n");
    }

    pub async fn remember(&mut self, content: &str, key: Option<&str>, tier: Tier) -> Arc<Memory> {
        let mut new = statement(content, key);
        new.tier = tier;
        let scope = self.scope();
        match remember(&self.ports, &scope, new).await.unwrap() {
            Remembered::Stored { memory, .. } | Remembered::Duplicate { of: memory, .. } => memory,
        }
    }

    pub async fn revise(&mut self, memory: &Memory, content: &str) {
        let edit = Edit {
            content: Some(Content::new(content).unwrap()),
            ..Edit::by(Origin::User)
        };
        let scope = self.scope();
        revise(&self.ports, &scope, Target::Id(memory.id), edit)
            .await
            .unwrap();
    }

    pub async fn all(&mut self) -> Vec<Arc<Memory>> {
        let scope = self.scope();
        self.ports
            .spaces
            .read(scope.space(), |view| view.memories().cloned().collect())
            .await
            .unwrap()
    }

    pub async fn current(&mut self) -> BTreeMap<String, Arc<Memory>> {
        let now = self.scope().now;
        let all = self.all().await.into_iter();
        all.filter(|memory| memory.is_current(now))
            .map(|memory| (memory.content.to_string(), memory))
            .collect()
    }
}
