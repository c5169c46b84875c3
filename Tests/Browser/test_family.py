"""A parent from the invitation on: what the guide shares arrives, and what she withdraws is gone."""
import itertools
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from school import PASSWORD
from test_insights import child, observe
from test_invites_mail import link_to

ENGLISH = {
    "lang": "en-US", "contacts": "Contacts", "add": "Add contact", "invite": "Invite Pia Aziz",
    "join": "Join", "nothing": "Nothing shared about Noor yet", "summary": "Summary", "edit": "Edit for parents",
    "text": "Text for parents", "approve": "Approve", "share": "Share with parents", "back": "Stop sharing",
    "reads": "Has access", "stop": "Stop sharing with Pia Aziz", "sure": "Stop sharing", "none": "No child linked yet",
}
FRENCH = {
    "lang": "fr-CA", "contacts": "Contacts", "add": "Ajouter le contact", "invite": "Inviter Pia Aziz",
    "join": "Rejoindre", "nothing": "Rien de partagé sur Noor pour l’instant", "summary": "Résumé",
    "edit": "Préparer pour les parents", "text": "Texte pour les parents", "approve": "Approuver",
    "share": "Partager avec les parents", "back": "Ne plus partager", "reads": "A accès",
    "stop": "Ne plus partager avec Pia Aziz", "sure": "Ne plus partager", "none": "Aucun enfant lié pour l’instant",
}
#: Distinct addresses on the shared server.
numbers = itertools.count(1)


def sign_up(parent, address):
    """Signs up by a link, without an account before."""
    parent.page.locator("main a[href*='/sign-up']").first.click()
    parent.page.locator("input[name=name]").fill("Pia Aziz")
    parent.page.locator("input[name=email]").fill(address)
    parent.page.locator("input[name=password]").fill(PASSWORD)
    parent.page.locator("input[name=bornOn]").fill("1990-02-28")
    parent.page.locator("input[name=agrees]").check()
    parent.page.locator("main button[type=submit]").first.click()


@pytest.mark.requirement("BY-1.09.c", "BY-1.09.d", "PT-2.30.b")
@pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_parent_sees_what_a_guide_shares_until_she_stops_sharing_it(visit, server, school, words, size):
    address = f"pia{next(numbers)}.{words['lang'].lower()}.{size[0]}@maple.example"
    observe(school, "Noor built the tower alone.")
    guide = visit(school.owner, f"{child(school)}/contacts", size=size, language=words["lang"])
    contact = guide.page.locator("form").filter(has=guide.button(words["add"]))
    contact.locator("input[name=fullName]").fill("Pia Aziz")
    contact.locator("input[name=email]").fill(address)
    guide.button(words["add"]).click()
    guide.button(words["invite"]).click()
    # In the parent's own browser, from the mail on.
    parent = visit(None, link_to(server, address), at=server, size=size, language=words["lang"])
    expect(parent.page).to_have_url(re.compile("/sign-in"))
    sign_up(parent, address)
    parent.button(words["join"]).click()
    parent.is_at("/family")
    expect(parent.page.get_by_text(words["nothing"])).to_be_visible()
    guide.open(f"{child(school)}/contacts")
    expect(guide.page.get_by_text(words["reads"], exact=True)).to_be_visible()

    guide.open(f"{child(school)}/summary")
    guide.button(words["edit"]).click()
    guide.page.get_by_label(words["text"]).fill("Noor built the tower.\n\nCome and see.")
    guide.button(words["approve"], exact=True).click()
    expect(parent.page.get_by_text("Come and see.")).to_have_count(0)
    guide.button(words["share"]).click()
    # The open page updates and shows only the shared text.
    expect(parent.page.get_by_text("Come and see.")).to_be_visible()
    expect(parent.page.get_by_text("alone")).to_have_count(0)
    assert parent.page.evaluate("document.documentElement.scrollWidth") <= size[0]

    guide.button(words["back"], exact=True).click()
    guide.question.get_by_role("button", name=words["back"], exact=True).click()
    expect(parent.page.get_by_text("Come and see.")).to_have_count(0)

    guide.open(f"{child(school)}/contacts")
    guide.button(words["stop"]).click()
    guide.question.get_by_role("button", name=words["sure"], exact=True).click()
    expect(parent.page.get_by_text(words["none"])).to_be_visible()


@pytest.mark.requirement("PT-2.30.c")
def test_a_contact_is_changed_and_removed(visit, school):
    school.owner.post(f"/api/v1{child(school)}/contacts", {"fullName": "Pia Aziz", "phone": "+1 514 555 0100"})
    guide = visit(school.owner, f"{child(school)}/contacts")
    contact = guide.page.locator("#main details", has=guide.page.locator("summary", has_text="Pia Aziz"))
    contact.locator("summary").click()
    expect(contact.get_by_label("Phone")).to_have_value("+1 514 555 0100")
    contact.get_by_label("Full name").fill("Pia Aziz-Roy")
    contact.get_by_label("Phone").fill("+1 514 555 0199")
    contact.get_by_role("button", name="Save").click()
    changed = guide.page.locator("#main details", has=guide.page.locator("summary", has_text="Pia Aziz-Roy"))
    expect(changed).to_have_count(1)

    def kept():
        return [(one["fullName"], one["phone"]) for one in school.owner.get(f"/api/v1{child(school)}/contacts")["items"]]

    assert kept() == [("Pia Aziz-Roy", "+1 514 555 0199")]
    guide.page.reload()
    changed.locator("summary").click()
    expect(changed.get_by_label("Phone")).to_have_value("+1 514 555 0199")
    changed.get_by_role("button", name="Remove contact").click()
    guide.question.get_by_role("button", name="Remove contact").click()
    expect(changed).to_have_count(0)
    assert kept() == []
