"""Checks that each block can be removed: a server with only it, and one without it, build, start and have no dead
link."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

import requests  # noqa: E402
from school import BINARY, Server  # noqa: E402
from test_crawl import crawl  # noqa: E402

#: The longest time of one build, in seconds.
BUILD_LIMIT = 1800
#: The readers of pages when the sample school can be created: its founder, a parent and a student.
PEOPLE = ("ana@demo.example", "luz@demo.example", "sami@demo.example")


def blocks() -> dict[str, list[str]]:
    """The table of Package.swift: the blocks with those whose interfaces they need."""
    text = (ROOT / "Package.swift").read_text()
    table = text[text.index("let features: [Feature] = ["):]
    table = table[:table.index("\n]\n")]
    return {
        name: re.findall(r'"(\w+)"', (re.search(r"needs: \[([^\]]*)\]", entry) or [None, ""])[1])
        for name, entry in re.findall(r'Feature\(\s*name: "(\w+)"([^)]*)\)', table)
    }


def needing(block: str, table: dict[str, list[str]]) -> set[str]:
    """The block and all blocks that need it."""
    found = {block}
    while more := {name for name, needs in table.items() if name not in found and found & set(needs)}:
        found |= more
    return found


@dataclass
class Outcome:
    seconds: float = 0
    pages: int = 0
    fault: str = ""

    def __str__(self) -> str:
        return self.fault or f"{self.pages} pages, built in {self.seconds:.0f} s"


def found_course_school(person, selected: list[str]) -> None:
    """Founds a school without classrooms, with a course, its lesson and an announcement, as far as the blocks exist.

    The sample school needs classrooms; without them its pages would not be checked."""
    if "Shell" not in selected or "Classroom" in selected:
        return
    person.post("/api/v1/onboarding/start", {"role": "guide"})
    person.post("/api/v1/onboarding/found-school", {"name": "Evening School"})
    if "Courses" in selected:
        course = person.post("/api/v1/courses", {"name": "Drawing", "subject": "Art"})["id"]
        module = person.post(f"/api/v1/courses/{course}/modules", {"title": "Lines"})["id"]
        person.post(f"/api/v1/courses/modules/{module}/lessons", {"title": "Pencils", "content": "Draw a line.", "published": True})
        assert "Pencils" in str(person.get(f"/api/v1/courses/{course}/lessons"))
    if "Messaging" in selected:
        person.post("/api/v1/announcements", {"title": "Welcome", "text": "The first evening is on Monday."})
        assert "Welcome" in str(person.get("/api/v1/announcements"))


def attempt(selected: list[str]) -> Outcome:
    """Builds a server with the selected blocks and what they need, starts it and follows every link."""
    outcome = Outcome()
    start = time.monotonic()
    built = subprocess.run(
        ["swift", "build", "--product", "pinktower"], cwd=ROOT, env=os.environ | {"FEATURES": ",".join(selected)},
        capture_output=True, text=True, timeout=BUILD_LIMIT, check=False)
    outcome.seconds = time.monotonic() - start
    if built.returncode != 0:
        errors = re.findall(r"error: .*", built.stdout + built.stderr)
        return Outcome(outcome.seconds, 0, f"does not build: {(errors or ['no reason printed'])[0]}")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "data", Path(folder) / "server.log")
        people: list[str | None] = [None]
        sample = subprocess.run(
            [BINARY, "demo", "--data", server.data], env=server._environment(), capture_output=True, text=True,
            timeout=300, check=False)
        try:
            server.start()
            if sample.returncode == 0:
                people += [email for email in PEOPLE if email in sample.stdout]
            elif requests.get(server.url + "/sign-in", timeout=10).ok:
                person = server.sign_up("Hana Mori")
                people.append(person.email)
                found_course_school(person, selected)
            for person in people:
                pages, sources = crawl(server, person, "en")
                outcome.pages += len(pages)
                for path, (answer, _) in pages.items():
                    if answer.status_code != 200:
                        outcome.fault = f"{path} (from {sources.get(path, 'the start')}): {answer.status_code}"
        except Exception as error:  # Whatever a server without some block does wrong is a row of the table.
            outcome.fault = outcome.fault or f"{type(error).__name__}: {str(error)[:160]}"
        finally:
            server.stop()
    return outcome


def main(names: list[str]) -> int:
    table = blocks()
    unknown = [name for name in names if name not in table]
    if unknown or not table:
        print(f"There is no block {', '.join(unknown)}. The blocks are {', '.join(table)}.")
        return 2
    gaps = 0
    for block in names or list(table):
        out = needing(block, table)
        rest = [name for name in table if name not in out]
        for title, selected in ((f"{block} alone", [block]), (f"without {', '.join(sorted(out))}", rest)):
            outcome = attempt(selected)
            gaps += bool(outcome.fault)
            print(f"{'FAILED' if outcome.fault else 'ok':8}{title:60}{outcome}", flush=True)
    print(f"{gaps} gaps.")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
