"""A child's page: opened over the class, usable with one thumb, without losing input."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

ENGLISH = {
    "lang": "en-US", "save": "Save", "note": "Note", "lesson": "Lesson", "saved": "Observation saved", "habits": "Manage",
    "habit": "Habit", "add": "Add habit", "done": "Coat, done today", "close": "Close", "streak": "1 day in a row",
    "day": "My Day",
}
FRENCH = {
    "lang": "fr-CA", "save": "Enregistrer", "note": "Note", "lesson": "Leçon", "saved": "Observation enregistrée",
    "habits": "Gérer", "habit": "Habitude", "add": "Ajouter une habitude", "done": "Coat, faite aujourd’hui",
    "close": "Fermer", "streak": "1 jour de suite", "day": "Ma journée",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@pytest.fixture
def school(server):
    return server.found_school(rooms={"Maple room": [f"Child {number:02}" for number in range(24)] + ["Noor Aziz"]})


def open_child(guide, name):
    guide.row(name).locator(".pt-list-cell__main").click()
    expect(guide.sheet.get_by_role("heading", name=name)).to_be_visible()
    return guide.sheet


@pytest.mark.requirement("PT-2.25.b", "PT-3.29.a", "PT-3.29.c", "PT-3.32.a")
@BOTH
@SIZES
def test_an_observation_takes_two_taps_and_the_list_keeps_its_place(visit, school, words, size):
    guide = visit(school.owner, school.path("Maple room"), size=size, language=words["lang"])
    guide.row("Noor Aziz").scroll_into_view_if_needed()
    before = guide.page.evaluate("scrollY")
    sheet = open_child(guide, "Noor Aziz")
    expect(sheet.get_by_label(words["note"], exact=True)).to_be_focused()
    box = sheet.bounding_box()
    if size is PHONE:
        assert box["height"] > 0.85 * size[1], "nine tenths of the height"
    guide.page.keyboard.type("Traced m six times")
    sheet.get_by_role("button", name=words["save"], exact=True).click()
    expect(sheet.get_by_text("Traced m six times")).to_be_visible()
    expect(guide.page.get_by_text(words["saved"])).to_be_visible()
    expect(sheet.get_by_label(words["note"], exact=True)).to_have_value("")
    sheet.get_by_role("link", name=words["close"]).click()
    expect(guide.sheet).to_have_count(0)
    assert abs(guide.page.evaluate("scrollY") - before) < 2
    assert guide.page.url.endswith(school.path("Maple room"))


@pytest.mark.requirement("PT-2.16.a", "PT-2.18.a", "PT-2.18.b", "PT-2.21.a", "PT-2.25.c", "PT-2.25.d")
@BOTH
def test_a_habit_and_a_lesson_are_checked_off_with_one_tap(visit, school, words):
    guide = visit(school.owner, school.path("Maple room"), language=words["lang"], touch=True)
    sheet = open_child(guide, "Noor Aziz")
    sheet.get_by_role("link", name=words["habits"]).first.tap()
    guide.sheet.get_by_label(words["habit"], exact=True).first.fill("Coat")
    guide.sheet.get_by_role("button", name=words["add"]).tap()
    expect(guide.sheet.get_by_role("group").filter(has_text="Coat").first).to_be_visible()
    guide.sheet.locator(".pt-sheet__head a[href*='students']").first.tap()
    box = guide.sheet.get_by_role("checkbox", name=words["done"])
    expect(box).to_have_attribute("aria-checked", "false")
    box.tap()
    expect(box).to_have_attribute("aria-checked", "true")
    expect(guide.sheet.get_by_text(words["streak"])).to_be_visible()
    guide.sheet.get_by_role("radio", name=words["lesson"]).tap()
    guide.sheet.get_by_label(words["note"], exact=True).fill("Golden beads\nTen units")
    guide.sheet.get_by_role("button", name=words["save"], exact=True).tap()
    lesson = guide.sheet.get_by_role("checkbox", name=re.compile("Golden beads"))
    expect(lesson).to_have_attribute("aria-checked", "false")
    lesson.tap()
    expect(lesson).to_have_attribute("aria-checked", "true")
    guide.page.reload()
    expect(guide.sheet.get_by_role("checkbox", name=words["done"])).to_have_attribute("aria-checked", "true")
    expect(guide.sheet.get_by_role("checkbox", name=re.compile("Golden beads"))).to_have_attribute("aria-checked", "true")


def test_unsaved_text_survives_a_reload(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    sheet = open_child(guide, "Noor Aziz")
    sheet.get_by_label("Note", exact=True).fill("Showed Jonah how to carry the tray")
    guide.page.reload()
    expect(guide.sheet.get_by_label("Note", exact=True)).to_have_value("Showed Jonah how to carry the tray")
    guide.sheet.get_by_role("button", name="Save", exact=True).click()
    expect(guide.sheet.locator(".pt-note")).to_contain_text("Showed Jonah how to carry the tray")
    guide.page.reload()
    expect(guide.sheet.get_by_label("Note", exact=True)).to_have_value("")
    expect(guide.sheet.locator(".pt-note")).to_have_count(1)


@pytest.mark.requirement("PT-2.19.a")
def test_observations_are_searched_filtered_and_edited(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    sheet = open_child(guide, "Noor Aziz")
    for text in ["Found the letter s", "Rolled the mat"]:
        sheet.get_by_label("Note", exact=True).fill(text)
        sheet.get_by_role("button", name="Save", exact=True).click()
        expect(guide.sheet.locator(".pt-note", has_text=text)).to_be_visible()
    guide.sheet.get_by_role("link", name="Search and filter").click()
    search = guide.page.get_by_role("searchbox", name="Search observations")
    search.fill("LETTER")
    search.press("Enter")
    expect(guide.page.locator(".pt-note:visible")).to_have_count(1)
    expect(guide.page.locator(".pt-note:visible")).to_contain_text("Found the letter s")
    guide.page.locator(".pt-note:visible").get_by_role("link", name="Edit observation").click()
    text = guide.page.get_by_label("Note", exact=True).last
    expect(text).to_have_value("Found the letter s")
    text.fill("Found the letters s and m")
    guide.page.get_by_role("button", name="Save", exact=True).last.click()
    expect(guide.page.locator(".pt-note", has_text="Found the letters s and m").first).to_be_visible()


def test_a_childs_page_works_by_keyboard(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.row("Child 00").locator(".pt-list-cell__main").focus()
    guide.page.keyboard.press("Enter")
    expect(guide.sheet.get_by_label("Note", exact=True)).to_be_focused()
    guide.page.keyboard.type("By keyboard")
    for _ in range(6):
        guide.page.keyboard.press("Tab")
        if guide.focused().inner_text() == "Save":
            break
    guide.page.keyboard.press("Enter")
    expect(guide.sheet.locator(".pt-note")).to_contain_text("By keyboard")
    assert guide.page.evaluate("Boolean(document.activeElement.closest('.pt-sheet'))"), "the focus stays in the sheet"
    fan = guide.sheet.locator(".pt-sheet__fab summary")
    fan.focus()
    guide.page.keyboard.press("Enter")
    guide.sheet.get_by_role("link", name="Task").focus()
    guide.page.keyboard.press("Enter")
    expect(guide.sheet.get_by_role("radio", name="Task")).to_be_checked()
    guide.page.keyboard.press("Escape")
    expect(guide.sheet).to_have_count(0)


def test_a_guide_who_is_taken_out_of_the_class_loses_the_open_page(visit, server):
    school = server.found_school(rooms={"Maple room": ["Noor Aziz"]})
    colleague = school.colleague("Tom Okafor", rooms=["Maple room"])
    guide = visit(colleague, school.path("Maple room"))
    open_child(guide, "Noor Aziz")
    school.assign("Maple room")
    guide.expects("404")
    expect(guide.page.get_by_text("Noor Aziz")).to_have_count(0)


def test_a_draft_is_deleted_when_its_writer_signs_out(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    open_child(guide, "Noor Aziz").get_by_label("Note", exact=True).fill("Nobody else reads this")
    kept = "Object.keys(localStorage).filter((name) => name.startsWith('pt-draft:')).length"
    assert guide.page.evaluate(kept) == 1
    guide.open("/settings")
    guide.account_menu().get_by_role("button", name="Sign out").click()
    expect(guide.page).to_have_url(re.compile("/sign-in"))
    assert guide.page.evaluate(kept) == 0


@pytest.mark.requirement("PT-2.18.c")
def test_a_habit_is_renamed_and_made_weekly(visit, school):
    child = school.children["Noor Aziz"]
    school.owner.post(f"/api/v1/students/{child}/habits", {"name": "Coat"})
    guide = visit(school.owner, school.path("Maple room"))
    open_child(guide, "Noor Aziz").get_by_role("link", name="Manage").first.click()
    habit = guide.sheet.locator("details", has=guide.page.locator("summary", has_text="Coat"))
    habit.locator("summary").click()
    habit.get_by_label("Habit", exact=True).fill("Coat and boots")
    habit.get_by_role("radio", name="Weekly").check(force=True)
    habit.get_by_role("button", name="Save").click()
    renamed = guide.sheet.locator("details", has=guide.page.locator("summary", has_text="Coat and boots"))
    expect(renamed).to_have_count(1)
    guide.page.reload()
    renamed.locator("summary").click()
    expect(renamed.get_by_label("Habit", exact=True)).to_have_value("Coat and boots")
    expect(renamed.get_by_role("radio", name="Weekly")).to_be_checked()
    guide.open(f"/students/{child}")
    expect(guide.page.locator("#main li", has_text="Coat and boots")).to_contain_text(re.compile("week", re.IGNORECASE))
