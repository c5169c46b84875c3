"""Requests are cut, lost, repeated and delayed at random while two guides work; the server has each acknowledged
change exactly once."""
import http.client
import random
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect
from test_student import open_child

#: The relative frequency of each fault.
FAULTS = {"fine": 9, "cut": 3, "lost": 4, "twice": 3, "slow": 3}


class Proxy:
    """A faulty proxy between the browsers and the server, which disturbs commands."""

    def __init__(self, server, seed):
        self.server = server
        self.chance = random.Random(seed)
        self.seen = dict.fromkeys(FAULTS, 0)
        self.lock = threading.Lock()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self):
                if self.path.startswith("/api/v1/live"):
                    # There are no live events; pages know only their responses.
                    return self.send_error(503)
                self.give(proxy.send(self, b""))

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                happens = proxy.fault()
                if happens == "cut":
                    return
                if happens == "slow":
                    time.sleep(proxy.chance.uniform(0.1, 0.9))
                answer = proxy.send(self, body)
                if happens == "twice":
                    answer = proxy.send(self, body)
                if happens != "lost":
                    self.give(answer)

            def give(self, answer):
                status, headers, body = answer
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # The page went elsewhere meanwhile.

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.http.server_port}"

    def fault(self):
        with self.lock:
            [happens] = self.chance.choices(list(FAULTS), list(FAULTS.values()))
            self.seen[happens] += 1
            return happens

    def send(self, request, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            connection.request(request.command, request.path, body or None, dict(request.headers))
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def proxy(server):
    made = Proxy(server, seed=20261122)
    yield made
    made.stop()


@pytest.mark.requirement("BY-1.01.c", "BY-1.02.a")
def test_everything_arrives_once_on_an_unreliable_network(visit, server, proxy):
    children = [f"Child {number:02}" for number in range(10)]
    school = server.found_school(rooms={"Maple room": children})
    colleague = school.colleague("Bea Lind", rooms=["Maple room"])
    # Each guide has her own children, so that each knows the expected result.
    work = [(school.owner, children[:5]), (colleague, children[5:])]
    guides = []
    for person, _ in work:
        guide = visit(person)
        guide.expects("ERR_|503|Failed to load|Failed to fetch")
        guides.append(guide)
    written = {name: [] for name in children}
    wanted = {}

    for (person, mine), guide in zip(work, guides):
        # Cookies ignore the port, so a session at the server is valid at the proxy.
        guide.page.goto(proxy.url + school.path("Maple room"))
        sheet = open_child(guide, mine[0])
        for number in range(4):
            text = f"{person.name} saw step {number}"
            written[mine[0]].append(text)
            note = sheet.get_by_label("Note", exact=True)
            note.fill(text)
            sheet.get_by_role("button", name="Save", exact=True).click()
            # Either the server has it, or the device stores it, and the page says so.
            expect(note).to_have_value("")
        guide.page.goto(proxy.url + school.path("Maple room"))
        for turn in range(3):
            for name in mine[turn % 2:]:
                guide.tap(name)
                wanted[name] = "absent" if wanted.get(name) == "present" else "present"

    for (_, mine), guide in zip(work, guides):
        expect(guide.page.locator(".pt-outbox")).to_have_count(0, timeout=90_000)
        for name in mine:
            expect(guide.pill(name)).to_have_attribute("data-state", wanted[name])
            expect(guide.pill(name)).not_to_have_attribute("data-sync", re.compile(".*"))

    assert {name: mark for name, mark in school.marks("Maple room").items()} == wanted
    roster = school.owner.get(f"/api/v1/classrooms/{school.rooms['Maple room']}/roster")["items"]
    for entry in roster:
        child = entry["student"]
        kept = school.owner.get(f"/api/v1/students/{child['id']}/observations")["items"]
        assert sorted(one["content"] for one in kept) == sorted(written[child["displayName"]])
    assert all(proxy.seen.values()), f"there were too few faults: {proxy.seen}"
