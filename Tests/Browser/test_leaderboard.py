"""A school enables the leaderboard; a student sees it, leaves it with one tap, and rejoins."""

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from test_grades import Book

ENGLISH = {
    "lang": "en-US", "on": "Leaderboard in courses", "save": "Save", "saved": "Leaderboard settings saved.",
    "board": "Leaderboard", "leave": "Leave leaderboard", "left": "You left the leaderboard.",
    "back": "Rejoin leaderboard", "joined": "You joined the leaderboard again.", "level": "Level 1", "points": "20 points",
    "missing": "80 points to go", "courses": "Courses", "none": "Leaderboard is off",
}
FRENCH = {
    "lang": "fr-CA", "on": "Classement dans les cours", "save": "Enregistrer",
    "saved": "Réglages du classement enregistrés.", "board": "Classement", "leave": "Quitter le classement",
    "left": "Vous avez quitté le classement.", "back": "Rejoindre le classement",
    "joined": "Vous avez rejoint le classement.", "level": "Niveau 1", "points": "20 points",
    "missing": "encore 80 points", "courses": "Cours", "none": "Le classement est désactivé",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])


@pytest.mark.requirement("WW-0.12.b", "WW-0.12.c", "WW-0.12.d")
@BOTH
def test_a_school_has_a_leaderboard_when_it_wants_one_and_a_student_leaves_it(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg", "Mia Roy"])
    for name, mark in [("Ada Berg", "18"), ("Mia Roy", "3")]:
        book.mark(name, "Essay", mark)
    book.release("Essay")
    ada, mia = (
        visit(book.students[name], "/home", size=size, language=words["lang"]) for name in ["Ada Berg", "Mia Roy"])
    # Her points do not depend on the score.
    for student in (ada, mia):
        expect(student.page.locator("#main")).to_contain_text(words["level"])
        expect(student.page.locator("#main")).to_contain_text(words["points"])
        expect(student.page.locator("#main")).to_contain_text(words["missing"])
    ada.open("/leaderboard")
    expect(ada.page.locator("#main")).to_contain_text(words["none"])
    expect(ada.page.locator("#main")).not_to_contain_text("Mia Roy")
    ada.open("/courses")
    expect(ada.heading(words["courses"])).to_be_visible()
    expect(ada.page.locator("#main").get_by_role("link", name=words["board"])).to_have_count(0)

    admin = visit(book.owner, "/settings/leaderboard", size=size, language=words["lang"])
    admin.page.get_by_label(words["on"]).check()
    admin.button(words["save"]).click()
    expect(admin.toast(words["saved"])).to_be_visible()

    ada.open("/courses")
    ada.page.locator("#main").get_by_role("link", name=words["board"]).click()
    expect(ada.heading(words["board"])).to_be_visible()
    expect(ada.row("Ada Berg")).to_contain_text(words["points"])
    expect(ada.row("Mia Roy")).to_contain_text(words["points"])
    mia.open("/leaderboard")
    mia.button(words["leave"]).click()
    expect(mia.toast(words["left"])).to_be_visible()
    expect(mia.button(words["back"])).to_be_visible()
    expect(mia.page.locator("#main")).to_contain_text(words["points"])
    expect(mia.row("Ada Berg")).to_have_count(0)
    ada.open("/leaderboard")
    expect(ada.row("Ada Berg")).to_be_visible()
    expect(ada.row("Mia Roy")).to_have_count(0)
    mia.button(words["back"]).click()
    expect(mia.toast(words["joined"])).to_be_visible()
    expect(mia.row("Mia Roy")).to_be_visible()
