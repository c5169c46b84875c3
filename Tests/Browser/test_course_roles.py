"""Courses for a parent of two and for an administrator; `test_courses` and `test_grades` cover teachers and
students."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from test_courses import course_of
from test_invites_mail import link_to

ENGLISH = {
    "lang": "en-US", "join": "Join", "home": "Home", "courses": "Courses", "grades": "Grades", "noor": "Noor", "leila": "Leïla",
    "marks": "Scores", "none": "No scores yet", "report": "Report card", "scale": "Grading scale", "letter": "B+ from",
    "digits": "Decimal places", "tenths": "1", "save": "Save", "saved": "Grading scale saved.",
    "order": "Each letter must start below the previous one.", "terms": "Terms", "catalog": "Course catalog", "grade": "86.3",
}
FRENCH = {
    "lang": "fr-CA", "join": "Rejoindre", "home": "Accueil", "courses": "Cours", "grades": "Notes", "noor": "Noor", "leila": "Leïla",
    "marks": "Notes", "none": "Aucune note pour l’instant", "report": "Bulletin", "scale": "Barème", "letter": "B+ à partir de",
    "digits": "Décimales", "tenths": "1", "save": "Enregistrer",
    "saved": "Barème enregistré.", "order": "Chaque lettre doit commencer plus bas que la précédente.",
    "terms": "Périodes", "catalog": "Catalogue des cours", "grade": "86,3",
}
BOTH = pytest.mark.parametrize(
    "words,size", [(ENGLISH, PHONE), (ENGLISH, DESKTOP), (FRENCH, PHONE), (FRENCH, DESKTOP)],
    ids=["en-phone", "en-desktop", "fr-phone", "fr-desktop"])


def marked(school, course, title, marks, maximum="20"):
    """A released item of a course with these students' scores."""
    api = f"/api/v1/courses/{course}/gradebook"
    item = school.owner.post(f"{api}/items", {"title": title, "category": "assignments", "maximum": maximum})["id"].lower()
    for child, mark in marks.items():
        school.owner.post(f"{api}/items/{item}/marks/{school.children[child]}", {"text": mark, "version": 0})
    school.owner.post(f"{api}/items/{item}/release", {"isReleased": True})


def parent_of(visit, server, school, children, words, size):
    """A person with an account who accepts the mailed invitations about her children."""
    parent = server.sign_up("Pia Aziz")
    page = None
    for child in children:
        for mail in (server.data / "outbox").glob("*.eml"):
            mail.unlink()
        contact = school.owner.post(
            f"/api/v1/students/{school.children[child]}/contacts", {"fullName": "Pia Aziz", "email": parent.email})
        school.owner.post(f"/api/v1/contacts/{contact['id'].lower()}/invite")
        path = link_to(server, parent.email)
        if page is None:
            page = visit(parent, path, size=size, language=words["lang"])
        else:
            page.open(path)
        page.button(words["join"]).click()
        page.is_at("/family")
    return page


@BOTH
def test_a_parent_of_two_sees_the_courses_and_grades_of_each(visit, server, words, size):
    school = server.found_school()
    course = course_of(school, name="Algebra")
    for child in ["Noor Aziz", "Leïla Benali"]:
        school.owner.post(f"/api/v1/courses/{course}/people", {"studentId": school.children[child]})
    marked(school, course, "Essay", {"Noor Aziz": "17.25", "Leïla Benali": "12"})
    parent = parent_of(visit, server, school, ["Noor Aziz", "Leïla Benali"], words, size)
    main = parent.page.locator("#main")
    parent.open("/home")
    expect(main.get_by_text("Algebra").first).to_be_visible()
    parent.tab(words["courses"]).click()
    parent.row("Algebra").click()
    expect(parent.heading("Algebra")).to_be_visible()
    parent.open(f"/courses/{course}/grades")
    # One switcher; the page shows one child only.
    switcher = main.locator(".pt-segmented")
    expect(switcher).to_contain_text(words["noor"])
    switcher.get_by_text(words["noor"]).click()
    expect(main).to_contain_text("86")
    expect(main).not_to_contain_text("60")
    switcher.get_by_text(words["leila"]).click()
    expect(main).to_contain_text("60")
    expect(main).not_to_contain_text("86")
    # Parents see no other students and grades.
    assert "Dario" not in main.inner_text()
    # The other pages remember the child that was chosen.
    chosen = main.locator(".pt-segmented [aria-current], .pt-segmented [aria-checked=true], .pt-segmented :checked + *")
    for path in ["/grades", "/family"]:
        parent.open(path)
        expect(chosen.first).to_contain_text(words["leila"])
    # Home shows the work of that child.
    assignment = school.owner.post(
        f"/api/v1/courses/{course}/assignments", {"title": "Silk road", "points": "20", "kinds": ["text"]})["id"].lower()
    school.owner.post(f"/api/v1/assignments/{assignment}/publish", {"isPublished": True})
    parent.open("/home")
    for child, count in [("Leïla Benali", 1), ("Noor Aziz", 0)]:
        student = school.children[child].lower()
        expect(main.locator(f'a[href*="/assignments/{assignment}"][href*="student={student}"]')).to_have_count(count)


@pytest.mark.requirement("WW-6.04.b")
@BOTH
def test_an_administrator_sees_all_courses_and_decides_what_letters_mean(visit, server, words, size):
    school = server.found_school()
    course = course_of(school, name="Algebra")
    school.owner.post(f"/api/v1/courses/{course}/people", {"studentId": school.children["Noor Aziz"]})
    marked(school, course, "Essay", {"Noor Aziz": "17.25"})
    admin = visit(school.colleague("Ida Chef", role="admin"), "/courses", size=size, language=words["lang"])
    main = admin.page.locator("#main")
    expect(admin.row("Algebra")).to_be_visible()
    admin.open(f"/courses/{course}/gradebook")
    row = admin.page.locator("pt-gradebook tbody tr").first
    expect(row).to_contain_text("B")
    admin.open("/settings")
    admin.link(words["scale"]).click()
    admin.expects("422")
    letter = admin.field(words["letter"])
    letter.fill("70")
    admin.button(words["save"]).click()
    expect(main.get_by_text(words["order"]).first).to_be_visible()
    # The input is still there and corrected.
    expect(letter).to_have_value("70")
    letter.fill("86")
    admin.field(words["digits"]).select_option(label=words["tenths"])
    admin.button(words["save"]).click()
    expect(admin.page.get_by_text(words["saved"]).first).to_be_visible()
    admin.open(f"/courses/{course}/gradebook")
    expect(row).to_contain_text(words["grade"])
    expect(row).to_contain_text("B+")
