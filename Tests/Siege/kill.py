"""Repeated `kill -9` while four writers write: acknowledged texts are stored exactly once."""

import random
import time

from common import Row, Server, Writers, observations


def run(folder, seconds):
    chance = random.Random(22)
    server = Server(folder / "data", folder / "server.log").start()
    try:
        school = server.found_school(name="Kill School")
        row = Row("kill", "kill -9 under load, then start again", 0)
        end = time.monotonic() + seconds
        with Writers(lambda: server.url, school) as writers:
            while time.monotonic() < end:
                time.sleep(chance.uniform(0.2, 1.0))
                server.process.kill()
                server.process.wait()
                server.process.stdout.close()
                server.start()
                row.tried += 1
                # An access token lasts 15 minutes, less than a long run.
                writers.token = server.sign_in(school.owner.email).token
            time.sleep(0.5)
        row.note = f"{len(writers.acknowledged)} acknowledged, {writers.refused or 'none'} refused"
        row.failures = writers.faults(observations(server.data, school.id))
        if len(writers.acknowledged) < row.tried:
            row.failures.append("too few writes were acknowledged to show anything")
        return [row]
    finally:
        server.stop()
