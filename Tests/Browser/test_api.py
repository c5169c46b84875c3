"""Runs schemathesis against the API by the server's own description."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from conftest import OUTPUT
from openapi import API, answered, harvest
from school import PASSWORD, Server

#: The checks for every answer. "status code conformance" accepts `default` of the document: every refusal is a problem
#: document.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
#: The generated requests for each operation. FUZZ_EXAMPLES=100 makes a long run.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "25"))


@pytest.fixture
def api_server(tmp_path):
    """A separate sample school, since generated requests may delete all of it."""
    made = Server(tmp_path / "data", OUTPUT / "server-api.log")
    made.log_path.unlink(missing_ok=True)
    made.fill_demo()
    made.start()
    yield made
    made.stop()


#: The share of operations that must be answered beyond checks of rights, existence and limits. Those that an administrator
#: may not call, such as handing in work, do not count.
REACHED = 0.9


def schemathesis(server, owner, folder, *arguments):
    """Runs schemathesis with existing ids, so that more than "not found" is tried. Returns the run and its events."""
    api = API(server)
    found = answered(api, harvest(api, [owner.token]), owner.token)
    settings = folder / "schemathesis.toml"
    settings.write_text("[parameters]\n" + "".join(f'"path.{name}" = "{one}"\n' for name, one in found.items()))
    events = folder / "events.ndjson"
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(settings),
        "run", server.url + "/openapi.json", "--checks", CHECKS, "--max-examples", str(EXAMPLES),
        "--header", "Accept: application/json", "--request-timeout", "10", "--seed", "20", "--no-color",
        "--report", "ndjson", "--report-ndjson-path", str(events), *arguments,
    ]
    environment = os.environ | {
        "SCHEMATHESIS_HOOKS": "api_session", "PYTHONPATH": str(Path(__file__).parent),
        "PINKTOWER_TEST_URL": server.url, "PINKTOWER_TEST_PASSWORD": PASSWORD,
        "PINKTOWER_TEST_EMAILS": ",".join([owner.email, *super_admins(owner, 40)]),
    }
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60 * EXAMPLES, check=False, cwd=OUTPUT, env=environment)
    return done, events


def super_admins(owner, count):
    """The addresses of more people with the owner's rights."""
    emails = []
    for number in range(count):
        person = owner.server.sign_up(f"Admin {number}")
        person.post("/api/v1/invites/redeem", {"code": owner.post("/api/v1/invites", {"role": "superAdmin"})["code"]})
        emails.append(person.email)
    return emails


def answers(events):
    """The status codes of each operation, by method and path."""
    seen = {}
    with events.open() as lines:
        for line in lines:
            finished = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
            for call in finished.get("interactions", {}).values():
                if call["response"]:
                    seen.setdefault(finished["label"], set()).add(call["response"]["status_code"])
    return seen


def test_deletions_are_refused_or_done_but_never_fail(api_server):
    owner = api_server.sign_in("ana@demo.example")
    headers = {"Authorization": f"Bearer {owner.token}", "Accept": "application/json"}
    classroom = owner.get("/api/v1/classrooms")["items"][0]["id"]
    student = owner.get(f"/api/v1/classrooms/{classroom}/roster")["items"][0]["student"]["id"]
    person = next(one["id"] for one in owner.get("/api/v1/members")["items"] if one["email"] != owner.email)
    for path in [
        f"classrooms/{classroom}/students/{student}/remove", f"students/{student}/delete",
        f"members/{person}/remove", f"classrooms/{classroom}/delete",
    ]:
        first = requests.post(f"{api_server.url}/api/v1/{path}", json={}, headers=headers, timeout=10)
        again = requests.post(f"{api_server.url}/api/v1/{path}", json={}, headers=headers, timeout=10)
        assert first.status_code == 200, f"{path}: {first.text}"
        assert again.status_code in (200, 404), f"{path}: {again.text}"
        for broken in ["[]", "{", '"x"', '{"unknown": 1}', "\xff"]:
            answer = requests.post(
                f"{api_server.url}/api/v1/{path}", data=broken.encode("latin-1"),
                headers=headers | {"Content-Type": "application/json"}, timeout=10)
            assert 400 <= answer.status_code < 500, f"{path} with {broken!r}: {answer.status_code}"
            assert answer.headers["Content-Type"].startswith("application/problem+json")


@pytest.mark.requirement("BY-1.21.b")
@pytest.mark.parametrize("phases", ["examples,coverage", "fuzzing"])
def test_the_api_matches_its_document(api_server, tmp_path, phases, record_property):
    owner = api_server.sign_in("ana@demo.example")
    # Signing out would end the run's own session, and deletions would leave nothing to try.
    done, events = schemathesis(
        api_server, owner, tmp_path, "--phases", phases,
        *(f"--exclude-operation-id={name}" for name in (
            "auth.signOut", "classrooms.delete", "students.delete", "students.removeFromClass", "members.remove",
            "coursework.delete", "assessment.delete")))
    report = done.stdout + done.stderr
    document = requests.get(api_server.url + "/openapi.json", timeout=10).json()
    operations = sum(len(item) for item in document["paths"].values())
    seen = answers(events)
    # 401, 403, 404 and 429 do not show what an operation does.
    missed = sorted(label for label, statuses in seen.items() if not statuses - {401, 403, 404, 429})
    reached = len(seen) - len(missed)
    # Methods that a path does not have are tried too, and answered with 404.
    operations -= sum(403 in seen[label] for label in missed)
    report += f"\nReached {reached} of {operations} operations ({reached / operations:.0%}). Not reached: {missed}\n"
    (OUTPUT / f"schemathesis-{phases.replace(',', '-')}.txt").write_text(report)
    record_property("measured", report.splitlines()[-1].split(". Not")[0])
    assert done.returncode == 0, report[-6000:]
    assert reached >= REACHED * operations, report.splitlines()[-1]
    # The server is healthy and logged no unexpected errors.
    assert requests.get(api_server.url + "/healthz", timeout=5).ok
    assert "internal" not in api_server.log_path.read_text()


@pytest.mark.requirement("BY-1.21.c")
def test_the_document_is_openapi_3_1_and_names_every_command(server):
    document = requests.get(server.url + "/openapi.json", timeout=10).json()
    assert document["openapi"].startswith("3.1")
    ids = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(ids) == len(set(ids)) > 30
    page = requests.get(server.url + "/api", headers={"Accept": "text/html"}, timeout=10)
    assert page.ok, "the readable page"
    assert "attendance" in page.text
