"""The journeys of owner, guide and parent from their first sign-in to their leaving, each in English and in French,
with a check of every screen."""

import itertools
import re
import time
import uuid
import zipfile
from datetime import date

import pytest
import requests
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD, STOP_LIMIT
from test_access import CLIPPED, OVERFLOW
from test_account import mail_to
from test_import import files
from test_invites_mail import link_to
from test_second_factor import code
from words import Words, foreign_words

SCHOOL = "Casa du Parc"
ROOM = "Casa 1"
CHILDREN = ["Noor Aziz", "Leïla Benali", "Dario Conti"]
PASSPHRASE = "several words that nobody guesses"
NEW, NEWER = "quite other words here", "and these are newer still"

#: The texts and accessible names of a page that only another language contains.
FOREIGN = """(foreign) => {
    const known = new Set(foreign), found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        if (!texts.currentNode.parentElement.closest('script, style, template')) found.push(texts.currentNode.data);
    }
    for (const one of document.querySelectorAll('body *')) {
        for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.push(one.getAttribute(name) ?? '');
    }
    return [...new Set(found.map((text) => text.trim()).filter((text) => known.has(text)))];
}"""

_numbers = itertools.count(1)


def address(name):
    """A distinct address on the shared server."""
    return f"{name}-{next(_numbers)}-{uuid.uuid4().hex[:8]}@maple.example"


class Walk:
    """A person's journey through the pages, in the texts of the catalogs."""

    def __init__(self, visitor, words):
        self.visitor, self.page, self.say = visitor, visitor.page, words
        self.main = visitor.page.locator("#main")

    def sees(self, key, *values):
        """Waits for the page with this title, ignoring a subtitle, and checks it."""
        title = self.say(key, *values) if "." in key else key
        expect(self.page.get_by_role("heading", level=1)).to_have_text(re.compile(f"^{re.escape(title)}"))
        self.looks_right()

    def looks_right(self):
        """Checks that the page is in one language and fits the screen."""
        expect(self.page.locator("html")).to_have_attribute("lang", self.say.language)
        found = {
            "wide": self.page.evaluate(OVERFLOW), "clipped": self.page.evaluate(CLIPPED),
            "foreign": self.page.evaluate(FOREIGN, foreign_words(self.say.language))}
        assert not any(found.values()), f"{self.visitor.path}: {found}"

    def reads(self, key, *values):
        expect(self.main.get_by_text(self.say(key, *values)).first).to_be_visible()

    def is_told(self, key, *values):
        expect(self.visitor.toast(self.say(key, *values))).to_be_visible()

    def fills(self, key, text):
        self.visitor.field(self.say(key)).fill(text)

    def ticks(self, key, *values):
        self.visitor.field(self.say(key, *values)).check()

    def presses(self, key, *values, sure=None):
        """Presses a button and confirms a question if one follows."""
        self.visitor.button(self.say(key, *values), exact=True).first.click()
        if sure:
            self.visitor.question.get_by_role("button", name=self.say(sure), exact=True).click()

    def follows(self, key, *values):
        self.main.get_by_role("link", name=self.say(key, *values), exact=True).first.click()

    def row(self, text):
        return self.main.locator("li").filter(has=self.page.get_by_text(text, exact=True))

    # --- Shared steps

    def opens_settings(self, section):
        """Opens a page of Settings by its name in the list."""
        self.visitor.open("/settings")
        self.sees("account.settings")
        self.page.locator(".pt-sidebar").get_by_role("link", name=self.say(section), exact=True).click()

    def signs_in(self, email, password=PASSWORD):
        self.visitor.is_at("/sign-in.*")
        self.sees("auth.title")
        self.fills("auth.email", email)
        self.fills("auth.password", password)
        self.presses("auth.signIn")

    def signs_out(self):
        self.visitor.account_menu().get_by_text(self.say("auth.signOut"), exact=True).click()
        self.visitor.is_at("/sign-in.*")

    def makes_account(self, name, email, born="1990-02-28"):
        self.sees("auth.signUp.title")
        self.fills("auth.name", name)
        self.fills("auth.email", email)
        self.fills("auth.password", PASSWORD)
        self.fills("auth.bornOn.label", born)
        self.ticks("auth.agrees")
        self.presses("auth.makeAccount")

    def sets_up_app(self):
        """Sets up a second factor; returns its secret and the recovery codes."""
        self.sees("auth.secondFactor.title")
        self.fills("auth.password.current", PASSWORD)
        self.presses("auth.app.setUp")
        self.sees("auth.app.setUp")
        secret = self.page.locator(".pt-code").inner_text()
        self.fills("auth.secondStep.code", code(secret))
        self.presses("auth.app.switchOn")
        self.sees("auth.recovery.title")
        shown = self.page.get_by_text(re.compile(r"^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$"))
        expect(shown).to_have_count(10)
        recovery = shown.all_inner_texts()
        self.presses("auth.recovery.kept")
        self.visitor.is_at("/settings/security")
        self.reads("auth.recovery.left", 10)
        self.looks_right()
        return secret, recovery

    def asks_staff_for_second_factor(self):
        self.opens_settings("settings.organization")
        self.visitor.is_at("/settings/organization")
        self.ticks("organization.secondFactor.label")
        card = self.page.locator("form[action$='/organization/second-factor']")
        card.get_by_role("button", name=self.say("settings.save")).click()
        self.is_told("organization.secondFactor.on")
        self.looks_right()

    def invites_by_mail(self, email):
        self.opens_settings("settings.invites")
        self.visitor.is_at("/settings/invites")
        self.looks_right()
        self.visitor.link(self.say("invites.mail.new")).first.click()
        expect(self.visitor.sheet).to_be_visible()
        self.looks_right()
        self.fills("invites.mail.addresses", email)
        self.presses("invites.mail.send")
        self.is_told("invites.mail.sent", 1)
        expect(self.row(email)).to_contain_text(self.say("invites.state.sent"))
        self.looks_right()


