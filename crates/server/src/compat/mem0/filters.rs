//! Filters: AND, OR, NOT, and conditions on labels, metadata, categories and times.

use std::cmp::Ordering;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::super::json_body::invalid;
use super::labelled::{ENTITIES, Labelled};
use crate::error::ApiError;

/// How deep conditions may be nested.
const DEPTH_MAX: usize = 8;

/// Which memories are meant.
#[derive(Debug)]
pub(super) struct Filters(Value);

impl Filters {
    /// Takes filters as a body has them.
    pub(super) fn new(given: Value) -> Result<Filters, ApiError> {
        check(&given, DEPTH_MAX)?;
        Ok(Filters(given))
    }

    /// Makes filters of labels that stand beside each other.
    pub(super) fn of_labels(labels: &Map<String, Value>) -> Filters {
        let known = labels
            .iter()
            .filter(|(name, value)| ENTITIES.contains(&name.as_str()) && !value.is_null());
        Filters(Value::Object(
            known.map(|(name, value)| (name.clone(), value.clone())).collect(),
        ))
    }

    /// Gives the conditions back.
    pub(super) fn into_parts(self) -> Map<String, Value> {
        match self.0 {
            Value::Object(parts) => parts,
            _ => Map::new(),
        }
    }

    /// Finds the user that is named, wherever it stands.
    pub(super) fn user_id(&self) -> Option<&str> {
        named(&self.0, "user_id")
    }

    /// Tells whether any user, agent, app or run is named.
    pub(super) fn names_entity(&self) -> bool {
        ENTITIES.iter().any(|name| mentions(&self.0, name))
    }

    pub(super) fn keeps(&self, one: &Labelled) -> bool {
        keeps(&self.0, one)
    }
}

fn check(filter: &Value, depth: usize) -> Result<(), ApiError> {
    let Value::Object(parts) = filter else {
        return Err(invalid("filters must be an object"));
    };
    if depth == 0 {
        return Err(invalid(format!("filters are nested more than {DEPTH_MAX} deep")));
    }
    for (name, part) in parts {
        match (name.as_str(), part) {
            ("AND" | "OR" | "NOT", Value::Array(all)) => {
                all.iter().try_for_each(|one| check(one, depth - 1))?;
            }
            ("AND" | "OR" | "NOT", Value::Object(_)) => check(part, depth - 1)?,
            ("AND" | "OR" | "NOT", _) => return Err(invalid(format!("{name} must be a list of filters"))),
            _ => {}
        }
    }
    Ok(())
}

fn inner(filter: &Value) -> impl Iterator<Item = &Value> {
    let groups = ["AND", "OR"].into_iter().filter_map(|name| filter.get(name));
    groups.flat_map(|group| match group {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    })
}

fn named<'f>(filter: &'f Value, name: &str) -> Option<&'f str> {
    let own = filter
        .get(name)
        .and_then(|own| own.as_str().or_else(|| own["eq"].as_str()));
    own.filter(|own| *own != "*")
        .or_else(|| inner(filter).find_map(|part| named(part, name)))
}

fn mentions(filter: &Value, name: &str) -> bool {
    filter.get(name).is_some_and(|own| !own.is_null()) || inner(filter).any(|part| mentions(part, name))
}

fn keeps(filter: &Value, one: &Labelled) -> bool {
    let Value::Object(parts) = filter else {
        return true;
    };
    parts.iter().all(|(name, part)| {
        let list = match part {
            Value::Array(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        match name.as_str() {
            "AND" => list.iter().all(|part| keeps(part, one)),
            "OR" => list.is_empty() || list.iter().any(|part| keeps(part, one)),
            "NOT" => !list.iter().any(|part| keeps(part, one)),
            _ => condition(name, part, one),
        }
    })
}

fn condition(name: &str, wanted: &Value, one: &Labelled) -> bool {
    let memory = &one.memory;
    match name {
        // A memory that came another way belongs to whatever the caller calls the user.
        "user_id" => one.label(name).is_none_or(|label| is(&json!(label), wanted)),
        "agent_id" | "app_id" | "run_id" | "actor_id" => is(&json!(one.label(name)), wanted),
        "metadata" => {
            let metadata = one.metadata().cloned().unwrap_or_default();
            wanted.as_object().is_none_or(|wanted| {
                wanted
                    .iter()
                    .all(|(name, wanted)| is(metadata.get(name).unwrap_or(&Value::Null), wanted))
            })
        }
        "categories" | "category" => {
            let category = memory.category.as_str();
            match wanted {
                Value::Array(any) => any.iter().any(|one| one == category),
                Value::Object(_) => is(&json!(category), wanted),
                one => one == category || one == "*",
            }
        }
        "created_at" => is_at(memory.learned_at, wanted),
        "updated_at" => is_at(memory.revised_at, wanted),
        "memory" | "keywords" => is(&json!(memory.content.as_str()), wanted),
        "memory_ids" | "id" => is(&json!(memory.id.to_string()), wanted),
        _ => true,
    }
}

fn is(value: &Value, wanted: &Value) -> bool {
    let text = |value: &Value| value.as_str().unwrap_or("").to_lowercase();
    match wanted {
        Value::Null => value.is_null(),
        Value::String(star) if star == "*" => !value.is_null(),
        Value::Array(any) => any.contains(value),
        Value::Object(operators) => operators.iter().all(|(operator, with)| match operator.as_str() {
            "eq" => value == with,
            "ne" => value != with,
            "in" => with.as_array().is_some_and(|any| any.contains(value)),
            "contains" => value
                .as_str()
                .zip(with.as_str())
                .is_some_and(|(all, part)| all.contains(part)),
            "icontains" => text(value).contains(&text(with)),
            "gt" | "gte" | "lt" | "lte" => within(operator, order(value, with)),
            _ => false,
        }),
        plain => value == plain,
    }
}

fn within(operator: &str, order: Option<Ordering>) -> bool {
    match operator {
        "gt" => order == Some(Ordering::Greater),
        "gte" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        "lt" => order == Some(Ordering::Less),
        _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
    }
}

fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// Compares times; a date is its beginning.
fn is_at(at: Timestamp, wanted: &Value) -> bool {
    let time = |raw: &Value| {
        let raw = raw.as_str()?;
        let day = || {
            raw.parse::<jiff::civil::Date>()
                .ok()?
                .to_zoned(jiff::tz::TimeZone::UTC)
                .ok()
        };
        raw.parse::<Timestamp>()
            .ok()
            .or_else(|| day().map(|day| day.timestamp()))
    };
    let Value::Object(operators) = wanted else {
        return time(wanted).is_none_or(|wanted| wanted == at);
    };
    operators
        .iter()
        .all(|(operator, with)| time(with).is_none_or(|with| within(operator, Some(at.cmp(&with)))))
}
