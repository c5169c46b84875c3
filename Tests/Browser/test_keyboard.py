"""A morning's work by keyboard only."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from pages import BOUNCE
from school import PASSWORD


def tab_to(visitor, target, limit=60):
    """Presses Tab until the target has the focus."""
    for _ in range(limit):
        if target.evaluate("one => one === document.activeElement"):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{limit} tabs do not lead to {target}")


@pytest.mark.requirement("PT-1.13.c")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_guide_signs_in_marks_and_adds_a_student_by_keyboard(visit, server, school, size):
    guide = visit(at=server, path="/sign-in", size=size)
    page, keys = guide.page, guide.page.keyboard
    keys.press("Tab")
    expect(guide.focused()).to_have_text("Skip to content")
    tab_to(guide, guide.field("Email"))
    keys.type(school.owner.email)
    tab_to(guide, guide.field("Password"))
    keys.type(PASSWORD)
    keys.press("Enter")
    guide.is_at(school.path("Maple room"))
    expect(guide.pill("Noor Aziz")).to_be_visible()

    tab_to(guide, guide.pill("Noor Aziz"))
    outline = guide.pill("Noor Aziz").evaluate("one => getComputedStyle(one).outlineStyle + getComputedStyle(one).boxShadow")
    assert outline != "nonenone", "the focus must be seen"
    keys.press("Enter")
    guide.is_marked("Noor Aziz", "present")
    expect(guide.pill("Noor Aziz")).to_be_focused()
    guide.page.wait_for_timeout(BOUNCE * 1000)
    keys.press("Space")
    guide.is_marked("Noor Aziz", "absent")

    # The sheet takes the focus, keeps it, and gives it back.
    opener = guide.link("Add student")
    tab_to(guide, opener)
    keys.press("Enter")
    expect(guide.sheet).to_be_visible()
    tab_to(guide, guide.sheet.get_by_label("First name"))
    keys.press("Escape")
    expect(guide.sheet).to_have_count(0)
    expect(opener).to_be_focused()
    keys.press("Enter")
    tab_to(guide, guide.sheet.get_by_label("First name"))
    keys.type("Elif")
    tab_to(guide, guide.sheet.get_by_label("Last name"))
    keys.type("Yılmaz")
    keys.press("Enter")
    expect(guide.row("Elif Yılmaz")).to_be_visible()


@pytest.mark.requirement("PT-3.13.b")
@pytest.mark.parametrize("key", ["ContextMenu", "Shift+F10"])
def test_a_rows_menu_opens_by_key(visit, school, key):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP)
    link = guide.row("Noor Aziz").locator(".pt-list-cell__main")
    link.focus()
    guide.page.keyboard.press(key)
    if guide.row("Noor Aziz").locator(".pt-menu:visible").count() == 0:
        # A headless browser makes no menu event out of the key; the event itself is what the page hears.
        link.evaluate("one => one.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))")
    menu = guide.row("Noor Aziz").locator(".pt-menu")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("link", name="Edit")).to_be_focused()
    guide.page.keyboard.press("ArrowDown")
    expect(guide.button("Remove from class")).to_be_focused()
    guide.page.keyboard.press("ArrowUp")
    expect(menu.get_by_role("link", name="Edit")).to_be_focused()
    guide.page.keyboard.press("Escape")
    expect(menu).not_to_be_visible()
    expect(link).to_be_focused()


@pytest.mark.requirement("WW-14.05.a")
def test_tabs_and_the_account_menu_work_by_keyboard(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP)
    for name, path in [("Search", "/search"), ("Settings", "/settings"), ("My Day", "/my-day"), ("Homeroom", ".*")]:
        tab_to(guide, guide.tab(name))
        guide.page.keyboard.press("Enter")
        guide.is_at(path)
        expect(guide.tab(name)).to_have_attribute("aria-current", "page")
    summary = guide.page.locator(".pt-account > summary")
    tab_to(guide, summary)
    guide.page.keyboard.press("Enter")
    expect(guide.button("Sign out")).to_be_visible()
    guide.page.keyboard.press("Escape")
    expect(guide.button("Sign out")).not_to_be_visible()
    expect(summary).to_be_focused()
    guide.page.keyboard.press("Enter")
    tab_to_item = guide.button("Sign out")
    for _ in range(8):
        if tab_to_item.evaluate("one => one === document.activeElement"):
            break
        guide.page.keyboard.press("ArrowDown")
    guide.page.keyboard.press("Enter")
    guide.is_at("/sign-in")


@pytest.mark.requirement("PT-3.27.d")
def test_a_classroom_is_renamed_by_keyboard(visit, school):
    guide = visit(school.owner, "/classrooms", size=DESKTOP)
    link = guide.row("Maple room").locator(".pt-list-cell__main")
    tab_to(guide, link)
    guide.page.keyboard.press("Shift+F10")
    menu = guide.row("Maple room").locator(".pt-menu")
    if guide.row("Maple room").locator(".pt-menu:visible").count() == 0:
        # A headless browser makes no menu event out of the key; the event itself is what the page hears.
        link.evaluate("one => one.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))")
    expect(menu).to_be_visible()
    # It is the second item; the first has the focus.
    guide.page.keyboard.press("ArrowDown")
    expect(menu.get_by_role("link", name="Rename")).to_be_focused()
    guide.page.keyboard.press("Enter")
    guide.is_at(school.path("Maple room") + "/edit")
    expect(guide.field("Classroom name")).to_have_value("Maple room")
