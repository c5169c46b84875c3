"""The library of materials: the models' files, read by other programs, and the viewer."""

from __future__ import annotations

import gzip
import io
import re
import struct
from collections import Counter
from math import hypot, isclose

import pytest
import requests
import zxingcpp
from PIL import Image, ImageChops
from playwright.sync_api import expect
from pxr import Usd, UsdGeom, UsdShade, UsdValidation
from pygltflib import GLTF2

from conftest import DESKTOP, PHONE

SLUGS = [
    "cylinders-1", "cylinders-2", "cylinders-3", "cylinders-4", "pink-tower", "brown-stair", "red-rods",
    "geometric-solids", "binomial-cube", "bead-stair", "short-chains"]
TOWER = "/materials/pink-tower"
#: The id of the pink tower in the curriculum.
TOWER_ID = "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57"
BOTH = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
#: What the viewer knows of itself.
SCENE = "document.querySelector('pt-model').scene"


def fetched(server, slug, ending):
    """A model's file, without a session, as a phone's viewer fetches it."""
    answer = requests.get(f"{server.url}/assets/materials/1/{slug}.{ending}", timeout=20)
    assert answer.status_code == 200, answer.text
    assert "immutable" in answer.headers["Cache-Control"] and "public" in answer.headers["Cache-Control"]
    assert "Set-Cookie" not in answer.headers
    return answer


class Model:
    """A binary glTF file as pygltflib reads it."""

    def __init__(self, content):
        self.gltf = GLTF2.load_from_bytes(content)
        self.data = self.gltf.binary_blob()
        self.root = self.gltf.nodes[self.gltf.scenes[self.gltf.scene].nodes[0]]
        self.parts = [self.gltf.nodes[place] for place in self.root.children]

    def values(self, place):
        """The values of an accessor: triples of floats, or indices."""
        accessor = self.gltf.accessors[place]
        view = self.gltf.bufferViews[accessor.bufferView]
        form = {5126: "<3f", 5123: "<H"}[accessor.componentType]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        step = view.byteStride or struct.calcsize(form)
        found = [struct.unpack_from(form, self.data, start + step * number) for number in range(accessor.count)]
        return found if form == "<3f" else [one for one, in found]

    def meshes(self, part):
        """Each mesh of a part with its place: the points, normals and triangles of all its primitives."""
        nodes = [part] if part.mesh is not None else [self.gltf.nodes[place] for place in part.children]
        for node in nodes:
            offset = [a + b for a, b in zip(
                part.translation or (0, 0, 0), (0, 0, 0) if node is part else node.translation or (0, 0, 0))]
            points, normals, triangles = [], [], []
            for one in self.gltf.meshes[node.mesh].primitives:
                first = len(points)
                points += self.values(one.attributes.POSITION)
                normals += self.values(one.attributes.NORMAL)
                triangles += [first + place for place in self.values(one.indices)]
                assert self.gltf.materials[one.material].pbrMetallicRoughness.baseColorFactor[3] == 1
            yield offset, points, normals, triangles

    @property
    def size(self):
        """Width, height and depth of the whole model in metres."""
        all_points = [
            [a + b for a, b in zip(offset, point)] for part in self.parts
            for offset, points, _, _ in self.meshes(part) for point in points]
        return [max(axis) - min(axis) for axis in zip(*all_points)]


def close(found, wanted):
    return all(isclose(a, b, abs_tol=1e-5) for a, b in zip(found, wanted))


