"""Voice notes: recorded, stored on the device without a network, and transcribed later."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from school import Server
from test_speech import Service

ENGLISH = {
    "lang": "en-US", "record": "Record", "stop": "Stop", "discard": "Discard", "write": "Transcribe", "note": "Note",
    "save": "Save", "waits": "The recording is saved on this device", "delete": "Delete recording", "one": "Voice note",
}
FRENCH = {
    "lang": "fr-CA", "record": "Enregistrer la voix", "stop": "Arrêter", "discard": "Effacer", "write": "Transcrire",
    "note": "Note", "save": "Enregistrer", "waits": "L’enregistrement est gardé sur cet appareil",
    "delete": "Supprimer l’enregistrement", "one": "Note vocale",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@pytest.fixture
def school(server):
    return server.found_school(rooms={"Maple room": ["Noor Aziz", "Lea Roy"]})


def open_child(guide, name="Noor Aziz"):
    guide.row(name).locator(".pt-list-cell__main").click()
    expect(guide.sheet.get_by_role("heading", name=name)).to_be_visible()
    return guide.sheet


def speak(guide, words):
    guide.sheet.get_by_role("button", name=words["record"], exact=True).click()
    expect(guide.sheet.get_by_role("timer")).to_have_text(re.compile("0:0[1-9]"))


@pytest.mark.requirement("PT-2.17.a")
@BOTH
@SIZES
def test_a_note_is_recorded_played_and_transcribed(visit, school, words, size):
    guide = visit(school.owner, school.path("Maple room"), size=size, language=words["lang"], permissions=["microphone"])
    sheet = open_child(guide)
    speak(guide, words)
    sheet.get_by_role("button", name=words["discard"], exact=True).click()
    expect(sheet.get_by_role("button", name=words["record"], exact=True)).to_be_focused()
    expect(sheet.locator("audio")).to_have_count(0)
    speak(guide, words)
    sheet.get_by_role("button", name=words["stop"], exact=True).click()
    sound = guide.sheet.locator("audio[src*='/voice/']")
    expect(sound).to_have_count(1)
    seconds = sound.evaluate(
        "(sound) => new Promise((done) => { sound.onloadeddata = () => done(sound.readyState); sound.preload = 'auto'; sound.load(); })")
    assert seconds >= 2, "it can be played"
    expect(guide.sheet.get_by_text(re.compile(words["one"] + " · 0:0[1-9]"))).to_be_visible()
    guide.sheet.get_by_role("link", name=words["write"]).click()
    expect(guide.sheet.get_by_role("heading", name=words["write"])).to_be_visible()
    guide.sheet.get_by_label(words["note"], exact=True).fill("Carried the tray with both hands")
    guide.sheet.get_by_role("button", name=words["save"], exact=True).click()
    expect(guide.sheet.locator(".pt-note")).to_contain_text("Carried the tray with both hands")
    expect(guide.sheet.locator("audio")).to_have_count(0)


@BOTH
def test_without_a_network_the_recording_stays_on_the_device_and_is_sent_later(visit, school, words):
    guide = visit(school.owner, school.path("Maple room"), language=words["lang"], permissions=["microphone"])
    sheet = open_child(guide)
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    speak(guide, words)
    guide.page.context.set_offline(True)
    sheet.get_by_role("button", name=words["stop"], exact=True).click()
    expect(guide.sheet.get_by_text(re.compile(words["waits"]))).to_be_visible()
    expect(guide.sheet.locator(".pt-voice__local audio")).to_have_count(1)
    guide.page.context.set_offline(False)
    expect(guide.sheet.locator("audio[src*='/voice/']")).to_have_count(1)
    expect(guide.sheet.locator(".pt-voice__local")).to_have_count(0)
    guide.sheet.get_by_role("button", name=words["delete"]).click()
    guide.question.get_by_role("button", name=words["delete"]).click()
    expect(guide.sheet.locator("audio")).to_have_count(0)


def test_record_is_an_action_of_the_floating_button(visit, school):
    guide = visit(school.owner, school.path("Maple room"), permissions=["microphone"])
    sheet = open_child(guide)
    sheet.locator("summary.pt-fab").click()
    sheet.locator(".pt-fan").get_by_role("link", name="Record").click()
    expect(guide.sheet.get_by_role("timer")).to_have_text(re.compile("0:0[1-9]"))
    guide.sheet.get_by_role("button", name="Discard", exact=True).click()


def test_a_denied_microphone_gets_a_message(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    sheet = open_child(guide)
    guide.page.evaluate(
        "() => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }")
    sheet.get_by_role("button", name="Record", exact=True).click()
    expect(sheet.get_by_text(re.compile("microphone is not available"))).to_be_visible()


@pytest.fixture
def listening(tmp_path):
    """A server whose school has a transcription service."""
    service = Service()
    made = Server(
        tmp_path / "data", tmp_path / "server.log",
        {"PINKTOWER_OPENAI_API_KEY": "sk-test-1234", "PINKTOWER_OPENAI_URL": service.url}).start()
    yield made
    made.stop()
    service.server.shutdown()


@pytest.mark.requirement("PT-2.17.c", "BY-1.07.a")
@BOTH
def test_a_transcript_is_a_draft_after_typed_text_until_it_is_saved(visit, listening, words):
    school = listening.found_school(rooms={"Maple room": ["Noor Aziz"]})
    guide = visit(school.owner, school.path("Maple room"), language=words["lang"], permissions=["microphone"])

    def observations():
        return [one["content"] for one in school.owner.get(f"/api/v1/students/{school.children['Noor Aziz']}/observations")["items"]]

    note = open_child(guide).get_by_label(words["note"], exact=True)
    for before, after in [("", "Le vent souffle."), ("At the window.", "At the window.\nLe vent souffle.")]:
        note.fill(before)
        speak(guide, words)
        guide.sheet.get_by_role("button", name=words["stop"], exact=True).click()
        expect(note).to_have_value(after)
    assert observations() == []
    guide.sheet.get_by_role("button", name=words["save"], exact=True).click()
    expect(guide.sheet.locator(".pt-note")).to_contain_text("At the window.")
    assert [one.splitlines() for one in observations()] == [["At the window.", "Le vent souffle."]]
