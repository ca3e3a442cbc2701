//! Changes items and the memories that hold their texts, in one transaction.

use std::sync::Arc;

use serde_json::Value;

use super::record::{expiry, read, write};
use super::{Item, ItemError, Items, NewItem, VALUE_BYTES_MAX, content};
use crate::change::{Act, Change, Effect};
use crate::id::MemoryId;
use crate::item_links::MEMORY;
use crate::memory::{Category, Confidence, Content, Memory, NewMemory, Retirement, Tier};
use crate::record::{Record, RecordKind};
use crate::retire::retired;
use crate::revise::Edit;
use crate::scope::Scope;
use crate::screening::secrets;
use crate::space::{Decision, SpaceView};
use crate::wiring::Ports;

/// What becomes of one item, by its name.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemChange {
    Put(String, Box<NewItem>),
    /// Its memory is forgotten and can be restored; an item without one is gone.
    Remove(String),
    /// It lasts for its time to live from now.
    Refresh(String),
    /// An entry of a history is as given.
    Version(String, Value),
    /// An entry of a history is gone.
    EraseVersion(String),
    /// It has another name and path, and the same memory.
    Move {
        from: String,
        to: String,
        path: Value,
    },
}

impl ItemChange {
    /// The item of this name becomes `new`.
    pub fn put(name: String, new: NewItem) -> ItemChange {
        ItemChange::Put(name, Box::new(new))
    }
}

/// Decides on the items of a collection and applies what was decided, whole.
pub async fn update<T: Send + 'static>(
    ports: &Ports,
    scope: &Scope,
    collection: &'static str,
    mut decide: impl FnMut(Items<'_>) -> (Vec<ItemChange>, T) + Send + 'static,
) -> Result<T, ItemError> {
    let (ports_of, scope_of) = (ports.clone(), scope.clone());
    let decide = move |view: &SpaceView| {
        let (wanted, outcome) = decide(Items::new(view, collection, scope_of.now));
        let changer = Changer {
            ports: &ports_of,
            scope: &scope_of,
            view,
            collection,
        };
        match changer.all(wanted) {
            Ok(changes) => Decision {
                changes,
                outcome: Ok(outcome),
            },
            Err(error) => Decision::nothing(Err(error)),
        }
    };
    ports.spaces.write(scope.space(), decide).await?
}

struct Changer<'a> {
    ports: &'a Ports,
    scope: &'a Scope,
    view: &'a SpaceView,
    collection: &'static str,
}

