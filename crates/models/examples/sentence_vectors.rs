//! Prints what the classifier of instructions sees of each line, and what the rules find:
//! `tools/screening/train.py` trains on it.
//!
//!     sentence_vectors [--rules] < lines.txt > vectors.jsonl

use std::error::Error;
use std::io::{BufRead, Write};

use recalld_memory::screening::instructions::{classifier, suspicion};
use recalld_models::encoder::SentenceEncoder;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let with_rules = std::env::args().any(|argument| argument == "--rules");
    let encoder = SentenceEncoder::shared();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        // Without a reader the rules decide alone.
        let rules = with_rules.then(|| suspicion(None, &line)).flatten();
        let line = json!({
            "vector": encoder.own_vector_of(&line),
            "grams": classifier::grams(&line),
            "rules": rules.map(|reason| reason.as_str()),
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
