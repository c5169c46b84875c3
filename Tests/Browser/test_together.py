"""Two people in one class, each in their own browser."""

import pytest
from pages import HeldPages
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

#: The promised delay between two browsers, in milliseconds.
LIVE = 1000


def test_two_browsers_agree_within_a_second(visit, school):
    colleague = school.colleague("Benoît Côté", rooms=["Maple room"])
    first = visit(school.owner, school.path("Maple room"), size=PHONE)
    second = visit(colleague, school.path("Maple room"), size=DESKTOP)
    # Both streams are open before the measurement.
    first.tap("Dario Conti")
    second.is_marked("Dario Conti", "present")
    second.tap("Dario Conti")
    first.is_marked("Dario Conti", "absent")

    first.tap("Noor Aziz")
    second.is_marked("Noor Aziz", "present", timeout=LIVE)
    expect(second.page.get_by_role("heading", level=2)).to_have_text("1 of 3 present", timeout=LIVE)
    second.tap("Noor Aziz")
    first.is_marked("Noor Aziz", "absent", timeout=LIVE)
    second.button("Mark the rest present").click()
    first.is_marked("Leïla Benali", "present", timeout=LIVE)
    # Simultaneous marks of different children are both stored.
    first.tap("Leïla Benali")
    second.tap("Dario Conti")
    for visitor in (first, second):
        visitor.is_marked("Leïla Benali", "absent")
        visitor.is_marked("Dario Conti", "present")


@pytest.mark.parametrize("fault", ["no network", "the page that the worker keeps"])
def test_a_change_whose_page_failed_to_load_is_loaded_again(visit, school, fault):
    """The stream announced the change, but the network failed at that moment and no later event follows."""
    visitor = visit(school.owner, school.path("Maple room"), worker=False)
    visitor.expects("ERR_FAILED")
    page, old = visitor.page, visitor.page.content()
    asked = []

    def answer(route):
        if route.request.headers.get("x-pinktower") != "live":
            return route.fallback()
        asked.append(route.request.url)
        if len(asked) > 1:
            return route.fallback()
        return route.abort() if fault == "no network" else route.fulfill(body=old, content_type="text/html")

    page.route("**" + school.path("Maple room"), lambda route: answer(route))
    school.owner.post(
        f"/api/v1/classrooms/{school.rooms['Maple room']}/attendance",
        {"studentId": school.children["Noor Aziz"], "status": "present"})
    visitor.is_marked("Noor Aziz", "present")
    assert len(asked) >= 2


def test_a_page_that_was_read_before_a_form_was_sent_does_not_replace_its_answer(visit, school):
    path = school.path("Maple room")
    guide = visit(school.owner, path, size=DESKTOP)
    pages = HeldPages(guide, path)
    school.owner.post(
        f"/api/v1/classrooms/{school.rooms['Maple room']}/attendance",
        {"studentId": school.children["Noor Aziz"], "status": "present"})
    pages.wait()
    guide.link("Add student").click()
    guide.sheet.get_by_label("First name").fill("Elif")
    guide.sheet.get_by_role("button", name="Add student").click()
    expect(guide.row("Elif")).to_be_visible()
    with guide.page.expect_event("requestfinished"):
        pages.release()
    # Should the old page be shown, nothing replaces it: the next one is held.
    guide.page.wait_for_timeout(500)
    assert guide.row("Elif").is_visible()
    pages.release(is_last=True)
    guide.is_marked("Noor Aziz", "present")
    expect(guide.row("Elif")).to_be_visible()


