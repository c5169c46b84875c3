"""Shows that each block lifts out: a server with it alone and a server without it build, start and have no dead link, and
its tests pass with the kernel alone.

    .venv/bin/python Tests/Lift/lift.py [Block ...] [--since COMMIT] [--until TIME]

Without a name all blocks are tried, which takes about three quarters of an hour on two cores. Prints a table and ends with
status 1 where a row has a gap. See README.md.
"""

from __future__ import annotations

import argparse
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
TOWER = ROOT / ".build/debug/tower"
#: Who looks at the pages where the sample school can be made: its founder, a parent and a student.
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
    tests: int = 0
    fault: str = ""

    def __str__(self) -> str:
        return self.fault or f"{f'{self.tests} tests' if self.tests else f'{self.pages} pages, built'} in {self.seconds:.0f} s"


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
    flags = subprocess.run([ROOT / ".ci/build-flags"], capture_output=True, text=True, check=True).stdout.split()
    built = subprocess.run(
        ["swift", "build", *flags, "--product", "pinktower"], cwd=ROOT, env=os.environ | {"FEATURES": ",".join(selected)},
        capture_output=True, text=True, timeout=BUILD_LIMIT, check=False)
    outcome.seconds = time.monotonic() - start
    if built.returncode != 0:
        errors = re.findall(r"error: .*", built.stdout + built.stderr)
        return Outcome(outcome.seconds, fault=f"does not build: {(errors or ['no reason printed'])[0]}")
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


def tests_alone(block: str) -> Outcome:
    """Compiles the block with the kernel and the interfaces that it needs, and runs its tests."""
    start = time.monotonic()
    run = subprocess.run(
        [TOWER, "test", block], cwd=ROOT, capture_output=True, text=True, timeout=BUILD_LIMIT, check=False)
    outcome = Outcome(time.monotonic() - start)
    said = run.stdout + run.stderr
    passed = re.search(r"Test run with (\d+) tests?\b.* passed", said)
    if run.returncode == 0 and passed:
        outcome.tests = int(passed[1])
    else:
        faults = re.findall(r"error: .*|✘ Test .* recorded an issue.*", said)
        outcome.fault = f"its tests fail: {(faults or ['none ran'])[0][:160]}"
    return outcome


@dataclass(frozen=True)
class Row:
    block: str
    #: "alone", "without" or "tests"
    kind: str
    #: The blocks of the server.
    selected: tuple[str, ...] = ()
    title: str = ""

    @property
    def seconds(self) -> int:
        """How long the row may take on two cores."""
        return 150 if self.kind == "tests" else 330

    def run(self) -> Outcome:
        return tests_alone(self.block) if self.kind == "tests" else attempt(list(self.selected))


def rows(blocks_to_try: list[str], table: dict[str, list[str]]) -> list[Row]:
    """Three rows for each block."""
    found = []
    for block in blocks_to_try:
        out = needing(block, table)
        rest = tuple(name for name in table if name not in out)
        found += [
            Row(block, "alone", (block,), f"{block} alone"),
            Row(block, "without", rest, f"without {', '.join(sorted(out))}"),
            Row(block, "tests", title=f"tests of {block} alone"),
        ]
    return found


def turned(all_rows: list[Row], run: int) -> list[Row]:
    """The rows in the order of one run. Each commit begins at the next row, so that runs without time for all of them try
    each row in its turn."""
    start = run % len(all_rows) if all_rows else 0
    return all_rows[start:] + all_rows[:start]


def said(*command: str) -> list[str]:
    """The words that a command prints; throws where it fails."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def landed() -> str:
    """The last commit that is on the main branch elsewhere; the parent where that is unknown, as in a clone of this branch."""
    try:
        base = said("git", "merge-base", "HEAD", "origin/main")
        return base[0] if base != said("git", "rev-parse", "HEAD") else "HEAD^1"
    except subprocess.CalledProcessError:
        return "HEAD^1"


def touched(since: str, table: dict[str, list[str]]) -> list[str]:
    """The blocks that the changes since a commit touch; all where something that is no block's was changed."""
    try:
        since = landed() if since == "landed" else since
        found = said(str(TOWER), "affected", "--since", since)
        changed = said("git", "diff", "--name-only", since, "--")
    except subprocess.CalledProcessError:
        # A clone without history does not know the commit.
        return list(table)
    if found or not any(path.startswith(("Modules/", "Apps/Server/", "Tests/Lift/")) for path in changed):
        return found
    return list(table)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Shows that each block lifts out.")
    parser.add_argument("blocks", nargs="*", help="names of blocks; all without one")
    parser.add_argument("--since", help="only the blocks that the changes since this commit touch; 'landed' finds it")
    parser.add_argument("--until", type=float, help="leaves out rows that would not end by this time (seconds since 1970)")
    options = parser.parse_args(arguments)
    table = blocks()
    unknown = [name for name in options.blocks if name not in table]
    if unknown or not table:
        print(f"There is no block {', '.join(unknown)}. The blocks are {', '.join(table)}.")
        return 2
    names = options.blocks or (touched(options.since, table) if options.since else list(table))
    to_try = rows(names, table)
    if options.until:
        to_try = turned(to_try, int(said("git", "rev-list", "--count", "HEAD")[0]))
    gaps = left_out = 0
    for row in to_try:
        if options.until and time.time() + row.seconds > options.until:
            left_out += 1
            continue
        outcome = row.run()
        gaps += bool(outcome.fault)
        print(f"{'FAILED' if outcome.fault else 'ok':8}{row.title:60}{outcome}", flush=True)
    if left_out:
        print(f"{left_out} rows were left out, since they would not end in time; later runs begin with others.")
    print(f"{gaps} gaps." if to_try else "The change touches no block.")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
