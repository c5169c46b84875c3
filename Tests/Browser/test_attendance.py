"""Attendance by the pill: one tap marks at once, exactly once."""

import time
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


@pytest.mark.requirement("PT-3.14.a", "PT-3.31.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_tap_marks_present_another_absent_and_a_reload_keeps_it(visit, school, size):
    guide = visit(school.owner, school.path("Maple room"), size=size)
    guide.is_marked("Noor Aziz", "unset")
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    expect(guide.pill("Noor Aziz")).to_have_text("Present")
    expect(guide.page.get_by_role("heading", level=2)).to_have_text("1 of 3 present")
    expect(guide.row("Noor Aziz")).to_contain_text("Arrived")
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "absent")
    expect(guide.page.get_by_role("heading", level=2)).to_have_text("0 of 3 present")
    expect(guide.page.get_by_text("1 absent, 2 to mark")).to_be_visible()
    guide.page.reload()
    guide.is_marked("Noor Aziz", "absent")
    guide.is_marked("Dario Conti", "unset")
    assert school.marks("Maple room") == {"Noor Aziz": "absent", "Leïla Benali": None, "Dario Conti": None}


@pytest.mark.parametrize("pause", [0, 110, 350], ids=lambda pause: f"{pause} ms")
def test_a_double_tap_marks_once(visit, school, pause):
    guide = visit(school.owner, school.path("Maple room"))
    clock = guide.page.clock
    # The page's clock is the test's, so that a busy machine does not lengthen the pause between the taps.
    clock.install()
    clock.pause_at(guide.page.evaluate("Date.now()") / 1000 + 1)
    pill = guide.pill("Noor Aziz")
    pill.evaluate("pill => pill.click()")
    clock.run_for(pause)
    pill.evaluate("pill => pill.click()")
    clock.run_for(400 - pause)
    clock.resume()
    guide.is_marked("Noor Aziz", "present")
    # A tap as soon as the first one is no double tap any more.
    pill.evaluate("pill => pill.click()")
    guide.is_marked("Noor Aziz", "absent")


@pytest.mark.requirement("PT-3.31.a")
def test_the_rest_is_marked_with_one_tap_and_a_mark_can_be_cleared(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.tap("Noor Aziz")
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "absent")
    guide.button("Mark the rest present").click()
    guide.is_marked("Leïla Benali", "present")
    guide.is_marked("Dario Conti", "present")
    guide.is_marked("Noor Aziz", "absent")
    expect(guide.page.get_by_role("heading", level=2)).to_have_text("2 of 3 present")
    expect(guide.button("Mark the rest present")).to_have_count(0)
    guide.row("Dario Conti").locator(".pt-list-cell__main").click(button="right")
    guide.button("Clear attendance").click()
    guide.is_marked("Dario Conti", "unset")


@pytest.mark.requirement("BY-1.03.f")
def test_thirty_children_are_marked_by_thirty_taps_within_a_minute(visit, server):
    names = [f"Child {number:02}" for number in range(30)]
    school = server.found_school(rooms={"Maple room": names})
    guide = visit(school.owner, touch=True)
    begun = time.monotonic()
    guide.open(school.path("Maple room"))
    for name in names:
        guide.pill(name).tap()
    for name in names:
        guide.is_marked(name, "present")
    # A person takes a second for each child.
    assert time.monotonic() - begun + len(names) < 60
    expect(guide.page.get_by_role("heading", level=2)).to_have_text("30 of 30 present")
    assert set(school.marks("Maple room").values()) == {"present"}


