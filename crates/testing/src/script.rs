//! Runs a script on each store and compares what it prints. The tests that use it know nothing else
//! of the API.

pub mod verbs;

use std::any::Any;
use std::fmt::Write;
use std::sync::Arc;

use expect_test::Expect;
use jiff::SignedDuration;
use recalld_agent::tools;
use recalld_memory::change::Actor;
use recalld_memory::context;
use recalld_memory::id::UserId;
use recalld_memory::memory::{Confidence, Content, Key, Memory, Origin, Tier};
use recalld_memory::ports::Store;
use recalld_memory::recall::{self, Question};
use recalld_memory::remember::{self, Likeness, RememberError, Remembered, Statement};
use recalld_memory::retire::{self, Restored, Retired};
use recalld_memory::revise::{self, Edit, Revised};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use recalld_store::SqliteStore;

use crate::clock::{CountingIds, FixedClock, opening};
use crate::postgres_database::Database;

/// What has to live as long as a store: a temporary database.
pub type Keep = Box<dyn Any + Send>;

/// A fresh store of each kind, with its name.
pub async fn stores() -> Vec<(&'static str, Arc<dyn Store>, Keep)> {
    let database = Database::new().await;
    let mut all = in_this_process();
    all.push(("postgres", Arc::new(database.open().await), Box::new(database)));
    let database = Database::partitioned().await;
    let store = Arc::new(database.open().await);
    all.push(("postgres, partitioned", store, Box::new(database)));
    all
}

/// Those that wait for no other process, for scenes in which time is stopped.
pub fn in_this_process() -> Vec<(&'static str, Arc<dyn Store>, Keep)> {
    let store = SqliteStore::in_memory().unwrap();
    vec![("sqlite", Arc::new(store), Box::new(()))]
}

/// Wires a store with `settings`.
pub fn ports(store: Arc<dyn Store>, settings: Settings) -> Ports {
    Ports::new(
        store,
        Arc::new(FixedClock(opening())),
        Arc::new(CountingIds::default()),
        settings,
    )
}

/// The scope of a user at the opening.
pub fn scope(user: &str) -> Scope {
    Scope::of_user(UserId::new(user).unwrap(), Actor::new("stage"), opening())
}

/// Plays `script` for one user on each store and compares what is read.
pub async fn check(script: &str, expected: Expect) {
    check_with(Settings::default(), script, expected).await;
}

/// The same under other settings.
pub async fn check_with(settings: Settings, script: &str, expected: Expect) {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, settings.clone());
        let mut scope = scope("ana");
        let mut read = String::new();
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let heard = play(&ports, &mut scope, line).await;
            if !heard.is_empty() {
                let _ = writeln!(read, "{}", heard.trim_end());
            }
        }
        assert!(!read.is_empty(), "the scene says nothing on {name}");
        expected.assert_eq(&read);
    }
}

/// Plays one line of a script, and gives what is heard.
pub async fn play(ports: &Ports, scope: &mut Scope, line: &str) -> String {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    match verb {
        "as" => {
            let now = scope.now;
            *scope = self::scope(rest);
            scope.now = now;
            String::new()
        }
        "wait" => {
            let days: f64 = rest.trim_end_matches(" days").parse().unwrap();
            scope.now += SignedDuration::from_secs_f64(days * 86_400.0);
            String::new()
        }
        "remember" => remember(ports, scope, rest, Tier::Durable).await,
        "note" => remember(ports, scope, rest, Tier::Daily).await,
        "read" => remember_from_document(ports, scope, rest).await,
        "revise" => revise(ports, scope, rest).await,
        "forget" => forget(ports, scope, rest).await,
        "restore" => restore(ports, scope, rest).await,
        "recall" => recall(ports, scope, rest).await,
        "context" => {
            let (budget, topic) = rest.split_once(' ').unwrap();
            context::gather(ports, scope, topic, budget.parse().unwrap())
                .await
                .unwrap()
                .text
        }
        "history" => history(ports, scope, rest).await,
        "document" => ports
            .spaces
            .read(scope.space(), |view| view.document(scope.lens()).to_json())
            .await
            .unwrap(),
        _ => match verbs::play(ports, scope, verb, rest).await {
            Some(heard) => heard,
            None => call(ports, scope, verb, rest).await,
        },
    }
}

fn split_key(text: &str) -> (Option<Key>, Content) {
    match text.split_once(": ") {
        Some((key, content)) => (Some(Key::new(key).unwrap()), Content::new(content).unwrap()),
        None => (None, Content::new(text).unwrap()),
    }
}

