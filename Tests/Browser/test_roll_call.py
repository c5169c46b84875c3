"""The warden's evening: the roll call room by room, without a network, until it is closed."""

import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from residence import found_residence
from test_refresh import reads
from words import Words

BOTH = pytest.mark.parametrize("language,size", [("en-US", PHONE), ("fr-CA", DESKTOP)], ids=["en-phone", "fr-desktop"])


class Evening:
    """The roll call in a browser."""

    def __init__(self, visitor, language):
        self.visitor, self.page, self.words = visitor, visitor.page, Words(language)

    def word(self, key, **values):
        text = self.words(f"residence.rollCall.word.{key}")
        for place, value in values.items():
            text = text.replace(f"{{{place}}}", str(value))
        return text

    def mark(self, name, status, where=None):
        (where or self.page.locator(".pt-rc__card")).get_by_role("button", name=f"{name}: {self.word(status)}").click()

    def is_marked(self, name, state, is_pending=False):
        pill = self.visitor.row(name).locator(".pt-rc__pill")
        expect(pill).to_have_attribute("data-state", state)
        if is_pending:
            expect(pill).to_have_attribute("data-sync", "pending")
        else:
            expect(pill).not_to_have_attribute("data-sync", "pending")

    def counts(self, count, total):
        expect(self.page.get_by_role("heading", level=2, name=self.word("accounted", count=count, total=total))).to_be_visible()

    @property
    def sheet(self):
        return self.page.locator("dialog.pt-rc__sheet[open]")


@BOTH
def test_a_warden_takes_the_roll_call_without_a_network_and_closes_it(visit, server, language, size):
    residence = found_residence(server)
    warden = visit(residence.warden, f"{residence.path}/roll-call", size=size, worker=True, language=language)
    evening = Evening(warden, language)
    evening.counts(0, 3)
    warden.keeps_page()
    warden.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    warden.page.context.set_offline(True)
    warden.button(evening.word("allHere")).click()
    evening.is_marked("Amina Diallo", "here", is_pending=True)
    evening.counts(2, 3)
    expect(warden.page.locator(".pt-rc__waits")).to_contain_text("1")
    # What waits is still there after the page was loaded again.
    warden.page.reload()
    evening.counts(2, 3)
    # The gap is named, with a call one tap away.
    warden.page.locator(".pt-rc__summary").get_by_role("button", name=evening.word("close")).click()
    expect(evening.sheet).to_contain_text("Luca Ferrari")
    expect(evening.sheet.get_by_role("link", name=evening.word("call", name="Luca Ferrari"))).to_have_attribute(
        "href", "tel:+33612345678")
    expect(evening.sheet.get_by_role("button", name=evening.word("close"), exact=True)).to_be_disabled()
    evening.mark("Luca Ferrari", "out", evening.sheet)
    out = evening.sheet.filter(has=warden.page.locator("form"))
    out.get_by_role("button", name=evening.words("residence.rollCall.reason.transport")).click()
    out.get_by_label(evening.word("whoSaid"), exact=True).fill("His father")
    out.get_by_role("button", name=evening.word("save")).click()
    evening.counts(3, 3)
    evening.sheet.get_by_role("button", name=evening.word("close"), exact=True).click()
    expect(warden.page.locator(".pt-rc__waits")).to_have_text(evening.word("closing"))
    assert "closing" not in residence.roll_call()
    warden.page.context.set_offline(False)
    expect(warden.page.get_by_role("heading", level=2, name=evening.words("residence.rollCall.isClosed"))).to_be_visible()
    expect(warden.page.locator("#main")).to_contain_text("Ines Costa")
    expect(warden.row("Luca Ferrari")).to_contain_text("His father")
    record = residence.roll_call()
    assert sorted(entry["status"] for entry in record["entries"]) == ["here", "here", "out"]
    # A correction stands beside the record.
    warden.page.locator("#main").get_by_role("link", name=evening.words("residence.rollCall.correct")).or_(
        warden.button(evening.words("residence.rollCall.correct"))).first.click()
    form = warden.page.locator("form", has=warden.page.locator("[name=studentId]"))
    form.locator("[name=studentId]").select_option(label="Luca Ferrari")
    form.locator("[name=reason]").fill("21:42")
    form.locator("button[type=submit]").click()
    expect(warden.page.locator("#main")).to_contain_text("21:42")
    assert residence.roll_call()["entries"] == record["entries"]
    assert warden.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_second_warden_is_told_who_closed(visit, server):
    residence = found_residence(server)
    warden = visit(residence.warden, f"{residence.path}/roll-call")
    evening = Evening(warden, "en-US")
    evening.counts(0, 3)
    warden.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    warden.page.context.set_offline(True)
    for room in ["101", "102"]:
        warden.page.locator(".pt-rc__rooms").get_by_role("button", name=re.compile(f"Room {room}")).click()
        if room == "101":
            warden.button("All here").click()
        else:
            evening.mark("Luca Ferrari", "here")
    evening.counts(3, 3)
    residence.post(f"{residence.path}/roll-call/notes", {"residentIds": list(residence.ids.values()), "status": "here"}, residence.school.owner)
    residence.post(f"{residence.path}/roll-call/close", {}, residence.school.owner)
    warden.expects("409")
    warden.page.context.set_offline(False)
    expect(warden.toast(re.compile("Ana Ruiz closed this roll call"))).to_be_visible()
    expect(warden.page.get_by_role("heading", level=2, name="Roll call closed")).to_be_visible()
    expect(warden.page.locator("#main")).to_contain_text("Ana Ruiz")


