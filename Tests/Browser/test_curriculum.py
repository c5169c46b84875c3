"""Progress with materials: the grid of a class, recording, the school's sequence."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

TOWER = "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57"
SENSORIAL = "0192b5a4-094e-7ec3-b936-a0b476e709dd"


def grid_path(school, room="Maple room"):
    return f"{school.path(room)}/progress?subject={SENSORIAL}"


def field(visitor, name):
    """The field of the grid with an accessible name."""
    return visitor.page.locator("[data-grid]").get_by_role("link", name=name, exact=True)


def states(school, child):
    items = school.owner.get(f"/api/v1/students/{school.children[child]}/materials")["items"]
    return {item["materialId"].lower(): item["state"] for item in items}


@pytest.mark.requirement("BY-1.17.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_presentation_is_recorded_from_the_grid(visit, school, size):
    guide = visit(school.owner, grid_path(school), size=size)
    field(guide, "Noor Aziz, Pink Tower, Not started").click()
    expect(guide.heading("Pink Tower")).to_be_visible()
    guide.button("Presented", exact=True).click()
    expect(guide.toast("Pink Tower: Presented")).to_be_visible()
    guide.is_at(re.escape(grid_path(school)) + "#f-.*")
    expect(field(guide, "Noor Aziz, Pink Tower, Presented")).to_be_in_viewport()
    expect(field(guide, "Dario Conti, Pink Tower, Not started")).to_be_attached()
    assert states(school, "Noor Aziz") == {TOWER: "presented"}
    # The grid scrolls; the page is as wide as the screen.
    assert guide.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    box = guide.page.locator(".pt-shades-box")
    assert box.evaluate("one => one.scrollWidth > one.clientWidth")
    head = guide.page.get_by_role("rowheader", name="Noor Aziz")
    before = head.bounding_box()["x"]
    box.evaluate("one => { one.scrollLeft = 400 }")
    assert abs(head.bounding_box()["x"] - before) < 2, "names stay in sight"


def test_the_grid_is_one_stop_of_the_tab_key_and_arrows_go_through_it(visit, school):
    guide = visit(school.owner, grid_path(school), size=DESKTOP)
    keys = guide.page.keyboard
    first = field(guide, "Dario Conti, Cylinder block 1, Not started")
    first.focus()
    keys.press("ArrowRight")
    expect(field(guide, "Dario Conti, Cylinder block 2, Not started")).to_be_focused()
    keys.press("ArrowDown")
    expect(field(guide, "Leïla Benali, Cylinder block 2, Not started")).to_be_focused()
    keys.press("End")
    expect(field(guide, "Leïla Benali, Tone bars, Not started")).to_be_focused()
    expect(guide.focused()).to_be_in_viewport()
    keys.press("Tab")
    assert guide.page.evaluate("!document.activeElement.closest('[data-grid]')"), "Tab leaves the grid"
    keys.press("Shift+Tab")
    expect(field(guide, "Leïla Benali, Tone bars, Not started")).to_be_focused()
    keys.press("Enter")
    expect(guide.heading("Tone bars")).to_be_visible()
    mastered = guide.button("Mastered", exact=True)
    mastered.focus()
    keys.press("Enter")
    expect(field(guide, "Leïla Benali, Tone bars, Mastered")).to_be_focused()
    expect(guide.focused()).to_be_in_viewport()


def test_the_grid_is_the_same_without_scripts_and_in_french(visit, school):
    guide = visit(school.owner, grid_path(school), language="fr-FR", script=False)
    field(guide, "Noor Aziz, Tour rose, Pas commencé").click()
    expect(guide.heading("Tour rose")).to_be_visible()
    guide.button("En pratique", exact=True).click()
    guide.is_at(re.escape(grid_path(school)) + ".*")
    assert states(school, "Noor Aziz") == {TOWER: "practising"}
    expect(guide.page.locator(f"[id$='{TOWER}'][data-level='2']")).to_have_count(1)


def test_a_colleague_sees_the_record_at_once(visit, school):
    colleague = school.colleague("Ben Ito", rooms=["Maple room"])
    watching = visit(colleague, grid_path(school), size=DESKTOP)
    expect(field(watching, "Noor Aziz, Pink Tower, Not started")).to_be_attached()
    school.owner.post(
        f"/api/v1/students/{school.children['Noor Aziz']}/materials/{TOWER}", {"state": "mastered"})
    expect(field(watching, "Noor Aziz, Pink Tower, Mastered")).to_be_attached()


def test_an_earlier_day_is_recorded_and_a_day_to_come_refused(visit, school):
    path = f"/students/{school.children['Noor Aziz']}/materials/{TOWER}"
    guide = visit(school.owner, path)
    guide.page.get_by_text("Record an earlier day").click()
    guide.field("Day").fill("2099-01-01")
    guide.button("Record", exact=True).click()
    expect(guide.page.get_by_text("This day is in the future.")).to_be_visible()
    guide.expects("422")
    assert states(school, "Noor Aziz") == {}


@pytest.mark.requirement("BY-1.17.e")
def test_the_sequence_of_the_school_is_edited(visit, school):
    admin = visit(school.owner, "/settings/curriculum", size=DESKTOP)
    admin.row("Sensorial").get_by_role("link").first.click()
    expect(admin.heading("Sensorial")).to_be_visible()
    admin.row("Pink Tower").locator(".pt-list-cell__main").click(button="right")
    admin.button("Move down").click()
    titles = admin.page.locator("#main .pt-list-cell__title")
    expect(titles.nth(5)).to_have_text("Pink Tower")
    expect(titles.nth(4)).to_have_text("Brown Stair")
    admin.row("Pink Tower").locator(".pt-list-cell__main").click()
    expect(admin.heading("Pink Tower")).to_be_visible()
    admin.field("Name").fill("The Tower")
    admin.button("Save").click()
    expect(admin.row("The Tower")).to_be_visible()
    admin.row("The Tower").locator(".pt-list-cell__main").click(button="right")
    admin.button("Hide").click()
    expect(admin.row("The Tower")).to_contain_text("Hidden")
    guide = visit(school.owner, grid_path(school), size=DESKTOP)
    expect(guide.page.get_by_role("columnheader", name="Brown Stair")).to_be_attached()
    expect(guide.page.get_by_role("columnheader", name="The Tower")).to_have_count(0)


@pytest.mark.requirement("BY-1.08.a")
def test_suggestions_follow_from_the_record_and_can_be_dismissed(visit, school):
    child = school.children["Noor Aziz"]
    school.owner.post(f"/api/v1/students/{child}/materials/{TOWER}", {"state": "mastered"})
    guide = visit(school.owner, f"/students/{child}/materials", size=PHONE)
    guide.page.get_by_text("What’s next").click()
    card = guide.page.get_by_role("group", name="Brown Stair", exact=True)
    expect(card).to_contain_text("After Pink Tower: Mastered")
    card.get_by_role("button", name="Not now: Brown Stair").click()
    expect(guide.toast("Hidden for 30 days")).to_be_visible()
    expect(card).to_have_count(0)
