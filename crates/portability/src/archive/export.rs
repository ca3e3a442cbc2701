//! Reads everything a user has and packs it, piece by piece.

use std::io;
use std::sync::Arc;

use async_trait::async_trait;
use recalld_memory::change::Revision;
use recalld_memory::conversation::Conversation;
use recalld_memory::entity::Entity;
use recalld_memory::id::SpaceId;
use recalld_memory::lens::Lens;
use recalld_memory::ports::{EventPage, MessagePage, Store, StoreError};
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use thiserror::Error;

use super::entity_line::EntityLine;
use super::lines::{ConversationLine, DocumentLine, EventLine, MessageLine, RecordLine};
use super::memory_line::VersionLine;
use super::pack::Packer;
use super::signature::Signer;
use super::{CONVERSATIONS, DOCUMENTS, ENTITIES, EVENTS, MEMORIES, MESSAGES, RECORDS};
use crate::files::{self, FileName};

/// Where an archive goes.
#[async_trait]
pub trait Sink: Send {
    /// Takes the next bytes. Nothing more is read before they are taken.
    async fn take(&mut self, bytes: Vec<u8>) -> io::Result<()>;
}

#[async_trait]
impl Sink for Vec<u8> {
    async fn take(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.extend(bytes);
        Ok(())
    }
}

/// Why an export was not finished. The bytes written so far are not a valid archive.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The store failed.
    #[error("the export cannot be read: {0}")]
    Store(#[from] StoreError),
    /// The space could not be read.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The user was erased meanwhile.
    #[error("the user was erased while the export was running")]
    Erased,
    /// The archive cannot be written.
    #[error("the archive cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// How many rows are read at once.
const PAGE: usize = 500;

/// From this many bytes on, what was packed is handed over.
const PIECE_BYTES: usize = 64 * 1024;

/// Packs everything the user of `scope` has into `sink`. Receipts, tasks and the bases of files
/// stay here: they say nothing of the user, and mean nothing elsewhere. Vectors are made anew where
/// they are needed. Without a `signer` the archive is not signed.
pub async fn export(
    ports: &Ports,
    scope: &Scope,
    signer: Option<&Signer>,
    sink: &mut dyn Sink,
) -> Result<(), ExportError> {
    let mut packing = Packing {
        packer: Packer::new(scope.user().as_str(), signer),
        store: &*ports.store,
        space: scope.space(),
        began_at: ports.store.revision(scope.space()).await?,
        sink,
    };
    // The log comes first: what happens meanwhile may be missing in it, but nothing that it tells
    // of is missing.
    packing.events().await?;
    packing.memories().await?;
    let look = |view: &SpaceView| -> (Vec<Arc<Entity>>, Vec<Arc<Conversation>>) {
        (
            view.every_entity().cloned().collect(),
            view.conversations().cloned().collect(),
        )
    };
    let (entities, conversations) = ports.spaces.read(scope.space(), look).await?;
    packing.packer.begin(ENTITIES)?;
    for entity in &entities {
        packing.line(&EntityLine::from(&**entity)).await?;
    }
    packing.packer.begin(CONVERSATIONS)?;
    for conversation in &conversations {
        packing.line(&ConversationLine::from(&**conversation)).await?;
    }
    packing.messages(&conversations).await?;
    packing.records().await?;
    packing.documents().await?;
    let pages = |view: &SpaceView| -> Vec<(FileName, String)> {
        let days = files::days(view, Lens::everywhere(scope.now))
            .into_iter()
            .map(FileName::Day);
        std::iter::once(FileName::Memory)
            .chain(days)
            .map(|name| (name, files::project(view, Lens::everywhere(scope.now), name)))
            .collect()
    };
    for (name, text) in ports.spaces.read(scope.space(), pages).await? {
        packing.packer.begin(&name.path())?;
        packing.packer.text(text.as_bytes())?;
    }
    check_erased(packing.store, packing.space, packing.began_at).await?;
    let Packing { packer, sink, .. } = packing;
    sink.take(packer.finish()?).await?;
    Ok(())
}

struct Packing<'a> {
    packer: Packer,
    store: &'a dyn Store,
    space: &'a SpaceId,
    /// The revision of the space when the export began.
    began_at: Revision,
    sink: &'a mut dyn Sink,
}

impl Packing<'_> {
    async fn line(&mut self, line: &(impl serde::Serialize + Sync)) -> Result<(), ExportError> {
        self.packer.line(line)?;
        if PIECE_BYTES <= self.packer.packed() {
            check_erased(self.store, self.space, self.began_at).await?;
            let piece = self.packer.take();
            self.sink.take(piece).await?;
        }
        Ok(())
    }

    async fn events(&mut self) -> Result<(), ExportError> {
        self.packer.begin(EVENTS)?;
        let mut page = EventPage {
            limit: PAGE,
            ..EventPage::default()
        };
        loop {
            let events = self.store.events(self.space, &page).await?;
            for event in &events {
                self.line(&EventLine::from(event)).await?;
            }
            match events.last() {
                Some(last) => page.before = Some((last.revision, last.ordinal)),
                None => return Ok(()),
            }
        }
    }

    async fn memories(&mut self) -> Result<(), ExportError> {
        self.packer.begin(MEMORIES)?;
        let mut after = None;
        loop {
            let versions = self.store.histories(self.space, after, PAGE).await?;
            for version in &versions {
                self.line(&VersionLine::from(version)).await?;
            }
            match versions.last() {
                Some(last) => after = Some(last.memory.id),
                None => return Ok(()),
            }
        }
    }

    async fn messages(&mut self, conversations: &[Arc<Conversation>]) -> Result<(), ExportError> {
        self.packer.begin(MESSAGES)?;
        for conversation in conversations {
            let page = MessagePage {
                before: None,
                limit: usize::MAX,
            };
            let messages = self.store.messages(self.space, &conversation.id, &page).await?;
            for message in &messages {
                self.line(&MessageLine::from(message)).await?;
            }
        }
        Ok(())
    }

    async fn records(&mut self) -> Result<(), ExportError> {
        self.packer.begin(RECORDS)?;
        for kind in RecordKind::ALL.into_iter().filter(|kind| kind.is_portable()) {
            let mut after: Option<String> = None;
            loop {
                let records = self
                    .store
                    .records(self.space, kind, after.as_deref(), PAGE)
                    .await?;
                for record in &records {
                    self.line(&RecordLine::from(record)).await?;
                }
                match records.into_iter().next_back() {
                    Some(last) => after = Some(last.name),
                    None => break,
                }
            }
        }
        Ok(())
    }

    async fn documents(&mut self) -> Result<(), ExportError> {
        self.packer.begin(DOCUMENTS)?;
        let knowledge = self.store.knowledge_since(self.space, Revision(0)).await?;
        for document in &knowledge.documents {
            self.line(&DocumentLine::from(document)).await?;
        }
        Ok(())
    }
}

/// Stops when the user was erased since the export began: what was read must not go out, and what
/// is missing would make the archive look whole.
async fn check_erased(store: &dyn Store, space: &SpaceId, began_at: Revision) -> Result<(), ExportError> {
    let now = store.revision(space).await?;
    match now.restarted_since(began_at) {
        true => Err(ExportError::Erased),
        false => Ok(()),
    }
}
