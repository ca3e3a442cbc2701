//! More verbs of the stage: conversations, profile, knowledge, and search over everything.

use std::collections::HashSet;

use recalld_memory::change::Actor;
use recalld_memory::conversation::{Message, MessageText, Role};
use recalld_memory::conversations::{self, ContextRequest, Derived, NewMessage};
use recalld_memory::id::{ConversationId, MessageId, UserId};
use recalld_memory::ingest::{self, Format, Ingested, Upload};
use recalld_memory::memory::Content;
use recalld_memory::ports::MessagePage;
use recalld_memory::profile;
use recalld_memory::recall::{self, Item, ItemKind, Question};
use recalld_memory::record_update::{ExpectedVersion, Update};
use recalld_memory::remember::{self, Remembered, Statement};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;

use crate::script::shown;

/// Plays a line, if its verb is one of these.
pub async fn play(ports: &Ports, scope: &mut Scope, verb: &str, rest: &str) -> Option<String> {
    Some(match verb {
        "in" => {
            let (chat, message) = rest.split_once(' ').unwrap();
            scope.conversation = Some(ConversationId::new(chat).unwrap());
            scope.message = Some(MessageId::new(message).unwrap());
            String::new()
        }
        "once" => once(ports, scope, rest).await,
        "say" => say(ports, scope, rest).await,
        "said" => said(ports, scope, rest).await,
        "unsay" => unsay(ports, scope, rest).await,
        "drop" => drop_chat(ports, scope, rest, Derived::Erase).await,
        "drop-and-keep" => drop_chat(ports, scope, rest, Derived::Keep).await,
        "go-on" => go_on(ports, scope, rest).await,
        "search" => search(ports, scope, rest).await,
        "global" => global(ports, scope, rest).await,
        "ingest" => ingest(ports, scope, rest).await,
        "prune" => prune(ports, scope, rest).await,
        "documents" => documents(ports).await,
        "put" | "patch" | "clear" => write_profile(ports, scope, verb, rest).await,
        "user-context" => user_context(ports, scope, rest).await,
        _ => return None,
    })
}

/// The scope of an administrator, who may write what all may read.
fn administrator(scope: &Scope) -> Scope {
    Scope::of_shared(UserId::new("root").unwrap(), Actor::new("stage"), scope.now)
}

/// Remembers in a request that must not be carried out twice: `once 1 TEXT`.
async fn once(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (number, text) = rest.split_once(' ').unwrap();
    let mut request = crate::script::scope(scope.user().as_str());
    request.now = scope.now;
    request.once = Some([number.parse().unwrap(); 32]);
    let statement = Statement::plain(Content::new(text).unwrap());
    match remember::remember(ports, &request, statement).await.unwrap() {
        Remembered::Stored { memory, .. } => format!("stored at {}: {}", memory.learned_at, shown(&memory)),
        Remembered::Duplicate { of, .. } => format!("known as {}", shown(&of)),
    }
}

/// `say CHAT ROLE TEXT`, or `say CHAT ROLE #ID TEXT`.
pub async fn say(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (chat, rest) = rest.split_once(' ').unwrap();
    let (role, rest) = rest.split_once(' ').unwrap();
    let (id, text) = match rest.strip_prefix('#') {
        Some(rest) => {
            let (id, text) = rest.split_once(' ').unwrap();
            (Some(MessageId::new(id).unwrap()), text)
        }
        None => (None, rest),
    };
    let message = NewMessage {
        id,
        role: Role::parse(role).unwrap(),
        content: MessageText::new(text.to_owned()).unwrap(),
        sender: None,
        at: None,
        metadata: None,
    };
    let chat = ConversationId::new(chat).unwrap();
    conversations::append(ports, scope, chat, vec![message])
        .await
        .unwrap();
    String::new()
}

fn lines<'m>(messages: impl Iterator<Item = &'m Message>) -> String {
    let line = |m: &Message| format!("{} {}: {}\n", m.conversation, m.role.as_str(), m.content.as_str());
    let shown: String = messages.map(line).collect();
    if shown.is_empty() {
        "(nothing)".to_owned()
    } else {
        shown
    }
}

/// `said CHAT N`: the last N messages.
async fn said(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (chat, limit) = rest.split_once(' ').unwrap();
    let page = MessagePage {
        before: None,
        limit: limit.parse().unwrap(),
    };
    let chat = ConversationId::new(chat).unwrap();
    let messages = conversations::history(ports, scope, &chat, page).await.unwrap();
    lines(messages.iter())
}

async fn unsay(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (chat, id) = rest.split_once(' ').unwrap();
    let (chat, id) = (ConversationId::new(chat).unwrap(), MessageId::new(id).unwrap());
    match conversations::erase_message(ports, scope, chat, id).await {
        Ok(()) => String::new(),
        Err(error) => format!("error: {error}"),
    }
}

async fn drop_chat(ports: &Ports, scope: &Scope, chat: &str, derived: Derived) -> String {
    match conversations::erase(ports, scope, ConversationId::new(chat).unwrap(), derived).await {
        Ok(erased) => format!("({erased} memories erased)"),
        Err(error) => format!("error: {error}"),
    }
}

