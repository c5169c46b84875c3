"""A teacher gives an assignment, students hand it in with and without a network, the teacher marks a class by keyboard."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from test_courses import course_of
from words import Words

BOTH = pytest.mark.parametrize(
    "words,size", [(Words("en-US"), PHONE), (Words("fr-CA"), DESKTOP)], ids=["en-phone", "fr-desktop"])
NO_NETWORK = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED"


def assignment_of(school, course, **more):
    """A published assignment without a due time."""
    body = {"title": "Silk road", "points": "20", "kinds": ["text", "files", "scan", "drawing", "link"],
            **more}
    one = school.owner.post(f"/api/v1/courses/{course}/assignments", body)["id"].lower()
    school.owner.post(f"/api/v1/assignments/{one}/publish", {"isPublished": True})
    return one


def pupil_of(school, course, name="Mia Roy"):
    person = school.colleague(name, role="student")
    person.post(f"/api/v1/courses/{course}/enroll", {})
    return person


@pytest.mark.requirement("WW-0.09.c")
@BOTH
def test_an_assignment_is_published_handed_in_scored_and_returned(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    teacher = visit(school.owner, f"/courses/{course}", size=size, language=words.locale)
    teacher.page.get_by_role("link", name=words("coursework.course.tip")).click()
    teacher.page.get_by_role("link", name=words("coursework.add")).first.click()
    teacher.field(words("coursework.form.title")).fill("Silk road")
    teacher.field(words("coursework.form.instructions")).fill("Draw a map.\n\n- six towns\n- **two** ways")
    teacher.button(words("coursework.form.saveDraft")).click()
    expect(teacher.page.get_by_text(words("coursework.draftBanner"))).to_be_visible()
    path = teacher.path

    pupil = visit(student, "/assignments", size=size, language=words.locale)
    expect(pupil.page.get_by_text(words("coursework.none"))).to_be_visible()
    teacher.button(words("coursework.publish")).click()
    expect(teacher.page.get_by_text(words("coursework.draftBanner"))).to_have_count(0)
    # The student's open page shows it by itself.
    pupil.row("Silk road").get_by_role("link").click()
    expect(pupil.page.get_by_text("six towns")).to_be_visible()
    pupil.field(words("coursework.kind.text")).fill("My route starts in Chang’an.")
    pupil.button(words("coursework.saveDraft")).click()
    expect(pupil.toast(words("coursework.said.draftSaved"))).to_be_visible()
    pupil.page.get_by_label(words("coursework.addFiles")).set_input_files(
        [{"name": "carte été #1.txt", "mimeType": "text/plain", "buffer": b"Samarkand, Dunhuang"}])
    pupil.button(words("coursework.handIn"), exact=True).click()
    expect(pupil.page.get_by_text(words("coursework.receipt"))).to_be_visible()
    expect(pupil.page.get_by_text("carte été #1.txt").first).to_be_visible()

    teacher.open(path)
    teacher.page.get_by_role("link", name="Mia Roy").click()
    expect(teacher.page.get_by_text("Samarkand, Dunhuang")).to_be_visible()
    teacher.field(words("coursework.points")).fill("17.5")
    teacher.field(words("coursework.comment")).fill("Strong map")
    teacher.button(words("coursework.save"), exact=True).click()
    expect(teacher.page.get_by_role("heading", level=1, name="Silk road")).to_be_visible()
    shown = "17.5" if words.language == "en" else "17,5"
    expect(teacher.page.get_by_role("cell", name=shown)).to_be_visible()
    pupil.open(path)
    expect(pupil.page.get_by_text("Strong map")).to_have_count(0)
    teacher.button(words("coursework.returnAll", 1)).click()
    teacher.question.get_by_role("button", name=words("coursework.return")).click()
    expect(pupil.page.get_by_text("Strong map")).to_be_visible()
    expect(pupil.page.locator("#main").get_by_text(words("coursework.scoreOf", shown, "20"))).to_be_visible()


@pytest.mark.parametrize("words", [Words("en-US"), Words("fr-CA")], ids=["en", "fr"])
def test_work_is_handed_in_once_from_a_device_without_a_network(visit, server, words):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    pupil = visit(student, f"/assignments/{one}", language=words.locale)
    pupil.expects(NO_NETWORK)
    pupil.keeps_page()
    pupil.page.context.set_offline(True)
    pupil.field(words("coursework.kind.text")).fill("Written on the train")
    pupil.page.get_by_label(words("coursework.addFiles")).set_input_files(
        [{"name": "notes.txt", "mimeType": "text/plain", "buffer": b"Platform 3"}])
    pupil.button(words("coursework.handIn"), exact=True).click()
    expect(pupil.page.locator(".pt-waiting > li")).to_have_count(1)
    assert school.owner.get(f"/api/v1/assignments/{one}/submissions")["items"] == []
    pupil.page.context.set_offline(False)
    expect(pupil.page.get_by_text(words("coursework.receipt"))).to_be_visible()
    made = school.owner.get(f"/api/v1/assignments/{one}/submissions")["items"]
    assert [(each["text"], [file["name"] for file in each["files"]]) for each in made] == [
        ("Written on the train", ["notes.txt"])]


def test_a_double_click_hands_in_once(visit, server):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course, attempts=0)
    pupil = visit(student, f"/assignments/{one}")
    pupil.field("Text").fill("Once")
    pupil.button("Hand in", exact=True).dblclick()
    expect(pupil.page.get_by_text("Receipt")).to_be_visible()
    assert len(school.owner.get(f"/api/v1/assignments/{one}/submissions")["items"]) == 1


def test_unsaved_text_stays_on_the_device(visit, server):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    pupil = visit(student, f"/assignments/{one}")
    pupil.field("Text").fill("Not saved yet")
    pupil.open("/assignments")
    pupil.open(f"/assignments/{one}")
    expect(pupil.field("Text")).to_have_value("Not saved yet")


def test_a_class_of_thirty_is_scored_by_keyboard(visit, server):
    names = [f"Child {number:02}" for number in range(30)]
    school = server.found_school(rooms={"Maple room": names})
    course = course_of(school)
    roster = school.owner.get(f"/api/v1/classrooms/{school.rooms['Maple room']}/roster")["items"]
    for entry in roster:
        school.owner.post(f"/api/v1/courses/{course}/people", {"studentId": entry["student"]["id"]})
    one = assignment_of(school, course, kinds=[])
    teacher = visit(school.owner, f"/assignments/{one}", size=DESKTOP)
    first = teacher.page.get_by_role("link", name="Child 00")
    first.focus()
    teacher.page.keyboard.press("Enter")
    expect(teacher.page.get_by_role("heading", level=1, name="Child 00")).to_be_visible()
    teacher.field("Score").focus()
    for number, name in enumerate(names):
        expect(teacher.page.get_by_role("heading", level=1, name=name)).to_be_visible()
        expect(teacher.field("Score")).to_be_focused()
        teacher.page.keyboard.type(str(number % 21))
        teacher.page.keyboard.press("Enter")
    expect(teacher.page.get_by_role("heading", level=1, name="Silk road")).to_be_visible()
    expect(teacher.page.get_by_role("button", name="Return all 30")).to_be_visible()
    expect(teacher.page.get_by_text(re.compile("^Marked$"))).not_to_have_count(0)
