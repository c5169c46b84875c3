"""Shared code of the attacks: rows of the table, writers with idempotency keys, and reads of a school's file."""

from __future__ import annotations

import sqlite3
import sys
import threading
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import requests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Browser"))

from school import School, Server  # noqa: E402  (needs the path above)

__all__ = ["Row", "School", "Server", "Writers", "memory", "observations"]


@dataclass
class Row:
    """One line of the table: an attempt, its count and its failures."""

    attack: str
    what: str
    tried: int
    failures: list[str] = field(default_factory=list)
    note: str = ""


def memory(process_id: int) -> int:
    """The resident memory of a process in bytes."""
    for line in Path(f"/proc/{process_id}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"process {process_id} does not tell its memory")


def observations(data: Path, school_id: str) -> list[str]:
    """The texts of all observations, read from the school's file without the server."""
    database = sqlite3.connect(f"file:{data}/schools/{school_id}.sqlite?mode=ro", uri=True)
    try:
        return [text for (text,) in database.execute("SELECT content FROM observations")]
    finally:
        database.close()


class Writers:
    """Threads that write observations of one child, each text once, and record the acknowledged ones.

    A write without a response is repeated under its key until it is answered or the writers stop."""

    def __init__(self, url, school: School, count: int = 4, pause: float = 0.0, patience: float = 5.0):
        self.url = url
        self.path = f"/api/v1/students/{next(iter(school.children.values()))}/observations"
        self.token = school.owner.token
        self.pause = pause
        self.patience = patience
        self.acknowledged: set[str] = set()
        #: Sent but never answered: may be stored once or not at all.
        self.open: set[str] = set()
        self.refused: dict[int, int] = {}
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._write, args=(number,), daemon=True) for number in range(count)]

    def __enter__(self) -> "Writers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=30)
            assert not thread.is_alive(), "a writer did not stop"

    def _write(self, writer: int) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            text = f"writer {writer} text {number} {uuid.uuid4().hex}"
            key = uuid.uuid4().hex
            with self._lock:
                self.open.add(text)
            while True:
                status = self._send(text, key)
                if status is not None or self._stop.is_set():
                    break
                self._stop.wait(0.02)
            with self._lock:
                if status in (200, 201):
                    self.acknowledged.add(text)
                    self.open.discard(text)
                elif status is not None:
                    self.refused[status] = self.refused.get(status, 0) + 1
                    # A repeated request may be refused although the first attempt was done.
            if status is not None and status >= 400:
                self._stop.wait(0.05)
            if self.pause:
                self._stop.wait(self.pause)

    def _send(self, text: str, key: str) -> int | None:
        try:
            answer = requests.post(
                self.url() + self.path, json={"content": text}, timeout=self.patience,
                headers={"Authorization": f"Bearer {self.token}", "Idempotency-Key": key})
            return answer.status_code
        except requests.RequestException:
            return None

    def faults(self, stored: list[str]) -> list[str]:
        """The missing, duplicate and unknown texts among the stored ones."""
        ours = [text for text in stored if text.startswith("writer ")]
        known = set(ours)
        missing = self.acknowledged - known
        doubled = len(ours) - len(known)
        strangers = known - self.acknowledged - self.open
        found = []
        if missing:
            found.append(f"{len(missing)} of {len(self.acknowledged)} acknowledged writes are missing")
        if doubled:
            found.append(f"{doubled} writes are there twice")
        if strangers:
            found.append(f"{len(strangers)} texts were never sent")
        return found
