"""Onboarding: sign-up, welcome, wizard, Students page, and all of it after a restart."""

import uuid

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD

ENGLISH = {
    "lang": "en-US", "name": "Your name", "email": "Email", "password": "Password", "born": "Date of birth",
    "agree": "I agree to the Terms of Service and the Privacy Policy", "account": "Create an account",
    "welcome": "Welcome to PinkTower", "start": "Get started", "school": "School name", "next": "Next",
    "back": "Back", "room": "Classroom name", "first": "First name", "last": "Last name", "add": "Add another",
    "finish": "Finish", "edit": "Edit Mira Okafor", "keep": "Save change", "remove": "Remove Zoé Roy",
    "mark": "Mark", "continue": "Continue", "counts": "0 of 3 present",
}
FRENCH = {
    "lang": "fr-CA", "name": "Votre nom", "email": "Courriel", "password": "Mot de passe",
    "born": "Date de naissance", "agree": "J’accepte les conditions d’utilisation et la politique de confidentialité",
    "account": "Créer un compte", "welcome": "Bienvenue dans PinkTower", "start": "Commencer",
    "school": "Nom de l’école", "next": "Suivant", "back": "Retour", "room": "Nom de la classe",
    "first": "Prénom", "last": "Nom", "add": "Ajouter un autre", "finish": "Terminer",
    "edit": "Modifier Mira Okafor", "keep": "Enregistrer la modification", "remove": "Retirer Zoé Roy",
    "mark": "Noter", "continue": "Continuer", "counts": "0 présent sur 3",
}


@pytest.mark.requirement("PT-3.19.a", "PT-3.20.a", "PT-3.20.d", "PT-3.21.b")
@pytest.mark.parametrize(
    "size,words", [(PHONE, ENGLISH), (DESKTOP, ENGLISH), (PHONE, FRENCH), (DESKTOP, FRENCH)],
    ids=["phone-en", "desktop-en", "phone-fr", "desktop-fr"])
def test_a_guide_founds_a_school_and_finds_it_after_a_restart(visit, own_server, size, words):
    guide = visit(at=own_server, size=size, language=words["lang"])
    page = guide.page
    guide.open("/")
    guide.is_at("/sign-up")
    guide.field(words["name"]).fill("Amina Diallo")
    guide.field(words["email"]).fill(f"{uuid.uuid4().hex}@test.example")
    guide.field(words["password"]).fill(PASSWORD)
    guide.field(words["born"]).fill("1990-02-28")
    guide.field(words["agree"]).check()
    guide.button(words["account"]).click()

    guide.is_at("/welcome")
    expect(guide.heading(words["welcome"])).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", words["lang"][:2])
    guide.button(words["start"]).click()
    guide.is_at("/welcome/device")
    guide.link(words["continue"]).click()

    guide.is_at("/welcome/school")
    guide.field(words["school"]).fill("Birch Lane")
    guide.button(words["next"]).click()
    guide.is_at("/welcome/classroom")
    guide.link(words["back"]).click()
    expect(guide.field(words["school"])).to_have_value("Birch Lane")
    guide.field(words["school"]).fill("Birch Lane Montessori")
    guide.button(words["next"]).click()

    guide.is_at("/welcome/classroom")
    guide.field(words["room"]).fill("Otter room")
    guide.button(words["next"]).click()
    guide.is_at("/welcome/students")
    for first, last in [("Mira", "Okafor"), ("Zoé", "Roy")]:
        guide.field(words["first"]).fill(first)
        guide.field(words["last"]).fill(last)
        guide.button(words["add"]).click()
        expect(guide.row(f"{first} {last}")).to_be_visible()
        expect(guide.field(words["first"])).to_have_value("")

    # Earlier answers are still there, and a child can be corrected or removed.
    guide.link(words["back"]).click()
    expect(guide.field(words["room"])).to_have_value("Otter room")
    guide.button(words["next"]).click()
    guide.link(words["edit"]).click()
    expect(guide.field(words["first"])).to_have_value("Mira")
    guide.field(words["first"]).fill("Mirabel")
    guide.button(words["keep"]).click()
    expect(guide.row("Mirabel Okafor")).to_be_visible()
    guide.button(words["remove"]).click()
    expect(guide.row("Zoé Roy")).to_have_count(0)
    guide.field(words["first"]).fill("Łukasz")
    guide.field(words["last"]).fill("Ångström")
    guide.button(words["add"]).click()
    expect(guide.row("Łukasz Ångström")).to_be_visible()

    # Finish also adds a child that was typed but not added.
    guide.field(words["first"]).fill("大翔")
    guide.field(words["last"]).fill("Sato")
    guide.button(words["finish"]).click()
    guide.is_at("/classrooms/[0-9a-f-]{36}")
    for child in ["Mirabel Okafor", "Łukasz Ångström", "大翔 Sato"]:
        expect(guide.pill(child)).to_have_text(words["mark"])
    expect(page.get_by_role("heading", level=2, name=words["counts"])).to_be_visible()

    # On a weekend the page would ask first.
    status = page.evaluate(
        """() => fetch("/api/v1/organization/weekdays", {
            method: "POST", body: JSON.stringify({ weekdays: ["1", "2", "3", "4", "5", "6", "7"] }),
            headers: { Accept: "application/json", "Content-Type": "application/json", "X-PinkTower": "command" },
        }).then((answer) => answer.status)""")
    assert status == 200
    guide.open(guide.path)
    guide.tap("大翔 Sato")
    guide.is_marked("大翔 Sato", "present")

    # The page must send no request while the server is stopped.
    guide.expects(r"ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET")
    own_server.stop()
    own_server.start()
    guide.open("/")
    guide.is_at("/classrooms/[0-9a-f-]{36}")
    expect(guide.row("Mirabel Okafor")).to_be_visible()
    guide.is_marked("大翔 Sato", "present")
    guide.is_marked("Łukasz Ångström", "unset")


