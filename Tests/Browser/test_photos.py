"""Photos of an observation: added, previewed, enlarged, removed, and hidden from strangers."""
import re
import struct
import zlib

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

ENGLISH = {
    "lang": "en-US", "add": "Add photos", "save": "Save", "note": "Note", "remove": "Remove photo 1", "photo": "Photo 1 of 2",
    "close": "Close", "edit": "Edit observation", "tick": "Photo 1 of 2", "refused": "“tower.jpg” is not a photo.",
}
FRENCH = {
    "lang": "fr-CA", "add": "Ajouter des photos", "save": "Enregistrer", "note": "Note", "remove": "Retirer la photo 1",
    "photo": "Photo 1 sur 2", "close": "Fermer", "edit": "Modifier l’observation", "tick": "Photo 1 sur 2",
    "refused": "« tower.jpg » n’est pas une photo.",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


def picture(width: int, height: int, shade: int) -> bytes:
    """A PNG (ISO/IEC 15948) of one color."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes((shade, 120, 255 - shade)) * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def photo(name: str, shade: int = 200, size: tuple[int, int] = (2400, 1200)) -> dict:
    return {"name": name, "mimeType": "image/png", "buffer": picture(*size, shade)}


@pytest.fixture
def school(server):
    return server.found_school(rooms={"Maple room": ["Noor Aziz", "Lea Roy"]})


def open_child(guide, name="Noor Aziz"):
    guide.row(name).locator(".pt-list-cell__main").click()
    expect(guide.sheet.get_by_role("heading", name=name)).to_be_visible()
    return guide.sheet


def loaded(image) -> tuple[int, int]:
    expect(image).to_be_visible()
    return tuple(image.evaluate("async (image) => { await image.decode(); return [image.naturalWidth, image.naturalHeight]; }"))


@pytest.mark.requirement("PT-2.27.b")
@BOTH
@SIZES
def test_photos_are_added_previewed_saved_opened_and_removed(visit, school, words, size):
    guide = visit(school.owner, school.path("Maple room"), size=size, language=words["lang"])
    sheet = open_child(guide)
    field = sheet.get_by_label(words["add"])
    field.set_input_files([photo("a.png", 20), photo("b.png", 120)])
    expect(sheet.locator("[data-previews] img")).to_have_count(2)
    # More are added to the existing ones; the first is removed.
    field.set_input_files([photo("c.png", 220, (300, 600))])
    expect(sheet.locator("[data-previews] img")).to_have_count(3)
    assert loaded(sheet.locator("[data-previews] img").first) == (1600, 800), "made smaller before it is sent"
    sheet.get_by_role("button", name=words["remove"]).click()
    expect(sheet.locator("[data-previews] img")).to_have_count(2)
    sheet.get_by_label(words["note"], exact=True).fill("Built the tower")
    sheet.get_by_role("button", name=words["save"], exact=True).click()
    note = sheet.locator(".pt-note")
    expect(note).to_contain_text("Built the tower")
    expect(sheet.locator("[data-previews]")).to_have_count(0)
    expect(note.locator("img")).to_have_count(2)
    small = note.get_by_alt_text(words["photo"])
    assert loaded(small) == (320, 160)
    small.click()
    large = guide.page.locator(".pt-lightbox img")
    assert loaded(large) == (1600, 800)
    guide.page.locator(".pt-lightbox").get_by_role("button", name=words["close"]).click()
    expect(guide.page.locator(".pt-lightbox")).to_have_count(0)
    note.get_by_role("link", name=words["edit"]).click()
    guide.sheet.get_by_role("checkbox", name=words["tick"]).check()
    guide.sheet.get_by_label(words["add"]).set_input_files([photo("d.png", 60, (200, 200))])
    expect(guide.sheet.locator("[data-previews] img")).to_have_count(1)
    guide.sheet.get_by_role("button", name=words["save"], exact=True).click()
    sizes = guide.sheet.locator(".pt-note img")
    expect(sizes).to_have_count(2)
    assert [loaded(sizes.nth(0)), loaded(sizes.nth(1))] == [(160, 320), (200, 200)]


@BOTH
def test_a_file_that_is_no_photo_is_answered_in_the_form(visit, school, words):
    guide = visit(school.owner, school.path("Maple room"), language=words["lang"])
    sheet = open_child(guide)
    guide.expects("422")
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>document.title='taken'</script></svg>"
    sheet.get_by_label(words["add"]).set_input_files([{"name": "tower.jpg", "mimeType": "image/jpeg", "buffer": svg}])
    sheet.get_by_label(words["note"], exact=True).fill("Built the tower")
    sheet.get_by_role("button", name=words["save"], exact=True).click()
    expect(guide.sheet.locator(".pt-photos .pt-field__error")).to_contain_text(words["refused"])
    expect(guide.sheet.get_by_label(words["note"], exact=True)).to_have_value("Built the tower")
    assert guide.page.title() != "taken"


def test_without_scripts_a_photo_is_sent_by_the_form_itself(visit, school):
    guide = visit(school.owner, school.path("Maple room"), script=False)
    guide.page.get_by_role("link", name=re.compile("Noor Aziz")).first.click()
    guide.page.get_by_label("Add photos").set_input_files([photo("a.png")])
    guide.page.get_by_label("Note", exact=True).fill("Built the tower")
    guide.page.get_by_role("button", name="Save", exact=True).click()
    image = guide.page.locator(".pt-note img")
    expect(image).to_have_count(1)
    # The browser shows a single picture in a page of its own.
    guide.expects("Applying inline style|favicon")
    guide.page.locator(".pt-note a[data-photo]").click()
    expect(guide.page).to_have_url(re.compile("/photos/[0-9a-f]{64}$"))


def test_a_guide_who_left_the_class_no_longer_sees_the_photo(visit, school):
    guide_person = school.colleague("Gil Guide", rooms=["Maple room"])
    guide = visit(guide_person, school.path("Maple room"))
    sheet = open_child(guide)
    sheet.get_by_label("Add photos").set_input_files([photo("a.png")])
    expect(sheet.locator("[data-previews] img")).to_have_count(1)
    sheet.get_by_label("Note", exact=True).fill("Built the tower")
    sheet.get_by_role("button", name="Save", exact=True).click()
    image = guide.sheet.locator(".pt-note img")
    loaded(image)
    address = image.get_attribute("src")
    status = "async (address) => (await fetch(address)).status"
    assert guide.page.evaluate(status, address) == 200
    guide.expects("404")
    school.assign("Maple room")
    assert guide.page.evaluate(status, address) == 404


def write_note_with_photo(guide) -> None:
    """Writes an observation with a photo about Noor Aziz and waits until the photo is shown."""
    sheet = open_child(guide)
    sheet.get_by_label("Add photos").set_input_files([photo("a.png")])
    expect(sheet.locator("[data-previews] img")).to_have_count(1)
    sheet.get_by_label("Note", exact=True).fill("Built the tower")
    sheet.get_by_role("button", name="Save", exact=True).click()
    loaded(guide.sheet.locator(".pt-note img"))


@pytest.mark.requirement("WW-18.01.e")
def test_a_photo_seen_before_is_shown_without_a_network_and_goes_at_sign_out(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    write_note_with_photo(guide)
    count = "async () => (await (await caches.open('pt-images')).keys()).length"
    guide.page.reload()
    loaded(guide.sheet.locator(".pt-note img"))
    guide.until(f"async () => await ({count})() > 0")
    guide.page.context.set_offline(True)
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    guide.page.reload()
    assert loaded(guide.page.locator(".pt-note img").first) == (320, 160), "the one that was seen last"
    guide.page.context.set_offline(False)
    guide.open("/homeroom")
    guide.account_menu().get_by_role("button", name="Sign out").click()
    guide.is_at("/sign-in")
    guide.until(f"async () => !(await caches.has('pt-images')) || await ({count})() === 0")


@pytest.mark.requirement("WW-18.02.b")
def test_photos_on_this_device_take_200_megabytes_at_most_and_the_oldest_go_first(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    guide.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    write_note_with_photo(guide)
    # The worker caches this page and knows the owner of the photos.
    guide.page.reload()
    loaded(guide.sheet.locator(".pt-note img"))
    guide.until("async () => (await (await caches.open('pt-images')).keys()).length > 0")
    # 21 photos of 10 MB without a `Content-Length`.
    guide.page.evaluate("""async () => {
        const cache = await caches.open("pt-images");
        for (let i = 0; i < 21; i++) await cache.put(`/made/${i}`, new Response(new Uint8Array(10 << 20)));
    }""")
    guide.page.reload()
    loaded(guide.sheet.locator(".pt-note img"))
    guide.until("async () => !(await (await caches.open('pt-images')).match('/made/0'))")
    bytes_cached, has_newest = guide.page.evaluate("""async () => {
        const cache = await caches.open("pt-images");
        let bytes = 0;
        for (const key of await cache.keys()) bytes += (await (await cache.match(key)).blob()).size;
        return [bytes, Boolean(await cache.match("/made/20"))];
    }""")
    assert 150e6 < bytes_cached <= 200 << 20 and has_newest


def images_in_memory(page) -> int:
    """The number of image elements that the page or one of its scripts still holds."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    prototype = session.send("Runtime.evaluate", {"expression": "HTMLImageElement.prototype"})["result"]["objectId"]
    found = session.send("Runtime.queryObjects", {"prototypeObjectId": prototype})["objects"]["objectId"]
    count = {"objectId": found, "functionDeclaration": "function () { return this.length; }", "returnByValue": True}
    return session.send("Runtime.callFunctionOn", count)["result"]["value"]


@pytest.mark.requirement("WW-18.02.a")
def test_scripts_keep_no_picture_that_has_left_the_page(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    write_note_with_photo(guide)
    for _ in range(3):
        guide.page.keyboard.press("Escape")
        expect(guide.sheet).to_be_hidden()
        open_child(guide)
        loaded(guide.sheet.locator(".pt-note img"))
    assert images_in_memory(guide.page) == guide.page.evaluate("document.images.length") > 0
    guide.page.keyboard.press("Escape")
    expect(guide.sheet).to_be_hidden()
    guide.open("/homeroom")
    guide.until("() => !document.querySelector('.pt-note img')")
    assert images_in_memory(guide.page) == guide.page.evaluate("document.images.length")


@pytest.mark.requirement("WW-18.01.b")
def test_a_photo_that_cannot_be_loaded_leaves_its_icon(visit, school):
    guide = visit(school.owner, school.path("Maple room"))
    write_note_with_photo(guide)
    path = guide.path
    other = visit(school.owner)
    other.expects("404")
    other.page.context.route("**/photos/**", lambda route: route.fulfill(status=404))
    other.open(path)
    box = other.sheet.locator(".pt-note .pt-image")
    expect(box).to_have_attribute("data-missing", "")
    expect(box.locator("img")).to_have_css("opacity", "0")
    expect(box.locator("svg")).to_be_visible()
    assert box.locator("svg").bounding_box()["width"] > 10


@pytest.mark.requirement("WW-18.01.c")
def test_a_profile_is_a_circle_and_a_banner_a_rounded_rectangle(visit, school):
    guide = visit(school.owner)
    for path, name in [(f"/students/{school.children['Noor Aziz']}/edit", "Save"), (school.path("Maple room") + "/edit", "Save")]:
        guide.open(path)
        guide.page.locator("#main input[type=file]").set_input_files([photo("a.png")])
        expect(guide.page.locator("[data-previews] img")).to_have_count(1)
        guide.button(name, exact=True).click()
        guide.page.wait_for_url(lambda address, path=path: not address.endswith(path))
    radius = "one => { const { borderTopLeftRadius, overflow } = getComputedStyle(one); return [borderTopLeftRadius, overflow]; }"
    guide.open(school.path("Maple room"))
    avatar = guide.row("Noor Aziz").locator(".pt-avatar:has(img)")
    loaded(avatar.locator("img"))
    assert avatar.evaluate(radius) == ["50%", "hidden"]
    size = avatar.bounding_box()
    assert abs(size["width"] - size["height"]) < 1
    guide.open(school.path("Maple room") + "/edit")
    banner = guide.page.locator("#main .pt-image:has(img)")
    loaded(banner.locator("img"))
    corner, overflow = banner.evaluate(radius)
    assert corner.endswith("px") and 4 <= float(corner[:-2]) < banner.bounding_box()["height"] / 2 and overflow == "hidden"
