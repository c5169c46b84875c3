"""Reminders of the real server: killed while it sends them, and planned anew for a page that comes to the foreground."""
import re
import sqlite3
import time
from collections import Counter
from datetime import datetime, timedelta

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from test_assignments import assignment_of, pupil_of
from test_courses import course_of
from words import Words

BOTH = pytest.mark.parametrize(
    "words,size", [(Words("en-US"), PHONE), (Words("fr-CA"), DESKTOP)], ids=["en-phone", "fr-desktop"])
STUDENTS, WORKS = 60, 20


def due(hours):
    """The fields of a due time some hours from now; schools of the tests are in this time zone."""
    at = datetime.now() + timedelta(hours=hours)
    return {"dueDay": at.strftime("%Y-%m-%d"), "dueTime": at.strftime("%H:%M")}


def read(server, school, statement):
    path = server.data / "schools" / f"{school.id}.sqlite"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10) as database:
        return database.execute(statement).fetchall()


@pytest.mark.requirement("WW-13.04.b")
def test_a_server_that_is_killed_while_it_sends_reminders_sends_each_once(own_server):
    school = own_server.found_school(rooms={"Maple room": [f"Mia Roy{number}" for number in range(STUDENTS)]})
    course = course_of(school)
    for child in school.children.values():
        school.owner.post(f"/api/v1/courses/{course}/people", {"studentId": child})
    for number in range(WORKS):
        assignment_of(school, course, title=f"Work {number}", **due(23))
    own_server.stop()
    path = own_server.data / "schools" / f"{school.id}.sqlite"
    # Work that was given long ago has a reminder at once.
    with sqlite3.connect(path) as database:
        database.execute("UPDATE coursework_assignments SET published_at = published_at / 2")
    database.close()
    own_server.start()
    counts, end = 0, time.monotonic() + 120
    while not counts and time.monotonic() < end:
        [[counts]] = read(own_server, school, "SELECT COUNT(*) FROM reminders_sent")
    own_server.process.kill()
    own_server.process.wait()
    own_server.process.stdout.close()
    [[counts]] = read(own_server, school, "SELECT COUNT(*) FROM reminders_sent")
    assert 0 < counts < STUDENTS * WORKS, "the server was not killed in the middle"
    own_server.start()
    while counts < STUDENTS * WORKS and time.monotonic() < end:
        [[counts]] = read(own_server, school, "SELECT COUNT(*) FROM reminders_sent")
    sent = read(own_server, school, "SELECT work_id, person_id, hours, batch_id FROM reminders_sent")
    assert len({(work, person) for work, person, _, _ in sent}) == len(sent) == STUDENTS * WORKS
    # Each batch was announced once, to the people whom it reminds.
    changes = read(own_server, school, "SELECT payload, audience FROM change_log WHERE kind = 'reminders.due'")
    announced = Counter(payload.removeprefix("batch=").lower() for payload, _ in changes)
    assert set(announced.values()) == {1} and set(announced) == {batch.lower() for *_, batch in sent}
    for payload, audience in changes:
        batch = payload.removeprefix("batch=").lower()
        people = {person.lower() for _, person, _, one in sent if one.lower() == batch}
        assert set(re.findall(r"[0-9a-f-]{36}", audience.lower())) == people


@pytest.mark.requirement("WW-13.01.b")
@BOTH
def test_reminders_are_planned_anew_when_the_page_comes_to_the_foreground(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    mia = pupil_of(school, course)
    pupil = visit(mia, size=size, language=words.locale)
    pupil.page.add_init_script("""
        const Live = window.EventSource;
        window.EventSource = class extends Live {
            constructor(...address) { super(...address); window.stream = this; }
        };""")
    pupil.open("/settings/reminders")
    expect(pupil.page.get_by_text(words("reminders.none"))).to_be_visible()
    pupil.until("() => window.stream?.readyState === 1")
    # The system has cut the connection of the page in the background, and its timers stand still.
    pupil.page.evaluate("""() => {
        const later = window.setTimeout;
        window.setTimeout = () => 0;
        window.stream.onerror();
        window.setTimeout = later;
    }""")
    assignment_of(school, course, title="Silk road", **due(30))
    expect(pupil.page.get_by_text(words("reminders.none"))).to_be_visible()
    pupil.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(pupil.page.get_by_text("Silk road").first).to_be_visible()
