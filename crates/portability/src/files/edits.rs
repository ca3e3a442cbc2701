//! Makes changes of what a person did to the files. Nothing is erased: what goes can be restored.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recalld_memory::change::{Act, Change, Effect};
use recalld_memory::id::MemoryId;
use recalld_memory::lens::Lens;
use recalld_memory::memory::{
    Content, Key, Memory, NewMemory, Origin, Project, Retirement, Source, Standing, Tier,
};
use recalld_memory::policy::duplicates::Fingerprint;
use recalld_memory::policy::retention;
use recalld_memory::retire;
use recalld_memory::scope::Scope;
use recalld_memory::screening::secrets;
use recalld_memory::settings::Settings;
use recalld_memory::space::SpaceView;
use uuid::Uuid;

use super::compare::{Action, Note, NoteKind, Plan, Written};
use super::merge::Known;
use super::name::FileName;

/// What came of a plan.
#[derive(Debug)]
pub(super) struct Edited {
    pub(super) changes: Vec<Change>,
    pub(super) known: BTreeMap<FileName, Known>,
    pub(super) notes: Vec<Note>,
}

/// Carries out a plan on the space as it is. `ids` are fresh, one for each action at least.
pub(super) fn carry_out(
    view: &SpaceView,
    scope: &Scope,
    plan: Plan,
    ids: &[Uuid],
    settings: &Settings,
) -> Edited {
    let mut editing = Editing {
        view,
        scope,
        settings,
        ids: ids.iter().copied(),
        changes: Vec::new(),
        known: plan.known,
        notes: plan.notes,
        leaving: HashSet::new(),
        keys: HashMap::new(),
        statements: HashMap::new(),
    };
    let actions = editing.rejoin(plan.actions);
    // Retire first: that frees keys and statements.
    let (leaving, rest): (Vec<Action>, Vec<Action>) = actions
        .into_iter()
        .partition(|action| matches!(action, Action::Retire(..)));
    for action in leaving.into_iter().chain(rest) {
        match action {
            Action::Retire(id, file) => editing.retire(id, file),
            Action::Revise(id, written) => editing.rewrite(id, &written, Act::Revise),
            Action::Restore(id, written) => editing.rewrite(id, &written, Act::Restore),
            Action::Add(written) => editing.add(&written),
            Action::AddBeside(id, written) => editing.add_beside(id, &written),
        }
    }
    Edited {
        changes: editing.changes,
        known: editing.known,
        notes: editing.notes,
    }
}

struct Editing<'a, I> {
    view: &'a SpaceView,
    scope: &'a Scope,
    settings: &'a Settings,
    ids: I,
    changes: Vec<Change>,
    known: BTreeMap<FileName, Known>,
    notes: Vec<Note>,
    /// Memories whose key and statement are free from now on.
    leaving: HashSet<MemoryId>,
    /// What the changes so far have taken.
    keys: HashMap<(Option<Project>, String), MemoryId>,
    statements: HashMap<Fingerprint, MemoryId>,
}