impl Changer<'_> {
    fn all(&self, wanted: Vec<ItemChange>) -> Result<Vec<Change>, ItemError> {
        let mut effects = Vec::new();
        for wanted in wanted {
            match wanted {
                ItemChange::Put(name, new) => self.put(&name, &new, &mut effects)?,
                ItemChange::Remove(name) => self.remove(&name, &mut effects),
                ItemChange::Refresh(name) => self.refresh(&name, &mut effects),
                ItemChange::Version(name, value) => effects.push(self.version(&name, value)),
                ItemChange::EraseVersion(name) => effects.push(Effect::EraseRecord {
                    kind: RecordKind::ItemVersion,
                    name: format!("{}/{name}", self.collection),
                }),
                ItemChange::Move { from, to, path } => self.rename(&from, &to, path, &mut effects),
            }
        }
        Ok(effects
            .into_iter()
            .map(|effect| self.scope.change(None, effect))
            .collect())
    }

    fn known(&self, name: &str) -> Option<(&Arc<Record>, Item)> {
        let record = self
            .view
            .record(RecordKind::Item, &format!("{}/{name}", self.collection))?;
        let item = read(record, self.view, self.scope.now)?;
        Some((record, item))
    }

    fn put(&self, name: &str, new: &NewItem, effects: &mut Vec<Effect>) -> Result<(), ItemError> {
        let bytes = new.value.to_string().len() + new.path.to_string().len();
        if VALUE_BYTES_MAX < bytes {
            return Err(ItemError::TooLong { bytes });
        }
        let secret = secrets::find_in_json(&new.value).or_else(|| secrets::find_in_json(&new.path));
        if let Some(secret) = secret {
            return Err(ItemError::Secret(secret));
        }
        let known = self.known(name);
        let own = known.as_ref().and_then(|(_, item)| item.memory.as_deref());
        let given = new.rests_on.and_then(|id| self.view.memory(id));
        let given = given.filter(|memory| memory.is_current(self.scope.now));
        let was = own.or(given.map(|memory| &**memory));
        let said = new.text.as_ref().and_then(|text| content(&text.text));
        let memory = self.memory(new, said, was, effects);
        let known = known.as_ref().map(|(record, item)| (*record, item));
        let record_name = format!("{}/{name}", self.collection);
        let record = write(self.scope, record_name, new, memory.as_ref(), known);
        effects.push(Effect::Record(record));
        if let Some((name, entry)) = &new.version {
            let mut entry = entry.clone();
            entry[MEMORY] = memory.map_or(Value::Null, |memory| Value::String(memory.id.to_string()));
            effects.push(self.version(name, entry));
        }
        Ok(())
    }

    fn version(&self, name: &str, value: Value) -> Effect {
        Effect::Record(Record {
            kind: RecordKind::ItemVersion,
            name: format!("{}/{name}", self.collection),
            value,
            version: 1,
            written_at: self.scope.now,
        })
    }

    /// Decides what becomes of the memory of an item, and gives it as it then is.
    fn memory(
        &self,
        new: &NewItem,
        said: Option<Content>,
        was: Option<&Memory>,
        effects: &mut Vec<Effect>,
    ) -> Option<Memory> {
        let expires_at = new.ttl_s.and_then(|ttl| expiry(self.scope, ttl));
        let (act, memory) = match (was, said) {
            (Some(was), Some(said)) if was.content == said && was.expires_at == expires_at => {
                return Some(was.clone());
            }
            (Some(was), Some(said)) => {
                let edit = Edit {
                    content: Some(said.clone()),
                    ..Edit::by(new.origin)
                };
                match edit.is_less_trusted_than(was, self.scope) {
                    // It stands beside what it must not replace.
                    true => {
                        let memory = Memory {
                            amends: Some(was.id),
                            ..self.new_memory(new, said, expires_at)
                        };
                        (Act::Remember, memory)
                    }
                    false => {
                        let mut memory = edit.apply(was, self.scope, &self.ports.settings);
                        memory.expires_at = expires_at;
                        (Act::Revise, memory)
                    }
                }
            }
            (Some(was), None) => {
                let memory = retired(was, self.scope, Retirement::Forgotten);
                let act = Act::Retire;
                effects.push(Effect::Memory { act, memory });
                return None;
            }
            (None, Some(said)) => (Act::Remember, self.new_memory(new, said, expires_at)),
            (None, None) => return None,
        };
        let stored = memory.clone();
        effects.push(Effect::Memory { act, memory });
        Some(stored)
    }

    fn new_memory(&self, new: &NewItem, said: Content, expires_at: Option<jiff::Timestamp>) -> Memory {
        let trust = self.scope.trust(said.as_str(), new.origin);
        Memory::new(NewMemory {
            id: MemoryId::from_uuid(self.scope.fresh_id(&*self.ports.ids)),
            key: None,
            content: said,
            category: Category::unsorted(),
            tier: match expires_at {
                Some(_) => Tier::Daily,
                None => Tier::Durable,
            },
            confidence: Confidence::CERTAIN,
            origin: new.origin,
            trust,
            source: new.source.clone(),
            conversation: self.scope.conversation.clone(),
            message: self.scope.message.clone(),
            learned_at: self.scope.now,
            expires_at,
            project: None,
            evidence: Vec::new(),
        })
    }

    fn remove(&self, name: &str, effects: &mut Vec<Effect>) {
        let Some((record, item)) = self.known(name) else {
            return;
        };
        match item.memory {
            Some(memory) => effects.push(Effect::Memory {
                act: Act::Retire,
                memory: retired(&memory, self.scope, Retirement::Forgotten),
            }),
            None => effects.push(Effect::EraseRecord {
                kind: RecordKind::Item,
                name: record.name.clone(),
            }),
        }
    }

    /// A directory that is only there because of what is in it has no record to move.
    fn rename(&self, from: &str, to: &str, path: Value, effects: &mut Vec<Effect>) {
        let Some((record, _)) = self.known(from) else {
            return;
        };
        let mut moved = Record::clone(record);
        moved.name = format!("{}/{to}", self.collection);
        moved.value["path"] = path;
        moved.written_at = self.scope.now;
        effects.push(Effect::Record(moved));
        effects.push(Effect::EraseRecord {
            kind: RecordKind::Item,
            name: record.name.clone(),
        });
    }

    /// What was used a moment ago is not written again for it.
    fn refresh(&self, name: &str, effects: &mut Vec<Effect>) {
        let Some((record, item)) = self.known(name) else {
            return;
        };
        let (Some(ttl), Some(end)) = (item.ttl_s, item.expires_at) else {
            return;
        };
        let left = end.duration_since(self.scope.now).as_secs();
        if ttl - ttl / 10 < left {
            return;
        }
        let Some(end) = expiry(self.scope, ttl) else {
            return;
        };
        let mut record = Record::clone(record);
        record.value["expires_at"] = Value::String(end.to_string());
        record.version += 1;
        if let Some(memory) = item.memory {
            let memory = memory.revised(self.scope.now, |memory| memory.expires_at = Some(end));
            let act = Act::Revise;
            effects.push(Effect::Memory { act, memory });
        }
        effects.push(Effect::Record(record));
    }
}
