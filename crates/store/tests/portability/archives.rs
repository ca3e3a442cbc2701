//! Archives: what was exported comes back as it was, once, wherever it is imported.

use std::io::{Cursor, Read, Write};
use std::sync::Arc;

use recalld_memory::id::{SpaceId, UserId};
use recalld_memory::memory::Origin;
use recalld_memory::ports::Store;
use recalld_memory::remember::remember;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use recalld_portability::archive::{
    self, ArchiveError, ExportError, ImportError, Imported, Limits, Mode, Observer, Progress, Signature,
    Signer, Sink, Staged, export,
};
use recalld_portability::erase::{Eraser, erase};
use recalld_portability::import::open;
use recalld_store::SqliteStore;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::sample_user::{everything, move_in, scope, statement, stores, wired};

async fn exported(ports: &Ports, user: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    export(ports, &scope(user, 50), Some(&signer()), &mut bytes)
        .await
        .unwrap();
    bytes
}

/// The signer of every deployment in these tests.
fn signer() -> Signer {
    Signer::new(&[7; 32])
}

fn read(bytes: &[u8], limits: &Limits, signer: Option<&Signer>) -> Result<Staged, ArchiveError> {
    archive::read(Cursor::new(bytes), limits, signer, scope("ana", 50).now)
}

fn unpacked(bytes: &[u8]) -> Staged {
    read(bytes, &Limits::default(), Some(&signer())).unwrap()
}

pub(crate) async fn taken_in(ports: &Ports, scope: &Scope, bytes: &[u8], mode: Mode) -> Imported {
    archive::import(ports, scope, unpacked(bytes), mode, Arc::new(()))
        .await
        .unwrap()
}

fn texts(bytes: &[u8]) -> Vec<(String, String)> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut all = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        all.push((entry.name().unwrap().into_owned(), text));
    }
    all
}

#[tokio::test]
async fn export_erase_import_export_gives_the_same_archive() {
    let mut archives = Vec::new();
    for (name, store, _keep) in stores().await {
        let (ports, eraser) = wired(store, Arc::default());
        move_in(&ports, "ana", "finch").await;
        move_in(&ports, "bo", "sparrow").await;
        let first = exported(&ports, "ana").await;
        assert_eq!(first, exported(&ports, "ana").await, "it depends on nothing else");
        erase(&ports, &eraser, &scope("ana", 60)).await.unwrap();
        let report = taken_in(&ports, &scope("ana", 70), &first, Mode::Write).await;
        assert_eq!(report.faults, [], "{name}");
        let second = exported(&ports, "ana").await;
        for (before, after) in texts(&first).iter().zip(texts(&second)) {
            assert_eq!(*before, after, "{name}");
        }
        assert_eq!(first, second, "{name}");
        for (file, text) in texts(&first) {
            assert!(!text.contains("sparrow"), "{name}: {file} has something of bo's");
        }
        archives.push(first);
    }
    assert_eq!(
        archives[0], archives[1],
        "which store it comes from does not show"
    );
}

#[tokio::test]
async fn importing_twice_changes_nothing() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    move_in(&ports, "ana", "finch").await;
    let archive = exported(&ports, "ana").await;
    for user in ["ana", "cy"] {
        taken_in(&ports, &scope(user, 70), &archive, Mode::Write).await;
        let space = SpaceId::of_user(&UserId::new(user).unwrap());
        let before = everything(&*store, &space).await;
        let revision = store.revision(&space).await.unwrap();
        let again = taken_in(&ports, &scope(user, 80), &archive, Mode::Write).await;
        assert_eq!(again.added(), 0, "{again:?}");
        assert_eq!(store.revision(&space).await.unwrap(), revision);
        assert_eq!(everything(&*store, &space).await, before);
    }
    let same = texts(&exported(&ports, "cy").await);
    let without_names = |all: Vec<(String, String)>| -> Vec<String> {
        all.into_iter()
            .filter(|(name, _)| !name.starts_with("manifest."))
            .map(|(_, text)| text)
            .collect()
    };
    assert_eq!(without_names(same), without_names(texts(&archive)));
}

