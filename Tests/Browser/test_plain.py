"""Pages and forms without JavaScript."""

import pytest
from playwright.sync_api import expect

from conftest import PHONE
from school import PASSWORD


def test_a_guide_signs_in_marks_and_adds_a_student_without_scripts(visit, school):
    guide = visit(at=school.owner.server, path="/sign-in", script=False)
    guide.field("Email").fill(school.owner.email)
    guide.field("Password").fill(PASSWORD)
    guide.button("Sign in").click()
    guide.is_at(school.path("Maple room"))
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "absent")
    guide.link("Add student").click()
    guide.is_at(school.path("Maple room") + r"\?sheet=new-student")
    guide.sheet.get_by_label("First name").fill("Elif")
    guide.sheet.get_by_role("button", name="Add student").click()
    guide.is_at(school.path("Maple room"))
    expect(guide.row("Elif")).to_be_visible()
    expect(guide.page.locator("#pt-toasts")).to_contain_text("Elif")
    guide.page.reload()
    expect(guide.page.locator("#pt-toasts > *")).to_have_count(0)


def test_faults_are_shown_with_the_typed_text(visit, school):
    guide = visit(school.owner, school.path("Maple room") + "?sheet=new-student", script=False)
    guide.expects("422")
    guide.sheet.get_by_label("Last name").fill("Yılmaz")
    guide.page.evaluate("document.querySelectorAll('input').forEach(input => input.removeAttribute('maxlength'))")
    guide.sheet.get_by_label("First name").fill("Ayşe" * 30)
    guide.page.evaluate("document.querySelectorAll('form').forEach(form => form.noValidate = true)")
    guide.sheet.get_by_role("button", name="Add student").click()
    expect(guide.sheet.get_by_label("Last name")).to_have_value("Yılmaz")
    expect(guide.sheet.get_by_label("First name")).to_have_value("Ayşe" * 30)
    expect(guide.sheet.get_by_label("First name")).to_have_attribute("aria-invalid", "true")


def test_search_and_sign_out_work_without_scripts(visit, school):
    guide = visit(school.owner, "/search", script=False)
    guide.page.get_by_role("searchbox").fill("leila")
    guide.page.keyboard.press("Enter")
    expect(guide.row("Leïla Benali")).to_be_visible()
    guide.account_menu().get_by_role("button", name="Sign out").click()
    guide.is_at("/sign-in")
