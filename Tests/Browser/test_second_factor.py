"""Two-step sign-in: an authenticator app, passkeys, and a school that asks its staff for one."""

import base64
import hashlib
import hmac
import re
import struct
import time

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, OUTPUT, PHONE
from school import PASSWORD
from test_access import findings


def code(secret, steps=0):
    """The code of an authenticator app (RFC 6238), `steps` later than now."""
    text = secret.replace(" ", "")
    key = base64.b32decode(text + "=" * (-len(text) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30 + steps), hashlib.sha1).digest()
    at = digest[19] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def sign_in(visitor, email):
    visitor.open("/sign-in")
    visitor.field("Email").fill(email)
    visitor.field("Password").fill(PASSWORD)
    visitor.button("Sign in", exact=True).click()


def switch_on(visitor):
    """Sets up the app with the code of this step; returns its secret. The next valid code is that of the next step."""
    visitor.open("/settings/security")
    visitor.field("Current password").fill(PASSWORD)
    visitor.button("Set up app").click()
    visitor.is_at("/settings/security/app")
    secret = visitor.page.locator(".pt-code").inner_text()
    visitor.field("Code").fill(code(secret))
    visitor.button("Turn on").click()
    visitor.is_at("/settings/security/recovery")
    return secret


@pytest.mark.requirement("BY-1.23.a")
def test_an_authenticator_app_is_set_up_and_its_code_is_required(visit, school):
    me = visit(school.owner, size=PHONE)
    secret = switch_on(me)
    expect(me.page.get_by_text(re.compile(r"^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$"))).to_have_count(10)
    me.button("I have saved them").click()
    me.is_at("/settings/security")
    again = visit(at=school.owner.server, size=PHONE)
    again.expects("422")
    sign_in(again, school.owner.email)
    again.is_at("/sign-in/code/.*")
    again.field("Code").fill("000000")
    again.button("Sign in").click()
    expect(again.page.get_by_text("This code is wrong").first).to_be_visible()
    again.field("Code").fill(code(secret, 1))
    again.button("Sign in").click()
    again.is_at("/(classrooms.*|homeroom)")


def test_the_second_step_needs_no_script(visit, school):
    secret = switch_on(visit(school.owner, size=DESKTOP))
    plain = visit(at=school.owner.server, script=False)
    plain.open("/sign-in?next=/settings/security")
    plain.field("Email").fill(school.owner.email)
    plain.field("Password").fill(PASSWORD)
    plain.button("Sign in", exact=True).click()
    plain.is_at("/sign-in/code/.*")
    plain.field("Code").fill(code(secret, 1))
    plain.button("Sign in").click()
    plain.is_at("/settings/security")


@pytest.mark.requirement("BY-1.23.c")
def test_staff_must_set_up_the_second_factor_that_their_school_requires(visit, school):
    guide = school.colleague("Ben Ito", rooms=["Maple room"])
    owner = visit(school.owner, size=DESKTOP)
    owner.expects("409")
    owner.open("/settings/organization")
    owner.field("Require two-step sign-in for staff").check()
    card = owner.page.locator("form[action$='/organization/second-factor']")
    card.get_by_role("button").click()
    expect(owner.page.get_by_text("Set up two-step sign-in for yourself first").first).to_be_visible()
    switch_on(owner)
    owner.open("/settings/organization")
    owner.field("Require two-step sign-in for staff").check()
    card.get_by_role("button").click()
    expect(owner.toast("Staff must now use two-step sign-in.")).to_be_visible()
    ben = visit(guide, size=PHONE)
    ben.open(school.path("Maple room"))
    ben.is_at("/settings/security")
    expect(ben.page.get_by_text("Your school requires two-step sign-in")).to_be_visible()
    switch_on(ben)
    ben.button("I have saved them").click()
    ben.is_at("/settings/security")
    ben.open(school.path("Maple room"))
    expect(ben.page.get_by_text("Noor Aziz").first).to_be_visible()


# --- Passkeys: Chromium's own authenticator, in software


def authenticator(visitor):
    session = visitor.page.context.new_cdp_session(visitor.page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True}})
    return session, made["authenticatorId"]


@pytest.mark.requirement("BY-1.23.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_passkey_is_made_signs_in_and_is_removed(visit, named_server, size):
    person = named_server.sign_up("Ana Ruiz")
    home = f"http://localhost:{named_server.port}"
    me = visit(at=named_server, size=size)
    session, key = authenticator(me)
    me.page.goto(home + "/sign-in")
    me.field("Email").fill(person.email)
    me.field("Password").fill(PASSWORD)
    me.button("Sign in", exact=True).click()
    expect(me.page).not_to_have_url(re.compile("sign-in"))
    me.page.goto(home + "/settings/security")
    me.link("Add passkey").click()
    me.expects("422")
    me.field("Name").fill("Blue phone")
    me.field("Current password").fill("not the password")
    me.button("Add passkey").click()
    expect(me.toast("This is not your current password.")).to_be_visible()
    me.field("Current password").fill(PASSWORD)
    me.button("Add passkey").click()
    expect(me.toast("Passkey added.")).to_be_visible()
    expect(me.page.locator("#main .pt-list > li")).to_have_count(1)
    me.account_menu().get_by_text("Sign out").click()
    me.is_at("/sign-in.*")
    me.button("Sign in with a passkey").click()
    expect(me.page).not_to_have_url(re.compile("sign-in"))
    me.page.goto(home + "/settings/security")
    me.link(re.compile("Blue phone")).click()
    expect(me.heading("Blue phone")).to_be_visible()
    me.page.wait_for_load_state("networkidle")
    me.field("Current password").fill(PASSWORD)
    expect(me.field("Current password")).to_have_value(PASSWORD)
    me.button("Remove passkey").click()
    expect(me.toast("Passkey removed.")).to_be_visible()
    me.account_menu().get_by_text("Sign out").click()
    me.is_at("/sign-in.*")
    me.expects("401")
    me.button("Sign in with a passkey").click()
    expect(me.page.get_by_text("This passkey is not registered here").first).to_be_visible()
    # Without user verification the browser cancels, and the page says what to do.
    session.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False})
    me.button("Sign in with a passkey").click()
    expect(me.toast("The passkey was not used.")).to_be_visible()


def test_without_scripts_or_a_name_no_passkey_is_offered(visit, school, named_server):
    plain = visit(at=named_server, script=False, path="/sign-in")
    expect(plain.button("Sign in with a passkey")).to_be_hidden()
    numbered = visit(at=school.owner.server, path="/sign-in")
    expect(numbered.button("Sign in with a passkey")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_pages_of_the_second_factor(visit, school, scheme):
    found = {}
    options = {"scheme": scheme, "reduced_motion": "reduce", "bypass_csp": True}

    def look(visitor):
        expect(visitor.page.locator("h1")).to_have_count(1)
        if serious := findings(visitor.page):
            found[visitor.path] = serious

    me = visit(school.owner, "/settings/security", size=PHONE, **options)
    look(me)
    me.field("Current password").fill(PASSWORD)
    me.button("Set up app").click()
    me.is_at("/settings/security/app")
    look(me)
    switch_on(me)
    look(me)
    me.open("/settings/security")
    look(me)
    again = visit(at=school.owner.server, size=DESKTOP, **options)
    sign_in(again, school.owner.email)
    again.is_at("/sign-in/code/.*")
    look(again)
    assert not found, found