#[tokio::test]
async fn what_is_here_stays_and_what_is_new_comes_in() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    move_in(&ports, "ana", "finch").await;
    let archive = exported(&ports, "ana").await;
    let own = statement("likes water", Some("drink"));
    remember(&ports, &scope("cy", 60), own).await.unwrap();
    let seen = taken_in(&ports, &scope("cy", 70), &archive, Mode::DryRun).await;
    let space = scope("cy", 1).space().clone();
    assert_eq!(
        store.revision(&space).await.unwrap().0,
        1,
        "a dry run writes nothing"
    );
    let report = taken_in(&ports, &scope("cy", 70), &archive, Mode::Write).await;
    assert_eq!(report, seen);
    let memories = report.kinds["memories"];
    assert_eq!(
        (memories.added, memories.known),
        (2, 1),
        "the key drink is taken here"
    );
    let all = everything(&*store, &space).await;
    assert!(all.contains("likes water") && all.contains("met finch") && !all.contains("coffee"));

    // Later on, more happens where the archive was made: a second import brings that and nothing
    // else.
    remember(&ports, &scope("ana", 90), statement("plays chess", None))
        .await
        .unwrap();
    let later = exported(&ports, "ana").await;
    let report = taken_in(&ports, &scope("cy", 95), &later, Mode::Write).await;
    assert_eq!(report.added(), 1, "{report:?}");
}

/// Packs files as an archive whose manifest fits them.
pub(crate) fn packed(files: &[(&str, String)]) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let listed: Vec<Value> = files
        .iter()
        .map(|(name, text)| {
            json!({"name": name, "lines": 1, "bytes": text.len(), "sha256": hex(&Sha256::digest(text))})
        })
        .collect();
    let manifest = json!({"format": "recalld-archive", "version": 1, "user": "x", "files": listed});
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.start_file("manifest.json", SimpleFileOptions::default())
        .unwrap();
    zip.write_all(manifest.to_string().as_bytes()).unwrap();
    zip.finish().unwrap().into_inner()
}

fn refused(bytes: &[u8]) -> ArchiveError {
    read(bytes, &Limits::default(), None).unwrap_err()
}

