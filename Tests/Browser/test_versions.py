"""Two people edit the same text; the later save gets a conflict, and neither text is lost."""
import re

import pytest
from playwright.sync_api import expect
from test_courses import course_of
from test_lessons import lesson_of


FORM = "form:has([name=version])"
SAVE = re.compile("^Save( draft)?$")


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


FORMS = [observation, lesson, student, family_text]


@pytest.mark.parametrize("make", FORMS, ids=[make.__name__ for make in FORMS])
def test_a_form_that_was_begun_keeps_the_version_it_was_opened_with(visit, school, make):
    colleague = school.colleague("Benoît Côté", role="admin")
    path, label = make(school)
    first, second = visit(school.owner, path), visit(colleague, path)
    second.expects("409")
    for visitor, words in [(first, "Ana's words"), (second, "Benoît's words")]:
        visitor.page.get_by_label(label, exact=True).fill(words)
    with first.page.expect_response(saved):
        first.page.locator(FORM).get_by_role("button", name=SAVE).click()

    # The open page refreshes, as after every event.
    text = second.page.get_by_label(label, exact=True)
    with second.page.expect_response(lambda answer: answer.url.endswith(path) and answer.ok):
        second.page.evaluate("dispatchEvent(new Event('online'))")
    expect(text).to_have_value("Benoît's words")
    save = second.page.locator(FORM).get_by_role("button", name=SAVE)
    save.click()
    expect(second.page.locator(".pt-form__errors")).to_be_visible()
    expect(second.page.locator(".pt-section", has_text="Ana's words")).to_contain_text("Saved by Ana Ruiz")
    expect(text).to_have_value("Benoît's words")
    # The input survives another refresh.
    with second.page.expect_response(lambda answer: answer.url.endswith(path) and answer.ok):
        second.page.evaluate("dispatchEvent(new Event('online'))")
    expect(text).to_have_value("Benoît's words")
    # Benoît sees both and chooses his own.
    with second.page.expect_response(saved):
        save.click()
    second.open(path)
    expect(second.page.get_by_label(label, exact=True)).to_have_value("Benoît's words")


def test_saving_one_form_keeps_what_is_set_in_another_form_of_the_page(visit, school):
    owner = visit(school.owner, "/settings/organization")
    required = owner.page.locator("[name=isRequired]")
    required.check(force=True)
    owner.page.get_by_label("School name").fill("Oak School")
    name = owner.page.locator("main form").filter(has=owner.page.get_by_label("School name"))
    with owner.page.expect_response(saved):
        name.get_by_role("button", name="Save").click()
    expect(required).to_be_checked()
    expect(owner.page.get_by_label("School name")).to_have_value("Oak School")
