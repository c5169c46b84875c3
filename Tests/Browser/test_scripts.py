"""Schools that write in Hindi, Thai, Arabic or Hebrew: days, courses, messages, files and searches."""
import csv
import io
import re
import subprocess
from dataclasses import dataclass

import pytest
from conftest import DESKTOP, OUTPUT, PHONE
from playwright.sync_api import expect

from test_grades import Book, cell
from test_messages import said, talk, write


@dataclass(frozen=True)
class Script:
    """Texts of one language; `typed` is the search without optional marks."""

    room: str
    child: str
    other: str
    colleague: str
    course: str
    observation: str
    #: A word of the observation, and a search that finds it.
    word: str
    typed: str
    #: A search that finds the child.
    typed_name: str
    message: str
    habit: str
    direction: str = "ltr"


SCRIPTS = {
    "hindi": Script(
        room="गुलाब कक्षा", child="अनन्या शर्मा", other="ज़ोया ख़ान", colleague="प्रिया गुप्ता", course="हिन्दी पढ़ना",
        observation="आज हिन्दी पढ़ना शुरू किया और तीन शब्द लिखे।", word="पढ़ना", typed="पढना", typed_name="शर्मा",
        message="कल बारिश होगी, जूते लाइए।", habit="हाथ धोना"),
    "thai": Script(
        room="ห้องกุหลาบ", child="สมชาย ใจดี", other="กิตติ์ธเนศ ศรีสุข", colleague="พิมพ์ชนก แก้วใส", course="คณิตศาสตร์",
        observation="วันนี้เขาอ่านหนังสือเองสามหน้า", word="หนังสือ", typed="หนังสือ", typed_name="ใจดี",
        message="พรุ่งนี้เราไปป่ากัน", habit="ล้างมือ"),
    "arabic": Script(
        room="صف الزهور", child="أحمد الحسيني", other="لَيلى الأحمد", colleague="فاطمة الزهراء", course="الرياضيات",
        observation="أظهر تركيزًا كبيرًا في البرج الوردي (3 مرات).", word="تركيزًا", typed="تركيزا", typed_name="احمد",
        message="نلتقي عند الباب في 8:30.", habit="غسل اليدين", direction="rtl"),
    "hebrew": Script(
        room="כיתת ורד", child="שָׁלוֹם כהן", other="נועה לוי", colleague="רחל אברהם", course="חשבון",
        observation="בנתה את המגדל הוורוד שלוש פעמים, וחייכה.", word="המגדל", typed="המגדל", typed_name="שלום",
        message="מחר יוצאים ליער ב-8:30.", habit="רחיצת ידיים", direction="rtl"),
}


@pytest.fixture(params=SCRIPTS, ids=list(SCRIPTS))
def script(request):
    return SCRIPTS[request.param]


@pytest.fixture
def school(server, script):
    return server.found_school(
        founder=script.colleague, name=script.room, rooms={script.room: [script.child, script.other]})


def direction(locator):
    """The text direction of an element."""
    return locator.evaluate("(one) => getComputedStyle(one).direction")


def picture(visitor, script, name):
    visitor.picture(OUTPUT / f"script-{name}-{script.typed_name}.png")


