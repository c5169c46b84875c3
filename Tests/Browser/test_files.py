"""Large files go on after a cut, a PDF shows its pages, and a teacher downloads all submissions."""
import io
import re
import zipfile

import pytest
from conftest import DESKTOP, PHONE
from PIL import Image
from playwright.sync_api import expect
from residence import person_id
from test_assignments import NO_NETWORK, assignment_of, pupil_of
from test_courses import course_of
from words import Words

BOTH = pytest.mark.parametrize(
    "words,size", [(Words("en-US"), PHONE), (Words("fr-CA"), DESKTOP)], ids=["en-phone", "fr-desktop"])
PART = 4 << 20
FILM = bytes(range(256)) * ((9 << 20) // 256)


def pdf(pages: int) -> bytes:
    """A document with a line on each page."""
    content = b"20 w 60 60 m 500 780 l S"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 595 842] >>"
        % (b" ".join(b"%d 0 R" % (number + 4) for number in range(pages)), pages),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        *[b"<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>"] * pages,
    ]
    made, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def parts_of(pupil, cut=None):
    """The offsets of the parts that the page sends; the part with the number `cut` is cut."""
    offsets = []

    def pass_on(route):
        offsets.append(int(route.request.headers["upload-offset"]))
        if len(offsets) == cut:
            route.abort("connectionreset")
        else:
            route.continue_()

    pupil.page.route(
        re.compile(r"/uploads/[0-9a-f-]+$"),
        lambda route: pass_on(route) if route.request.method == "PATCH" else route.continue_())
    return offsets


def film_in(school, one, student):
    made = school.owner.get(f"/api/v1/assignments/{one}/submissions")["items"]
    assert [[(file["name"], file["size"]) for file in each["files"]] for each in made] == [[("film.mov", len(FILM))]]


@BOTH
def test_a_large_upload_continues_after_an_interruption(visit, server, tmp_path, words, size):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    film = tmp_path / "film.mov"
    film.write_bytes(FILM)
    pupil = visit(student, f"/assignments/{one}", size=size, language=words.locale)
    pupil.expects("ERR_CONNECTION_RESET")
    offsets = parts_of(pupil, cut=2)
    pupil.page.get_by_label(words("coursework.addFiles")).set_input_files(film)
    pupil.button(words("coursework.handIn"), exact=True).click()
    expect(pupil.page.get_by_role("progressbar", name="film.mov")).to_be_visible()
    expect(pupil.page.get_by_text(words("coursework.receipt"))).to_be_visible()
    assert offsets == [0, PART, PART, 2 * PART]
    film_in(school, one, student)


def test_a_large_file_waits_on_the_device_and_is_sent_later(visit, server, tmp_path):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    film = tmp_path / "film.mov"
    film.write_bytes(FILM)
    pupil = visit(student, f"/assignments/{one}")
    pupil.expects(NO_NETWORK)
    pupil.keeps_page()
    pupil.page.context.set_offline(True)
    pupil.page.get_by_label("Add files").set_input_files(film)
    pupil.button("Hand in", exact=True).click()
    expect(pupil.page.locator(".pt-waiting > li")).to_have_count(1)
    pupil.page.context.set_offline(False)
    expect(pupil.page.get_by_text("Receipt")).to_be_visible()
    film_in(school, one, student)