@pytest.mark.requirement("PT-2M.15.a", "PT-3.22.b")
@pytest.mark.parametrize("by_link", [True, False], ids=["link", "typed"])
def test_a_second_guide_joins_by_code_and_sees_only_assigned_classrooms(visit, server, by_link):
    school = server.found_school(rooms={"Maple room": ["Noor Aziz"], "Birch room": ["Elif Yılmaz"]})
    owner = visit(school.owner, "/settings/invites", size=DESKTOP)
    owner.page.get_by_role("link", name="Create invite").click()
    owner.sheet.get_by_role("button", name="Create invite").click()
    card = owner.page.locator(".pt-codecard")
    expect(card).to_be_visible()
    code = owner.page.locator("[data-copy]").first.get_attribute("data-copy") or ""
    code = code.rsplit("/", 1)[-1]
    assert code, "the page shows no code"

    colleague = server.sign_up("Claire O’Neill")
    guide = visit(colleague, f"/join/{code}" if by_link else "/")
    if not by_link:
        guide.is_at("/welcome")
        guide.link("I have a code").click()
        guide.field("Code").fill(code)
    expect(guide.field("Code")).to_have_value(code)
    guide.button("Join").click()
    guide.is_at("/classrooms")
    expect(guide.page.get_by_text("Your classrooms appear here when your school assigns them")).to_be_visible()
    expect(guide.row("Maple room")).to_have_count(0)

    # The owner's list of invites shows that the code was used.
    expect(owner.page.get_by_text("No open invites")).to_be_visible()

    school.assign("Maple room", colleague)
    expect(guide.row("Maple room")).to_be_visible(timeout=LIVE * 2)
    expect(guide.row("Birch room")).to_have_count(0)
    guide.row("Maple room").get_by_role("link").first.click()
    expect(guide.pill("Noor Aziz")).to_be_visible()
    assert guide.open(school.path("Birch room")).status == 404
    guide.expects("404")

    # It disappears again with the assignment.
    guide.open("/classrooms")
    expect(guide.row("Maple room")).to_be_visible()
    school.assign("Maple room", school.owner)
    expect(guide.row("Maple room")).to_have_count(0)
    assert guide.open(school.path("Maple room")).status == 404


@pytest.mark.requirement("PT-3.37.d")
def test_codes_that_do_not_work_are_refused_beside_the_field(visit, server, school):
    used = school.invite()
    server.sign_up("Claire O’Neill").post("/api/v1/invites/redeem", {"code": used})
    revoked = school.owner.post("/api/v1/invites", {"role": "guide"})
    school.owner.post(f"/api/v1/invites/{revoked['id']}/revoke")
    guide = visit(server.sign_up("Hana Mori"), "/join")
    guide.expects("422")
    for code, sentence in [
        ("NO-SUCH-CODE", "This code does not exist"), (used, "This code has already been used"),
        (revoked["code"], "Your school has canceled this code"),
    ]:
        guide.field("Code").fill(code)
        guide.button("Join").click()
        expect(guide.page.get_by_text(sentence).first).to_be_visible()
        expect(guide.field("Code")).to_have_value(code)
        expect(guide.field("Code")).to_have_attribute("aria-invalid", "true")


@pytest.mark.requirement("PT-3.37.b", "PT-3.37.e")
def test_a_code_is_pasted_as_a_link_or_alone(visit, server, school):
    code = school.invite()
    guide = visit(server.sign_up("Hana Mori"), "/join", permissions=["clipboard-read", "clipboard-write"])
    for text in [f"{server.url}/join/{code}", f"  {code}\n"]:
        guide.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        guide.field("Code").fill("")
        guide.page.locator("button[data-paste]").click()
        expect(guide.field("Code")).to_have_value(code)
    guide.button("Join").click()
    expect(guide.page.locator(".pt-celebration")).to_be_visible()
    guide.is_at("/(homeroom|classrooms|my-day)")


#: A camera with a gray picture, and a detector that finds this code in the third picture.
CAMERA = """code => {
    let pictures = 0;
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 300, 150);
    window.cameraStops = 0;
    navigator.mediaDevices.getUserMedia = async () => {
        const stream = canvas.captureStream(10);
        for (const track of stream.getTracks()) {
            const stop = track.stop.bind(track);
            track.stop = () => { window.cameraStops += 1; stop(); };
        }
        setInterval(() => canvas.getContext("2d").fillRect(0, 0, 300, 150), 50);
        return stream;
    };
    window.BarcodeDetector = class {
        async detect() { pictures += 1; return pictures < 3 || !code ? [] : [{ rawValue: code }]; }
    };
}"""


@pytest.mark.requirement("PT-3.37.c")
def test_a_code_is_scanned_where_the_browser_can_and_the_camera_goes_off(visit, server, school):
    code = school.invite()
    guide = visit(server.sign_up("Hana Mori"), "/join")
    expect(guide.page.locator("button[data-scan]")).to_be_hidden()
    for found in ["", f"{server.url}/join/{code}"]:
        guide.page.add_init_script(f"({CAMERA})({found!r})")
        guide.open("/join")
        guide.page.locator("button[data-scan]").click()
        if not found:
            guide.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        guide.page.evaluate("""() => new Promise((done) => {
            const look = () => (window.cameraStops === 1 ? done() : requestAnimationFrame(look));
            look();
        })""")
        expect(guide.page.locator("dialog.pt-ask")).to_have_count(0)
        expect(guide.field("Code")).to_have_value(code if found else "")

