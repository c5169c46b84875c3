"""Manual refresh: by pulling, and by a menu item where pulling is impossible."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


def reads(page):
    """The page's requests from now on, without its event stream and immutable files."""
    asked = []
    quiet = ("/api/v1/live", "/assets/")
    page.on("request", lambda one: any(part in one.url for part in quiet) or asked.append((one.method, one.url)))
    return asked


def pull(page, distance, start=420):
    cdp = page.context.new_cdp_session(page)
    cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 190, "y": start}]})
    for step in range(1, 11):
        place = {"x": 190, "y": start + distance * step / 10}
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.requirement("WW-17.02")
@pytest.mark.parametrize("path", ["/classrooms", "/my-day", "/settings/members", "room"])
def test_a_pull_reads_this_page_again_and_nothing_else(visit, school, path):
    path = school.path("Maple room") if path == "room" else path
    guide = visit(school.owner, path, size=PHONE, touch=True)
    if guide.page.locator("[data-tap], [data-queue]").count():
        # On pages with offline work, the device's first page is fetched again for the worker.
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
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP, worker=True)
    guide.keeps_page()
    asked = reads(guide.page)
    with guide.page.expect_response(lambda answer: answer.url.endswith(school.path("Maple room"))):
        guide.account_menu().get_by_role("link", name="Refresh").click()
    guide.is_at(school.path("Maple room"))
    assert [one for one in asked if one[0] == "GET"] == [("GET", school.owner.server.url + school.path("Maple room"))]


#: Pages of the sample school by reader: dashboards, lists and grades, announcements and attendance.
DEMO = {
    "student-dashboard": ("sami", "/home"), "parent-dashboard": ("luz", "/home"), "admin-dashboard": ("guide1", "/home"),
    "courses": ("sami", "/courses"), "assignments": ("sami", "/assignments"), "grades": ("sami", "/grades"), "leaderboard": ("sami", "/leaderboard"),
    "messages": ("luz", "/messages"), "attendance": ("ana", "{student}"), "taught-courses": ("ana", "/courses"),
    "gradebook": ("ana", "{course}/gradebook"), "people": ("ana", "{course}/people"), "students": ("ana", "/settings/students"),
}


@pytest.mark.requirement("WW-17.01.a", "WW-17.01.b", "WW-17.01.c", "WW-17.01.d", "WW-17.01.e")
@pytest.mark.parametrize("page", DEMO)
def test_a_pull_reads_dashboards_and_lists_again(visit, server, demo, page):
    name, path = DEMO[page]
    room = demo.get("/api/v1/classrooms")["items"][0]["id"].lower()
    child = demo.get(f"/api/v1/classrooms/{room}/roster")["items"][0]["student"]["id"].lower()
    course = server.sign_in("sami@demo.example").get("/api/v1/courses")["items"][0]["id"].lower()
    path = path.format(course=f"/courses/{course}", student=f"/students/{child}")
    someone = visit(server.sign_in(f"{name}@demo.example"), size=PHONE, touch=True)
    assert someone.open(path).ok
    someone.is_at(path)
    if someone.page.locator("[data-tap], [data-queue], [data-module]").count():
        someone.keeps_page()
    asked = reads(someone.page)
    # A table handles the touch itself.
    start = 100 if page == "gradebook" else 420
    with someone.page.expect_response(lambda answer: answer.url.endswith(path)):
        pull(someone.page, 240, start)
    expect(someone.page.locator(".pt-pull")).to_have_count(0)
    assert [one for one in asked if one[0] == "GET"] == [("GET", server.url + path)], asked
