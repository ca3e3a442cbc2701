"""Writes the Python client: types, request builders, and the same methods twice, plain and async."""

import keyword
import re
import textwrap
from typing import Any

from .document import Document, Field, Operation, ref_name, sentence

HEADER = '"""{about}\n\nGenerated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.\n"""\n\n'
LINE_MAX = 110


def files(document: Document, version: str) -> dict[str, str]:
    """The files, by their path below `clients`."""
    folder = "python/src/recalld/_generated"
    return {
        f"{folder}/__init__.py": HEADER.format(about="What follows from the OpenAPI document."),
        f"{folder}/version.py": HEADER.format(about="The version of this package.") + f'VERSION = "{version}"\n',
        f"{folder}/types.py": types(document),
        f"{folder}/requests.py": requests(document),
        f"{folder}/sync_api.py": Api(document, awaits=False).text(),
        f"{folder}/async_api.py": Api(document, awaits=True).text(),
    }


def type_of(schema: dict[str, Any], prefix: str = "") -> str:
    """The type of a value, as an annotation."""
    if "$ref" in schema:
        return f"{prefix}{ref_name(schema)}"
    if "enum" in schema:
        return "Literal[" + ", ".join(f'"{each}"' for each in schema["enum"]) + "]"
    alternatives = schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf")
    if alternatives:
        return " | ".join(dict.fromkeys(type_of(each, prefix) for each in alternatives))
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return " | ".join(type_of({**schema, "type": kind}, prefix) for kind in kinds)
    if kinds == "array":
        return f"list[{type_of(schema.get('items', {}), prefix)}]"
    if kinds == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {type_of(values, prefix) if isinstance(values, dict) else 'Any'}]"
    plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
    return plain.get(str(kinds), "Any")


def types(document: Document) -> str:
    lines = [HEADER.format(about="The JSON of requests and responses.")]
    lines.append("from __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union\n")
    names = sorted(document.schemas)
    lines.append("__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n\n")
    aliases = []
    for name in names:
        schema = document.schemas[name]
        if "properties" not in schema:
            aliases.append(f"{name}: TypeAlias = {quoted_union(schema)}\n")
        elif any(not field.isidentifier() or keyword.iskeyword(field) for field in schema["properties"]):
            pairs = "".join(f'        "{each.name}": {quoted(each)},\n' for each in document.fields(schema))
            aliases.append(f'{name} = TypedDict(\n    "{name}",\n    {{\n{pairs}    }},\n)\n')
        else:
            lines.append(typed_dict(document, name, schema))
    return "\n".join(lines + ["", *aliases]).rstrip() + "\n"


def quoted(field: Field) -> str:
    """The type of a field as text that is not evaluated when the module is read."""
    plain = f'"{type_of(field.schema)}"'
    return plain if field.required else f"NotRequired[{plain}]"


