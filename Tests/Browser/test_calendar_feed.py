"""The calendar feed, read by two calendar libraries that are not ours, and its page in Settings."""

import re
import urllib.error
import urllib.request
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from residence import found_residence, person_id
from words import Words

BOTH = pytest.mark.parametrize("language,size", [("en-US", PHONE), ("fr-CA", DESKTOP)], ids=["en-phone", "fr-desktop"])
SECRET = "a-secret-of-43-characters-that-was-not-drawn"[:43]


def feed(person, number=0):
    """Turns on the feed of a person and returns its address."""
    secret = SECRET[:-2] + f"{number:02}"
    person.post("/api/v1/calendar-feed", {"feedSecret": secret})
    return f"{person.server.url}/calendar/{secret}.ics"


def read(address) -> bytes:
    with urllib.request.urlopen(address) as answer:
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        return answer.read()


def events(raw, first: date, last: date):
    """The events between two days as `recurring-ical-events` unfolds them, by time."""
    calendar = icalendar.Calendar.from_ical(raw)
    found = recurring_ical_events.of(calendar).between(first, last + timedelta(days=1))
    return sorted(found, key=lambda event: str(event["DTSTART"].dt))


def check_lines(raw):
    """What RFC 5545 section 3.1 demands of every line."""
    assert raw.endswith(b"\r\n") and b"\n" not in raw.replace(b"\r\n", b"")
    for line in raw.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()


def test_a_years_schedule_is_read_hour_by_hour_across_changes_of_the_clocks(server):
    school = server.found_school()
    owner = school.owner
    term = owner.post("/api/v1/terms", {
        "name": "Year", "firstDay": f"{date.today().year}-09-01", "lastDay": f"{date.today().year + 1}-06-25"})
    first, last = date(date.today().year, 9, 1), date(date.today().year + 1, 6, 25)
    off = [(date(first.year, 10, 26), date(first.year, 11, 1)), (date(first.year, 12, 21), date(last.year, 1, 3))]
    for begin, end in off:
        owner.post("/api/v1/organization/days-off", {
            "name": "Holidays", "firstDay": begin.isoformat(), "lastDay": end.isoformat()})
    name = "数学; géométrie, « Thalès » \\ الرياضيات " + "long " * 12
    owner.post("/api/v1/courses", {
        "name": name.strip()[:80], "subject": "Mathematics", "termId": term["id"],
        "schedule": "Tue 9:00-10:15 Salle é 12; B\nFri 14:00-15:30"})
    raw = read(feed(owner))
    check_lines(raw)
    calendar = icalendar.Calendar.from_ical(raw)
    assert not calendar.errors and all(not part.errors for part in calendar.walk())
    zone = str(calendar["X-WR-TIMEZONE"])
    assert [str(part["TZID"]) for part in calendar.walk("VTIMEZONE")] == [zone]
    # The zone as the file describes it, without a database of zones, is the zone.
    described = calendar.walk("VTIMEZONE")[0].to_tz(lookup_tzid=False)
    for offset in range(0, (last - first).days):
        noon = datetime.combine(first + timedelta(days=offset), datetime.min.time()) + timedelta(hours=12)
        assert noon.replace(tzinfo=described).utcoffset() == noon.replace(tzinfo=ZoneInfo(zone)).utcoffset(), noon

    def is_off(day):
        return any(begin <= day <= end for begin, end in off)

    expected = []
    for offset in range(0, (last - first).days + 1):
        day = first + timedelta(days=offset)
        for weekday, start, minutes in [(1, (9, 0), 75), (4, (14, 0), 90)]:
            if day.weekday() == weekday and not is_off(day):
                begin = datetime(day.year, day.month, day.day, *start, tzinfo=ZoneInfo(zone))
                expected.append((begin.timestamp(), minutes * 60))
    found = [
        (event["DTSTART"].dt.timestamp(), (event["DTEND"].dt - event["DTSTART"].dt).total_seconds())
        for event in events(raw, first, last)]
    assert found == expected and len(found) > 60
    lesson = events(raw, first, last)[0]
    assert str(lesson["SUMMARY"]) == name.strip()[:80]
    assert {str(event.get("LOCATION", "")) for event in events(raw, first, last)} == {"Salle é 12; B", ""}


def test_plans_are_whole_days_and_a_deleted_one_is_canceled_for_its_readers(server):
    school = server.found_school()
    owner = school.owner
    owner.post(f"/api/v1/classrooms/{next(iter(school.rooms.values()))}/guides", {"guideIds": [person_id(owner)]})
    child, day = next(iter(school.children.values())), date.today() + timedelta(days=3)
    made = owner.post(f"/api/v1/students/{child}/work", {
        "kind": "lesson", "title": "Golden beads", "scheduledFor": day.isoformat()})
    address = feed(owner, 1)
    before = events(read(address), day, day)
    assert [event["DTSTART"].dt for event in before] == [day] and str(before[0]["SUMMARY"]).startswith("Golden beads")
    moved = day + timedelta(days=1)
    owner.post(f"/api/v1/work/{made['id']}", {"title": "Golden beads", "scheduledFor": moved.isoformat()})
    after = events(read(address), day, moved)
    assert [(event["UID"], event["SEQUENCE"]) for event in after] == [(before[0]["UID"], 1)]
    owner.post(f"/api/v1/work/{made['id']}/delete")
    gone = icalendar.Calendar.from_ical(read(address)).walk("VEVENT")
    assert [(event["UID"], event["STATUS"], event["SEQUENCE"]) for event in gone] == [(before[0]["UID"], "CANCELLED", 2)]