async fn remember(ports: &Ports, scope: &Scope, text: &str, tier: Tier) -> String {
    let (text, confidence) = match text.rsplit_once(" @") {
        Some((text, confidence)) => (text, confidence.parse().unwrap()),
        None => (text, 1.0),
    };
    let (key, content) = split_key(text);
    let confidence = Confidence::new(confidence).unwrap();
    heard(
        remember::remember(
            ports,
            scope,
            Statement {
                key,
                tier,
                confidence,
                ..Statement::plain(content)
            },
        )
        .await,
    )
}

async fn remember_from_document(ports: &Ports, scope: &Scope, text: &str) -> String {
    let (key, content) = split_key(text);
    let statement = Statement {
        key,
        origin: Origin::Document,
        ..Statement::plain(content)
    };
    heard(remember::remember(ports, scope, statement).await)
}

fn heard(remembered: Result<Remembered, RememberError>) -> String {
    match remembered {
        Ok(Remembered::Stored { demoted: true, .. }) => "(kept as a daily note)".to_owned(),
        Ok(Remembered::Stored { evicted: 0, .. }) => String::new(),
        Ok(Remembered::Stored { evicted, .. }) => format!("({evicted} evicted)"),
        Ok(Remembered::Duplicate {
            of,
            likeness: Likeness::SameKey,
        }) => format!("(key taken by {})", shown(&of)),
        Ok(Remembered::Duplicate { of, .. }) => format!("(known as {})", shown(&of)),
        Err(RememberError::Secret(secret)) => format!("(refused: {})", secret.as_str()),
        Err(error) => panic!("{error}"),
    }
}

async fn revise(ports: &Ports, scope: &Scope, text: &str) -> String {
    let (key, content) = split_key(text);
    let edit = Edit {
        content: Some(content),
        ..Edit::by(Origin::User)
    };
    let target = Target::Key(key.unwrap().to_string());
    match revise::revise(ports, scope, target, edit).await.unwrap() {
        Revised::Changed { .. } => String::new(),
        Revised::Proposed { of, .. } => format!("(proposed beside {})", shown(&of)),
        Revised::Unchanged(_) => "(unchanged)".to_owned(),
        Revised::Duplicate { of } => format!("(known as {})", shown(&of)),
        Revised::Stale(_) => "(stale)".to_owned(),
        Revised::NotFound => "(not found)".to_owned(),
    }
}

async fn forget(ports: &Ports, scope: &Scope, key: &str) -> String {
    match retire::retire(ports, scope, Target::parse(key), None)
        .await
        .unwrap()
    {
        Retired::Hidden(_) => String::new(),
        Retired::NotFound => "(not found)".to_owned(),
        Retired::Stale(_) => "(stale)".to_owned(),
    }
}

async fn restore(ports: &Ports, scope: &Scope, words: &str) -> String {
    let restored = match words.split_once(" v") {
        Some((key, version)) => {
            retire::restore_version(ports, scope, Target::parse(key), version.parse().unwrap())
                .await
                .unwrap()
        }
        None => retire::restore(ports, scope, Target::parse(words)).await.unwrap(),
    };
    match restored {
        Restored::Shown { .. } => String::new(),
        Restored::NotFound => "(not found)".to_owned(),
        Restored::Duplicate { of } => format!("(known as {})", shown(&of)),
    }
}

async fn recall(ports: &Ports, scope: &Scope, question: &str) -> String {
    let found = recall::recall(ports, scope, &Question::new(question, 5))
        .await
        .unwrap();
    match found.is_empty() {
        true => "(nothing)".to_owned(),
        false => found
            .iter()
            .map(|found| format!("{}\n", shown(&found.item)))
            .collect(),
    }
}

async fn history(ports: &Ports, scope: &Scope, key: &str) -> String {
    let target = Target::parse(key);
    let id = ports
        .spaces
        .read(scope.space(), |view| target.any(view, scope.lens()).map(|m| m.id))
        .await
        .unwrap();
    let versions = ports.store.history(scope.space(), id.unwrap()).await.unwrap();
    let line = |v: &recalld_memory::change::Version| {
        format!("v{} {}: {}\n", v.memory.version, v.act.as_str(), v.memory.content)
    };
    versions.iter().map(line).collect()
}

async fn call(ports: &Ports, scope: &Scope, tool: &str, arguments: &str) -> String {
    let tool = tools::find(tool).unwrap_or_else(|| panic!("no verb or tool {tool}"));
    match tool
        .call(ports, scope, serde_json::from_str(arguments).unwrap())
        .await
    {
        Ok(answer) => format!(
            "{} | {}",
            answer.data["outcome"].as_str().unwrap_or("-"),
            answer.text
        ),
        Err(error) => format!("error: {error}"),
    }
}

/// A memory as a person would write it down.
pub fn shown(memory: &Memory) -> String {
    match &memory.key {
        Some(key) => format!("{key}: {}", memory.content),
        None => memory.content.to_string(),
    }
}
