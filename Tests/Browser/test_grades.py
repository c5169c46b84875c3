"""A teacher grades by keyboard, a student sees released scores, and parents and the home page show them too."""
import re

import pytest
import requests
from conftest import DESKTOP, PHONE
from pages import HeldPages
from playwright.sync_api import expect

from test_courses import course_of

ENGLISH = {
    "lang": "en-US", "undo": "Undo", "late": "Late", "missing": "Missing", "excused": "Excused", "not pasted": "Nothing was pasted",
    "line 2": "Line 2", "settings": "Grade Settings", "assignments": "Assignments (%)", "save": "Save", "grades": "Grades",
    "sum": "add up to 90", "home": "Home", "continue": "Continue", "tools": "Tools", "week": "This week",
    "to mark": "To mark", "all first": "Show all students before", "import": "Import CSV",
}
FRENCH = {
    "lang": "fr-CA", "undo": "Annuler", "late": "En retard", "missing": "Manquant", "excused": "Dispensé",
    "not pasted": "Rien n’a été collé", "line 2": "Ligne 2", "settings": "Réglages des notes", "assignments": "Devoirs (%)",
    "save": "Enregistrer", "grades": "Notes", "sum": "totalisent 90", "home": "Accueil", "continue": "Continuer",
    "tools": "Outils", "week": "Cette semaine", "to mark": "À corriger", "all first": "Affichez tous les élèves",
    "import": "Importer un CSV",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])


class Book:
    """A course with students and grade items."""

    def __init__(self, school, students, items=(("Essay", "assignments", 20), ("Quiz", "quizzes", 10))):
        self.school, self.owner = school, school.owner
        self.course = course_of(school, name="Algebra")
        self.students = {}
        for name in students:
            person = school.colleague(name, role="student")
            person.post(f"/api/v1/courses/{self.course}/enroll", {})
            self.students[name] = person
        members = {member["email"]: member["id"].lower() for member in self.owner.get("/api/v1/members")["items"]}
        self.ids = {name: members[person.email] for name, person in self.students.items()}
        self.items = {
            title: self.owner.post(
                f"{self.api}/items", {"title": title, "category": category, "maximum": str(maximum)})["id"].lower()
            for title, category, maximum in items
        }

    @property
    def api(self):
        return f"/api/v1/courses/{self.course}/gradebook"

    @property
    def path(self):
        return f"/courses/{self.course}/gradebook"

    def mark(self, student, item, text, version=0, by=None):
        return (by or self.owner).post(
            f"{self.api}/items/{self.items[item]}/marks/{self.ids[student]}", {"text": text, "version": version})

    def release(self, item):
        self.owner.post(f"{self.api}/items/{self.items[item]}/release", {"isReleased": True})


def cell(visitor, row, column):
    """A cell of the sheet, counted from 0."""
    return visitor.page.locator("pt-gradebook tbody tr").nth(row).locator("td.num").nth(column)


def focus(visitor, row, column):
    """Focuses a cell, even while the sheet is drawn again."""
    target = cell(visitor, row, column)
    for _ in range(40):
        target.focus()
        if target.evaluate("cell => cell === document.activeElement"):
            return
        visitor.page.wait_for_timeout(50)
    expect(target).to_be_focused()


def clash(visitor):
    """The dialog that asks which of two scores counts."""
    return visitor.page.locator(".pt-gb__clash")