@pytest.mark.parametrize("slug", SLUGS)
def test_another_program_reads_each_model_as_closed_surfaces_in_metres(server, slug):
    answer = fetched(server, slug, "glb")
    assert answer.headers["Content-Type"] == "model/gltf-binary"
    model = Model(answer.content)
    assert model.gltf.asset.version == "2.0" and model.root.name == slug
    assert len({part.name for part in model.parts}) == len(model.parts) >= 8
    for part in model.parts:
        for _, points, normals, triangles in model.meshes(part):
            assert all(isclose(hypot(*normal), 1, abs_tol=1e-4) for normal in normals), part.name
            corners = [tuple(round(value, 7) for value in points[place]) for place in triangles]
            edges = Counter()
            volume = 0
            for a, b, c in zip(*[iter(corners)] * 3):
                edges.update([(a, b), (b, c), (c, a)])
                volume += (
                    a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                    + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
            assert volume > 0, part.name
            assert all(count == 1 and edges[end, start] == 1 for (start, end), count in edges.items()), part.name


def test_the_pink_tower_is_ten_cubes_and_55_centimetres_high(server):
    model = Model(fetched(server, "pink-tower", "glb").content)
    assert close(model.size, (0.1, 0.55, 0.1))
    edges = {part.name: [max(axis) - min(axis) for axis in zip(*points)]
             for part in model.parts for _, points, _, _ in model.meshes(part)}
    assert list(edges) == [f"cube-{number}" for number in range(10, 0, -1)]
    for number in range(1, 11):
        assert close(edges[f"cube-{number}"], [number / 100] * 3)


@pytest.mark.parametrize("slug", SLUGS)
def test_openusd_finds_no_fault_in_the_file_for_apple_devices(server, slug, tmp_path):
    answer = fetched(server, slug, "usdz")
    assert answer.headers["Content-Type"] == "model/vnd.usdz+zip"
    file = tmp_path / f"{slug}.usdz"
    file.write_bytes(answer.content)
    stage = Usd.Stage.Open(str(file))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Y"
    # All rules of OpenUSD's own checker: metadata, materials, the archive and the alignment of its files.
    rules = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(rules) > 20
    faults = [error.GetMessage() for error in UsdValidation.ValidationContext(rules).Validate(stage)]
    assert not faults, faults
    root = stage.GetDefaultPrim()
    box = UsdGeom.BBoxCache(Usd.TimeCode.Default(), ["default"]).ComputeWorldBound(root).ComputeAlignedRange()
    model = Model(fetched(server, slug, "glb").content)
    assert close(box.GetSize(), model.size), (box.GetSize(), model.size)
    parts = [prim for prim in root.GetChildren() if prim.IsA(UsdGeom.Xform)]
    assert [prim.GetName() for prim in parts] == [part.name.replace("-", "_") for part in model.parts]
    for prim in Usd.PrimRange(root):
        if prim.IsA(UsdGeom.Mesh):
            material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
            assert material, prim.GetPath()


@pytest.fixture(scope="module")
def pupil(server):
    return server.sign_in("sami@demo.example", "Sami")


def viewer(visitor):
    """Waits until the model is drawn, and returns its canvas."""
    canvas = visitor.page.locator("pt-model canvas")
    expect(canvas).to_be_visible()
    visitor.until(f"() => {SCENE}.view.length === 16 && !{SCENE}.frame")
    return canvas


def rests(visitor):
    """Waits until nothing moves."""
    visitor.until(f"() => !{SCENE}.frame")


def drawn(canvas):
    """What the canvas shows, without its rounded corners and the ring of the focus."""
    picture = Image.open(io.BytesIO(canvas.screenshot())).convert("RGB")
    return picture.crop((24, 24, picture.width - 24, picture.height - 24))


def alike(one, other):
    """Whether two pictures are the same, but for the rounding of the browser."""
    return max(high for _, high in ImageChops.difference(one, other).getextrema()) <= 4


def colors(picture):
    return len(picture.getcolors(picture.width * picture.height))


@pytest.mark.requirement("WW-1.09.a", "WW-1.09.b")
@BOTH
def test_tools_lead_to_the_library_and_to_a_model_that_webgl_draws(visit, pupil, size):
    child = visit(pupil, "/home", size=size)
    child.link("Materials in 3D").first.click()
    child.is_at("/materials")
    expect(child.page.locator(".pt-tile__picture img")).to_have_count(len(SLUGS))
    child.until("() => [...document.querySelectorAll('.pt-tile__picture img')].slice(0, 2).every((one) => one.naturalWidth)")
    child.link("Pink Tower").click()
    child.is_at(TOWER)
    canvas = viewer(child)
    assert child.page.evaluate(f"{SCENE}.gl instanceof WebGLRenderingContext")
    assert colors(drawn(canvas)) > 20
    expect(child.page.locator(".pt-model__ruler")).to_have_text("55 cm")
    expect(child.page.locator(".pt-model__squares")).to_have_text("Squares of 10 cm")
    # The parts are buttons with their sizes.
    parts = child.page.get_by_role("list", name="Cubes").get_by_role("button")
    expect(parts).to_have_count(10)
    child.button("Cube, 7 cm").click()
    expect(child.button("Cube, 7 cm")).to_have_attribute("aria-pressed", "true")
    facts = child.page.locator(".pt-model__facts")
    expect(facts).to_contain_text("Cube, 7 cm")
    expect(facts).to_contain_text("343 cm³")
    child.button("Cube, 7 cm").click()
    expect(child.button("Cube, 7 cm")).to_have_attribute("aria-pressed", "false")


def test_links_and_the_search_lead_to_a_material(visit, pupil):
    child = visit(pupil, f"/open?link=material:{TOWER_ID}")
    child.is_at(TOWER)
    child.open("/search")
    child.page.get_by_role("searchbox").fill("tour rose")
    child.row("Pink Tower").locator(".pt-list-cell__main").click()
    child.is_at(TOWER)


def test_a_model_is_turned_zoomed_and_picked_by_mouse_and_keyboard(visit, pupil):
    child = visit(pupil, TOWER, size=DESKTOP)
    canvas = viewer(child)
    first = drawn(canvas)
    canvas.focus()
    start = child.page.evaluate(f"({{ ...{SCENE}.camera }})")
    for key in ["ArrowLeft", "ArrowUp", "+"]:
        child.page.keyboard.press(key)
    rests(child)
    turned = child.page.evaluate(f"({{ ...{SCENE}.camera }})")
    assert turned["turn"] > start["turn"] and turned["tilt"] > start["tilt"] and turned["zoom"] < start["zoom"]
    assert not alike(drawn(canvas), first)
    child.page.keyboard.press("Home")
    rests(child)
    assert alike(drawn(canvas), first)

    # A drag turns and chooses nothing; a click on the tower chooses a cube.
    box = canvas.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    child.page.mouse.move(*middle)
    child.page.mouse.down()
    child.page.mouse.move(middle[0] + 80, middle[1], steps=4)
    child.page.mouse.up()
    rests(child)
    assert child.page.evaluate(f"{SCENE}.camera.turn") < start["turn"]
    assert child.page.locator("[aria-pressed=true]").count() == 0
    child.page.mouse.click(*middle)
    expect(child.page.locator(".pt-chip[aria-pressed=true]")).to_have_count(1)
    chosen = child.page.locator(".pt-chip[aria-pressed=true]").get_attribute("aria-label")
    expect(child.page.locator(".pt-model__facts")).to_contain_text(chosen)
    child.page.mouse.click(box["x"] + 8, box["y"] + box["height"] - 8)
    expect(child.page.locator(".pt-chip[aria-pressed=true]")).to_have_count(0)
    child.page.mouse.move(*middle)
    child.page.mouse.wheel(0, -200)
    child.until(f"() => {SCENE}.camera.zoom < 1")


def test_two_fingers_zoom_and_one_finger_still_scrolls_the_page(visit, pupil):
    child = visit(pupil, TOWER, touch=True)
    canvas = viewer(child)
    assert canvas.evaluate("(one) => getComputedStyle(one).touchAction") == "pan-y"
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = child.page.context.new_cdp_session(child.page)

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": left, "y": top, "id": place} for place, (left, top) in enumerate(points)]})

    touch("touchStart", (x - 20, y), (x + 20, y))
    for reach in range(24, 90, 8):
        touch("touchMove", (x - reach, y), (x + reach, y))
    touch("touchEnd")
    child.until(f"() => {SCENE}.camera.zoom < 0.6")


def test_a_material_is_taken_apart_calmly_and_at_once_with_less_motion(visit, pupil):
    child = visit(pupil, TOWER)
    viewer(child)
    child.page.get_by_label("Take apart").check()
    child.until(f"() => {{ const {{ share }} = {SCENE}; return share > 0 && share < 1; }}")
    child.until(f"() => {SCENE}.share === 1")
    expect(child.page.locator(".pt-model__ruler")).to_be_hidden()
    child.page.get_by_label("Together").check()
    child.until(f"() => {SCENE}.share === 0")

    calm = visit(pupil, TOWER, reduced_motion="reduce")
    viewer(calm)
    calm.page.get_by_label("Take apart").check()
    assert calm.page.evaluate(f"{SCENE}.share") == 1
    before = calm.page.evaluate(f"{SCENE}.camera.turn")
    calm.button("Turn").click()
    assert calm.page.evaluate(f"{SCENE}.camera.turn") > before + 0.7


def test_the_size_is_told_in_centimetres_and_percent(visit, pupil):
    child = visit(pupil, TOWER, language="fr-FR")
    viewer(child)
    slider = child.page.get_by_label("Taille", exact=True)
    expect(slider).to_have_attribute("aria-valuetext", "55\u00a0cm, taille réelle")
    child.button("Plus petit").click()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^49,5\u00a0cm, 90\\s%$"))
    expect(child.page.locator(".pt-model__ruler")).to_have_text("49,5\u00a0cm")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^110\u00a0cm, 200\\s%$"))


def test_a_lost_graphics_context_comes_back(visit, pupil):
    child = visit(pupil, TOWER)
    canvas = viewer(child)
    before = drawn(canvas)
    child.page.evaluate(f"() => {{ window.lose = {SCENE}.gl.getExtension('WEBGL_lose_context'); window.lose.loseContext(); }}")
    child.until(f"() => {SCENE}.gl.isContextLost()")
    child.page.evaluate("() => setTimeout(() => window.lose.restoreContext(), 50)")
    child.until(f"() => !{SCENE}.gl.isContextLost() && !{SCENE}.frame")
    child.until(f"() => {{ {SCENE}.request(); return true; }}")
    rests(child)
    assert alike(drawn(canvas), before)


def test_without_webgl_the_page_shows_the_picture_the_parts_and_their_sizes(visit, pupil):
    child = visit(pupil)
    child.page.add_init_script(
        "const first = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        " return kind.startsWith('webgl') ? null : first.call(this, kind, ...more); };")
    child.open(TOWER)
    expect(child.page.get_by_text("This browser cannot show the material in 3D")).to_be_visible()
    expect(child.page.get_by_alt_text("Drawing of the material: Pink Tower")).to_be_visible()
    expect(child.page.get_by_text("Cube, 10 cm")).to_be_visible()
    expect(child.page.get_by_text("1,000 cm³")).to_be_visible()
    plain = visit(pupil, TOWER, script=False)
    expect(plain.page.get_by_text("Cube, 10 cm")).to_be_visible()


def test_a_model_that_does_not_arrive_can_be_asked_for_again(visit, pupil):
    child = visit(pupil, worker=False)
    child.expects("Failed to load resource")
    child.page.route("**/*.glb", lambda route: route.abort())
    child.open(TOWER)
    expect(child.page.get_by_text("The material could not be loaded.")).to_be_visible()
    child.page.unroute("**/*.glb")
    child.button("Try again").click()
    viewer(child)
    expect(child.page.get_by_text("The material could not be loaded.")).to_have_count(0)


def test_a_material_that_was_opened_works_without_a_network(visit, pupil):
    child = visit(pupil, TOWER)
    viewer(child)
    # The worker stores what is loaded after it has taken control.
    child.until("() => Boolean(navigator.serviceWorker.controller)")
    child.open(TOWER)
    viewer(child)
    child.keeps_page()
    child.open("/home")
    child.expects("Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    child.page.context.set_offline(True)
    child.open(TOWER)
    assert colors(drawn(viewer(child))) > 20
    child.page.context.set_offline(False)


def test_a_desktop_shows_a_code_that_opens_the_page_on_a_phone(visit, pupil):
    child = visit(pupil, TOWER, size=DESKTOP)
    viewer(child)
    code = child.page.locator(".pt-qr")
    code.scroll_into_view_if_needed()
    read = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
    assert [re.sub(r"^http://127\.0\.0\.1:\d+", "", one.text) for one in read] == [TOWER]


def test_an_android_phone_opens_its_viewer_with_the_address_of_the_file_alone(visit, pupil):
    child = visit(pupil, TOWER, user_agent="Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile")
    viewer(child)
    link = child.link("Place in your room").get_attribute("href")
    asked = dict(re.findall(r"[?&](\w+)=([^&#]+)", link))
    assert link.startswith("intent://arvr.google.com/scene-viewer/1.0?") and link.endswith(";end;")
    assert set(asked) == {"file", "mode", "resizable", "title"} and asked["resizable"] == "false"
    assert asked["file"] == requests.utils.quote(f"{pupil.server.url}/assets/materials/1/pink-tower.glb", safe="")
    assert child.page.locator(".pt-qr").count() == 0


def test_an_apple_device_opens_quick_look_with_a_picture(visit, pupil):
    child = visit(pupil)
    child.page.add_init_script(
        "const first = DOMTokenList.prototype.supports;"
        "DOMTokenList.prototype.supports = function (word) { return word === 'ar' || first.call(this, word); };")
    child.open(TOWER)
    viewer(child)
    link = child.page.locator("a[rel~=ar]")
    expect(link).to_have_attribute("href", "/assets/materials/1/pink-tower.usdz")
    assert link.evaluate("(one) => one.childElementCount === 1 && one.firstChild.tagName === 'IMG'")
    expect(link.get_by_alt_text("Place in your room: Pink Tower")).to_be_visible()


def test_the_viewer_is_small_and_loaded_where_it_is_used(visit, pupil):
    child = visit(pupil, "/materials")
    child.page.wait_for_load_state("load")
    loaded = "() => performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)"
    own = re.compile(r"^/assets/(model|scene|glb)\.[0-9a-f]+\.js$")
    assert not [path for path in child.page.evaluate(loaded) if own.match(path)]
    child.open(TOWER)
    viewer(child)
    scripts = sorted({path for path in child.page.evaluate(loaded) if own.match(path)})
    assert len(scripts) == 3, scripts
    sizes = []
    for path in scripts:
        answer = requests.get(pupil.server.url + path, headers={"Accept-Encoding": "gzip"}, timeout=10, stream=True)
        sent = answer.raw.read(decode_content=False)
        assert gzip.decompress(sent)
        sizes.append(len(sent))
    assert sum(sizes) <= 12 * 1024, sizes


@pytest.mark.parametrize("slug", ["pink-tower", "cylinders-1", "geometric-solids", "bead-stair", "short-chains"])
def test_turning_without_a_graphics_card_takes_little_work_for_a_frame(visit, pupil, slug, record_property):
    child = visit(pupil, f"/materials/{slug}", size=PHONE)
    viewer(child)
    session = child.page.context.browser.new_browser_cdp_session()

    def spent():
        """The processor time of the programs that draw, in milliseconds."""
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(one["cpuTime"] for one in processes if one["type"] in ("GPU", "renderer")) * 1000

    before = spent()
    frames, seconds = child.page.evaluate(f"""async () => {{
        const scene = {SCENE}, draw = scene.onDraw, start = performance.now();
        let frames = 0;
        scene.onDraw = () => {{ frames += 1; draw(); }};
        await new Promise((done) => {{
            const next = () => {{
                scene.turn(0.02, 0);
                if (performance.now() - start < 2000) requestAnimationFrame(next); else done();
            }};
            requestAnimationFrame(next);
        }});
        return [frames, (performance.now() - start) / 1000];
    }}""")
    work = (spent() - before) / frames
    record_property("measured", f"{slug}: {work:.1f} ms of work for a frame, {frames / seconds:.0f} frames/s drawn")
    assert frames > 10
    # The goal is 60 frames a second. Beside other programs the same work takes up to twice as long, so the bound is 30;
    # the drawn frames would say more about those programs than about the viewer.
    assert work < 1000 / 30
