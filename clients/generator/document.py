"""Reads the OpenAPI document into plain operations that both languages are written from."""

import dataclasses
import json
import re
from typing import Any

METHODS = ("get", "put", "post", "patch", "delete")


# The headers that are arguments of a method.
HEADERS = ("Idempotency-Key", "If-Match", "If-None-Match")
# The headers that `client.acting(…)` sets for all methods.
ACTING = ("Recalld-User", "Recalld-Conversation", "Recalld-Message", "Recalld-Project")


class Behind(Exception):
    """The clients do not cover the document."""


@dataclasses.dataclass
class Field:
    """A parameter, or a property of an object."""

    name: str
    schema: dict[str, Any]
    required: bool
    about: str = ""


@dataclasses.dataclass
class Operation:
    """One operation of the API, and the method that calls it."""

    id: str
    resource: str
    method: str
    verb: str
    path: str
    about: str
    path_fields: list[Field]
    query_fields: list[Field]
    header_fields: list[Field]
    body_fields: list[Field] | None
    body_value: bool
    answer: dict[str, Any] | None
    answer_kind: str
    repeat: str

    @property
    def is_patch(self) -> bool:
        return self.verb == "PATCH"

    def paged(self, schemas: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """The property that holds the items of a page, if the operation gives pages by `after`."""
        if self.answer is None or "$ref" not in self.answer:
            return None
        if "after" not in {field.name for field in self.query_fields}:
            return None
        page = schemas[ref_name(self.answer)]["properties"]
        lists = [(name, schema["items"]) for name, schema in page.items() if schema.get("type") == "array"]
        return lists[0] if "next_page" in page and len(lists) == 1 else None


def ref_name(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


class Document:
    """The document, with what `operations.toml` says of its operations."""

    def __init__(self, text: str, names: dict[str, Any]) -> None:
        self.source = json.loads(text)
        self.schemas: dict[str, Any] = self.source["components"]["schemas"]
        self.by_hand: dict[str, str] = names["by_hand"]
        self.operations: list[Operation] = []
        self._check(names)
        given = names["operations"]
        for path, item in self.source["paths"].items():
            for verb in METHODS:
                if verb in item and item[verb]["operationId"] in given:
                    self.operations.append(self._operation(verb, path, item[verb], given))

    def _check(self, names: dict[str, Any]) -> None:
        """Every operation has a method or a reason, and nothing else is named."""
        paths = self.source["paths"].values()
        known = {item[verb]["operationId"] for item in paths for verb in METHODS if verb in item}
        named = {**names["operations"], **names["by_hand"], **names["left_out"]}
        missing, gone = sorted(known - named.keys()), sorted(named.keys() - known)
        if missing:
            raise Behind(f"not in operations.toml: {', '.join(missing)}")
        if gone:
            raise Behind(f"in operations.toml, but not in the API: {', '.join(gone)}")

    def _operation(self, verb: str, path: str, source: dict[str, Any], given: dict[str, Any]) -> Operation:
        entry = given[source["operationId"]]
        entry = {"name": entry} if isinstance(entry, str) else entry
        resource, _, method = entry["name"].rpartition(".")
        def of(place: str) -> list[Field]:
            return [parameter(each) for each in source.get("parameters", []) if each["in"] == place]

        body_fields, body_value = self._body(source)
        answer, answer_kind = self._answer(source)
        headers = [field for field in of("header") if field.name not in ACTING]
        unknown = [field.name for field in headers if field.name not in HEADERS]
        if unknown:
            raise Behind(f"{source['operationId']} takes headers that the clients do not know: {', '.join(unknown)}")
        keyed = any(field.name == "Idempotency-Key" for field in headers)
        safe = verb in ("get", "put") or entry.get("repeatable", False)
        repeat = "safe" if safe else "keyed" if keyed else "never"
        return Operation(
            id=source["operationId"],
            resource=resource,
            method=method,
            verb=verb.upper(),
            path=path,
            about=(source.get("summary") or "").strip(),
            path_fields=of("path"),
            query_fields=of("query"),
            header_fields=headers,
            body_fields=body_fields,
            body_value=body_value,
            answer=answer,
            answer_kind=answer_kind,
            repeat=repeat,
        )

    def _body(self, source: dict[str, Any]) -> tuple[list[Field] | None, bool]:
        """The fields of the body, or whether it is a value of any kind."""
        content = source.get("requestBody", {}).get("content")
        if content is None:
            return None, False
        schema = self.resolve(content["application/json"].get("schema", {}))
        lists = [self.resolve(each) for each in schema.get("oneOf", [])]
        for each in lists:
            properties = each.get("properties", {})
            # One thing or a list of them: the list serves both.
            if len(properties) == 1 and next(iter(properties.values())).get("type") == "array":
                schema = each
        if "properties" not in schema:
            return None, True
        return self.fields(schema), False

    def _answer(self, source: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
        for status, response in sorted(source["responses"].items()):
            if not status.startswith("2"):
                continue
            content = response.get("content", {})
            if "application/json" in content:
                return content["application/json"].get("schema", {}), "json"
            if any(kind.startswith("text/") for kind in content):
                return {"type": "string"}, "text"
            if content:
                return None, "bytes"
        return None, "none"

    def resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        return self.schemas[ref_name(schema)] if "$ref" in schema else schema

    def fields(self, schema: dict[str, Any]) -> list[Field]:
        required = schema.get("required", [])
        every = [
            Field(name, each, name in required, description(each))
            for name, each in schema.get("properties", {}).items()
        ]
        return sorted(every, key=lambda field: not field.required)


def parameter(source: dict[str, Any]) -> Field:
    return Field(source["name"], source["schema"], bool(source.get("required")), source.get("description", ""))


def description(schema: dict[str, Any]) -> str:
    if "description" in schema:
        return str(schema["description"])
    alternatives = [description(each) for each in schema.get("oneOf", [])]
    return next((about for about in alternatives if about), "")


def sentence(text: str) -> str:
    """A text on one line that ends like a sentence."""
    line = re.sub(r"\s+", " ", text).strip()
    return line if not line or line.endswith((".", "!", "?")) else f"{line}."
