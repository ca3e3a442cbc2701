//! How the user names a memory: by its key, its id, or the end of its id as lists show it.

use std::sync::Arc;

use recalld_memory::id::MemoryId;
use recalld_memory::memory::{Key, Memory};
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_memory::target::Target;

use crate::engine::Engine;
use crate::failure::{Failure, shortened};
use crate::memory_name::short_id;
use crate::suggest::did_you_mean;

/// The fewest characters of the end of an id.
const END_CHARS_MIN: usize = 6;

/// What the user wrote, checked.
#[derive(Clone, Debug)]
pub(crate) struct MemoryRef {
    raw: String,
}

impl MemoryRef {
    /// Checks that `raw` can name a memory.
    pub(crate) fn new(raw: &str) -> Result<MemoryRef, Failure> {
        let name = raw.strip_prefix("key:").unwrap_or(raw);
        Key::new(name)?;
        Ok(MemoryRef {
            raw: raw.trim().to_owned(),
        })
    }

    /// Finds the memory, even if it is hidden.
    pub(crate) async fn find(&self, engine: &Engine, scope: &Scope) -> Result<Arc<Memory>, Failure> {
        let look = |view: &SpaceView| self.look(view, scope);
        engine.ports.spaces.read(scope.space(), look).await?
    }

    /// Finds the memory and returns its id, which is unambiguous even if several memories have had
    /// the key.
    pub(crate) async fn target(&self, engine: &Engine, scope: &Scope) -> Result<Target, Failure> {
        Ok(Target::Id(self.find(engine, scope).await?.id))
    }

    fn look(&self, view: &SpaceView, scope: &Scope) -> Result<Arc<Memory>, Failure> {
        if let Some(memory) = Target::parse(&self.raw).any(view, scope.lens()) {
            return Ok(view.shown(memory));
        }
        let ending: Vec<&Arc<Memory>> = view.memories().filter(|memory| self.ends(memory.id)).collect();
        match ending.as_slice() {
            [only] => Ok(view.shown(only)),
            [] => Err(self.nothing(view)),
            several => {
                let ids: Vec<String> = several
                    .iter()
                    .take(5)
                    .map(|memory| memory.id.to_string())
                    .collect();
                let message = format!("{} memories have ids that end in {}", several.len(), self.raw);
                Err(Failure::bad_input("ambiguous", message).hint(format!("use one of: {}", ids.join(", "))))
            }
        }
    }

    fn ends(&self, id: MemoryId) -> bool {
        let end = self.raw.to_ascii_lowercase();
        let hexadecimal = end.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        hexadecimal && END_CHARS_MIN <= end.len() && id.to_string().ends_with(&end)
    }

    fn nothing(&self, view: &SpaceView) -> Failure {
        let keys: Vec<&str> = view
            .memories()
            .filter_map(|memory| Some(memory.key.as_ref()?.as_str()))
            .collect();
        let guess = did_you_mean(&self.raw, keys);
        let hint = guess.unwrap_or_else(|| "`recalld list` shows all memories".to_owned());
        Failure::not_found(format!("memory not found: {:?}", shortened(&self.raw))).hint(hint)
    }
}

/// Reports that a memory is hidden.
pub(crate) fn hidden(memory: &Memory) -> Failure {
    let name = memory
        .key
        .as_ref()
        .map_or_else(|| short_id(memory.id), ToString::to_string);
    Failure::not_found(format!("the memory {:?} is hidden", shortened(&name)))
        .hint(format!("restore it with `recalld restore {}`", memory.id))
}
