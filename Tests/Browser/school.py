"""Servers, and schools made through the public API."""

from __future__ import annotations

import itertools
import os
import re
import select
import subprocess
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("PINKTOWER_BINARY", ROOT / ".build/debug/pinktower"))
PASSWORD = "rose cubes on a shelf"
#: The longest time of a start, in seconds.
START_LIMIT = 30
#: The longest time of a stop, in seconds.
STOP_LIMIT = 15

_numbers = itertools.count(1)


class Server:
    """One `pinktower serve` with its own data folder."""

    def __init__(self, data: Path, log: Path, settings: dict[str, str] | None = None, port: int = 0):
        self.data = data
        self.log_path = log
        self.settings = settings or {}
        self.port = port
        self.process: subprocess.Popen | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("PINKTOWER_")}
        return own | {
            "PINKTOWER_WEAK_PASSWORD_HASH": "true",
            # Sign-ups are limited per network, so the tests come from many.
            "PINKTOWER_TRUSTS_PROXY": "true",
        } | self.settings

    def fill_demo(self) -> None:
        """Creates the sample school, as `make demo` does."""
        done = subprocess.run(
            [BINARY, "demo", "--data", self.data], env=self._environment(), cwd=self.data.parent,
            capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> "Server":
        """Starts on a free port, or on its former port."""
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--data", self.data, "--port", str(self.port)],
                env=self._environment(), cwd=self.data.parent, stdout=subprocess.PIPE, stderr=log, text=True)
        self.port = self._announced_port()
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            try:
                if requests.get(self.url + "/readyz", timeout=2).ok:
                    return self
            except requests.ConnectionError:
                assert self.process.poll() is None, self.log_path.read_text()
        raise AssertionError(f"The server was not ready within {START_LIMIT} s:\n{self.log_path.read_text()}")

    def _announced_port(self) -> int:
        output = self.process.stdout
        readable, _, _ = select.select([output], [], [], START_LIMIT)
        line = output.readline() if readable else ""
        match = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert match, f"The server did not say where it is: {line!r}\n{self.log_path.read_text()}"
        return int(match[1])

    def stop(self) -> None:
        """Asks this process to end; it must do so by itself, whatever clients are connected."""
        if self.process is None:
            return
        process, self.process = self.process, None
        process.terminate()
        try:
            status = process.wait(timeout=STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        process.stdout.close()
        assert status == 0, f"The server did not stop within {STOP_LIMIT} s of being asked (status {status})."

    def sign_up(self, name: str) -> "Person":
        email = f"p{next(_numbers)}-{uuid.uuid4().hex[:8]}@test.example"
        tokens = self.post(
            "/api/v1/auth/sign-up",
            {
                "name": name,
                "email": email,
                "password": PASSWORD,
                "bornOn": "1990-02-28",
                "agrees": True,
            },
        )
        return Person(self, name, email, tokens["accessToken"])

    def sign_in(self, email: str, name: str = "") -> "Person":
        tokens = self.post("/api/v1/auth/sign-in", {"email": email, "password": PASSWORD})
        return Person(self, name, email, tokens["accessToken"])

    def post(self, path: str, body: dict, token: str | None = None) -> dict:
        headers = {"X-Forwarded-For": f"198.18.{next(_numbers) % 250}.{uuid.uuid4().int % 250}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = requests.post(self.url + path, json=body, headers=headers, timeout=10)
        assert answer.ok, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def found_school(self, founder: str = "Ana Ruiz", name: str = "Maple School", rooms: dict | None = None) -> "School":
        """Founds a school; `rooms` maps names of classrooms to lists of children's names."""
        owner = self.sign_up(founder)
        organization = owner.post("/api/v1/organizations", {"name": name})
        # All weekdays are school days, since the tests run on any day.
        owner.post("/api/v1/organization/weekdays", {"weekdays": [str(day) for day in range(1, 8)]})
        school = School(owner, organization["id"].lower(), name)
        for room, children in (rooms or {"Maple room": ["Noor Aziz", "Leïla Benali", "Dario Conti"]}).items():
            school.add_room(room, children)
        return school


@dataclass
class Person:
    """A person with an account."""

    server: Server
    name: str
    email: str
    token: str

    def post(self, path: str, body: dict | None = None) -> dict:
        return self.server.post(path, body or {}, self.token)

    def get(self, path: str) -> dict:
        answer = requests.get(
            self.server.url + path, headers={"Authorization": f"Bearer {self.token}"}, timeout=10)
        assert answer.ok, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()


@dataclass
class School:
    owner: Person
    id: str
    name: str
    rooms: dict[str, str] = field(default_factory=dict)
    children: dict[str, str] = field(default_factory=dict)

    def add_room(self, name: str, children: list[str]) -> str:
        room = self.owner.post("/api/v1/classrooms", {"name": name})["id"].lower()
        self.rooms[name] = room
        for child in children:
            first, _, last = child.partition(" ")
            made = self.owner.post(
                "/api/v1/students", {"firstName": first, "lastName": last, "classroomId": room})
            self.children[child] = made["id"].lower()
        return room

    def path(self, room: str) -> str:
        return f"/classrooms/{self.rooms[room]}"

    def invite(self, role: str = "guide") -> str:
        return self.owner.post("/api/v1/invites", {"role": role})["code"]

    def colleague(self, name: str, role: str = "guide", rooms: list[str] = ()) -> Person:
        """A person who has joined, assigned to these classrooms."""
        person = self.owner.server.sign_up(name)
        person.post("/api/v1/invites/redeem", {"code": self.invite(role)})
        for room in rooms:
            self.assign(room, person)
        return person

    def assign(self, room: str, *people: Person) -> None:
        """Makes these people the only guides of a classroom."""
        members = {member["email"]: member["id"] for member in self.owner.get("/api/v1/members")["items"]}
        ids = [members[person.email] for person in people]
        self.owner.post(f"/api/v1/classrooms/{self.rooms[room]}/guides", {"guideIds": ids})

    def marks(self, room: str) -> dict[str, str | None]:
        """Today's attendance by child's name."""
        roster = self.owner.get(f"/api/v1/classrooms/{self.rooms[room]}/roster")
        return {
            entry["student"]["displayName"]: (entry.get("mark") or {}).get("status") for entry in roster["items"]
        }
