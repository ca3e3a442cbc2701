//! What belongs to a project is seen there and nowhere else: in search, context, document, prompt,
//! tools, lists and by name; and what is said in one is not taken for known in another.

use recalld_agent::tools;
use recalld_memory::browse::{self, Filter};
use recalld_memory::context;
use recalld_memory::conversation::{MessageText, Role};
use recalld_memory::conversations::{self, NewMessage};
use recalld_memory::id::ConversationId;
use recalld_memory::memory::{Category, Content, Evidence, Key, Project};
use recalld_memory::prompt::{self, Moment};
use recalld_memory::recall::{Question, recall, search};
use recalld_memory::remember::{Reach, Remembered, Statement, remember};
use recalld_memory::retire;
use recalld_memory::review;
use recalld_memory::revise::{Edit, Relabel, Revised, revise};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::space::SpaceView;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use recalld_testing::script::{ports, scope, stores};
use serde_json::json;

fn within(project: &str) -> Scope {
    let mut scope = scope("ana");
    scope.project = Some(Project::new(project).unwrap());
    scope
}

fn statement(content: &str, key: Option<&str>) -> Statement {
    Statement {
        key: key.map(|key| Key::new(key).unwrap()),
        category: Category::new("work_context").unwrap(),
        ..Statement::plain(Content::new(content).unwrap())
    }
}

async fn say(ports: &Ports, scope: &Scope, statement: Statement) -> Remembered {
    remember(ports, scope, statement).await.unwrap()
}

/// Everything that somebody in this scope can get to see, as one text.
async fn seen(ports: &Ports, scope: &Scope) -> String {
    let question = Question {
        fills: true,
        ..Question::new("which database do the tests need", 50)
    };
    let mut all = String::new();
    for hit in recall(ports, scope, &question).await.unwrap() {
        all += &format!("recall: {}\n", hit.item.content);
    }
    for hit in search(ports, scope, &question).await.unwrap() {
        all += &format!("search: {:?}\n", hit.item);
    }
    all += &context::gather(ports, scope, "tests database", 4_000)
        .await
        .unwrap()
        .text;
    let block = prompt::block(ports, scope, Moment::FirstMessage, 4_000);
    all += &block.await.unwrap().text;
    let document = |view: &SpaceView| view.document(scope.lens()).to_json();
    all += &ports.spaces.read(scope.space(), document).await.unwrap();
    let listed = browse::list(ports, scope, &Filter::default(), 100).await.unwrap();
    for memory in listed.memories {
        all += &format!("list: {}\n", memory.content);
    }
    for item in review::list(ports, scope, 100).await.unwrap() {
        all += &format!("review: {}\n", item.memory.content);
    }
    let calls = [
        ("read_memory", json!({})),
        (
            "search_memory",
            json!({"query": "which database do the tests need"}),
        ),
        ("get_memory_context", json!({"topic": "tests database"})),
        ("manage_user_memory", json!({"action": "get_memory"})),
    ];
    for (name, arguments) in calls {
        if let Some(tool) = tools::find(name)
            && let Ok(answer) = tool.call(ports, scope, arguments).await
        {
            all += &format!("{name}: {} {}\n", answer.text, answer.data);
        }
    }
    all
}

#[tokio::test]
async fn a_project_sees_its_own_and_what_belongs_to_none() {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let (first, other, nowhere) = (within("first"), within("other"), scope("ana"));
        say(
            &ports,
            &first,
            statement("The tests need a PostgreSQL database", None),
        )
        .await;
        say(
            &ports,
            &other,
            statement("The tests need a MariaDB database", None),
        )
        .await;
        say(
            &ports,
            &nowhere,
            statement("Every database is backed up at night", None),
        )
        .await;
        let preference = Statement {
            category: Category::new("preference").unwrap(),
            ..Statement::plain(Content::new("Prefers SQLite as a database for tests").unwrap())
        };
        say(&ports, &first, preference).await;
        say(&ports, &first, statement("User lives in Lisbon", None)).await;

        let all = seen(&ports, &first).await;
        for word in ["PostgreSQL", "backed up", "Prefers SQLite", "Lisbon"] {
            assert!(all.contains(word), "{name}: {word} in {all}");
        }
        assert!(!all.contains("MariaDB"), "{name}: {all}");
        let all = seen(&ports, &other).await;
        for word in ["MariaDB", "backed up", "Prefers SQLite", "Lisbon"] {
            assert!(all.contains(word), "{name}: {word} in {all}");
        }
        assert!(!all.contains("PostgreSQL"), "{name}: {all}");
        let all = seen(&ports, &nowhere).await;
        assert!(
            all.contains("PostgreSQL") && all.contains("MariaDB"),
            "{name}: {all}"
        );
        let filter = Filter {
            project: Some(Project::new("other").unwrap()),
            ..Filter::default()
        };
        let only = browse::list(&ports, &nowhere, &filter, 10).await.unwrap();
        assert_eq!(only.total, 1, "{name}");
    }
}

