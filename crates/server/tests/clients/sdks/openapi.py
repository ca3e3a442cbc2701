"""The description of the API is a valid OpenAPI document from which generators make clients without a warning."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import httpx
from _served import served
from openapi_spec_validator import OpenAPIV31SpecValidator


def is_valid(document):
    faults = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
    assert not faults, "\n".join(faults)
    schemas = document["components"]["schemas"]
    assert schemas["MessageRole"]["enum"] == ["system", "user", "assistant"], schemas["MessageRole"]
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    for operation in operations:
        for response in operation["responses"].values():
            assert response["description"], operation["operationId"]
    print(f"      {len(operations)} operations, {len(schemas)} schemas")


def generates(name, command, made):
    """Runs a generator. It says what it does; a warning is a fault."""
    path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1", "PATH": path})
    said = done.stdout + done.stderr
    assert done.returncode == 0, f"{name} failed:\n{said}"
    assert "warning" not in said.lower(), f"{name} warns:\n{said}"
    files = sum(1 for file in made.rglob("*") if file.is_file()) if made.is_dir() else 1
    print(f"      {name}: {files} files")


def main(server):
    document = httpx.get(f"{server.url}/openapi.json").json()
    is_valid(document)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "openapi.json")
        source.write_text(json.dumps(document))
        made = pathlib.Path(folder, "python")
        generator = pathlib.Path(sys.executable).with_name("openapi-python-client")
        generates("openapi-python-client", [generator, "generate", "--path", source, "--output-path", made, "--meta", "none", "--fail-on-warning", "--config", "_openapi-python-client.yml"], made)
        made = pathlib.Path(folder, "api.d.ts")
        generates("openapi-typescript", [os.environ.get("NODE", "node"), "node_modules/openapi-typescript/bin/cli.js", source, "--output", made], made)


with served() as server:
    main(server)