def test_a_mark_is_changed_and_cleared(visit, server):
    residence = found_residence(server)
    warden = visit(residence.warden, f"{residence.path}/roll-call")
    evening = Evening(warden, "en-US")
    evening.mark("Amina Diallo", "here")
    evening.is_marked("Amina Diallo", "here")
    warden.row("Amina Diallo").locator(".pt-rc__pill").click()
    evening.mark("Amina Diallo", "takeBack")
    evening.counts(0, 3)
    expect(warden.row("Amina Diallo").locator(".pt-tag")).to_have_text("Not yet")


def test_a_roll_call_is_taken_and_closed_by_keyboard(visit, server):
    residence = found_residence(server)
    warden = visit(residence.warden, f"{residence.path}/roll-call", size=DESKTOP)
    evening = Evening(warden, "en-US")
    evening.counts(0, 3)
    keys = warden.page.keyboard
    warden.button("All here").focus()
    keys.press("Enter")
    evening.counts(2, 3)
    # The room is done: the button of the next one has the focus, and then the first resident there.
    expect(warden.page.get_by_role("button", name="Next: Room 102")).to_be_focused()
    keys.press("Enter")
    expect(warden.page.get_by_role("button", name="Luca Ferrari: Here")).to_be_focused()
    keys.press("Enter")
    evening.counts(3, 3)
    expect(warden.page.get_by_role("button", name="Close roll call")).to_be_focused()
    keys.press("Enter")
    expect(warden.page.get_by_role("heading", level=2, name="Roll call closed")).to_be_visible()


def test_the_page_is_read_once_after_a_mark_and_once_after_the_closing(visit, server):
    residence = found_residence(server)
    warden = visit(residence.warden, f"{residence.path}/roll-call")
    warden.keeps_page()
    evening = Evening(warden, "en-US")
    asked = reads(warden.page)

    def is_read_once():
        """The page is fetched, and nothing asks for it again when the live event of the same change has arrived."""
        for _ in range(200):
            if pages():
                break
            warden.page.wait_for_timeout(50)
        warden.page.wait_for_timeout(700)
        assert pages() == [("GET", server.url + residence.path + "/roll-call")], asked
        asked.clear()

    def pages():
        return [one for one in asked if one[0] == "GET"]

    warden.button("All here").click()
    evening.is_marked("Amina Diallo", "here")
    is_read_once()
    warden.page.locator(".pt-rc__rooms").get_by_role("button", name=re.compile("Room 102")).click()
    evening.mark("Luca Ferrari", "here")
    evening.counts(3, 3)
    is_read_once()
    warden.page.locator(".pt-rc__summary").get_by_role("button", name="Close roll call").click()
    expect(warden.page.get_by_role("heading", level=2, name="Roll call closed")).to_be_visible()
    is_read_once()
    # What another warden does is shown as before.
    residence.post(f"{residence.path}/roll-call/correct", {
        "studentId": residence.ids["Luca Ferrari"], "status": "out", "reason": "Fire drill", "saidBy": "Ana Ruiz"}, residence.school.owner)
    expect(warden.page.locator("#main")).to_contain_text("Fire drill")
