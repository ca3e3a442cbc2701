//! The same random scenes on every store and on a plain model: nobody could tell them apart.

use std::fmt::Write;
use std::sync::Arc;

use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{EventPage, Store};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_testing::clock::{CountingIds, FixedClock, opening};
use recalld_testing::script::{Keep, play, scope, stores};

use crate::list_store::ModelStore;

/// How many scenes are played, unless the environment says otherwise.
const SCENES: u64 = 400;
const MORE: &str = "RECALLD_TEST_SCENES";
const LINES: usize = 10;
/// How many scenes are played at a time.
const AT_ONCE: usize = 8;

/// Numbers without a pattern, the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len())]
    }

    fn statement(&mut self) -> String {
        let who = self.of(&["Ana", "her brother", "the team", "their old dog"]);
        let does = self.of(&["likes", "never likes", "was told about", "keeps"]);
        let what = self.of(&[
            "green tea",
            "window seats",
            "the flight at 9:40",
            "jazz",
            "喝茶",
            "Zürich",
        ]);
        format!("{who} {does} {what}")
    }

    fn line(&mut self) -> String {
        let key = self.of(&["home", "seat", "mood", "diet"]);
        match self.roll(16) {
            0..4 => format!("remember {key}: {}", self.statement()),
            4..6 => format!("remember {}", self.statement()),
            6 => format!("note {} @0.5", self.statement()),
            7 => format!("note {key}: {}", self.statement()),
            8..10 => format!("revise {key}: {}", self.statement()),
            10 => format!("forget {key}"),
            11 => format!("restore {key}"),
            12 => format!("wait {} days", self.of(&["0.5", "45", "91"])),
            13 => "restart".to_owned(),
            14 => "document".to_owned(),
            _ => format!("recall {}", self.statement()),
        }
    }
}

/// A small document, so that something has to leave it.
fn settings() -> Settings {
    Settings {
        document_tokens_max: 300,
        ..Settings::default()
    }
}

fn wired(store: &Arc<dyn Store>, ids: &Arc<CountingIds>) -> Ports {
    Ports::new(
        Arc::clone(store),
        Arc::new(FixedClock(opening())),
        ids.clone(),
        settings(),
    )
}

/// Plays one scene, and writes down what is heard and what is kept.
async fn played(store: Arc<dyn Store>, number: u64) -> String {
    let mut dice = Dice(number);
    let ids = Arc::new(CountingIds::default());
    let mut ports = wired(&store, &ids);
    let mut scope = scope(&format!("user {number}"));
    let mut told = String::new();
    for _ in 0..LINES {
        let line = dice.line();
        let heard = match line.as_str() {
            "restart" => {
                ports = wired(&store, &ids);
                String::new()
            }
            line => play(&ports, &mut scope, line).await,
        };
        let _ = writeln!(told, "> {line}\n{heard}");
    }
    let _ = writeln!(told, "{}", kept(&*store, scope.space()).await);
    told
}

async fn kept(store: &dyn Store, space: &SpaceId) -> String {
    let everything = store.changed_since(space, Revision(0)).await.unwrap();
    let mut told = format!("{everything:?}");
    for memory in &everything.memories {
        let _ = write!(told, "{:?}", store.history(space, memory.id).await.unwrap());
    }
    let page = EventPage {
        limit: 100,
        ..EventPage::default()
    };
    let _ = write!(told, "{:?}", store.events(space, &page).await.unwrap());
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_store_can_be_told_from_a_plain_list_of_writes() {
    let mut all: Vec<(&str, Arc<dyn Store>, Keep)> = stores().await;
    all.push(("model", Arc::new(ModelStore::default()), Box::new(())));
    let stores: Vec<(&str, Arc<dyn Store>)> = all
        .iter()
        .map(|(name, store, _)| (*name, Arc::clone(store)))
        .collect();
    let scenes = std::env::var(MORE).map_or(SCENES, |more| more.parse().unwrap());
    let numbers: Vec<u64> = (0..scenes).collect();
    for some in numbers.chunks(AT_ONCE) {
        let mut playing = tokio::task::JoinSet::new();
        for &number in some {
            let stores = stores.clone();
            playing.spawn(async move {
                let (_, model) = stores.last().unwrap();
                let expected = played(Arc::clone(model), number).await;
                for (name, store) in &stores[..stores.len() - 1] {
                    assert_eq!(played(Arc::clone(store), number).await, expected, "{name}");
                }
            });
        }
        playing.join_all().await;
    }
}
