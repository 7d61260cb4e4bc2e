"""The JSON of the program against docs/json-schema.json.

A validator of what that schema uses: type, enum, const, properties, required, additionalProperties, items,
anyOf, minimum and references within the file. complaints(value, name) gives what is wrong, by paths.
"""

import json
from pathlib import Path

SCHEMA = json.loads((Path(__file__).resolve().parent.parent / "docs" / "json-schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items", "anyOf", "minimum",
         "$schema", "$defs", "title", "description"}


def is_of(value, kind):
    if kind in ("integer", "number"):
        return isinstance(value, int if kind == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def of_object(value, schema, path):
    for key in schema.get("required", []):
        if key not in value:
            yield f"{path}: there is no {key!r}"
    more = schema.get("additionalProperties", True)
    for key, item in value.items():
        inner = schema.get("properties", {}).get(key, more)
        if inner is False:
            yield f"{path}: {key!r} is not in the schema"
        elif inner is not True:
            yield from errors(item, inner, f"{path}.{key}")


def errors(value, schema, path):
    assert set(schema) <= KNOWN, f"the validator does not know {set(schema) - KNOWN}"
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_of(value, kind) for kind in kinds):
        yield f"{path}: {value!r:.60} is no {' or '.join(kinds)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is not one of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if "anyOf" in schema:
        each = [list(errors(value, one, path)) for one in schema["anyOf"]]
        if all(each):
            yield from max(each, key=len) if value is not None else each[0]
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        yield f"{path}: {value} is below {schema['minimum']}"
    if isinstance(value, dict):
        yield from of_object(value, schema, path)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from errors(item, schema["items"], f"{path}[{i}]")


def open_objects(schema, path):
    """Objects that may have keys which are not in the schema, so that nobody would notice a wrong one."""
    if isinstance(schema, list):
        for i, item in enumerate(schema):
            yield from open_objects(item, f"{path}[{i}]")
    if not isinstance(schema, dict):
        return
    if "object" in schema.get("type", []) and schema.get("additionalProperties", True) is True:
        yield path
    for key, item in schema.items():
        yield from open_objects(item, f"{path}.{key}")


assert not list(open_objects(SCHEMA["$defs"], "")), list(open_objects(SCHEMA["$defs"], ""))


def complaints(value, name="check"):
    return list(errors(value, SCHEMA["$defs"][name], name))