@pytest.mark.requirement("PT-3.24.b", "PT-3.24.d", "PT-3.25.d")
def test_a_school_without_classroom_leads_through_classroom_and_students(visit, server):
    owner = server.sign_up("Ana Ruiz")
    owner.post("/api/v1/organizations", {"name": "Maple School"})
    guide = visit(owner, "/homeroom")
    guide.is_at("/classrooms/new")
    guide.field("Classroom name").fill("Otter room")
    guide.button("Create classroom").click()
    guide.is_at("/classrooms/[0-9a-f-]{36}/students/new")
    expect(guide.toast("Otter room")).to_be_visible()
    guide.field("First name").fill("Noor")
    guide.field("Last name").fill("Aziz")
    guide.button("Add student").click()
    expect(guide.row("Noor Aziz")).to_be_visible()
    guide.is_at("/classrooms/[0-9a-f-]{36}/students/new")
    guide.field("First name").fill("Dario")
    guide.button("Add another").click()
    expect(guide.row("Dario")).to_be_visible()
    guide.link("Done").click()
    expect(guide.pill("Noor Aziz")).to_be_visible()
    expect(guide.pill("Dario")).to_be_visible()


@pytest.mark.requirement("PT-3.22.a")
def test_an_admin_who_joins_continues_at_the_classroom_step(visit, server):
    owner = server.sign_up("Ana Ruiz")
    owner.post("/api/v1/organizations", {"name": "Maple School"})
    code = owner.post("/api/v1/invites", {"role": "admin"})["code"]
    admin = visit(server.sign_up("Benoît Côté"), f"/join/{code}")
    expect(admin.field("Code")).to_have_value(code)
    admin.button("Join").click()
    admin.is_at("/welcome/classroom")
    expect(admin.page.get_by_role("link", name="Back")).to_have_count(0)
    admin.field("Classroom name").fill("Otter room")
    admin.button("Next").click()
    admin.is_at("/welcome/students")
    admin.field("First name").fill("Noor")
    admin.button("Finish").click()
    admin.is_at("/classrooms/[0-9a-f-]{36}")
    expect(admin.pill("Noor")).to_be_visible()


@pytest.mark.requirement("PT-3.23.b", "PT-3.23.c", "PT-3.26.c")
def test_one_classroom_opens_its_students_and_more_open_the_list(visit, school):
    guide = visit(school.owner, "/")
    guide.is_at(school.path("Maple room"))
    school.add_room("Birch room", ["Elif Yılmaz"])
    guide.open("/")
    guide.is_at(school.path("Maple room"))
    # Another device has opened no classroom yet.
    other = visit(school.owner, "/")
    other.is_at("/classrooms")
    expect(other.row("Maple room")).to_contain_text("3 students")
    expect(other.row("Birch room")).to_contain_text("1 student")
    other.row("Birch room").get_by_role("link").first.click()
    other.is_at(school.path("Birch room"))
    other.open("/")
    other.is_at(school.path("Birch room"))
