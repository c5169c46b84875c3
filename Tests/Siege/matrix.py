"""Calls every endpoint as every role, with own, foreign and random ids.

Two schools are on one server. The sample school is the victim: its ids are found by reading all lists. The people of
the other school, and a caller without an account, call every endpoint with those ids; then the victim's own people
do with their own."""

from __future__ import annotations

import json
import re
import shutil
import time
import uuid

from common import Row, Server
from openapi import API, ENDINGS, harvest, pick

ROLES = ["superAdmin", "admin", "guide", "student", "parent"]
#: The sample school's people, by role.
OWN = {
    "superAdmin": "ana@demo.example", "guide": "guide1@demo.example", "student": "sami@demo.example",
    "parent": "luz@demo.example",
}
#: These remove the account or the school.
LAST = {"auth.deleteAccount", "records.closeSchool"}


def _names(api: API, token: str) -> set[str]:
    """Texts of the victim's school that no answer to a stranger may contain."""
    names = set()
    headers = {"Authorization": f"Bearer {token}"}
    for room in api.session.get(api.server.url + "/api/v1/classrooms", headers=headers, timeout=10).json()["items"]:
        roster = api.session.get(
            f"{api.server.url}/api/v1/classrooms/{room['id']}/roster", headers=headers, timeout=10).json()
        names |= {entry["student"]["displayName"] for entry in roster["items"]}
    return {name for name in names if len(name) > 6}


def _state(api: API, token: str, ids) -> dict[str, str]:
    """The data that the victim's super admin reads, equal before and after."""
    state = {}
    for method, path, operation in api.operations:
        # Strangers may ask a school for their child; the other excluded endpoints list people and events.
        if method != "get" or re.search(r"audit|live|devices|me$|presence|online|families/requests", path):
            continue
        answer, _ = api.call(method, path, operation, ids, token, "198.51.100.7")
        if answer.ok and "json" in answer.headers.get("Content-Type", ""):
            state[path] = json.dumps(answer.json(), sort_keys=True)
    return state


def run(folder, seconds):
    server = Server(folder / "data", folder / "server.log")
    server.fill_demo()
    server.start()
    rows = []
    end = time.monotonic() + seconds
    try:
        api = API(server)
        owner = server.sign_in(OWN["superAdmin"])
        names = _names(api, owner.token)
        found = harvest(api, [server.sign_in(email).token for email in OWN.values()])
        wanted = {name for _, path, _ in api.operations for name in re.findall(r"{(\w+)}", path)}
        strangers = server.found_school(name="Strangers School", rooms={"Room": ["Child One"]})
        people = {"superAdmin": strangers.owner, "nobody": None}
        for role in ROLES[1:]:
            people[role] = strangers.colleague(f"Stranger {role}", role=role)

        def own(name, index=0):
            return pick(found, name, index)

        before = _state(api, owner.token, own)
        for variant in ["foreign", "random"]:
            for role, person in people.items():
                row = Row("matrix", f"{role} of another school, {variant} ids" if person else f"nobody, {variant} ids", 0)
                for method, path, operation in sorted(api.operations, key=lambda one: bool(ENDINGS.search(one[2]["operationId"]))):
                    name = operation["operationId"]
                    if name in ("auth.signOut", "auth.deleteAccount") and person:
                        continue
                    if variant == "random" and "{" not in path:
                        continue
                    ids = own if variant == "foreign" else lambda _: uuid.uuid4()
                    answer, took = api.call(
                        method, path, operation, ids, person and person.token, f"198.18.0.{row.tried % 250}")
                    row.tried += 1
                    _judge(row, name, path, answer, took, names)
                    # 404 and 403 separate the schools; 401 is for callers without an account; 400, 409, 415 and 422
                    # concern the rest of the request.
                    if "{" in path and answer.ok:
                        row.failures.append(f"{name}: {answer.status_code} with {variant} ids")
                    if person is None and answer.ok and operation.get("security", [{}]) != [{}]:
                        row.failures.append(f"{name}: {answer.status_code} for nobody")
                rows.append(row)
        owner = server.sign_in(OWN["superAdmin"])
        after = _state(api, owner.token, own)
        row = Row("matrix", "the victim reads the same before and after", len(before))
        row.failures = [f"{path} changed" for path in before if before[path] != after.get(path)]
        missing = sorted(wanted - set(found))
        row.note = f"ids found for {len(wanted) - len(missing)} of {len(wanted)} parameters; none for {', '.join(missing)}"
        if len(missing) > len(wanted) / 3:
            row.failures.append("too few ids were found to show anything")
        rows.append(row)
        server.stop()
        shutil.copytree(server.data, folder / "origin")
        for role, email in OWN.items():
            if time.monotonic() > end:
                rows.append(Row("matrix", f"own {role}", 0, note="left out: the time was over"))
                continue
            token = _afresh(server, folder / "origin", email)
            row = Row("matrix", f"own {role}, own ids", 0)
            answered = 0
            for method, path, operation in sorted(api.operations, key=lambda one: bool(ENDINGS.search(one[2]["operationId"]))):
                for index in range(2 if "{" in path else 1):
                    answer, took = api.call(
                        method, path, operation, lambda name, index=index: own(name, index), token,
                        f"198.18.1.{row.tried % 250}")
                    row.tried += 1
                    answered += answer.ok
                    _judge(row, operation["operationId"], path, answer, took, set())
                    if answer.status_code == 401 or operation["operationId"] in LAST:
                        # The session, the account or the school is gone, so the rest runs on a fresh copy.
                        server.stop()
                        token = _afresh(server, folder / "origin", email)
            row.note = f"{answered} done or answered"
            rows.append(row)
            server.stop()
        return rows
    finally:
        server.stop()


def _afresh(server, origin, email) -> str:
    """Starts the server on a fresh copy of the sample school; returns a token of this person."""
    shutil.rmtree(server.data, ignore_errors=True)
    shutil.copytree(origin, server.data)
    server.start()
    return server.sign_in(email).token


def _judge(row, name, path, answer, took, names):
    """Checks what must hold for every answer."""
    if answer.status_code >= 500:
        row.failures.append(f"{name}: {answer.status_code} {answer.text[:120]}")
    elif answer.status_code >= 400 and not answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        row.failures.append(f"{name}: {answer.status_code} is no problem document")
    if took > 10:
        row.failures.append(f"{name}: took {took:.1f} s")
    told = [one for one in names if one in answer.text]
    if told:
        row.failures.append(f"{name}: the answer names a child of another school")
