//! What can be learned from what was said, and how far it was read.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use recalld_agent::extract::{Fact, Finding, find};
use recalld_memory::memory::{Category, Confidence, Content, Key, Origin, Source, Tier};
use recalld_memory::ports::Clock;
use recalld_memory::remember::{Reach, Statement, refuse_secrets};
use recalld_memory::render::one_line;
use recalld_memory::screening::secrets;
use recalld_memory::validity::Period;
use serde::{Deserialize, Serialize};

use crate::clock::SystemClock;
use crate::coding::project::CodeProject;
use crate::coding::transcripts::{From, Said, said_in_git};
use crate::private_file;

/// How far files were read: their lengths by path.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Progress {
    files: BTreeMap<String, u64>,
}

const PROGRESS: &str = "hooks/learned.json";

impl Progress {
    /// Reads it; what is unreadable is read anew.
    pub(super) fn read(data: &Path) -> Progress {
        let text = fs::read(data.join(PROGRESS)).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// Writes it. If that fails, files are read again, and what is known is not stored twice.
    pub(super) fn write(&self, data: &Path) {
        if fs::create_dir_all(data.join("hooks")).is_ok() {
            let text = serde_json::to_string(self).expect("it is plain data");
            let _ = private_file::write(&data.join(PROGRESS), &text);
        }
    }

    /// Whether a file has not changed since it was read; notes that it is read now.
    fn is_read(&mut self, file: &Path) -> bool {
        let length = fs::metadata(file).map_or(0, |about| about.len());
        let name = file.display().to_string();
        self.files.insert(name, length) == Some(length)
    }
}

/// What can be learned.
#[derive(Debug, Default)]
pub(super) struct Harvest {
    pub(super) statements: Vec<Statement>,
    /// How many files or commits were read.
    pub(super) read: usize,
    /// How many statements were left out because they look like secrets.
    pub(super) secrets: usize,
    seen: HashSet<(Option<String>, String)>,
}

impl Harvest {
    /// Reads all that was said, in `folder`.
    pub(super) fn of(from: From, folder: &Path, progress: &mut Progress) -> Harvest {
        let mut harvest = Harvest::default();
        if from == From::Git {
            let root = CodeProject::of(folder).root;
            let said = said_in_git(&root);
            harvest.read = said.len();
            said.iter().for_each(|said| harvest.take(from, said));
            return harvest;
        }
        for file in from.files(folder) {
            if progress.is_read(&file) {
                continue;
            }
            harvest.read += 1;
            for said in from.read(&file) {
                harvest.take(from, &said);
            }
        }
        harvest
    }

    fn take(&mut self, from: From, said: &Said) {
        if secrets::find(&said.text).is_some() {
            self.secrets += 1;
            return;
        }
        let at = said.at.unwrap_or_else(|| SystemClock.now());
        for finding in find(&said.text, at) {
            let Finding::Holds(fact) = finding else { continue };
            let Some(statement) = statement(from, &fact, said) else {
                continue;
            };
            if refuse_secrets(&statement).is_err() {
                self.secrets += 1;
            } else if self
                .seen
                .insert((project_of(&statement), statement.content.to_string()))
            {
                self.statements.push(statement);
            }
        }
    }
}

/// Names the project that a statement would belong to.
pub(super) fn project_of(statement: &Statement) -> Option<String> {
    match &statement.reach {
        Reach::Project(project) => Some(project.to_string()),
        _ => None,
    }
}

/// Makes a statement of a fact. It counts as imported: nobody has looked at it yet.
fn statement(from: From, fact: &Fact, said: &Said) -> Option<Statement> {
    let is_of_person = fact.category == "preference"
        || fact
            .slot
            .as_ref()
            .is_some_and(|slot| slot.attribute.is_of_person());
    let quote = one_line(&fact.quote);
    let room = Source::BYTES_MAX - 40;
    let cut = &quote[..quote.floor_char_boundary(room)];
    Some(Statement {
        key: fact.key.as_deref().and_then(|key| Key::new(key).ok()),
        content: Content::new(&fact.content).ok()?,
        category: Category::new(fact.category).unwrap_or_else(|_| Category::unsorted()),
        tier: Tier::Durable,
        confidence: Confidence::new(fact.confidence).ok()?,
        origin: Origin::Import,
        source: Source::new(&format!("import:{}: {cut}", from.name())).ok(),
        period: Period::default(),
        reach: match is_of_person {
            true => Reach::Everywhere,
            false => Reach::Project(CodeProject::of(&said.folder).label),
        },
        evidence: Vec::new(),
    })
}
