"""Measures pages in a real browser, for `make bench` only. Prints figures and fails over none."""
import time

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
