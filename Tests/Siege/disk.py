"""Fills the disk of a data folder while people write, and frees it again."""

import os
import subprocess
import time

import requests

from common import Row, Server, Writers, observations

#: Megabytes of the disk, and of the file that is removed to free it.
DISK, BALLAST = 48, 24


def run(folder, seconds):
    if os.geteuid() != 0:
        return [Row("disk", "a full disk", 0, note="skipped: mounting a small disk needs root")]
    place = folder / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", str(place)], capture_output=True, text=True, check=False)
    if mounted.returncode:
        return [Row("disk", "a full disk", 0, note=f"skipped: {mounted.stderr.strip()}")]
    row = Row("disk", "writes onto a disk that fills up, then is freed", 0)
    server = Server(place / "data", folder / "server.log").start()
    try:
        school = server.found_school(name="Disk School")
        ballast = place / "ballast"
        with Writers(lambda: server.url, school) as writers:
            end = time.monotonic() + seconds / 2
            # Another process fills the disk to its last block.
            with ballast.open("wb") as file:
                try:
                    while True:
                        file.write(os.urandom(1 << 16))
                        file.flush()
                except OSError:
                    pass
            while 507 not in writers.refused and time.monotonic() < end:
                time.sleep(0.1)
            if 507 not in writers.refused:
                row.failures.append(f"nobody was told that the disk is full: {writers.refused}")
            ready = [requests.get(server.url + "/readyz", timeout=5).status_code for _ in range(3) if not time.sleep(3)]
            if ready[-1] != 503:
                row.failures.append(f"/readyz says {ready} on a full disk")
            page = requests.get(
                server.url + "/api/v1/classrooms", timeout=5, headers={"Authorization": f"Bearer {school.owner.token}"})
            if page.status_code != 200:
                row.failures.append(f"reading answers {page.status_code} on a full disk")
            before = len(writers.acknowledged)
            ballast.unlink()
            end = time.monotonic() + seconds / 2
            while len(writers.acknowledged) < before + 50 and time.monotonic() < end:
                time.sleep(0.1)
            if len(writers.acknowledged) < before + 50:
                row.failures.append("writing did not go on after the disk was freed")
            ready = [requests.get(server.url + "/readyz", timeout=5).status_code for _ in range(2) if not time.sleep(3)]
            if ready[-1] != 200:
                row.failures.append(f"/readyz says {ready} after the disk was freed")
        unknown = set(writers.refused) - {507, 503}
        if unknown:
            row.failures.append(f"writers were answered {writers.refused}")
        row.tried = len(writers.acknowledged) + sum(writers.refused.values())
        row.note = f"{len(writers.acknowledged)} acknowledged, refused {writers.refused}"
        row.failures += writers.faults(observations(server.data, school.id))
        return [row]
    finally:
        server.stop()
        subprocess.run(["umount", str(place)], check=False)
