//! Writes the tokens of the two encodings as plain lists, so that counting needs the tokens alone
//! and not what a tokenizer keeps beside them.

use std::path::PathBuf;
use std::{env, fs};

use tiktoken_rs::CoreBPE;

/// A place in the look-up table has 18 bits for the number of a token.
const TOKENS_MAX: u32 = 1 << 18;

fn main() {
    let encodings = [
        ("cl100k", tiktoken_rs::cl100k_base()),
        ("o200k", tiktoken_rs::o200k_base()),
    ];
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it for build scripts"));
    for (name, encoding) in encodings {
        let encoding = encoding.expect("the published tokens are well-formed");
        let list = folder.join(format!("{name}.tokens"));
        fs::write(list, tokens(&encoding)).expect("the build can write to its own folder");
    }
    println!("cargo::rerun-if-changed=build.rs");
}

/// Each token in the order of their ranks: its length in one byte, and its bytes.
fn tokens(encoding: &CoreBPE) -> Vec<u8> {
    // Between the tokens and the special ones after them is a gap.
    let known = (0..TOKENS_MAX).map_while(|rank| encoding.decode_bytes(&[rank]).ok());
    let mut list = Vec::new();
    for token in known {
        list.push(u8::try_from(token.len()).expect("the longest token is 128 spaces"));
        list.extend(token);
    }
    list
}
