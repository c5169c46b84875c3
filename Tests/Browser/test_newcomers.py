"""Students and parents who join, offers for this device, and deleting an account."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD

ENGLISH = {
    "lang": "en-US", "parent": "Parent", "student": "Student", "start": "Get started", "continue": "Continue",
    "child": "Student ID or email of your child", "ask": "Send request", "waiting": "Waiting for approval",
    "link": "Link", "linked": "linked to", "grade": "Grade level", "fourth": "Grade 4", "music": "Music",
    "next": "Next", "code": "Code", "delete": "Delete account", "password": "Current password",
    "understands": "I understand that this cannot be undone", "gone": "Account deleted",
    "do": "Delete my account",
}
FRENCH = {
    "lang": "fr-CA", "parent": "Parent", "student": "Élève", "start": "Commencer", "continue": "Continuer",
    "child": "Numéro d’élève ou courriel de votre enfant", "ask": "Envoyer la demande",
    "waiting": "En attente d’approbation", "link": "Lier", "linked": "Lien créé entre Luz Ruiz et", "grade": "Niveau",
    "fourth": "4e année", "music": "Musique", "next": "Suivant", "code": "Code", "delete": "Supprimer le compte",
    "password": "Mot de passe actuel", "understands": "Je comprends que c’est définitif",
    "gone": "Compte supprimé", "do": "Supprimer mon compte",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])


@pytest.mark.requirement("WW-15.01.c", "WW-15.04.b")
@BOTH
def test_a_parent_asks_for_a_child_and_the_school_agrees(visit, server, words):
    school = server.found_school()
    child = school.owner.get(f"/api/v1{school.path('Maple room')}/roster")["items"][0]["student"]
    luz = server.sign_up("Luz Ruiz")
    parent = visit(luz, "/", size=PHONE, language=words["lang"])
    parent.is_at("/welcome")
    parent.page.get_by_role("radio", name=words["parent"]).check()
    parent.button(words["start"]).click()
    parent.is_at("/welcome/device")
    parent.link(words["continue"]).click()
    parent.is_at("/families")
    parent.field(words["child"]).fill(child["id"])
    parent.button(words["ask"]).click()
    expect(parent.page.get_by_role("heading", name=words["waiting"])).to_be_visible()

    staff = visit(school.owner, "/settings/families", size=DESKTOP, language=words["lang"])
    expect(staff.page.get_by_text("Luz Ruiz").first).to_be_visible()
    staff.button(re.compile(rf"^{words['link']} Luz Ruiz")).click()
    staff.question.get_by_role("button", name=words["link"]).click()
    expect(staff.toast(words["linked"])).to_be_visible()
    assert "parent" in luz.get("/api/v1/auth/me")["userRole"]


@pytest.mark.requirement("WW-15.01.c", "WW-15.04.a")
@BOTH
def test_a_student_enters_grade_and_interests_and_joins(visit, server, words):
    student = visit(server.sign_up("Max Roy"), "/", size=PHONE, language=words["lang"])
    student.is_at("/welcome")
    student.page.get_by_role("radio", name=words["student"]).check()
    student.button(words["start"]).click()
    student.link(words["continue"]).click()
    student.is_at("/welcome/student")
    student.field(words["grade"]).select_option(label=words["fourth"])
    student.page.get_by_role("checkbox", name=words["music"]).check()
    student.button(words["next"]).click()
    student.is_at("/join")
    expect(student.field(words["code"])).to_be_visible()
    student.open("/settings")
    expect(student.page.get_by_text(words["fourth"])).to_be_visible()
    expect(student.page.get_by_text(words["music"])).to_be_visible()


@pytest.mark.requirement("WW-15.02")
def test_a_tap_turns_notifications_on_and_the_page_says_so(visit, server):
    guide = visit(server.sign_up("Amina Diallo"), "/welcome/device", size=PHONE)
    # Headless browsers show no permission prompts, so the answer is injected.
    guide.page.evaluate("""() => {
        window.asked = 0;
        Object.defineProperty(Notification, "permission", { get: () => window.asked ? "granted" : "default" });
        Notification.requestPermission = async () => { window.asked += 1; return "granted"; };
    }""")
    guide.page.evaluate("document.querySelector('button[data-notifications]').hidden = false")
    # Without a school notifications are off; the first page after joining enables them.
    guide.expects("404")
    guide.button("Allow").click()
    expect(guide.toast("Notifications are on")).to_be_visible()
    expect(guide.button("Allow")).to_be_hidden()
    assert guide.page.evaluate("window.asked") == 1


@pytest.mark.requirement("WW-15.03")
def test_a_new_account_is_offered_a_passkey_and_continues_after_it(visit, named_server):
    person = named_server.sign_up("Amina Diallo")
    home = f"http://localhost:{named_server.port}"
    guide = visit(at=named_server, size=PHONE)
    session = guide.page.context.new_cdp_session(guide.page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True}})
    guide.page.goto(home + "/sign-in?next=/welcome/device")
    guide.field("Email").fill(person.email)
    guide.field("Password").fill(PASSWORD)
    guide.button("Sign in", exact=True).click()
    guide.is_at("/welcome/device")
    guide.link(re.compile("Sign in with your fingerprint or face")).click()
    guide.is_at(r"/settings/.*passkeys/new.*")
    guide.field("Current password").fill(PASSWORD)
    guide.button("Add passkey").click()
    guide.is_at("/welcome/device")
    expect(guide.toast("Passkey added.")).to_be_visible()


@pytest.mark.requirement("WW-8.06.a", "WW-8.06.c")
@BOTH
def test_an_account_is_deleted(visit, server, words):
    school = server.found_school()
    claire = school.colleague("Claire O’Neill", rooms=["Maple room"])
    guide = visit(claire, "/settings", size=PHONE, language=words["lang"])
    guide.expects("422|401")
    guide.page.get_by_role("link", name=words["delete"]).click()
    guide.is_at("/settings/account/delete")
    expect(guide.page.locator("#main").get_by_text("Maple School")).to_be_visible()
    guide.field(words["password"]).fill(PASSWORD)
    guide.field(words["understands"]).check()
    guide.button(words["do"]).click()
    guide.question.get_by_role("button", name=words["do"]).click()
    guide.is_at("/sign-in")
    expect(guide.toast(words["gone"])).to_be_visible()
    members = [member["name"] for member in school.owner.get("/api/v1/members")["items"]]
    assert "Claire O’Neill" not in members
