//! Brings the lines of a file to what the store says, and leaves all others where they stand.

use std::collections::{BTreeMap, HashMap, HashSet};

use recalld_memory::id::MemoryId;
use recalld_memory::memory::Category;

use super::page::{Block, Is, Page};

/// What the store has for one file: the category and the line of each memory.
pub(super) type Lines = BTreeMap<MemoryId, (Category, String)>;

/// What is known of the lines of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The memory for which the line of that number stands.
    pub(super) memories: HashMap<usize, MemoryId>,
    /// Lines that stay as they are, whatever the store says.
    pub(super) untouched: HashSet<usize>,
    /// The categories that had lines when file and store last agreed.
    pub(super) categories: HashSet<Category>,
    /// What is said below the line of a memory.
    pub(super) remarks: HashMap<MemoryId, String>,
}

/// Makes the next text of a file.
pub(super) fn merge(page: &Page, known: &Known, lines: &Lines) -> Page {
    let mut placed: HashSet<MemoryId> = HashSet::new();
    let mut blocks: Vec<Placed> = Vec::new();
    for (number, block) in page.blocks.iter().enumerate() {
        match &block.is {
            Is::Item(..) if known.untouched.contains(&number) => blocks.push(Placed::other(block)),
            Is::Item(of, _) => {
                let Some(id) = known.memories.get(&number) else {
                    continue;
                };
                let here = lines.get(id).filter(|(wanted, _)| wanted == of);
                if let Some((_, line)) = here
                    && placed.insert(*id)
                {
                    blocks.push(Placed::item(*id, of, line));
                    blocks.extend(known.remarks.get(id).map(|remark| Placed::remark(remark)));
                }
            }
            Is::Heading(_) | Is::End | Is::Other => blocks.push(Placed::other(block)),
        }
    }
    for (id, (category, line)) in lines.iter().filter(|(id, _)| !placed.contains(id)) {
        insert(&mut blocks, *id, category, line);
    }
    drop_emptied_sections(&mut blocks, page, &known.categories);
    Page {
        blocks: blocks.into_iter().map(|placed| placed.block).collect(),
        crlf: page.crlf,
    }
}

struct Placed {
    block: Block,
    id: Option<MemoryId>,
}

impl Placed {
    fn other(block: &Block) -> Placed {
        Placed {
            block: block.clone(),
            id: None,
        }
    }

    fn text(raw: &str, is: Is) -> Placed {
        let raw = raw.to_owned();
        Placed {
            block: Block { raw, is },
            id: None,
        }
    }

    fn remark(raw: &str) -> Placed {
        Placed::text(raw, Is::Other)
    }

    fn item(id: MemoryId, category: &Category, line: &str) -> Placed {
        let item = super::line::Item {
            mark: None,
            body: String::new(),
        };
        Placed {
            id: Some(id),
            ..Placed::text(line, Is::Item(category.clone(), item))
        }
    }

    fn heading(&self) -> Option<&Category> {
        match &self.block.is {
            Is::Heading(category) => Some(category),
            _ => None,
        }
    }

    fn is_blank(&self) -> bool {
        self.block.raw.is_empty()
    }
}

/// Where the section that begins at `heading` ends.
fn end_of(blocks: &[Placed], heading: usize) -> usize {
    let ends = |placed: &Placed| {
        placed.heading().is_some()
            || placed.block.is == Is::End
            || placed.block.raw.starts_with("# ")
            || placed.block.raw.starts_with("## ")
    };
    let after = blocks[heading + 1..].iter().position(ends);
    after.map_or(blocks.len(), |at| heading + 1 + at)
}

/// Puts a line into the section of its category, after those that were learned before it.
fn insert(blocks: &mut Vec<Placed>, id: MemoryId, category: &Category, line: &str) {
    let item = Placed::item(id, category, line);
    let Some(heading) = blocks
        .iter()
        .position(|placed| placed.heading() == Some(category))
    else {
        return begin_section(blocks, category, item);
    };
    let section = heading + 1..end_of(blocks, heading);
    let before = section
        .clone()
        .rev()
        .find(|at| blocks[*at].id.is_some_and(|other| other < id));
    let first = section.clone().find(|at| blocks[*at].id.is_some());
    let at = match (before, first) {
        (Some(at), _) => at + 1,
        (None, Some(first)) => first,
        // Nothing there but, perhaps, what a person wrote.
        (None, None) => {
            let blank = blocks.get(heading + 1).is_some_and(Placed::is_blank);
            if !blank {
                blocks.insert(heading + 1, Placed::text("", Is::Other));
            }
            heading + 2
        }
    };
    // A remark belongs to the line above it.
    let at = (at..blocks.len())
        .find(|at| !blocks[*at].block.raw.starts_with("> recalld:"))
        .unwrap_or(at);
    blocks.insert(at, item);
    if blocks
        .get(at + 1)
        .is_some_and(|next| next.heading().is_some() || next.block.is == Is::End)
    {
        blocks.insert(at + 1, Placed::text("", Is::Other));
    }
}

fn begin_section(blocks: &mut Vec<Placed>, category: &Category, item: Placed) {
    let later = blocks
        .iter()
        .position(|placed| placed.heading().is_some_and(|other| category < other));
    let end = blocks.iter().rposition(|placed| placed.block.is == Is::End);
    let at = later.or(end).unwrap_or(blocks.len());
    let mut section = vec![
        Placed::text(&format!("## {category}"), Is::Heading(category.clone())),
        Placed::text("", Is::Other),
        item,
        Placed::text("", Is::Other),
    ];
    if 0 < at && !blocks[at - 1].is_blank() {
        section.insert(0, Placed::text("", Is::Other));
    }
    blocks.splice(at..at, section);
}

/// Takes out the headings under which something was and nothing is left. One that a person has just
/// written stays.
fn drop_emptied_sections(blocks: &mut Vec<Placed>, page: &Page, before: &HashSet<Category>) {
    let here = page.blocks.iter().filter_map(|block| match &block.is {
        Is::Item(category, _) => Some(category),
        _ => None,
    });
    let had: HashSet<&Category> = here.chain(before).collect();
    let mut at = 0;
    while at < blocks.len() {
        if !blocks[at]
            .heading()
            .is_some_and(|category| had.contains(category))
        {
            at += 1;
            continue;
        }
        let end = end_of(blocks, at);
        match blocks[at + 1..end].iter().all(Placed::is_blank) {
            true => drop(blocks.drain(at..end)),
            false => at = end,
        }
    }
}