@pytest.mark.requirement("WW-3.06")
@BOTH
def test_a_document_shows_its_pages_to_student_and_teacher(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    pupil = visit(student, f"/assignments/{one}", size=size, language=words.locale)
    pupil.page.get_by_label(words("coursework.addFiles")).set_input_files(
        [{"name": "Été #1.pdf", "mimeType": "application/pdf", "buffer": pdf(3)},
         {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 and no more"}])
    pupil.button(words("coursework.handIn"), exact=True).click()
    expect(pupil.page.get_by_text(words("coursework.receipt"))).to_be_visible()
    teacher = visit(school.owner, f"/assignments/{one}", size=size, language=words.locale)
    teacher.page.get_by_role("link", name="Mia Roy").click()
    pupil.open("/my-files")
    pupil.page.get_by_role("link", name="Été #1.pdf").click()
    for who in (pupil, teacher):
        page = who.page.get_by_role("img", name=words("coursework.page", 1, 3, "Été #1.pdf"))
        page.scroll_into_view_if_needed()
        who.until("() => [...document.images].some((one) => one.src.endsWith('/pages/1') && one.naturalWidth > 1200)")
        expect(who.page.get_by_role("img", name=words("coursework.page", 3, 3, "Été #1.pdf"))).to_have_count(1)
    expect(teacher.page.get_by_text(words("coursework.document.unreadable"))).to_be_visible()


@pytest.mark.requirement("WW-3.05")
def test_all_submissions_are_downloaded_as_one_file(visit, server):
    school = server.found_school()
    course = course_of(school)
    one = assignment_of(school, course)
    for name in ("Mia Roy", "Noah Élie"):
        student = pupil_of(school, course, name)
        pupil = visit(student, f"/assignments/{one}")
        pupil.page.get_by_label("Add files").set_input_files(
            [{"name": "essay.pdf", "mimeType": "application/pdf", "buffer": pdf(1)},
             {"name": "carte été.txt", "mimeType": "text/plain", "buffer": name.encode()}])
        pupil.button("Hand in", exact=True).click()
        expect(pupil.page.get_by_text("Receipt")).to_be_visible()
    teacher = visit(school.owner, f"/assignments/{one}", size=DESKTOP)
    with teacher.page.expect_download() as loading:
        teacher.page.get_by_role("link", name="Download all").click()
    assert loading.value.suggested_filename == "Silk road.zip"
    with zipfile.ZipFile(io.BytesIO(loading.value.path().read_bytes())) as archive:
        assert sorted(archive.namelist()) == [
            "Mia Roy/carte été.txt", "Mia Roy/essay.pdf", "Noah Élie/carte été.txt", "Noah Élie/essay.pdf"]
        assert archive.read("Noah Élie/carte été.txt").decode() == "Noah Élie"
        assert archive.testzip() is None


@pytest.mark.requirement("WW-3.04.d")
@BOTH
def test_a_picture_that_was_handed_in_opens_in_full_size(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    assignment = assignment_of(school, course)
    mia = pupil_of(school, course)
    pupil = visit(mia, f"/assignments/{assignment}", size=size, language=words.locale)
    out = io.BytesIO()
    Image.new("RGB", (1200, 800), "teal").save(out, "JPEG")
    pupil.page.locator("#main input[name=files]").set_input_files(
        {"name": "map.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()})
    pupil.button(words("coursework.handIn"), exact=True).click()
    expect(pupil.page.get_by_text("map.jpg").first).to_be_visible()
    teacher = visit(school.owner, f"/assignments/{assignment}/marking/{person_id(mia)}", size=size, language=words.locale)
    teacher.page.locator("#main a[data-photo]").first.click()
    picture = teacher.page.locator(".pt-lightbox img")
    expect(picture).to_be_visible()
    teacher.until("() => document.querySelector('.pt-lightbox img').naturalWidth === 1200")
    teacher.page.keyboard.press("Escape")
    expect(picture).to_have_count(0)


@pytest.mark.requirement("WW-16.02.b")
def test_a_student_without_assignments_sees_a_celebration(visit, server):
    school = server.found_school()
    pupil = visit(school.colleague("Mia Roy", role="student"), "/assignments")
    expect(pupil.page.get_by_text("No assignments yet")).to_be_visible()
    assert pupil.page.locator(".pt-empty use").first.get_attribute("href").endswith("#i-sparkle")


@BOTH
def test_a_teacher_chooses_what_may_be_handed_in(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    teacher = visit(school.owner, f"/courses/{course}/assignments/new", size=size, language=words.locale)
    teacher.field(words("coursework.form.title")).fill("Silk road")
    for kind in ("text", "scan", "drawing"):
        teacher.field(words(f"coursework.kind.{kind}")).uncheck()
    teacher.page.get_by_text(words("coursework.form.more")).click()
    teacher.field(words("coursework.fileKind.pdf")).check()
    teacher.button(words("coursework.form.saveDraft")).click()
    teacher.button(words("coursework.publish")).click()
    expect(teacher.page.get_by_text(words("coursework.draftBanner"))).to_have_count(0)
    pupil = visit(student, teacher.path, size=size, language=words.locale)
    field = pupil.page.get_by_label(words("coursework.addFiles"))
    assert field.get_attribute("accept") == ".pdf"
    expect(pupil.field(words("coursework.kind.text"))).to_have_count(0)
    expect(pupil.page.locator("pt-capture")).to_have_count(0)
    for name, sentence in [("notes.txt", words("fault.coursework.kindNotTaken", "notes.txt", "PDF")),
                           ("essay.pdf", words("fault.coursework.fileKind", "essay.pdf"))]:
        field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": b"Samarkand"})
        pupil.expects("422")
        pupil.button(words("coursework.handIn"), exact=True).click()
        expect(pupil.page.get_by_text(sentence).first).to_be_visible()
    field.set_input_files({"name": "essay.pdf", "mimeType": "application/pdf", "buffer": pdf(1)})
    pupil.button(words("coursework.handIn"), exact=True).click()
    expect(pupil.page.get_by_text(words("coursework.receipt"))).to_be_visible()


@BOTH
def test_an_administrator_limits_the_space_for_files(visit, server, tmp_path, words, size):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    pupil = visit(student, f"/assignments/{one}", size=size, language=words.locale)
    school.owner.post("/api/v1/storage/limits", {"personMegabytes": 4})
    film = tmp_path / "film.mov"
    film.write_bytes(FILM)
    offsets = parts_of(pupil)
    field = pupil.page.get_by_label(words("coursework.addFiles"))
    field.set_input_files(film)
    pupil.expects("422")
    pupil.button(words("coursework.handIn"), exact=True).click()
    refusal = words("fault.coursework.personFull", words("coursework.kilobytes", 0), words("coursework.megabytes", 4))
    expect(pupil.page.get_by_text(refusal).first).to_be_visible()
    # The size was known, so no byte was sent.
    assert offsets == []
    admin = visit(school.owner, "/settings/storage", size=size, language=words.locale)
    admin.field(words("coursework.storage.personMegabytes")).select_option("0")
    admin.button(words("coursework.storage.save")).click()
    expect(admin.toast(words("coursework.said.limits"))).to_be_visible()
    pupil.open(f"/assignments/{one}")
    pupil.page.get_by_label(words("coursework.addFiles")).set_input_files(film)
    pupil.button(words("coursework.handIn"), exact=True).click()
    expect(pupil.page.get_by_text(words("coursework.receipt"))).to_be_visible()
    school.owner.post("/api/v1/storage/limits", {"personMegabytes": 10})
    pupil.open("/my-files")
    expect(pupil.page.locator("#main .pt-banner")).to_be_visible()
    admin.open("/settings/storage")
    expect(admin.row("Mia Roy")).to_be_visible()


@BOTH
def test_a_teacher_adds_files_to_an_assignment(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    teacher = visit(school.owner, f"/assignments/{one}", size=size, language=words.locale)
    teacher.link(words("coursework.attachments")).click()
    teacher.page.locator("#sheet-attachments input[type=file]").set_input_files(
        [{"name": "Été #1.pdf", "mimeType": "application/pdf", "buffer": pdf(2)},
         {"name": "names.txt", "mimeType": "text/plain", "buffer": b"Samarkand"}])
    teacher.page.locator("#sheet-attachments [type=submit]").click()
    expect(teacher.page.get_by_text("names.txt").first).to_be_visible()
    pupil = visit(student, f"/assignments/{one}", size=size, language=words.locale)
    pupil.page.get_by_text(words("coursework.previewOf", "Été #1.pdf")).click()
    page = pupil.page.get_by_role("img", name=words("coursework.page", 1, 2, "Été #1.pdf"))
    page.scroll_into_view_if_needed()
    pupil.until("() => [...document.images].some((one) => one.src.endsWith('/pages/1') && one.naturalWidth > 1200)")
    with pupil.page.expect_download() as loading:
        pupil.page.get_by_role("link", name=re.compile("names.txt")).click()
    assert loading.value.suggested_filename == "names.txt"
    assert loading.value.path().read_bytes() == b"Samarkand"


@BOTH
def test_a_student_shares_a_file_with_the_teachers(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    student = pupil_of(school, course)
    one = assignment_of(school, course)
    pupil = visit(student, f"/assignments/{one}", size=size, language=words.locale)
    pupil.page.get_by_label(words("coursework.addFiles")).set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"Samarkand"})
    pupil.button(words("coursework.saveDraft")).click()
    expect(pupil.toast(words("coursework.said.draftSaved"))).to_be_visible()
    teacher = visit(school.owner, "/shared-files", size=size, language=words.locale)
    expect(teacher.page.get_by_text(words("coursework.sharedFiles.none"))).to_be_visible()
    pupil.open("/my-files")
    pupil.row("notes.txt").get_by_role("link").click()
    pupil.button(words("coursework.share"), exact=True).click()
    expect(pupil.button(words("coursework.share.stop"))).to_be_visible()
    # The teacher's open page shows it by itself.
    teacher.row("notes.txt").get_by_role("link").click()
    expect(teacher.page.get_by_text("Samarkand")).to_be_visible()
    teacher.open("/shared-files")
    expect(teacher.row("notes.txt")).to_be_visible()
    pupil.button(words("coursework.share.stop")).click()
    expect(pupil.button(words("coursework.share"), exact=True)).to_be_visible()
    expect(teacher.page.get_by_text(words("coursework.sharedFiles.none"))).to_be_visible()