def mailed(server, recipient, subject):
    """Waits for the mail with this subject and returns its text."""
    deadline = time.monotonic() + STOP_LIMIT
    while time.monotonic() < deadline:
        mail = mail_to(server, recipient)
        if mail["Subject"] == subject:
            return mail.get_content()
    raise AssertionError(f"no mail “{subject}” to {recipient}, the latest is “{mail['Subject']}”")


def downloaded(walk, ending, folder):
    """Downloads the ready file with this name ending."""
    with walk.page.expect_download() as waiting:
        name = re.compile(re.escape(walk.say("records.file.download")) + ".*" + re.escape(ending))
        walk.main.get_by_role("link", name=name).click()
    path = folder / f"file{ending}"
    waiting.value.save_as(path)
    return path


@pytest.fixture
def found(server):
    return server.found_school("Ana Ruiz", SCHOOL, {ROOM: CHILDREN})


@pytest.fixture
def walk(visit, server):
    """Opens a browser in a language: `walk("fr-CA", PHONE, "/sign-in")`."""
    def go(locale, size, path, person=None):
        # Without motion a page has its final state at once.
        visitor = visit(person, path, at=server, size=size, language=locale, reduced_motion="reduce")
        return Walk(visitor, Words(locale))
    return go


@pytest.mark.requirement("PT-2M.24.a", "PT-2M.25.b", "PT-2M.27")
@pytest.mark.parametrize("locale,size", [("en-US", DESKTOP), ("fr-CA", PHONE)], ids=["en-desktop", "fr-phone"])
def test_an_owner_runs_her_school_from_sign_up_to_closing(walk, server, found, tmp_path, locale, size):
    owner = walk(locale, size, "/sign-in")
    say = owner.say
    owner.signs_in(found.owner.email)
    owner.visitor.is_at("/(classrooms.*|homeroom)")
    owner.looks_right()

    # A second step for herself, then for all staff.
    owner.opens_settings("auth.secondFactor.title")
    owner.sets_up_app()
    owner.asks_staff_for_second_factor()

    # A guide is invited by mail.
    guide = address("xi")
    owner.invites_by_mail(guide)
    assert say("role.guide") in mailed(server, guide, say("invites.mail.subject", SCHOOL))

    # Imports the people of the old system: faults, differences, import and undo.
    owner.visitor.expects("422")
    owner.opens_settings("roster.title")
    owner.sees("roster.title")
    owner.page.locator("input[type=file]").set_input_files(files("no address"))
    owner.presses("roster.check")
    owner.reads("roster.faults", 1)
    owner.reads("fault.roster.email", "no address")
    owner.looks_right()
    expect(owner.visitor.button(say("roster.import"), exact=True)).to_have_count(0)
    owner.page.locator("input[type=file]").set_input_files(files(address("xi")))
    owner.presses("roster.checkOther")
    owner.reads("roster.dryRun")
    owner.reads("roster.change.studentEnrolled", "Noor Al-Farsi", "Casa Érable")
    owner.looks_right()
    owner.presses("roster.import")
    owner.is_told("roster.done")
    owner.sees("roster.past.title")
    owner.page.locator("#main li").get_by_role("link").first.click()
    owner.reads("roster.undo.steps.title")
    owner.reads("roster.undo.classroomCreated", "Casa Érable")
    owner.looks_right()
    owner.presses("roster.undo.action")
    owner.is_told("roster.undo.done")
    owner.sees("roster.past.title")
    expect(owner.page.locator("#main li").first).to_contain_text(say("roster.past.undone"))

    # The audit trail has all of it.
    owner.opens_settings("audit.title")
    owner.visitor.is_at("/settings/audit")
    expect(owner.row(say("audit.organization.secondFactor"))).to_have_count(1)
    expect(owner.row(say("audit.invites.sent", say("role.guide")))).to_have_count(1)
    expect(owner.row(say("audit.organization.founded"))).to_have_count(1)
    owner.looks_right()
    # The blocks are in a menu.
    kinds = owner.page.locator("details[data-menu]").filter(
        has=owner.page.get_by_role("link", name=say("audit.group.roster"), exact=True, include_hidden=True))
    kinds.locator("summary").click()
    owner.follows("audit.group.roster")
    owner.visitor.is_at(r"/settings/audit\?group=.*")
    expect(owner.row(say("audit.organization.founded"))).to_have_count(0)
    expect(owner.row(say("audit.roster.imported", 3, 0))).to_have_count(1)
    # Three people and a classroom with their places and roles, a term, a course and its two students.
    expect(owner.row(say("audit.roster.undone", 14, 0))).to_have_count(1)
    owner.follows("audit.check")
    owner.reads("audit.intact")
    owner.looks_right()

    # An API token gets some of her rights.
    owner.opens_settings("auth.tokens.title")
    owner.sees("auth.tokens.title")
    owner.follows("auth.tokens.new")
    owner.sees("auth.tokens.new")
    secret = owner.page.locator(".pt-code").inner_text()
    owner.fills("auth.tokens.name", "Biblio 2")
    owner.page.get_by_role("checkbox", name=say("auth.tokens.read", say("area.students")), exact=True).check()
    owner.presses("auth.tokens.make")
    owner.is_told("auth.tokens.made", "Biblio 2")
    owner.reads("auth.tokens.unused")
    owner.looks_right()
    program = {"Authorization": f"Bearer {secret}", "Accept-Language": locale}
    answer = requests.get(f"{server.url}/api/v1/students", headers=program, timeout=10)
    assert {one["lastName"] for one in answer.json()["items"]} == {"Aziz", "Benali", "Conti"}
    refused = requests.get(f"{server.url}/api/v1/members", headers=program, timeout=10)
    assert refused.status_code == 403 and say("problem.tokenScope", "members:read") in refused.text
    owner.presses("auth.tokens.end", "Biblio 2", sure="auth.tokens.endIt")
    owner.reads("auth.tokens.none")
    owner.looks_right()
    assert requests.get(f"{server.url}/api/v1/students", headers=program, timeout=10).status_code == 401

    # The stored data, its retention, and the consents.
    owner.opens_settings("records.title")
    owner.sees("records.title")
    owner.reads("records.ofServer")
    owner.opens_settings("records.consents")
    owner.sees("records.consents")
    expect(owner.row(f"Ana Ruiz · {say('records.agreement.terms')}")).to_have_count(1)
    owner.visitor.open("/privacy")
    owner.sees("legal.privacy.title")
    owner.follows("records.inventory.title")
    owner.sees("records.inventory.title")

    # One sealed backup, and one export for spreadsheets.
    owner.opens_settings("records.schoolFile")
    owner.sees("records.schoolFile")
    owner.page.get_by_label(say("records.passphrase"), exact=True).first.fill("short")
    owner.presses("records.backup.action")
    owner.reads("fault.records.passphrase")
    owner.looks_right()
    owner.page.get_by_label(say("records.passphrase"), exact=True).first.fill(PASSPHRASE)
    owner.presses("records.backup.action")
    owner.reads("records.files")
    owner.looks_right()
    assert downloaded(owner, ".pinktower", tmp_path).read_bytes()[:8] == b"PTSEAL01"
    owner.presses("records.export.action")
    assert "people.csv" in zipfile.ZipFile(downloaded(owner, ".zip", tmp_path)).namelist()

    # The school is closed and reopened.
    owner.visitor.expects("423")
    owner.opens_settings("closing.title")
    owner.sees("closing.title")
    owner.fills("closing.typeName", SCHOOL)
    owner.presses("closing.close", sure="closing.close")
    owner.reads("closing.isClosed", SCHOOL)
    owner.looks_right()
    owner.visitor.open("/homeroom")
    expect(owner.main.get_by_text(SCHOOL).first).to_be_visible()
    owner.looks_right()
    owner.visitor.link(say("closing.callBack")).click()
    owner.sees("closing.title")
    owner.presses("closing.callBack")
    owner.is_told("closing.calledBack", SCHOOL)
    owner.visitor.open("/homeroom")
    expect(owner.page.get_by_text(CHILDREN[0]).first).to_be_visible()
    owner.looks_right()


