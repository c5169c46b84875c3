"""Meals of a residence and the import of its rooms and residents, as wardens, cooks, residents and parents see them."""

import datetime
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect


@pytest.fixture
def house(school):
    """A residence with a warden, a cook and a resident with an account, whose id is `student`."""
    warden, cook, resident = (
        school.colleague("Ines Costa", "warden"), school.colleague("Cleo Cook"), school.colleague("Sami Haddad", "student"))
    ids = {member["email"]: member["id"] for member in school.owner.get("/api/v1/members")["items"]}
    made = school.owner.post("/api/v1/residences", {
        "name": "Birch House", "schoolNightCurfew": "21:00", "weekendCurfew": "23:00",
        "wardenIds": [ids[warden.email]], "kitchenIds": [ids[cook.email]]})
    warden.post(f"/api/v1/residences/{made['id']}/students", {"studentId": ids[resident.email]})
    return {"path": f"/residences/{made['id'].lower()}", "warden": warden, "cook": cook, "resident": resident}


def later(days=2):
    """A day in the next days, in the time zone of the sample schools."""
    return datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=days)


def test_the_kitchen_writes_a_menu_and_a_resident_skips_a_meal(visit, house):
    day = later()
    cook = visit(house["cook"], f"{house['path']}/meals/edit?day={day}", size=DESKTOP)
    cook.page.get_by_label("Lunch", exact=True).fill("Fish, potatoes")
    cook.page.get_by_label("Dinner", exact=True).fill("Dal, rice")
    cook.button("Save").click()
    cook.is_at(re.escape(f"{house['path']}/meals") + ".*")
    expect(cook.page.locator(f"#day-{day}")).to_contain_text("Fish, potatoes")
    expect(cook.page.locator(f"#day-{day} .pt-tag").first).to_have_text("1 meal")

    resident = visit(house["resident"], f"/meals?day={day}", size=PHONE)
    place = resident.page.locator(f"#day-{day}")
    place.get_by_role("button", name=re.compile("Fish, potatoes: Eat")).click()
    expect(place.get_by_role("button", name=re.compile("Fish, potatoes: Skip"))).to_be_visible()
    expect(cook.page.locator(f"#day-{day} .pt-tag").first).to_have_text("0 meals")


def test_allergies_stand_on_the_page_of_the_kitchen_alone_and_are_printed(visit, house):
    day = later()
    house["cook"].post(f"/api/v1{house['path']}/meals", {
        "day": str(day), "lunch": "Fish", "breakfastTime": "07:00", "lunchTime": "12:30", "dinnerTime": "18:30",
        "cutOff": "18:00"})
    resident = visit(house["resident"], "/meals/diet")
    resident.page.get_by_label("Allergies").fill("Peanut")
    resident.button("Save").click()
    resident.is_at("/meals")
    cook = visit(house["cook"], f"{house['path']}/meals?day={day}", size=DESKTOP)
    cook.page.locator(f"#day-{day}").get_by_role("link", name=re.compile("Fish")).click()
    cook.is_at(re.escape(f"{house['path']}/meals/kitchen") + ".*")
    expect(cook.page.get_by_text("Peanut")).to_be_visible()
    with cook.page.expect_download() as download:
        cook.link("Print").click()
    assert download.value.suggested_filename.endswith(".pdf")
    warden = visit(house["warden"], f"{house['path']}/meals/day?day={day}")
    expect(warden.page.get_by_text("Only the kitchen of this residence sees allergies.")).to_be_visible()
    expect(warden.page.get_by_text("Peanut")).to_have_count(0)


def test_a_file_of_rooms_is_checked_imported_and_undone(visit, house):
    warden = visit(house["warden"], f"{house['path']}/import", size=DESKTOP)

    def choose(text):
        warden.page.set_input_files("input[type=file]", {
            "name": "rooms.csv", "mimeType": "text/csv", "buffer": text.encode()})
        warden.button("Check file").click()
        warden.is_at(re.escape(f"{house['path']}/import/") + ".+")

    choose("Room,Type,Beds,First name,Last name\n007,Single,1,Sami,Haddad\n8,Twin,two,,\n9,Twin,2,Nobody,Known\n")
    expect(warden.page.get_by_text("2 faults in the file")).to_be_visible()
    expect(warden.page.get_by_text("The school has no person Nobody Known.")).to_be_visible()
    warden.open(f"{house['path']}/import")
    choose("Room,Type,Beds,First name,Last name\n007,Single,1,Sami,Haddad\n8,Twin,2,,\n")
    expect(warden.page.get_by_text("Sami Haddad gets room 007")).to_be_visible()
    warden.button("Apply 3 changes").click()
    warden.is_at(re.escape(f"{house['path']}/rooms"))
    expect(warden.page.locator(".pt-room")).to_have_count(2)
    expect(warden.page.locator(".pt-room").first).to_contain_text("007")
    warden.open(f"{house['path']}/import")
    warden.button(re.compile("^Undo")).click()
    warden.page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(warden.page.get_by_text("Undone", exact=True)).to_be_visible()
    warden.open(f"{house['path']}/rooms")
    expect(warden.page.locator(".pt-room")).to_have_count(0)
