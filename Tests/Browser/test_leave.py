"""Leave: a resident asks, a parent and a warden approve, and the wardens' lists follow."""

from datetime import date, timedelta

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from residence import found_residence
from words import Words

BOTH = pytest.mark.parametrize("language,size", [("en-US", PHONE), ("fr-CA", DESKTOP)], ids=["en-phone", "fr-desktop"])


@BOTH
def test_a_resident_asks_and_parent_and_warden_approve_in_two_taps(visit, server, language, size):
    residence, words = found_residence(server), Words(language)
    luz = residence.parent("Luz Diallo", "Amina Diallo")
    resident = visit(residence.residents["Amina Diallo"], "/leave", size=size, language=language)
    expect(resident.page.get_by_text(words("residence.leave.none"))).to_be_visible()
    resident.page.locator(".pt-fab").click()
    form = resident.page.locator("form", has=resident.page.locator("[name=place]"))
    today = date.today()
    form.locator("[name=fromDay]").fill((today + timedelta(days=1)).isoformat())
    form.locator("[name=toDay]").fill((today + timedelta(days=3)).isoformat())
    form.locator("[name=place]").fill("Lyon")
    form.locator("[name=companion]").fill("Omar")
    form.locator("button[type=submit]").click()
    expect(resident.page.locator("#main").get_by_text(words("residence.leave.waitingForParent"))).to_be_visible()
    expect(resident.sheet).to_have_count(0)

    # Each notification opens the request with its buttons.
    for person, heading in [(luz, "residence.leave.yourAnswer"), (residence.warden, "residence.leave.requests")]:
        reader = visit(person, "/notifications", size=size, language=language)
        reader.page.locator("#main").get_by_role("link", name=words("notification.residence.leaveRequested", "Amina Diallo")).first.click()
        expect(reader.page.get_by_role("heading", level=2, name=words(heading))).to_be_visible()
        reader.button(words("residence.leave.about", words("residence.leave.approve"), "Amina Diallo")).click()
        expect(reader.page.get_by_role("heading", level=2, name=words(heading))).to_have_count(0)
    expect(resident.page.get_by_text(words("residence.leave.approved"))).to_be_visible()
    warden = visit(residence.warden, f"{residence.path}/leave", size=size, language=language)
    upcoming = warden.page.get_by_role("list", name=words("residence.leave.upcoming"))
    expect(upcoming).to_contain_text("Amina Diallo")
    assert warden.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_leave_that_overlaps_is_refused_at_its_field_and_one_can_be_withdrawn(visit, server):
    residence = found_residence(server)
    amina = residence.residents["Amina Diallo"]
    tomorrow = (date.today() + timedelta(days=1)).isoformat()
    residence.post("/leaves", {
        "fromDay": tomorrow, "fromTime": "10:00", "toDay": tomorrow, "toTime": "23:00", "place": "Lyon"}, amina)
    resident = visit(amina, "/leave/new")
    resident.page.locator("[name=fromDay]").fill(tomorrow)
    resident.page.locator("[name=toDay]").fill(tomorrow)
    resident.page.locator("[name=place]").fill("Paris")
    resident.expects("422")
    resident.page.locator("#main form button[type=submit]").click()
    expect(resident.page.get_by_text("There is already leave at that time.").first).to_be_visible()
    expect(resident.page.locator("[name=place]")).to_have_value("Paris")
    resident.open("/leave")
    resident.row("Lyon").locator("details.pt-more > summary").click()
    resident.row("Lyon").locator(".pt-menu").get_by_text("Withdraw").click()
    resident.question.get_by_role("button", name="Withdraw").click()
    expect(resident.page.get_by_text("Withdrawn", exact=True)).to_be_visible()


def test_the_wardens_lists_follow_a_request_and_its_approval_live(visit, server):
    residence, words = found_residence(server), Words("en-US")
    warden = visit(residence.warden, f"{residence.path}/leave")
    requests = warden.page.get_by_role("heading", level=2, name=words("residence.leave.requests"))
    expect(requests).to_have_count(0)
    today = date.today()
    leave = residence.post("/leaves", {
        "fromDay": (today - timedelta(days=1)).isoformat(), "fromTime": "17:00", "toDay": (today + timedelta(days=2)).isoformat(),
        "toTime": "18:00", "place": "Lyon"}, residence.residents["Amina Diallo"])
    expect(requests).to_be_visible()
    residence.post(f"/leaves/{leave['id']}/decide", {"approves": True}, residence.school.owner)
    expect(requests).to_have_count(0)
    expect(warden.page.get_by_role("list", name=words("residence.leave.out"))).to_contain_text("Amina Diallo")
