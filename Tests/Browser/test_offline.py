"""A guide without a network: her changes are shown as waiting, and the server has each once afterwards."""
import json
import re

import pytest
from conftest import DESKTOP
from playwright.sync_api import expect
from school import PASSWORD
from test_photos import photo

ENGLISH = {
    "lang": "en-US", "note": "Note", "save": "Save", "lesson": "Lesson", "task": "Task", "waits": "Waiting to be sent",
    "kept": "Saved on this device", "show": "Show", "retry": "Retry", "drop": "Delete", "leave": "Sign out",
    "done": "Coat, done today",
}
FRENCH = {
    "lang": "fr-CA", "note": "Note", "save": "Enregistrer", "lesson": "Leçon", "task": "Tâche", "waits": "En attente d’envoi",
    "kept": "Enregistré sur cet appareil", "show": "Afficher", "retry": "Réessayer", "drop": "Supprimer",
    "leave": "Se déconnecter", "done": "Coat, faite aujourd’hui",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
NO_NETWORK = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED"


@pytest.fixture
def school(server):
    return server.found_school(rooms={"Maple room": [f"Child {number:02}" for number in range(9)] + ["Noor Aziz"]})


class Guide:
    """A guide at the page of one child, on a device that has cached it."""

    def __init__(self, visit, school, words=ENGLISH, **options):
        self.school, self.words = school, words
        roster = school.owner.get(f"/api/v1/classrooms/{school.rooms['Maple room']}/roster")["items"]
        self.child = next(one["student"]["id"].lower() for one in roster if one["student"]["displayName"] == "Noor Aziz")
        school.owner.post(f"/api/v1/students/{self.child}/habits", {"name": "Coat"})
        self.visitor = visit(school.owner, school.path("Maple room"), worker=True, language=words["lang"], **options)
        self.page = self.visitor.page
        self.visitor.expects(NO_NETWORK)
        self.visitor.keeps_page()
        self.open()
        self.visitor.keeps_page()

    def open(self):
        self.page.goto(f"/students/{self.child}")
        expect(self.page.get_by_label(self.words["note"], exact=True)).to_be_visible()

    def offline(self, is_offline=True):
        self.page.context.set_offline(is_offline)

    def write(self, text, kind=None):
        if kind:
            self.page.get_by_role("radio", name=kind).check(force=True)
        self.page.get_by_label(self.words["note"], exact=True).fill(text)
        self.page.get_by_role("button", name=self.words["save"], exact=True).click()

    @property
    def waiting(self):
        return self.page.locator(".pt-waiting > li")

    @property
    def banner(self):
        return self.page.locator(".pt-outbox")

    def observations(self):
        return [one["content"] for one in self.school.owner.get(f"/api/v1/students/{self.child}/observations")["items"]]


@pytest.mark.requirement("BY-1.01.a", "BY-1.01.d", "BY-1.03.a", "BY-1.03.c", "BY-1.03.d", "BY-1.03.e")
@BOTH
def test_a_day_without_a_network_arrives_once(visit, school, words):
    guide = Guide(visit, school, words)
    guide.offline()
    guide.write("Poured water for four friends")
    expect(guide.page.get_by_text(words["kept"]).first).to_be_visible()
    expect(guide.waiting).to_have_count(1)
    expect(guide.page.get_by_label(words["note"], exact=True)).to_have_value("")
    guide.banner.get_by_role("button", name=words["show"]).click()
    expect(guide.page.get_by_role("dialog")).to_contain_text("Noor Aziz: Poured water for four friends")
    guide.page.keyboard.press("Escape")
    guide.write("Golden beads", words["lesson"])
    expect(guide.waiting).to_have_count(2)
    guide.write("Water the plants", words["task"])
    expect(guide.waiting).to_have_count(3)
    habit = guide.page.get_by_role("checkbox", name=words["done"])
    habit.click()
    expect(habit).to_have_attribute("aria-checked", "true")
    expect(guide.banner).to_contain_text("(4)")
    guide.page.goto(school.path("Maple room"))
    for name in ["Noor Aziz", "Child 03"]:
        guide.visitor.tap(name)
        expect(guide.visitor.pill(name)).to_have_attribute("data-sync", "pending")
    guide.page.reload()
    expect(guide.visitor.pill("Noor Aziz")).to_have_attribute("data-sync", "pending")
    expect(guide.visitor.pill("Noor Aziz")).to_have_attribute("data-state", "present")
    guide.open()
    expect(guide.waiting).to_have_count(3)
    expect(guide.page.get_by_role("checkbox", name=words["done"])).to_have_attribute("aria-checked", "true")
    expect(guide.banner).to_contain_text("(6)")
    guide.offline(False)
    expect(guide.banner).to_have_count(0)
    expect(guide.page.locator(".pt-note", has_text="Poured water")).to_be_visible()
    expect(guide.waiting).to_have_count(0)
    assert guide.observations() == ["Poured water for four friends"]
    marks = school.marks("Maple room")
    assert [name for name, mark in marks.items() if mark == "present"] == ["Child 03", "Noor Aziz"]
    guide.page.reload()
    expect(guide.page.get_by_role("checkbox", name=words["done"])).to_have_attribute("aria-checked", "true")
    for title in ["Golden beads", "Water the plants"]:
        box = guide.page.get_by_role("checkbox", name=re.compile(title))
        expect(box).to_have_count(1)
        expect(box).to_be_visible()


@pytest.mark.requirement("BY-1.03.b")
def test_a_photo_waits_with_its_observation(visit, school):
    guide = Guide(visit, school)
    guide.offline()
    guide.page.locator("input[type=file]").first.set_input_files(photo("tower.png"))
    expect(guide.page.locator(".pt-photos__list li")).to_have_count(1)
    guide.write("The tower stands")
    expect(guide.waiting).to_have_count(1)
    guide.open()
    guide.offline(False)
    note = guide.page.locator(".pt-note", has_text="The tower stands")
    expect(note.locator("img")).to_have_count(1)
    assert guide.observations() == ["The tower stands"]


def test_an_answer_that_is_lost_does_not_make_a_second_observation(visit, school):
    guide = Guide(visit, school)
    lost = []

    def lose_the_first_answer(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)
        route.abort()

    guide.page.route("**/capture", lose_the_first_answer)
    guide.write("Counted the spindles")
    expect(guide.page.locator(".pt-note", has_text="Counted the spindles")).to_be_visible()
    expect(guide.banner).to_have_count(0)
    assert lost and guide.observations() == ["Counted the spindles"]


@pytest.mark.requirement("BY-1.01.e")
@BOTH
def test_a_refused_change_stays_with_its_text_until_a_person_decides(visit, server, words):
    school = server.found_school(rooms={"Maple room": ["Noor Aziz"]})
    guide = Guide(visit, school, words)
    colleague = school.colleague("Bea Lind", rooms=["Maple room"])
    hers = visit(colleague, f"/students/{guide.child}", language=words["lang"])
    hers.expects(NO_NETWORK + "|403|404")
    expect(hers.page.get_by_label(words["note"], exact=True)).to_be_visible()
    hers.keeps_page()
    hers.page.context.set_offline(True)
    hers.page.get_by_label(words["note"], exact=True).fill("Tied a bow")
    hers.page.get_by_role("button", name=words["save"], exact=True).click()
    expect(hers.page.locator(".pt-waiting > li")).to_have_count(1)
    school.assign("Maple room")
    hers.page.context.set_offline(False)
    banner = hers.page.locator(".pt-outbox")
    expect(banner).to_have_class(re.compile("danger"))
    banner.get_by_role("button", name=words["show"]).click()
    dialog = hers.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Tied a bow")
    dialog.get_by_role("button", name=words["drop"]).click()
    hers.page.get_by_role("dialog").last.get_by_role("button", name=words["drop"]).click()
    expect(banner).to_have_count(0)
    assert guide.observations() == []


@pytest.mark.requirement("BY-1.01.e")
def test_after_the_session_ended_a_sign_in_sends_everything_that_waited(visit, school):
    guide = Guide(visit, school)
    guide.offline()
    guide.write("Swept the terrace")
    expect(guide.waiting).to_have_count(1)
    guide.page.context.clear_cookies()
    guide.visitor.expects("401")
    guide.offline(False)
    guide.page.goto(f"/students/{guide.child}")
    guide.visitor.is_at("/sign-in.*")
    guide.visitor.field("Email").fill(school.owner.email)
    guide.visitor.field("Password").fill(PASSWORD)
    guide.visitor.button("Sign in").click()
    expect(guide.page.locator(".pt-note", has_text="Swept the terrace")).to_be_visible()
    assert guide.observations() == ["Swept the terrace"]


def test_two_tabs_send_waiting_changes_once_and_both_show_it(visit, school):
    guide = Guide(visit, school, size=DESKTOP)
    other = guide.page.context.new_page()
    other.goto(school.path("Maple room"))
    expect(other.get_by_text("Noor Aziz")).to_be_visible()
    guide.offline()
    guide.write("Washed the table")
    expect(other.locator(".pt-outbox")).to_contain_text("(1)")
    guide.offline(False)
    expect(guide.banner).to_have_count(0)
    expect(other.locator(".pt-outbox")).to_have_count(0)
    expect(guide.page.locator(".pt-note", has_text="Washed the table")).to_be_visible()
    assert guide.observations() == ["Washed the table"]


def test_a_browser_without_storage_says_so_and_sends_from_the_page(visit, school):
    guide = Guide(visit, school)
    guide.page.context.add_init_script("Object.defineProperty(indexedDB, 'open', { value() { throw new Error('refused'); } });")
    guide.open()
    guide.offline()
    guide.write("Rolled a mat")
    expect(guide.banner).to_contain_text("Leave this page open")
    guide.offline(False)
    expect(guide.banner).to_have_count(0)
    expect(guide.page.locator(".pt-note", has_text="Rolled a mat")).to_be_visible()
    assert guide.observations() == ["Rolled a mat"]


def test_another_account_on_the_device_finds_its_own_pages_only(visit, server, school):
    guide = Guide(visit, school)
    second = server.found_school(founder="Mira Sand", rooms={"Oak room": ["Ida Berg"]})
    answer = guide.page.context.request.post(
        "/api/v1/auth/sign-in", form={"email": second.owner.email, "password": PASSWORD},
        headers={"Accept": "application/json", "Origin": server.url})
    assert answer.ok
    guide.page.goto(second.path("Oak room"))
    expect(guide.visitor.row("Ida Berg")).to_be_visible()
    guide.visitor.keeps_page()
    guide.offline()
    guide.page.reload()
    expect(guide.visitor.row("Ida Berg")).to_be_visible()
    guide.page.goto(f"/students/{guide.child}")
    expect(guide.page.get_by_text("This page was not opened on this device before")).to_be_visible()


@pytest.mark.requirement("BY-1.01.b")
def test_a_refused_mark_says_so_on_its_pill_and_can_be_sent_again_from_there(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.expects("422")
    guide.keeps_page()
    keys = []

    def refuse_the_first(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            return route.continue_()
        route.fulfill(status=422, content_type="application/problem+json", body=json.dumps({"detail": "The day is closed."}))

    guide.page.route("**/attendance", refuse_the_first)
    guide.tap("Noor Aziz")
    pill = guide.pill("Noor Aziz")
    expect(pill).to_have_attribute("data-sync", "failed")
    expect(pill).to_have_attribute("aria-label", re.compile("^Retry"))
    expect(pill).to_have_text("Retry")
    assert school.marks("Maple room")["Noor Aziz"] is None
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    assert len(keys) == 2 and keys[0] == keys[1], "the same tap goes again"
    assert school.marks("Maple room")["Noor Aziz"] == "present"


@pytest.mark.requirement("BY-1.01.b")
@BOTH
def test_a_refused_observation_says_why_below_its_form_and_can_be_sent_again_from_there(visit, school, words):
    guide = Guide(visit, school, words)
    guide.visitor.expects("422")
    guide.offline()
    guide.write("Tied a bow")
    expect(guide.waiting).to_have_attribute("data-sync", "pending")
    answers = [json.dumps({"detail": "The day is closed."})]

    def refuse_the_first(route):
        if not answers:
            return route.continue_()
        route.fulfill(status=422, content_type="application/problem+json", body=answers.pop())

    guide.page.route("**/capture", refuse_the_first)
    guide.offline(False)
    expect(guide.waiting).to_have_attribute("data-sync", "failed")
    expect(guide.waiting).to_contain_text("Tied a bow")
    expect(guide.waiting).to_contain_text("The day is closed.")
    assert guide.observations() == []
    guide.waiting.get_by_role("button", name=words["retry"]).click()
    expect(guide.waiting).to_have_count(0)
    expect(guide.page.locator(".pt-note", has_text="Tied a bow")).to_be_visible()
    assert guide.observations() == ["Tied a bow"]
