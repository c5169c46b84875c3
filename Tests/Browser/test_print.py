"""Printed documents of a class and of a child, verified with an independent PDF reader."""
import re
import subprocess

import pytest
import zxingcpp
from conftest import DESKTOP, PHONE
from PIL import Image
from playwright.sync_api import expect

ENGLISH = {
    "lang": "en-US", "print": "Print", "roster": "Class list", "badges": "Badges", "letter": "Letter",
    "report": "Print a report", "plain": "Without your notes", "term": "The last four months", "page": "Page 1 of 1",
}
FRENCH = {
    "lang": "fr-CA", "print": "Imprimer", "roster": "Liste de classe", "badges": "Badges", "letter": "Lettre",
    "report": "Imprimer un bilan", "plain": "Sans vos notes", "term": "Les quatre derniers mois",
    "page": "Page 1 sur 1",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])


@pytest.fixture
def school(server):
    return server.found_school(rooms={"Maple room": ["Noor Aziz", "李 小龙"], "Birch room": ["Tom Ruiz"]})


def take(guide, link, tmp_path):
    """Follows a link to a file and returns its printed text."""
    with guide.page.expect_download() as download:
        link.click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    return file.name, subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, text=True, check=True).stdout


@pytest.mark.requirement("BY-1.27.a")
@BOTH
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_class_is_printed_from_its_page(visit, school, words, size, tmp_path):
    guide = visit(school.owner, school.path("Maple room"), size=size, language=words["lang"])
    guide.page.get_by_role("link", name=words["print"], exact=True).click()
    expect(guide.heading(words["print"])).to_be_visible()
    name, text = take(guide, guide.page.get_by_role("link", name=words["roster"]), tmp_path)
    assert name.startswith(f"{words['roster']} Maple room ") and name.endswith(".pdf")
    assert words["roster"] in text and "Noor Aziz" in text and "小龙" in text and words["page"] in text
    assert "Tom" not in text, "a child of another class"
    guide.page.get_by_role("link", name=words["letter"], exact=True).click()
    expect(guide.page.get_by_role("link", name=words["letter"], exact=True)).to_have_attribute("aria-current", "true")
    _, text = take(guide, guide.page.get_by_role("link", name=words["badges"]), tmp_path)
    assert "Noor" in text and "Maple School" in text


@pytest.mark.requirement("BY-1.27.d")
def test_each_badge_has_a_code_that_leads_to_its_child(visit, named_server, tmp_path):
    school = named_server.found_school(rooms={"Maple room": ["Noor Aziz", "Lea Roy", "Dario Conti"]})
    guide = visit(school.owner, school.path("Maple room") + "/print")
    _, text = take(guide, guide.page.get_by_role("link", name="Badges"), tmp_path)
    [badges] = tmp_path.glob("*.pdf")
    subprocess.run(["pdftoppm", "-png", "-r", "150", badges, tmp_path / "badges"], check=True)
    [sheet] = tmp_path.glob("badges*.png")
    codes = {code.text for code in zxingcpp.read_barcodes(Image.open(sheet))}
    assert codes == {f"http://localhost:{named_server.port}/students/{student}" for student in school.children.values()}
    assert sorted(re.findall(r"Noor|Lea|Dario", text)) == ["Dario", "Lea", "Noor"], "one badge for each"


@pytest.mark.requirement("BY-1.27.b")
def test_marks_are_on_the_months_sheet(visit, school, tmp_path):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP)
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    guide.open(school.path("Maple room") + "/print")
    month = guide.page.locator("a[href*='/attendance/']").first
    name, text = take(guide, month, tmp_path)
    assert name.startswith("Attendance Maple room 20")
    row = next(line for line in text.splitlines() if "Noor Aziz" in line)
    # Days before the child joined the class show a dash.
    assert [cell for cell in row.split()[2:] if cell != "–"] == ["P", "1", "0"]


@pytest.mark.requirement("BY-1.27.c")
@BOTH
def test_a_report_is_printed_from_a_childs_page(visit, school, words, tmp_path):
    guide = visit(school.owner, school.path("Maple room"), language=words["lang"])
    guide.row("Noor Aziz").locator(".pt-list-cell__main").click()
    guide.sheet.get_by_role("link", name=words["report"]).click()
    section = guide.page.get_by_role("region", name=words["plain"]).or_(
        guide.page.locator("section", has_text=words["plain"])).last
    _, text = take(guide, section.get_by_role("link", name=words["term"]), tmp_path)
    assert "Noor Aziz" in text and words["page"] in text


def test_nobody_prints_a_class_that_she_does_not_see(visit, school):
    paths = [f"{school.path('Maple room')}/print/a4/{rest}" for rest in ["roster", "badges", "attendance/2026-11"]]
    paths.append(f"/students/{school.children['Noor Aziz']}/print/a4/report/30/notes")
    other = visit(school.colleague("Olga Other", rooms=["Birch room"])).page.request
    assert {other.get(path).status for path in paths} == {404}
    parent = visit(school.colleague("Pia Ruiz", role="parent")).page.request
    assert {parent.get(path).status for path in paths} <= {403, 404}
    owner = visit(school.owner).page.request
    assert {owner.get(path).status for path in paths} == {200}
    names = {owner.get(f"/students/{school.children['Noor Aziz']}/print/a4/report/{days}/{notes}").headers["content-disposition"]
             for days in [30, 120] for notes in ["notes", "plain"]}
    assert len(names) == 4, "four files have four names"
    for path in ["/print/a5/roster", "/print/a4/attendance/2026-13", "/print/a4/attendance/x"]:
        assert owner.get(school.path("Maple room") + path).status == 404, path
