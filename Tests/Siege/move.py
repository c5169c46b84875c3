"""Runs whole-school operations of the command line while four people write to the running server."""

import subprocess
import time

from common import Row, Server, Writers, observations
from school import BINARY


def _pinktower(server, *arguments):
    return subprocess.run(
        [BINARY, *arguments, "--data", server.data], env=server._environment(), cwd=server.data.parent,
        capture_output=True, text=True, timeout=120, check=False)


def run(folder, seconds):
    server = Server(folder / "data", folder / "server.log").start()
    moved = Row("move", "pinktower move while four people write", 0)
    replaced = Row("move", "restore --replace while four people write, then write again", 0)
    acknowledged = 0
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            school = server.found_school(name=f"Move School {moved.tried}")
            target = folder / f"moved-{moved.tried}"
            with Writers(lambda: server.url, school) as writers:
                time.sleep(1.5)
                done = _pinktower(server, "move", school.id, "--to", str(target))
                time.sleep(0.5)
            moved.tried += 1
            acknowledged += len(writers.acknowledged)
            if done.returncode != 0:
                moved.failures.append(f"move ended with {done.returncode}: {done.stderr.strip()[-300:]}")
                continue
            moved.failures += writers.faults(observations(target, school.id))
            if set(writers.refused) - {423, 503}:
                moved.failures.append(f"writers were answered {writers.refused}")
            if 423 not in writers.refused:
                moved.failures.append("nobody was told that the school is closed")

            school = server.found_school(name=f"Restore School {replaced.tried}")
            backup = folder / f"backup-{replaced.tried}.pinktower"
            with Writers(lambda: server.url, school) as writers:
                time.sleep(0.5)
                first = _pinktower(server, "backup", school.id, "--to", str(backup))
                done = _pinktower(server, "restore", str(backup), "--replace")
            replaced.tried += 1
            if first.returncode or done.returncode:
                replaced.failures.append(f"{first.stderr.strip()[-300:]} {done.stderr.strip()[-300:]}")
                continue
            # A restore signs all people out.
            school.owner = server.sign_in(school.owner.email, school.owner.name)
            # Writes between backup and restore are replaced on purpose; later ones must stay.
            with Writers(lambda: server.url, school) as writers:
                time.sleep(0.5)
            stored = observations(server.data, school.id)
            missing = writers.acknowledged - set(stored)
            if missing or not writers.acknowledged:
                replaced.failures.append(
                    f"{len(missing)} of {len(writers.acknowledged)} writes after the restore are missing")
        moved.note = f"{acknowledged} acknowledged writes"
        return [moved, replaced]
    finally:
        server.stop()