def quoted_union(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return type_of(schema)
    alternatives = schema.get("oneOf") or schema.get("anyOf") or [schema]
    return "Union[" + ", ".join(f'"{type_of(each)}"' for each in alternatives) + "]"


def typed_dict(document: Document, name: str, schema: dict[str, Any]) -> str:
    lines = [f"\nclass {name}(TypedDict):"]
    about = sentence(schema.get("description", ""))
    lines.append(docstring(about or f"{name}.", 4))
    for field in document.fields(schema):
        kind = type_of(field.schema)
        lines.append(f"    {field.name}: {kind if field.required else f'NotRequired[{kind}]'}")
        if field.about:
            lines.append(docstring(sentence(field.about), 4))
    return "\n".join(lines) + "\n"


def docstring(text: str, indent: int) -> str:
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    pad = " " * indent
    if len(text) + indent + 6 <= LINE_MAX:
        return f'{pad}"""{text}"""'
    body = textwrap.wrap(text, LINE_MAX - indent)
    return "\n".join([f'{pad}"""{body[0]}'] + [pad + line for line in body[1:]] + [f'{pad}"""'])


class Signature:
    """The parameters of a method, in Python's order: first what is required."""

    def __init__(self, operation: Operation, prefix: str) -> None:
        self.operation = operation
        self.prefix = prefix
        self.required: list[str] = []
        self.optional: list[str] = []
        self.names: list[tuple[str, bool]] = []
        for field in operation.path_fields:
            self._add(field, True)
        if operation.body_value:
            self._add(Field("value", {}, True), True)
        for field in operation.body_fields or []:
            self._add(field, field.required, omits=operation.is_patch)
        for field in operation.query_fields:
            self._add(field, field.required)
        for field in operation.header_fields:
            self._add(field, False)

    def _add(self, field: Field, required: bool, omits: bool = False) -> None:
        name, kind = argument(field.name), type_of(field.schema, self.prefix)
        if field.name == "If-Match":
            kind = "int | str"
        self.names.append((name, required))
        if required:
            self.required.append(f"{name}: {kind}")
        elif omits:
            self.optional.append(f"{name}: {kind} | Unset = UNSET")
        else:
            kind = kind if kind.endswith("None") or kind == "Any" else f"{kind} | None"
            self.optional.append(f"{name}: {kind} = None")

    def parameters(self, first: str | None) -> list[str]:
        star = ["*"] if self.optional else []
        return [*([first] if first else []), *self.required, *star, *self.optional]

    def passed(self) -> str:
        return ", ".join(name if required else f"{name}={name}" for name, required in self.names)


def argument(name: str) -> str:
    name = name.replace("-", "_").lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def definition(start: str, parameters: list[str], end: str, indent: int) -> str:
    pad = " " * indent
    line = f"{pad}{start}({', '.join(parameters)}){end}"
    if len(line) <= LINE_MAX:
        return line
    return "\n".join([f"{pad}{start}(", *(f"{pad}    {each}," for each in parameters), f"{pad}){end}"])


def answer_type(operation: Operation, prefix: str) -> str:
    by_kind = {"none": "None", "bytes": "bytes", "text": "str"}
    return by_kind.get(operation.answer_kind) or type_of(operation.answer or {}, prefix)


def function_name(operation: Operation) -> str:
    return f"{operation.resource}_{operation.method}" if operation.resource else operation.method


def requests(document: Document) -> str:
    lines = [HEADER.format(about="One function an operation: it makes the request and names the answer's type.")]
    lines.append("from __future__ import annotations\n\nfrom typing import Any, Literal\n")
    lines.append("from .. import types\nfrom .._request import UNSET, Repeat, Request, Unset, edited, etag, given, path\n")
    for operation in document.operations:
        lines.append(builder(operation))
    return "\n".join(lines).rstrip() + "\n"


def builder(operation: Operation) -> str:
    signature = Signature(operation, "types.")
    returns = f" -> Request[{answer_type(operation, 'types.')}]:"
    lines = ["", definition(f"def {function_name(operation)}", signature.parameters(None), returns, 0)]
    lines.append("    return Request(")
    lines.append(f'        "{operation.verb}",')
    places = [argument(field.name) for field in operation.path_fields]
    template = operation.path
    for number in range(len(places)):
        template = template.replace("{" + operation.path_fields[number].name + "}", "{}")
    lines.append(f'        path("{template}", {", ".join(places)}),' if places else f'        "{template}",')
    pairs = lambda fields: ", ".join(f'("{field.name}", {argument(field.name)})' for field in fields)
    if operation.query_fields:
        lines.append(f"        query=given({pairs(operation.query_fields)}),")
    if operation.body_value:
        lines.append("        body=value,")
    elif operation.body_fields is not None:
        lines.append(f"        body={'edited' if operation.is_patch else 'given'}({pairs(operation.body_fields)}),")
    headers = [field for field in operation.header_fields if field.name != "Idempotency-Key"]
    if headers:
        values = ", ".join(
            f'("{each.name}", {"etag(if_match)" if each.name == "If-Match" else argument(each.name)})' for each in headers
        )
        lines.append(f"        headers=given({values}),")
    if operation.repeat == "keyed":
        lines.append("        idempotency_key=idempotency_key,")
    if operation.repeat != "never":
        lines.append(f"        repeat=Repeat.{operation.repeat.upper()},")
    if operation.answer_kind != "json":
        lines.append(f'        answer="{operation.answer_kind}",')
    return "\n".join([*lines, "    )", ""])


class Api:
    """The classes with the methods that people call."""

    def __init__(self, document: Document, awaits: bool) -> None:
        self.document = document
        self.awaits = awaits

    def text(self) -> str:
        about = "The methods of the async client." if self.awaits else "The methods of the client."
        iterator = "AsyncIterator" if self.awaits else "Iterator"
        base = "AsyncResource" if self.awaits else "Resource"
        lines = [HEADER.format(about=about), "from __future__ import annotations\n"]
        lines.append(f"from collections.abc import {iterator}\nfrom typing import Any, Literal\n")
        lines.append(f"from .. import types\nfrom .._request import UNSET, Unset\nfrom .._resource import {base}")
        lines.append("from . import requests\n")
        resources = self._resources()
        for resource in sorted(resources):
            lines.append(self._class(resource, resources[resource], base))
        text = "\n".join(lines).rstrip() + "\n"
        # A method is called `list` too.
        text = re.sub(r"\blist\[", "builtins.list[", text)
        return text.replace("annotations\n\n", "annotations\n\nimport builtins\n", 1) if "builtins." in text else text

    def _resources(self) -> dict[str, list[Operation]]:
        resources: dict[str, list[Operation]] = {}
        for operation in self.document.operations:
            resources.setdefault(operation.resource, []).append(operation)
        return resources

    def _property(self, resource: str) -> str:
        name = class_name(resource)
        return f"\n    @property\n    def {resource}(self) -> {name}:\n        return {name}(self._transport)"

    def _class(self, resource: str, operations: list[Operation], base: str) -> str:
        name = class_name(resource)
        title = resource.replace("_", " ").capitalize() if resource else "What has no resource of its own"
        lines = [f"\nclass {name}({base}):", f'    """{title}."""']
        if not resource:
            lines += [self._property(each) for each in sorted(self._resources()) if each]
        for operation in operations:
            lines.append(self._method(operation))
            if operation.paged(self.document.schemas):
                lines.append(self._each(operation))
        return "\n".join(lines)

    def _method(self, operation: Operation) -> str:
        signature = Signature(operation, "types.")
        start = f"{'async ' if self.awaits else ''}def {operation.method}"
        returns = f" -> {answer_type(operation, 'types.')}:"
        lines = ["", definition(start, signature.parameters("self"), returns, 4)]
        lines.append(docstring(sentence(operation.about), 8))
        call = f"requests.{function_name(operation)}({signature.passed()})"
        send = f"{'await ' if self.awaits else ''}self._transport.send({call})"
        statement = send if operation.answer_kind == "none" else f"return {send}"
        lines.append(f"        {statement}" if len(statement) + 8 <= LINE_MAX else wrapped(statement))
        return "\n".join(lines)

    def _each(self, operation: Operation) -> str:
        items, schema = operation.paged(self.document.schemas) or ("", {})
        signature = Signature(operation, "types.")
        signature.optional = [each for each in signature.optional if not each.startswith("after:")]
        start = f"{'async ' if self.awaits else ''}def each" if operation.method == "list" else (
            f"{'async ' if self.awaits else ''}def each_of_{operation.method}"
        )
        kind = f"{'AsyncIterator' if self.awaits else 'Iterator'}[{type_of(schema, 'types.')}]"
        lines = ["", definition(start, signature.parameters("self"), f" -> {kind}:", 4)]
        lines.append('        """Goes through all pages. `limit` is the length of a page."""')
        lines.append("        after: str | None = None\n        while True:")
        call = f"self.{operation.method}({signature.passed()})"
        lines.append(f"            page = {'await ' if self.awaits else ''}{call}")
        lines.append(f'            for item in page["{items}"]:\n                yield item')
        lines.append('            after = page.get("next_page")\n            if after is None:\n                return')
        return "\n".join(lines)


def class_name(resource: str) -> str:
    return "".join(word.title() for word in resource.split("_")) + "Api" if resource else "ClientApi"


def wrapped(statement: str) -> str:
    """A call of a call, one argument a line."""
    start, _, rest = statement.partition("(requests.")
    name, _, arguments = rest.partition("(")
    lines = [f"        {start}(", f"            requests.{name}("]
    lines += [f"                {each}," for each in arguments.removesuffix("))").split(", ")]
    return "\n".join([*lines, "            )", "        )"])
