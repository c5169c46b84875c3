"""Unsaved input: it is restored, or leaving the page asks first."""

import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from test_courses import course_of
from test_lessons import lesson_of
from test_messages import ready, talk

ENGLISH = {
    "lang": "en-US", "text": "Text", "save": "Save", "back": "Back", "add": "Add files", "files": "Files", "title": "Title",
    "draft": "Unsaved text restored.", "discard": "Discard", "leave": "Leave without saving?", "yes": "Leave", "no": "Cancel",
    "added": "1 file added", "new": "Add lesson",
}
FRENCH = {
    "lang": "fr-CA", "text": "Texte", "save": "Enregistrer", "back": "Retour", "add": "Ajouter des fichiers", "files": "Fichiers",
    "title": "Titre", "draft": "Texte non enregistré restauré.", "discard": "Abandonner",
    "leave": "Quitter sans enregistrer\xa0?", "yes": "Quitter", "no": "Annuler", "added": "1 fichier ajouté", "new": "Ajouter une leçon",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])
DRAFTS = "Object.keys(localStorage).filter((name) => name.startsWith('pt-draft:')).length"


def lesson(school):
    course = course_of(school)
    return f"/courses/{course}/lessons/{lesson_of(school, course)['id'].lower()}"


def typed(visitor, words, text):
    """Types once the module of drafts is loaded, since a person would be slower than that."""
    ready(visitor, "drafts")
    visitor.field(words["text"]).fill(text)
    visitor.until(f"() => {DRAFTS} === 1")


@BOTH
def test_a_lesson_that_was_not_saved_comes_back_after_back_a_link_and_a_reload(visit, school, words, size):
    path = lesson(school)
    teacher = visit(school.owner, path, size=size, language=words["lang"])
    teacher.open(f"{path}/edit")
    typed(teacher, words, "Water flows.")
    text = teacher.field(words["text"])

    teacher.page.go_back()
    teacher.is_at(path)
    teacher.page.go_forward()
    expect(text).to_have_value("Water flows.")
    expect(teacher.page.locator(".pt-draft")).to_contain_text(words["draft"])

    teacher.page.reload()
    expect(text).to_have_value("Water flows.")

    teacher.link(words["back"]).first.click()
    teacher.is_at(path)
    expect(teacher.question).to_have_count(0)
    teacher.open(f"{path}/edit")
    expect(text).to_have_value("Water flows.")

    teacher.button(words["save"], exact=True).click()
    teacher.is_at(path)
    expect(teacher.page.get_by_text("Water flows.")).to_be_visible()
    assert teacher.page.evaluate(DRAFTS) == 0
    teacher.open(f"{path}/edit")
    expect(text).to_have_value("Water flows.")
    expect(teacher.page.locator(".pt-draft")).to_have_count(0)