#[tokio::test]
async fn what_is_no_archive_is_refused_whole() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store, Arc::default());
    move_in(&ports, "ana", "finch").await;
    let good = exported(&ports, "ana").await;
    for bad in [&b""[..], b"PK", b"{}", &good[..good.len() / 2]] {
        assert!(matches!(refused(bad), ArchiveError::Zip(_)));
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("../../etc/passwd", SimpleFileOptions::default())
        .unwrap();
    let foreign = zip.finish().unwrap().into_inner();
    assert!(matches!(refused(&foreign), ArchiveError::Foreign));

    // A file that is not what its checksum says.
    let mut files = texts(&good);
    for (name, text) in &mut files {
        if name == "memories.jsonl" {
            *text = text.replace("finch", "cuckoo");
        }
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in &files {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let changed = zip.finish().unwrap().into_inner();
    assert!(matches!(refused(&changed), ArchiveError::Changed { name } if name == "memories.jsonl"));
    let newer = packed(&[]);
    let newer = String::from_utf8_lossy(&newer).replace("\"version\":1", "\"version\":9");
    // The checksum of the entry no longer fits either, whichever is noticed first.
    assert!(read(newer.as_bytes(), &Limits::default(), None).is_err());
    let small = Limits {
        bytes_max: 100,
        ..Limits::default()
    };
    let bomb = read(&good, &small, None).unwrap_err();
    assert!(matches!(bomb, ArchiveError::TooLong { limit: 100 }), "{bomb}");
}

fn version_line(change: impl FnOnce(&mut Value)) -> String {
    let mut line = json!({
        "id": "00000000-0000-0000-0000-0000000000aa", "version": 1, "act": "remember", "key": "drink",
        "content": "likes tea", "category": "preference", "tier": "durable", "confidence": 0.9,
        "origin": "user", "trust": "user", "source": null, "conversation": null, "message": null,
        "learned_at": "2026-01-01T00:00:00Z", "revised_at": "2026-01-01T00:00:00Z", "expires_at": null,
        "retired_at": null, "retired_why": null, "in_document": true,
        "by": {"at": "2026-01-01T00:00:00Z", "actor": "cli", "conversation": null, "message": null, "source": null},
    });
    change(&mut line);
    format!("{line}\n")
}

/// Each line that cannot be right is told and left out; the others come in.
#[tokio::test]
async fn hostile_lines_are_left_out_one_by_one() {
    let hostile: Vec<(&str, Value)> = vec![
        ("content", json!("")),
        ("content", json!("a\u{0}b")),
        ("content", json!("pay \u{202e}evil")),
        ("content", json!("x".repeat(20_000))),
        (
            "content",
            json!("my key is AKIAIOSFODNN7EXAMPLE and sk-proj-abcdefghijklmnopqrstuvwx123456"),
        ),
        ("content", json!(7)),
        ("content", json!(["a"])),
        ("key", json!("a\nb")),
        ("key", json!("\u{202e}")),
        ("key", json!("k".repeat(200))),
        ("category", json!("../../etc")),
        ("category", json!("a b")),
        ("category", json!("")),
        ("tier", json!("eternal")),
        ("confidence", json!(1.5)),
        ("confidence", json!(-1)),
        ("confidence", json!("NaN")),
        ("confidence", json!(null)),
        ("origin", json!("god")),
        ("trust", json!("")),
        ("id", json!("../../../etc/passwd")),
        ("id", json!("")),
        ("id", json!(null)),
        ("version", json!(0)),
        ("version", json!(-1)),
        ("version", json!(5_000_000_000_u64)),
        ("act", json!("destroy")),
        ("learned_at", json!("yesterday")),
        ("learned_at", json!("+999999-01-01T00:00:00Z")),
        ("retired_at", json!("2026-01-01T00:00:00Z")),
        ("retired_why", json!("expired")),
        ("conversation", json!("a\u{0}b")),
        ("message", json!("")),
        ("in_document", json!("yes")),
        ("by", json!({})),
        ("by", json!(null)),
        ("source", json!("s\u{7}")),
        ("user", json!("bo")),
        ("space", json!("shared")),
    ];
    let mut lines: String = hostile
        .iter()
        .map(|(field, value)| version_line(|line| line[*field] = value.clone()))
        .collect();
    lines += "{\"a\": \n[[[[[[\nnull\n\"text\"\n\u{feff}{}\n";
    lines += &"[".repeat(100_000);
    lines += "\n";
    lines += &version_line(|line| line["id"] = json!("00000000-0000-0000-0000-0000000000bb"));
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    let bytes = packed(&[
        ("memories.jsonl", lines),
        ("../../outside.jsonl", "{}\n".to_owned()),
    ]);
    let report = taken_in(&ports, &scope("ana", 1), &bytes, Mode::Write).await;
    assert_eq!(report.kinds["memories"].added, 1);
    assert_eq!(report.faults.len(), hostile.len() + 6, "{:#?}", report.faults);
    let all = everything(&*store, scope("ana", 1).space()).await;
    assert!(all.contains("likes tea") && !all.contains("AKIA"));
}

/// Packs the files of an archive again as they are, or changed.
fn repacked(files: &[(String, String)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[tokio::test]
async fn the_signature_of_a_whole_archive_is_valid_and_that_of_a_changed_one_is_not() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store, Arc::default());
    move_in(&ports, "ana", "finch").await;
    let archive = exported(&ports, "ana").await;
    let files = texts(&archive);
    let read = |bytes: &[u8], signer: Option<&Signer>| read(bytes, &Limits::default(), signer);
    assert_eq!(unpacked(&archive).signature(), Signature::Valid);
    assert_eq!(
        unpacked(&repacked(&files)).signature(),
        Signature::Valid,
        "the control"
    );
    let others = Signer::new(&[8; 32]);
    for signer in [None, Some(&others)] {
        assert_eq!(read(&archive, signer).unwrap().signature(), Signature::Unverified);
    }
    // Whichever byte of whichever file that is read is changed: it is refused, or not believed.
    for (index, (name, text)) in files.iter().enumerate() {
        if name.ends_with(".md") {
            continue;
        }
        for at in (0..text.len()).step_by(1 + text.len() / 60) {
            let mut changed = files.clone();
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(bytes) = String::from_utf8(bytes) else {
                continue;
            };
            changed[index].1 = bytes;
            let found = read(&repacked(&changed), Some(&signer()));
            let is_believed = found.is_ok_and(|contents| contents.signature() == Signature::Valid);
            assert!(!is_believed, "byte {at} of {name}");
        }
    }
}

#[tokio::test]
async fn an_archive_that_nobody_vouches_for_brings_imported_memories() {
    for (name, store, _keep) in stores().await {
        let (ports, _) = wired(store.clone(), Arc::default());
        let bytes = packed(&[("memories.jsonl", version_line(|_| {}))]);
        taken_in(&ports, &scope("ana", 1), &bytes, Mode::Write).await;
        let all = store.histories(scope("ana", 1).space(), None, 10).await.unwrap();
        let origins: Vec<(Origin, Origin)> = all
            .iter()
            .map(|version| (version.memory.origin, version.memory.trust))
            .collect();
        assert_eq!(origins, [(Origin::Import, Origin::Import)], "{name}");
    }
}

#[tokio::test]
async fn an_archive_that_nobody_vouches_for_is_known_where_it_was_made() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    move_in(&ports, "ana", "finch").await;
    let files: Vec<(String, String)> = texts(&exported(&ports, "ana").await);
    let unsigned: Vec<_> = files
        .into_iter()
        .filter(|(name, _)| name != "manifest.sig")
        .collect();
    let space = scope("ana", 1).space().clone();
    let before = everything(&*store, &space).await;
    let report = taken_in(&ports, &scope("ana", 80), &repacked(&unsigned), Mode::Write).await;
    let memories = report.kinds["memories"];
    assert_eq!((memories.added, memories.kept), (0, 0), "{report:?}");
    assert_eq!(everything(&*store, &space).await, before);
}

/// Erases the user when the first bytes of the export arrive.
struct ErasingSink<'a> {
    ports: &'a Ports,
    eraser: &'a Eraser,
    pieces: usize,
}

