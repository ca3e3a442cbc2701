//! The checksum of a memory.

use recalld_memory::memory::{Evidence, Memory, Standing};

use super::sum::Sum;

/// Sums up a memory, as it stands now or stood at one of its versions.
pub(crate) fn memory(space: &str, memory: &Memory) -> i64 {
    let Memory {
        id,
        key,
        content,
        category,
        tier,
        confidence,
        origin,
        trust,
        source,
        conversation,
        message,
        learned_at,
        revised_at,
        expires_at,
        standing,
        in_document,
        amends,
        period,
        project,
        evidence,
        version,
    } = memory;
    let (retired_at, retired_why) = match standing {
        Standing::Active => (None, None),
        Standing::Retired { at, why } => (Some(*at), Some(why.as_str())),
    };
    let sum = Sum::of(space)
        .bytes(id.as_uuid().as_bytes())
        .optional(key.as_ref().map(|key| key.as_str()))
        .text(content.as_str())
        .text(category.as_str())
        .text(tier.as_str())
        .number(confidence.value().to_bits())
        .text(origin.as_str())
        .text(trust.as_str())
        .optional(source.as_ref().map(|source| source.as_str()))
        .optional(conversation.as_ref().map(|id| id.as_str()))
        .optional(message.as_ref().map(|id| id.as_str()))
        .time(*learned_at)
        .time(*revised_at)
        .optional_time(*expires_at)
        .optional_time(retired_at)
        .optional(retired_why)
        .number(u64::from(*in_document))
        .number(u64::from(*version));
    let sum = match amends {
        Some(of) => sum.bytes(of.as_uuid().as_bytes()),
        None => sum,
    };
    let mut sum = sum.period(period);
    // A name stands before each value, so that one column cannot pass for the other.
    if let Some(project) = project {
        sum = sum.text("project").text(project.as_str());
    }
    if let Some(evidence) = Evidence::stored(evidence) {
        sum = sum.text("evidence").text(&evidence);
    }
    sum.finish()
}
