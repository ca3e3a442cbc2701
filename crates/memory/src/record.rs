//! A JSON value that is stored under a kind and a name: a category of the user's profile, a working
//! memory.

use jiff::Timestamp;
use serde_json::Value;

use crate::id::ConversationId;

/// One stored value, as it stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub kind: RecordKind,
    /// Which one of its kind: a profile category's name, a conversation's id, or `user`.
    pub name: String,
    pub value: Value,
    /// Counts its changes, from 1.
    pub version: u32,
    pub written_at: Timestamp,
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKind {
    /// A category of the user's structured context.
    Profile,
    /// Marks a category of the user's context that came with an import and that the user has not
    /// replaced since.
    ImportedProfile,
    /// What an agent holds in mind, of the user or of one conversation.
    WorkingMemory,
    /// The JSON Schema that a working memory must fit.
    WorkingMemorySchema,
    /// The answer to a request that must not be carried out twice.
    Receipt,
    /// What the older part of a conversation comes to, in few words.
    Summary,
    /// Something the user did that may be worth remembering: a reaction, a discussion, a save.
    Interaction,
    /// One run of an extraction over a user's interactions.
    Run,
    /// Work that was promised with a write and is still to be done.
    Task,
    /// What a Markdown file said when it and the store last agreed.
    FileBase,
    /// How often a memory answered a question, and when last.
    Recall,
    /// How many tokens the memory document has, for those who read it from the database.
    DocumentFigures,
    /// How many tokens of models were spent for the user on a day.
    ModelTokens,
    /// A state of an agent's graph, without the state itself.
    Checkpoint,
    /// The state itself, which only its writer can read.
    CheckpointData,
    /// A value that waits to become part of a state.
    CheckpointWrite,
    /// A value that a program keeps under a name of its own.
    Item,
    /// An earlier value of such an item, where its program asks for those.
    ItemVersion,
    /// What was said or done in a conversation, exactly as a program gave it.
    ConversationItem,
}

impl RecordKind {
    /// All kinds.
    pub const ALL: [RecordKind; 19] = [
        RecordKind::Profile,
        RecordKind::ImportedProfile,
        RecordKind::WorkingMemory,
        RecordKind::WorkingMemorySchema,
        RecordKind::Receipt,
        RecordKind::Summary,
        RecordKind::Interaction,
        RecordKind::Run,
        RecordKind::Task,
        RecordKind::FileBase,
        RecordKind::Recall,
        RecordKind::DocumentFigures,
        RecordKind::ModelTokens,
        RecordKind::Checkpoint,
        RecordKind::CheckpointData,
        RecordKind::CheckpointWrite,
        RecordKind::Item,
        RecordKind::ItemVersion,
        RecordKind::ConversationItem,
    ];

    /// Gives the kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordKind::Profile => "profile",
            RecordKind::ImportedProfile => "imported_profile",
            RecordKind::WorkingMemory => "working_memory",
            RecordKind::WorkingMemorySchema => "working_memory_schema",
            RecordKind::Receipt => "receipt",
            RecordKind::Summary => "summary",
            RecordKind::Interaction => "interaction",
            RecordKind::Run => "run",
            RecordKind::Task => "task",
            RecordKind::FileBase => "file_base",
            RecordKind::Recall => "recall",
            RecordKind::DocumentFigures => "document_figures",
            RecordKind::ModelTokens => "model_tokens",
            RecordKind::Checkpoint => "checkpoint",
            RecordKind::CheckpointData => "checkpoint_data",
            RecordKind::CheckpointWrite => "checkpoint_write",
            RecordKind::Item => "item",
            RecordKind::ItemVersion => "item_version",
            RecordKind::ConversationItem => "conversation_item",
        }
    }

    /// Reads a kind's name.
    pub fn parse(raw: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.as_str() == raw)
    }

    /// Tells whether such records are held with the space in memory. The others are read by name,
    /// or listed.
    pub fn is_held(self) -> bool {
        matches!(
            self,
            RecordKind::Profile
                | RecordKind::ImportedProfile
                | RecordKind::WorkingMemory
                | RecordKind::WorkingMemorySchema
                | RecordKind::Item
                | RecordKind::ItemVersion
        )
    }

    /// Tells whether changes to such records are written to the audit log. What recalld keeps for
    /// its own work is not, nor are the states of agents, which change at every step.
    pub fn is_audited(self) -> bool {
        let is_own = matches!(
            self,
            RecordKind::Receipt
                | RecordKind::Task
                | RecordKind::FileBase
                | RecordKind::Recall
                | RecordKind::DocumentFigures
                | RecordKind::ModelTokens
        );
        !is_own && !self.is_opaque()
    }

    /// Tells whether only its writer can read such a record: nothing in it is looked at.
    pub fn is_opaque(self) -> bool {
        matches!(
            self,
            RecordKind::Checkpoint | RecordKind::CheckpointData | RecordKind::CheckpointWrite
        )
    }

    /// Tells whether such records are part of an archive. What means something here and now alone
    /// is not.
    pub fn is_portable(self) -> bool {
        self.is_audited() || self.is_opaque() || self == RecordKind::Recall
    }
}

/// The name of the user's own working memory.
pub const OF_USER: &str = "user";

/// The collection of the items that say what programs keep with conversations.
pub const CONVERSATIONS: &str = "conversations";

/// Gives the name of the item that says what a program keeps with a conversation.
pub fn item_of_conversation(conversation: &ConversationId) -> String {
    format!("{CONVERSATIONS}/{conversation}")
}

/// Gives the name of a conversation's working memory.
pub fn of_conversation(conversation: &ConversationId) -> String {
    format!("conversation:{conversation}")
}
