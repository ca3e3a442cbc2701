//! `recalld eval`: measures search and learning on data sets in documented formats
//! (`docs/recall.md`, `docs/learning.md`).

mod bootstrap;
mod data;
mod learn;
mod metrics;
mod reliability;
mod report;
mod retrieval;
mod space;
mod sts;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use recalld_index::rank::{self, Arms};

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::failure::Failure;
use crate::session::Session;

/// Measures search or learning on a data set, without touching any memory
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld eval retrieval ./locomo",
    "recalld eval retrieval ./locomo --split dev --model ./all-MiniLM-L6-v2 --json",
    "recalld eval retrieval ./locomo --arm bm25",
    "recalld eval retrieval ./locomo --per-query queries.jsonl",
    "recalld eval sts ./stsb.jsonl",
    "recalld eval learn ./messages.jsonl",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Runs queries through the index and the ranking, and compares the results with the judgements
    Retrieval {
        /// Directory with docs.jsonl, queries.jsonl, qrels.jsonl and users.json
        directory: PathBuf,
        /// Only queries of this split, such as `dev` or `test`
        #[arg(long)]
        split: Option<String>,
        /// Embedding model: `builtin`, `none`, a directory, or an installed one [default: the
        /// configured one]
        #[arg(long, value_name = "MODEL")]
        model: Option<String>,
        /// Which parts of the search to use
        #[arg(long, value_enum, default_value = "hybrid")]
        arm: Arm,
        /// How the parts are combined into one score; all but `weighted` are for comparison
        #[arg(long, value_enum, default_value = "weighted")]
        fusion: Fusion,
        /// Reranking model to apply to the results: an installed one [default: none]
        #[arg(long, value_name = "MODEL")]
        reranker: Option<String>,
        /// Also write the metrics and results of each query to this file, one JSON object per line
        #[arg(long, value_name = "FILE")]
        per_query: Option<PathBuf>,
    },
    /// Reads labelled messages by rules, and compares what is learned with what should be
    Learn {
        /// Files with one {"lang", "text", "facts"} per line (docs/learning.md)
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Compares the model's similarity of sentence pairs with human judgements (Spearman's rank
    /// correlation)
    Sts {
        /// File with one {"a", "b", "score"} per line
        file: PathBuf,
        /// Embedding model: `builtin`, a directory, or an installed one [default: the configured
        /// one]
        #[arg(long, value_name = "MODEL")]
        model: Option<String>,
    },
}

/// The parts of a search, by the names that papers use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Arm {
    Bm25,
    Vectors,
    Hybrid,
}

/// The ways to combine two scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fusion {
    Weighted,
    Mean,
    Ranks,
}

/// What to measure.
#[derive(Clone, Copy, Debug)]
struct Way {
    arm: Arm,
    fusion: Fusion,
}

impl From<Fusion> for rank::Fusion {
    fn from(fusion: Fusion) -> rank::Fusion {
        match fusion {
            Fusion::Weighted => rank::Fusion::Weighted,
            Fusion::Mean => rank::Fusion::Mean,
            Fusion::Ranks => rank::Fusion::Ranks,
        }
    }
}

impl Arm {
    fn name(self) -> &'static str {
        match self {
            Arm::Bm25 => "bm25",
            Arm::Vectors => "vectors",
            Arm::Hybrid => "hybrid",
        }
    }

    fn arms(self) -> Arms {
        match self {
            Arm::Bm25 => Arms::Words,
            Arm::Vectors => Arms::Meaning,
            Arm::Hybrid => Arms::Both,
        }
    }
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        match self.what {
            What::Retrieval {
                directory,
                split,
                model,
                arm,
                fusion,
                reranker,
                per_query,
            } => {
                let run = retrieval::Run {
                    directory: &directory,
                    split: split.as_deref(),
                    model: model.as_deref(),
                    reranker: reranker.as_deref(),
                    per_query: per_query.as_deref(),
                    way: Way { arm, fusion },
                };
                retrieval::run(session, run).await
            }
            What::Learn { files } => learn::run(session, &files),
            What::Sts { file, model } => sts::run(session, &file, model.as_deref()).await,
        }
    }
}
