"""Row menus by right click, long press and swipe, and confirmations of deletions."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


class Finger:
    """A continuous touch, sent as raw browser input."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def _send(self, kind, *points):
        self.session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def down(self, x, y):
        self._send("touchStart", (x, y))

    def move(self, x, y):
        self._send("touchMove", (x, y))

    def up(self):
        self._send("touchEnd")

    def drag(self, start, end, steps=12):
        self.down(*start)
        for step in range(1, steps + 1):
            self.move(*(a + (b - a) * step / steps for a, b in zip(start, end)))
        # A pause before lifting avoids a fling, whose ending tap browsers ignore.
        self.page.evaluate(
            "new Promise(done => { let left = 12; const frame = () => left-- ? requestAnimationFrame(frame) : done(true);"
            " frame(); })")
        self.move(*end)
        self.up()


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def two_rooms(server):
    return server.found_school(rooms={"Maple room": ["Noor Aziz"], "Birch room": ["Elif Yılmaz"]})


@pytest.mark.requirement("PT-3.27.a")
def test_a_classroom_is_renamed_by_right_click(visit, two_rooms):
    guide = visit(two_rooms.owner, "/classrooms", size=DESKTOP)
    guide.row("Birch room").click(button="right")
    menu = guide.row("Birch room").locator(".pt-menu")
    for item in ["Classroom settings", "Rename", "Delete classroom"]:
        expect(menu.get_by_text(item)).to_be_visible()
    menu.get_by_text("Rename").click()
    guide.is_at(two_rooms.path("Birch room") + "/edit")
    expect(guide.field("Classroom name")).to_have_value("Birch room")
    guide.field("Classroom name").fill("Beech room")
    guide.button("Save", exact=True).click()
    expect(guide.toast("Beech room")).to_be_visible()
    guide.open("/classrooms")
    expect(guide.row("Beech room")).to_be_visible()
    expect(guide.row("Birch room")).to_have_count(0)


def test_a_classroom_is_deleted_only_after_a_confirmation(visit, two_rooms):
    guide = visit(two_rooms.owner, "/classrooms", size=DESKTOP)
    guide.row("Birch room").click(button="right")
    guide.row("Birch room").locator(".pt-menu").get_by_text("Delete classroom").click()
    expect(guide.question).to_contain_text("Delete Birch room?")
    expect(guide.question.get_by_role("button", name="Cancel")).to_be_focused()
    guide.page.keyboard.press("Escape")
    expect(guide.question).to_have_count(0)
    expect(guide.row("Birch room")).to_be_visible()
    guide.row("Birch room").click(button="right")
    guide.row("Birch room").locator(".pt-menu").get_by_text("Delete classroom").click()
    guide.question.get_by_role("button", name="Delete classroom").click()
    expect(guide.row("Birch room")).to_have_count(0)
    expect(guide.toast("Classroom deleted")).to_be_visible()
    # The students stay in the school.
    guide.open("/settings/students")
    expect(guide.row("Elif Yılmaz")).to_be_visible()


@pytest.mark.requirement("PT-3.13.b", "PT-3.27.a")
def test_a_long_press_opens_the_menu_and_no_page(visit, two_rooms):
    guide = visit(two_rooms.owner, "/classrooms", size=PHONE, touch=True, is_mobile=True)
    finger = Finger(guide.page)
    finger.down(*middle(guide.row("Birch room").locator(".pt-list-cell__title")))
    menu = guide.row("Birch room").locator(".pt-menu")
    expect(menu).to_be_visible()
    finger.up()
    expect(menu.get_by_text("Rename")).to_be_in_viewport()
    guide.is_at("/classrooms")
    guide.page.touchscreen.tap(195, 780)
    expect(menu).not_to_be_visible()


