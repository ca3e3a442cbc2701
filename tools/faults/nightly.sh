#!/bin/sh
# The suites of attacks and faults at full size. Takes about an hour; needs a release build and nothing outside this machine.
#
#     cargo build --release --bin recalld && tools/faults/nightly.sh target/release/recalld
set -eu
binary=${1:-target/release/recalld}
here=$(dirname "$0")

# Poison through every door, silent connections, slow writes, logs.
RECALLD_TEST_SCALE=10 cargo nextest run -p recalld-server --test attack --no-capture
# Rules and classifier on all planted instructions and benign notes.
RECALLD_TEST_SCALE=10 cargo nextest run --workspace --test screening --no-capture
# 1,000 rounds of erasure beside readers, checkpoints and a backup, with an integrity check after each; flipped bytes.
RECALLD_TEST_SCALE=40 cargo nextest run -p recalld-store --test directory
# Crashes, archives and hand edits, ten times as many.
RECALLD_TEST_SCALE=10 cargo nextest run -p recalld-store --test portability --test crash
# Upgrade from the first schema, load, key rotation, crash, backup, restore.
cargo xtask rehearsal --binary "$binary" --seconds 30
# A user with 100,000 memories: import, memory, health.
python3 "$here/large_space.py" "$binary" --rows 100000
