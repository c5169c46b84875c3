"""The practice tools: a spelling bee, a math quiz and a typing tutor, from Tools on Home, also without a network."""
import json
import re
from fractions import Fraction

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from test_access import findings
from test_grades import Book

ENGLISH = {
    "lang": "en-US", "spelling": "Spelling bee", "math": "Math quiz", "typing": "Typing tutor", "start": "Start", "short": "Short words",
    "addition": "Addition", "lesson": "Lesson 1", "end": "Round finished", "sent": "Your result has arrived.", "right": "Right",
    "waits": "is sent when there is a network", "next time": "For next time", "level": "Level 1 of 7", "back": "Back", "way": "A way to find it",
    "almost": "Almost. Look at the marked letters.", "opened": "Lesson 2 is open.", "progress": "How practice goes", "again": "Once more",
    "accent": "Only the accent is different.", "listen": "Listen",
}
FRENCH = {
    "lang": "fr-CA", "spelling": "Dictée de mots", "math": "Calcul mental", "typing": "Leçons de clavier", "start": "Commencer",
    "short": "Mots courts", "addition": "Addition", "lesson": "Leçon 1", "end": "Partie terminée", "sent": "Ton résultat est bien arrivé.",
    "right": "Juste", "waits": "il partira dès qu’il y aura du réseau", "next time": "Pour la prochaine fois", "level": "Niveau 1 sur 7",
    "back": "Retour", "way": "Une façon de trouver", "almost": "Presque. Regarde les lettres marquées.", "opened": "La leçon 2 est ouverte.",
    "progress": "Progrès de l’entraînement", "again": "Encore une fois", "accent": "Seul l’accent est différent.", "listen": "Écouter",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])
API = "/api/v1/practice"
#: A browser whose voices load late, and which remembers what it says.
LATE_VOICES = """
  window.said = [];
  const voice = { lang: "fr-FR", name: "Test", voiceURI: "test", localService: true, default: true };
  let voices = [];
  const speech = new EventTarget();
  Object.assign(speech, {
    getVoices: () => voices, cancel() {},
    speak(utterance) { said.push([utterance.text, utterance.lang, utterance.rate]); setTimeout(() => utterance.dispatchEvent(new Event("end"))); },
  });
  setTimeout(() => { voices = [voice]; speech.dispatchEvent(new Event("voiceschanged")); }, 400);
  Object.defineProperty(window, "speechSynthesis", { value: speech });
  window.SpeechSynthesisUtterance = class extends EventTarget { constructor(text) { super(); this.text = text; } };
"""


@pytest.fixture
def book(server):
    return Book(server.found_school(), ["Ada Berg", "Mia Roy"], items=())


class Child:
    """A student at a tool."""

    def __init__(self, visit, person, words=ENGLISH, size=PHONE, **options):
        self.words = words
        self.visitor = visit(person, language=words["lang"], size=size, **options)
        self.page = self.visitor.page
        self.main = self.page.locator("#main")

    def from_tools(self, tool):
        self.page.goto("/home")
        self.main.get_by_role("link", name=self.words[tool], exact=True).click()
        expect(self.page.get_by_role("heading", level=1, name=self.words[tool])).to_be_visible()

    def open(self, tool):
        self.page.goto(f"/tools/{tool}")
        expect(self.main.locator(".pt-pr__tile, .pt-pr__go").first).to_be_visible()

    def choose(self, name):
        self.main.locator(".pt-pr__tile").filter(has_text=name).first.click()

    def button(self, name):
        return self.main.get_by_role("button", name=self.words.get(name, name), exact=True)

    @property
    def field(self):
        return self.main.locator(".pt-pr__field")

    def type(self, text):
        """Types an answer into the field, which has the focus, and sends it."""
        expect(self.field).to_be_focused()
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    @property
    def shown_word(self):
        """The word that is shown for a while, because this browser has no voices."""
        word = self.main.locator(".pt-pr__flash")
        expect(word).not_to_be_empty()
        return word.inner_text()

    def spell(self, missed=0):
        """Plays a round of words, of which the first ones are written with another letter."""
        while True:
            expect(self.main.locator(".pt-pr__flash, .pt-pr__end").first).to_be_visible()
            if self.main.locator(".pt-pr__end").count():
                return
            word = self.shown_word
            if missed:
                missed -= 1
                self.type("x" + word)
                expect(self.main.get_by_role("heading", name=self.words["almost"])).to_be_visible()
                expect(self.main.locator("del")).to_have_text("x")
            self.type(word)
            self.is_right(word)

    def is_right(self, text):
        expect(self.main.locator(".pt-pr__before").filter(has_text=text).or_(self.main.locator(".pt-pr__end"))).to_be_visible()

    def calculate(self, missed=0):
        """Plays a round of sums, of which the first ones get another answer first."""
        while True:
            expect(self.main.locator(".pt-pr__sum, .pt-pr__end").first).to_be_visible()
            if self.main.locator(".pt-pr__end").count():
                return
            shown = self.main.locator(".pt-pr__first, .pt-pr__tokens").last.inner_text()
            total = value(shown)
            if missed:
                missed -= 1
                self.type(str(total + 1))
                expect(self.main.get_by_role("heading", name=self.words["way"])).to_be_visible()
                expect(self.main.locator(".pt-pr__lines")).to_contain_text(str(total))
            self.type(str(total))
            self.is_right(str(total))

    def type_lesson(self, slips=0):
        text = self.main.locator(".pt-pr__typed").get_attribute("aria-description")
        expect(self.main.locator(".pt-pr__typed")).to_be_focused()
        self.page.keyboard.type("0" * slips + text)
        expect(self.main.locator(".pt-pr__end")).to_be_visible()
        return text


