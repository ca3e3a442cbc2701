//! Renders the contents of the store as the text of an unedited file.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use recalld_memory::lens::Lens;
use recalld_memory::memory::{Memory, Tier};
use recalld_memory::space::SpaceView;

use super::line;
use super::merge::{Known, Lines, merge};
use super::name::FileName;
use super::page::Page;

/// Writes a file as the store has it: what of it is seen.
pub fn project(view: &SpaceView, lens: Lens<'_>, name: FileName) -> String {
    let page = Page::empty(name);
    merge(&page, &Known::default(), &lines(view, lens, name)).text()
}

/// Lists the days of which there are notes, the oldest first.
pub fn days(view: &SpaceView, lens: Lens<'_>) -> BTreeSet<Date> {
    let notes = view.current(lens).filter(|memory| memory.tier == Tier::Daily);
    notes.map(|note| day(note)).collect()
}

/// Tells in which file a memory is.
pub(super) fn file_of(memory: &Memory) -> FileName {
    match memory.tier {
        Tier::Durable => FileName::Memory,
        Tier::Daily => FileName::Day(day(memory)),
    }
}

/// Gives the lines of one file.
pub(super) fn lines(view: &SpaceView, lens: Lens<'_>, name: FileName) -> Lines {
    let here = |memory: &&Arc<Memory>| file_of(memory) == name;
    let line = |memory: &Arc<Memory>| {
        (
            memory.id,
            (memory.category.clone(), line::render(&view.shown(memory))),
        )
    };
    view.current(lens).filter(here).map(line).collect()
}

fn day(memory: &Memory) -> Date {
    memory.learned_at.to_zoned(TimeZone::UTC).date()
}
