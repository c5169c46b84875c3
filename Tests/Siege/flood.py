"""Clients that send endlessly, too slowly or not at all, and a server that is stopped meanwhile."""

import contextlib
import socket
import time

import requests

from common import Row, Server, memory
import school

#: The most bytes of all unfinished bodies.
ALLOWED = 64 << 20
#: Seconds after which a silent or slow client must be disconnected, and in which a server must stop.
PATIENCE, STOP = 60, 20


def _connect(server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=5)


def _closed(connections, seconds) -> int:
    """The number of connections that the server has closed or answered in time."""
    end = time.monotonic() + seconds
    waiting = list(connections)
    while waiting and time.monotonic() < end:
        for one in list(waiting):
            one.setblocking(False)
            try:
                if one.recv(65536) == b"":
                    waiting.remove(one)
            except BlockingIOError:
                pass
            except OSError:
                waiting.remove(one)
        time.sleep(0.2)
    return len(connections) - len(waiting)


def _bodies(server) -> Row:
    row = Row("flood", "16 anonymous bodies of 60 MB that never end, to each of four commands", 0)
    before = memory(server.process.pid)
    with contextlib.ExitStack() as stack:
        for path in ["records/restore", "courses/lessons/019a0000-0000-7000-8000-000000000000/files",
                     "roster/preview", "conversations/019a0000-0000-7000-8000-000000000000/messages"]:
            for _ in range(16):
                row.tried += 1
                try:
                    one = stack.enter_context(_connect(server))
                    one.sendall((
                        f"POST /api/v1/{path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=cut\r\n"
                        f"Transfer-Encoding: chunked\r\n\r\n").encode())
                    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
                    for _ in range(60 << 20 >> 16):
                        one.sendall(chunk)
                except OSError:
                    pass  # Refused or closed: what is wanted.
        grown = memory(server.process.pid) - before
    row.note = f"memory grew by {grown >> 20} MB"
    if grown > ALLOWED:
        row.failures.append(f"memory grew by {grown >> 20} MB, {ALLOWED >> 20} MB are allowed")
    return row


def _silent(server) -> Row:
    row = Row("flood", "half headers, silent connections and slow bodies are closed", 0)
    kinds = {
        "half header": b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: ",
        "silent": b"",
        "half body": b"POST /api/v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
        "idle": b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    }
    with contextlib.ExitStack() as stack:
        connections = {kind: [] for kind in kinds}
        for kind, start in kinds.items():
            for _ in range(12):
                row.tried += 1
                try:
                    one = stack.enter_context(_connect(server))
                    one.sendall(start)
                    connections[kind].append(one)
                except OSError:
                    pass
        if not requests.get(server.url + "/readyz", timeout=5).ok:
            row.failures.append("/readyz does not answer beside silent connections")
        end = time.monotonic() + PATIENCE + 30
        for kind, ones in connections.items():
            closed = _closed(ones, max(1, end - time.monotonic()))
            if closed < len(ones):
                row.failures.append(f"{len(ones) - closed} of {len(ones)} {kind} connections stayed open")
    return row


def _stop(server) -> Row:
    row = Row("flood", "a stop while an upload, a half header and an event stream are open", 1)
    owner = server.found_school(name="Flood School").owner
    with contextlib.ExitStack() as stack:
        bearer = f"Authorization: Bearer {owner.token}\r\n"
        for start in [
            f"POST /api/v1/roster/preview HTTP/1.1\r\nHost: x\r\n{bearer}Content-Type: multipart/form-data; boundary=cut\r\n"
            f"Content-Length: 900000\r\n\r\n--cut\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX-Half: ",
            f"GET /api/v1/live HTTP/1.1\r\nHost: x\r\n{bearer}Accept: text/event-stream\r\n\r\n",
        ]:
            stack.enter_context(_connect(server)).sendall(start.encode())
        time.sleep(0.5)
        begun = time.monotonic()
        server.process.terminate()
        try:
            status = server.process.wait(timeout=STOP + 15)
        except Exception:
            server.process.kill()
            status = server.process.wait()
        took = time.monotonic() - begun
        server.process.stdout.close()
        server.process = None
    row.note = f"stopped after {took:.1f} s"
    if took > STOP or status != 0:
        row.failures.append(f"the stop took {took:.1f} s and ended with {status}; {STOP} s are allowed")
    return row


def _few_descriptors(folder) -> Row:
    """90 idle connections against a server that may open 64 files."""
    row = Row("flood", "90 idle connections against 64 descriptors, /readyz answers within the time limits", 90)
    # A shell sets the limit for the new process only.
    wrapper = folder / "pinktower-with-64-files"
    wrapper.write_text(f'#!/bin/sh\nulimit -n 64\nexec "{school.BINARY}" "$@"\n')
    wrapper.chmod(0o700)
    binary, school.BINARY = school.BINARY, wrapper
    try:
        server = Server(folder / "few", folder / "few.log").start()
    finally:
        school.BINARY = binary
    try:
        with contextlib.ExitStack() as stack:
            for _ in range(row.tried):
                with contextlib.suppress(OSError):
                    stack.enter_context(_connect(server))
            end = time.monotonic() + PATIENCE + 30
            while time.monotonic() < end:
                with contextlib.suppress(requests.RequestException):
                    if requests.get(server.url + "/readyz", timeout=2).ok:
                        row.note = f"answered {PATIENCE + 30 - (end - time.monotonic()):.0f} s after the flood"
                        break
            else:
                row.failures.append("/readyz never answered again")
    finally:
        server.stop()
    return row


def run(folder, seconds):
    # The server's own limits determine the time. All clients are one network here, as an attacker is: no proxy is
    # trusted.
    server = Server(folder / "data", folder / "server.log", {"PINKTOWER_TRUSTS_PROXY": "false"}).start()
    try:
        return [_bodies(server), _silent(server), _stop(server), _few_descriptors(folder)]
    finally:
        server.stop()
