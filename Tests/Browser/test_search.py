"""The search for names as people type them."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


@pytest.mark.parametrize("typed,found", [
    ("elif yilmaz", "Elif Yılmaz"), ("ELIF YILMAZ", "Elif Yılmaz"), ("lukasik", "Viktor Łukasik"),
    ("soren", "Søren Ångström"), ("angstrom", "Søren Ångström"), ("zoe bel", "Zoé Bélanger"),
    ("nguyen", "Bao Nguyễn"), ("wang", "Xiùlán Wáng"), ("roy emile", "Émile Roy"),
])
@pytest.mark.requirement("PT-3.40.a")
def test_accents_case_and_order_do_not_matter(visit, demo, typed, found):
    guide = visit(demo, "/search")
    guide.page.get_by_role("searchbox").fill(typed)
    expect(guide.row(found)).to_be_visible()
    expect(guide.page.get_by_role("searchbox")).to_be_focused()
    expect(guide.page.get_by_role("searchbox")).to_have_value(typed)


@pytest.mark.requirement("WW-14.02.a", "WW-14.01.d", "PT-3.29.d")
def test_fast_typing_sends_one_request(visit, demo):
    guide = visit(demo, "/search", size=DESKTOP)
    asked = []
    guide.page.on("request", lambda request: "/search?" in request.url and asked.append(request.url))
    # All keys at once, faster than people type.
    guide.page.get_by_role("searchbox").evaluate("""field => {
        for (const letter of "yilmaz") {
            field.value += letter;
            field.dispatchEvent(new InputEvent("input", { bubbles: true, data: letter }));
        }
    }""")
    expect(guide.row("Elif Yılmaz")).to_be_visible()
    assert len(asked) == 1, asked
    guide.is_at(r"/search\?q=yilmaz")
    guide.row("Elif Yılmaz").get_by_role("link").click()
    expect(guide.sheet.get_by_role("heading", name="Elif Yılmaz")).to_be_visible()
    guide.page.go_back()
    expect(guide.sheet).to_have_count(0)
    expect(guide.row("Elif Yılmaz")).to_be_visible()


@pytest.mark.requirement("WW-14.06.b", "WW-14.07.b")
def test_a_key_opens_the_search_which_remembers_opened_results(visit, server):
    school = server.found_school(rooms={"Maple room": ["Noor Aziz", "Leïla Benali"]})
    guide = visit(school.owner, "/my-day", size=DESKTOP)
    expect(guide.page.get_by_role("heading", level=1).first).to_be_visible()
    guide.page.keyboard.press("Control+k")
    guide.is_at(r"/search")
    expect(guide.page.get_by_role("searchbox")).to_be_focused()
    guide.page.keyboard.type("leila")
    with guide.page.expect_response("**/api/v1/search/recent") as kept:
        guide.row("Leïla Benali").get_by_role("link").click()
    assert kept.value.ok
    guide.open("/search")
    expect(guide.row("leila")).to_be_visible()
    guide.button("Clear").click()
    expect(guide.row("leila")).to_have_count(0)


@pytest.mark.requirement("WW-16.01.a")
def test_a_search_without_results_says_what_to_try(visit, demo):
    guide = visit(demo, "/search?q=zzzz")
    expect(guide.page.get_by_role("heading", name="No results for “zzzz”")).to_be_visible()
    expect(guide.page.get_by_text("Check the spelling")).to_be_visible()


def test_a_guide_finds_only_children_of_her_classrooms(visit, server):
    school = server.found_school(rooms={"Maple room": ["Noor Aziz"], "Birch room": ["Elif Yılmaz"]})
    guide = visit(school.colleague("Claire O’Neill", rooms=["Maple room"]), "/search?q=elif")
    expect(guide.page.get_by_text("No results")).to_be_visible()
    guide.open("/search?q=noor")
    expect(guide.row("Noor Aziz")).to_be_visible()


@pytest.mark.requirement("WW-14.02.b", "WW-19.03.b", "WW-19.03.d")
@pytest.mark.parametrize("path", [
    "/search", "/settings/members", "/courses/catalogue", "/messages/new", "/settings/students", "/settings/curriculum"])
def test_a_search_waits_300_ms_after_the_last_key(visit, demo, path):
    waits(visit, demo, path)


@pytest.mark.requirement("WW-19.03.a")
def test_the_search_of_courses_waits_300_ms_after_the_last_key(visit, demo):
    waits(visit, demo, "/courses")


@pytest.mark.requirement("WW-19.03.c")
def test_the_search_of_messages_waits_300_ms_after_the_last_key(visit, demo):
    waits(visit, demo, "/messages")


def waits(visit, demo, path):
    guide = visit(demo)
    guide.page.clock.install()
    guide.open(path)
    field = guide.page.get_by_role("searchbox")
    expect(field).to_be_visible()
    # From now on time passes only when the test says so.
    guide.page.clock.pause_at(guide.page.evaluate("Date.now()") / 1000 + 1)
    asked = []
    guide.page.on("request", lambda request: f"{path}?" in request.url and asked.append(request.url))
    field.press("a")
    guide.page.clock.run_for(299)
    field.press("n")
    guide.page.clock.run_for(299)
    guide.page.evaluate("fetch('/healthz').then(() => true, () => true)")
    assert asked == [], "the second key began the wait again"
    with guide.page.expect_request(lambda request: f"{path}?" in request.url and "an" in request.url):
        guide.page.clock.run_for(1)
    assert len(asked) == 1, asked


@pytest.mark.requirement("WW-14.05.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_bar_and_the_tabs_lead_to_the_same_search(visit, school, size):
    guide = visit(school.owner, size=size)
    for way in [guide.tab("Search"), guide.page.locator(".pt-topbar").get_by_role("link", name="Search")]:
        guide.open("/settings")
        way.click()
        guide.is_at("/search")
        expect(guide.heading("Search")).to_be_visible()
        expect(guide.page.get_by_role("searchbox")).to_be_visible()


@pytest.mark.requirement("PT-3.40.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_search_field_is_in_the_top_bar(visit, school, size):
    guide = visit(school.owner, "/search", size=size)
    capsule = guide.page.locator(".pt-topbar__capsule")
    field = capsule.get_by_role("searchbox")
    expect(guide.page.get_by_role("searchbox")).to_have_count(1)
    field.fill("noor")
    expect(guide.row("Noor Aziz")).to_be_visible()
    expect(field).to_be_focused()
    box, around = field.bounding_box(), capsule.bounding_box()
    assert around["y"] <= box["y"] and box["y"] + box["height"] <= around["y"] + around["height"]
    assert box["width"] > 120, box
    last = box["x"] + box["width"]
    for name in ["Notifications", "Account of Ana Ruiz"]:
        place = capsule.locator(f"[aria-label^='{name}']").bounding_box()
        assert last <= place["x"] and place["x"] + place["width"] <= around["x"] + around["width"], name
        last = place["x"] + place["width"]
    assert guide.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
