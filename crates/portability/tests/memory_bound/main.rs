//! Whatever somebody sends to be imported, little of it is in memory at a time.
//!
//! The allocator of this test counts, so that the figures depend on no machine. All cases are one
//! test, because the count is of the whole process.

#![expect(
    clippy::unwrap_used,
    clippy::too_many_lines,
    reason = "a case that cannot be set up should stop where that shows, and the cases are one table"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use recalld_portability::archive::Limits;
use recalld_portability::import::{Format, open};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The system's allocator with a count of what is allocated, and the highest count so far.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe by its trait; this one only counts"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the layout is the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the pointer and the layout are the caller's, and come from `alloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most that an import may take beside what the process has.
const PEAK_MAX: usize = 56 << 20;

/// The limits of a server.
const LIMITS: Limits = Limits {
    bytes_max: 512 << 20,
    rows_max: 500_000,
    faults_max: 100,
};

/// A file that `write` fills.
fn file(write: impl FnOnce(&mut BufWriter<File>)) -> File {
    let mut file = BufWriter::new(tempfile::tempfile().unwrap());
    write(&mut file);
    file.into_inner().unwrap()
}

fn repeated(head: &str, piece: &str, bytes: usize, tail: &str) -> File {
    file(|file| {
        file.write_all(head.as_bytes()).unwrap();
        for _ in 0..bytes / piece.len() {
            file.write_all(piece.as_bytes()).unwrap();
        }
        file.write_all(tail.as_bytes()).unwrap();
    })
}

fn zipped(name: &str, piece: &[u8], times: usize) -> File {
    let mut zip = ZipWriter::new(tempfile::tempfile().unwrap());
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    for _ in 0..times {
        zip.write_all(piece).unwrap();
    }
    zip.finish().unwrap()
}

/// Opens a file, and gives what came of it and how much memory that took at most.
fn measured(file: File, name: &str, from: Option<Format>) -> (String, usize) {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let opened = open(file, name, from, Timestamp::UNIX_EPOCH, &LIMITS, None);
    let outcome = match &opened {
        Ok(staged) => format!("{} items, {} faults", staged.items(), staged.faults().len()),
        Err(error) => error.to_string(),
    };
    (outcome, PEAK.load(Ordering::Relaxed) - before)
}

/// The control: a million empty lists, which are three megabytes of text, are over the bound.
fn control() -> usize {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let text = format!("[{}[]]", "[],".repeat(1 << 20));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    drop(value);
    PEAK.load(Ordering::Relaxed) - before
}

#[test]
fn whatever_is_imported_takes_little_memory() {
    const MIB: usize = 1 << 20;
    let whole = control();
    assert!(PEAK_MAX < whole, "a text that is read whole took {whole} bytes");
    let json = "body.json";
    let cases: Vec<(&str, File, &str, Option<Format>, &str)> = vec![
        (
            "zip bomb",
            zipped("conversations.json", &[b' '; MIB], 96),
            "body.zip",
            None,
            "a file of the zip unpacks to more than 250 times its size",
        ),
        (
            "archive whose lines are a bomb",
            zipped("memories.jsonl", &[b'['; MIB], 96),
            "body.zip",
            None,
            "neither conversations.json nor memories.json",
        ),
        (
            "nested lists",
            repeated("", "[", 40 * MIB, ""),
            json,
            Some(Format::Mem0),
            "not valid JSON",
        ),
        (
            "one huge text",
            repeated("[{\"memory\": \"", "aaaaaaaa", 40 * MIB, "\"}]"),
            json,
            Some(Format::Mem0),
            "0 items, 1 faults",
        ),
        (
            "many tiny objects",
            repeated("[{}", ",{}", 40 * MIB, "]"),
            json,
            Some(Format::Mem0),
            "more than the limit of 500000 rows",
        ),
        (
            "one object with many fields",
            repeated("[{\"a\": 1", ",\"a\": {}", 7 * MIB, "}]"),
            json,
            Some(Format::Mem0),
            "0 items, 1 faults",
        ),
        (
            "as many values as one entry may have",
            repeated("[{\"memory\": \"x\", \"a\": [0", ",{\"k\":{}}", 260_000, "]}]"),
            json,
            Some(Format::Mem0),
            "1 items, 0 faults",
        ),
        (
            "many memories",
            file(|file| {
                file.write_all(b"[").unwrap();
                for number in 0..60_000 {
                    let comma = if number == 0 { "" } else { "," };
                    write!(file, "{comma}{{\"memory\": \"Saw bird number {number}\"}}").unwrap();
                }
                file.write_all(b"]").unwrap();
            }),
            json,
            None,
            "60000 items, 0 faults",
        ),
        (
            "one long line",
            repeated("", "likes tea ", 40 * MIB, ""),
            "body.txt",
            None,
            "0 items, 1 faults",
        ),
        (
            "a table with one huge cell",
            repeated("content\n\"", "likes tea ", 40 * MIB, "\"\n"),
            "body.csv",
            None,
            "longer than",
        ),
        (
            "a table with many columns",
            repeated("content", ",content", 40 * MIB, "\n"),
            "body.csv",
            None,
            "longer than",
        ),
    ];
    for (what, file, name, from, expected) in cases {
        let (outcome, peak) = measured(file, name, from);
        println!("{what}: {} KiB, {outcome}", peak >> 10);
        assert!(outcome.contains(expected), "{what}: {outcome}");
        assert!(peak < PEAK_MAX, "{what} took {peak} bytes");
    }
}
