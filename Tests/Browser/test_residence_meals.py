"""Meals of a residence and the import of its rooms and residents, as wardens, cooks, residents and parents see them."""

import datetime
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from words import Words

BOTH = pytest.mark.parametrize("language,size", [("en-US", PHONE), ("fr-CA", DESKTOP)], ids=["en-phone", "fr-desktop"])


@pytest.fixture
def residence(school):
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


def test_the_kitchen_writes_a_menu_and_a_resident_skips_a_meal(visit, residence):
    day = later()
    cook = visit(residence["cook"], f"{residence['path']}/meals/edit?day={day}", size=DESKTOP)
    cook.page.get_by_label("Lunch", exact=True).fill("Fish, potatoes")
    cook.page.get_by_label("Dinner", exact=True).fill("Dal, rice")
    cook.button("Save").click()
    cook.is_at(re.escape(f"{residence['path']}/meals") + ".*")
    expect(cook.page.locator(f"#day-{day}")).to_contain_text("Fish, potatoes")
    expect(cook.page.locator(f"#day-{day} .pt-tag").first).to_have_text("1 meal")

    resident = visit(residence["resident"], f"/meals?day={day}", size=PHONE)
    place = resident.page.locator(f"#day-{day}")
    place.get_by_role("button", name=re.compile("Fish, potatoes: Eat")).click()
    expect(place.get_by_role("button", name=re.compile("Fish, potatoes: Skip"))).to_be_visible()
    expect(cook.page.locator(f"#day-{day} .pt-tag").first).to_have_text("0 meals")


def menu(residence, day, cut_off):
    """Writes the menu of a day; residents choose until `cut_off` on the day before."""
    residence["cook"].post(f"/api/v1{residence['path']}/meals", {
        "day": str(day), "lunch": "Fish, potatoes", "dinner": "Dal, rice", "breakfastTime": "07:00", "lunchTime": "23:58",
        "dinnerTime": "23:59", "cutOff": cut_off})


def eaters(residence, day):
    counts = residence["cook"].get(f"/api/v1{residence['path']}/meals?day={day}")["items"]
    return [one["eat"] for one in counts if one["meal"]["day"] == str(day)]


class Menu:
    """A resident's week without a network."""

    def __init__(self, visit, residence, day, size=PHONE, language="en-US"):
        self.visitor = visit(residence["resident"], f"/meals?day={day}", size=size, worker=True, language=language)
        self.day = day
        self.page, self.words = self.visitor.page, Words(language)
        self.visitor.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
        self.visitor.keeps_page()
        self.page.context.set_offline(True)

    def row(self, dish):
        return self.page.locator(f"#day-{self.day} .pt-list-cell").filter(has_text=dish)

    def pill(self, dish):
        return self.row(dish).locator(".pt-attendance")

    def skips(self, dish):
        self.pill(dish).click()
        expect(self.pill(dish)).to_have_attribute("data-state", "absent")
        expect(self.pill(dish)).to_have_attribute("data-sync", "pending")
        expect(self.row(dish)).to_contain_text(self.words("web.outbox.waiting"))


