//! Prints what the classifier of instructions sees of each line, what the rules find, and what both
//! decide with the weights of today: `tools/screening` trains and measures with it.
//!
//!     sentence_vectors [--rules] [--verdict] < lines.txt > vectors.jsonl
//!
//! A line of input is a text; `\\n` in it is a new line.

use std::error::Error;
use std::io::{BufRead, Write};

use recalld_memory::screening::instructions::{classifier, suspicion, suspicion_by_rules};
use recalld_models::encoder::SentenceEncoder;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    recalld_models::screening::install();
    let is_asked = |name: &str| std::env::args().any(|argument| argument == name);
    let (with_rules, with_verdict) = (is_asked("--rules"), is_asked("--verdict"));
    let encoder = SentenceEncoder::shared();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let text = line?.replace("\\n", "\n");
        let part =
            |part: &String| json!({"vector": encoder.own_vector_of(part), "grams": classifier::grams(part)});
        let parts: Vec<_> = classifier::parts(&text).iter().map(part).collect();
        let line = json!({
            "parts": parts,
            "rules": with_rules.then(|| suspicion_by_rules(&text)).flatten().map(|reason| reason.as_str()),
            "verdict": with_verdict.then(|| suspicion(None, &text)).flatten().map(|reason| reason.as_str()),
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
