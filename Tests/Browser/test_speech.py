"""Dictation for any text: by the browser's recognition, by the school's service, and without either."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from school import Server

PAGE = "/settings/speech"
ENGLISH = {
    "lang": "en-US", "speak": "Speak", "stop": "Stop", "text": "Text", "copy": "Copy", "clear": "Clear", "language": "Spoken language",
    "browser": "Its maker may hear what you say", "school": "Your school’s service", "neither": "is not available", "typeInstead": "but you can type your text",
    "again": "Send again", "listening": "Listening", "refused": "may not use the microphone", "spoken": "en-US",
}
FRENCH = {
    "lang": "fr-CA", "speak": "Parler", "stop": "Arrêter", "text": "Texte", "copy": "Copier", "clear": "Effacer", "language": "Langue parlée",
    "browser": "Son éditeur peut entendre", "school": "Le service de votre école", "neither": "n’est pas disponible", "typeInstead": "mais le texte peut être tapé",
    "again": "Renvoyer", "listening": "À l’écoute", "refused": "ne peut pas utiliser le microphone", "spoken": "fr-FR",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])

#: A fake speech recognition: `ear.hear("text", true)`.
EAR = """
window.ear = null;
window.SpeechRecognition = window.webkitSpeechRecognition = class {
  start() { window.ear = this; }
  stop() { this.onend?.(); }
  hear(transcript, isFinal) {
    this.onresult({ resultIndex: 0, results: [Object.assign([{ transcript }], { isFinal })] });
  }
};
"""
DEAF = "delete window.SpeechRecognition; delete window.webkitSpeechRecognition;"


@pytest.fixture
def school(server):
    return server.found_school(rooms={"Maple room": ["Noor Aziz"]})


def open_page(visit, person, words, script, **options):
    guide = visit(person, language=words["lang"], **options)
    guide.page.add_init_script(script)
    guide.open(PAGE)
    return guide


@BOTH
@SIZES
def test_a_students_voice_goes_to_no_browser_maker(visit, school, words, size):
    student = school.colleague("Mia Roy", role="student")
    page = open_page(visit, student, words, EAR, size=size).page
    expect(page.get_by_text(words["typeInstead"])).to_be_visible()
    expect(page.get_by_role("button", name=words["speak"], exact=True)).to_be_disabled()
    page.get_by_label(words["text"], exact=True).fill("Ann")
    expect(page.get_by_role("button", name=words["copy"])).to_be_enabled()
    assert page.evaluate("ear") is None


@pytest.mark.requirement("WW-1.04.b")
@BOTH
@SIZES
def test_the_browser_transcribes_for_a_school_without_a_service(visit, school, words, size):
    guide = open_page(visit, school.owner, words, EAR, size=size)
    expect(guide.page.get_by_text(words["browser"])).to_be_visible()
    expect(guide.page.get_by_label(words["language"])).to_have_value(words["lang"][:2])
    guide.button(words["speak"], exact=True).click()
    expect(guide.page.get_by_text(words["listening"])).to_be_visible()
    assert guide.page.evaluate("ear.lang") == words["spoken"]
    guide.page.evaluate("ear.hear('Noor', false)")
    expect(guide.page.get_by_text("Noor", exact=True)).to_be_visible()
    guide.page.evaluate("ear.hear('The tower stands.', true)")
    text = guide.page.get_by_label(words["text"], exact=True)
    expect(text).to_have_value("The tower stands.")
    guide.page.evaluate("ear.hear('and', false)")
    guide.button(words["stop"], exact=True).click()
    expect(text).to_have_value("The tower stands. and")
    expect(guide.button(words["speak"], exact=True)).to_be_visible()
    # The recording survives a reload and other pages.
    guide.page.reload()
    expect(text).to_have_value("The tower stands. and")
    assert guide.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    guide.button(words["clear"], exact=True).click()
    expect(text).to_have_value("")


@BOTH
def test_a_page_without_recognition_says_so(visit, school, words):
    guide = open_page(visit, school.owner, words, DEAF)
    expect(guide.page.get_by_text(words["neither"])).to_be_visible()
    expect(guide.button(words["speak"], exact=True)).to_be_disabled()


def test_a_denied_microphone_gets_a_message(visit, school):
    guide = open_page(visit, school.owner, ENGLISH, EAR)
    guide.button("Speak", exact=True).click()
    guide.page.evaluate("ear.onerror({ error: 'not-allowed' }); ear.onend()")
    expect(guide.page.get_by_text(ENGLISH["refused"])).to_be_visible()


class Service:
    """A transcription service on this machine, which answers as the test asks."""

    def __init__(self):
        service = self
        self.asked: list[bytes] = []
        self.isUp = True

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.asked.append(body)
                answer = json.dumps({"text": "Le vent souffle.", "duration": 2.0} if service.isUp else {"error": {}}).encode()
                self.send_response(200 if service.isUp else 401)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"


@pytest.fixture
def service():
    made = Service()
    yield made
    made.server.shutdown()


@pytest.mark.requirement("WW-1.04.c")
def test_the_schools_service_transcribes_and_a_failed_recording_is_sent_again(visit, service, tmp_path):
    server = Server(
        tmp_path / "data", tmp_path / "server.log",
        {"PINKTOWER_OPENAI_API_KEY": "sk-test-1234", "PINKTOWER_OPENAI_URL": service.url}).start()
    try:
        school = server.found_school()
        guide = open_page(visit, school.owner, FRENCH, EAR, permissions=["microphone"])
        guide.expects("502")
        expect(guide.page.get_by_text(FRENCH["school"])).to_be_visible()
        service.isUp = False
        guide.button(FRENCH["speak"], exact=True).click()
        expect(guide.page.get_by_text(FRENCH["listening"])).to_be_visible()
        assert guide.page.evaluate("ear") is None, "the browser's maker hears nothing"
        guide.page.wait_for_timeout(400)
        guide.button(FRENCH["stop"], exact=True).click()
        expect(guide.button(FRENCH["again"], exact=True)).to_be_visible()
        service.isUp = True
        guide.button(FRENCH["again"], exact=True).click()
        expect(guide.page.get_by_label(FRENCH["text"], exact=True)).to_have_value("Le vent souffle.")
        expect(guide.button(FRENCH["again"], exact=True)).to_be_hidden()
        assert b'name="language"\r\n\r\nfr' in service.asked[-1]
        assert server.data.exists() and not list((server.data / "files").rglob("*")), "no sound is kept"
    finally:
        server.stop()
