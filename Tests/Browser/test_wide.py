"""Pages on wide screens: Settings beside its list, Home in columns, Messages as list and conversation."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from test_assignments import assignment_of
from test_courses import course_of

BROAD = (1680, 1050)
EDGE = (960, 800)


def box(locator):
    found = locator.bounding_box()
    assert found, locator
    return found


def fits(visitor):
    """No page scrolls sideways."""
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", [EDGE, DESKTOP, BROAD], ids=["960", "1280", "1680"])
def test_a_page_of_settings_is_beside_the_list(visit, demo, size):
    admin = visit(demo, "/settings/members", size=size)
    sidebar = admin.page.get_by_role("navigation", name="Settings")
    expect(sidebar.get_by_role("heading", level=2)).to_have_text(["You", "Sign-in", "School", "Data and records"])
    expect(sidebar.get_by_role("link", name="Members")).to_have_attribute("aria-current", "page")
    main = admin.page.get_by_role("main")
    assert box(sidebar)["x"] + box(sidebar)["width"] <= box(main)["x"] + 1
    expect(admin.page.locator("[data-back]")).not_to_be_visible()
    fits(admin)
    # The keyboard comes to the list before the page.
    assert admin.page.evaluate(
        """() => !!(document.querySelector(".pt-sidebar").compareDocumentPosition(document.querySelector("main"))
            & Node.DOCUMENT_POSITION_FOLLOWING)""")
    sidebar.get_by_role("link", name="Audit log").click()
    admin.is_at("/settings/audit")
    expect(sidebar.get_by_role("link", name="Audit log")).to_have_attribute("aria-current", "page")
    expect(sidebar.get_by_role("link", name="Members")).not_to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("size", [DESKTOP, BROAD], ids=["1280", "1680"])
def test_a_member_is_shown_beside_the_list_of_members(visit, demo, size):
    admin = visit(demo, "/settings/members", size=size)
    admin.row("Claire O’Neill").get_by_role("link").click()
    expect(admin.sheet.get_by_role("heading", name="Claire O’Neill")).to_be_visible()
    other = admin.row("Benoît Côté").get_by_role("link")
    assert box(other)["x"] + box(other)["width"] <= box(admin.sheet)["x"]
    other.click()
    expect(admin.sheet.get_by_role("heading", name="Benoît Côté")).to_be_visible()
    fits(admin)


def test_settings_on_a_phone_is_a_list_and_each_section_a_page_with_back(visit, demo):
    admin = visit(demo, "/settings", size=PHONE)
    sidebar = admin.page.locator(".pt-sidebar")
    for name in ["Profile", "Change password", "Members", "Audit log"]:
        expect(sidebar.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(admin.page.get_by_text("ana@demo.example")).to_be_visible()
    fits(admin)
    sidebar.get_by_role("link", name="Members", exact=True).click()
    admin.is_at("/settings/members")
    expect(admin.heading("Members")).to_be_visible()
    expect(sidebar).not_to_be_visible()
    admin.link("Back").click()
    admin.is_at("/settings")
    expect(sidebar).to_be_visible()


def test_a_parent_sees_no_group_of_what_others_manage(visit, server):
    luz = visit(server.sign_in("luz@demo.example", "Luz Ortiz"), "/settings", size=DESKTOP)
    sidebar = luz.page.get_by_role("navigation", name="Settings")
    expect(sidebar.get_by_role("heading", level=2)).to_have_text(["You", "Sign-in", "School"])
    for name in ["Members", "API tokens", "AI"]:
        expect(sidebar.get_by_role("link", name=name, exact=True)).to_have_count(0)
    luz.open("/organizations")
    expect(luz.page.get_by_role("heading", level=1)).to_be_visible()
    expect(luz.page.locator("#main").get_by_text("Create", exact=False)).to_have_count(0)


@pytest.mark.parametrize(
    "language,classes,messages", [("en-US", "Classrooms", "Messages"), ("fr-FR", "Classes", "Messages")])
def test_home_is_the_day_in_columns(visit, demo, language, classes, messages):
    guide = visit(demo, "/home", size=DESKTOP, language=language)
    columns = guide.page.locator(".pt-columns")
    parts = columns.locator(":scope > div")
    assert parts.count() >= 4
    assert len({round(box(part)["x"]) for part in parts.all()}) == 3, "three columns"
    expect(columns.get_by_role("heading", name=classes, exact=True)).to_be_visible()
    expect(columns.get_by_role("heading", name=messages)).to_be_visible()
    assert columns.get_by_role("img").count() >= 3, "a bar of today's attendance for each classroom"
    fits(guide)
    guide.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert len({round(box(part)["x"]) for part in parts.all()}) == 1
    tops = [box(part)["y"] for part in parts.all()]
    assert tops == sorted(tops)
    fits(guide)


def test_home_shows_another_day_of_the_week(visit, demo):
    guide = visit(demo, "/home", size=DESKTOP)
    days = guide.page.locator(".pt-week a")
    expect(days).to_have_count(7)
    busy = guide.page.locator(".pt-week a:has(.pt-dot)")
    assert busy.count() >= 1
    busy.first.click()
    expect(busy.first).to_have_attribute("aria-current", "date")
    expect(guide.page.locator(".pt-agenda__items > li").first).to_be_visible()


def test_messages_are_a_list_and_a_conversation_side_by_side(visit, demo):
    guide = visit(demo, "/messages", size=DESKTOP)
    main, aside = guide.page.get_by_role("main"), guide.page.locator(".pt-choose__none")
    expect(aside).to_contain_text("No conversation selected")
    assert box(main)["x"] + box(main)["width"] <= box(aside)["x"] + 1
    fits(guide)
    preview = main.locator(".pt-list-cell__subtitle").first
    assert box(preview)["height"] < 30, "one line"
    left = box(main.locator(".pt-list-cell").first)["x"]
    main.locator(".pt-list-cell__main").first.click()
    guide.is_at("/messages/.+")
    current = guide.page.locator(".pt-talk__list .pt-list-cell[aria-current]")
    expect(current).to_have_count(1)
    assert abs(box(current)["x"] - left) < 2, "the list stays where it is"
    expect(guide.page.locator(".pt-talk__list").get_by_role("searchbox")).to_be_visible()
    fits(guide)


def test_messages_on_a_phone_are_a_list_alone(visit, demo):
    guide = visit(demo, "/messages", size=PHONE)
    expect(guide.page.locator(".pt-choose__none")).not_to_be_visible()
    assert box(guide.page.get_by_role("main"))["width"] == PHONE[0]


def with_assignments(school, *titles):
    course = course_of(school)
    return course, [assignment_of(school, course, title=title) for title in titles]


@pytest.mark.parametrize("size", [EDGE, DESKTOP, BROAD], ids=["960", "1280", "1680"])
def test_an_assignment_is_shown_beside_the_list_of_assignments(visit, school, size):
    course, (silk, *_) = with_assignments(school, "Silk road", "Salt road", *(f"Road {number}" for number in range(20)))
    teacher = visit(school.owner, f"/courses/{course}/assignments", size=size)
    expect(teacher.page.locator(".pt-choose__none")).to_contain_text("No assignment selected")
    teacher.row("Silk road").get_by_role("link").click()
    teacher.is_at("/assignments/.+")
    expect(teacher.heading("Silk road")).to_be_visible()
    side = teacher.page.get_by_role("region", name="Assignments")
    current = side.locator(".pt-list-cell[aria-current]")
    expect(current).to_contain_text("Silk road")
    expect(current).to_be_in_viewport()
    main = teacher.page.get_by_role("main")
    assert box(side)["x"] + box(side)["width"] <= box(main)["x"] + 1
    fits(teacher)
    # The list keeps its place when another assignment is chosen, and Back leads to the former one.
    other = side.get_by_role("link", name="Road 12")
    other.scroll_into_view_if_needed()
    place = side.evaluate("one => one.scrollTop")
    other.click()
    expect(teacher.heading("Road 12")).to_be_visible()
    expect(current).to_contain_text("Road 12")
    assert side.evaluate("one => one.scrollTop") == place
    expect(main).to_be_focused()
    teacher.page.go_back()
    expect(teacher.heading("Silk road")).to_be_visible()
    expect(current).to_contain_text("Silk road")
    # The address of an assignment shows both.
    teacher.open(f"/assignments/{silk}")
    expect(current).to_contain_text("Silk road")
    # The keyboard comes to the list before the page.
    assert teacher.page.evaluate(
        """() => !!(document.querySelector(".pt-side").compareDocumentPosition(document.querySelector("main"))
            & Node.DOCUMENT_POSITION_FOLLOWING)""")


def test_the_list_beside_an_assignment_shows_a_new_one_at_once(visit, school):
    course, (silk,) = with_assignments(school, "Silk road")
    teacher = visit(school.owner, f"/assignments/{silk}", size=DESKTOP)
    side = teacher.page.get_by_role("region", name="Assignments")
    expect(side.get_by_role("link")).to_have_count(2)
    assignment_of(school, course, title="Salt road")
    expect(side.get_by_role("link", name="Salt road")).to_be_visible()
    side.get_by_role("link", name="Add assignment").click()
    teacher.is_at(f"/courses/{course}/assignments/new")


def test_an_assignment_on_a_phone_is_a_page_with_back(visit, school):
    course, (silk, _) = with_assignments(school, "Silk road", "Salt road")
    teacher = visit(school.owner, f"/courses/{course}/assignments", size=PHONE)
    expect(teacher.page.locator(".pt-choose__none")).not_to_be_visible()
    teacher.row("Silk road").get_by_role("link").click()
    expect(teacher.heading("Silk road")).to_be_visible()
    expect(teacher.page.locator(".pt-side")).not_to_be_visible()
    assert box(teacher.page.get_by_role("main"))["width"] == PHONE[0]
    teacher.link("Back").click()
    teacher.is_at(f"/courses/{course}/assignments")


@pytest.mark.parametrize("size", [DESKTOP, BROAD], ids=["1280", "1680"])
def test_the_materials_of_a_subject_are_beside_the_subjects(visit, school, size):
    admin = visit(school.owner, "/settings/curriculum", size=size)
    admin.row("Sensorial").get_by_role("link").first.click()
    expect(admin.heading("Sensorial")).to_be_visible()
    side = admin.page.get_by_role("region", name="Curriculum")
    expect(side.locator("[aria-current]")).to_contain_text("Sensorial")
    assert box(side)["x"] + box(side)["width"] <= box(admin.page.get_by_role("main"))["x"] + 1
    side.get_by_role("link", name="Language").first.click()
    expect(admin.heading("Language")).to_be_visible()
    fits(admin)
    # A material is beside the materials of its subject.
    admin.page.locator("#main .pt-list-cell__main").first.click()
    admin.is_at("/settings/curriculum/.+/edit")
    materials = admin.page.get_by_role("region", name="Language")
    expect(materials.locator("[aria-current]")).to_have_count(1)
    admin.link("Back").click()
    expect(admin.heading("Language")).to_be_visible()
    admin.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(admin.page.locator(".pt-side")).not_to_be_visible()


@pytest.mark.parametrize("email", ["ana@demo.example", "luz@demo.example", "sami@demo.example"])
def test_home_on_a_desk_does_not_repeat_the_rail(visit, server, email):
    someone = visit(server.sign_in(email), "/home", size=DESKTOP)
    shown = someone.page.locator(".pt-nav a:visible").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert len(shown) > 3
    tools = someone.page.locator(".pt-grid--small a")
    for path in tools.locator("visible=true").evaluate_all("all => all.map((one) => one.getAttribute('href'))"):
        assert path not in shown, path
    # A heading has something below it.
    for section in someone.page.locator("#main .pt-section:visible:has(.pt-grid--small)").all():
        assert section.locator("a:visible").count()
    someone.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert tools.locator("visible=true").count() == tools.count() > 3


@pytest.mark.parametrize("size", [DESKTOP, BROAD], ids=["1280", "1680"])
def test_wide_pages_use_the_width_of_the_screen(visit, demo, size):
    guide = visit(demo, size=size)
    room = demo.get("/api/v1/classrooms")["items"][0]["id"].lower()
    course = next(
        one["id"].lower() for one in demo.get("/api/v1/courses")["items"] if one["name"] == "Geometry of patterns")
    share = {
        f"/classrooms/{room}/progress": 0.75, f"/courses/{course}/gradebook": 0.75, f"/courses/{course}": 0.6,
        "/courses/catalogue": 0.6, f"/classrooms/{room}": 0.6, "/settings/students": 0.5, "/settings/audit": 0.5,
    }
    for path, least in share.items():
        guide.open(path)
        assert box(guide.page.get_by_role("main"))["width"] >= least * size[0], path
        fits(guide)
    guide.open(f"/courses/{course}/gradebook")
    heads = guide.page.locator(".pt-gb__table thead th.num")
    expect(heads.first).to_be_visible()
    for head in heads.all():
        for name in head.locator("b").all():
            assert box(name)["x"] >= box(head)["x"] - 1, f"{name.inner_text()} is over its neighbor"


def test_on_a_phone_the_days_of_the_week_are_one_row(visit, demo):
    guide = visit(demo, "/home", size=PHONE)
    days = guide.page.locator(".pt-week a")
    expect(days).to_have_count(7)
    assert len({round(box(day)["y"]) for day in days.all()}) == 1
