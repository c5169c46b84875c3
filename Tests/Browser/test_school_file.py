"""Backup, records and closing of a school, by the super admin in Settings."""

import zipfile

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD


def fetched(visitor, tmp_path, name):
    """Downloads the file of the first download button."""
    with visitor.page.expect_download() as waiting:
        visitor.page.locator("#main").get_by_role("link", name="Download").first.click()
    path = tmp_path / name
    waiting.value.save_as(path)
    return path


@pytest.mark.requirement("PT-2M.27")
def test_a_school_is_backed_up_and_restored(visit, school, tmp_path):
    owner = visit(school.owner, "/settings/organization", size=DESKTOP)
    owner.expects("422")
    owner.page.locator(".pt-sidebar").get_by_role("link", name="Backup and export").click()
    owner.is_at("/settings/school-file")
    owner.page.get_by_label("Passphrase").first.fill("short")
    owner.button("Create backup").click()
    expect(owner.page.get_by_text("A passphrase needs at least 12 characters.").first).to_be_visible()
    owner.page.get_by_label("Passphrase").first.fill("a passphrase of several words")
    owner.button("Create backup").click()
    expect(owner.page.get_by_text("Ready to download").first).to_be_visible(timeout=30_000)
    backup = fetched(owner, tmp_path, "school.pinktower")
    assert backup.read_bytes()[:8] == b"PTSEAL01"
    school.owner.post("/api/v1/classrooms", {"name": "Later room"})
    owner.page.locator("input[type=file]").set_input_files(backup)
    owner.page.get_by_label("Passphrase").last.fill("not the right passphrase")
    owner.page.locator("label", has_text="Replace this school").click()
    owner.button("Restore").click()
    owner.question.get_by_role("button", name="Restore").click()
    expect(owner.page.get_by_text("This is not the passphrase of this backup.").first).to_be_visible()
    names = [room["name"] for room in school.owner.get("/api/v1/classrooms")["items"]]
    assert "Later room" in names, "a refused restore changes nothing"
    owner.page.locator("input[type=file]").set_input_files(backup)
    owner.page.get_by_label("Passphrase").last.fill("a passphrase of several words")
    owner.button("Restore").click()
    owner.question.get_by_role("button", name="Restore").click()
    # All people sign in again after a restore.
    owner.is_at("/sign-in.*")
    owner.field("Email").fill(school.owner.email)
    owner.field("Password").fill(PASSWORD)
    owner.button("Sign in", exact=True).click()
    expect(owner.page.locator("#main")).to_be_visible()
    again = school.owner.server.sign_in(school.owner.email)
    names = [room["name"] for room in again.get("/api/v1/classrooms")["items"]]
    assert "Maple room" in names and "Later room" not in names
    owner.open("/settings/school-file")
    owner.button("Create export").click()
    expect(owner.toast("The file is ready")).to_be_visible()
    export = zipfile.ZipFile(fetched(owner, tmp_path, "school.zip"))
    assert export.testzip() is None and "people.csv" in export.namelist()


def test_a_school_is_closed_and_reopened(visit, school):
    owner = visit(school.owner, "/settings/delete-school", size=PHONE)
    owner.expects("422")
    owner.expects("423")
    name = school.owner.get("/api/v1/organizations")["items"][0]["name"]
    owner.page.get_by_label("School name").fill("Another school")
    owner.button("Close and delete").click()
    owner.question.get_by_role("button", name="Close and delete").click()
    expect(owner.page.get_by_text("This is not the name of the school.").first).to_be_visible()
    owner.page.get_by_label("School name").fill(name)
    owner.button("Close and delete").click()
    owner.question.get_by_role("button", name="Close and delete").click()
    expect(owner.page.get_by_text("until then you can restore it").first).to_be_visible()
    owner.page.goto("/homeroom")
    expect(owner.page.get_by_text("is closed and will be deleted").first).to_be_visible()
    owner.page.get_by_role("link", name="Restore school").click()
    owner.is_at("/settings/delete-school")
    owner.button("Restore school").click()
    expect(owner.page.get_by_text("is open again").first).to_be_visible()
    owner.open("/settings/organization")


@pytest.mark.requirement("BY-1.24.e")
def test_records_have_periods_and_a_person_is_erased(visit, school, tmp_path):
    owner = visit(school.owner, "/settings/records", size=PHONE)
    owner.expects("422")
    owner.page.locator("#main").get_by_role("link", name="Attendance").first.click()
    owner.page.get_by_label("Days").fill("12")
    owner.button("Save").click()
    expect(owner.page.get_by_text("365").first).to_be_visible()
    owner.page.get_by_label("Days").fill("400")
    owner.button("Save").click()
    owner.is_at("/settings/records")
    expect(owner.row("Attendance")).to_contain_text("400 days")
    students = school.owner.get("/api/v1/students")["items"]
    child = students[0]
    owner.open(f"/settings/people/{child['id']}/records")
    owner.button("Create export").click()
    expect(owner.toast("The file is ready")).to_be_visible()
    export = zipfile.ZipFile(fetched(owner, tmp_path, "child.zip"))
    assert "organization.people.json" in export.namelist()
    name = f"{child['firstName']} {child['lastName']}"
    owner.page.get_by_label("Person’s name").fill(name)
    owner.button("Erase permanently").click()
    owner.question.get_by_role("button", name="Erase permanently").click()
    owner.is_at("/settings/members")
    assert child["id"] not in [one["id"] for one in school.owner.get("/api/v1/students")["items"]]