def test_the_last_of_several_quick_taps_counts(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    sent = []
    guide.page.on("request", lambda request: request.method == "POST" and sent.append(request.headers["idempotency-key"]))
    for _ in range(5):
        guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    assert school.marks("Maple room")["Noor Aziz"] == "present"
    assert len(set(sent)) == len(sent) == 5, "every tap has a key of its own"


def test_a_page_read_before_a_tap_does_not_take_it_back(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    # The worker has cached the device's first page.
    guide.keeps_page()
    guide.page.evaluate("""() => {
      const { fetch } = window;
      window.held = [];
      window.fetch = async (address, options) => {
        const answer = await fetch(address, options);
        const isLive = options?.headers?.["X-PinkTower"] === "live";
        if (isLive) await new Promise((release) => window.held.push(release));
        return answer;
      };
    }""")

    def wait_for(count):
        # The content security policy forbids the expressions of `wait_for_function`.
        for _ in range(200):
            if guide.page.evaluate("held.length") == count:
                return
            guide.page.wait_for_timeout(50)
        raise AssertionError(f"the page was not read {count} times")

    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    wait_for(1)
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "absent")
    guide.page.evaluate("held[0]()")
    wait_for(2)
    assert guide.pill("Noor Aziz").get_attribute("data-state") == "absent"
    guide.page.evaluate("held[1]()")
    guide.is_marked("Noor Aziz", "absent")


@pytest.mark.requirement("BY-1.02.a")
def test_the_same_tap_sent_twice_counts_once(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.keeps_page()
    sent = []

    def lose_the_first_answer(route):
        sent.append((route.request.post_data, route.request.headers["idempotency-key"]))
        if len(sent) > 1:
            return route.continue_()
        route.fetch()
        route.abort()

    guide.expects("ERR_FAILED")
    guide.page.route("**/attendance", lose_the_first_answer)
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    assert len(sent) == 2 and sent[0] == sent[1], "what goes again is the same command with the same key"
    assert school.marks("Maple room")["Noor Aziz"] == "present"


HOLIDAYS = "Day off: Autumn holidays."


@pytest.fixture
def holidays(school):
    """The school on a day off in every time zone."""
    today = date.today()
    school.owner.post("/api/v1/organization/days-off", {
        "name": "Autumn holidays", "firstDay": str(today - timedelta(days=1)), "lastDay": str(today + timedelta(days=1))})
    return school


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_tap_on_a_day_off_asks_and_a_confirmed_one_is_stored(visit, holidays, size):
    guide = visit(holidays.owner, holidays.path("Maple room"), size=size)
    expect(guide.page.get_by_text(HOLIDAYS)).to_be_visible()
    guide.tap("Noor Aziz")
    expect(guide.question).to_contain_text("Mark attendance anyway?")
    expect(guide.question).to_contain_text(HOLIDAYS)
    guide.question.get_by_role("button", name="Cancel").click()
    expect(guide.pill("Noor Aziz")).to_be_focused()
    guide.is_marked("Noor Aziz", "unset")
    assert set(holidays.marks("Maple room").values()) == {None}
    guide.tap("Noor Aziz")
    guide.question.get_by_role("button", name="Mark anyway").click()
    guide.is_marked("Noor Aziz", "present")
    guide.tap("Dario Conti")
    guide.is_marked("Dario Conti", "present")
    guide.page.reload()
    guide.tap("Leïla Benali")
    guide.is_marked("Leïla Benali", "present")
    expect(guide.question).to_have_count(0)
    assert set(holidays.marks("Maple room").values()) == {"present"}


def test_a_day_off_is_asked_about_once_without_a_network_too(visit, holidays):
    guide = visit(holidays.owner, holidays.path("Maple room"))
    guide.keeps_page()
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED")
    guide.page.context.set_offline(True)
    guide.tap("Noor Aziz")
    guide.question.get_by_role("button", name="Mark anyway").click()
    expect(guide.pill("Noor Aziz")).to_have_attribute("data-sync", "pending")
    guide.page.reload()
    expect(guide.pill("Noor Aziz")).to_have_attribute("data-sync", "pending")
    guide.tap("Dario Conti")
    expect(guide.pill("Dario Conti")).to_have_attribute("data-sync", "pending")
    guide.page.context.set_offline(False)
    guide.is_marked("Noor Aziz", "present")
    guide.is_marked("Dario Conti", "present")
    assert holidays.marks("Maple room") == {"Noor Aziz": "present", "Dario Conti": "present", "Leïla Benali": None}


def test_the_days_off_are_edited_in_the_settings(visit, school):
    admin = visit(school.owner, "/settings")
    admin.link("School calendar").click()
    expect(admin.page.get_by_text("No days off yet")).to_be_visible()
    admin.page.get_by_role("link", name="Add days off").click()
    admin.page.get_by_label("Name").fill("Autumn holidays")
    admin.page.get_by_label("First day").fill(str(date.today()))
    admin.page.get_by_role("button", name="Save").last.click()
    expect(admin.page.locator(".pt-list-cell", has_text="Autumn holidays")).to_be_visible()
    admin.page.get_by_label("Sunday").uncheck()
    admin.page.get_by_role("button", name="Save").click()
    expect(admin.page.get_by_text("School days saved")).to_be_visible()
    days = school.owner.get("/api/v1/organization/days-off")
    assert days["weekdays"] == [1, 2, 3, 4, 5, 6]
    assert [(one["firstDay"], one["lastDay"]) for one in days["daysOff"]] == [(str(date.today()),) * 2]
