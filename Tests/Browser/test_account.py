"""The own account: a forgotten password, a changed one, and the devices."""

import email
import re
import time
from email import policy

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD

NEW = "quite other words here"


def mail_to(server, address):
    """The latest mail to an address. Mails are sent after the response, so this waits for it."""
    for _ in range(100):
        files = sorted((server.data / "outbox").glob("*.eml"), key=lambda one: one.stat().st_mtime_ns)
        mails = [email.message_from_bytes(one.read_bytes(), policy=policy.default) for one in files]
        found = [mail for mail in mails if mail["To"] and mail["To"].addresses[0].addr_spec == address]
        if found:
            return found[-1]
        time.sleep(0.1)
    raise AssertionError(f"no mail to {address}")


@pytest.mark.requirement("WW-8.02.a", "WW-8.03.a", "WW-8.03.b", "WW-8.01.a")
def test_a_forgotten_password_is_replaced_by_email(visit, school):
    server = school.owner.server
    guide = visit(at=server, path="/sign-in", size=PHONE)
    guide.link("Forgot your password?").click()
    guide.is_at("/forgot")
    guide.field("Email").fill(school.owner.email)
    guide.button("Send link").click()
    expect(guide.page.get_by_text("Check your email")).to_be_visible()
    mail = mail_to(server, school.owner.email)
    link = re.search(r"https?://\S+(/reset/\S+)", mail.get_content())
    guide.open(link.group(1))
    guide.field("New password").fill(NEW)
    guide.button("Save password").click()
    guide.is_at(school.path("Maple room"))
    again = visit(at=server, path=link.group(1))
    expect(again.link("Request a new link")).to_be_visible()
    again.open("/sign-in")
    again.field("Email").fill(school.owner.email)
    again.field("Password").fill(NEW)
    again.button("Sign in").click()
    again.is_at("/(classrooms.*|homeroom)")


@pytest.mark.requirement("WW-8.05", "WW-8.04.b")
def test_a_password_is_changed_and_other_devices_are_signed_out(visit, school):
    here = visit(school.owner, "/settings", size=DESKTOP)
    there = visit(school.owner, school.path("Maple room"))
    there.expects("401")
    here.expects("422")
    here.page.get_by_role("link", name="Change password").click()
    here.field("Current password").fill("not the password")
    here.field("New password").fill(NEW)
    here.button("Save password").click()
    expect(here.page.get_by_text("This is not your current password.").first).to_be_visible()
    here.field("Current password").fill(PASSWORD)
    here.field("New password").fill(NEW)
    here.button("Save password").click()
    expect(here.toast("Password changed")).to_be_visible()
    here.is_at("/settings")
    there.page.reload()
    there.is_at(r"/sign-in\?next=.*")


@pytest.mark.requirement("BY-1.23.d")
def test_a_lost_device_is_signed_out(visit, school):
    here = visit(school.owner, "/settings/devices", size=DESKTOP)
    there = visit(school.owner, school.path("Maple room"))
    here.page.reload()
    rows = here.page.locator("#main .pt-list > li")
    expect(rows.filter(has_text="This device")).to_have_count(1)
    others = rows.count() - 1
    assert others >= 1
    here.button("Sign out other devices").click()
    here.question.get_by_role("button", name="Sign out other devices").click()
    expect(here.toast("Other devices signed out.")).to_be_visible()
    expect(rows).to_have_count(1)
    there.page.reload()
    there.is_at(r"/sign-in\?next=.*")
