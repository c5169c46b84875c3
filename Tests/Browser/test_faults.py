"""Bad input, no network, double clicks: no input is lost and every fault is shown."""

import uuid

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD


def test_a_faulty_sign_up_names_all_faults_at_once_and_keeps_what_was_typed(visit, server):
    guide = visit(at=server, path="/sign-up")
    guide.expects("422")
    guide.field("Email").fill("not an address")
    guide.field("Password").fill("short")
    with guide.page.expect_response("**/sign-up") as answer:
        guide.button("Create an account").click()
    assert "short" not in answer.value.text(), "a page never carries a password back"
    for label in ["Your name", "Email", "Password", "Date of birth", "I agree to the Terms of Service and the Privacy Policy"]:
        expect(guide.field(label)).to_have_attribute("aria-invalid", "true")
        described = guide.field(label).get_attribute("aria-describedby").split()
        assert any(guide.page.locator(f"[id='{one}'].pt-field__error").count() for one in described), label
    expect(guide.page.locator(".pt-field__error")).to_have_count(5)
    expect(guide.page.get_by_text("5 fields need attention")).to_be_visible()
    expect(guide.field("Email")).to_have_value("not an address")
    guide.field("Your name").fill("Amina Diallo")
    guide.field("Email").fill(f"{uuid.uuid4().hex}@test.example")
    guide.field("Password").fill(PASSWORD)
    guide.field("Date of birth").fill("1990-02-28")
    guide.field("I agree to the Terms of Service and the Privacy Policy").check()
    guide.button("Create an account").click()
    guide.is_at("/welcome")


def test_a_wrong_password_gets_one_message_that_does_not_reveal_the_account(visit, school):
    guide = visit(at=school.owner.server, path="/sign-in")
    guide.expects("401|422")
    for email in [school.owner.email, "nobody@test.example"]:
        guide.field("Email").fill(email)
        guide.field("Password").fill("not the password")
        guide.button("Sign in").click()
        expect(guide.page.get_by_text("The email or the password is wrong.").first).to_be_visible()
        expect(guide.field("Email")).to_have_value(email)


def test_an_unknown_page_says_so_and_leads_back(visit, school):
    guide = visit(school.owner)
    guide.expects("404")
    for path in ["/nothing/here", "/students/01a1fe41-e366-7519-8714-85f00e8f6637", "/students/xyz"]:
        assert guide.open(path).status == 404, path
        expect(guide.page.get_by_role("heading", name="Page not found")).to_be_visible()
    guide.link("Go to home page").click()
    guide.is_at(school.path("Maple room"))