#[async_trait::async_trait]
impl Sink for ErasingSink<'_> {
    async fn take(&mut self, _: Vec<u8>) -> std::io::Result<()> {
        if self.pieces == 0 {
            erase(self.ports, self.eraser, &scope("ana", 60)).await.unwrap();
        }
        self.pieces += 1;
        Ok(())
    }
}

#[tokio::test]
async fn an_export_stops_when_its_user_is_erased() {
    for (name, store, _keep) in stores().await {
        let (ports, eraser) = wired(store, Arc::default());
        // Random letters hardly compress, so that this is more than one piece.
        for number in 0..120 {
            use sha2::{Digest, Sha256};
            let words: Vec<String> = (0..300)
                .map(|part| Sha256::digest(format!("{number} {part}")))
                .map(|digest| {
                    digest
                        .iter()
                        .take(5)
                        .map(|byte| char::from(b'a' + byte % 26))
                        .collect()
                })
                .collect();
            let said = statement(&format!("note {number} {}", words.join(" ")), None);
            remember(&ports, &scope("ana", number), said).await.unwrap();
        }
        let mut sink = ErasingSink {
            ports: &ports,
            eraser: &eraser,
            pieces: 0,
        };
        let stopped = export(&ports, &scope("ana", 50), None, &mut sink).await;
        assert!(matches!(stopped, Err(ExportError::Erased)), "{name}: {stopped:?}");
    }
}

/// Erases the user when the first batch of an import is stored.
struct ErasingObserver {
    ports: Ports,
    eraser: Eraser,
}

impl Observer for ErasingObserver {
    fn progress(&self, progress: &Progress) {
        if progress.done == 500 {
            let (ports, eraser) = (self.ports.clone(), self.eraser.clone());
            let erasing = async move { erase(&ports, &eraser, &scope("ana", 60)).await.unwrap() };
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(erasing));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_stops_when_its_user_is_erased() {
    for (name, store, _keep) in stores().await {
        let (ports, eraser) = wired(store.clone(), Arc::default());
        let text: String = (0..1200).map(|number| format!("Saw bird {number}\n")).collect();
        let ana = scope("ana", 50);
        let source = Cursor::new(text.into_bytes());
        let staged = open(source, "a.txt", None, ana.now, &Limits::default(), None).unwrap();
        let observer = Arc::new(ErasingObserver {
            ports: ports.clone(),
            eraser,
        });
        let stopped = archive::import(&ports, &ana, staged, Mode::Write, observer).await;
        assert!(matches!(stopped, Err(ImportError::Erased)), "{name}: {stopped:?}");
        let left = store.histories(ana.space(), None, 10).await.unwrap();
        assert_eq!(left, [], "{name}");
    }
}
