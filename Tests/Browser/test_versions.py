"""Two people edit the same text; the later save gets a conflict, and neither text is lost."""
import re
from datetime import date

import pytest
from residence import person_id
from playwright.sync_api import expect
from test_assignments import assignment_of, pupil_of
from test_courses import course_of
from test_grades import Book
from test_lessons import lesson_of
from test_quiz import quiz_of


FORM = "form:has([name=version])"
SAVE = re.compile("^Save( draft| question| criterion| name)?$")


def saved(answer):
    return answer.request.method == "POST" and answer.status < 400


def observation(school):
    child = school.children["Noor Aziz"]
    note = school.owner.post(f"/api/v1/students/{child}/observations", {"content": "First words"})["id"].lower()
    return f"/students/{child}/observations/{note}", "Note"


def lesson(school):
    course = course_of(school)
    return f"/courses/{course}/lessons/{lesson_of(school, course)['id'].lower()}/edit", "Text"


def student(school):
    return f"/students/{school.children['Noor Aziz']}/edit", "Notes"


def family_text(school):
    child = school.children["Noor Aziz"]
    school.owner.post(f"/api/v1/students/{child}/observations", {"content": "Built the tower."})
    made = school.owner.post(f"/api/v1/students/{child}/summaries", {"language": "en"})
    return f"/students/{child}/texts/{made['id'].lower()}", "Text for parents"


def course(school):
    return f"/courses/{course_of(school)}/edit", "Description"


def classroom(school):
    return f"{school.path('Maple room')}/edit", "Classroom name"


def planned(school, kind):
    child = school.children["Noor Aziz"]
    made = school.owner.post(f"/api/v1/students/{child}/work", {"kind": kind, "title": "Golden beads"})
    return f"/students/{child}/plans/{made['id'].lower()}", "Details"


def child_lesson(school):
    return planned(school, "lesson")


def child_task(school):
    return planned(school, "task")


def habit(school):
    child = school.children["Noor Aziz"]
    school.owner.post(f"/api/v1/students/{child}/habits", {"name": "Hang up the coat"})
    return f"/students/{child}/habits", "Habit"


def quiz(school):
    return f"/quizzes/{quiz_of(school, course_of(school))}/settings", "Description"


def question(school):
    made = quiz_of(school, course_of(school))
    [first, *_] = school.owner.get(f"/api/v1/quizzes/{made}")["questions"]
    return f"/quizzes/{made}/questions/{first['id'].lower()}", "Question"