@BOTH
def test_adding_files_keeps_what_is_typed_in_the_lesson(visit, school, words, size):
    path = lesson(school)
    teacher = visit(school.owner, f"{path}/edit", size=size, language=words["lang"])
    typed(teacher, words, "Water flows.")
    teacher.page.locator("input[type=file]").set_input_files(
        {"name": "sheet.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
    teacher.button(words["add"]).click()
    expect(teacher.page.get_by_text("sheet.pdf")).to_be_visible()
    expect(teacher.toast(words["added"])).to_be_visible()
    teacher.is_at(f"{path}/edit")
    expect(teacher.field(words["text"])).to_have_value("Water flows.")


@BOTH
def test_a_draft_is_discarded(visit, school, words, size):
    path = lesson(school)
    teacher = visit(school.owner, f"{path}/edit", size=size, language=words["lang"])
    before = teacher.field(words["text"]).input_value()
    typed(teacher, words, "Water flows.")
    teacher.page.reload()
    expect(teacher.field(words["text"])).to_have_value("Water flows.")
    teacher.button(words["discard"]).click()
    expect(teacher.field(words["text"])).to_have_value(before)
    expect(teacher.page.locator(".pt-draft")).to_have_count(0)
    assert teacher.page.evaluate(DRAFTS) == 0
    assert teacher.page.evaluate("document.activeElement.matches('form.pt-form input')")


def test_a_draft_over_an_older_version_does_not_overwrite_what_was_saved_meanwhile(visit, school):
    colleague = school.colleague("Benoît Côté", role="admin")
    path = lesson(school)
    first = visit(school.owner, f"{path}/edit")
    first.expects("409")
    typed(first, ENGLISH, "Mine")
    first.open("/settings")
    other = visit(colleague, f"{path}/edit")
    other.field("Text").fill("Their version")
    other.button("Save", exact=True).click()
    other.is_at(path)
    first.open(f"{path}/edit")
    expect(first.field("Text")).to_have_value("Mine")
    first.button("Save", exact=True).click()
    expect(first.page.locator(".pt-form__errors")).to_be_visible()
    expect(first.field("Text")).to_have_value("Mine")


def test_a_draft_is_only_on_the_device_of_its_writer(visit, school):
    path = lesson(school)
    teacher = visit(school.owner, f"{path}/edit")
    typed(teacher, ENGLISH, "Water flows.")
    teacher.account_menu().get_by_role("button", name="Sign out").click()
    expect(teacher.page).to_have_url(re.compile("/sign-in"))
    assert teacher.page.evaluate(DRAFTS) == 0


@BOTH
def test_leaving_a_form_without_a_draft_asks_first(visit, school, words, size):
    course = course_of(school)
    module = school.owner.post(f"/api/v1/courses/{course}/modules", {"title": "Week 1"})["id"].lower()
    path = f"/courses/{course}/modules/{module}"
    teacher = visit(school.owner, f"/courses/{course}", size=size, language=words["lang"])
    # By a link, as people do: Back from a fully loaded page is handled by the browser.
    teacher.page.evaluate(
        """(path) => { const link = document.createElement("a"); link.href = path; document.body.append(link); link.click(); }""",
        path)
    teacher.is_at(path)
    field = teacher.page.locator("#form-module-title")
    field.fill("Week one")
    teacher.link(words["back"]).first.click()
    expect(teacher.question).to_contain_text(words["leave"])
    teacher.question.get_by_role("button", name=words["no"]).click()
    teacher.is_at(path)
    expect(field).to_have_value("Week one")
    teacher.page.go_back()
    expect(teacher.question).to_contain_text(words["leave"])
    teacher.question.get_by_role("button", name=words["no"]).click()
    teacher.is_at(path)
    expect(field).to_have_value("Week one")
    teacher.link(words["back"]).first.click()
    teacher.question.get_by_role("button", name=words["yes"]).click()
    teacher.is_at(f"/courses/{course}")


def test_a_new_lesson_is_saved_with_its_files(visit, school):
    course = course_of(school)
    module = school.owner.post(f"/api/v1/courses/{course}/modules", {"title": "Week 1"})["id"].lower()
    teacher = visit(school.owner, f"/courses/{course}/modules/{module}/new")
    teacher.field("Title").fill("Water")
    teacher.page.locator("input[type=file]").set_input_files(
        {"name": "sheet.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
    teacher.button("Save", exact=True).click()
    expect(teacher.heading("Water")).to_be_visible()
    expect(teacher.page.get_by_text("sheet.pdf")).to_be_visible()


def test_text_typed_in_one_conversation_is_not_in_another(visit, school):
    claire, tom = school.colleague("Claire O’Neill"), school.colleague("Tom Okafor")
    first, second = talk(school, claire, "Hello"), talk(school, tom, "Hi")
    owner = visit(school.owner, first, size=DESKTOP)
    ready(owner, "drafts")
    owner.field("Message").fill("For Claire alone")
    owner.page.locator(".pt-talk__list").get_by_text("Tom Okafor").click()
    owner.is_at(second)
    expect(owner.field("Message")).to_have_value("")
    owner.page.locator(".pt-talk__list").get_by_text("Claire O’Neill").click()
    owner.is_at(first)
    expect(owner.field("Message")).to_have_value("For Claire alone")
    owner.button("Send").click()
    expect(owner.field("Message")).to_have_value("")
    owner.page.reload()
    ready(owner, "drafts")
    expect(owner.field("Message")).to_have_value("")
