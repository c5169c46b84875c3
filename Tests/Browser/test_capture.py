"""Scanning documents and drawing: in Tools, and beside the files of a hand-in."""
import io
import json
import subprocess

import pytest
from conftest import DESKTOP, PHONE
from PIL import Image, ImageDraw
from playwright.sync_api import expect
from test_assignments import NO_NETWORK, assignment_of, pupil_of
from test_courses import course_of

BOTH = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
#: The corners of the sheet in the photo, clockwise from the one at the upper left.
CORNERS = [(160, 120), (820, 180), (860, 1060), (90, 1000)]


def photo(mark="left"):
    """A photo of a white sheet on a dark table, with a black square in its upper left or right part."""
    sheet = Image.new("RGB", (600, 840), "#e8e4da")
    pen = ImageDraw.Draw(sheet)
    left = 60 if mark == "left" else 390
    pen.rectangle((left, 60, left + 150, 210), fill="black")
    table = Image.new("RGB", (960, 1200), "#3a3530")
    # Pillow maps places of the table to places of the sheet.
    matrix = []
    for (x, y), (u, v) in zip(CORNERS, [(0, 0), (600, 0), (600, 840), (0, 840)]):
        matrix += [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]]
    seen = sheet.transform(table.size, Image.Transform.PERSPECTIVE, solved(matrix), Image.Resampling.BILINEAR)
    covered = Image.new("L", table.size, 0)
    ImageDraw.Draw(covered).polygon(CORNERS, fill=255)
    table.paste(seen, (0, 0), covered)
    out = io.BytesIO()
    table.save(out, "JPEG", quality=90)
    return {"name": f"{mark}.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


def solved(rows):
    """The solution of linear equations, by elimination."""
    count = len(rows)
    for place in range(count):
        best = max(range(place, count), key=lambda row: abs(rows[row][place]))
        rows[place], rows[best] = rows[best], rows[place]
        rows[place] = [value / rows[place][place] for value in rows[place]]
        for row in range(count):
            if row != place:
                rows[row] = [a - rows[row][place] * b for a, b in zip(rows[row], rows[place])]
    return [row[-1] for row in rows]


def pages(path, folder):
    """The pages of a PDF document as pictures, read by poppler."""
    subprocess.run(["pdftoppm", "-r", "50", "-png", path, folder / "page"], check=True)
    return [Image.open(one).convert("L") for one in sorted(folder.glob("page*.png"))]


def dark(page, left, top, right, bottom):
    """The share of dark pixels in a part of a page, in hundredths of its size."""
    width, height = page.size
    part = page.crop((left * width // 100, top * height // 100, right * width // 100, bottom * height // 100))
    return sum(count for gray, count in enumerate(part.histogram()) if gray < 100) / (part.width * part.height)


@pytest.mark.requirement("WW-1.02.a", "WW-1.02.b", "WW-1.02.c")
@BOTH
def test_photographed_pages_are_straightened_and_become_one_document(visit, school, size, tmp_path):
    guide = visit(school.owner, "/home", size=size)
    guide.link("Document scan").first.click()
    guide.is_at("/tools/scan")
    main = guide.page.locator("#main")
    # One page is taken with the camera, the other is chosen.
    camera = main.get_by_label("Take a photo")
    expect(camera).to_have_attribute("capture", "environment")
    camera.set_input_files(photo("left"))
    expect(main.locator(".pt-scan__page")).to_have_count(1)
    main.get_by_label("Choose photos").set_input_files(photo("right"))
    sheets = main.locator(".pt-scan__page")
    expect(sheets).to_have_count(2)

    # The corners were found; one is moved by keyboard and set back.
    sheets.first.get_by_role("button", name="Page 1: Adjust corners").click()
    dialog = guide.page.get_by_role("dialog")
    handles = dialog.locator(".pt-scan__corner")
    for (x, y), handle in zip(CORNERS, handles.all()):
        left, top = handle.evaluate("one => [parseFloat(one.style.left), parseFloat(one.style.top)]")
        assert abs(left - 100 * x / 960) < 1.5 and abs(top - 100 * y / 1200) < 1.5
    before = handles.first.evaluate("one => one.style.left")
    handles.first.press("ArrowRight")
    assert handles.first.evaluate("one => one.style.left") != before
    handles.first.press("ArrowLeft")
    dialog.get_by_role("button", name="Done").click()

    with guide.page.expect_download() as waiting:
        main.get_by_role("button", name="Download PDF").click()
    assert waiting.value.suggested_filename == "Scan.pdf"
    path = tmp_path / "scan.pdf"
    waiting.value.save_as(path)
    first, second = pages(path, tmp_path)
    # Each square stands upright in its place, and the paper around it is white to the edges.
    assert dark(first, 12, 9, 33, 23) > 0.95 and dark(first, 60, 5, 99, 99) == 0
    assert dark(second, 67, 9, 88, 23) > 0.95 and dark(second, 2, 5, 50, 99) == 0
    assert first.resize((1, 1)).getpixel((0, 0)) > 230

    # A moved, a turned and a removed page.
    sheets.nth(1).get_by_role("button", name="Page 2: Move up").click()
    sheets.first.get_by_role("button", name="Page 1: Rotate right").click()
    expect(sheets.first.get_by_role("button", name="Page 1: Rotate right")).to_be_focused()
    sheets.nth(1).get_by_role("button", name="Page 2: Remove").click()
    expect(sheets).to_have_count(1)
    with guide.page.expect_download() as waiting:
        main.get_by_role("button", name="Download PDF").click()
    other = tmp_path / "other"
    other.mkdir()
    waiting.value.save_as(other / "scan.pdf")
    [turned] = pages(other / "scan.pdf", other)
    assert turned.width > turned.height
    # The square from the upper right is at the lower right.
    assert dark(turned, 77, 67, 91, 88) > 0.95 and dark(turned, 2, 2, 99, 50) == 0


def test_a_file_that_is_no_photo_is_named_and_nothing_else_is_lost(visit, school):
    guide = visit(school.owner, "/tools/scan")
    main = guide.page.locator("#main")
    broken = {"name": "notes.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"}
    main.get_by_label("Choose photos").set_input_files([broken, photo()])
    expect(guide.page.get_by_text("notes.jpg: not a photo that this browser can open")).to_be_visible()
    expect(main.locator(".pt-scan__page")).to_have_count(1)


def stroke(visitor, points):
    """Draws through points of the canvas, in hundredths of its size."""
    box = visitor.page.locator(".pt-drawing__canvas").bounding_box()
    places = [(box["x"] + x * box["width"] / 100, box["y"] + y * box["height"] / 100) for x, y in points]
    visitor.page.mouse.move(*places[0])
    visitor.page.mouse.down()
    for place in places[1:]:
        visitor.page.mouse.move(*place, steps=5)
    visitor.page.mouse.up()


def picture(visitor, path):
    with visitor.page.expect_download() as waiting:
        visitor.page.get_by_role("button", name="Download picture").click()
    waiting.value.save_as(path)
    return Image.open(path).convert("RGB")


PRESS = """([canvas, points]) => (canvas.setPointerCapture = () => {}) && points.forEach(([x, y, pressure], place) => {
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(place === 0 ? "pointerdown" : place === points.length - 1 ? "pointerup" : "pointermove", {
    pointerId: 7, pointerType: "pen", pressure, clientX: box.x + x * box.width / 100, clientY: box.y + y * box.height / 100, bubbles: true }));
})"""


def width_at(image, x):
    """The height of the line at a hundredth of the width, in pixels."""
    column = x * image.width // 100
    return sum(image.getpixel((column, y))[0] < 128 for y in range(image.height))


@pytest.mark.requirement("WW-1.03.a", "WW-1.03.c")
@BOTH
def test_a_drawing_is_saved_as_a_picture_and_continued_from_it(visit, school, size, tmp_path):
    guide = visit(school.owner, "/home", size=size)
    guide.link("Drawing").first.click()
    guide.is_at("/tools/drawing")
    main = guide.page.locator("#main")
    expect(main.get_by_role("button", name="Download picture")).to_be_disabled()
    stroke(guide, [(20, 50), (80, 50)])
    main.get_by_label("Red").check(force=True)
    main.get_by_label("Thick").check(force=True)
    stroke(guide, [(50, 20), (50, 80)])
    image = picture(guide, tmp_path / "drawing.png")
    assert image.size == (1600, 1200)
    assert image.getpixel((480, 600))[0] < 60 and image.getpixel((480, 500)) == (255, 255, 255)
    red = image.getpixel((800, 360))
    assert red[0] > 150 and red[1] < 90

    guide.page.get_by_role("button", name="Undo").click()
    assert picture(guide, tmp_path / "undone.png").getpixel((800, 360)) == (255, 255, 255)
    guide.page.get_by_role("button", name="Redo").click()
    # The drawing is still there after a reload.
    guide.page.reload()
    assert picture(guide, tmp_path / "again.png").getpixel((800, 360)) == red
    guide.page.get_by_role("button", name="Clear").click()
    guide.page.get_by_role("dialog").get_by_role("button", name="Clear").click()
    expect(main.get_by_role("button", name="Download picture")).to_be_disabled()
    # The saved picture has its strokes: the last one can be taken back.
    main.get_by_label("Continue a picture").set_input_files(tmp_path / "drawing.png")
    guide.page.get_by_role("button", name="Undo").click()
    continued = picture(guide, tmp_path / "continued.png")
    assert continued.getpixel((480, 600))[0] < 60 and continued.getpixel((800, 360)) == (255, 255, 255)


@pytest.mark.requirement("WW-1.03.b")
def test_the_pen_draws_wider_where_it_presses_harder_and_the_palm_does_not_draw(visit, school, tmp_path):
    guide = visit(school.owner, "/tools/drawing")
    canvas = guide.page.locator(".pt-drawing__canvas").element_handle()
    guide.page.evaluate(PRESS, [canvas, [[10, 50, 0.1], [45, 50, 0.1], [55, 50, 1], [90, 50, 1], [90, 50, 1]]])
    image = picture(guide, tmp_path / "pen.png")
    light, hard = width_at(image, 25), width_at(image, 75)
    assert 0 < light and hard >= 2 * light
    guide.page.evaluate(PRESS.replace('"pen"', '"touch"'), [canvas, [[10, 80, 0.5], [90, 80, 0.5], [90, 80, 0.5]]])
    assert picture(guide, tmp_path / "palm.png").getpixel((800, 960)) == (255, 255, 255)


def test_a_drawing_is_made_by_keyboard_alone(visit, school, tmp_path):
    guide = visit(school.owner, "/tools/drawing")
    canvas = guide.page.get_by_role("application", name="Drawing canvas")
    canvas.focus()
    keys = guide.page.keyboard
    keys.press("Space")
    for _ in range(5):
        keys.press("Shift+ArrowRight")
    keys.press("Space")
    keys.press("ArrowDown")
    image = picture(guide, tmp_path / "keys.png")
    assert image.getpixel((1000, 600))[0] < 60 and image.getpixel((1000, 640)) == (255, 255, 255)
    canvas.focus()
    keys.press("Control+z")
    expect(guide.page.get_by_role("button", name="Download picture")).to_be_disabled()


def test_a_picture_without_strokes_and_a_damaged_one_change_nothing(visit, school):
    guide = visit(school.owner, "/tools/drawing")
    stroke(guide, [(20, 50), (80, 50)])
    out = io.BytesIO()
    Image.new("RGB", (10, 10)).save(out, "PNG")
    plain = out.getvalue()
    text = b"PinkTower-Strokes\0" + json.dumps([{"color": 99, "width": 0, "points": [1, 2]}]).encode()
    damaged = plain[:-12] + len(text).to_bytes(4, "big") + b"tEXt" + text + bytes(4) + plain[-12:]
    for content in [plain, damaged, b"no picture", plain[:20]]:
        guide.page.locator("#main").get_by_label("Continue a picture").set_input_files(
            {"name": "a.png", "mimeType": "image/png", "buffer": content})
        expect(guide.page.get_by_text("This picture contains no drawing that can be continued").last).to_be_visible()
    expect(guide.page.get_by_role("button", name="Undo")).to_be_enabled()


@BOTH
def test_a_scan_and_a_drawing_are_handed_in_with_the_work(visit, school, size):
    course = course_of(school)
    assignment = assignment_of(school, course)
    pupil = visit(pupil_of(school, course), f"/assignments/{assignment}", size=size)
    main = pupil.page.locator("#main")
    main.locator("summary", has_text="Drawing").click()
    expect(pupil.page.locator(".pt-drawing__canvas")).to_be_visible()
    pupil.page.locator(".pt-drawing__canvas").scroll_into_view_if_needed()
    stroke(pupil, [(20, 50), (80, 50)])
    main.get_by_role("button", name="Add to my files").click()
    main.locator("summary", has_text="Document scan").click()
    main.get_by_label("Choose photos").set_input_files([photo()])
    expect(main.locator(".pt-scan__page")).to_have_count(1)
    main.locator(".pt-scan__acts").get_by_role("button", name="Add to my files").click()
    names = "() => [...document.querySelector('#main input[name=files]').files].map((file) => file.name).join()"
    pupil.until(f"() => ({names})() === 'Drawing.png,Scan.pdf'")
    main.get_by_role("button", name="Hand in", exact=True).click()
    for name in ["Drawing.png", "Scan.pdf"]:
        expect(main.get_by_text(name).first).to_be_visible()


@BOTH
def test_both_tools_work_without_a_network(visit, server, size, tmp_path):
    # No page before these: one that opens while the service worker starts has no worker until it is loaded again.
    guide = visit(server.found_school().owner, size=size, worker=True)
    guide.expects(NO_NETWORK)
    for path, part in (("/tools/scan", "input[type=file]"), ("/tools/drawing", ".pt-drawing__canvas")):
        guide.open(path)
        expect(guide.page.locator(f"#main {part}").first).to_be_attached()
        guide.keeps_page()
    guide.page.context.set_offline(True)
    guide.open("/tools/scan")
    main = guide.page.locator("#main")
    main.get_by_label("Choose photos").set_input_files(photo("left"))
    expect(main.locator(".pt-scan__page")).to_have_count(1)
    with guide.page.expect_download() as waiting:
        main.get_by_role("button", name="Download PDF").click()
    waiting.value.save_as(tmp_path / "scan.pdf")
    [sheet] = pages(tmp_path / "scan.pdf", tmp_path)
    assert dark(sheet, 12, 9, 33, 23) > 0.95
    guide.open("/tools/drawing")
    stroke(guide, [(20, 50), (80, 50)])
    assert picture(guide, tmp_path / "drawing.png").getpixel((480, 600))[0] < 60
