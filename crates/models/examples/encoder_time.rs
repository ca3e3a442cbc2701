//! Measures what a question takes to be read by the built-in encoder.
//!
//!     encoder_time [--times 200]
//!     encoder_time --vectors      prints vectors of some texts, to compare two builds

use std::time::{Duration, Instant};

use recalld_models::encoder::SentenceEncoder;

const QUESTIONS: [&str; 6] = [
    "Where does Ana live?",
    "What did I say about the budget for the new office in Lisbon?",
    "who repairs racing bicycles in Bergen?",
    "Which seat does she prefer on long flights, and does she need a special meal?",
    "Wann habe ich den Termin beim Zahnarzt?",
    "我上次说想去哪里旅行？",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let times = match arguments.as_slice() {
        [flag, value] if flag == "--times" => value.parse().unwrap_or(200),
        [flag] if flag == "--vectors" => return QUESTIONS.iter().for_each(|text| show(text)),
        _ => 200,
    };
    let encoder = SentenceEncoder::shared();
    for text in QUESTIONS {
        let mut best = Duration::MAX;
        for _ in 0..times {
            let start = Instant::now();
            std::hint::black_box(encoder.embed_one(text));
            best = best.min(start.elapsed());
        }
        println!("{best:>10.1?}  {text}");
    }
}

fn show(text: &str) {
    let vector = SentenceEncoder::shared().embed_one(text);
    let components: Vec<String> = vector.iter().map(|x| format!("{x:.4}")).collect();
    println!("{}", components.join(" "));
}
