"""The child's side of quests: guess, do, discover; offline, over reloads, in two tabs, with the hidden gesture to
the parent's side."""
import json
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from test_access import findings

ENGLISH = {
    "loose": "Leave this page open until it has arrived.",
    "lang": "en-US", "hello": "Hello, Noor", "guess": "My guess", "start": "Start", "counting": "and counting",
    "done": "I’m done", "pause": "Pause", "resting": "having a rest", "go on": "Continue", "next": "Next",
    "finish": "See the path", "path": "Your path", "home": "Back to the quests", "skip": "Not today",
    "forgot": "I forgot to stop", "right": "That’s about right", "leave": "Leave this one out",
    "sent": "It has arrived.", "kept": "Safe here. It will be sent when the internet is back.", "more": "More", "less": "Less",
    "two minutes": "2 minutes", "calibration": "2 more quests", "code": "Enter code", "again": "Try again",
    "none": "No quests today. Enjoy your time.",
}
FRENCH = {
    "loose": "Laisse cette page ouverte jusqu’à son arrivée.",
    "lang": "fr-CA", "hello": "Bonjour, Noor", "guess": "Mon idée", "start": "Commencer", "counting": "et ça continue",
    "done": "J’ai fini", "pause": "Pause", "resting": "petite pause", "go on": "Continuer", "next": "Suivant",
    "finish": "Voir le chemin", "path": "Ton chemin", "home": "Retour aux quêtes", "skip": "Pas aujourd’hui",
    "forgot": "J’ai oublié d’arrêter", "right": "C’est à peu près ça", "leave": "Ne pas compter celle-ci",
    "sent": "C’est bien arrivé.", "kept": "Bien gardé ici. Ce sera envoyé quand internet reviendra.", "more": "Plus",
    "less": "Moins", "two minutes": "2 minutes", "calibration": "Encore 2 quêtes", "code": "Entrer le code",
    "again": "Essaie encore", "none": "Pas de quête aujourd’hui. Profite de ton temps.",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
TASKS = ["Brush teeth", "Get dressed", "Pack the bag"]


class Family:
    """A parent with one child, Noor, and her morning quest."""

    def __init__(self, server, days=EVERY_DAY, tasks=TASKS):
        self.owner = server.found_school(founder="Mona Aziz").owner
        self.player = self.owner.post("/api/v1/quest/players", {"name": "Noor"})["id"].lower()
        self.routine = self.owner.post(
            f"/api/v1/quest/players/{self.player}/routines",
            {"name": "Morning quest", "displayName": "Morning quest", "activeDays": [str(day) for day in days]})["id"].lower()
        for task in tasks:
            self.owner.post(f"/api/v1/quest/routines/{self.routine}/tasks", {"name": task, "displayName": task})

    @property
    def completed(self):
        """The number of the quest's sessions on the server."""
        [routine] = self.owner.get(f"/api/v1/quest/players/{self.player}/routines")["items"]
        return routine["completedSessions"]


@pytest.fixture
def family(server):
    return Family(server)


class Child:
    """Noor on a device."""

    def __init__(self, visit, family, words=ENGLISH, clock=True, **options):
        self.words = words
        self.visitor = visit(family.owner, worker=True, language=words["lang"], **options)
        self.page = self.visitor.page
        # Leaving during a request is no fault.
        self.visitor.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED|Failed to fetch|NetworkError")
        if clock:
            self.page.clock.install()
        self.open()

    def open(self):
        self.page.goto("/play")
        expect(self.page.locator(".pt-quest__stage")).to_be_visible()

    def button(self, name, **options):
        return self.page.get_by_role("button", name=self.words.get(name, name), **options)

    def step(self, name):
        expect(self.page.locator(f".pt-quest__stage[data-step={name}]")).to_be_visible()

    def begin(self):
        self.page.locator(".pt-quest__pick").click()
        self.step("guess")

    def guess(self, seconds):
        """Sets the dial by keys and starts."""
        dial = self.page.get_by_role("slider", name=self.words["guess"])
        dial.press("Home")
        for _ in range({5: 0, 10: 1, 60: 11, 120: 15}[seconds]):
            dial.press("ArrowRight")
        self.button("start").click()
        self.step("run")

    def finish_soon(self, *tabs):
        """Finishes the task ten seconds later, when no clock is installed to advance; tabs of one device share a
        clock."""
        for page in (*tabs, self.page):
            page.evaluate("() => { const { now } = Date; Date.now = () => now() + 10_000; }")
        self.button("done").click()

    def play(self, seconds=90, guess=60):
        """Plays one task from the guess to the discovery."""
        self.guess(guess)
        self.page.clock.run_for(seconds * 1000)
        self.button("done").click()
        self.step("found")

    def has_code(self, digits):
        """Sets the code of this device."""
        status = self.page.evaluate(
            """(code) => fetch("/api/v1/quest/code", {
                method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify({ code, again: code }),
            }).then((answer) => answer.status)""", digits)
        assert status < 300, status

    @property
    def time(self):
        return self.page.get_by_role("timer").locator("b").inner_text()

    def is_cached_by_worker(self):
        """Waits until the device can play without a network."""
        self.visitor.keeps_page()


def posts(page, path="/api/v1/quest/sessions"):
    """Records the bodies sent to a path from now on, from any tab."""
    sent = []
    page.context.on("request", lambda request: request.method == "POST" and path in request.url and sent.append(
        json.loads(request.post_data)))
    return sent


@pytest.mark.requirement("TQ-2.10.a", "TQ-2.13.a", "TQ-2.13.b", "TQ-2.13.c", "TQ-2.13.d")
@BOTH
@SCHEMES
def test_a_quest_is_played_from_the_guess_to_the_path(visit, family, words, scheme):
    child = Child(visit, family, words, scheme=scheme)
    sent = posts(child.page)
    expect(child.page.get_by_role("heading", level=1, name="TimeQuest")).to_be_visible()
    expect(child.page.get_by_text(words["hello"])).to_be_visible()
    child.begin()
    expect(child.page.get_by_role("heading", level=1, name="Brush teeth")).to_be_focused()
    child.guess(60)
    child.page.clock.run_for(40_000)
    child.button("pause").click()
    expect(child.page.get_by_text(words["resting"])).to_be_visible()
    child.page.clock.run_for(300_000)
    child.button("go on").click()
    expect(child.page.get_by_text(words["counting"])).to_be_visible()
    child.page.clock.run_for(25_000)
    assert child.time.startswith("1:0"), "the pause is not counted"
    child.button("done").click()
    child.step("found")
    expect(child.page.locator(".pt-found__bars > div")).to_have_count(2)
    expect(child.page.locator(".pt-found__top p")).to_contain_text(re.compile(r"\w+ \w+"))
    child.button("next").click()
    expect(child.page.get_by_role("heading", level=1, name="Get dressed")).to_be_focused()
    child.button("skip").click()
    expect(child.page.get_by_role("heading", level=1, name="Pack the bag")).to_be_focused()
    child.guess(10)
    child.page.clock.run_for(3000)
    child.button("forgot").click()
    child.step("told")
    child.button("right").click()
    child.step("found")
    child.button("finish").click()
    expect(child.page.get_by_role("heading", level=1, name=words["path"])).to_be_focused()
    expect(child.page.locator(".pt-quest__trail li")).to_have_count(2)
    expect(child.page.get_by_text(words["calibration"])).to_be_visible()
    expect(child.page.get_by_text(words["sent"])).to_be_visible()
    child.button("home").click()
    child.step("home")
    assert family.completed == 1
    [session] = sent
    assert [one["taskDisplayName"] for one in session["estimations"]] == ["Brush teeth", "Pack the bag"], "a skipped one is absent"
    assert [one["wasStopped"] for one in session["estimations"]] == [False, True]
    assert [one["estimatedSeconds"] for one in session["estimations"]] == [60, 10]
    assert 64 < session["estimations"][0]["actualSeconds"] < 75


@pytest.mark.requirement("BY-1.04.a", "BY-1.04.b")
@BOTH
def test_without_a_network_and_over_a_reload_a_quest_arrives_once(visit, family, words):
    child = Child(visit, family, words, clock=False)
    child.is_cached_by_worker()
    sent = posts(child.page)
    child.page.context.set_offline(True)
    child.open()
    child.begin()
    child.guess(5)
    timer = child.page.get_by_role("timer")
    expect(timer).to_contain_text(re.compile("0:0[1-9]"))
    before = child.time
    child.page.reload()
    child.step("run")
    expect(timer).to_contain_text(re.compile(r"\d:\d\d"))
    assert child.time >= before, "it went on while the page was away"
    expect(timer).not_to_contain_text(child.time)
    # A task of less than five seconds does not count.
    child.finish_soon()
    child.step("found")
    child.page.reload()
    child.step("found")
    child.button("next").click()
    child.guess(5)
    child.finish_soon()
    child.button("next").click()
    child.button("skip").click()
    child.step("path")
    expect(child.page.get_by_text(words["kept"])).to_be_visible()
    child.page.reload()
    child.step("path")
    expect(child.page.get_by_text(words["kept"])).to_be_visible()
    child.button("home").click()
    expect(child.page.get_by_text(words["kept"])).to_be_visible()
    child.page.context.set_offline(False)
    expect(child.page.get_by_text(words["kept"])).to_have_count(0)
    assert family.completed == 1
    assert [one["taskDisplayName"] for one in sent[-1]["estimations"]] == ["Brush teeth", "Get dressed"]
    assert len({one["session"] for one in sent}) == 1
    child.page.reload()
    child.step("home")
    assert family.completed == 1


def test_a_first_page_that_still_loads_when_the_worker_starts_is_cached_whole(visit, family):
    visitor = visit(family.owner)
    visitor.expects("ERR_INTERNET_DISCONNECTED")
    late = []
    visitor.page.route("**/dial*.js", lambda route: late.append(route))
    visitor.page.goto("/play", wait_until="domcontentloaded")
    visitor.until("() => Boolean(navigator.serviceWorker.controller)")
    [dial] = late
    dial.continue_()
    visitor.keeps_page()
    visitor.page.unroute_all()
    visitor.page.context.set_offline(True)
    visitor.page.reload()
    expect(visitor.page.locator(".pt-quest__pick")).to_be_visible()


@pytest.mark.requirement("BY-1.04.b")
def test_two_tabs_send_waiting_results_once(visit, family):
    child = Child(visit, family, clock=False)
    child.is_cached_by_worker()
    other = child.page.context.new_page()
    other.goto("/play")
    expect(other.locator(".pt-quest__pick")).to_be_visible()
    child.page.context.set_offline(True)
    child.begin()
    for end in ("next", "next", "finish"):
        child.guess(5)
        child.finish_soon(other)
        child.button(end).click()
    child.step("path")
    child.button("home").click()
    expect(other.get_by_text(ENGLISH["kept"])).to_be_visible()
    arrived = []
    child.page.context.on("response", lambda response: "/quest/sessions" in response.url and arrived.append(response.status))
    child.page.context.set_offline(False)
    for page in (child.page, other):
        expect(page.get_by_text(ENGLISH["kept"])).to_have_count(0)
    assert len(arrived) == 1, "one tab sent it"
    assert family.completed == 1


def test_the_time_is_right_when_the_device_sleeps_and_when_its_clock_is_set_back(visit, family):
    child = Child(visit, family)
    child.page.clock.pause_at(child.page.evaluate("Date.now()") / 1000 + 1)
    child.begin()
    child.guess(120)
    child.page.clock.run_for(10_000)
    # The device sleeps: only the system time advances.
    child.page.clock.set_system_time(child.page.evaluate("Date.now()") / 1000 + 200)
    child.page.clock.run_for(1000)
    assert child.time == "3:31"
    # Setting the clock back an hour during a task keeps the measured time, which continues.
    child.page.clock.set_system_time(child.page.evaluate("Date.now()") / 1000 - 3600)
    child.page.clock.run_for(9000)
    assert child.time == "3:40"
    child.button("done").click()
    child.step("found")
    expect(child.page.locator(".pt-found__bars b").nth(1)).to_have_text(re.compile("3m [34]"))


@BOTH
def test_an_implausible_time_leads_to_a_friendly_question(visit, family, words):
    child = Child(visit, family, words)
    child.begin()
    child.guess(120)
    child.page.clock.run_for(4_000_000)
    child.button("done").click()
    child.step("told")
    dial = child.page.get_by_role("slider")
    assert dial.get_attribute("aria-valuetext") == words["two minutes"], "it falls back on the guess"
    child.button("leave").click()
    child.step("guess")
    expect(child.page.get_by_role("heading", level=1, name="Get dressed")).to_be_visible()


@pytest.mark.requirement("TQ-1.19.c")
def test_the_dial_is_turned_by_keys_by_buttons_and_by_hand(visit, family):
    child = Child(visit, family, clock=False)
    child.begin()
    dial = child.page.get_by_role("slider", name="My guess")
    number = child.page.locator(".pt-quest__number")
    dial.press("Home")
    expect(dial).to_have_attribute("aria-valuetext", "5 seconds")
    dial.press("ArrowRight")
    expect(dial).to_have_attribute("aria-valuetext", "10 seconds")
    dial.press("End")
    expect(dial).to_have_attribute("aria-valuetext", "1 hour")
    expect(number).to_have_text("60minutes")
    child.button("More").click()
    expect(dial).to_have_attribute("aria-valuetext", "1 hour")
    child.button("Less").click()
    expect(number).to_have_text("55minutes")
    box = child.page.locator(".pt-quest__dialbox").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ring = box["width"] * 0.38
    mouse = child.page.mouse
    mouse.move(middle[0] - ring, middle[1])
    mouse.down()
    mouse.move(middle[0], middle[1] + ring, steps=8)
    half = number.inner_text()
    assert re.match(r"\d+(:30)?\s*minutes", half), half
    # Beyond the top the dial stays at an hour.
    mouse.move(middle[0] - ring, middle[1], steps=8)
    mouse.move(middle[0] - ring * 0.2, middle[1] - ring, steps=8)
    mouse.move(middle[0] + ring * 0.4, middle[1] - ring, steps=8)
    mouse.up()
    expect(number).to_have_text("60minutes")
    child.page.keyboard.press("Tab")
    child.page.reload()
    child.step("guess")
    expect(child.page.locator(".pt-quest__number")).to_have_text("60minutes")


FORBIDDEN = re.compile(r"\bparents?\b|\badmin|\bsettings?\b|\blocked\b|\bPIN\b|réglages?|paramètres?|verrouill|bloqu", re.IGNORECASE)


@pytest.mark.requirement("TQ-2.09")
@BOTH
def test_no_view_of_the_player_mentions_the_parents_side(visit, family, words):
    child = Child(visit, family, words)
    child.has_code("2580")

    def scan():
        seen = child.page.evaluate(
            """() => [document.title, document.body.innerText,
                ...[...document.querySelectorAll("[aria-label], [aria-valuetext], [title], [alt], [placeholder]")].flatMap((one) =>
                    ["aria-label", "aria-valuetext", "title", "alt", "placeholder"].map((name) => one.getAttribute(name) ?? ""))].join("\\n")""")
        assert not FORBIDDEN.search(seen), FORBIDDEN.search(seen)

    scan()
    child.begin()
    scan()
    child.guess(60)
    scan()
    child.button("forgot").click()
    scan()
    child.button("right").click()
    scan()
    child.button("next").click()
    child.button("skip").click()
    child.button("skip").click()
    child.step("path")
    scan()
    child.button("home").click()
    for key in ("Control", "Alt", "KeyP"):
        child.page.keyboard.down(key)
    child.page.clock.run_for(1100)
    for key in ("KeyP", "Alt", "Control"):
        child.page.keyboard.up(key)
    expect(child.page.locator(".pt-keypad")).to_be_visible()
    scan()


@SCHEMES
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_serious_on_the_stage(visit, family, scheme, size):
    child = Child(visit, family, scheme=scheme, size=size)
    found = {}

    def look(step):
        child.step(step)
        # Animations have ended before axe measures.
        child.page.clock.run_for(1000)
        child.page.wait_for_timeout(400)
        if serious := findings(child.page):
            found[step] = serious
        assert child.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{step} is too wide"

    look("home")
    child.begin()
    look("guess")
    child.guess(60)
    look("run")
    child.button("forgot").click()
    look("told")
    child.button("right").click()
    look("found")
    child.button("next").click()
    child.button("skip").click()
    child.button("skip").click()
    look("path")
    assert found == {}


@pytest.mark.requirement("TQ-2.10.b")
@BOTH
def test_a_day_without_quests_has_a_friendly_line(visit, server, words):
    family = Family(server, days=[1])
    child = Child(visit, family, words, clock=False)
    child.page.clock.install(time="2026-11-24T10:00:00Z")
    child.open()
    expect(child.page.get_by_text(words["none"])).to_be_visible()
    # The page cached yesterday shows Monday's quests.
    child.page.clock.set_system_time("2026-11-30T10:00:00Z")
    child.page.reload()
    expect(child.page.locator(".pt-quest__pick")).to_have_count(1)


@pytest.mark.requirement("TQ-2.13.e")
def test_the_dial_moves_within_a_frame(visit, family):
    child = Child(visit, family, clock=False)
    child.begin()
    box = child.page.locator(".pt-quest__dialbox").bounding_box()
    middle, ring = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), box["width"] * 0.38
    trace = child.page.context.new_cdp_session(child.page)
    trace.send("Performance.enable")

    def spent():
        metrics = {one["name"]: one["value"] for one in trace.send("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]

    child.page.mouse.move(middle[0], middle[1] - ring)
    child.page.mouse.down()
    child.page.evaluate(
        "() => { window.frames60 = 0; const next = () => { window.frames60 += 1; window.loop60 = requestAnimationFrame(next); }; next(); }")
    before, start = spent(), child.page.evaluate("performance.now()")
    for turn in ((1, 0), (0, 1), (-1, 0), (0, 1), (1, 0)) * 3:
        child.page.mouse.move(middle[0] + turn[0] * ring, middle[1] + turn[1] * ring, steps=16)
    frames = child.page.evaluate("() => { cancelAnimationFrame(window.loop60); return window.frames60; }")
    busy, seconds = spent() - before, (child.page.evaluate("performance.now()") - start) / 1000
    child.page.mouse.up()
    assert frames > 10, "the page was drawn meanwhile"
    # Measures the page's work per frame, not the machine's frame rate.
    print(f"\nThe dial: {busy / frames * 1000:.1f} ms of work per frame, {frames / seconds:.0f} frames/s drawn.")
    assert busy / frames < 1 / 60


def play_one(child):
    """Plays a quest of one task."""
    child.begin()
    child.guess(5)
    child.finish_soon()
    child.button("finish").click()
    child.step("path")


@pytest.fixture
def short_family(server):
    return Family(server, tasks=["Brush teeth"])


@pytest.mark.requirement("BY-1.01.d", "BY-1.01.e")
def test_a_refused_session_stays_with_its_message_until_it_is_deleted(visit, short_family):
    child = Child(visit, short_family, clock=False)
    child.visitor.expects("422")
    page = child.page
    page.context.route("**/api/v1/quest/sessions", lambda route: route.fulfill(
        status=422, content_type="application/problem+json", body=json.dumps({"detail": "This quest began in the future."})))
    play_one(child)
    expect(page.get_by_text("Safe here. It is having a rest.")).to_be_visible()
    page.goto("/settings/display")
    summary = page.locator(".pt-outbox")
    expect(summary).to_contain_text("Not saved (1)")
    summary.get_by_role("button", name="Show").click()
    kept = page.locator("dialog.pt-ask[open]")
    expect(kept).to_contain_text("Morning quest")
    expect(kept).to_contain_text("This quest began in the future.")
    kept.get_by_role("button", name="Delete").click()
    page.locator("dialog.pt-ask[open]").last.get_by_role("button", name="Cancel").click()
    expect(summary).to_be_visible()
    page.context.unroute("**/api/v1/quest/sessions")
    kept.get_by_role("button", name="Retry").click()
    expect(summary).to_have_count(0)
    assert short_family.completed == 1, "sent again under its key once the fault was gone"


def test_a_session_is_sent_after_signing_in_again(visit, short_family):
    child = Child(visit, short_family, clock=False)
    child.visitor.expects("401")
    page = child.page
    page.context.route("**/api/v1/quest/sessions", lambda route: route.fulfill(
        status=401, content_type="application/problem+json", body=json.dumps({"detail": "Sign in first."})))
    play_one(child)
    expect(page.get_by_text(ENGLISH["kept"])).to_be_visible()
    page.goto("/settings/display")
    expect(page.locator(".pt-outbox")).to_contain_text("Waiting to be sent (1)")
    expect(page.locator(".pt-outbox").get_by_role("link", name="Sign in to send it")).to_have_attribute(
        "href", "/sign-in?next=%2Fsettings%2Fdisplay")
    assert short_family.completed == 0
    page.context.unroute("**/api/v1/quest/sessions")
    page.reload()
    expect(page.locator(".pt-outbox")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    child.visitor.until("() => !localStorage.getItem('pt-outbox')")
    assert short_family.completed == 1


@pytest.mark.requirement("BY-1.01.e")
def test_signing_out_asks_before_something_is_lost(visit, short_family):
    child = Child(visit, short_family, clock=False)
    page = child.page
    page.context.route("**/api/v1/quest/sessions", lambda route: route.abort())
    play_one(child)
    expect(page.get_by_text(ENGLISH["kept"])).to_be_visible()
    page.goto("/settings/display")
    expect(page.locator(".pt-outbox")).to_contain_text("Waiting to be sent (1)")
    for answer in ("Cancel", "Sign out and delete"):
        child.visitor.account_menu().get_by_role("button", name="Sign out", exact=True).click()
        question = child.visitor.question
        expect(question).to_contain_text("Some changes on this device are not sent yet.")
        question.get_by_role("button", name=answer, exact=True).click()
        if answer == "Cancel":
            expect(page.locator(".pt-outbox")).to_be_visible()
            page.reload()
            expect(page.locator(".pt-outbox")).to_be_visible()
    child.visitor.is_at("/sign-in.*")
    child.visitor.until("() => localStorage.getItem('pt-outbox') === null")
    assert short_family.completed == 0


def test_a_session_that_is_deleted_while_it_is_sent_does_not_come_back(visit, short_family):
    child = Child(visit, short_family, clock=False)
    page = child.page
    on_their_way, leaving = [], []
    page.context.route("**/api/v1/quest/sessions", lambda route: on_their_way.append(route))
    play_one(child)
    page.goto("/settings/display")
    expect(page.locator(".pt-outbox")).to_contain_text("Waiting to be sent (1)")
    page.context.route("**/sign-out", lambda route: leaving.append(route))
    child.visitor.account_menu().get_by_role("button", name="Sign out", exact=True).click()
    child.visitor.question.get_by_role("button", name="Sign out and delete", exact=True).click()
    for _ in range(500):
        if leaving:
            break
        page.wait_for_timeout(20)
    # The network fails while the page loads: the worker has nothing to cache.
    for route in on_their_way:
        route.abort()
    page.wait_for_timeout(300)
    kept = """() => new Promise((done) => {
        const request = indexedDB.open("pt-outbox", 1);
        request.onsuccess = () => {
            const all = request.result.transaction("entries").objectStore("entries").getAll();
            all.onsuccess = () => done(all.result.length);
        };
    })"""
    assert page.evaluate(kept) == 0
    leaving.pop().continue_()
    child.visitor.is_at("/sign-in.*")
    assert page.evaluate(kept) == 0
    assert page.evaluate("localStorage.getItem('pt-outbox')") is None


def test_the_page_tries_again_when_the_server_is_busy(visit, short_family):
    child = Child(visit, short_family, clock=False)
    child.visitor.expects("503")
    answers = iter([503, 503])

    def busy(route):
        status = next(answers, None)
        route.fallback() if status is None else route.fulfill(status=status, body="{}")

    child.page.context.route("**/api/v1/quest/sessions", busy)
    play_one(child)
    expect(child.page.get_by_text(ENGLISH["kept"])).to_be_visible()
    expect(child.page.get_by_text(ENGLISH["sent"])).to_be_visible()
    assert short_family.completed == 1


@pytest.mark.requirement(
    "TQ-2.02.a", "TQ-2.03.c", "TQ-2.06.a", "TQ-2.06.b", "TQ-2.08.a", "TQ-2.08.b", "TQ-2.08.c", "TQ-2.14.b")
@BOTH
def test_the_gesture_leads_to_the_parents_side_and_back(visit, family, words):
    child = Child(visit, family, words, clock=False)
    child.visitor.expects("422|429")
    page = child.page
    title = page.locator("[data-title]")
    # No button or link leads to the parent's side.
    assert page.locator("a[href*=quest], button:has-text('code')").count() == 0

    def knock():
        # In one call, so that the taps follow quickly on a busy machine.
        title.click(click_count=3)

    # Without a code on this device, the gesture asks for a sign-in, which this visitor has done.
    knock()
    expect(page).to_have_url(re.compile(r"/(quest|sign-in)"))
    child.has_code("2580")
    child.open()
    title.click()
    title.click()
    page.wait_for_timeout(1000)
    expect(page.locator(".pt-keypad")).to_have_count(0)
    knock()
    keypad = page.locator(".pt-keypad")
    expect(keypad.get_by_role("heading", name=words["code"])).to_be_visible()
    for digit in "1111":
        keypad.get_by_role("button", name=digit, exact=True).click()
    expect(keypad.get_by_text(words["again"])).to_be_visible()
    expect(keypad.locator("i[data-full]")).to_have_count(0)
    expect(keypad.locator("[data-wrong]")).to_have_count(1)
    page.keyboard.type("25")
    expect(keypad.locator("i[data-full]")).to_have_count(2)
    page.keyboard.press("Backspace")
    expect(keypad.locator("i[data-full]")).to_have_count(1)
    page.keyboard.type("580")
    expect(page).to_have_url(re.compile(r"/quest(\?|$)"))
    # A launch starts on the child's side, even when the parent's side was left open.
    child.open()
    child.step("home")
    # By keys: holding them for less than a second does nothing.
    for key in ("Control", "Alt", "KeyP"):
        page.keyboard.down(key)
    page.wait_for_timeout(300)
    for key in ("KeyP", "Alt", "Control"):
        page.keyboard.up(key)
    page.wait_for_timeout(1000)
    expect(page.locator(".pt-keypad")).to_have_count(0)
    for key in ("Control", "Alt", "KeyP"):
        page.keyboard.down(key)
    expect(page.locator(".pt-keypad")).to_be_visible()
    for key in ("KeyP", "Alt", "Control"):
        page.keyboard.up(key)
    page.keyboard.press("Escape")
    expect(page.locator(".pt-keypad")).to_have_count(0)


@pytest.mark.requirement("TQ-2.07")
def test_wrong_codes_make_the_keypad_wait(visit, family):
    child = Child(visit, family, clock=False)
    child.visitor.expects("422|429")
    page = child.page
    child.has_code("2580")
    child.open()
    page.locator("[data-title]").click(click_count=3)
    keypad = page.locator(".pt-keypad")
    expect(keypad).to_be_visible()
    wait = keypad.get_by_text(re.compile(r"^Wait \d+ seconds?$|^Wait 1 minute"))
    for _ in range(12):
        page.keyboard.type("1111")
        expect(keypad.locator("i[data-full]")).to_have_count(0)
        if wait.count():
            break
    expect(wait).to_be_visible()
    expect(keypad.get_by_role("button", name="1", exact=True)).to_be_disabled()
    page.keyboard.press("Escape")
    # The keypad still waits at the next attempt.
    page.locator("[data-title]").click(click_count=3)
    expect(wait).to_be_visible()


@pytest.mark.requirement("TQ-2.12.b")
@BOTH
def test_tasks_are_put_in_order_by_dragging(visit, family, words):
    parent = visit(family.owner, f"/quest/routines/{family.routine}", language=words["lang"])
    titles = parent.page.locator("#main .pt-list-cell__title")
    expect(titles).to_have_text(TASKS)

    def drag(name, by):
        handle = parent.row(name).locator(".pt-drag")
        box = handle.bounding_box()
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        parent.page.mouse.move(*middle)
        parent.page.mouse.down()
        parent.page.mouse.move(middle[0], middle[1] + by / 2, steps=4)
        parent.page.mouse.move(middle[0], middle[1] + by, steps=4)
        parent.page.mouse.up()

    height = parent.row(TASKS[0]).bounding_box()["height"]
    drag("Pack the bag", -2 * height)
    expect(titles).to_have_text(["Pack the bag", "Brush teeth", "Get dressed"])
    drag("Pack the bag", 1.2 * height)
    expect(titles).to_have_text(["Brush teeth", "Pack the bag", "Get dressed"])
    parent.page.reload()
    expect(titles).to_have_text(["Brush teeth", "Pack the bag", "Get dressed"])
    # Dropping it where it was picked up changes nothing.
    drag("Pack the bag", 3)
    expect(titles).to_have_text(["Brush teeth", "Pack the bag", "Get dressed"])


@BOTH
def test_a_browser_without_storage_says_so_at_the_end_of_the_path(visit, family, words):
    child = Child(visit, family, words, clock=False)
    child.is_cached_by_worker()
    child.page.context.add_init_script("Object.defineProperty(indexedDB, 'open', { value() { throw new Error('refused'); } });")
    child.open()
    child.page.context.set_offline(True)
    child.begin()
    child.guess(5)
    child.finish_soon()
    child.button("next").click()
    child.button("skip").click()
    child.button("skip").click()
    child.step("path")
    expect(child.page.get_by_text(words["loose"])).to_be_visible()
    child.page.context.set_offline(False)
    expect(child.page.get_by_text(words["loose"])).to_have_count(0)
    expect(child.page.get_by_text(words["sent"])).to_be_visible()
    assert family.completed == 1


def test_reduced_motion_makes_the_stage_still(visit, family):
    child = Child(visit, family, reduced_motion="reduce")
    child.begin()
    child.play()
    moving = child.page.evaluate(
        "document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().duration > 1).length")
    assert moving == 0


@pytest.mark.requirement("TQ-2.03.a", "TQ-2.03.b", "TQ-2.08.d")
@BOTH
def test_the_keypad_has_ten_digits_and_four_dots_and_nothing_reveals_how_to_open_it(visit, family, words):
    child = Child(visit, family, words, clock=False)
    page = child.page
    child.has_code("2580")
    child.open()
    assert page.locator("[aria-keyshortcuts], [accesskey]").count() == 0
    told = page.evaluate(
        """() => document.body.innerText + [...document.querySelectorAll("[aria-label], [title], [aria-description]")].map(
            (one) => ["aria-label", "title", "aria-description"].map((name) => one.getAttribute(name)).join(" ")).join(" ")""")
    assert not re.search(r"\b(ctrl|control|alt|code|three taps|triple|trois)\b", told, re.IGNORECASE), told
    page.locator("[data-title]").click(click_count=3)
    keypad = page.locator(".pt-keypad")
    expect(keypad).to_be_visible()
    digits = [one for one in keypad.get_by_role("button").all_inner_texts() if one.strip().isdigit()]
    assert sorted(digits) == list("0123456789")
    dots = keypad.locator(".pt-keypad__dots i")
    expect(dots).to_have_count(4)
    for full, digit in enumerate("258", start=1):
        keypad.get_by_role("button", name=digit, exact=True).click()
        expect(keypad.locator("i[data-full]")).to_have_count(full)
    assert dots.evaluate_all("all => all.map(one => one.hasAttribute('data-full'))") == [True, True, True, False]
    keypad.get_by_role("button", name="0", exact=True).click()
    expect(page).to_have_url(re.compile(r"/quest(\?|$)"))


@pytest.mark.requirement("TQ-2.14.a")
def test_a_new_device_sets_a_code_and_the_code_leads_from_the_player_and_back(visit, family):
    child = Child(visit, family, clock=False)
    child.visitor.expects("422")
    page = child.page
    # A new device has no code: the signed-in parent reaches the parent's side at once.
    page.locator("[data-title]").click(click_count=3)
    child.visitor.is_at(r"/quest(\?.*)?")
    child.visitor.link("Devices and code").click()
    child.visitor.field("Device code").fill("2580")
    child.visitor.field("Confirm the code").first.fill("2580")
    child.visitor.button("Set code").click()
    expect(child.visitor.toast(re.compile("code", re.IGNORECASE))).to_be_visible()
    child.visitor.open("/quest")
    child.visitor.button("Done", exact=True).click()
    if child.visitor.question.count():
        child.visitor.question.get_by_role("button", name="Done").click()
    child.visitor.is_at("/play.*")
    child.step("home")
    expect(page.get_by_text(ENGLISH["hello"])).to_be_visible()
    # The next launch asks for the code and accepts only the right one.
    page.goto("/")
    child.visitor.is_at("/play.*")
    child.step("home")
    page.locator("[data-title]").click(click_count=3)
    keypad = page.locator(".pt-keypad")
    expect(keypad).to_be_visible()
    page.keyboard.type("1111")
    expect(keypad.get_by_text(ENGLISH["again"])).to_be_visible()
    page.keyboard.type("2580")
    child.visitor.is_at(r"/quest(\?.*)?")
    expect(child.visitor.button("Done", exact=True)).to_be_visible()