def test_a_day_in_the_classroom(visit, school, script):
    guide = visit(school.owner, school.path(script.room), size=PHONE)
    guide.tap(script.child)
    guide.is_marked(script.child, "present")
    guide.row(script.child).locator(".pt-list-cell__main").click()
    expect(guide.sheet.get_by_role("heading", name=script.child)).to_be_visible()
    guide.page.keyboard.type(script.observation)
    assert direction(guide.sheet.get_by_label("Note", exact=True)) == script.direction
    picture(guide, script, "sheet")
    guide.sheet.get_by_role("button", name="Save", exact=True).click()
    entry = guide.sheet.get_by_text(script.observation)
    expect(entry).to_be_visible()
    assert direction(entry) == script.direction
    guide.sheet.get_by_role("link", name="Manage").first.click()
    guide.sheet.get_by_label("Habit", exact=True).first.fill(script.habit)
    guide.sheet.get_by_role("button", name="Add habit").click()
    expect(guide.sheet.get_by_role("group").filter(has_text=script.habit).first).to_be_visible()
    assert school.marks(script.room) == {script.child: "present", script.other: None}

    for typed, found in [(script.typed_name, script.child), (script.child, script.child)]:
        guide.open("/search")
        guide.page.get_by_role("searchbox").fill(typed)
        expect(guide.row(found)).to_be_visible()
    guide.page.get_by_role("searchbox").fill(script.typed)
    expect(guide.page.locator("#main").get_by_text(script.word).first).to_be_visible()
    picture(guide, script, "search")


def test_people_write_to_each_other(visit, school, script):
    mona = school.colleague("Mona Weiss", rooms=[])
    path = talk(school, mona, script.message)
    other = visit(mona, path, size=DESKTOP)
    expect(said(other)).to_have_text([script.message])
    assert direction(said(other).first) == script.direction
    write(other, script.observation)
    expect(said(other)).to_have_text([script.message, script.observation])
    other.open("/messages")
    expect(other.page.locator("#main li").filter(has_text=script.colleague)).to_contain_text(
        f"You: \u2068{script.observation}\u2069" if script.direction == "rtl" else f"You: {script.observation}")
    picture(other, script, "messages")


def test_a_course_is_graded_and_downloaded(visit, school, script, tmp_path):
    book = Book(school, [script.child], [(script.habit, "assignments", 20)])
    teacher = visit(school.owner, book.path, size=DESKTOP)
    expect(teacher.page.locator("pt-gradebook")).to_contain_text(script.child)
    mark = cell(teacher, 0, 0)
    mark.click()
    teacher.page.keyboard.type("17")
    teacher.page.keyboard.press("Enter")
    expect(mark).to_contain_text("17")
    picture(teacher, script, "gradebook")
    teacher.open(book.path)
    expect(mark).to_contain_text("17")
    with teacher.page.expect_download() as download:
        teacher.page.get_by_role("link", name=re.compile("Export|CSV")).first.click()
    file = tmp_path / "marks.csv"
    download.value.save_as(file)
    rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8-sig"))))
    assert any(script.child in row for row in rows), rows
    assert script.habit in ",".join(rows[0])


def test_a_class_list_is_printed_with_its_letters(visit, school, script, tmp_path):
    guide = visit(school.owner, school.path(script.room), size=PHONE)
    guide.page.get_by_role("link", name="Print", exact=True).click()
    with guide.page.expect_download() as download:
        guide.page.get_by_role("link", name="Class list").click()
    assert script.room in download.value.suggested_filename
    file = tmp_path / "list.pdf"
    download.value.save_as(file)
    text = subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True, check=True).stdout
    # Marks may be separate from their letters in the text of a PDF, and right-to-left lines may be in visual order:
    # every letter of the name must be there, and no replacement box.
    letters = {letter for letter in script.child if letter.isalpha()}
    assert len(letters - set(text)) <= len(letters) // 3, (letters - set(text), text)
    assert "\ufffd" not in text


def test_a_list_of_people_is_imported(visit, school, script):
    file = f"First name,Last name,Role,Classroom\n{script.other.replace(' ', ',')},student,{script.habit}\n"
    guide = visit(school.owner, "/settings/import", size=PHONE)
    guide.page.locator("input[type=file]").set_input_files(
        {"name": f"{script.room}.csv", "mimeType": "text/csv", "buffer": file.encode()})
    guide.button("Check files").click()
    expect(guide.page.get_by_text(script.habit).first).to_be_visible()
    guide.button("Import", exact=True).click()
    expect(guide.toast("Import complete")).to_be_visible()
    guide.open("/classrooms")
    expect(guide.row(script.habit)).to_contain_text("1 student")
