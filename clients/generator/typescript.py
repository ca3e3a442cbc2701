"""Writes the TypeScript client: interfaces, and classes with one method an operation."""

import re
import textwrap
from typing import Any

from .document import Document, Field, Operation, ref_name, sentence

HEADER = "// {about}\n//\n// Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.\n\n"
LINE_MAX = 110

# The headers that an operation may take, as options of its method.
OPTIONS = {
    "Idempotency-Key": "idempotencyKey?: string",
    "If-Match": "ifMatch?: number | string",
    "If-None-Match": "ifNoneMatch?: string",
}


def files(document: Document, version: str) -> dict[str, str]:
    """The files, by their path below `clients`."""
    folder = "typescript/src/generated"
    return {
        f"{folder}/types.ts": types(document),
        f"{folder}/api.ts": api(document),
        f"{folder}/version.ts": HEADER.format(about="The version of this package.") + f"export const VERSION = '{version}';\n",
    }


def type_of(schema: dict[str, Any], prefix: str = "") -> str:
    """The type of a value."""
    if "$ref" in schema:
        return f"{prefix}{ref_name(schema)}"
    if "enum" in schema:
        return " | ".join(f"'{each}'" for each in schema["enum"])
    alternatives = schema.get("oneOf") or schema.get("anyOf")
    if alternatives:
        return " | ".join(dict.fromkeys(type_of(each, prefix) for each in alternatives))
    if "allOf" in schema:
        return " & ".join(dict.fromkeys(type_of(each, prefix) for each in schema["allOf"]))
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return " | ".join(type_of({**schema, "type": kind}, prefix) for kind in kinds)
    if kinds == "array":
        item = type_of(schema.get("items", {}), prefix)
        return f"({item})[]" if " " in item else f"{item}[]"
    if kinds == "object" or "properties" in schema:
        return object_type(schema, prefix)
    plain = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
    return plain.get(str(kinds), "unknown")


def object_type(schema: dict[str, Any], prefix: str) -> str:
    if "properties" in schema:
        required = schema.get("required", [])
        pairs = [
            f"{name}{'' if name in required else '?'}: {type_of(each, prefix)}"
            for name, each in schema["properties"].items()
        ]
        return "{ " + "; ".join(pairs) + " }"
    values = schema.get("additionalProperties")
    return f"Record<string, {type_of(values, prefix) if isinstance(values, dict) else 'unknown'}>"


def comment(text: str, indent: int) -> list[str]:
    if not text:
        return []
    pad = " " * indent
    text = text.replace("*/", "* /")
    if len(text) + indent + 7 <= LINE_MAX:
        return [f"{pad}/** {text} */"]
    lines = textwrap.wrap(text, LINE_MAX - indent - 3)
    return [f"{pad}/**", *(f"{pad} * {line}" for line in lines), f"{pad} */"]


def types(document: Document) -> str:
    lines = [HEADER.format(about="The JSON of requests and responses.").rstrip("\n"), ""]
    for name in sorted(document.schemas):
        schema = document.schemas[name]
        lines += comment(sentence(schema.get("description", "")), 0)
        if "properties" not in schema:
            lines += [f"export type {name} = {type_of(schema)};", ""]
            continue
        lines.append(f"export interface {name} {{")
        for field in document.fields(schema):
            lines += comment(sentence(field.about), 2)
            lines.append(f"  {field.name}{'' if field.required else '?'}: {type_of(field.schema)};")
        lines += ["}", ""]
    return "\n".join(lines).rstrip() + "\n"


def camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match.group(1).upper(), name)


def api(document: Document) -> str:
    lines = [HEADER.format(about="The methods of the client, one an operation.").rstrip("\n"), ""]
    lines.append("import { type CallOptions, type Sender, etag, place } from '../request.js';")
    lines.append("import type * as T from './types.js';\n")
    resources: dict[str, list[Operation]] = {}
    for operation in document.operations:
        resources.setdefault(operation.resource, []).append(operation)
    for resource in sorted(resources):
        name = class_name(resource)
        title = resource.replace("_", " ").capitalize() if resource else "What has no resource of its own"
        lines += [f"/** {title}. */", f"export class {name} {{"]
        lines += ["  protected readonly sender: Sender;", ""]
        lines += ["  constructor(sender: Sender) {", "    this.sender = sender;", "  }"]
        for each_resource in sorted(resources) if not resource else []:
            if each_resource:
                kind = class_name(each_resource)
                lines += ["", f"  get {camel(each_resource)}(): {kind} {{", f"    return new {kind}(this.sender);", "  }"]
        for operation in resources[resource]:
            lines += ["", *method(operation)]
            if operation.paged(document.schemas):
                lines += ["", *each(document, operation)]
        lines += ["}", ""]
    return "\n".join(lines).rstrip() + "\n"