/// `go-on CHAT TOKENS INSTRUCTIONS`: what a model gets.
async fn go_on(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (chat, rest) = rest.split_once(' ').unwrap();
    let (tokens, instructions) = rest.split_once(' ').unwrap();
    let request = ContextRequest {
        instructions,
        tokens_max: tokens.parse().unwrap(),
        ..ContextRequest::default()
    };
    let chat = ConversationId::new(chat).unwrap();
    let context = conversations::conversation_context(ports, scope, &chat, &request)
        .await
        .unwrap();
    assert!(context.tokens.fits(request.tokens_max));
    format!(
        "{}\n--\n{}({} left out)",
        context.system.trim_end(),
        lines(context.messages.iter()),
        context.left_out
    )
}

/// `search [KIND,KIND] QUERY`.
async fn search(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (kinds, query) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once("] ").unwrap(),
        None => ("", rest),
    };
    let kinds = kinds.split(',').filter(|name| !name.is_empty());
    let question = Question {
        kinds: kinds.map(|name| ItemKind::parse(name).unwrap()).collect(),
        ..Question::new(query, 10)
    };
    let found = recall::search(ports, scope, &question).await.unwrap();
    let line = |item: &Item| match item {
        Item::Memory(memory, reach) => format!("{reach:?} memory {}", shown(memory)),
        Item::Message(message) => format!("message {}", message.content.as_str()),
        Item::Entity(entity) => format!("entity {}", entity.name.as_str()),
        Item::Profile(entry) => format!(
            "profile {} {} {}",
            entry.category,
            entry.path.join("."),
            entry.value
        ),
        Item::Knowledge(document, chunk) => format!("knowledge {} {}", document.source, chunk.content),
    };
    let shown: String = found
        .iter()
        .map(|found| format!("{}\n", line(&found.item)))
        .collect();
    if shown.is_empty() {
        "(nothing)".to_owned()
    } else {
        shown
    }
}

async fn global(ports: &Ports, scope: &Scope, text: &str) -> String {
    let statement = Statement::plain(Content::new(text).unwrap());
    remember::remember(ports, &administrator(scope), statement)
        .await
        .unwrap();
    String::new()
}

/// `ingest SOURCE TEXT`, with `\n` for line ends.
async fn ingest(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (source, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let upload = Upload {
        source: source.to_owned(),
        title: None,
        format: Format::of_source(source).unwrap(),
        bytes: text.replace("\\n", "\n").into_bytes(),
    };
    match ingest::ingest(ports, &administrator(scope), upload).await {
        Ok(Ingested::Added(document)) => format!("added in {} chunks", document.chunks),
        Ok(Ingested::Replaced(document)) => format!("replaced by {} chunks", document.chunks),
        Ok(Ingested::Unchanged(_)) => "unchanged".to_owned(),
        Err(error) => format!("error: {error}"),
    }
}

/// `prune PREFIX KEPT KEPT …`.
async fn prune(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let mut words = rest.split(' ');
    let prefix = words.next().unwrap();
    let kept: HashSet<String> = words.map(str::to_owned).collect();
    let gone = ingest::prune(ports, &administrator(scope), prefix, &kept).await;
    format!("pruned {}", gone.unwrap().join(" "))
}

async fn documents(ports: &Ports) -> String {
    let documents = ingest::list(ports, "", None, 100).await.unwrap();
    let line = |d: &std::sync::Arc<recalld_memory::knowledge::KnowledgeDocument>| {
        format!(
            "{} {:?} {}\n",
            d.source,
            d.title.as_deref().unwrap_or("-"),
            d.chunks
        )
    };
    documents.iter().map(line).collect()
}

/// `put CATEGORY JSON`, `patch CATEGORY JSON`, `clear CATEGORY`; `@N` after the category asks for a
/// version.
async fn write_profile(ports: &Ports, scope: &Scope, verb: &str, rest: &str) -> String {
    let (category, json) = rest.split_once(' ').unwrap_or((rest, "null"));
    let (category, seen) = match category.split_once('@') {
        Some((category, version)) => {
            let seen = ExpectedVersion {
                version: version.parse().unwrap(),
                ..ExpectedVersion::ABSENT
            };
            (category, Some(seen))
        }
        None => (category, None),
    };
    let value = serde_json::from_str(json).unwrap();
    let update = match verb {
        "put" => Update::Replace(value),
        "patch" => Update::Merge(value),
        _ => Update::Clear,
    };
    match profile::update(ports, scope, category, update, seen).await {
        Ok(Some(record)) => format!("version {}", record.version),
        Ok(None) => "(nothing kept)".to_owned(),
        Err(error) => format!("error: {error}"),
    }
}

/// `user-context CATEGORY QUERY`.
async fn user_context(ports: &Ports, scope: &Scope, rest: &str) -> String {
    let (category, query) = match rest.split_once(' ') {
        Some((category, query)) => (category, Some(query)),
        None => (rest, None),
    };
    match profile::user_context(ports, scope, category, query).await {
        Ok(context) => context.to_json().to_string(),
        Err(error) => format!("error: {error}"),
    }
}