def paste(visitor, text):
    """Pastes into the focused cell; the sheet must accept it."""
    is_taken = visitor.page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            return !document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""", text)
    assert is_taken, "nothing took the paste; the focus is on " + visitor.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


@pytest.mark.requirement("WW-0.10.b")
@BOTH
def test_a_gradebook_is_filled_in_by_keyboard(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter", "Cleo Dubois"])
    teacher = visit(book.owner, book.path, size=size, language=words["lang"])
    page, keys = teacher.page, teacher.page.keyboard
    expect(cell(teacher, 0, 0)).to_be_visible()
    # The sheet is one stop of the Tab key.
    for _ in range(40):
        keys.press("Tab")
        if page.evaluate("document.activeElement?.matches('pt-gradebook td')"):
            break
    expect(cell(teacher, 0, 0)).to_be_focused()
    keys.type("18")
    keys.press("Enter")
    expect(cell(teacher, 1, 0)).to_be_focused()
    keys.type("15,5")
    keys.press("Tab")
    expect(cell(teacher, 1, 1)).to_be_focused()
    keys.type("m")
    keys.press("Enter")
    expect(cell(teacher, 1, 1)).to_contain_text(words["missing"])
    point = "," if words is FRENCH else "."
    expect(cell(teacher, 1, 0)).to_contain_text(f"15{point}5")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    expect(cell(teacher, 0, 1)).to_be_focused()
    keys.type("8")
    keys.press("Escape")
    expect(cell(teacher, 0, 1)).to_be_focused()
    expect(cell(teacher, 0, 1)).to_contain_text("–")
    keys.press("ArrowLeft")
    keys.press("Delete")
    expect(cell(teacher, 0, 0)).to_contain_text("–")
    keys.press("Control+z")
    expect(cell(teacher, 0, 0)).to_contain_text("18")
    # Headers and names are part of the sheet.
    keys.press("ArrowUp")
    expect(page.locator("pt-gradebook thead a").first).to_be_focused()
    keys.press("ArrowDown")
    keys.press("ArrowLeft")
    expect(page.locator("pt-gradebook tbody a").first).to_be_focused()
    teacher.open(book.path)
    expect(cell(teacher, 0, 0)).to_contain_text("18")
    expect(cell(teacher, 1, 0)).to_contain_text(f"15{point}5")
    expect(cell(teacher, 1, 1)).to_contain_text(words["missing"])
    expect(page.locator("pt-gradebook tbody tr").first).to_contain_text("90")


@BOTH
def test_a_column_is_pasted_whole_or_not_at_all_and_can_be_undone(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter", "Cleo Dubois"])
    book.mark("Ben Carter", "Essay", "3")
    teacher = visit(book.owner, book.path, size=size, language=words["lang"])
    teacher.expects("422")
    focus(teacher, 0, 0)
    paste(teacher, "17\nlots\n21\n")
    alert = teacher.page.get_by_role("alert")
    expect(alert).to_contain_text(words["not pasted"])
    expect(alert).to_contain_text(words["line 2"])
    expect(alert.get_by_role("listitem")).to_have_count(2)
    expect(cell(teacher, 0, 0)).to_contain_text("–")
    paste(teacher, "17\n18 l\nex\n")
    expect(cell(teacher, 0, 0)).to_contain_text("17")
    expect(cell(teacher, 1, 0)).to_contain_text(words["late"])
    expect(cell(teacher, 2, 0)).to_contain_text(words["excused"])
    expect(teacher.page.get_by_role("alert").filter(has_text=words["not pasted"])).to_have_count(0)
    teacher.button(words["undo"]).click()
    expect(cell(teacher, 0, 0)).to_contain_text("–")
    expect(cell(teacher, 1, 0)).to_contain_text("3")
    expect(cell(teacher, 2, 0)).to_contain_text("–")


@BOTH
def test_only_students_without_a_score_are_shown_on_request(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter", "Cleo Dubois", "Dov Eden"])
    book.mark("Ada Berg", "Essay", "18")
    book.mark("Cleo Dubois", "Essay", "m")
    teacher = visit(book.owner, book.path, size=size, language=words["lang"])
    page, keys = teacher.page, teacher.page.keyboard
    shown = page.locator("pt-gradebook tbody tr:visible")
    expect(shown).to_have_count(4)
    page.get_by_role("button", name=f"{words['to mark']} 2").click()
    expect(shown).to_have_count(2)
    expect(shown.nth(1)).to_contain_text("Dov Eden")
    # Skips hidden students; a student does not disappear while being graded.
    focus(teacher, 1, 0)
    keys.type("12")
    keys.press("Enter")
    expect(cell(teacher, 3, 0)).to_be_focused()
    expect(page.get_by_role("button", name=f"{words['to mark']} 1")).to_have_attribute("aria-pressed", "true")
    expect(shown).to_have_count(2)
    paste(teacher, "1\n2\n")
    expect(teacher.toast(words["all first"])).to_be_visible()
    expect(cell(teacher, 3, 0)).to_contain_text("–")
    keys.press("ArrowUp")
    expect(cell(teacher, 1, 0)).to_be_focused()
    page.get_by_role("button", name=re.compile(words["missing"] + r"s? 1")).click()
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("Cleo Dubois")
    # The undone scores are shown.
    teacher.button(words["undo"]).click()
    expect(shown).to_have_count(4)
    expect(cell(teacher, 1, 0)).to_be_focused()
    expect(cell(teacher, 1, 0)).to_contain_text("–")


def test_an_invalid_score_stays_in_its_cell_with_the_reason(visit, server):
    book = Book(server.found_school(), ["Ada Berg"])
    teacher = visit(book.owner, book.path, size=DESKTOP)
    teacher.expects("422")
    focus(teacher, 0, 0)
    teacher.page.keyboard.type("25")
    teacher.page.keyboard.press("Enter")
    expect(cell(teacher, 0, 0)).to_have_attribute("aria-invalid", "true")
    expect(cell(teacher, 0, 0)).to_contain_text("25")
    expect(teacher.toast("Ada Berg, Essay:")).to_be_visible()
    focus(teacher, 0, 0)
    teacher.page.keyboard.press("Enter")
    expect(teacher.page.locator("pt-gradebook input")).to_have_value("25")
    teacher.page.keyboard.press("Control+a")
    teacher.page.keyboard.type("15")
    teacher.page.keyboard.press("Enter")
    expect(cell(teacher, 0, 0)).not_to_have_attribute("aria-invalid", "true")
    expect(cell(teacher, 0, 0)).to_contain_text("15")


def test_a_stored_score_is_announced_with_the_title_as_it_was_written(visit, server):
    title = "Prices in $$ and {total}"
    book = Book(server.found_school(), ["Ada Berg"], items=[(title, "assignments", 20)])
    teacher = visit(book.owner, book.path, size=DESKTOP)
    focus(teacher, 0, 0)
    teacher.page.keyboard.type("18")
    teacher.page.keyboard.press("Enter")
    expect(teacher.page.locator("pt-gradebook [role=status]")).to_contain_text(f"Saved: Ada Berg, {title}. Total: 90")


def test_of_two_teachers_in_one_cell_the_later_is_told_of_the_other(visit, server):
    book = Book(server.found_school(), ["Ada Berg"])
    colleague = book.school.colleague("Benoît Côté", role="admin")
    first = visit(book.owner, size=DESKTOP)
    first.expects("409|ERR_FAILED")
    # Its event stream is cut, so that it misses the other's score.
    first.page.route("**/api/v1/live*", lambda route: route.abort())
    first.open(book.path)
    expect(cell(first, 0, 0)).to_be_visible()
    focus(first, 0, 0)
    first.page.keyboard.type("12")
    book.mark("Ada Berg", "Essay", "19", by=colleague)
    first.page.keyboard.press("Enter")
    expect(first.toast("19")).to_be_visible()
    expect(clash(first)).to_contain_text("Benoît Côté")
    expect(cell(first, 0, 0)).to_have_attribute("aria-invalid", "true")
    expect(cell(first, 0, 0)).to_contain_text("12")
    focus(first, 0, 0)
    first.page.keyboard.press("Escape")
    expect(cell(first, 0, 0)).to_contain_text("19")
    expect(clash(first)).to_have_count(0)


def test_a_cell_that_is_opened_and_left_sends_nothing(visit, server):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    book.mark("Ada Berg", "Essay", "0.14")
    teacher = visit(book.owner, book.path, size=DESKTOP)
    sent = []
    teacher.page.on("request", lambda request: "/marks" in request.url and sent.append(request.post_data))
    for leave in ("Enter", "Tab", "Escape", "ArrowDown"):
        focus(teacher, 0, 0)
        teacher.page.keyboard.press("F2")
        expect(cell(teacher, 0, 0).locator("input")).to_have_value("0.14")
        teacher.page.keyboard.press(leave)
        expect(cell(teacher, 0, 0).locator("input")).to_have_count(0)
        expect(cell(teacher, 0, 0)).to_contain_text("0.14")
    # Scores are sent in order, the first one next.
    focus(teacher, 1, 0)
    with teacher.page.expect_response(lambda answer: "/marks" in answer.url and answer.ok):
        teacher.page.keyboard.type("12")
        teacher.page.keyboard.press("Enter")
    assert len(sent) == 1 and "12" in sent[0], sent


def test_tab_goes_through_the_cells_and_escape_leaves_the_sheet(visit, server):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    teacher = visit(book.owner, book.path, size=DESKTOP)
    page, keys = teacher.page, teacher.page.keyboard
    focus(teacher, 0, 0)
    keys.press("Tab")
    expect(cell(teacher, 0, 1)).to_be_focused()
    keys.type("7")
    keys.press("Tab")
    expect(cell(teacher, 1, 0)).to_be_focused()
    keys.type("12")
    keys.press("Shift+Tab")
    expect(cell(teacher, 0, 1)).to_be_focused()
    keys.press("Shift+Tab")
    expect(cell(teacher, 0, 0)).to_be_focused()
    expect(cell(teacher, 0, 1)).to_contain_text("7")
    expect(cell(teacher, 1, 0)).to_contain_text("12")
    # The table's description says how to leave it.
    described = page.locator("pt-gradebook [role=grid]").get_attribute("aria-describedby")
    expect(page.locator(f"#{described}")).to_contain_text("Escape")
    keys.press("Escape")
    expect(page.locator("summary:focus", has_text="Grade items")).to_have_count(1)
    # The last cell is left with Tab as well.
    focus(teacher, 1, 1)
    keys.press("Tab")
    assert not page.evaluate("document.activeElement.matches('pt-gradebook *')")


def test_undo_changes_the_same_student_after_another_has_joined(visit, server):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    teacher = visit(book.owner, book.path, size=DESKTOP)
    focus(teacher, 0, 0)
    teacher.page.keyboard.type("12")
    teacher.page.keyboard.press("Enter")
    expect(cell(teacher, 0, 0)).to_contain_text("12")
    # A score being typed stays with its student too.
    teacher.page.keyboard.type("1")
    newcomer = book.school.colleague("Aaron Able", role="student")
    newcomer.post(f"/api/v1/courses/{book.course}/enroll", {})
    expect(teacher.page.locator("pt-gradebook tbody tr").first).to_contain_text("Aaron Able")
    expect(cell(teacher, 2, 0).locator("input")).to_be_focused()
    teacher.page.keyboard.type("5")
    teacher.page.keyboard.press("Enter")
    expect(cell(teacher, 2, 0)).to_contain_text("15")
    for _ in range(2):
        teacher.button("Undo").click()
    expect(cell(teacher, 1, 0)).to_contain_text("–")
    expect(cell(teacher, 2, 0)).to_contain_text("–")
    teacher.open(book.path)
    for row in range(3):
        expect(cell(teacher, row, 0)).to_contain_text("–")


def test_a_cell_keeps_the_version_with_which_typing_began(visit, server):
    book = Book(server.found_school(), ["Ada Berg"])
    colleague = book.school.colleague("Benoît Côté", role="admin")
    teacher = visit(book.owner, book.path, size=DESKTOP)
    teacher.expects("409")
    focus(teacher, 0, 0)
    teacher.page.keyboard.type("12")
    book.mark("Ada Berg", "Essay", "19", by=colleague)
    # The open page has received the other score while this one is typed.
    expect(teacher.page.locator("pt-gradebook tbody tr").first).to_contain_text("95")
    teacher.page.keyboard.press("Enter")
    expect(clash(teacher)).to_contain_text("Ada Berg, Essay")
    expect(clash(teacher)).to_contain_text("Benoît Côté")
    clash(teacher).get_by_role("radio", name="12").check()
    with teacher.page.expect_response(lambda answer: "/marks/" in answer.url and answer.ok):
        clash(teacher).get_by_role("button", name="Apply").click()
    expect(clash(teacher)).to_have_count(0)
    teacher.open(book.path)
    expect(cell(teacher, 0, 0)).to_contain_text("12")


def test_a_page_that_was_read_before_a_score_was_stored_does_not_bring_the_former_one_back(visit, server):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    teacher = visit(book.owner, book.path, size=DESKTOP)
    focus(teacher, 0, 0)
    pages = HeldPages(teacher, book.path)
    book.mark("Ben Carter", "Essay", "5")
    pages.wait()
    with teacher.page.expect_response(lambda answer: "/marks/" in answer.url):
        teacher.page.keyboard.type("18")
        teacher.page.keyboard.press("Enter")
    pages.release()
    pages.wait()
    assert "18" in cell(teacher, 0, 0).text_content()
    # The version is the new one too, so that undoing is not taken for overwriting another person's score.
    teacher.page.keyboard.press("Control+z")
    pages.release(is_last=True)
    expect(cell(teacher, 1, 0)).to_contain_text("5")
    expect(cell(teacher, 0, 0)).to_contain_text("–")
    expect(clash(teacher)).to_have_count(0)


def test_a_score_that_is_changed_while_its_answer_still_arrives_is_not_refused(visit, server):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    teacher = visit(book.owner, book.path, size=DESKTOP)
    focus(teacher, 0, 0)
    teacher.page.evaluate(
        """() => {
            const json = Response.prototype.json;
            Response.prototype.json = async function () {
                const all = await json.call(this);
                await new Promise((done) => setTimeout(done, 500));
                return all;
            };
        }""")
    with teacher.page.expect_response(lambda answer: "/marks/" in answer.url):
        teacher.page.keyboard.type("18")
        teacher.page.keyboard.press("Enter")
    with teacher.page.expect_response(lambda answer: "/marks/" in answer.url) as second:
        teacher.page.keyboard.press("ArrowUp")
        teacher.page.keyboard.press("Delete")
    assert second.value.status == 200
    expect(cell(teacher, 0, 0)).to_contain_text("–")


def test_a_pasted_column_is_undone_at_once_without_a_question(visit, server):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter", "Cleo Dubois"])
    teacher = visit(book.owner, book.path, size=DESKTOP)
    focus(teacher, 0, 0)
    pages = HeldPages(teacher, book.path)
    # The server stores these as "ex", "m" and "17.5".
    paste(teacher, "excused\nmissing\n17.50\n")
    expect(cell(teacher, 2, 0)).to_contain_text("17.5")
    teacher.button("Undo").click()
    pages.wait()
    pages.release(is_last=True)
    for row in range(3):
        expect(cell(teacher, row, 0)).to_contain_text("–")
    expect(clash(teacher)).to_have_count(0)


@BOTH
def test_a_paste_over_scores_that_changed_meanwhile_asks_which_ones_count(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    colleague = book.school.colleague("Benoît Côté", role="admin")
    teacher = visit(book.owner, book.path, size=size, language=words["lang"])
    teacher.expects("409")
    expect(cell(teacher, 0, 0)).to_be_visible()

    def overtaken(route):
        """The other scores arrive while this paste is being sent."""
        book.mark("Ada Berg", "Essay", "19", by=colleague)
        book.mark("Ben Carter", "Essay", "18", by=colleague)
        route.continue_()

    teacher.page.route("**/paste", overtaken, times=1)
    focus(teacher, 0, 0)
    with teacher.page.expect_response(lambda answer: answer.url.endswith("/paste")) as answer:
        paste(teacher, "11\n12\n")
    assert answer.value.status == 409
    expect(clash(teacher).get_by_role("group")).to_have_count(2)
    expect(clash(teacher).get_by_role("group").first).to_contain_text("19")
    expect(clash(teacher).get_by_role("group").first).to_contain_text("Benoît Côté")
    clash(teacher).get_by_role("group").nth(1).get_by_role("radio", name="12").check()
    clash(teacher).get_by_role("button").click()
    expect(cell(teacher, 0, 0)).to_contain_text("19")
    expect(cell(teacher, 1, 0)).to_contain_text("12")
    # Undo reverts the choice, not the other's scores.
    teacher.button(words["undo"]).click()
    expect(cell(teacher, 1, 0)).to_contain_text("18")
    expect(cell(teacher, 0, 0)).to_contain_text("19")


def test_a_column_that_is_pasted_offline_arrives_later(visit, server):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    colleague = book.school.colleague("Benoît Côté", role="admin")
    teacher = visit(book.owner, book.path, size=DESKTOP, worker=True)
    expect(cell(teacher, 0, 0)).to_be_visible()
    teacher.keeps_page()
    teacher.expects("ERR_INTERNET_DISCONNECTED|Failed to load|409")
    teacher.page.context.set_offline(True)
    focus(teacher, 0, 0)
    paste(teacher, "16\n17\n")
    for row, mark in enumerate(["16", "17"]):
        expect(cell(teacher, row, 0)).to_have_attribute("data-waits", "")
        expect(cell(teacher, row, 0)).to_contain_text(mark)
    teacher.page.context.set_offline(False)
    for row in range(2):
        expect(cell(teacher, row, 0)).not_to_have_attribute("data-waits", "", timeout=20_000)
    teacher.open(book.path)
    expect(cell(teacher, 0, 0)).to_contain_text("16")
    expect(cell(teacher, 1, 0)).to_contain_text("17")
    # The conflict is asked about, and the pasted scores are still there.
    teacher.keeps_page()
    teacher.page.context.set_offline(True)
    focus(teacher, 0, 1)
    paste(teacher, "6\n7\n")
    expect(cell(teacher, 1, 1)).to_have_attribute("data-waits", "")
    book.mark("Ben Carter", "Quiz", "9", by=colleague)
    teacher.page.context.set_offline(False)
    expect(clash(teacher)).to_contain_text("Ben Carter, Quiz", timeout=20_000)
    clash(teacher).get_by_role("radio", name="7").check()
    clash(teacher).get_by_role("button", name="Apply").click()
    expect(cell(teacher, 0, 1)).to_contain_text("6")
    expect(cell(teacher, 1, 1)).to_contain_text("7")
    teacher.open(book.path)
    expect(cell(teacher, 1, 1)).to_contain_text("7")


@BOTH
def test_a_file_of_scores_is_shown_before_it_is_imported(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg", "Ben Carter"])
    colleague = book.school.colleague("Benoît Côté", role="admin")
    book.mark("Ada Berg", "Essay", "10")
    book.mark("Ben Carter", "Essay", "11")
    exported = requests.get(
        f"{server.url}/courses/{book.course}/marks.csv", headers={"Authorization": f"Bearer {book.owner.token}"}, timeout=10).text
    book.mark("Ben Carter", "Essay", "12", version=1, by=colleague)
    changed = exported.replace("Ada Berg,10,", "Ada Berg,15,").replace("Ben Carter,11,", "Ben Carter,16,")
    teacher = visit(book.owner, book.path, size=size, language=words["lang"])
    teacher.link(words["import"]).click()
    teacher.page.locator("#main input[type=file]").set_input_files(
        {"name": "marks.csv", "mimeType": "text/csv", "buffer": changed.encode()})
    teacher.page.locator("#main form[data-command] [type=submit]").click()
    expect(teacher.page).to_have_url(re.compile("/marks-import/"))
    main = teacher.page.locator("#main")
    expect(main.locator("tbody tr")).to_have_count(1)
    expect(main.locator("tbody tr")).to_contain_text("Ada Berg")
    expect(main.get_by_role("checkbox")).to_have_count(1)
    expect(main.locator(".pt-option")).to_contain_text("Benoît Côté")
    main.locator("form[data-command] [type=submit]").click()
    expect(cell(teacher, 0, 0)).to_contain_text("15")
    expect(cell(teacher, 1, 0)).to_contain_text("12")


def test_a_score_that_is_typed_offline_arrives_later(visit, server):
    book = Book(server.found_school(), ["Ada Berg"])
    teacher = visit(book.owner, book.path, size=DESKTOP, worker=True)
    expect(cell(teacher, 0, 0)).to_be_visible()
    teacher.keeps_page()
    teacher.expects("ERR_INTERNET_DISCONNECTED|Failed to load")
    teacher.page.context.set_offline(True)
    focus(teacher, 0, 0)
    teacher.page.keyboard.type("16")
    teacher.page.keyboard.press("Enter")
    expect(cell(teacher, 0, 0)).to_have_attribute("data-waits", "")
    expect(cell(teacher, 0, 0)).to_contain_text("16")
    teacher.page.context.set_offline(False)
    expect(cell(teacher, 0, 0)).not_to_have_attribute("data-waits", "", timeout=20_000)
    teacher.open(book.path)
    expect(cell(teacher, 0, 0)).to_contain_text("16")


@pytest.mark.requirement("WW-6.05.b")
@BOTH
def test_weights_are_set_in_a_sheet_and_must_add_up(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg"])
    book.mark("Ada Berg", "Essay", "20")
    book.mark("Ada Berg", "Quiz", "5")
    teacher = visit(book.owner, book.path, size=size, language=words["lang"])
    teacher.expects("422")
    expect(teacher.page.locator("pt-gradebook tbody tr").first).to_contain_text("79")
    teacher.link(words["settings"]).first.click()
    teacher.sheet.get_by_label(words["assignments"]).fill("30")
    teacher.sheet.get_by_role("button", name=words["save"]).click()
    expect(teacher.page.get_by_text(re.compile("90")).first).to_be_visible()
    teacher.sheet.get_by_label(words["assignments"]).fill("40")
    teacher.sheet.get_by_role("button", name=words["save"]).click()
    expect(teacher.sheet).to_have_count(0)


@pytest.mark.requirement("WW-0.10.d", "WW-6.07.a", "WW-12.03.a", "WW-1.11.a", "WW-0.11.a")
@BOTH
def test_a_student_begins_at_home_and_sees_what_was_released(visit, server, words, size):
    book = Book(server.found_school(), ["Ada Berg"])
    book.mark("Ada Berg", "Essay", "18")
    book.mark("Ada Berg", "Quiz", "2")
    book.release("Essay")
    student = visit(book.students["Ada Berg"], "/", size=size, language=words["lang"])
    student.is_at("/home")
    main = student.page.locator("#main")
    card = main.locator(".pt-track__card")
    expect(card).to_contain_text("Algebra")
    expect(card).to_contain_text("A-")
    expect(main).to_contain_text("3,70" if words is FRENCH else "3.70")
    expect(student.page.get_by_role("heading", name=words["week"])).to_be_visible()
    expect(student.page.get_by_role("heading", name=words["tools"])).to_be_visible()
    student.page.get_by_role("link", name=words["continue"]).click()
    expect(student.heading("Fractions")).to_be_visible()
    student.open(f"/courses/{book.course}/grades")
    expect(main).to_contain_text("90")
    expect(main).to_contain_text("Essay")
    expect(main).not_to_contain_text("Quiz")
    # A release appears on the open page.
    book.release("Quiz")
    expect(main).to_contain_text("Quiz")
    expect(main).to_contain_text("60")
    student.tab(words["grades"]).click()
    expect(student.row("Algebra")).to_be_visible()


@pytest.mark.requirement("WW-0.11.b", "WW-0.11.c", "WW-0.11.d")
@pytest.mark.parametrize("role", ["guide", "admin", "parent"])
def test_every_role_has_a_home_page(visit, server, role):
    school = server.found_school()
    person = school.colleague("Sam Home", role=role)
    if role != "parent":
        person.post("/api/v1/courses", {"name": "Botany", "subject": "Science"})
    home = visit(person, "/home", size=PHONE)
    expect(home.page.get_by_role("heading", name="Tools")).to_be_visible()
    expect(home.page.get_by_text(re.compile("Good .*, Sam"))).to_be_visible()
    expect(home.page.get_by_role("heading", name="Your courses")).to_have_count(0 if role == "parent" else 1)
    expect(home.page.get_by_role("heading", name="Members")).to_have_count(1 if role == "admin" else 0)


@pytest.mark.requirement("WW-11.04.a", "WW-11.04.b")
@BOTH
def test_students_and_parents_export_the_transcript_from_the_report_card(visit, server, words, size):
    export = {"en-US": "Export PDF", "fr-CA": "Exporter en PDF"}[words["lang"]]
    download = {"en-US": "Download PDF", "fr-CA": "Télécharger le PDF"}[words["lang"]]
    for email, name in [("sami@demo.example", "Sami"), ("luz@demo.example", "Luz")]:
        reader = visit(server.sign_in(email, name), "/grades/report", size=size, language=words["lang"])
        reader.page.get_by_role("button", name=export).click()
        link = reader.page.get_by_role("link", name=download)
        with reader.page.expect_download() as file:
            link.click()
        assert file.value.suggested_filename.endswith(".pdf")
        with open(file.value.path(), "rb") as paper:
            assert paper.read(5) == b"%PDF-"
        # Anyone can verify the code.
        code = reader.page.url.split("/")[-1]
        stranger = visit(None, f"/verify/{code}", size=size, language=words["lang"])
        expect(stranger.page.get_by_text("Maple School")).to_be_visible()
        expect(stranger.page.get_by_text(re.compile("Sami|Rosa"))).to_have_count(0)