#[tokio::test]
async fn the_same_words_and_keys_in_two_projects_are_two_memories() {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let (first, other) = (within("first"), within("other"));
        for place in [&first, &other] {
            let stored = say(&ports, place, statement("Build with make all", Some("build"))).await;
            assert!(matches!(stored, Remembered::Stored { .. }), "{name}: {stored:?}");
            let again = say(&ports, place, statement("Build with make all", None)).await;
            assert!(matches!(again, Remembered::Duplicate { .. }), "{name}: {again:?}");
        }
        let edit = Edit {
            content: Some(Content::new("Build with ninja").unwrap()),
            ..Edit::by(recalld_memory::memory::Origin::User)
        };
        let key = || Target::Key("build".to_owned());
        let revised = revise(&ports, &first, key(), edit.clone()).await.unwrap();
        assert!(matches!(revised, Revised::Changed { .. }), "{name}: {revised:?}");
        let of_other = browse::find(&ports, &other, &key()).await.unwrap().unwrap();
        assert_eq!(of_other.content.as_str(), "Build with make all", "{name}");
        // Another project's memory cannot be named, not even by its id.
        let id = Target::Id(of_other.id);
        assert_eq!(browse::find(&ports, &first, &id).await.unwrap(), None, "{name}");
        let refused = revise(&ports, &first, id.clone(), edit).await.unwrap();
        assert!(matches!(refused, Revised::NotFound), "{name}: {refused:?}");
        let kept = retire::retire(&ports, &first, id.clone(), None).await.unwrap();
        assert!(matches!(kept, retire::Retired::NotFound), "{name}: {kept:?}");
        assert_eq!(retire::erase(&ports, &first, id).await.unwrap(), None, "{name}");
        // Hidden and shown again, it has its key back.
        retire::retire(&ports, &other, key(), None).await.unwrap();
        let back = retire::restore(&ports, &other, key()).await.unwrap();
        assert!(matches!(back, retire::Restored::Shown { .. }), "{name}: {back:?}");
    }
}

#[tokio::test]
async fn project_and_evidence_are_stored_and_can_be_changed() {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let first = within("first");
        let evidence = Evidence::of_file("src/main.rs")
            .and_then(|it| it.with_symbol(Some("main")))
            .and_then(|it| it.seen_as(Some(&"ab".repeat(32)), None))
            .unwrap();
        let new = Statement {
            reach: Reach::Project(Project::new("third").unwrap()),
            evidence: vec![evidence.clone()],
            ..statement("The entry point parses arguments", Some("entry"))
        };
        say(&ports, &first, new).await;
        let third = within("third");
        let key = || Target::Key("entry".to_owned());
        assert_eq!(
            browse::find(&ports, &first, &key()).await.unwrap(),
            None,
            "{name}"
        );
        let history = browse::history(&ports, &third, &key()).await.unwrap().unwrap();
        assert_eq!(history[0].memory.evidence, [evidence], "{name}");
        assert_eq!(history[0].memory.project, third.project, "{name}");
        let edit = Edit {
            project: Relabel::Remove,
            ..Edit::by(recalld_memory::memory::Origin::User)
        };
        revise(&ports, &third, key(), edit).await.unwrap();
        let found = browse::find(&ports, &first, &key()).await.unwrap().unwrap();
        assert_eq!((found.project.as_ref(), found.version), (None, 2), "{name}");
        // What is read from the store says the same as what is in this process.
        let stored = ports.store.history(first.space(), found.id).await.unwrap();
        assert_eq!(stored.last().unwrap().memory, *found, "{name}");
        assert_eq!(stored[0].memory.project, third.project, "{name}");
    }
}

#[tokio::test]
async fn messages_of_a_session_in_another_project_are_not_found() {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let (first, other) = (within("first"), within("other"));
        let session = ConversationId::of_session("first", "s-1").unwrap();
        assert_eq!(session.project(), Some("first"));
        let message = NewMessage {
            id: None,
            role: Role::User,
            content: MessageText::new("the tests need a PostgreSQL database".to_owned()).unwrap(),
            sender: None,
            at: None,
            metadata: None,
        };
        conversations::append(&ports, &first, session, vec![message])
            .await
            .unwrap();
        let question = Question::new("which database do the tests need", 5);
        assert_eq!(
            search(&ports, &first, &question).await.unwrap().len(),
            1,
            "{name}"
        );
        assert_eq!(
            search(&ports, &other, &question).await.unwrap().len(),
            0,
            "{name}"
        );
    }
}
