"""A page read again by hand: the pull, and the button for those who have no pull."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


def reads(page):
    """What the page asks the server for from now on, leaving out its event stream and files that never change."""
    asked = []
    quiet = ("/api/v1/live", "/assets/")
    page.on("request", lambda one: any(part in one.url for part in quiet) or asked.append((one.method, one.url)))
    return asked


def pull(page, distance):
    cdp = page.context.new_cdp_session(page)
    cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 190, "y": 420}]})
    for step in range(1, 11):
        place = {"x": 190, "y": 420 + distance * step / 10}
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.requirement("WW-17.02")
@pytest.mark.parametrize("path", ["/classrooms", "/my-day", "/settings/members", "room"])
def test_a_pull_reads_this_page_again_and_nothing_else(visit, school, path):
    path = school.path("Maple room") if path == "room" else path
    guide = visit(school.owner, path, size=PHONE, touch=True)
    if guide.page.locator("[data-tap], [data-queue]").count():
        # Where something can be done without a network, a device's first page is read once more for its worker.
        guide.keeps_page()
    asked = reads(guide.page)
    pull(guide.page, 40)
    expect(guide.page.locator(".pt-pull")).to_have_count(0)
    assert asked == [], "a short pull is none"
    with guide.page.expect_response(lambda answer: answer.url.endswith(path)):
        pull(guide.page, 240)
    expect(guide.page.locator(".pt-pull")).to_have_count(0)
    assert [one for one in asked if one[0] == "GET"] == [("GET", school.owner.server.url + path)], asked


@pytest.mark.requirement("WW-17.01.f")
def test_the_account_menu_refreshes_where_there_is_no_pull(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP)
    guide.keeps_page()
    asked = reads(guide.page)
    with guide.page.expect_response(lambda answer: answer.url.endswith(school.path("Maple room"))):
        guide.account_menu().get_by_role("link", name="Refresh").click()
    guide.is_at(school.path("Maple room"))
    assert [one for one in asked if one[0] == "GET"] == [("GET", school.owner.server.url + school.path("Maple room"))]