def value(shown):
    """The value of a calculation as it is shown."""
    plain = re.sub(r"[^\d+−×÷()]", "", shown).replace("−", "-").replace("×", "*").replace("÷", "/")
    return Fraction(eval(plain, {"__builtins__": {}}))


def rounds_of(person):
    return person.get(f"{API}/rounds")["items"]


@pytest.mark.requirement("WW-1.10.a", "WW-1.10.b", "WW-1.10.c")
@BOTH
def test_all_three_tools_open_from_tools_and_a_round_of_each_is_played(visit, book, words, size):
    ada = book.students["Ada Berg"]
    child = Child(visit, ada, words, size)
    child.from_tools("spelling")
    child.choose(words["short"])
    child.button("start").click()
    child.spell(missed=1)
    expect(child.main.get_by_role("heading", name=words["next time"])).to_be_visible()
    expect(child.main.get_by_text(words["sent"])).to_be_visible()

    child.from_tools("math")
    expect(child.main.get_by_text(words["level"]).first).to_be_visible()
    child.choose(words["addition"])
    child.calculate(missed=1)
    expect(child.main.get_by_text(words["sent"])).to_be_visible()

    child.from_tools("typing")
    child.choose(words["lesson"])
    child.type_lesson()
    expect(child.main.get_by_text(words["opened"])).to_be_visible()
    expect(child.main.get_by_text(words["sent"])).to_be_visible()

    found = {one["tool"]: one for one in rounds_of(ada)}
    assert set(found) == {"spelling", "math", "typing"}
    assert (found["spelling"]["asked"], found["spelling"]["correct"], len(found["spelling"]["missed"])) == (10, 9, 1)
    assert (found["math"]["asked"], found["math"]["correct"], found["math"]["level"]) == (10, 9, 2), "the level went up"
    assert found["typing"]["asked"] == found["typing"]["correct"]
    child.page.goto("/home")
    child.main.get_by_role("link", name=words["progress"], exact=True).click()
    expect(child.main.get_by_role("heading", name=words["typing"])).to_be_visible()
    assert rounds_of(book.students["Mia Roy"]) == []