def class_name(resource: str) -> str:
    return "".join(word.title() for word in resource.split("_")) + "Api" if resource else "ClientApi"


def query_type(fields: list[Field]) -> str:
    pairs = [f"{each.name}{'' if each.required else '?'}: {type_of(each.schema, 'T.')}" for each in fields]
    return "{ " + "; ".join(pairs) + " }"


def body_type(operation: Operation) -> str | None:
    if operation.body_value:
        return "unknown"
    if operation.body_fields is None:
        return None
    pairs = [f"{each.name}{'' if each.required else '?'}: {type_of(each.schema, 'T.')}" for each in operation.body_fields]
    return "{ " + "; ".join(pairs) + " }"


def parameters(operation: Operation) -> list[str]:
    given = [f"{camel(argument(field.name))}: {type_of(field.schema, 'T.')}" for field in operation.path_fields]
    body = body_type(operation)
    if body is not None:
        optional = operation.body_fields is not None and not any(each.required for each in operation.body_fields)
        given.append(f"body: {body}{' = {}' if optional else ''}")
    if operation.query_fields:
        needed = any(each.required for each in operation.query_fields)
        given.append(f"query: {query_type(operation.query_fields)}{'' if needed else ' = {}'}")
    extra = [OPTIONS[field.name] for field in operation.header_fields]
    given.append(f"options: CallOptions{' & { ' + '; '.join(extra) + ' }' if extra else ''} = {{}}")
    return given


def argument(name: str) -> str:
    return name.replace("-", "_").lower()


def definition(start: str, given: list[str], end: str) -> list[str]:
    line = f"  {start}({', '.join(given)}){end}"
    if len(line) <= LINE_MAX:
        return [line]
    return [f"  {start}(", *(f"    {each}," for each in given), f"  ){end}"]


def answer_type(operation: Operation) -> str:
    by_kind = {"none": "void", "bytes": "Uint8Array", "text": "string"}
    return by_kind.get(operation.answer_kind) or type_of(operation.answer or {}, "T.")


def method(operation: Operation) -> list[str]:
    returns = f": Promise<{answer_type(operation)}> {{"
    lines = comment(sentence(operation.about), 2)
    lines += definition(camel(operation.method), parameters(operation), returns)
    template = operation.path
    for field in operation.path_fields:
        template = template.replace("{" + field.name + "}", "${" + camel(argument(field.name)) + "}")
    path = f"place`{template}`" if operation.path_fields else f"'{template}'"
    parts = [f"method: '{operation.verb}'", f"path: {path}"]
    if operation.query_fields:
        parts.append("query")
    if body_type(operation) is not None:
        parts.append("body")
    headers = [header(field.name) for field in operation.header_fields if field.name != "Idempotency-Key"]
    if headers:
        parts.append("headers: { " + ", ".join(headers) + " }")
    if operation.repeat == "keyed":
        parts.append("idempotencyKey: options.idempotencyKey")
    parts += [f"repeat: '{operation.repeat}'", f"answer: '{operation.answer_kind}'"]
    line = f"    return this.sender.send({{ {', '.join(parts)} }}, options);"
    if len(line) <= LINE_MAX:
        lines.append(line)
    else:
        lines += ["    return this.sender.send(", "      {", *(f"        {each}," for each in parts), "      },", "      options,", "    );"]
    return [*lines, "  }"]


def header(name: str) -> str:
    option = OPTIONS[name].partition("?")[0]
    return f"'{name}': etag(options.ifMatch)" if name == "If-Match" else f"'{name}': options.{option}"


def each(document: Document, operation: Operation) -> list[str]:
    """A method that goes through all pages."""
    items, schema = operation.paged(document.schemas) or ("", {})
    name = "each" if operation.method == "list" else f"eachOf{operation.method.title()}"
    fields = [field for field in operation.query_fields if field.name != "after"]
    given = [each_given for each_given in parameters(operation) if not each_given.startswith("query:")]
    given.insert(len(given) - 1, f"query: {query_type(fields)} = {{}}")
    lines = ["  /** Goes through all pages. `limit` is the length of a page. */"]
    lines += definition(f"async *{name}", given, f": AsyncGenerator<{type_of(schema, 'T.')}> {{")
    places = [camel(argument(field.name)) for field in operation.path_fields]
    call = ", ".join([*places, "{ ...query, after }", "options"])
    return [
        *lines,
        "    let after: string | undefined;",
        "    do {",
        f"      const page: {answer_type(operation)} = await this.{camel(operation.method)}({call});",
        f"      yield* page.{items};",
        "      after = page.next_page ?? undefined;",
        "    } while (after !== undefined);",
        "  }",
    ]
