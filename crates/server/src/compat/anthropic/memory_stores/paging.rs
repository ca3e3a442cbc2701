//! Parameters and pages of lists.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::super::super::json_body::invalid;
use crate::error::ApiError;
use crate::extract::Query;

/// Parameters in the query string; those that are not known are ignored.
pub(super) type Params = Query<Map<String, Value>>;

pub(super) fn param<'p>(params: &'p Map<String, Value>, name: &str) -> Option<&'p str> {
    params.get(name).and_then(Value::as_str)
}

/// Cuts one page out of a list: after the id or path `page`, at most `limit`.
pub(super) fn page_of<T>(
    all: Vec<T>,
    params: &Map<String, Value>,
    most: usize,
    name: impl Fn(&T) -> String,
) -> Result<(Vec<T>, Option<String>), ApiError> {
    let limit = match param(params, "limit") {
        None => 20,
        Some(raw) => raw.parse().map_err(|_| invalid("limit must be a number"))?,
    };
    if !(1..=100).contains(&limit) {
        return Err(invalid("limit must be from 1 to 100"));
    }
    let begin = match param(params, "page").filter(|page| !page.is_empty()) {
        None => 0,
        Some(page) => {
            let place = all.iter().position(|one| token(&name(one)) == page);
            place.ok_or_else(|| invalid("page is not one that was given"))? + 1
        }
    };
    let left = all.len().saturating_sub(begin);
    let limit = limit.min(most);
    let page: Vec<T> = all.into_iter().skip(begin).take(limit).collect();
    let next = page
        .last()
        .filter(|_| limit < left)
        .map(|last| token(&name(last)));
    Ok((page, next))
}

fn token(name: &str) -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(name)
}

/// Tells whether a time is within what the parameters ask for.
pub(super) fn is_within(params: &Map<String, Value>, at: Timestamp) -> bool {
    let time = |names: [&str; 2]| {
        let raw = names.iter().find_map(|name| param(params, name))?;
        raw.parse::<Timestamp>().ok()
    };
    time(["created_at[gte]", "created_at_gte"]).is_none_or(|from| from <= at)
        && time(["created_at[lte]", "created_at_lte"]).is_none_or(|to| at <= to)
}