@pytest.mark.requirement("PT-3.13.c", "PT-3.27.b")
def test_a_swipe_shows_rename_and_delete(visit, two_rooms):
    guide = visit(two_rooms.owner, "/classrooms", size=PHONE, touch=True, is_mobile=True)
    row = guide.row("Birch room")
    actions = row.locator(".pt-swipe__actions")
    expect(actions).to_be_hidden()
    x, y = middle(row)
    Finger(guide.page).drag((x + 120, y), (x - 120, y))
    expect(actions).to_be_visible()
    guide.is_at("/classrooms")
    expect(actions.get_by_text("Rename")).to_be_in_viewport(ratio=0.9)
    actions.get_by_text("Delete classroom").tap()
    guide.question.get_by_role("button", name="Delete classroom").tap()
    expect(row).to_have_count(0)


@pytest.mark.requirement("PT-3.27.c", "PT-3.30.b")
def test_a_guide_is_not_offered_what_only_admins_may_do(visit, two_rooms):
    colleague = two_rooms.colleague("Claire O’Neill", rooms=["Maple room", "Birch room"])
    guide = visit(colleague, "/classrooms", size=DESKTOP)
    expect(guide.row("Maple room")).to_be_visible()
    expect(guide.page.locator("#main .pt-swipe__actions, #main .pt-fab")).to_have_count(0)
    offered = guide.page.locator("#main .pt-menu__item")
    expect(offered).to_have_text(["Set as start page", "Set as start page"])
    guide.open(two_rooms.path("Maple room"))
    expect(guide.pill("Noor Aziz")).to_be_visible()
    for words in ["Delete student", "Remove from class"]:
        expect(guide.page.get_by_text(words)).to_have_count(0)
    guide.expects("403")
    assert guide.open(two_rooms.path("Maple room") + "/edit").status == 403


@pytest.mark.requirement("PT-3.30.a")
def test_a_student_is_edited_taken_out_and_deleted_from_the_row(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP)

    def choose(name, item):
        guide.row(name).locator(".pt-list-cell__main").click(button="right")
        guide.row(name).locator(".pt-menu").get_by_text(item, exact=True).click()

    choose("Noor Aziz", "Edit")
    guide.field("First name").fill("Noura")
    guide.button("Save", exact=True).click()
    guide.open(school.path("Maple room"))
    expect(guide.row("Noura Aziz")).to_be_visible()

    choose("Dario Conti", "Remove from class")
    guide.question.get_by_role("button", name="Remove from class").click()
    expect(guide.row("Dario Conti")).to_have_count(0)
    choose("Noura Aziz", "Delete student")
    expect(guide.question).to_contain_text("Delete Noura Aziz?")
    guide.question.get_by_role("button", name="Delete student").click()
    expect(guide.row("Noura Aziz")).to_have_count(0)
    expect(guide.row("Leïla Benali")).to_be_visible()
    guide.open("/settings/students")
    expect(guide.row("Dario Conti")).to_be_visible()
    expect(guide.row("Noura Aziz")).to_have_count(0)


@pytest.mark.requirement("PT-3.10.a", "PT-3.10.c")
def test_a_sheet_on_a_phone_has_a_grabber_and_closes_by_a_pull(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=PHONE, touch=True, is_mobile=True)
    guide.link("Add student").tap()
    expect(guide.sheet).to_be_visible()
    box = guide.sheet.bounding_box()
    assert 0.85 * 844 <= box["height"] <= 844, box
    # Waits until the sheet has opened.
    guide.sheet.evaluate("one => Promise.all(one.getAnimations().map(motion => motion.finished)).then(() => true)")
    grabber = guide.sheet.locator(".pt-sheet__grabber")
    expect(grabber).to_be_visible()
    x, y = middle(grabber)
    Finger(guide.page).drag((x, y + 14), (x, y + 260))
    expect(guide.sheet).to_have_count(0)
    guide.is_at(school.path("Maple room"))
    guide.link("Add student").tap()
    guide.sheet.get_by_label("First name").fill("Elif")
    guide.sheet.get_by_role("button", name="Add student").tap()
    expect(guide.row("Elif")).to_be_visible()
    expect(guide.sheet).to_have_count(0)
    expect(guide.page.locator("#pt-toasts > *")).to_contain_text("Elif")
