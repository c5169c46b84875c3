"""Two students of a course study together: each sees the other join, and one clock runs for both."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from test_grades import Book

ENGLISH = {
    "lang": "en-US", "title": "Study together", "nobody": "The room is empty", "enter": "Enter room", "writing": "Writing",
    "reading": "Reading", "stop": "Stop", "leave": "Leave room", "work": "What are you working on?", "change": "Update",
    "project": "Project", "one": "In the room: 1", "two": "In the room: 2",
}
FRENCH = {
    "lang": "fr-CA", "title": "Étudier ensemble", "nobody": "La salle est vide", "enter": "Entrer dans la salle", "writing": "Écriture",
    "reading": "Lecture", "stop": "Arrêter", "leave": "Quitter la salle", "work": "Sur quoi travaillez-vous\u00a0?",
    "change": "Mettre à jour", "project": "Projet", "one": "Dans la salle\u00a0: 1", "two": "Dans la salle\u00a0: 2",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])


@pytest.mark.requirement("WW-1.06.a", "WW-1.06.b")
@BOTH
def test_two_students_study_together_under_one_clock(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg", "Mia Roy"])
    ada = visit(book.students["Ada Berg"], "/courses", size=size, language=words["lang"])
    ada.page.locator("#main").get_by_role("link", name=words["title"]).click()
    expect(ada.heading(words["title"])).to_be_visible()
    ada.page.locator("#main .pt-list-cell").first.click()
    expect(ada.page.get_by_text(words["nobody"])).to_be_visible()
    ada.button(words["enter"]).click()
    expect(ada.row("Ada Berg")).to_contain_text(words["reading"])

    # Her device's clock is an hour ahead.
    mia = visit(book.students["Mia Roy"], size=size, language=words["lang"])
    mia.page.add_init_script("const now = Date.now; Date.now = () => now() + 3_600_000;")
    mia.open(ada.path)
    expect(mia.row("Ada Berg")).to_be_visible()
    expect(mia.page.get_by_text(words["one"])).to_be_visible()
    mia.page.get_by_label(words["writing"]).check()
    mia.button(words["enter"]).click()
    expect(mia.row("Mia Roy")).to_contain_text(words["writing"])
    expect(ada.row("Mia Roy")).to_contain_text(words["writing"])
    expect(ada.page.get_by_text(words["two"])).to_be_visible()

    ada.button("25 min").click()
    for student in (ada, mia):
        expect(student.page.get_by_role("timer")).to_have_text(re.compile(r"2[45]:\d\d"))
    shown = mia.page.get_by_role("timer").inner_text()
    expect(mia.page.get_by_role("timer")).not_to_have_text(shown)
    mia.page.get_by_label(words["work"]).select_option(label=words["project"])
    mia.button(words["change"]).click()
    expect(ada.row("Mia Roy")).to_contain_text(words["project"])
    expect(ada.page.get_by_role("timer")).to_have_text(re.compile(r"2[45]:\d\d"))
    mia.button(words["stop"]).click()
    for student in (ada, mia):
        expect(student.page.get_by_role("timer")).to_be_hidden()

    mia.button(words["leave"]).click()
    expect(mia.button(words["enter"])).to_be_visible()
    expect(ada.row("Mia Roy")).to_have_count(0)
    expect(ada.page.get_by_text(words["one"])).to_be_visible()


def test_the_end_of_the_focus_time_is_announced_to_all(visit, server):
    book = Book(server.found_school(), ["Ada Berg"])
    ada = visit(book.students["Ada Berg"], "/study")
    ada.page.locator("#main .pt-list-cell").first.click()
    ada.button("Enter room").click()
    ada.button("15 min").click()
    expect(ada.page.get_by_role("timer")).to_have_text(re.compile(r"1[45]:\d\d"))
    ada.page.clock.install()
    with ada.page.expect_response("**/study/stay"):
        ada.open(ada.path)
    expect(ada.page.get_by_role("timer")).to_have_text(re.compile(r"1[45]:\d\d"))
    # The server's clock continues and would still show time left.
    ada.expects("ERR_FAILED")
    ada.page.route("**/study/stay", lambda route: route.abort())
    with ada.page.expect_request("**/study/stay"):
        ada.page.clock.fast_forward("15:05")
    expect(ada.page.get_by_role("status").filter(has_text="Time for a break.")).to_be_visible()
    expect(ada.page.get_by_role("timer")).to_be_hidden()
