"""Generates the typed parts of the clients from the document of the binary that RECALLD_BIN names.

With --check, nothing is written, and it fails when they are behind.
"""

import os
import pathlib
import subprocess
import sys

from stage import staged

CLIENTS = pathlib.Path(__file__).resolve().parent.parent

# The document is the same whatever the store.
os.environ.pop("RECALLD_TEST_DATABASE_URL", None)
with staged() as stage:
    command = [sys.executable, "-m", "generator", f"{stage.url}/openapi.json", *sys.argv[1:]]
    sys.exit(subprocess.run(command, cwd=CLIENTS).returncode)