def test_words_are_spoken_by_a_voice_that_loads_late_and_are_not_shown(visit, book):
    book.owner.post(f"{API}/lists", {
        "name": "Forêt", "language": "fr", "courseId": book.course, "words": "forêt = La forêt est calme.\nchêne\nherbe"})
    child = Child(visit, book.students["Ada Berg"])
    child.page.add_init_script(LATE_VOICES)
    child.open("spelling")
    child.choose("Forêt")
    child.button("start").click()
    child.visitor.until("() => said.length === 1")
    [[word, language, _]] = child.page.evaluate("said")
    assert language == "fr-FR" and word in ("forêt", "chêne", "herbe")
    expect(child.main.locator(".pt-pr__flash")).to_be_empty()
    if word == "forêt":
        expect(child.main.get_by_text("La ___ est calme.")).to_be_visible()
    child.button("Slowly").click()
    child.visitor.until("() => said.length === 2 && said[1][2] < said[0][2]")
    # Only the accent: the message says so, and the letter is marked.
    plain = {"forêt": "foret", "chêne": "chene", "herbe": "hèrbe"}[word]
    child.type(plain)
    expect(child.main.get_by_role("heading", name=ENGLISH["accent"])).to_be_visible()
    expect(child.main.locator("ins")).to_have_text({"forêt": "ê", "chêne": "ê", "herbe": "e"}[word])
    child.type(word)
    child.is_right(word)
    # Pasted text is not taken, and the Enter of an input method sends nothing.
    taken = child.field.evaluate("""field => field.dispatchEvent(new InputEvent("beforeinput", { inputType: "insertFromPaste", data: "x", cancelable: true, bubbles: true }))""")
    assert not taken
    expect(child.main.get_by_text("Type it yourself")).to_be_visible()
    child.page.keyboard.type("her")
    child.field.evaluate("""field => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))""")
    expect(child.field).to_have_value("her")


def test_without_a_network_rounds_are_played_and_arrive_once(visit, book):
    ada = book.students["Ada Berg"]
    child = Child(visit, ada)
    child.visitor.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED|Failed to fetch|NetworkError")
    child.open("math")
    child.visitor.keeps_page()
    child.page.context.set_offline(True)
    child.page.reload()
    for _ in range(2):
        child.choose("Subtraction")
        child.calculate()
        expect(child.main.get_by_text(ENGLISH["waits"])).to_be_visible()
        child.button("back").click()
    # The next level is there although the server knows nothing of it.
    expect(child.main.locator(".pt-pr__tile").filter(has_text="Subtraction")).to_contain_text("Level 5 of 7")
    child.page.context.set_offline(False)
    child.visitor.until(f"async () => (await (await fetch('{API}/rounds')).json()).items.length === 2")
    child.page.reload()
    expect(child.main.locator(".pt-pr__tile").filter(has_text="Subtraction")).to_contain_text("Level 5 of 7")
    assert sorted(one["level"] for one in rounds_of(ada)) == [3, 5]


def test_a_dead_key_an_input_method_and_another_layout_are_understood(visit, book):
    child = Child(visit, book.students["Ada Berg"], FRENCH, DESKTOP)
    child.open("typing")
    # The key at the place of Q writes an a: the keyboard has another layout than the chosen one.
    child.page.evaluate("""document.dispatchEvent(new KeyboardEvent("keydown", { code: "KeyQ", key: "a", bubbles: true }))""")
    child.button("Choisir AZERTY").click()
    expect(child.main.get_by_role("button", name="AZERTY", exact=True)).to_have_attribute("aria-pressed", "true")
    # The lessons before the one with accents are done.
    for lesson in range(1, 8):
        book.students["Ada Berg"].post(f"{API}/rounds", {
            "round": f"0192b5a4-e0e1-7dc8-8cbd-00000000000{lesson}", "tool": "typing", "kind": "azerty", "level": lesson, "asked": 40,
            "correct": 39, "seconds": 60, "finishedAt": "2026-11-21T08:15:30Z"})
    child.open("typing")
    child.choose("Leçon 8")
    passage = child.main.locator(".pt-pr__typed")
    text = passage.get_attribute("aria-description")
    place = next(at for at, letter in enumerate(text) if letter in "êâîôû")
    child.page.keyboard.type(text[:place])
    caps = child.main.locator(".pt-pr__cap[data-next]")
    expect(caps).to_have_count(2)
    expect(caps.filter(has_text="^")).to_have_count(1)
    # An unfinished composition is no slip; its result is taken.
    devtools = child.page.context.new_cdp_session(child.page)
    devtools.send("Input.imeSetComposition", {"text": "^", "selectionStart": 1, "selectionEnd": 1})
    expect(child.main.locator("[data-state=now]")).to_have_count(1)
    devtools.send("Input.insertText", {"text": text[place]})
    expect(child.main.locator("[data-state=done]")).to_have_count(place + 1)
    child.page.keyboard.type("0")
    expect(child.main.locator("[data-state=wrong]")).to_have_count(1)
    child.page.keyboard.type(text[place + 1:])
    expect(child.main.locator(".pt-pr__end")).to_be_visible()


