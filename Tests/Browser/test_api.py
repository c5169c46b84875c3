"""schemathesis against the API as the server itself describes it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from conftest import OUTPUT
from school import Server

#: What no answer may break. "status code conformance" is left to `default` in the document: every refusal is
#: a problem document.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
EXAMPLES = 25


@pytest.fixture
def api_server(tmp_path):
    """A sample school that nobody else looks at: what is made up here may delete all of it."""
    made = Server(tmp_path / "data", OUTPUT / "server-api.log")
    made.log_path.unlink(missing_ok=True)
    made.fill_demo()
    made.start()
    yield made
    made.stop()


def schemathesis(server, token, *arguments):
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", server.url + "/openapi.json",
        "--header", f"Authorization: Bearer {token}", "--checks", CHECKS, "--max-examples", str(EXAMPLES),
        "--request-timeout", "10", "--seed", "20", "--no-color", *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, check=False, cwd=OUTPUT)


@pytest.mark.parametrize("phases", ["examples,coverage", "fuzzing"])
def test_the_api_keeps_what_its_document_says(api_server, phases):
    owner = api_server.sign_in("ana@demo.example")
    # Signing out would end the run's own session; signing in and joining have limits of tries.
    done = schemathesis(
        api_server, owner.token, "--phases", phases, "--exclude-operation-id", "auth.signOut",
        "--exclude-operation-id", "auth.signUp")
    report = done.stdout + done.stderr
    (OUTPUT / f"schemathesis-{phases.replace(',', '-')}.txt").write_text(report)
    assert done.returncode == 0, report[-6000:]
    tested = re.search(r"(\d+) (?:selected|tested|passed)", report)
    assert tested, report
    # The server is alive and well, and said nothing of unexpected errors.
    assert requests.get(api_server.url + "/healthz", timeout=5).ok
    assert "internal" not in api_server.log_path.read_text()


def test_the_document_is_openapi_3_1_and_names_every_command(server):
    document = requests.get(server.url + "/openapi.json", timeout=10).json()
    assert document["openapi"].startswith("3.1")
    ids = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(ids) == len(set(ids)) > 30
    page = requests.get(server.url + "/api", headers={"Accept": "text/html"}, timeout=10)
    assert page.ok, "the readable page"
    assert "attendance" in page.text