@pytest.mark.requirement("PT-2M.24.a", "PT-2M.25.a")
@pytest.mark.parametrize("locale,size", [("en-US", PHONE), ("fr-CA", DESKTOP)], ids=["en-phone", "fr-desktop"])
def test_a_guide_joins_by_email_and_manages_her_account(walk, server, found, locale, size):
    email = address("xi")
    owner = walk(locale, DESKTOP, "/settings/security", found.owner)
    owner.sets_up_app()
    owner.asks_staff_for_second_factor()
    owner.invites_by_mail(email)

    # Joins the school from the mail.
    guide = walk(locale, size, link_to(server, email))
    say = guide.say
    guide.visitor.is_at("/sign-in.*")
    guide.sees("auth.title")
    guide.follows("auth.makeAccount")
    guide.makes_account("Xi Côté", email)
    guide.sees("join.title")
    guide.presses("join.action")
    guide.visitor.is_at("/settings/security")
    guide.reads("auth.secondFactor.needed")
    secret, recovery = guide.sets_up_app()
    guide.visitor.open("/homeroom")
    guide.reads("classrooms.none")
    guide.looks_right()
    expect(owner.row(email)).to_contain_text(say("invites.state.accepted"))
    expect(owner.row(email)).to_contain_text("Xi Côté")

    # Signs out and in again with the app's code.
    guide.visitor.expects("422")
    guide.signs_out()
    guide.signs_in(email)
    guide.sees("auth.secondStep.title")
    guide.fills("auth.secondStep.code", "000000")
    guide.presses("auth.signIn")
    guide.reads("fault.auth.wrongCode")
    guide.looks_right()
    # Each code works once, and the code of the next step is accepted too.
    guide.fills("auth.secondStep.code", code(secret, 1))
    guide.presses("auth.signIn")
    guide.visitor.is_at("/(classrooms|homeroom)")

    # Signs out another of her devices.
    lost = walk(locale, PHONE, "/sign-in")
    lost.signs_in(email)
    lost.sees("auth.secondStep.title")
    lost.fills("auth.secondStep.code", recovery[0])
    lost.presses("auth.signIn")
    lost.visitor.is_at("/(classrooms|homeroom)")
    guide.opens_settings("auth.devices.title")
    guide.sees("auth.devices.title")
    rows = guide.main.locator(".pt-list > li")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text=say("auth.devices.here"))).to_have_count(1)
    guide.main.get_by_role("button", name=re.compile("^" + re.escape(say("auth.devices.end", "")))).first.click()
    guide.is_told("auth.deviceEnded")
    expect(rows).to_have_count(1)
    guide.looks_right()
    lost.visitor.expects("401")
    lost.page.reload()
    lost.visitor.is_at(r"/sign-in\?next=.*")
    lost.looks_right()

    # Changes the password.
    guide.opens_settings("auth.password.title")
    guide.sees("auth.password.title")
    guide.fills("auth.password.current", "not the password")
    guide.fills("auth.password.new", NEW)
    guide.presses("auth.password.save")
    guide.reads("fault.auth.wrongPassword")
    guide.looks_right()
    guide.fills("auth.password.current", PASSWORD)
    guide.fills("auth.password.new", NEW)
    guide.presses("auth.password.save")
    guide.is_told("auth.passwordChanged")
    guide.visitor.is_at("/settings")

    # Resets the password by a link that works once.
    guide.signs_out()
    guide.follows("auth.forgot.link")
    guide.sees("auth.forgot.title")
    guide.fills("auth.email", email)
    guide.presses("auth.forgot.send")
    guide.reads("auth.forgot.sent")
    guide.looks_right()
    link = re.search(r"https?://[^/]+(/reset/\S+)", mailed(server, email, say("auth.resetMail.subject")))[1]
    guide.visitor.open(link)
    guide.sees("auth.reset.title")
    guide.fills("auth.password.new", NEWER)
    guide.presses("auth.password.save")
    guide.sees("auth.secondStep.title")
    guide.fills("auth.secondStep.code", recovery[1])
    guide.presses("auth.signIn")
    guide.visitor.is_at("/(classrooms|homeroom)")
    guide.visitor.open(link)
    guide.sees("auth.reset.title")
    guide.reads("auth.reset.over")
    guide.reads("auth.reset.overTip")
    guide.looks_right()


