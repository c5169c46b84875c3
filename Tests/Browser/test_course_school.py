"""A school for courses, on a server without the blocks of classrooms, from its founding to a first score and message."""

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from school import School, Server

from test_grades import cell, focus
from test_messages import row, said

ENGLISH = {
    "lang": "en-US", "teacher": "Teacher", "start": "Get started", "continue": "Continue", "school": "School name",
    "finish": "Finish", "new": "New course", "name": "Name", "subject": "Subject", "save": "Save", "courses": "Courses",
    "enroll": "Enroll", "in": "You are enrolled in Drawing.",
    "talk": "New conversation", "message": "Message", "send": "Send", "code": "Code", "join": "Join",
}
FRENCH = {
    "lang": "fr-CA", "teacher": "Enseignant", "start": "Commencer", "continue": "Continuer", "school": "Nom de l’école",
    "finish": "Terminer", "new": "Nouveau cours", "name": "Nom", "subject": "Matière", "save": "Enregistrer",
    "courses": "Cours", "enroll": "S’inscrire", "in": "Vous êtes inscrit à Drawing.", "talk": "Nouvelle conversation",
    "message": "Message", "send": "Envoyer", "code": "Code", "join": "Rejoindre",
}
#: The blocks of a school for courses, and those that they need.
BLOCKS = "Auth,Organization,Shell,Courses,Enrollment,Grading,Progress,Messaging"


@pytest.fixture
def course_server(tmp_path):
    made = Server(tmp_path / "data", tmp_path / "server.log", {"PINKTOWER_FEATURES": BLOCKS}).start()
    yield made
    made.stop()


@pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])
def test_a_school_for_courses_works_without_the_blocks_of_classrooms(course_server, visit, words, size):
    ana = course_server.sign_up("Ana Ruiz")
    teacher = visit(ana, "/", size=size, language=words["lang"])
    teacher.is_at("/welcome")
    teacher.page.get_by_role("radio", name=words["teacher"]).check()
    teacher.button(words["start"]).click()
    teacher.link(words["continue"]).click()
    teacher.is_at("/welcome/school")
    teacher.field(words["school"]).fill("Evening School")
    teacher.button(words["finish"]).click()
    teacher.is_at("/home")

    teacher.tab(words["courses"]).click()
    teacher.is_at("/courses")
    teacher.link(words["new"]).first.click()
    teacher.field(words["name"]).fill("Drawing")
    teacher.field(words["subject"]).fill("Art")
    teacher.button(words["save"]).click()
    expect(teacher.heading("Drawing")).to_be_visible()
    course = teacher.path

    school = School(ana, "", "Evening School")
    mia = course_server.sign_up("Mia Roy")
    student = visit(mia, "/join", size=size, language=words["lang"])
    student.field(words["code"]).fill(school.invite("student"))
    student.button(words["join"]).click()
    student.is_at("/home")
    student.open("/courses/catalogue")
    student.row("Drawing").get_by_role("link").click()
    student.button(words["enroll"]).click()
    expect(student.toast(words["in"])).to_be_visible()

    api = f"/api/v1{course}/gradebook"
    item = ana.post(f"{api}/items", {"title": "Portrait", "category": "assignments", "maximum": "20"})["id"].lower()
    teacher.open(f"{course}/gradebook")
    focus(teacher, 0, 0)
    teacher.page.keyboard.type("18")
    teacher.page.keyboard.press("Enter")
    expect(cell(teacher, 0, 0)).to_contain_text("18")
    ana.post(f"{api}/items/{item}/release", {"isReleased": True})
    student.open(f"{course}/grades")
    expect(student.row("Portrait")).to_contain_text("18")

    # Messages of students are off in a new school.
    ana.post("/api/v1/messages/policy", {"students": True, "channels": "writing"})
    student.open("/messages")
    student.link(words["talk"]).first.click()
    student.row("Ana Ruiz").get_by_role("button").click()
    student.field(words["message"]).fill("May I hand in another drawing?")
    student.button(words["send"]).click()
    expect(said(student)).to_have_text(["May I hand in another drawing?"])
    teacher.open("/messages")
    row(teacher, "Mia Roy").get_by_role("link").click()
    expect(said(teacher)).to_have_text(["May I hand in another drawing?"])
