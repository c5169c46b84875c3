"""A child checks in, also by keyboard and without a network, shares with one adult, and asks for help."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

ENGLISH = {
    "lang": "en-US", "title": "Wellness", "ask": "How are you today?", "now": "How are you now?", "good": "Good", "poor": "Not so good",
    "more": "Say more", "save": "Save", "line": "A line about it, if you like", "sleep": "How did you sleep?", "badly": "Badly",
    "help": "I would like help", "tell": "Tell them now", "told": "Told, not seen yet", "seen": "I have seen it", "seenOn": "Seen on",
    "close": "Close the request", "wants": "would like help", "kept": "Saved on this device", "choose": "Choose who may read them",
    "with": "With whom", "share": "Share all, later ones too", "stop": "Stop", "nothing": "You share nothing",
}
FRENCH = {
    "lang": "fr-CA", "title": "Bien-être", "ask": "Comment ça va aujourd’hui\u00a0?", "now": "Comment ça va maintenant\u00a0?",
    "good": "Bien", "poor": "Pas très bien", "more": "En dire plus", "save": "Enregistrer", "line": "Un mot de plus, si tu veux",
    "sleep": "Comment as-tu dormi\u00a0?", "badly": "Mal", "help": "J’ai besoin d’aide", "tell": "Les prévenir maintenant",
    "told": "Prévenu, pas encore vu", "seen": "Je l’ai vu", "seenOn": "Vu\u00a0:", "close": "Clore la demande", "wants": "demande de l’aide",
    "kept": "Enregistré sur cet appareil", "choose": "Choisir qui peut les lire", "with": "Avec qui",
    "share": "Tout partager, la suite aussi", "stop": "Arrêter", "nothing": "Tu ne partages rien",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])
NO_NETWORK = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED"


class Class:
    """A school with a child and a guide whom the school named for requests."""

    def __init__(self, server):
        self.school = server.found_school()
        self.child = self.school.colleague("Ada Berg", role="student")
        self.guide = self.school.colleague("Ruth Adler")
        members = {member["email"]: member["id"].lower() for member in self.school.owner.get("/api/v1/members")["items"]}
        self.guide_id = members[self.guide.email]
        self.school.owner.post(
            "/api/v1/wellness/settings", {"isOn": True, "staffIds": [self.guide_id], "numbers": "Nurse: 514 555-0100"})

    def moods(self):
        return [one["mood"] for one in self.child.get("/api/v1/wellness/check-ins")["items"]]


@pytest.mark.requirement("WW-1.05.a", "WW-1.05.b")
@BOTH
def test_a_child_checks_in_with_a_tap_and_says_more(visit, server, words, size):
    made = Class(server)
    child = visit(made.child, "/home", size=size, language=words["lang"])
    expect(child.page.get_by_text(words["ask"])).to_be_visible()
    child.button(words["good"], exact=True).click()
    expect(child.page.get_by_text(words["ask"])).to_be_hidden()
    assert made.moods() == ["good"]

    child.open("/wellness")
    expect(child.page.get_by_role("heading", name=words["now"])).to_be_visible()
    child.link(words["more"]).click()
    sheet = child.sheet
    sheet.get_by_role("radio", name=words["poor"], exact=True).check()
    sheet.get_by_role("group", name=words["sleep"]).get_by_role("radio", name=words["badly"]).check()
    sheet.get_by_label(words["line"]).fill("The test 🙂")
    sheet.get_by_role("button", name=words["save"]).click()
    expect(child.page.locator("#main .pt-list-cell").filter(has_text="The test 🙂")).to_contain_text(words["poor"])
    assert made.moods() == ["poor", "good"]


def test_moods_are_chosen_by_keyboard_alone(visit, server):
    made = Class(server)
    child = visit(made.child, "/wellness?sheet=check-in", size=DESKTOP)
    first = child.sheet.get_by_role("radio", name="Very good")
    first.focus()
    child.page.keyboard.press("ArrowDown")
    expect(child.sheet.get_by_role("radio", name="Good", exact=True)).to_be_checked()
    child.page.keyboard.press("Enter")
    expect(child.page.locator("#main .pt-list-cell")).to_have_count(1)
    assert made.moods() == ["good"]


def test_a_sheet_that_opens_again_has_the_focus_at_the_chosen_mood(visit, server):
    made = Class(server)
    child = visit(made.child, "/wellness")
    child.link("Say more").click()
    expect(child.sheet.get_by_role("radio", name="Very good")).to_be_focused()
    mood = child.sheet.get_by_role("group", name="Mood").get_by_role("radio", name="So-so")
    mood.check()
    child.page.keyboard.press("Escape")
    expect(child.page.locator("dialog[open]")).to_have_count(0)
    child.link("Say more").click()
    expect(mood).to_be_focused()
    expect(mood).to_be_checked()


def test_a_second_device_of_the_child_shows_a_check_in_at_once(visit, server):
    made = Class(server)
    first, second = visit(made.child, "/wellness"), visit(made.child, "/wellness")
    expect(second.page.get_by_text("No check-ins yet")).to_be_visible()
    first.button("Good", exact=True).click()
    expect(second.page.locator("#main .pt-list-cell")).to_contain_text("Good")


@pytest.mark.requirement("WW-1.05.b")
@BOTH
def test_check_ins_without_a_network_arrive_once_and_in_order(visit, server, words, size):
    made = Class(server)
    child = visit(made.child, "/wellness", size=size, worker=True, language=words["lang"])
    child.expects(NO_NETWORK)
    child.keeps_page()
    child.open("/wellness")
    child.keeps_page()
    child.page.context.set_offline(True)
    # The page that is opened again has the keys that it had before. Two quick taps on one picture are one check-in.
    for mood in (words["good"], words["good"], words["poor"]):
        child.page.goto("/wellness")
        child.button(mood, exact=True).click()
        expect(child.page.get_by_text(words["kept"]).first).to_be_visible()
    assert made.moods() == []
    child.page.context.set_offline(False)
    child.page.goto("/wellness")
    expect(child.page.locator("#main .pt-list-cell").first).to_contain_text(words["poor"])
    expect(child.page.locator(".pt-outbox")).to_be_hidden()
    assert made.moods() == ["poor", "good"]


@BOTH
def test_a_child_asks_for_help_and_sees_who_has_seen_it(visit, server, words, size):
    made = Class(server)
    guide = visit(made.guide, "/home", size=size, language=words["lang"])
    child = visit(made.child, "/wellness/help", size=size, language=words["lang"])
    expect(child.page.get_by_text("Ruth Adler")).to_be_visible()
    assert child.page.locator('a[href="tel:5145550100"]').count() == 1
    child.button(words["tell"]).click()
    expect(child.page.get_by_text(words["told"])).to_be_visible()

    # The guide's open page shows it at once.
    row = guide.page.locator("#main .pt-list-cell").filter(has_text=f"Ada Berg {words['wants']}")
    expect(row).to_be_visible()
    row.click()
    guide.button(words["seen"]).click()
    expect(child.page.get_by_text(re.compile(words["seenOn"]))).to_be_visible()
    guide.page.locator("textarea[name=answer]").fill("We speak after lunch.")
    guide.button(words["close"]).click()
    expect(child.page.get_by_text("We speak after lunch.")).to_be_visible()


def test_asking_for_help_without_a_network_says_so_and_keeps_the_text(visit, server):
    made = Class(server)
    child = visit(made.child, "/wellness/help")
    child.expects(NO_NETWORK)
    child.page.locator("textarea[name=note]").fill("About the bus")
    child.page.context.set_offline(True)
    child.button("Tell them now").click()
    expect(child.page.locator("#pt-toasts")).to_contain_text("Not sent")
    expect(child.page.locator("textarea[name=note]")).to_have_value("About the bus")
    child.page.context.set_offline(False)
    assert made.guide.get("/api/v1/wellness/requests")["items"] == []


def test_a_child_shares_with_one_adult_and_stops(visit, server):
    made, words = Class(server), ENGLISH
    made.child.post("/api/v1/wellness/check-ins", {"mood": "good", "note": "Secret garden"})
    child = visit(made.child, "/wellness")
    guide = visit(made.guide, "/wellness/shared")
    owner = visit(made.school.owner, "/wellness/shared")
    expect(guide.page.get_by_text("Nothing is shared with you")).to_be_visible()
    child.link(words["choose"]).click()
    child.field(words["with"]).select_option(value=made.guide_id)
    child.button(words["share"]).click()
    expect(child.row("Ruth Adler")).to_be_visible()
    guide.page.locator("#main .pt-list-cell").filter(has_text="Ada Berg").click()
    expect(guide.page.get_by_text("Secret garden")).to_be_visible()
    expect(owner.page.get_by_text("Nothing is shared with you")).to_be_visible()
    # The guide's open page reads itself again, and is gone.
    guide.expects("404")
    child.button(f"{words['stop']} sharing with Ruth Adler").click()
    expect(child.page.get_by_text(words["nothing"])).to_be_visible()
    guide.open("/wellness/shared")
    expect(guide.page.get_by_text("Nothing is shared with you")).to_be_visible()
