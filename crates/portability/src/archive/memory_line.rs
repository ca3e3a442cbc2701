//! One version of a memory as a line of an archive.

use jiff::Timestamp;
use recalld_memory::change::{Act, Version};
use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::memory::{
    Category, Confidence, Content, Evidence, Key, Memory, Origin, Project, Retirement, Source, Standing, Tier,
};
use recalld_memory::validity::Period;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lines::{Invalid, StampLine, invalid};

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VersionLine {
    id: String,
    version: u32,
    act: String,
    key: Option<String>,
    content: String,
    category: String,
    tier: String,
    confidence: f64,
    origin: String,
    trust: String,
    source: Option<String>,
    conversation: Option<String>,
    message: Option<String>,
    learned_at: Timestamp,
    revised_at: Timestamp,
    expires_at: Option<Timestamp>,
    retired_at: Option<Timestamp>,
    retired_why: Option<String>,
    in_document: bool,
    /// Left out where there is none, as in archives of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amends: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_from: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    superseded_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evidence: Option<Value>,
    by: StampLine,
}

impl From<&Version> for VersionLine {
    fn from(version: &Version) -> VersionLine {
        let memory = &version.memory;
        let (retired_at, retired_why) = match memory.standing {
            Standing::Active => (None, None),
            Standing::Retired { at, why } => (Some(at), Some(retirement(why).to_owned())),
        };
        VersionLine {
            id: memory.id.to_string(),
            version: memory.version,
            act: version.act.as_str().to_owned(),
            key: memory.key.as_ref().map(ToString::to_string),
            content: memory.content.to_string(),
            category: memory.category.to_string(),
            tier: memory.tier.as_str().to_owned(),
            confidence: memory.confidence.value(),
            origin: memory.origin.as_str().to_owned(),
            trust: memory.trust.as_str().to_owned(),
            source: memory.source.as_ref().map(ToString::to_string),
            conversation: memory.conversation.as_ref().map(ToString::to_string),
            message: memory.message.as_ref().map(ToString::to_string),
            learned_at: memory.learned_at,
            revised_at: memory.revised_at,
            expires_at: memory.expires_at,
            retired_at,
            retired_why,
            in_document: memory.in_document,
            amends: memory.amends.map(|id| id.to_string()),
            valid_from: memory.period.from,
            valid_until: memory.period.until,
            superseded_by: memory.period.superseded_by.map(|id| id.to_string()),
            project: memory.project.as_ref().map(ToString::to_string),
            evidence: match memory.evidence.is_empty() {
                true => None,
                false => Some(memory.evidence.iter().map(Evidence::to_json).collect()),
            },
            by: (&version.stamp).into(),
        }
    }
}

impl TryFrom<VersionLine> for Version {
    type Error = Invalid;

    fn try_from(line: VersionLine) -> Result<Version, Invalid> {
        let standing = match (line.retired_at, line.retired_why.as_deref()) {
            (None, None) => Standing::Active,
            (Some(at), Some("forgotten")) => Standing::Retired {
                at,
                why: Retirement::Forgotten,
            },
            (Some(at), Some("expired")) => Standing::Retired {
                at,
                why: Retirement::Expired,
            },
            _ => return Err(Invalid("retired_at and retired_why do not fit".to_owned())),
        };
        let act = Act::parse(&line.act).ok_or_else(|| Invalid("there is no such act".to_owned()))?;
        if line.version == 0 {
            return Err(Invalid("versions count from 1".to_owned()));
        }
        let named = |id: Option<&str>| id.map(MemoryId::parse).transpose().map_err(invalid);
        let period = Period::new(line.valid_from, line.valid_until).map_err(invalid)?;
        let memory = Memory {
            id: MemoryId::parse(&line.id).map_err(invalid)?,
            key: line.key.as_deref().map(Key::new).transpose().map_err(invalid)?,
            content: Content::new(&line.content).map_err(invalid)?,
            category: Category::new(&line.category).map_err(invalid)?,
            tier: Tier::parse(&line.tier).map_err(invalid)?,
            confidence: Confidence::new(line.confidence).map_err(invalid)?,
            origin: Origin::parse(&line.origin).map_err(invalid)?,
            trust: Origin::parse(&line.trust).map_err(invalid)?,
            source: line
                .source
                .as_deref()
                .map(Source::new)
                .transpose()
                .map_err(invalid)?,
            conversation: line
                .conversation
                .map(ConversationId::new)
                .transpose()
                .map_err(invalid)?,
            message: line.message.map(MessageId::new).transpose().map_err(invalid)?,
            learned_at: line.learned_at,
            revised_at: line.revised_at,
            expires_at: line.expires_at,
            standing,
            in_document: line.in_document,
            amends: named(line.amends.as_deref())?,
            period: Period {
                superseded_by: named(line.superseded_by.as_deref())?,
                ..period
            },
            project: line
                .project
                .as_deref()
                .map(Project::new)
                .transpose()
                .map_err(invalid)?,
            evidence: line
                .evidence
                .as_ref()
                .map_or_else(|| Ok(Vec::new()), Evidence::list)
                .map_err(invalid)?,
            version: line.version,
        };
        Ok(Version {
            act,
            memory,
            stamp: line.by.try_into()?,
        })
    }
}

fn retirement(why: Retirement) -> &'static str {
    match why {
        Retirement::Forgotten => "forgotten",
        Retirement::Expired => "expired",
    }
}
