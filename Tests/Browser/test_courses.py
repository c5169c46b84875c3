"""A teacher creates a course, a student enrolls and reads, a parent looks, and the search finds everything."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

ENGLISH = {
    "lang": "en-US", "new": "New course", "name": "Name", "subject": "Subject", "schedule": "Schedule", "places": "Places",
    "approval": "Approval required", "save": "Save", "line 2": "Line 2 must start with a day", "module": "Add module",
    "title": "Title", "lesson": "Add lesson", "text": "Text", "seen": "Published", "catalog": "Course catalog",
    "request": "Request Enrollment", "pending": "Pending", "approve": "Approve", "people": "People", "begin": "Start",
    "done": "Mark as done", "half": "Lessons: 1 of 2", "continue": "Continue", "place": "Enrollment", "wait": "Waitlist",
    "drop": "Drop Course", "first": "Number 1 on the waitlist; you", "nobody": "No students in this course yet.",
    "search": "Search", "enrolled": "Enrolled", "asked": "Request sent.", "enroll": "Enroll", "in": "You are enrolled in Algèbre.", "courses": "Courses",
}
FRENCH = {
    "lang": "fr-CA", "new": "Nouveau cours", "name": "Nom", "subject": "Matière", "schedule": "Emploi du temps", "places": "Places",
    "approval": "Sur approbation", "save": "Enregistrer", "line 2": "La ligne 2 doit commencer par un jour",
    "module": "Ajouter un module", "title": "Titre", "lesson": "Ajouter une leçon", "text": "Texte",
    "seen": "Publiée", "catalog": "Catalogue des cours", "request": "Demander l’inscription",
    "pending": "En attente", "approve": "Approuver", "people": "Participants", "begin": "Commencer",
    "done": "Marquer comme terminée", "half": "Leçons : 1 sur 2", "continue": "Continuer", "place": "Inscription",
    "wait": "Liste d’attente", "drop": "Abandonner le cours", "first": "Numéro 1 sur la liste d’attente ; l’inscription",
    "nobody": "Aucun élève dans ce cours pour l’instant.", "search": "Recherche", "enrolled": "Inscrit",
    "asked": "Demande envoyée.", "enroll": "S’inscrire", "in": "Vous êtes inscrit à Algèbre.", "courses": "Cours",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])


def course_of(school, **more):
    """A course of the founder with two lessons."""
    body = {"name": "Algèbre", "subject": "Mathematics", "details": "Letters for numbers.", **more}
    course = school.owner.post("/api/v1/courses", body)["id"].lower()
    module = school.owner.post(f"/api/v1/courses/{course}/modules", {"title": "Week 1"})["id"].lower()
    for title in ["Fractions", "Percentages"]:
        school.owner.post(
            f"/api/v1/courses/modules/{module}/lessons",
            {"title": title, "content": "First half.\n\nSecond half.", "duration": 20, "published": True})
    return course


@pytest.mark.requirement("WW-0.08.b", "WW-0.08.f", "WW-7.04.a", "WW-7.07.b")
@BOTH
def test_a_course_is_created_requested_and_read(visit, server, words, size):
    school = server.found_school()
    student = school.colleague("Mia Roy", role="student")
    teacher = visit(school.owner, "/courses", size=size, language=words["lang"])
    teacher.expects("422")
    teacher.page.get_by_role("link", name=words["new"]).first.click()
    teacher.field(words["name"]).fill("Algebra")
    teacher.field(words["subject"]).fill("Mathematics")
    teacher.field(words["schedule"]).fill("Mon 9:00-10:00\nSomeday 9:00-10:00")
    teacher.page.get_by_label(words["approval"]).check()
    teacher.button(words["save"]).click()
    expect(teacher.page.get_by_text(words["line 2"])).to_be_visible()
    expect(teacher.field(words["name"])).to_have_value("Algebra")
    teacher.field(words["schedule"]).fill("Mon 9:00-10:00")
    teacher.button(words["save"]).click()
    expect(teacher.page.get_by_role("heading", level=1, name="Algebra")).to_be_visible()
    path = teacher.path
    teacher.page.get_by_text(words["module"]).first.click()
    teacher.sheet.get_by_label(words["title"]).fill("Week 1")
    teacher.sheet.get_by_role("button", name=words["module"]).click()
    expect(teacher.page.get_by_role("heading", name="Week 1")).to_be_visible()
    for title in ["Fractions", "Percentages"]:
        teacher.open(path)
        teacher.link(words["lesson"]).click()
        teacher.field(words["title"]).fill(title)
        teacher.field(words["text"]).fill("First half.\n\nSecond half.")
        teacher.page.get_by_label(words["seen"]).check()
        teacher.button(words["save"]).click()
        expect(teacher.page.get_by_role("heading", level=1, name=title)).to_be_visible()

    pupil = visit(student, "/courses/catalogue", size=size, language=words["lang"])
    pupil.row("Algebra").get_by_role("link").click()
    expect(pupil.page.get_by_role("heading", level=1, name="Algebra")).to_be_visible()
    expect(pupil.page.get_by_text("Fractions")).to_have_count(0)
    pupil.button(words["request"]).click()
    expect(pupil.toast(words["asked"])).to_be_visible()
    expect(pupil.page.get_by_text(words["pending"], exact=True)).to_be_visible()

    teacher.open(f"{path}/people")
    teacher.row("Mia Roy").get_by_role("button", name=words["approve"]).click()
    expect(teacher.page.get_by_role("button", name=words["approve"])).to_have_count(0)
    expect(teacher.row("Mia Roy")).to_be_visible()

    # The student's open page updates.
    expect(pupil.row("Fractions")).to_be_visible()
    pupil.page.get_by_role("link", name=words["begin"]).click()
    expect(pupil.page.get_by_role("heading", level=1, name="Fractions")).to_be_visible()
    expect(pupil.page.get_by_text("Second half.")).to_be_visible()
    pupil.button(words["done"]).click()
    expect(pupil.button(words["done"])).to_have_count(0)
    pupil.open(path)
    expect(pupil.page.get_by_text(words["half"]).first).to_be_visible()
    pupil.page.get_by_role("link", name=words["continue"]).click()
    expect(pupil.page.get_by_role("heading", level=1, name="Percentages")).to_be_visible()


@pytest.mark.requirement("WW-7.08.a", "WW-7.09.b")
@BOTH
def test_a_full_course_has_a_waitlist_and_a_drop_lets_the_next_in(visit, server, words, size):
    school = server.found_school()
    course = course_of(school, capacity=1)
    first, second = (school.colleague(name, role="student") for name in ["Mia Roy", "Noah Roy"])
    first.post(f"/api/v1/courses/{course}/enroll", {})
    waiting = visit(second, f"/courses/{course}", size=size, language=words["lang"])
    waiting.button(words["wait"]).click()
    expect(waiting.page.get_by_text(words["first"]).first).to_be_visible()
    leaving = visit(first, f"/courses/{course}", size=size, language=words["lang"])
    leaving.button(words["drop"]).click()
    leaving.question.get_by_role("button", name=words["drop"]).click()
    expect(leaving.button(words["drop"])).to_have_count(0)
    expect(waiting.page.get_by_text(words["enrolled"], exact=True)).to_be_visible()
    expect(waiting.row("Fractions")).to_be_visible()


@pytest.mark.requirement("WW-14.01.d", "WW-14.03.f")
def test_everyone_finds_an_offered_course_and_its_students_find_the_lessons(visit, server):
    school = server.found_school(rooms={"Maple room": ["Noor Aziz"]})
    course = course_of(school)
    inside, outside = (school.colleague(name, role="student") for name in ["Mia Roy", "Noah Roy"])
    inside.post(f"/api/v1/courses/{course}/enroll", {})
    student = visit(inside, "/search?q=algebre")
    expect(student.row("Algèbre")).to_be_visible()
    student.open("/search?q=fractoins")
    expect(student.page.get_by_text("Showing results for “fractions”")).to_be_visible()
    student.row("Fractions").get_by_role("link").click()
    expect(student.page.get_by_role("heading", level=1, name="Fractions")).to_be_visible()
    other = visit(outside, "/search?q=fractions")
    expect(other.page.get_by_text("No results")).to_be_visible()
    other.open("/search?q=noor")
    expect(other.page.get_by_text("No results")).to_be_visible()


@pytest.mark.requirement("WW-7.02.b")
def test_the_catalog_is_narrowed_and_searched(visit, server):
    school = server.found_school()
    course_of(school)
    course_of(school, name="Painting", subject="Arts")
    student = visit(school.colleague("Mia Roy", role="student"), "/courses/catalogue")
    expect(student.row("Painting")).to_be_visible()
    student.page.get_by_text("Filters").click()
    student.page.get_by_role("link", name="Arts", exact=True).click()
    expect(student.row("Algèbre")).to_have_count(0)
    expect(student.row("Painting")).to_be_visible()
    student.is_at(r"/courses/catalogue\?subject=Arts")
    student.open("/courses/catalogue?q=letters+algebre")
    expect(student.row("Algèbre")).to_be_visible()
    student.open("/courses/catalogue?q=zzz")
    expect(student.page.get_by_role("heading", name="No matching courses")).to_be_visible()
    assert re.search(r"Algèbre", str(school.owner.get("/api/v1/catalogue?q=ALGEBRE")))


@pytest.mark.requirement("WW-1.12.a", "WW-1.12.b", "WW-1.12.c", "WW-1.14.a")
def test_links_from_elsewhere_open_their_page(visit, server):
    school = server.found_school()
    course = course_of(school, schedule="Mon 9:00-10:00 Studio")
    student = visit(school.owner, f"/open?link=wolfwhale://course/{course}")
    student.is_at(f"/courses/{course}")
    student.open(f"/open?link=course:{course.upper()}")
    student.is_at(f"/courses/{course}")
    student.open("/open?link=web%2Bwolfwhale%3A%2F%2Fgrades")
    student.is_at("/grades")
    student.open("/open?link=wolfwhale://assignments")
    student.is_at("/assignments")
    student.open("/open?link=wolfwhale://schedule")
    student.is_at("/schedule")
    student.open("/open?link=schedule")
    student.is_at("/schedule")
    expect(student.page.get_by_role("heading", name="Monday")).to_be_visible()
    expect(student.row("Algèbre")).to_contain_text("Studio")
    student.open(f"/open?link=%2Fcourses%2F{course}%3Fa%3Db")
    student.is_at(rf"/courses/{course}\?a=b")
    student.expects("404")
    student.open("/open?link=%2F%2Fevil.example")
    student.is_at(r"/open\?link=.*")
    student.open("/open?link=wolfwhale://course/https://evil.example")
    expect(student.page.get_by_role("heading", level=1)).not_to_have_text("Algèbre")
    student.is_at(r"/open\?link=.*")


@pytest.mark.requirement("WW-7.03.b")
@BOTH
def test_an_enrolled_student_is_notified(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    student = visit(school.colleague("Mia Roy", role="student"), f"/courses/{course}", size=size, language=words["lang"])
    student.button(words["enroll"], exact=True).click()
    told = student.page.locator("#pt-toasts .pt-celebration")
    expect(told).to_be_visible()
    expect(told).to_contain_text(words["in"])
    expect(told.locator(".pt-burst__check")).to_have_count(1)
    expect(student.page.get_by_text(words["enrolled"], exact=True)).to_be_visible()
