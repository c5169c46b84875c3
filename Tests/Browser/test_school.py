"""Managing a school: the switcher, members, invites, its name."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD


@pytest.mark.requirement("BY-1.16.b", "BY-1.16.d", "PT-2M.16.a", "PT-2M.16.b", "PT-2M.17.c", "PT-2M.21.b")
def test_one_account_works_in_two_schools_and_switches_without_signing_in_again(visit, server, school):
    other = server.found_school("Hana Mori", "Birch Lane", {"Otter room": ["Elif Yılmaz"]})
    school.owner.post("/api/v1/invites/redeem", {"code": other.invite("guide")})
    other.assign("Otter room", school.owner)
    guide = visit(school.owner, "/organizations", size=PHONE)
    expect(guide.row("Maple School")).to_be_visible()
    guide.field("Search schools").fill("birch")
    expect(guide.row("Maple School")).to_have_count(0)
    guide.row("Birch Lane").get_by_role("button").click()
    guide.is_at(other.path("Otter room"))
    expect(guide.pill("Elif Yılmaz")).to_be_visible()
    expect(guide.link("Add student")).to_have_count(0)
    guide.expects("404")
    assert guide.open(school.path("Maple room")).status == 404
    guide.open("/settings/organization")
    expect(guide.page.get_by_text("Switch school")).not_to_have_count(0)
    guide.row("Maple School").get_by_role("button").click()
    guide.is_at(school.path("Maple room"))
    expect(guide.link("Add student")).to_be_visible()


@pytest.mark.requirement("PT-2M.17.a", "PT-2M.17.b")
def test_the_switcher_is_only_there_with_more_than_one_school(visit, school):
    guide = visit(school.owner, "/settings/organization")
    expect(guide.field("School name")).to_have_value("Maple School")
    expect(guide.page.locator("#main").get_by_text("Switch school")).to_have_count(0)
    guide.field("School name").fill("Maple Grove")
    guide.page.locator("#form-rename-organization").get_by_role("button", name="Save").click()
    expect(guide.toast("Maple Grove")).to_be_visible()
    guide.page.reload()
    expect(guide.field("School name")).to_have_value("Maple Grove")


@pytest.mark.requirement("PT-3.36.a", "PT-3.36.b")
def test_another_school_is_created_with_a_name_alone(visit, school):
    guide = visit(school.owner, "/organizations/new")
    expect(guide.page.locator("#main input:visible")).to_have_count(1)
    guide.field("School name").fill("Birch Lane")
    guide.button("Create school").click()
    expect(guide.page.locator(".pt-celebration")).to_contain_text("Birch Lane")
    guide.is_at("/.+")
    members = school.owner.get("/api/v1/members")["items"]
    assert [member["roles"] for member in members] == [["superAdmin"]]


@pytest.mark.requirement("WW-0.11.e", "PT-1.23.c", "PT-2M.18.a", "PT-2M.18.b", "PT-2M.18.c")
def test_members_are_searched_promoted_and_removed(visit, school):
    school.colleague("Benoît Côté")
    school.colleague("Claire O’Neill")
    guide = visit(school.owner, "/settings/members", size=DESKTOP)
    expect(guide.row("Benoît Côté")).to_contain_text("Guide")
    expect(guide.row("Benoît Côté")).to_contain_text("@test.example")
    guide.field("Search members").fill("benoit")
    expect(guide.row("Claire O’Neill")).to_have_count(0)
    guide.row("Benoît Côté").get_by_role("link").click()
    guide.page.get_by_label("Admin", exact=True).check()
    guide.button("Save", exact=True).click()
    expect(guide.toast("Role saved")).to_be_visible()
    expect(guide.row("Benoît Côté")).to_contain_text("Admin")
    guide.field("Search members").fill("")
    guide.row("Claire O’Neill").get_by_role("link").click()
    # The leaving person's page may refresh before the response redirects it.
    guide.expects("404 .*/settings/members/")
    guide.button("Remove from school").click()
    expect(guide.question).to_contain_text("Remove Claire O’Neill from the school?")
    guide.question.get_by_role("button", name="Remove from school").click()
    expect(guide.toast("Removed from the school")).to_be_visible()
    expect(guide.row("Claire O’Neill")).to_have_count(0)


def test_the_last_super_admin_stays(visit, school):
    guide = visit(school.owner, "/settings/members")
    guide.row("Ana Ruiz").get_by_role("link").click()
    guide.expects("409|422")
    guide.page.get_by_label("Guide", exact=True).check()
    guide.button("Save", exact=True).click()
    expect(guide.page.get_by_text("This is the only super admin").first).to_be_visible()
    guide.page.reload()
    expect(guide.page.get_by_label("Super admin", exact=True)).to_be_checked()


def test_an_admin_sees_members_but_no_change_of_role(visit, school):
    admin = visit(school.colleague("Benoît Côté", "admin"), "/settings/members")
    admin.row("Ana Ruiz").get_by_role("link").click()
    expect(admin.page.get_by_text("Super admin").first).to_be_visible()
    expect(admin.button("Remove from school")).to_have_count(0)
    expect(admin.sheet.locator("input[name=role]")).to_have_count(0)
    admin.open("/settings/invites")
    expect(admin.page.get_by_role("link", name="Create invite")).to_be_visible()


@pytest.mark.requirement("PT-2M.19.b", "PT-2M.19.c", "PT-2M.19.d")
def test_an_invite_has_a_code_and_a_qr_image_and_can_be_canceled(visit, school):
    guide = visit(school.owner, "/settings/invites")
    expect(guide.page.get_by_text("No open invites")).to_be_visible()
    guide.page.get_by_role("link", name="Create invite").click()
    guide.sheet.get_by_label("Role").select_option(label="Admin")
    guide.sheet.get_by_role("button", name="Create invite").click()
    card = guide.page.locator(".pt-codecard")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("Admin")
    expect(card.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    code = card.locator(".pt-code").inner_text().strip()
    assert code.replace(" ", "") in [one["code"] for one in school.owner.get("/api/v1/invites")["items"]]
    guide.button("Cancel invite").click()
    guide.question.get_by_role("button", name="Cancel invite").click()
    expect(guide.toast("Invite canceled")).to_be_visible()
    expect(card).to_have_count(0)


@pytest.mark.requirement("PT-3.41.b")
def test_a_colleague_who_joins_is_a_notification_until_read(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    bell = guide.page.locator(".pt-topbar a.pt-icon-button[href='/notifications']")
    expect(bell).to_have_attribute("aria-label", "Notifications")
    school.colleague("Benoît Côté")
    # The bell lights without a reload.
    expect(bell).to_have_attribute("aria-label", "Notifications, 1 new")
    bell.click()
    expect(guide.page.locator("#main li").first).to_contain_text("Benoît Côté joined the school")
    expect(guide.page.locator("#main li").filter(has_text=", New")).to_have_count(1)
    guide.button("Mark all as read").click()
    expect(bell).to_have_attribute("aria-label", "Notifications")
    expect(guide.page.locator("#main li").filter(has_text=", New")).to_have_count(0)


def test_the_active_school_is_remembered_over_a_sign_out(visit, server, school):
    other = server.found_school("Hana Mori", "Birch Lane", {"Otter room": ["Elif Yılmaz"]})
    school.owner.post("/api/v1/invites/redeem", {"code": other.invite("admin")})
    guide = visit(school.owner, "/organizations")
    guide.row("Maple School").get_by_role("button").click()
    guide.is_at(school.path("Maple room"))
    guide.account_menu().get_by_role("button", name="Sign out").click()
    guide.is_at("/sign-in")
    guide.field("Email").fill(school.owner.email)
    guide.field("Password").fill(PASSWORD)
    guide.button("Sign in").click()
    guide.is_at(school.path("Maple room"))


@pytest.mark.requirement("PT-1.23.a", "PT-3.39")
def test_settings_lead_to_all_that_a_super_admin_manages(visit, school):
    guide = visit(school.owner, "/settings", size=DESKTOP)
    for name, path in [
        ("Appearance", "/settings/display"), ("AI", "/settings/ai"), ("School", "/settings/organization"),
        ("Members", "/settings/members"), ("Invites", "/settings/invites"), ("Account", "/settings"),
    ]:
        entry = guide.page.locator(".pt-sidebar").get_by_role("link", name=name, exact=True)
        entry.click()
        guide.is_at(path)
        expect(entry).to_have_attribute("aria-current", "page")
    guide.page.locator(".pt-sidebar").get_by_role("link", name="All students").click()
    expect(guide.row("Noor Aziz")).to_be_visible()
    guide.page.locator(".pt-sidebar").get_by_role("link", name="Classrooms").click()
    expect(guide.row("Maple room")).to_be_visible()


@pytest.mark.requirement("PT-1.23.d")
def test_settings_offer_a_guide_nothing_to_manage(visit, school):
    guide = visit(school.colleague("Claire O’Neill", rooms=["Maple room"]), "/settings/organization", size=DESKTOP)
    for name in ["Classrooms", "Students", "Import"]:
        expect(guide.page.locator("main").get_by_role("link", name=name, exact=True)).to_have_count(0)
    for name in ["Members", "Invites", "Classrooms", "All students", "Import"]:
        expect(guide.page.locator(".pt-sidebar").get_by_role("link", name=name)).to_have_count(0)
    guide.expects("403")
    for path in ["/settings/students", "/settings/members", "/settings/invites", "/classrooms/new", "/settings/import"]:
        assert guide.open(path).status == 403, path


@pytest.mark.requirement("BY-1.16.c")
def test_a_guide_is_also_the_warden_of_a_residence_with_one_sign_in(visit, school):
    guide = school.colleague("Ines Costa", role="guide", rooms=["Maple room"])
    guide.post("/api/v1/invites/redeem", {"code": school.invite("warden")})
    school.owner.post("/api/v1/residences", {
        "name": "Birch House", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00",
        "wardenIds": [guide.get("/api/v1/auth/me")["profileId"]]})
    visitor = visit(guide, school.path("Maple room"))
    expect(visitor.pill("Noor Aziz")).to_be_visible()
    visitor.open("/residences")
    expect(visitor.heading("Birch House")).to_be_visible()
