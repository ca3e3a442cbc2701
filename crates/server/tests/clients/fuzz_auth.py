"""Writes the two files by which schemathesis knows two users, from the keys that `cargo run --example loopback` prints."""

import json
import pathlib
import sys

keys = json.loads(pathlib.Path(sys.argv[1]).read_text())
users = [
    {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {keys[name]}"}]}
    for name in ("ana", "bob")
]
pathlib.Path("fuzz_auth.json").write_text(json.dumps({"auth": users}))
pathlib.Path("schemathesis.toml").write_text(
    '[auth.wfc]\npath = "fuzz_auth.json"\nuser = "ana"\npeers = ["ana", "bob"]\n'
)
