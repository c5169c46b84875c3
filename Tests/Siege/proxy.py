"""Writers behind a proxy that cuts, delays, repeats and slows requests and responses: each command takes effect
once."""

import random
import socket
import threading
import time

from common import Row, Server, Writers, observations

#: The relative frequency of each fault.
FAULTS = {"fine": 10, "cut before": 2, "cut within": 3, "lost answer": 4, "cut answer": 3, "twice": 3, "slow": 2, "dribble": 2}


class FaultyProxy:
    """Forwards one request per connection, with random faults. Works on TCP, without parsing HTTP."""

    def __init__(self, server: Server, seed: int, faults: dict[str, int] = FAULTS):
        self.server = server
        self.chance = random.Random(seed)
        self.faults = faults
        self.seen = dict.fromkeys(faults, 0)
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._open = True
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        self._open = False
        self._listener.close()

    def _accept(self) -> None:
        while self._open:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with self._lock:
            [fault] = self.chance.choices(list(self.faults), list(self.faults.values()))
            self.seen[fault] += 1
            part = self.chance.random()
        with client:
            client.settimeout(10)
            try:
                request = self._request(client)
                if fault == "cut before" or not request:
                    return
                if fault == "cut within":
                    self._send(request[: int(len(request) * part)], answers=False)
                    return
                if fault == "slow":
                    time.sleep(part * 0.5)
                answer = self._send(request, dribbles=fault == "dribble")
                if fault == "twice":
                    answer = self._send(request)
                if fault == "lost answer":
                    return
                client.sendall(answer[: int(len(answer) * part)] if fault == "cut answer" else answer)
            except OSError:
                return  # Either side may give up; that is what is tried here.

    @staticmethod
    def _request(client: socket.socket) -> bytes:
        """Reads one request with its body; the client's connection is not used again."""
        data = b""
        while b"\r\n\r\n" not in data:
            piece = client.recv(65536)
            if not piece:
                return b""
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        lines = []
        for line in head.split(b"\r\n"):
            name = line.split(b":")[0].lower()
            if name == b"content-length":
                length = int(line.split(b":")[1])
            if name not in (b"connection", b"keep-alive"):
                lines.append(line)
        while len(body) < length:
            body += client.recv(65536)
        return b"\r\n".join(lines) + b"\r\nConnection: close\r\n\r\n" + body

    def _send(self, request: bytes, answers: bool = True, dribbles: bool = False) -> bytes:
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as upstream:
            if dribbles:
                for start in range(0, len(request), 64):
                    upstream.sendall(request[start:start + 64])
                    time.sleep(0.002)
            else:
                upstream.sendall(request)
            answer = b""
            while answers and (piece := upstream.recv(65536)):
                answer += piece
            return answer


def run(folder, seconds):
    server = Server(folder / "data", folder / "server.log").start()
    try:
        school = server.found_school(name="Proxy School")
        proxy = FaultyProxy(server, seed=2026)
        with Writers(lambda: proxy.url, school, count=6) as writers:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                time.sleep(min(300, max(0.1, end - time.monotonic())))
                writers.token = server.sign_in(school.owner.email).token
        proxy.close()
        # Requests in the proxy arrive before the file is read.
        server.stop()
        row = Row("proxy", "writes through a faulty network", sum(proxy.seen.values()))
        row.note = f"{len(writers.acknowledged)} acknowledged, {len(writers.open)} open at the end"
        row.failures = writers.faults(observations(server.data, school.id))
        if writers.refused:
            row.failures.append(f"writers were answered {writers.refused}")
        if not all(proxy.seen.values()):
            row.failures.append(f"there were no faults: {proxy.seen}")
        return [row]
    finally:
        server.stop()
