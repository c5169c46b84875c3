"""Invitations by mail: a pasted list is sent, a link joins the school, and the list shows each state."""

import re
import time
from email import message_from_bytes, policy

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD, STOP_LIMIT


def link_to(server, address):
    """The path of the link in the mail to an address."""
    deadline = time.monotonic() + STOP_LIMIT
    while time.monotonic() < deadline:
        for file in (server.data / "outbox").glob("*.eml"):
            mail = message_from_bytes(file.read_bytes(), policy=policy.default)
            if mail["To"] == address:
                return re.search(r"https?://[^/]+(/join/\S+)", mail.get_content())[1]
    raise AssertionError(f"no mail to {address}")


@pytest.mark.requirement("PT-2M.24.a", "PT-2M.25.a")
def test_an_emailed_link_opens_sign_up_and_joins_and_the_list_follows(visit, server, school):
    admin = visit(school.owner, "/settings/invites", size=DESKTOP)
    admin.link("Invite by email").first.click()
    admin.field("Email addresses").fill("xi@maple.example; noor@maple.example")
    admin.button("Send", exact=True).click()
    expect(admin.row("xi@maple.example")).to_contain_text("Sent")
    newcomer = visit(None, link_to(server, "xi@maple.example"), at=server, size=PHONE)
    expect(newcomer.page).to_have_url(re.compile("/sign-in"))
    newcomer.page.get_by_role("link", name=re.compile("account", re.I)).first.click()
    newcomer.page.get_by_label(re.compile("name", re.I)).first.fill("Xi Côté")
    newcomer.field("Email").fill("xi@maple.example")
    newcomer.page.locator("input[type=password]").first.fill(PASSWORD)
    newcomer.field("Date of birth").fill("1990-02-28")
    newcomer.field("I agree to the Terms of Service and the Privacy Policy").check()
    newcomer.page.locator("main button[type=submit]").first.click()
    newcomer.page.get_by_role("button", name="Join").click()
    expect(admin.row("xi@maple.example")).to_contain_text("accepted by Xi Côté")
    expect(admin.row("xi@maple.example")).to_contain_text("Accepted")


def test_a_list_with_a_fault_is_kept_with_its_message(visit, school):
    admin = visit(school.owner, "/settings/invites", language="fr-CA")
    admin.expects("422")
    admin.link("Inviter par courriel").first.click()
    admin.field("Adresses courriel").fill("xi@maple.example\npas une adresse")
    admin.button("Envoyer", exact=True).click()
    expect(admin.page.get_by_text("n’est pas une adresse courriel").first).to_be_visible()
    assert school.owner.get("/api/v1/invites/sent")["items"] == []