def test_an_approved_leave_has_its_hours(server):
    residence = found_residence(server)
    amina = residence.residents["Amina Diallo"]
    address, tomorrow = feed(amina, 2), date.today() + timedelta(days=1)
    leave = residence.post("/leaves", {
        "fromDay": tomorrow.isoformat(), "fromTime": "17:00", "toDay": (tomorrow + timedelta(days=2)).isoformat(),
        "toTime": "18:30", "place": "Lyon"}, amina)
    assert not events(read(address), tomorrow, tomorrow)
    residence.post(f"/leaves/{leave['id']}/decide", {"approves": True})
    found = events(read(address), tomorrow, tomorrow)
    zone = ZoneInfo(str(icalendar.Calendar.from_ical(read(address))["X-WR-TIMEZONE"]))
    times = [found[0][end].dt.astimezone(zone).strftime("%H:%M") for end in ("DTSTART", "DTEND")]
    assert times == ["17:00", "18:30"] and str(found[0]["LOCATION"]) == "Lyon"


def test_due_times_are_moments_of_the_student_with_their_own_extension(server):
    school = server.found_school()
    owner, mia, noah = school.owner, school.colleague("Mia Roy", "student"), school.colleague("Noah Roy", "student")
    course = owner.post("/api/v1/courses", {"name": "Algebra", "subject": "Mathematics"})
    for student in (mia, noah):
        student.post(f"/api/v1/courses/{course['id']}/enroll")
    day = date.today() + timedelta(days=3)
    essay = owner.post(f"/api/v1/courses/{course['id']}/assignments", {
        "title": "Essay; « part 1 »", "dueDay": day.isoformat(), "dueTime": "16:30", "kinds": ["text"]})
    owner.post(f"/api/v1/assignments/{essay['id']}/publish", {"isPublished": True})
    quiz = owner.post(f"/api/v1/courses/{course['id']}/quizzes", {
        "title": "Silk road", "dueDay": day.isoformat(), "dueTime": "18:00", "showsAnswers": True})
    owner.post(f"/api/v1/quizzes/{quiz['id']}/questions", {
        "kind": "shortAnswer", "text": "Half of a half?", "accepted": "a quarter"})
    owner.post(f"/api/v1/quizzes/{quiz['id']}/publish", {"isPublished": True})
    owner.post(f"/api/v1/assignments/{essay['id']}/extensions", {
        "studentId": person_id(mia), "dueDay": (day + timedelta(days=1)).isoformat(), "dueTime": "16:30"})

    def moments(person, number):
        raw = read(feed(person, number))
        check_lines(raw)
        calendar = icalendar.Calendar.from_ical(raw)
        assert not calendar.errors and all(not part.errors for part in calendar.walk())
        zone = ZoneInfo(str(calendar["X-WR-TIMEZONE"]))
        return [
            (str(event["SUMMARY"]), event["DTSTART"].dt.astimezone(zone).strftime("%m-%d %H:%M"))
            for event in events(raw, day, day + timedelta(days=1))]

    essays, quizzes = "Due: Essay; « part 1 » (Algebra)", "Quiz due: Silk road (Algebra)"
    both = [(essays, f"{day:%m-%d} 16:30"), (quizzes, f"{day:%m-%d} 18:00")]
    assert moments(noah, 3) == both and moments(owner, 4) == both
    assert moments(mia, 5) == [(quizzes, f"{day:%m-%d} 18:00"), (essays, f"{day + timedelta(days=1):%m-%d} 16:30")]


@BOTH
def test_a_person_turns_the_feed_on_renews_it_and_turns_it_off(visit, server, language, size):
    school, words = server.found_school(), Words(language)
    owner = visit(school.owner, "/settings", size=size, language=language)
    owner.page.get_by_role("link", name=words("calendarFeed.title")).first.click()
    expect(owner.page.get_by_text(words("calendarFeed.address"))).to_be_visible()

    def address():
        # The page shows the address by the server's public name.
        shown = owner.page.locator("#main").inner_text()
        return server.url + re.search(r"https?://[^/]+(/calendar/[\w-]{43}\.ics)", shown).group(1)

    def status(link):
        try:
            return urllib.request.urlopen(link).status
        except urllib.error.HTTPError as error:
            return error.code

    first = address()
    assert status(first) == 404
    owner.button(words("calendarFeed.create")).click()
    expect(owner.page.locator("#main").get_by_text(words("calendarFeed.on"), exact=True)).to_be_visible()
    assert status(first) == 200
    owner.page.get_by_role("link", name=words("calendarFeed.renew")).click()
    expect(owner.page.get_by_text(words("calendarFeed.replaceTip"))).to_be_visible()
    second = address()
    owner.button(words("calendarFeed.replace")).click()
    expect(owner.page.locator("#main").get_by_text(words("calendarFeed.on"), exact=True)).to_be_visible()
    assert (status(first), status(second)) == (404, 200)
    owner.button(words("calendarFeed.revoke")).click()
    owner.page.get_by_role("dialog").get_by_role("button", name=words("calendarFeed.revoke")).click()
    expect(owner.page.get_by_text(words("calendarFeed.address"))).to_be_visible()
    assert status(second) == 404
    assert owner.page.evaluate("document.documentElement.scrollWidth") <= size[0]