@pytest.mark.requirement("WW-19.01.a", "WW-19.01.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_double_click_creates_once(visit, school, size):
    guide = visit(school.owner, school.path("Maple room") + "?sheet=new-student", size=size, worker=True)
    # Requests bypass `route` while the worker takes over the page.
    guide.keeps_page()
    guide.sheet.get_by_label("First name").fill("Elif")
    button = guide.sheet.get_by_role("button", name="Add student")
    held = []
    guide.page.route("**/api/v1/students", lambda route: held.append(route))
    button.dblclick()
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("aria-busy", "true")
    guide.page.keyboard.press("Enter")
    # The button is busy before the request arrives here.
    for _ in range(250):
        if held:
            break
        guide.page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    expect(guide.row("Elif")).to_have_count(1)
    assert len(held) == 1
    assert sum(name == "Elif" for name in school.marks("Maple room")) == 1


def test_back_returns_to_the_place_in_the_list(visit, server):
    school = server.found_school(rooms={"Maple room": [f"Child {number:02}" for number in range(30)]})
    guide = visit(school.owner, school.path("Maple room"))
    row = guide.row("Child 25")
    row.scroll_into_view_if_needed()
    before = guide.page.evaluate("scrollY")
    assert before > 300
    guide.page.get_by_role("link", name="My Day").click()
    guide.is_at("/my-day")
    expect(guide.page.get_by_role("heading", level=2).first).to_contain_text("to mark")
    guide.page.go_back()
    expect(row).to_be_in_viewport()
    guide.page.wait_for_function("before => Math.abs(scrollY - before) < 3", arg=before)


def test_a_signed_out_visitor_comes_back_to_the_page_that_was_asked_for(visit, school):
    guide = visit(at=school.owner.server, path=school.path("Maple room"))
    guide.is_at("/sign-in.*")
    guide.field("Email").fill(school.owner.email)
    guide.field("Password").fill(PASSWORD)
    guide.button("Sign in").click()
    guide.is_at(school.path("Maple room"))


@pytest.mark.requirement("WW-8.04.c")
@pytest.mark.parametrize("lost", ["pt_access", "pt_refresh"])
def test_what_was_typed_survives_a_session_that_ended_meanwhile(visit, school, lost):
    guide = visit(school.owner, school.path("Maple room"))
    guide.expects("401")
    guide.link("Add student").click()
    guide.sheet.get_by_label("First name").fill("Elif")
    guide.page.context.clear_cookies(name=lost)
    if lost == "pt_refresh":
        guide.page.context.clear_cookies(name="pt_access")
    guide.sheet.get_by_role("button", name="Add student").click()
    if lost == "pt_refresh":
        guide.is_at("/sign-in.*")
        expect(guide.page.get_by_text("Your text is kept on this device; sign in to restore it.")).to_be_visible()
        guide.field("Email").fill(school.owner.email)
        guide.field("Password").fill(PASSWORD)
        guide.button("Sign in").click()
        guide.is_at(school.path("Maple room") + r"(\?sheet=new-student)?")
        expect(guide.page.get_by_label("First name")).to_have_value("Elif")
    else:
        expect(guide.row("Elif")).to_be_visible()


# --- Offline


def test_an_offline_tap_waits_and_is_sent_when_the_network_is_back(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    guide.is_marked("Noor Aziz", "unset")
    guide.page.context.set_offline(True)
    expect(guide.page.get_by_text("You are offline").first).to_be_visible()
    guide.tap("Noor Aziz")
    expect(guide.pill("Noor Aziz")).to_have_attribute("data-state", "present")
    expect(guide.pill("Noor Aziz")).to_have_attribute("data-sync", "pending")
    expect(guide.page.locator(".pt-outbox")).to_contain_text("(1)")
    guide.page.context.set_offline(False)
    guide.is_marked("Noor Aziz", "present")
    expect(guide.page.locator(".pt-offline:visible")).to_have_count(0)
    assert school.marks("Maple room")["Noor Aziz"] == "present"


@pytest.mark.requirement("WW-16.04.b")
def test_a_page_that_cannot_be_read_again_stays_and_says_why(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP, worker=True)
    guide.expects("ERR_FAILED|ERR_INTERNET_DISCONNECTED")
    expect(guide.row("Noor Aziz")).to_be_visible()
    guide.page.context.set_offline(True)
    guide.account_menu().get_by_role("link", name="Refresh").click()
    expect(guide.page.get_by_text("You are offline").first).to_be_visible()
    expect(guide.row("Noor Aziz")).to_be_visible()


def test_a_form_keeps_what_was_typed_while_offline(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    guide.link("Add student").click()
    guide.sheet.get_by_label("First name").fill("Elif")
    guide.page.context.set_offline(True)
    button = guide.sheet.get_by_role("button", name="Add student")
    button.click()
    expect(guide.toast("Not sent: you are offline.")).to_be_visible()
    expect(guide.sheet.get_by_label("First name")).to_have_value("Elif")
    guide.page.context.set_offline(False)
    expect(guide.sheet.get_by_label("First name")).to_have_value("Elif")
    button.click()
    expect(guide.row("Elif")).to_be_visible()


def test_a_page_that_was_seen_opens_without_network(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP, worker=True)
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    guide.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    guide.page.wait_for_function("navigator.serviceWorker.controller")
    # From now on requests go through the worker.
    guide.page.reload()
    guide.tab("Settings").click()
    guide.is_at("/settings")
    guide.page.context.set_offline(True)
    guide.page.goto(school.path("Maple room"))
    expect(guide.row("Noor Aziz")).to_be_visible()
    expect(guide.page.get_by_text("You are offline").first).to_be_visible()
    guide.page.goto("/settings/invites")
    expect(guide.page.get_by_text("This page was not opened on this device before")).to_be_visible()