@pytest.mark.requirement("WW-8.01.b", "WW-8.06.c")
@pytest.mark.parametrize("locale,size", [("en-US", DESKTOP), ("fr-CA", PHONE)], ids=["en-desktop", "fr-phone"])
def test_a_parent_consents_for_a_child_sees_it_and_withdraws(walk, server, found, tmp_path, locale, size):
    luz, noor = address("luz"), address("noor")
    # A child under 13 signs up.
    child = walk(locale, size, "/sign-up")
    say = child.say
    child.visitor.expects("422")
    child.makes_account("Noor Aziz", noor, born=f"{date.today().year - 7}-05-04")
    child.reads("fault.auth.parentNeeded")
    child.looks_right()
    child.fills("auth.parentEmail", luz)
    child.presses("auth.makeAccount")
    child.sees("auth.waiting.parent.title")

    # The parent gets a mail and reads before she answers.
    mail = mailed(server, luz, say("auth.parentMail.subject", "Noor Aziz"))
    link = re.search(r"https?://[^/]+(/consent/\S+)", mail)[1]
    parent = walk(locale, size, link)
    parent.visitor.expects("422")
    parent.sees("auth.consent.title", "Noor Aziz")
    for door, title in [("auth.terms", "legal.terms.title"), ("auth.privacy", "legal.privacy.title")]:
        parent.follows(door)
        parent.sees(title)
        parent.page.go_back()
        parent.sees("auth.consent.title", "Noor Aziz")
    parent.page.get_by_role("radio", name=say("auth.consent.agree"), exact=True).check(force=True)
    parent.presses("auth.consent.send")
    parent.reads("fault.auth.parentOnly")
    parent.looks_right()
    parent.ticks("auth.consent.isParent", "Noor Aziz")
    parent.presses("auth.consent.send")
    parent.sees("auth.consent.agreed")
    followed = mailed(server, luz, say("auth.consentMail.subject", "Noor Aziz"))
    back = re.search(r"https?://[^/]+(/consent/back/\S+)", followed)[1]
    parent.visitor.open(link)
    parent.reads("auth.link.over")
    parent.looks_right()

    # The child joins with the school's code.
    invite = found.owner.post("/api/v1/invites", {"role": "student", "personId": found.children["Noor Aziz"]})
    child.visitor.open("/sign-in")
    child.signs_in(noor)
    child.visitor.is_at("/welcome")
    child.visitor.open(f"/join/{invite['code']}")
    child.sees("join.title")
    child.presses("join.action")
    child.is_told("join.done")

    # The parent creates an account and asks for her child; the school accepts.
    parent.visitor.open("/sign-up")
    parent.makes_account("Luz Aziz", luz)
    parent.sees("welcome.title")
    parent.page.get_by_role("radio", name=say("welcome.role.parent"), exact=True).check()
    parent.presses("welcome.start")
    parent.sees("welcome.device.title")
    parent.follows("welcome.continue")
    parent.sees("families.title")
    parent.fills("families.child", found.children["Noor Aziz"])
    parent.presses("families.ask")
    parent.reads("families.waiting")
    parent.looks_right()
    owner = walk(locale, DESKTOP, "/settings/families", found.owner)
    owner.sees("families.staffTitle")
    owner.presses("families.agreeSpoken", "Luz Aziz", "Noor Aziz", sure="families.agree")
    owner.is_told("families.linked", "Luz Aziz", "Noor Aziz")
    parent.follows("families.toSettings")
    parent.sees("account.settings")
    parent.signs_out()
    parent.signs_in(luz)
    parent.visitor.is_at("/family")
    parent.reads("family.nothing", "Noor")
    parent.looks_right()
    assert "Noor" in mailed(server, luz, say("families.mail.subject", SCHOOL))

    # The school's log has her consents, and she asks there.
    owner.opens_settings("records.consents")
    owner.sees("records.consents")
    row = owner.row(f"Noor Aziz · {say('records.agreement.childAccount')}")
    expect(row).to_contain_text(luz)
    expect(row).to_contain_text(say("records.consent.given"))
    expect(owner.row(f"Luz Aziz · {say('records.agreement.terms')}")).to_have_count(1)

    # She asks for her records and withdraws a consent: the school has a button for each.
    owner.opens_settings("settings.members")
    owner.row("Luz Aziz").get_by_role("link").first.click()
    expect(owner.visitor.sheet.get_by_role("heading", name="Luz Aziz")).to_be_visible()
    owner.looks_right()
    owner.visitor.sheet.get_by_role("link", name=say("records.person.link"), exact=True).click()
    owner.sees("records.person.title", "Luz Aziz")
    owner.presses("records.person.makeExport")
    owner.is_told("records.fileReady")
    owner.looks_right()
    export = zipfile.ZipFile(downloaded(owner, ".zip", tmp_path))
    assert luz.encode() in export.read("organization.people.json")
    owner.visitor.open(f"/settings/people/{found.children['Noor Aziz']}/records")
    owner.sees("records.person.title", "Noor Aziz")
    # The files of one person are not offered to another.
    expect(owner.main.get_by_role("link", name=re.compile(re.escape(say("records.file.download"))))).to_have_count(0)
    owner.main.locator("summary").filter(has_text=say("records.consent.add")).click()
    owner.visitor.field(say("records.consent.kind")).select_option(label=say("classroom.records.observations"))
    owner.fills("records.consent.giver", "Luz Aziz")
    owner.page.get_by_role("radio", name=say("records.consent.takenBack"), exact=True).check(force=True)
    owner.presses("records.consent.note")
    owner.is_told("records.consent.noted")
    expect(owner.row(say("classroom.records.observations"))).to_contain_text(say("records.consent.takenBack"))
    owner.looks_right()

    # The link in the consent mail withdraws the consent, and the child's account is deleted.
    parent.visitor.open(back)
    parent.sees("auth.withdraw.title")
    parent.ticks("auth.withdraw.understands", "Noor Aziz")
    parent.presses("auth.withdraw.action")
    parent.sees("auth.consent.withdrawn")
    child.visitor.expects("401")
    child.visitor.open("/homeroom")
    child.signs_in(noor)
    expect(child.page.get_by_text(say("problem.auth.wrongSignIn")).first).to_be_visible()

    # She deletes her own account.
    parent.visitor.expects("401")
    parent.opens_settings("auth.delete.title")
    parent.sees("auth.delete.title")
    parent.fills("auth.password.current", PASSWORD)
    parent.ticks("auth.delete.understands")
    parent.presses("auth.delete.action", sure="auth.delete.action")
    parent.visitor.is_at("/sign-in")
    parent.is_told("auth.delete.done")
    parent.signs_in(luz)
    expect(parent.page.get_by_text(say("problem.auth.wrongSignIn")).first).to_be_visible()
    parent.looks_right()
