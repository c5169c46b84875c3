"""Measures pages in a real browser, for `make bench` only. Prints figures and fails over none."""
import re
import time
from datetime import date, timedelta

from conftest import PHONE
from test_offline import NO_NETWORK

TAPS, NOTES = 30, 20
#: The bound for a class that returns from the garden (the issue "Live and offline"), in seconds.
BOUND = 2.0


def test_a_morning_without_a_network_is_sent_in_time(visit, server):
    children = [f"Child {number:02}" for number in range(TAPS)]
    school = server.found_school(rooms={"Maple room": children})
    room = school.rooms["Maple room"]
    first = school.owner.get(f"/api/v1/classrooms/{room}/roster")["items"][0]["student"]["id"].lower()
    guide = visit(school.owner, f"/students/{first}", size=PHONE)
    guide.expects(NO_NETWORK)
    guide.keeps_page()
    guide.open(school.path("Maple room"))
    guide.keeps_page()
    guide.page.context.set_offline(True)
    for name in children:
        guide.pill(name).click()
    guide.page.goto(f"/students/{first}")
    for number in range(NOTES):
        guide.page.get_by_label("Note", exact=True).fill(f"Poured water for {number} friends")
        guide.page.get_by_role("button", name="Save", exact=True).click()
        guide.page.locator(".pt-waiting > li").nth(number).wait_for()
    guide.page.evaluate(
        """() => new Promise((done) => {
            window.sentAll = new Promise((sent) => document.addEventListener("pt-outbox", () => {
                if (localStorage.getItem("pt-outbox") === null) sent(performance.now());
            }));
            done();
        })""")
    began = time.monotonic()
    guide.page.context.set_offline(False)
    guide.page.evaluate("() => window.sentAll")
    seconds = time.monotonic() - began
    roster = school.owner.get(f"/api/v1/classrooms/{room}/roster")["items"]
    notes = school.owner.get(f"/api/v1/students/{first}/observations")["items"]
    assert sum(1 for one in roster if one["mark"]) == TAPS and len(notes) == NOTES
    verdict = "ok" if seconds <= BOUND else "MISSED"
    print(f"\n{TAPS} taps and {NOTES} observations after a return: {seconds:.1f} s (bound <= {BOUND:.0f} s) {verdict}")


#: Residents of the roll call, the residents of a room, and the bound from the last tap to the closed page, in seconds.
RESIDENTS, BEDS, CLOSE_BOUND = 500, 4, 1.0
#: How much slower than this machine the processor is made, as an ordinary phone is.
SLOWER = 4


def test_a_roll_call_of_500_closes_in_time(visit, server):
    names = [f"Resident {number:03}" for number in range(RESIDENTS)]
    school = server.found_school(rooms={"Maple room": names})
    roster = school.owner.get(f"/api/v1/classrooms/{school.rooms['Maple room']}/roster")["items"]
    residence = school.owner.post("/api/v1/residences", {
        "name": "Birch House", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"})["id"].lower()
    first_day = (date.today() - timedelta(days=7)).isoformat()
    assert len(roster) == RESIDENTS
    for number, one in enumerate(roster):
        if number % BEDS == 0:
            room = school.owner.post(
                f"/api/v1/residences/{residence}/rooms",
                {"number": str(100 + number // BEDS), "type": "Quad", "bedCount": BEDS})["id"]
        school.owner.post(
            f"/api/v1/residences/{residence}/students",
            {"studentId": one["student"]["id"], "roomId": room, "firstDay": first_day})
    ids = [one["student"]["id"] for one in roster]
    school.owner.post(f"/api/v1/residences/{residence}/roll-call/notes", {"residentIds": ids[:-BEDS], "status": "here"})
    warden = visit(school.owner, f"/residences/{residence}/roll-call", size=PHONE)
    warden.page.context.new_cdp_session(warden.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    warden.page.locator(".pt-rc__rooms").get_by_role(
        "button", name=re.compile(f"Room {99 + RESIDENTS // BEDS}")).click()
    warden.button("All here").click()
    warden.page.get_by_role("heading", level=2, name=f"{RESIDENTS} of {RESIDENTS}").wait_for()
    close = warden.page.locator(".pt-rc__summary").get_by_role("button", name="Close roll call")
    began = time.monotonic()
    close.click()
    warden.page.get_by_role("heading", level=2, name="Roll call closed").wait_for()
    seconds = time.monotonic() - began
    entries = school.owner.get(f"/api/v1/residences/{residence}/roll-call")["entries"]
    assert [one["status"] for one in entries] == ["here"] * RESIDENTS
    verdict = "ok" if seconds <= CLOSE_BOUND else "MISSED"
    print(
        f"\nroll call of {RESIDENTS} on a phone, from the last tap to closed: "
        f"{seconds:.2f} s (bound <= {CLOSE_BOUND:.0f} s) {verdict}")
