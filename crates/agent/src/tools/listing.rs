//! Memories in the answers of tools: as bounded text for the model, and as data for programs.

use recalld_memory::memory::Memory;
use recalld_memory::render::{Section, caution, pack, period_mark, quoted};
use serde_json::{Value, json};

/// Writes memories as dated quotations with the name by which each can be updated, in at most
/// `max_tokens` tokens.
pub(super) fn text<'m>(title: &str, memories: impl Iterator<Item = &'m Memory>, max_tokens: usize) -> String {
    lines(title, memories.map(line).collect(), max_tokens)
}

/// Writes lines (the most useful first) under a title, in at most `max_tokens` tokens.
pub(super) fn lines(title: &str, lines: Vec<String>, max_tokens: usize) -> String {
    let section = Section {
        title: String::new(),
        lines,
    };
    let turns: Vec<(usize, usize)> = (0..section.lines.len()).map(|line| (0, line)).collect();
    let packed = pack(&format!("{title}\n"), &[section], &turns, max_tokens);
    match packed.left_out {
        0 => packed.text,
        more => format!("{}({more} more left out; ask more precisely)\n", packed.text),
    }
}

/// Writes one memory as a dated quotation with its name.
pub(super) fn line(memory: &Memory) -> String {
    let date = memory.learned_at.to_zoned(jiff::tz::TimeZone::UTC).date();
    let caution = caution(memory)
        .map(|mark| format!(", {mark}"))
        .unwrap_or_default();
    let caution = match period_mark(memory) {
        Some(mark) => format!("{caution}, {mark}"),
        None => caution,
    };
    format!(
        "- [{date}] {} ({}{caution}): {}\n",
        quoted(&memory.short_name()),
        memory.category,
        quoted(memory.content.as_str())
    )
}

/// Gives a memory as data.
pub(super) fn data(memory: &Memory) -> Value {
    json!({
        "id": memory.id.to_string(),
        "key": memory.key.as_ref().map(|key| key.as_str()),
        "value": memory.content.as_str(),
        "category": memory.category.as_str(),
        "tier": memory.tier.as_str(),
        "confidence": memory.confidence.value(),
        "origin": memory.origin.as_str(),
        "review": memory.quarantine().map(|_| "quarantined"),
        "amends": memory.amends.map(|id| id.to_string()),
        "valid_from": memory.period.from.map(|at| at.to_string()),
        "valid_until": memory.period.until.map(|at| at.to_string()),
        "superseded_by": memory.period.superseded_by.map(|id| id.to_string()),
        "project": memory.project.as_ref().map(|project| project.as_str()),
        "source": memory.source.as_ref().map(|source| source.as_str()),
        "learned_at": memory.learned_at.to_string(),
        "revised_at": memory.revised_at.to_string(),
        "expires_at": memory.expires_at.map(|end| end.to_string()),
        "version": memory.version,
    })
}