def test_a_teacher_makes_a_list_records_a_word_and_sees_how_it_goes(visit, book):
    teacher = visit(book.owner, f"/courses/{book.course}", permissions=["microphone"])
    teacher.expects("422")
    teacher.link("New word list").click()
    teacher.field("Name").fill("Rivers")
    teacher.page.locator("textarea[name=words]").fill("Nile = The Nile is long.\n🍎\nمصر")
    teacher.button("Save").click()
    main = teacher.page.locator("#main")
    expect(main.get_by_text("Line 2: “🍎” is not a word.")).to_be_visible()
    expect(teacher.page.locator("textarea[name=words]")).to_have_value("Nile = The Nile is long.\n🍎\nمصر")
    teacher.page.locator("textarea[name=words]").fill("Nile = The Nile is long.\nمصر")
    teacher.button("Save").click()
    expect(teacher.heading("Rivers")).to_be_visible()

    teacher.link("Record voice").click()
    expect(main.get_by_text("Word 1 of 2")).to_be_visible()
    main.locator("[data-voice-start]").click()
    expect(main.get_by_role("timer")).to_have_text(re.compile("0:0[1-9]"))
    main.locator("[data-voice-stop]").click()
    expect(main.locator("audio[src*='/tools/spelling/words/']")).to_have_count(1)

    child = Child(visit, book.students["Mia Roy"])
    child.open("spelling")
    child.choose("Rivers")
    recorded = child.main.get_by_text("The ___ is long.")
    with child.page.expect_response("**/tools/spelling/words/**") as heard:
        child.button("start").click()
        expect(child.field).to_be_focused()
        # The word with the recording is the first or the second one.
        if recorded.count() == 0:
            child.type("مصر")
            expect(recorded).to_be_visible()
    assert heard.value.status in (200, 206)
    child.type("Nil")
    expect(child.main.get_by_role("heading", name=ENGLISH["almost"])).to_be_visible()
    child.type("Nile")
    child.is_right("Nile")
    # The other word, if it did not come first, and the missed one again.
    while child.main.locator(".pt-pr__end").count() == 0:
        word = "Nile" if recorded.count() else "مصر"
        child.type(word)
        child.is_right(word)
    expect(child.main.get_by_text(ENGLISH["sent"])).to_be_visible()
    teacher.open(f"/courses/{book.course}")
    teacher.link("Rivers").click()
    expect(main.get_by_text("Mia Roy")).to_be_visible()
    expect(main.get_by_text("To practice together: Nile")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_each_view_of_a_tool_is_accessible_and_fits(visit, book, scheme, size):
    child = Child(visit, book.students["Ada Berg"], FRENCH, size, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    found = {}

    def look(name):
        if serious := findings(child.page):
            found[name] = serious
        wide = child.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            found[name + " is too wide"] = wide

    child.open("spelling")
    child.choose("Mots courts")
    child.button("start").click()
    expect(child.main.locator(".pt-pr__flash")).not_to_be_empty()
    look("a word")
    child.type("zzz")
    look("a compared word")
    child.open("math")
    look("kinds")
    child.choose("Fractions")
    look("a fraction")
    child.type("99")
    look("a way")
    child.open("math")
    child.choose("Priorités")
    look("an order")
    child.open("typing")
    look("lessons")
    child.choose("Leçon 1")
    look("a lesson")
    child.type_lesson(slips=1)
    look("the end")
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


def test_a_round_is_played_by_the_number_pad_alone(visit, book):
    child = Child(visit, book.students["Ada Berg"], touch=True)
    child.open("math")
    child.choose("Decimals")
    for _ in range(3):
        total = value_of_decimals(child.main.locator(".pt-pr__tokens").inner_text())
        for key in total:
            child.main.locator(".pt-pr__pad").get_by_role("button", name=key, exact=True).tap()
        child.button("Check").tap()
        child.is_right(total)


def value_of_decimals(shown):
    left, right = re.findall(r"\d+\.?\d*", shown)
    return f"{(round(float(left) * 10) + round(float(right) * 10)) / 10:g}"
