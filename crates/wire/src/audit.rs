//! The health of a user's memory.

use jiff::Timestamp;
use recalld_memory::id::MemoryId;
use recalld_portability::audit::{Audit, Finding, Kind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::memory::Memory;

/// The health of a user's memory.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditReport {
    /// How many memories are active.
    pub memories: usize,
    /// How many tokens the memory document has in cl100k_base.
    pub document_tokens_cl100k: usize,
    /// How many tokens the memory document has in o200k_base.
    pub document_tokens_o200k: usize,
    /// The most tokens that the memory document may have.
    pub document_tokens_max: usize,
    /// The day since which recalls are counted; absent if nothing was ever recalled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recalls_since: Option<String>,
    /// How many of the memories were recalled since then.
    pub recalled: usize,
    /// What was found, by kind.
    pub findings: Vec<AuditFinding>,
}

/// What was found of one kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditFinding {
    /// secret, duplicate, near_duplicate, contradiction, outdated, low_trust, stale,
    /// never_recalled, expired or over_cap.
    pub kind: &'static str,
    /// How many memories are of this kind.
    pub count: usize,
    /// The first of them.
    pub examples: Vec<AuditExample>,
}

/// One memory to review.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditExample {
    /// The memory.
    pub memory: Memory,
    /// The memory that it resembles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<Memory>,
    /// A command to run after the review.
    pub suggestion: String,
}

impl AuditReport {
    /// Reports on `audit` with at most `examples_max` examples of each kind. `suggest` writes the
    /// command that deals with a memory.
    pub fn new(
        audit: &Audit,
        now: Timestamp,
        examples_max: usize,
        suggest: impl Fn(Kind, MemoryId) -> String,
    ) -> AuditReport {
        let example = |kind: Kind, finding: &Finding| AuditExample {
            memory: Memory::at(finding.memory.clone(), now),
            like: finding.other.clone().map(|other| Memory::at(other, now)),
            suggestion: suggest(kind, finding.memory.id),
        };
        let finding = |(kind, all): (&Kind, &Vec<Finding>)| AuditFinding {
            kind: kind.as_str(),
            count: all.len(),
            examples: all
                .iter()
                .take(examples_max)
                .map(|finding| example(*kind, finding))
                .collect(),
        };
        AuditReport {
            memories: audit.memories,
            document_tokens_cl100k: audit.document_tokens.cl100k,
            document_tokens_o200k: audit.document_tokens.o200k,
            document_tokens_max: audit.document_tokens_max,
            recalls_since: audit.recalls_since.map(|day| day.to_string()),
            recalled: audit.recalled,
            findings: audit.findings.iter().map(finding).collect(),
        }
    }
}
