"""The gate of a residence: a reader that types, a camera, a cut network, taking back; and tags and badges."""
import datetime
import re
import time
import uuid
from pathlib import Path

import pytest
import requests
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from test_access import findings

ENGLISH = {
    "lang": "en-US", "ask": "Hold your tag to the reader", "welcome": "Welcome back", "bye": "See you soon",
    "back": "Undo", "taken": "Undone", "unknown": "Tag not known", "lost": "Tag reported lost",
    "sent": "All passages sent", "offline": "Offline. 2 passages saved on this device", "start": "Start gate",
    "camera": "Turn on camera",
}
FRENCH = {
    "lang": "fr-CA", "ask": "Présentez votre badge au lecteur", "welcome": "Bon retour", "bye": "À bientôt",
    "back": "Annuler", "taken": "Passage annulé", "unknown": "Badge inconnu", "lost": "Badge déclaré perdu",
    "sent": "Tous les passages sont envoyés", "offline": "Hors ligne. 2 passages enregistrés sur cet appareil",
    "start": "Démarrer la borne", "camera": "Activer la caméra",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


class Residence:
    """A residence with two residents, Noor and Dario, each with a card."""

    CARDS = {"Noor Aziz": "04A2B9C1", "Dario Conti": "04FF00E7"}

    def __init__(self, server):
        self.school = server.found_school()
        self.owner = self.school.owner
        self.id = self.owner.post("/api/v1/residences", {
            "name": "Birch House", "schoolNightCurfew": "05:00", "weekendCurfew": "05:00"})["id"].lower()
        self.path = f"/api/v1/residences/{self.id}"
        self.room = self.owner.post(f"{self.path}/rooms", {"number": "201", "type": "Twin", "bedCount": 3})["id"]
        self.tags = {}
        for name, number in self.CARDS.items():
            student = self.school.children[name]
            self.move_in(student)
            self.tags[name] = self.owner.post(f"{self.path}/students/{student}/tags", {"number": number})["id"]

    def move_in(self, student):
        # Since the day before yesterday: at night the day of a residence is that of the evening before.
        day = (datetime.date.today() - datetime.timedelta(days=2)).isoformat()
        self.owner.post(f"{self.path}/students", {"studentId": student, "roomId": self.room, "firstDay": day})

    def passages(self):
        """The passages of the residence, the oldest first."""
        return list(reversed(self.owner.get(f"{self.path}/passages")["items"]))

    def recorded(self):
        """The direction and method of each passage, the oldest first."""
        return [(record["type"], record["method"]) for record in self.passages()]

    def statuses(self):
        attendance = self.owner.get(f"{self.path}/attendance")
        names = {identifier: name for name, identifier in self.school.children.items()}
        return {names[one["id"].lower()]: one["status"] for one in attendance["students"]}

    def report(self, name, is_lost):
        self.owner.post(
            f"{self.path}/students/{self.school.children[name]}/tags/{self.tags[name]}/lost",
            {"isLost": is_lost})


@pytest.fixture
def residence(server):
    return Residence(server)


def soon(read, wanted):
    """Waits until the server has what the tablet sends: its foot may still speak of what was sent before."""
    end = time.monotonic() + 10
    while (found := read()) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    assert found == wanted


class Tablet:
    """A tablet that was paired as the residence's gate."""

    def __init__(self, visit, residence, words=ENGLISH, size=DESKTOP, **options):
        self.residence, self.words = residence, words
        code = "".join(letter for letter in uuid.uuid4().hex.upper() if letter in "0123456789ABCDEF")[:8]
        residence.owner.post(f"{residence.path}/gates", {"name": "Main door", "pairingCode": code})
        self.visitor = visit(
            at=residence.owner.server, path=f"/gate/pair/{code}", language=words["lang"], size=size, worker=True, **options)
        self.page = self.visitor.page
        # A cut network is no fault of the page.
        self.visitor.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED|Failed to fetch|NetworkError")
        self.visitor.button(words["start"]).click()
        self.waits()

    def waits(self):
        expect(self.page.get_by_role("heading", name=self.words["ask"])).to_be_visible()

    def read(self, card, enter="Enter"):
        """A reader types the number and ends it."""
        self.page.keyboard.type(card)
        self.page.keyboard.press(enter)

    def shows(self, state, name):
        card = self.page.locator(f".pt-gate__card[data-state={state}]")
        expect(card.get_by_role("heading", name=name)).to_be_visible()
        return card

    def foot(self, text):
        expect(self.page.locator(".pt-gate__sync").first).to_have_text(text)

    def sent(self):
        self.foot(self.words["sent"])

    def passes_ten_seconds(self):
        """Lets the window of repeated reads pass, by both clocks of the page."""
        self.page.evaluate("""() => {
            const [wall, steady] = [Date.now.bind(Date), performance.now.bind(performance)];
            Date.now = () => wall() + 11_000;
            performance.now = () => steady() + 11_000;
        }""")


@pytest.mark.requirement("BY-1.06.b")
@BOTH
@SIZES
def test_a_reader_that_types_records_a_passage_which_a_warden_takes_back(visit, residence, words, size):
    tablet = Tablet(visit, residence, words, size)
    tablet.read("04a2b9c1")
    card = tablet.shows("in", "Noor Aziz")
    expect(card.get_by_text(words["welcome"])).to_be_visible()
    expect(card.get_by_text("201")).to_be_visible()
    assert findings(tablet.page) == []
    # The same tag again within ten seconds is the same passage.
    tablet.read("04A2B9C1", "Tab")
    tablet.sent()
    soon(residence.recorded, [("checkIn", "kiosk")])
    assert residence.statuses()["Noor Aziz"] == "checkedIn"
    card.get_by_role("button", name=words["back"]).click()
    expect(tablet.page.get_by_role("heading", name=words["taken"])).to_be_visible()
    soon(lambda: residence.statuses()["Noor Aziz"], "absent")
    assert len(residence.passages()) == 1, "the record stays"
    # The next read is a check-in again.
    tablet.passes_ten_seconds()
    tablet.read("04A2B9C1")
    tablet.shows("in", "Noor Aziz")
    tablet.passes_ten_seconds()
    tablet.read("04A2B9C1")
    expect(tablet.shows("out", "Noor Aziz").get_by_text(words["bye"])).to_be_visible()


@BOTH
def test_a_gate_works_through_a_network_cut_and_a_restart_and_sends_each_passage_once(visit, residence, words):
    tablet = Tablet(visit, residence, words)
    tablet.visitor.keeps_page()
    context = tablet.page.context
    context.set_offline(True)
    tablet.read("04A2B9C1")
    tablet.shows("in", "Noor Aziz")
    # A person restarts the tablet meanwhile.
    tablet.page.reload()
    tablet.waits()
    tablet.read("04FF00E7")
    tablet.shows("in", "Dario Conti")
    tablet.foot(words["offline"])
    assert residence.passages() == []
    context.set_offline(False)
    tablet.sent()
    soon(lambda: sorted(residence.statuses().values()), ["checkedIn", "checkedIn"])
    assert len(residence.passages()) == 2


def test_a_gate_refuses_unknown_and_lost_tags_and_takes_a_found_one_again(visit, residence):
    tablet = Tablet(visit, residence)
    tablet.read("04DEADBEEF")
    expect(tablet.page.get_by_role("alert").get_by_role("heading", name=ENGLISH["unknown"])).to_be_visible()
    residence.report("Noor Aziz", True)
    tablet.page.reload()
    tablet.waits()
    tablet.read("04A2B9C1")
    expect(tablet.page.get_by_role("alert").get_by_role("heading", name=ENGLISH["lost"])).to_be_visible()
    assert residence.passages() == []
    residence.report("Noor Aziz", False)
    tablet.page.reload()
    tablet.waits()
    tablet.read("04A2B9C1")
    tablet.shows("in", "Noor Aziz")
    tablet.sent()


def test_a_gate_whose_clock_is_a_day_off_records_the_right_time(visit, residence):
    tablet = Tablet(visit, residence)
    wrong = "() => { const { now } = Date; Date.now = () => now() - 86_400_000; }"
    tablet.page.add_init_script(f"({wrong})()")
    tablet.page.reload()
    tablet.waits()
    tablet.sent()
    with tablet.page.expect_request(re.compile("/api/v1/gate/passages$")):
        tablet.read("04A2B9C1")
    tablet.shows("in", "Noor Aziz")
    tablet.sent()
    soon(lambda: residence.statuses()["Noor Aziz"], "checkedIn")


@BOTH
def test_a_gate_writes_the_first_day_of_a_month_as_its_language_does(visit, residence, words):
    tablet = Tablet(visit, residence, words)
    noon = "gate => [1, 11, 21].map((day) => gate.date(Date.UTC(2026, 11, day, 12)))"
    assert tablet.page.locator("pt-gate").evaluate(noon) == (
        ["mardi 1er décembre", "vendredi 11 décembre", "lundi 21 décembre"] if words is FRENCH
        else ["Tuesday, December 1", "Friday, December 11", "Monday, December 21"])


def test_a_paired_tablet_opens_nothing_but_its_gate(visit, residence):
    tablet = Tablet(visit, residence)
    # The list of an ended gate, where the page asks for it once more.
    tablet.visitor.expects("404")
    for path in ["/", f"/residences/{residence.id}", "/settings"]:
        tablet.page.goto(path)
        tablet.visitor.is_at("/gate")
    residence.owner.post(f"{residence.path}/gates/{residence.owner.get(residence.path + '/gates')['items'][0]['id']}/end")
    tablet.page.goto("/gate")
    expect(tablet.page.get_by_text("This device is no longer a gate").first).to_be_visible()


def film_of_a_code(page, path):
    """Writes the QR code that a page shows as a film for Chromium's fake camera (YUV4MPEG2)."""
    width, height = 640, 480
    pixels = page.locator(".pt-codecard svg.pt-qr").evaluate(
        """(svg, [width, height]) => {
            const context = new OffscreenCanvas(width, height).getContext("2d");
            context.fillStyle = "#eee";
            context.fillRect(0, 0, width, height);
            const scale = 400 / svg.viewBox.baseVal.width;
            context.setTransform(scale, 0, 0, scale, 120, 40);
            context.fillStyle = "#111";
            context.fill(new Path2D(svg.querySelector("path").getAttribute("d")));
            const { data } = context.getImageData(0, 0, width, height);
            return Array.from({ length: width * height }, (_, place) => data[place * 4]);
        }""", [width, height])
    frame = bytes(pixels) + bytes([128]) * (width * height // 2)
    with open(path, "wb") as film:
        film.write(f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\n".encode())
        for _ in range(10):
            film.write(b"FRAME\n" + frame)


@pytest.fixture
def resident(residence):
    """A resident with an account, a picture and a leave that lasts."""
    student = residence.school.colleague("Sami Okafor", role="student")
    members = {member["email"]: member["id"] for member in residence.owner.get("/api/v1/members")["items"]}
    residence.move_in(members[student.email])
    picture = Path(__file__).parents[2] / "Modules/Web/HTML/Resources/app/icon-192.png"
    answer = requests.post(
        student.server.url + "/api/v1/profile/picture", headers={"Authorization": f"Bearer {student.token}"},
        files={"picture": ("me.png", picture.read_bytes(), "image/png")}, timeout=10)
    assert answer.ok, answer.text
    today = datetime.date.today()
    leave = student.post("/api/v1/leaves", {
        "fromDay": today.isoformat(), "fromTime": "00:00", "toDay": (today + datetime.timedelta(days=3)).isoformat(),
        "toTime": "18:00", "place": "Lyon"})
    residence.owner.post(f"/api/v1/leaves/{leave['id']}/decide", {"approves": True})
    return student


@pytest.mark.requirement("BY-1.06.a")
def test_a_camera_reads_the_code_on_a_phone_and_the_gate_shows_photo_room_and_leave(visit, residence, resident, tmp_path):
    phone = visit(resident, "/residence/pass")
    phone.button("Show my code").click()
    expect(phone.page.locator(".pt-codecard svg.pt-qr")).to_be_visible()
    film = tmp_path / "code.y4m"
    film_of_a_code(phone.page, film)
    tablet = Tablet(visit, residence, camera=film)
    tablet.page.get_by_role("button", name=ENGLISH["camera"]).click()
    card = tablet.shows("in", "Sami Okafor")
    expect(card.get_by_text("201")).to_be_visible()
    expect(card.get_by_text(re.compile("On leave until"))).to_be_visible()
    photo = card.get_by_role("img", name="Photo of Sami Okafor")
    tablet.visitor.until("() => document.querySelector('.pt-photo img')?.naturalWidth > 0")
    expect(photo).to_be_visible()
    tablet.sent()
    soon(residence.recorded, [("checkIn", "qr")])
    expect(phone.page.get_by_text("In since").first).to_be_visible()


#: An NFC reader, a code reader of the browser and a loudspeaker, as the page sees them. Chromium for Linux has neither reader.
DEVICES = """() => {
    window.tones = [];
    window.codes = [];
    const next = (node) => node;
    window.AudioContext = class {
        currentTime = 0;
        resume() {}
        createOscillator() {
            return { frequency: { set value(hertz) { window.tones.push(hertz); } }, connect: next, start() {}, stop() {} };
        }
        createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: next }; }
    };
    window.NDEFReader = class { async scan() { window.nfc = this; } };
    window.BarcodeDetector = class {
        static async getSupportedFormats() { return ["qr_code"]; }
        async detect() { return window.codes.map((rawValue) => ({ rawValue })); }
    };
}"""


@pytest.mark.requirement("BY-1.06.b", "PG-2.18.a")
def test_a_gate_reads_nfc_and_the_codes_that_the_browser_finds_itself_and_says_each_in_tones(visit, residence):
    tablet = Tablet(visit, residence)
    asked = []
    tablet.page.on("request", lambda one: one.url.endswith("/gate/codes") and asked.append(one.url))
    tablet.page.evaluate(DEVICES)
    tablet.page.get_by_role("button", name=ENGLISH["camera"]).click()
    tablet.visitor.until("() => Boolean(window.nfc)")
    tablet.page.evaluate("window.nfc.onreading({ serialNumber: '04:a2:b9:c1', message: { records: [] } })")
    tablet.shows("in", "Noor Aziz")
    tablet.page.evaluate("window.codes = ['04FF00E7']")
    tablet.shows("in", "Dario Conti")
    tablet.page.evaluate("window.codes = ['DEADBEEF']")
    expect(tablet.page.get_by_role("heading", name=ENGLISH["unknown"])).to_be_visible()
    assert tablet.page.evaluate("window.tones") == [523, 784, 523, 784, 196, 165]
    soon(residence.recorded, [("checkIn", "nfc"), ("checkIn", "qr")])
    assert asked == [], "the server reads no picture where the browser does"


@pytest.mark.requirement("PG-2.18.b")
def test_a_code_with_the_id_of_a_tag_is_read_as_that_tag(visit, residence):
    tablet = Tablet(visit, residence)
    tablet.page.evaluate(DEVICES)
    tablet.page.get_by_role("button", name=ENGLISH["camera"]).click()
    tablet.visitor.until("() => Boolean(window.nfc)")
    # The first read is eleven seconds ago, because a second one within ten counts as the same.
    tablet.page.evaluate("""() => {
        window.behind = 11_000;
        const [wall, steady] = [Date.now.bind(Date), performance.now.bind(performance)];
        Date.now = () => wall() - window.behind;
        performance.now = () => steady() - window.behind;
    }""")
    tablet.page.evaluate("window.nfc.onreading({ serialNumber: '04:a2:b9:c1', message: { records: [] } })")
    tablet.shows("in", "Noor Aziz")
    tablet.page.evaluate("window.behind = 0")
    tablet.page.evaluate("window.codes = ['04A2B9C1']")
    tablet.shows("out", "Noor Aziz")
    soon(residence.recorded, [("checkIn", "nfc"), ("checkOut", "qr")])
    first, second = residence.passages()
    assert first["nfcTagId"] == second["nfcTagId"] == residence.tags["Noor Aziz"].lower()


def test_a_phone_sends_its_place_only_where_the_residence_records_it_and_the_resident_agreed(visit, residence, resident):
    phone = visit(resident, "/residence/pass", geolocation={"latitude": 46.52, "longitude": 6.63}, permissions=["geolocation"])
    choice = "Share my place when I check in"
    expect(phone.page.get_by_text(choice)).to_have_count(0)
    phone.button("Check in").click()
    expect(phone.page.get_by_text("In since").first).to_be_visible()
    residence.owner.post(residence.path, {
        "name": "Birch House", "schoolNightCurfew": "05:00", "weekendCurfew": "05:00", "recordsLocation": True})
    phone.open("/residence/pass")
    phone.page.get_by_text(choice).click()
    phone.button("Save").click()
    phone.until("() => document.querySelector('pt-place')?.dataset.found !== undefined")
    phone.button("Check out").click()
    expect(phone.page.get_by_text("Out since").first).to_be_visible()
    first, second = residence.passages()
    assert first.get("location") is None
    assert second["location"]["latitude"] == 46.52


def test_a_warden_pairs_a_gate_registers_a_card_and_prints_badges(visit, residence):
    warden = visit(residence.owner, f"/residences/{residence.id}/residents", size=DESKTOP)
    warden.link("Gates and badges").click()
    warden.field("Name").fill("Garden door")
    warden.button("Add gate").click()
    expect(warden.page.get_by_role("img", name="QR code of the pairing address")).to_be_visible()
    warden.open(f"/residences/{residence.id}/gates")
    expect(warden.page.get_by_text("Garden door")).to_be_visible()
    warden.button("Create missing badges").click()
    expect(warden.page.get_by_text("Residents with a badge: 2 of 2")).to_be_visible()
    answer = warden.page.request.get(f"/residences/{residence.id}/badges/a4")
    assert answer.ok and answer.body().startswith(b"%PDF")
    warden.open(f"/residences/{residence.id}/residents/{residence.school.children['Noor Aziz']}/tags")
    warden.field("Card or tag number").fill("04:11:22:33")
    warden.button("Register").click()
    expect(warden.page.get_by_text("Card or NFC tag")).to_have_count(2)
