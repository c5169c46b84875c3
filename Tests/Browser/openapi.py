"""Calls endpoints from a server's OpenAPI description, and collects ids from its lists."""

from __future__ import annotations

import datetime
import re
import time
import uuid

import requests

from school import PASSWORD, Server

#: Commands that remove what others need: an id, a session, a school.
ENDINGS = re.compile(r"signOut|delete|remove|erase|close|leave|end|revoke|forget|password|restore|reset", re.IGNORECASE)
UUID = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


class API:
    """A server's OpenAPI description and calls made from it."""

    def __init__(self, server: Server):
        self.server = server
        self.session = requests.Session()
        document = self.session.get(server.url + "/openapi.json", timeout=30).json()
        self.operations = [
            (method, path, operation) for path, item in document["paths"].items() for method, operation in item.items()]

    def call(self, method, path, operation, ids, token, network):
        """Sends one request with every field filled in; ids are given by the name of their parameter."""
        url = re.sub(r"{(\w+)}", lambda found: str(ids(found[1])), path)
        headers = {"Accept": "application/json", "X-Forwarded-For": network}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        query = {
            one["name"]: _sample(one["name"], one["schema"], ids) for one in operation.get("parameters", [])
            if one["in"] == "query" and one.get("required")}
        content = operation.get("requestBody", {}).get("content", {})
        body = files = None
        if "application/json" in content:
            body = _sample("", content["application/json"]["schema"], ids)
        elif "multipart/form-data" in content:
            values = _sample("", content["multipart/form-data"]["schema"], ids)
            files = [
                (name, one) for name, value in values.items()
                for one in (value if isinstance(value, list) else [value])]
            files = [(name, one if isinstance(one, tuple) else (None, str(one))) for name, one in files]
        begun = time.monotonic()
        answer = self.session.request(
            method, self.server.url + url, headers=headers, params=query, json=body, files=files, timeout=30)
        return answer, time.monotonic() - begun


def _sample(name: str, schema: dict, ids):
    """A valid value of a schema."""
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object":
        return {key: _sample(key, value, ids) for key, value in schema.get("properties", {}).items()}
    if kind == "array":
        return [_sample(re.sub("s$", "", name), schema["items"], ids)]
    if kind == "boolean":
        return True
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    match schema.get("format"):
        case "uuid": return str(ids(name))
        case "date": return datetime.date.today().isoformat()
        case "date-time": return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        case "email": return f"{uuid.uuid4().hex[:8]}@siege.example"
        case "password": return PASSWORD
        case "binary": return ("a.csv", b"First name,Last name\nSiege,Person\n", "text/csv")
    return "siege text"[: schema.get("maxLength", 100)].ljust(schema.get("minLength", 0), "x")


def singular(noun: str) -> str:
    return re.sub(r"(ies|zzes|s)$", lambda end: {"ies": "y", "zzes": "z"}.get(end[1], ""), noun)


def pick(found: dict[str, list[str]], name: str, index: int = 0):
    """An id for a parameter; a random one when none is known."""
    values = found.get(name) or [uuid.uuid4()]
    return values[index % len(values)]


def harvest(api: API, tokens: list[str]) -> dict[str, list[str]]:
    """Ids by the name of their parameter, found by reading every list as each of these people."""
    found: dict[str, list[str]] = {}

    def note(name, value):
        values = found.setdefault(name, [])
        if value not in values and len(values) < 8:
            values.append(value)

    def read(value, noun):
        if isinstance(value, list):
            for one in value:
                read(one, noun)
        elif isinstance(value, dict):
            for key, one in value.items():
                if isinstance(one, str) and UUID.match(one):
                    note(f"{noun}Id" if key == "id" else key, one)
                elif key == "items":
                    read(one, noun)
                else:
                    read(one, singular(key))

    made = set()
    for turn in range(4):
        for token in tokens:
            for method, path, operation in api.operations:
                names = re.findall(r"{(\w+)}", path)
                if any(name not in found for name in names) or path.endswith("}") or (method, path, token) in made:
                    continue
                if method == "post":
                    # Missing things are created once, so that they have an id; removals come in the attack itself.
                    if turn == 0 or ENDINGS.search(operation["operationId"]) or path.startswith("/api/v1/auth/"):
                        continue
                    made.add((method, path, token))
                noun = singular(path.split("/")[-1])
                for index in range(min(3, max([len(found[name]) for name in names], default=1))):
                    answer, _ = api.call(
                        method, path, operation, lambda name, index=index: pick(found, name, index), token, "198.51.100.7")
                    if answer.ok and "json" in answer.headers.get("Content-Type", ""):
                        read(answer.json(), noun)
    for alias, source in {"memberId": "personId", "organizationId": "orgId", "guideId": "personId"}.items():
        for value in found.get(alias, []):
            note(source, value)
        for value in found.get(source, []):
            note(alias, value)
    return found


def answered(api: API, found: dict[str, list[str]], token: str) -> dict[str, str]:
    """An id for each parameter: one that a query of just this parameter answers, if there is such a query and id."""
    chosen = {}
    for name, values in found.items():
        queries = [
            one for one in api.operations if one[0] == "get" and re.findall(r"{(\w+)}", one[1]) == [name]]
        chosen[name] = next(
            (value for value in values for method, path, operation in queries
             if api.call(method, path, operation, lambda _, value=value: value, token, "198.51.100.7")[0].ok),
            values[0])
    return chosen