def residence_of(school):
    return school.owner.post("/api/v1/residences", {
        "name": "Birch House", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"})["id"].lower()


def residence(school):
    return f"/residences/{residence_of(school)}/edit", "Name"


def room(school):
    home = f"/residences/{residence_of(school)}"
    made = school.owner.post(f"/api/v1{home}/rooms", {"number": "101", "type": "Twin", "bedCount": 2})
    return f"{home}/rooms/{made['id'].lower()}/edit", "Details"


def material(school):
    entries = school.owner.get("/api/v1/curriculum")["items"]
    [tower] = [entry["id"].lower() for entry in entries if entry["name"] == "Pink Tower"]
    return f"/settings/curriculum/{tower}/edit", "Name"


def assignment(school):
    return f"/assignments/{assignment_of(school, course_of(school))}/edit", "Instructions"


def coursework_score(school):
    course = course_of(school)
    pupil = person_id(pupil_of(school, course))
    return f"/assignments/{assignment_of(school, course)}/marking/{pupil}", "Comment"


def grade_item(school):
    book = Book(school, [])
    return f"{book.path}/{book.items['Essay']}", "Title"


def score(school):
    book = Book(school, ["Mia Roy"])
    return f"{book.path}/{book.items['Essay']}/{book.ids['Mia Roy']}", "Comment"


def contact(school):
    child = school.children["Noor Aziz"]
    school.owner.post(f"/api/v1/students/{child}/contacts", {"fullName": "Amal Aziz"})
    return f"/students/{child}/contacts", "Full name"


def module(school):
    course = course_of(school)
    made = school.owner.post(f"/api/v1/courses/{course}/modules", {"title": "Week 2"})["id"].lower()
    return f"/courses/{course}/modules/{made}", "Title"


def term(school):
    made = school.owner.post(
        "/api/v1/terms", {"name": "Autumn", "firstDay": "2026-09-01", "lastDay": "2026-12-18"})["id"].lower()
    return f"/settings/terms/{made}", "Name"


def resident(school):
    home = f"/residences/{residence_of(school)}"
    person = person_id(school.colleague("Yuki Tanaka", role="student"))
    school.owner.post(f"/api/v1{home}/students", {"studentId": person})
    return f"{home}/residents/{person}", "Phone"


def menu(school):
    return f"/residences/{residence_of(school)}/meals/edit?day={date.today()}", "Lunch"


def criterion(school):
    assignment = assignment_of(school, course_of(school))
    made = school.owner.post(f"/api/v1/assignments/{assignment}/rubric", {
        "title": "Sources", "title1": "Few", "points1": "1", "title2": "Many", "points2": "2"})["id"].lower()
    return f"/assignments/{assignment}/rubric?criterion={made}", "Criterion"


def member(school):
    return f"/settings/members/{person_id(school.colleague('Yuki Tanaka'))}", "First name"


def scale(school):
    return "/settings/grading", "A+ from"


FORMS = [
    contact, module, term, resident, menu, criterion, member, scale,
    observation, lesson, student, family_text, course, classroom, child_lesson, child_task, habit, quiz, question,
    residence, room, material, assignment, coursework_score, grade_item, score,
]
#: The controls that show a form which is in a sheet or folded away.
OPENERS = {
    "habit": re.compile("Hang up the coat|words"), "contact": re.compile("Amal Aziz|words"), "grade_item": "Edit",
    "quest_routine": "Name and weekdays",
}
#: What the two people write where the field takes no words.
TEXTS = {"scale": ("98.5", "99"), "resident": ("+1 514 555 0101", "+1 514 555 0102")}


def reveal(visitor, make):
    """Opens the sheet or fold in which a form is."""
    if (opener := OPENERS.get(make)) and not visitor.page.locator(FORM).is_visible():
        main = visitor.page.locator("#main")
        main.locator("summary", has_text=opener).or_(main.get_by_text(opener, exact=True)).first.click()

def field(visitor, label):
    return visitor.page.locator(FORM).get_by_label(label, exact=True)


def refresh(visitor, path):
    """The open page refreshes, as after every event."""
    with visitor.page.expect_response(lambda answer: path in answer.url and "/api/" not in answer.url and answer.ok):
        visitor.page.evaluate("dispatchEvent(new Event('online'))")


def clash(first, second, path, label, name):
    """Two visitors change one form; the second is refused, sees both texts and saves its own."""
    second.expects("409")
    hers, his = TEXTS.get(name, ("Ana's words", "Benoît's words"))
    for visitor, words in [(first, hers), (second, his)]:
        reveal(visitor, name)
        field(visitor, label).fill(words)
    with first.page.expect_response(saved):
        first.page.locator(FORM).get_by_role("button", name=SAVE).click()

    refresh(second, path)
    text = field(second, label)
    expect(text).to_have_value(his)
    save = second.page.locator(FORM).get_by_role("button", name=SAVE)
    save.click()
    expect(second.page.locator(".pt-form__errors")).to_be_visible()
    expect(second.page.locator(".pt-section", has_text=hers).last).to_contain_text("Saved by Ana Ruiz")
    expect(text).to_have_value(his)
    # The input survives another refresh.
    refresh(second, path)
    expect(text).to_have_value(his)
    # The second person sees both and chooses their own.
    with second.page.expect_response(saved):
        save.click()
    second.open(path)
    reveal(second, name)
    expect(field(second, label)).to_have_value(his)


@pytest.mark.parametrize("make", FORMS, ids=[make.__name__ for make in FORMS])
def test_a_form_that_was_begun_keeps_the_version_it_was_opened_with(visit, school, make):
    colleague = school.colleague("Benoît Côté", role="admin")
    path, label = make(school)
    clash(visit(school.owner, path), visit(colleague, path), path, label, make.__name__)


@pytest.mark.parametrize("form", ["quest_routine", "quest_task"])
def test_a_quest_that_is_changed_on_two_devices_keeps_both_texts(visit, school, form):
    parent = school.owner
    player = parent.post("/api/v1/quest/players", {"name": "Noor"})["id"].lower()
    routine = parent.post(
        f"/api/v1/quest/players/{player}/routines", {"name": "Morning", "activeDays": ["1"]})["id"].lower()
    [task] = parent.post(f"/api/v1/quest/routines/{routine}/tasks", {"name": "Dress"})["tasks"]
    path, label = {
        "quest_routine": (f"/quest/routines/{routine}", "Quest name"),
        "quest_task": (f"/quest/routines/{routine}/tasks/{task['id'].lower()}", "Task name"),
    }[form]
    clash(visit(parent, path), visit(parent, path), path, label, form)


def test_a_diet_that_is_changed_on_two_devices_keeps_both_texts(visit, school):
    resident = school.colleague("Ana Ruiz", role="student")
    school.owner.post(f"/api/v1/residences/{residence_of(school)}/students", {"studentId": person_id(resident)})
    clash(visit(resident, "/meals/diet"), visit(resident, "/meals/diet"), "/meals/diet", "Allergies", "diet")


def test_saving_one_form_keeps_what_is_set_in_another_form_of_the_page(visit, school):
    owner = visit(school.owner, "/settings/organization")
    required = owner.page.locator("[name=isRequired]")
    required.check()
    owner.page.get_by_label("School name").fill("Oak School")
    name = owner.page.locator("main form").filter(has=owner.page.get_by_label("School name"))
    with owner.page.expect_response(saved):
        name.get_by_role("button", name="Save").click()
    expect(required).to_be_checked()
    expect(owner.page.get_by_label("School name")).to_have_value("Oak School")