impl<I: Iterator<Item = Uuid>> Editing<'_, I> {
    /// A line that was removed and written again with the same words is the same memory.
    fn rejoin(&mut self, actions: Vec<Action>) -> Vec<Action> {
        let mut gone: HashMap<Fingerprint, MemoryId> = HashMap::new();
        for action in &actions {
            if let Action::Retire(id, _) = action
                && let Some(memory) = self.view.memory(*id)
            {
                gone.insert(Fingerprint::of(memory.content.as_str()), *id);
            }
        }
        let mut kept = HashSet::new();
        let mut rejoined = Vec::with_capacity(actions.len());
        for action in actions {
            let same = match &action {
                Action::Add(written) => gone.remove(&Fingerprint::of(&written.item.parts().1)),
                _ => None,
            };
            match (same, action) {
                (Some(id), Action::Add(written)) => {
                    kept.insert(id);
                    self.stands_for(&written, id);
                    rejoined.push(Action::Revise(id, written));
                }
                (_, action) => rejoined.push(action),
            }
        }
        rejoined.retain(|action| !matches!(action, Action::Retire(id, _) if kept.contains(id)));
        rejoined
    }

    fn retire(&mut self, id: MemoryId, file: FileName) {
        let Some(known) = self.view.memory(id) else {
            return;
        };
        let why = Retirement::Forgotten;
        let memory = retire::retired(known, self.scope, why);
        self.leaving.insert(id);
        self.note(NoteKind::Retired, file, memory.content.as_str());
        self.put(file, Act::Retire, memory);
    }

    /// Makes a memory what its line says.
    fn rewrite(&mut self, id: MemoryId, written: &Written, act: Act) {
        let Some(was) = self.view.memory(id).cloned() else {
            return;
        };
        let (key, content) = match self.read(written) {
            Ok(read) => read,
            Err(reason) => return self.refuse(written, &reason),
        };
        let tier = tier_of(written.entry.file);
        // A line that a person moves to the durable file is certain.
        let confidence = match tier {
            Tier::Durable if was.tier == Tier::Daily => {
                was.confidence.max_of(self.settings.durable_confidence_min)
            }
            _ => was.confidence,
        };
        let is_said = content != was.content;
        let expires_at = match (act, tier == was.tier) {
            (Act::Revise, true) => was.expires_at,
            _ => retention::expiry(tier, self.scope.now, self.settings),
        };
        let mut memory = was.revised(self.scope.now, |memory| {
            memory.key = key;
            memory.content = content;
            memory.category = written.entry.category.clone();
            memory.tier = tier;
            memory.confidence = confidence;
            if is_said {
                // A person has rewritten the line, so it is the user's own from now on.
                memory.origin = Origin::User;
                memory.trust = Origin::User;
                memory.amends = None;
                memory.source = source(written.found_in);
            }
            memory.expires_at = expires_at;
            memory.standing = Standing::Active;
            memory.in_document = memory.belongs_in_document();
        });
        if let Some(other) = self.says_the_same(&memory) {
            self.stands_for(written, other);
            return self.note(NoteKind::Known, written.found_in, memory.content.as_str());
        }
        if self.key_is_taken(&memory) {
            memory.key = was.key.clone();
            self.note(
                NoteKind::Known,
                written.found_in,
                "the new key is taken; the old one stays",
            );
            if self.key_is_taken(&memory) {
                memory.key = None;
            }
        }
        self.claim(&memory);
        let kind = if act == Act::Restore {
            NoteKind::Restored
        } else {
            NoteKind::Revised
        };
        self.note(kind, written.found_in, memory.content.as_str());
        self.put(written.found_in, act, memory);
    }

    fn add(&mut self, written: &Written) {
        if let Some(id) = self.remember(written) {
            self.stands_for(written, id);
        }
    }

    /// Keeps what the file says beside what the store says, and says so below the line.
    fn add_beside(&mut self, id: MemoryId, written: &Written) {
        self.note(NoteKind::Conflict, written.found_in, &written.entry.body);
        if self.remember(written).is_some()
            && self
                .view
                .memory(id)
                .is_some_and(|known| known.is_current(self.scope.now))
        {
            let remark = "> recalld: this line and the memory changed at the same time; both are kept.";
            let known = self.known.entry(written.found_in).or_default();
            known.remarks.insert(id, remark.to_owned());
        }
    }

    /// Remembers a line, or finds the memory that says the same. None if it cannot be remembered.
    fn remember(&mut self, written: &Written) -> Option<MemoryId> {
        let (key, content) = match self.read(written) {
            Ok(read) => read,
            Err(reason) => {
                self.refuse(written, &reason);
                return None;
            }
        };
        let id = MemoryId::from_uuid(self.ids.next()?);
        let tier = tier_of(written.entry.file);
        let now = self.scope.now;
        let mut memory = Memory::new(NewMemory {
            id,
            key,
            content,
            category: written.entry.category.clone(),
            tier,
            confidence: recalld_memory::memory::Confidence::CERTAIN,
            origin: Origin::User,
            trust: Origin::User,
            source: source(written.found_in),
            conversation: None,
            message: None,
            learned_at: noted_at(written.found_in, now),
            expires_at: retention::expiry(tier, now, self.settings),
            project: None,
            evidence: Vec::new(),
        });
        memory.revised_at = now;
        if let Some(other) = self.says_the_same(&memory) {
            self.note(NoteKind::Known, written.found_in, memory.content.as_str());
            return Some(other);
        }
        if self.key_is_taken(&memory)
            && let Some(key) = memory.key.take()
        {
            let taken = format!("the key {key} is taken; the new line is remembered without it");
            self.note(NoteKind::Known, written.found_in, &taken);
        }
        self.claim(&memory);
        self.note(NoteKind::Added, written.found_in, memory.content.as_str());
        self.put(written.found_in, Act::Remember, memory);
        Some(id)
    }

    /// Checks what a line says.
    fn read(&self, written: &Written) -> Result<(Option<Key>, Content), String> {
        let (key, statement) = written.item.parts();
        let content = Content::new(&statement).map_err(|error| error.to_string())?;
        let key = key
            .map(|key| Key::new(&key))
            .transpose()
            .map_err(|error| error.to_string())?;
        let named = key.as_ref().map(|key| format!("{key}: {content}"));
        let secret = [Some(content.as_str()), named.as_deref()]
            .into_iter()
            .flatten()
            .find_map(secrets::find);
        match secret {
            Some(secret) => Err(format!("it looks like it holds a secret ({})", secret.as_str())),
            None => Ok((key, content)),
        }
    }

    fn says_the_same(&self, memory: &Memory) -> Option<MemoryId> {
        let lens = Lens::of_project(self.scope.now, memory.project.as_ref());
        let statement = Fingerprint::of(memory.content.as_str());
        let known = self.view.by_statement(&statement, lens).map(|known| known.id);
        let known = known.filter(|id| !self.leaving.contains(id));
        let statement = statement.within(lens.project);
        let other = self.statements.get(&statement).copied().or(known);
        other.filter(|id| *id != memory.id)
    }

    fn key_is_taken(&self, memory: &Memory) -> bool {
        let Some(key) = &memory.key else {
            return false;
        };
        let known = self
            .view
            .keyed(key.as_str(), memory.project.as_ref(), self.scope.now)
            .map(|known| known.id);
        let known = known.filter(|id| !self.leaving.contains(id));
        let name = (memory.project.clone(), key.folded());
        let other = self.keys.get(&name).copied().or(known);
        other.is_some_and(|id| id != memory.id)
    }

    fn claim(&mut self, memory: &Memory) {
        if let Some(key) = &memory.key {
            self.keys
                .insert((memory.project.clone(), key.folded()), memory.id);
        }
        let statement = Fingerprint::of(memory.content.as_str());
        self.statements
            .insert(statement.within(memory.project.as_ref()), memory.id);
        // What it said before is free: the new statement counts.
        self.leaving.insert(memory.id);
    }

    fn stands_for(&mut self, written: &Written, id: MemoryId) {
        let known = self.known.entry(written.found_in).or_default();
        known.memories.insert(written.number, id);
    }

    fn refuse(&mut self, written: &Written, reason: &str) {
        let known = self.known.entry(written.found_in).or_default();
        known.untouched.insert(written.number);
        let line = written.number + 1;
        self.note(
            NoteKind::Refused,
            written.found_in,
            &format!("line {line}: {reason}"),
        );
    }

    fn note(&mut self, kind: NoteKind, file: FileName, text: &str) {
        self.notes.push(Note {
            kind,
            file: file.path(),
            text: text.to_owned(),
        });
    }

    fn put(&mut self, file: FileName, act: Act, memory: Memory) {
        let effect = Effect::Memory { act, memory };
        self.changes.push(self.scope.change(source(file), effect));
    }
}

fn tier_of(file: FileName) -> Tier {
    match file {
        FileName::Memory => Tier::Durable,
        FileName::Day(_) => Tier::Daily,
    }
}

/// A note that is added to the file of an earlier day is of that day.
fn noted_at(file: FileName, now: Timestamp) -> Timestamp {
    let FileName::Day(date) = file else {
        return now;
    };
    if now.to_zoned(TimeZone::UTC).date() == date {
        return now;
    }
    let noon = date.at(12, 0, 0, 0).to_zoned(TimeZone::UTC);
    noon.map_or(now, |noon| noon.timestamp().min(now))
}

fn source(file: FileName) -> Option<Source> {
    Source::new(&format!("file:{}", file.path())).ok()
}
