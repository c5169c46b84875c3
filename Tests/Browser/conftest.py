"""Fixtures: one server and one browser per worker, a fresh visitor per test, and the record for `tower status`."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from pages import Visitor
from school import PASSWORD, ROOT, Person, Server

OUTPUT = Path(__file__).parent / "output"
PHONE = (390, 844)
DESKTOP = (1280, 900)
CHROMIUM = next(
    (path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
     if Path(path).exists()), None)
#: Chromium without a window, which needs a third less time. It has no notifications.
SHELL = "/usr/bin/chromium-headless-shell"

#: The longest time of one step on a loaded machine, in milliseconds.
STEP_LIMIT = 10_000
expect.set_options(timeout=STEP_LIMIT)


def _worker() -> str:
    import os
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server with the sample school, for tests that only read it or make schools of their own."""
    log = OUTPUT / f"server-{_worker()}.log"
    log.unlink(missing_ok=True)
    made = Server(tmp_path_factory.mktemp("school") / "data", log)
    made.fill_demo()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def own_server(tmp_path):
    """An empty server that a test may stop and start."""
    made = Server(tmp_path / "data", tmp_path / "server.log").start()
    yield made
    made.stop()


@pytest.fixture
def named_server(tmp_path, monkeypatch):
    """A server with a host name, which passkeys need."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = Server(tmp_path / "data", tmp_path / "server.log")
    made.port = port
    environment = made._environment() | {"PINKTOWER_PUBLIC_URL": f"http://localhost:{port}"}
    monkeypatch.setattr(made, "_environment", lambda: environment)
    # The server announces its name instead of the address that it listens on.
    monkeypatch.setattr(made, "_announced_port", lambda: port)
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def demo(server) -> Person:
    """The founder of the sample school, signed in anew, since an access token lasts 15 minutes and the tests take
    longer. Only for tests that change nothing in it."""
    return server.sign_in("ana@demo.example", "Ana Ruiz")


@pytest.fixture
def school(server):
    """A new school for this test: one classroom with three children."""
    return server.found_school()


@pytest.fixture(scope="session")
def chromium():
    """Browsers by the default text size, in pixels, that their owner has set."""
    with sync_playwright() as playwright:
        browsers = {}

        def browser(text_size, camera=None, notifications=False):
            """`camera` is a film (y4m) that the fake camera shows."""
            kind = (text_size, camera, notifications)
            if kind not in browsers:
                film = [f"--use-file-for-fake-video-capture={camera}"] if camera else []
                browsers[kind] = playwright.chromium.launch(
                    executable_path=SHELL if Path(SHELL).exists() and not notifications else CHROMIUM,
                    args=film + [
                        "--no-sandbox", f"--blink-settings=defaultFontSize={text_size}",
                        # A fake microphone that needs no permission.
                        "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])
            return browsers[kind]

        yield browser
        for one in browsers.values():
            one.close()


@pytest.fixture
def visit(request, chromium, server):
    """Opens browsers: `visit(person, "/path", size=PHONE)` returns a signed-in `Visitor`.

    A phone has a service worker, a desktop has none as on a first visit, unless `worker` says otherwise. So the journeys
    that are tried at both sizes are shown with and without it, and the tests take less: an installation takes half a
    second of a processor.

    At the end of the test no browser may have complained, and each route must have caught a request."""
    visitors: list[Visitor] = []

    def open_browser(
        person: Person | None = None, path: str | None = None, *, at: Server | None = None, size=PHONE,
        scheme="light", language="en-US", script=True, touch=False, text_size=16, camera=None,
        notifications=False, worker=None, **options,
    ) -> Visitor:
        home = at or (person.server if person else server)
        context: BrowserContext = chromium(text_size, camera, notifications).new_context(
            base_url=home.url, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,
            locale=language, timezone_id="Europe/Zurich", java_script_enabled=script, has_touch=touch,
            service_workers="allow" if (size[0] < DESKTOP[0] if worker is None else worker) else "block", **options)
        context.set_default_timeout(STEP_LIMIT)
        if person:
            answer = context.request.post(
                "/api/v1/auth/sign-in", form={"email": person.email, "password": PASSWORD},
                headers={"Accept": "application/json"})
            assert answer.ok, answer.text()
        visitor = Visitor(context.new_page(), home)
        visitors.append(visitor)
        if path:
            visitor.open(path)
        return visitor

    yield open_browser

    failed = getattr(request.node, "call_failed", False)
    complaints = []
    for number, visitor in enumerate(visitors):
        if failed:
            name = re.sub(r"[^A-Za-z0-9]+", "-", request.node.name).strip("-")
            visitor.picture(OUTPUT / f"{name}-{number}.png")
        complaints += visitor.complaints
        if not failed:
            complaints += visitor.unused_routes
        visitor.page.context.close()
    assert not complaints, "The browser, or a route, complained:\n" + "\n".join(complaints)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call":
        item.call_failed = report.failed


# --- The record for `tower status`


@dataclass
class Record:
    requirements: list[str] = field(default_factory=list)
    outcome: str = "passed"


#: Files with tests of minutes. They begin first, one on each worker, so that none is left when the others have ended.
LONG = ["test_api.py", "test_access.py"]


def pytest_configure():
    # Before any test or fixture, whichever begins first.
    OUTPUT.mkdir(exist_ok=True)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))
    for item in items:
        ids = [row for mark in item.iter_markers("requirement") for row in mark.args]
        # Reports carry these from the workers to the main process.
        item.user_properties.append(("requirements", sorted(set(ids))))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    record = _records.setdefault(report.nodeid, Record())
    record.requirements = dict(report.user_properties).get("requirements", record.requirements)
    if report.failed:
        record.outcome = "failed"
    elif report.skipped and record.outcome == "passed":
        record.outcome = "skipped"


_records: dict[str, Record] = {}


class FailuresAtOnce:
    """Prints each failure when it happens: a run that is ended by force has no summary."""

    def __init__(self, terminal):
        self.terminal = terminal

    def pytest_runtest_logreport(self, report):
        if report.outcome in ("failed", "rerun"):
            reason = " ".join(report.longreprtext[-300:].split())
            self.terminal.write_line(f"\n{report.outcome}: {report.nodeid}: {reason}")


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal and not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(FailuresAtOnce(terminal))


def pytest_terminal_summary(terminalreporter):
    """Prints why tests ran a second time, and the measurements of tests: `record_property("measured", "...")`."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_line(f"RERUN {report.nodeid}: " + " ".join(report.longreprtext[-600:].split()))
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", []):
                if name == "measured" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid}: {text}")


def pytest_sessionfinish(session):
    config = session.config
    if hasattr(config, "workerinput") or not _records:
        return
    is_part = bool(config.option.keyword or config.option.markexpr) or any(
        Path(str(argument).split("::")[0]).resolve() != Path(__file__).parent for argument in config.args)
    target = ROOT / ".build/tests" / ("browser-part.json" if is_part else "browser.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(
        [{"name": name.split("/")[-1], "requirements": record.requirements, "outcome": record.outcome}
         for name, record in sorted(_records.items())], indent=1, ensure_ascii=False))
