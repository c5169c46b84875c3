"""A course leader posts an announcement; the students read it on the course page and in the list."""

import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from test_courses import course_of

ENGLISH = {
    "lang": "en-US", "new": "New announcement", "title": "Title", "text": "Text", "publish": "Publish", "for": "To",
    "class": "Class",
}
FRENCH = {
    "lang": "fr-CA", "new": "Nouvelle annonce", "title": "Titre", "text": "Texte", "publish": "Publier", "for": "À",
    "class": "Classe",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])


@pytest.mark.requirement("WW-0.08.e")
@BOTH
def test_a_teacher_announces_to_a_course_and_its_students_read_it(visit, server, words, size):
    school = server.found_school()
    course = course_of(school, name="Algebra")
    within, outside = (school.colleague(name, role="student") for name in ["Mia Roy", "Noah Roy"])
    within.post(f"/api/v1/courses/{course}/enroll", {})
    pupil = visit(within, f"/courses/{course}", size=size, language=words["lang"])
    expect(pupil.row("Fractions")).to_be_visible()

    teacher = visit(school.owner, f"/courses/{course}", size=size, language=words["lang"])
    teacher.link(words["new"]).click()
    expect(teacher.heading(words["new"])).to_be_visible()
    expect(teacher.field(words["for"]).locator("option:checked")).to_have_text(re.compile("^Algebra "))
    expect(teacher.page.locator("#main").get_by_role("link", name=words["class"], exact=True)).to_be_visible()
    teacher.field(words["title"]).fill("Bring a ruler")
    teacher.field(words["text"]).fill("We draw on Monday.")
    teacher.button(words["publish"]).click()
    expect(teacher.heading("Bring a ruler")).to_be_visible()
    expect(teacher.page.locator("#main").get_by_text("Algebra")).to_be_visible()

    # The student's open page updates.
    pupil.row("Bring a ruler").get_by_role("link").click()
    expect(pupil.page.get_by_text("We draw on Monday.")).to_be_visible()
    pupil.open("/announcements")
    expect(pupil.row("Bring a ruler")).to_contain_text("Algebra")

    other = visit(outside, "/announcements", size=size, language=words["lang"])
    expect(other.page.locator(".pt-empty")).to_be_visible()
    other.open(f"/courses/{course}")
    expect(other.heading("Algebra")).to_be_visible()
    expect(other.row("Bring a ruler")).to_have_count(0)
