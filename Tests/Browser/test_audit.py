"""The audit trail and the table of roles, as an admin sees them."""

import re
import sqlite3

import pytest
import requests
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


@pytest.mark.requirement("BY-1.25.a", "BY-1.25.b", "BY-1.25.c", "PT-2M.25.b")
def test_the_audit_log_shows_who_saw_or_changed_what_and_is_filtered_by_links(visit, school):
    ben = school.colleague("Ben Ito", rooms=["Maple room"])
    child = school.children["Noor Aziz"]
    school.owner.post(
        f"/api/v1/classrooms/{school.rooms['Maple room']}/attendance",
        {"studentId": child, "status": "present"})
    guide = visit(ben, f"/students/{child}", size=PHONE)
    expect(guide.page.get_by_text("Noor Aziz").first).to_be_visible()
    admin = visit(school.owner, "/settings/audit", size=DESKTOP)
    expect(admin.row("Viewed the record of Noor Aziz")).to_contain_text("Ben Ito")
    expect(admin.row("Ben Ito joined (Guide)")).to_be_visible()
    expect(admin.row("Created the school")).to_contain_text("Ana Ruiz")
    kinds = admin.page.locator(".pt-more--chip > summary", has_text="Everything")
    kinds.click()
    admin.link("Views", exact=True).click()
    admin.is_at(r"/settings/audit\?group=.+")
    expect(admin.page.locator(".pt-more--chip > summary[aria-current]")).to_contain_text("Views")
    expect(admin.row("Created the school")).to_have_count(0)
    expect(admin.row("Viewed the record of Noor Aziz")).to_be_visible()
    admin.open(f"/settings/audit?subject={child}")
    expect(admin.row("Added the student Noor Aziz")).to_be_visible()
    expect(admin.row("Created the school")).to_have_count(0)
    admin.link("About Noor Aziz").click()
    expect(admin.row("Created the school")).to_be_visible()
    french = visit(school.owner, "/settings/audit", language="fr-CA")
    expect(french.row("A consulté le dossier de Noor Aziz")).to_be_visible()


@pytest.mark.requirement("BY-1.25.d")
def test_an_export_is_logged_and_a_changed_byte_is_found(visit, school):
    admin = visit(school.owner, "/settings/audit?check=1")
    expect(admin.page.get_by_text("The audit log is intact")).to_be_visible()
    answer = requests.get(
        f"{school.owner.server.url}/api/v1/audit/export",
        headers={"Authorization": f"Bearer {school.owner.token}"}, timeout=10)
    name = answer.headers["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename=".+ audit-trail 20\d\d-\d\d-\d\d\.csv"', name), name
    assert "Created the school" in answer.content.decode("utf-8-sig")
    admin.open("/settings/audit")
    expect(admin.row("Exported the audit log").first).to_be_visible()
    file = school.owner.server.data / "schools" / f"{school.id}.sqlite"
    with sqlite3.connect(file) as raw:
        with pytest.raises(sqlite3.DatabaseError, match="append-only"):
            raw.execute("UPDATE change_log SET payload = '' WHERE seq = 2")
        raw.execute("DROP TRIGGER change_log_refuses_update")
        raw.execute("UPDATE change_log SET kind = 'nothing.happened' WHERE seq = 2")
    admin.open("/settings/audit?check=1")
    expect(admin.page.get_by_text("The audit log is broken at entry 2")).to_be_visible()


def test_the_roles_are_a_table_beside_the_members(visit, school):
    admin = visit(school.owner, "/settings/members", size=DESKTOP)
    admin.link("Role permissions").click()
    admin.is_at("/settings/roles")
    row = admin.page.get_by_role("row").filter(has_text="Change roles")
    expect(row).to_have_count(1)
    guide = visit(school.colleague("Ben Ito"))
    guide.expects("403")
    assert guide.open("/settings/audit").status == 403
