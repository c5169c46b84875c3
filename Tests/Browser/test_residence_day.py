"""The day of a residence: a warden records a passage and corrects it."""

import re

import pytest
from conftest import DESKTOP, PHONE
from residence import found_residence


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_warden_corrects_a_passage_and_what_was_recorded_stays(visit, server, size):
    residence = found_residence(server)
    warden = visit(residence.warden, residence.path, size=size)
    warden.row("Amina Diallo").locator("summary").click()
    warden.row("Amina Diallo").locator(".pt-menu").get_by_text("Check in").click()
    passages = warden.page.get_by_role("list", name="Passages")
    passage = passages.get_by_role("listitem").filter(has_text="Amina Diallo")
    passage.get_by_role("link").click()
    warden.sheet.get_by_label("Did not happen").check()
    warden.sheet.get_by_role("button", name="Add correction").click()
    # A correction says why.
    warden.expects("422")
    warden.sheet.get_by_label("Reason").fill("Her sister’s badge")
    warden.sheet.get_by_role("button", name="Add correction").click()
    warden.toast("Correction added").wait_for()
    passage.get_by_text("Did not happen").wait_for()
    warden.is_at(re.escape(residence.path))
    assert [one["type"] for one in residence.warden.get(f"/api/v1{residence.path}/passages")["items"]] == ["checkIn"]
    assert residence.warden.get(f"/api/v1{residence.path}/attendance")["summary"]["checkedIn"] == 0
    passage.get_by_role("link").click()
    warden.sheet.get_by_text("Her sister’s badge · Ines Costa").wait_for()