@pytest.mark.requirement("PG-8.06.c")
@BOTH
def test_meals_are_chosen_without_a_network_and_stored_once(visit, residence, language, size):
    day = later()
    menu(residence, day, "18:00")
    meals = Menu(visit, residence, day, size, language)
    sent = []
    meals.page.on("response", lambda one: one.url.endswith("/choose") and sent.append(one.request.headers["idempotency-key"]))
    meals.skips("Fish, potatoes")
    meals.page.reload()
    for attribute, value in [("data-state", "absent"), ("data-sync", "pending")]:
        expect(meals.pill("Fish, potatoes")).to_have_attribute(attribute, value)
    expect(meals.pill("Dal, rice")).to_have_attribute("data-state", "present")
    assert eaters(residence, day) == [1, 1]
    meals.page.context.set_offline(False)
    expect(meals.pill("Fish, potatoes")).not_to_have_attribute("data-sync", re.compile(".*"))
    expect(meals.pill("Fish, potatoes")).to_have_text(meals.words("residence.choice.skip"))
    expect(meals.row("Fish, potatoes")).to_contain_text(meals.words("residence.meal.lunch"))
    assert eaters(residence, day) == [0, 1] and len(sent) == 1
    assert meals.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_choice_from_before_the_cut_off_counts_after_it_and_a_later_one_is_refused(visit, residence):
    day = later(1)
    menu(residence, day, "23:59")
    meals = Menu(visit, residence, day)
    # The device's clock stands at the evening before; the first choice waits since then.
    evening = datetime.datetime.combine(day - datetime.timedelta(days=2), datetime.time(22), datetime.timezone.utc)
    meals.page.clock.set_fixed_time(evening)
    meals.skips("Fish, potatoes")
    meals.page.clock.set_fixed_time(datetime.datetime.now(datetime.timezone.utc))
    meals.skips("Dal, rice")
    # Meanwhile the cut-off has passed.
    menu(residence, day, "00:00")
    meals.visitor.expects("409")
    meals.page.context.set_offline(False)
    expect(meals.visitor.toast("This meal can no longer be changed.")).to_be_visible()
    banner = meals.page.locator(".pt-outbox")
    expect(banner).to_contain_text("(1)")
    assert eaters(residence, day) == [0, 1]
    banner.get_by_role("button", name="Show").click()
    dialog = meals.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Dal, rice: Skip")
    expect(dialog).to_contain_text("This meal can no longer be changed.")
    dialog.get_by_role("button", name="Delete").click()
    meals.page.get_by_role("dialog").last.get_by_role("button", name="Delete").click()
    expect(banner).to_have_count(0)
    # The page shows what counts.
    expect(meals.row("Dal, rice").locator(".pt-tag")).to_have_text("Eat")
    expect(meals.row("Fish, potatoes").locator(".pt-tag")).to_have_text("Skip")


def test_allergies_are_only_on_the_page_of_the_kitchen_and_are_printed(visit, residence):
    day = later()
    residence["cook"].post(f"/api/v1{residence['path']}/meals", {
        "day": str(day), "lunch": "Fish", "breakfastTime": "07:00", "lunchTime": "12:30", "dinnerTime": "18:30",
        "cutOff": "18:00"})
    resident = visit(residence["resident"], "/meals/diet")
    resident.page.get_by_label("Allergies").fill("Peanut")
    resident.button("Save").click()
    resident.is_at("/meals")
    cook = visit(residence["cook"], f"{residence['path']}/meals?day={day}", size=DESKTOP)
    cook.page.locator(f"#day-{day}").get_by_role("link", name=re.compile("Fish")).click()
    cook.is_at(re.escape(f"{residence['path']}/meals/kitchen") + ".*")
    expect(cook.page.get_by_text("Peanut")).to_be_visible()
    with cook.page.expect_download() as download:
        cook.link("Print").click()
    assert download.value.suggested_filename.endswith(".pdf")
    warden = visit(residence["warden"], f"{residence['path']}/meals/day?day={day}")
    expect(warden.page.get_by_text("Only the kitchen of this residence sees allergies.")).to_be_visible()
    expect(warden.page.get_by_text("Peanut")).to_have_count(0)


def test_a_file_of_rooms_is_checked_imported_and_undone(visit, residence):
    warden = visit(residence["warden"], f"{residence['path']}/import", size=DESKTOP)

    def choose(text):
        warden.page.set_input_files("input[type=file]", {
            "name": "rooms.csv", "mimeType": "text/csv", "buffer": text.encode()})
        warden.button("Check file").click()
        warden.is_at(re.escape(f"{residence['path']}/import/") + ".+")

    choose("Room,Type,Beds,First name,Last name\n007,Single,1,Sami,Haddad\n8,Twin,two,,\n9,Twin,2,Nobody,Known\n")
    expect(warden.page.get_by_text("2 faults in the file")).to_be_visible()
    expect(warden.page.get_by_text("The school has no person Nobody Known.")).to_be_visible()
    warden.open(f"{residence['path']}/import")
    choose("Room,Type,Beds,First name,Last name\n007,Single,1,Sami,Haddad\n8,Twin,2,,\n")
    expect(warden.page.get_by_text("Sami Haddad gets room 007")).to_be_visible()
    warden.button("Apply 3 changes").click()
    warden.is_at(re.escape(f"{residence['path']}/rooms"))
    expect(warden.page.locator(".pt-room")).to_have_count(2)
    expect(warden.page.locator(".pt-room").first).to_contain_text("007")
    warden.open(f"{residence['path']}/import")
    warden.button(re.compile("^Undo")).click()
    warden.page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(warden.page.get_by_text("Undone", exact=True)).to_be_visible()
    warden.open(f"{residence['path']}/rooms")
    expect(warden.page.locator(".pt-room")).to_have_count(0)
