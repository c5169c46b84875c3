"""Layout, appearance and motion."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from test_feedback import FELT
from test_menus import Finger, middle

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
#: The height that a keyboard leaves of a phone's window.
ABOVE_KEYBOARD = 500


@pytest.fixture
def full_school(server):
    """A class whose list is longer than the window."""
    return server.found_school(rooms={"Maple room": [f"Child {number:02}" for number in range(24)] + ["Noor Aziz"]})


def edges(locator):
    """Left, top, right and bottom within the window."""
    box = locator.evaluate("one => one.getBoundingClientRect().toJSON()")
    return [box[side] for side in ("left", "top", "right", "bottom")]


def look(locator, *names, part=None):
    """Computed styles, also of a pseudo-element such as `::before`."""
    return locator.evaluate(
        "(one, [names, part]) => names.map((name) => getComputedStyle(one, part)[name])", [list(names), part])


def resolved(page, name, style):
    """The resolved value of a style with tokens."""
    return page.evaluate(
        """([name, style]) => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.cssText = name + ":" + style;
            const value = getComputedStyle(probe)[name];
            probe.remove();
            return value;
        }""", [name, style])


def settle(locator):
    """Waits until all animations have ended."""
    moving = "one => one.getAnimations({ subtree: true }).some((motion) => motion.playState === 'running')"
    for _ in range(200):
        if not locator.evaluate(moving):
            return
        locator.page.wait_for_timeout(50)
    raise AssertionError(f"{locator} never came to rest")


def cover(page, height=ABOVE_KEYBOARD):
    """Simulates a keyboard that covers the page, as on an iPhone: the visual viewport shrinks, the window does not."""
    page.evaluate(
        """(height) => {
            Object.defineProperty(visualViewport, "height", { value: height, configurable: true });
            visualViewport.dispatchEvent(new Event("resize"));
        }""", height)


# --- The frame


@pytest.mark.requirement("PT-1.19.d")
def test_the_tabs_of_a_phone_stay_at_the_bottom(visit, full_school):
    guide = visit(full_school.owner, full_school.path("Maple room"))
    tabs = guide.page.locator(".pt-nav__list")
    before = edges(tabs)
    assert PHONE[1] - 24 <= before[3] <= PHONE[1] and before[1] > 0.85 * PHONE[1], before
    guide.until("() => { scrollTo(0, 600); return scrollY > 400; }")
    assert edges(tabs) == before


@SIZES
def test_search_notifications_and_account_are_at_the_end_of_the_top_bar(visit, school, size):
    guide = visit(school.owner, size=size)
    for path in [school.path("Maple room"), "/home", "/settings"]:
        guide.open(path)
        capsule = edges(guide.page.locator(".pt-topbar__capsule"))
        title = edges(guide.page.locator(".pt-topbar__title"))
        last = title[2]
        for name in ["Search", "Notifications", "Account of Ana Ruiz"]:
            place = edges(guide.page.locator(f".pt-topbar__capsule [aria-label^='{name}']"))
            assert last <= place[0] and place[2] <= capsule[2], (path, name)
            last = place[2]


#: The capsule, the words of its title, what its controls take at each side, and the room between its paddings.
BAR = """() => {
    const box = (one) => one.getBoundingClientRect();
    const capsule = document.querySelector(".pt-topbar__capsule");
    const words = document.createRange();
    words.selectNodeContents(capsule.querySelector(".pt-topbar__title"));
    const sides = [...capsule.querySelectorAll(".pt-topbar__side")].map((side) =>
        [...side.children].reduce((sum, one) => sum + box(one).width, 0));
    const { paddingLeft, paddingRight } = getComputedStyle(capsule);
    const room = box(capsule).width - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return { left: box(capsule).left, right: box(capsule).right, from: box(words).left, to: box(words).right, sides, room };
}"""


@pytest.mark.requirement("PT-3.06.b")
@SIZES
def test_the_title_of_the_top_bar_is_centered_where_it_fits(visit, school, size):
    guide = visit(school.owner, size=size)
    centered = set()
    for path in [school.path("Maple room"), "/classrooms", "/home", "/my-day", "/settings", "/settings/members"]:
        guide.open(path)
        bar = guide.page.evaluate(BAR)
        off = bar["from"] + bar["to"] - bar["left"] - bar["right"]
        if bar["to"] - bar["from"] + 2 * max(bar["sides"]) + 4 <= bar["room"]:
            assert abs(off) < 3, f"{path}: the title is {off / 2} px beside the middle"
            centered.add(path)
        start, end = bar["sides"]
        assert bar["left"] + start <= bar["from"] and bar["to"] <= bar["right"] - end, f"{path}: {bar}"
        assert guide.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert {school.path("Maple room"), "/settings"} <= centered, centered
    if size is DESKTOP:
        assert len(centered) == 6, centered


@pytest.mark.requirement("PT-3.08.a")
def test_the_background_has_soft_shapes_and_the_page_avoids_notch_and_edges(visit, school):
    guide = visit(school.owner, "/home", size=(844, 390))
    ground = guide.page.locator(".pt-ground")
    expect(ground).to_have_css("position", "fixed")
    assert edges(ground) == [0, 0, 844, 390]
    for shape in ["::before", "::after"]:
        content, corners, color = look(ground, "content", "borderRadius", "backgroundColor", part=shape)
        assert content == '""' and "%" in corners, shape
        assert color == resolved(guide.page, "background-color", "var(--surface-alt)")
    inset = {"top": 20, "left": 50, "right": 50, "bottom": 20}
    guide.page.context.new_cdp_session(guide.page).send("Emulation.setSafeAreaInsetsOverride", {"insets": inset})
    for part in [".pt-topbar__capsule", ".pt-nav__list", "main > :first-child"]:
        left, top, right, bottom = edges(guide.page.locator(part).first)
        assert left >= 50 and right <= 844 - 50 and top >= 20, part
    assert edges(guide.page.locator(".pt-nav__list"))[3] <= 390 - 20
    assert edges(ground) == [0, 0, 844, 390]


@pytest.mark.requirement("PT-3.11.a")
@SIZES
@pytest.mark.parametrize("path", ["/notifications", "/messages", "/search?q=zzzz"])
def test_an_empty_page_says_so_in_the_middle(visit, school, path, size):
    guide = visit(school.owner, path, size=size)
    card = guide.page.locator("#main .pt-empty")
    expect(card).to_have_css("text-align", "center")
    left, _, right, _ = edges(card)
    around = edges(guide.page.locator("#main"))
    assert abs(left + right - around[0] - around[2]) < 2
    for part in [card.get_by_role("heading"), card.locator("p")]:
        box = edges(part)
        assert abs(box[0] + box[2] - left - right) < 2
        assert part.inner_text()


@pytest.mark.requirement("PT-3.35.b")
@SIZES
def test_the_button_of_the_sign_in_is_centered(visit, server, size):
    guest = visit(at=server, path="/sign-in", size=size)
    button, panel = edges(guest.button("Sign in", exact=True)), edges(guest.page.locator(".pt-signin__panel"))
    assert abs(button[0] + button[2] - panel[0] - panel[2]) < 2


@pytest.mark.requirement("PT-3.20.c")
@SIZES
def test_the_buttons_of_the_wizard_stay_at_the_bottom(visit, server, size):
    guide = visit(server.sign_up("Amina Diallo"), "/welcome/school", size=size)

    def is_at_the_bottom(*names):
        bar = guide.page.locator(".pt-actionbar")
        expect(bar).to_have_css("position", "fixed")
        assert edges(bar)[3] == size[1]
        for name in names:
            box = edges(bar.get_by_text(name, exact=True))
            assert size[1] - 90 <= box[1] and box[3] <= size[1], name

    is_at_the_bottom("Next")
    guide.field("School name").fill("Birch Lane")
    guide.button("Next").click()
    guide.is_at("/welcome/classroom")
    is_at_the_bottom("Back", "Next")
    guide.field("Classroom name").fill("Otter room")
    guide.button("Next").click()
    guide.is_at("/welcome/students")
    for number in range(12):
        guide.field("First name").fill(f"Child {number:02}")
        guide.button("Add another").click()
        expect(guide.row(f"Child {number:02}")).to_be_visible()
    is_at_the_bottom("Back", "Finish")
    guide.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    last = edges(guide.page.locator("#main li").last)
    assert last[3] <= edges(guide.page.locator(".pt-actionbar"))[1], "the last child does not lie under the bar"


# --- The floating button


@pytest.mark.requirement("PT-3.09.a")
@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_floating_button_is_round_primary_and_raised(visit, school, size, scheme):
    guide = visit(school.owner, "/classrooms", size=size, scheme=scheme)
    button = guide.page.locator("main .pt-fab")
    box = button.bounding_box()
    assert button.evaluate("one => parseFloat(getComputedStyle(one).borderTopLeftRadius)") >= box["height"] / 2
    expect(button).to_have_css("background-color", resolved(guide.page, "background-color", "var(--primary)"))
    expect(button).to_have_css("box-shadow", resolved(guide.page, "box-shadow", "var(--shadow-raised)"))


@pytest.mark.requirement("PT-3.26.b")
@SIZES
def test_a_classroom_is_added_at_the_bottom_right(visit, school, size):
    guide = visit(school.owner, "/classrooms", size=size)
    button = guide.page.locator("main").get_by_role("link", name="Create classroom")
    if size is DESKTOP:
        expect(button).to_have_text("Create classroom")
    expect(button.locator("use")).to_have_attribute("href", re.compile("#i-plus$"))
    left, top, right, bottom = edges(button)
    assert left > size[0] / 2 and size[0] - 40 <= right <= size[0]
    assert top > size[1] / 2 and size[1] - 40 <= bottom <= size[1]


@pytest.mark.requirement("PT-3.09.c")
def test_the_floating_button_and_its_fan_move_clear_of_a_keyboard(visit, school):
    guide = visit(school.owner, f"/students/{school.children['Noor Aziz']}")
    button = guide.page.locator("main summary.pt-fab")
    assert edges(button)[3] > ABOVE_KEYBOARD
    cover(guide.page)
    assert edges(button)[3] <= ABOVE_KEYBOARD
    button.click()
    fan = guide.page.locator("main .pt-fan")
    settle(fan)
    assert edges(fan)[3] <= edges(button)[1]
    cover(guide.page, PHONE[1])
    assert edges(button)[3] > ABOVE_KEYBOARD


@pytest.mark.requirement("PT-3.33.a")
def test_the_fan_of_a_child_opens_with_a_spring(visit, school):
    guide = visit(school.owner, f"/students/{school.children['Noor Aziz']}")
    guide.page.locator("main summary.pt-fab").click()
    items = guide.page.locator("main .pt-fan__item")
    expect(items.first).to_be_visible()
    assert items.count() > 3
    duration = resolved(guide.page, "animation-duration", "auto; animation: pt-fan-in var(--motion-spring-medium)")
    curve = resolved(guide.page, "animation-timing-function", "ease; animation: pt-fan-in var(--motion-spring-medium)")
    # A spring overshoots and returns.
    assert max(float(number) for number in re.findall(r"[\d.]+", curve)) > 1
    for item in items.all():
        expect(item).to_have_css("animation-name", "pt-fan-in")
        expect(item).to_have_css("animation-duration", duration)
        expect(item).to_have_css("animation-timing-function", curve)
    delays = items.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).animationDelay))")
    assert len(set(delays)) == len(delays), "one after the other"


# --- Sheets


@pytest.mark.requirement("PT-3.10.b")
def test_a_pull_up_makes_a_sheet_large(visit, school):
    guide = visit(school.owner, school.path("Maple room"), touch=True, is_mobile=True)
    guide.row("Noor Aziz").locator(".pt-list-cell__main").tap()
    expect(guide.sheet).to_be_visible()
    settle(guide.sheet)
    assert guide.sheet.bounding_box()["height"] < 0.92 * PHONE[1]
    x, y = middle(guide.sheet.locator(".pt-sheet__grabber"))
    Finger(guide.page).drag((x, y), (x, y - 60))
    expect(guide.sheet).to_have_attribute("data-detent", "large")
    settle(guide.sheet)
    assert guide.sheet.bounding_box()["height"] > 0.95 * PHONE[1]


#: Sheets with a form, with a page, and one that fits its content.
SHEETS = {
    "form": "{room}?sheet=new-student", "page": "{room}?sheet=%2Fstudents%2F{child}",
    "fitted": "/settings/invites?sheet=new-invite",
}


@pytest.mark.requirement("PT-3.10.d")
@pytest.mark.parametrize("kind", SHEETS)
def test_every_sheet_scrolls_in_itself_and_the_page_behind_stays(visit, full_school, kind):
    path = SHEETS[kind].format(room=full_school.path("Maple room"), child=full_school.children["Noor Aziz"])
    # A window so low that every sheet overflows.
    guide = visit(full_school.owner, path, size=(390, 300))
    expect(guide.sheet).to_be_visible()
    settle(guide.sheet)
    body = guide.sheet.locator(".pt-sheet__body")
    expect(body).to_have_css("overflow-y", "auto")
    expect(body).to_have_css("overscroll-behavior-y", "contain")
    before = guide.page.evaluate("scrollY")
    body.evaluate("one => one.scrollTo(0, 0)")
    guide.page.mouse.move(*middle(body))
    for _ in range(50):
        guide.page.mouse.wheel(0, 200)
        if body.evaluate("one => one.scrollTop"):
            break
        guide.page.wait_for_timeout(50)
    assert body.evaluate("one => one.scrollTop"), "the sheet itself scrolls"
    # Scrolling a sheet beyond its end does not scroll the page.
    body.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    guide.page.mouse.wheel(0, 400)
    guide.page.wait_for_timeout(200)
    assert guide.page.evaluate("scrollY") == before


@pytest.mark.requirement("PT-3.10.e")
@pytest.mark.parametrize("way", ["close", "escape", "pull", "form"])
def test_closing_a_sheet_vibrates(visit, school, way):
    guide = visit(school.owner, touch=True, is_mobile=True)
    guide.page.add_init_script(FELT)
    guide.open(school.path("Maple room"))
    guide.link("Add student").tap()
    expect(guide.sheet).to_be_visible()
    settle(guide.sheet)
    guide.sheet.get_by_label("First name").fill("Elif")
    guide.page.evaluate("felt.length = 0")
    if way == "close":
        guide.sheet.get_by_role("link", name="Close").tap()
    elif way == "escape":
        guide.page.keyboard.press("Escape")
    elif way == "pull":
        x, y = middle(guide.sheet.locator(".pt-sheet__grabber"))
        Finger(guide.page).drag((x, y), (x, y + 260))
    else:
        # By Return, since pressing a button would vibrate itself.
        guide.sheet.get_by_label("First name").press("Enter")
        expect(guide.row("Elif")).to_be_visible()
    expect(guide.sheet).to_have_count(0)
    assert guide.page.evaluate("felt").count([14]) == 1, guide.page.evaluate("felt")


@pytest.mark.requirement("PT-3.29.b")
def test_a_child_is_closed_by_a_pull_and_the_list_keeps_its_place(visit, full_school):
    guide = visit(full_school.owner, full_school.path("Maple room"), touch=True, is_mobile=True)
    row = guide.row("Noor Aziz")
    row.scroll_into_view_if_needed()
    before = guide.page.evaluate("scrollY")
    assert before > 200
    row.locator(".pt-list-cell__main").tap()
    expect(guide.sheet.get_by_role("heading", name="Noor Aziz")).to_be_visible()
    settle(guide.sheet)
    x, y = middle(guide.sheet.locator(".pt-sheet__grabber"))
    Finger(guide.page).drag((x, y), (x, y + 260))
    expect(guide.sheet).to_have_count(0)
    guide.is_at(full_school.path("Maple room"))
    expect(row).to_be_in_viewport()
    assert abs(guide.page.evaluate("scrollY") - before) < 2


@pytest.mark.requirement("PT-3.32.e")
def test_a_keyboard_hides_nothing_of_what_is_written_about_a_child(visit, school):
    guide = visit(school.owner, school.path("Maple room"), touch=True, is_mobile=True)
    guide.row("Noor Aziz").locator(".pt-list-cell__main").tap()
    note = guide.sheet.get_by_label("Note", exact=True)
    expect(note).to_be_focused()
    settle(guide.sheet)
    gaps = guide.sheet.locator(".pt-sheet__body").evaluate(
        """one => {
            const boxes = [...one.children].map((part) => part.getBoundingClientRect()).filter((box) => box.height > 0);
            return boxes.slice(1).map((box, place) => Math.round(box.top - boxes[place].bottom));
        }""")
    assert len(gaps) > 2 and len(set(gaps)) == 1, gaps
    # `interactive-widget=resizes-content`: the keyboard makes the window smaller.
    guide.page.set_viewport_size({"width": PHONE[0], "height": ABOVE_KEYBOARD - 60})
    note.press_sequentially("Traced m")
    for part in [note, guide.sheet.get_by_role("button", name="Save", exact=True)]:
        expect(part).to_be_in_viewport(ratio=1)
        # An element in the window may still be covered.
        assert part.evaluate(
            """one => {
                const { left, width, bottom } = one.getBoundingClientRect();
                return one.contains(document.elementFromPoint(left + width / 2, bottom - 4));
            }""")


# --- Feedback


@pytest.mark.requirement("PT-3.14.b")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pill_has_a_ring_in_the_color_of_its_state(visit, school, scheme):
    guide = visit(school.owner, school.path("Maple room"), scheme=scheme)
    rings = []
    for state, color in [("unset", "--outline"), ("present", "--leaf-3"), ("absent", "--clay-3")]:
        if state != "unset":
            guide.tap("Noor Aziz")
        guide.is_marked("Noor Aziz", state)
        settle(guide.pill("Noor Aziz"))
        [ring] = look(guide.pill("Noor Aziz"), "boxShadow", part="::before")
        assert ring == resolved(guide.page, "box-shadow", f"inset 0 0 0 1px var({color})"), state
        rings.append(ring)
    assert len(set(rings)) == 3


@pytest.mark.requirement("PT-3.14.c")
def test_a_tap_on_a_pill_vibrates(visit, school):
    guide = visit(school.owner)
    guide.page.add_init_script(FELT)
    guide.open(school.path("Maple room"))
    guide.tap("Noor Aziz")
    assert guide.page.evaluate("felt")[0] == [8]


@pytest.mark.requirement("PT-3.15.a", "PT-3.15.b")
@SIZES
def test_a_toast_is_at_the_bottom_and_disappears_unless_the_pointer_is_on_it(visit, school, size):
    guide = visit(school.owner, size=size)
    page = guide.page
    page.clock.install()
    guide.open("/settings/organization")
    # From now on time passes only when the test says so.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    guide.button("Save", exact=True).first.click()
    toast = page.locator("#pt-toasts .pt-toast")
    expect(toast).to_be_visible()
    left, top, right, bottom = edges(toast)
    assert top > 0.8 * size[1] and bottom < size[1]
    assert abs(left + right - size[0]) < 4
    if size is PHONE:
        assert bottom <= edges(page.locator(".pt-nav__list"))[1], "above the tabs"
    delay = page.evaluate("parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--delay-toast'))")
    assert 2000 <= delay <= 8000
    page.mouse.move(*middle(toast))
    page.clock.run_for(2 * delay)
    expect(toast).to_be_visible()
    page.mouse.move(2, 2)
    page.clock.run_for(delay - 100)
    expect(toast).not_to_have_attribute("data-leaving", "")
    page.clock.run_for(1000)
    expect(toast).to_have_count(0)


@pytest.mark.requirement("WW-16.05.b")
def test_skeletons_shimmer_unless_motion_is_reduced(visit, server):
    for motion, shown in [("no-preference", "block"), ("reduce", "none")]:
        guest = visit(at=server, path="/gallery", reduced_motion=motion)
        shapes = guest.page.locator(".pt-skeleton")
        assert shapes.count() > 3
        for shape in shapes.all():
            name, count, display = look(shape, "animationName", "animationIterationCount", "display", part="::after")
            assert display == shown
            assert motion == "reduce" or (name, count) == ("pt-shimmer", "infinite")


@pytest.mark.requirement("WW-16.05.c")
def test_a_slow_page_has_the_shape_of_its_content_and_no_spinner(visit, demo):
    # A worker asks by itself, where no route catches it.
    guide = visit(demo, "/homeroom", worker=False)
    page, bones = guide.page, guide.page.locator("#main .pt-waiting")
    held = []

    def follow(address):
        """A link to a page whose answer is held back."""
        page.route("**" + address, lambda route: held.append(route), times=1)
        page.evaluate("""(href) => {
            const link = Object.assign(document.createElement("a"), { href });
            document.body.append(link);
            link.click();
            link.remove();
        }""", address)

    follow("/settings/students")
    expect(bones).to_be_visible()
    expect(bones.locator("li")).to_have_count(8)
    expect(bones).to_have_attribute("aria-busy", "true")
    expect(bones).to_have_attribute("aria-label", "Loading")
    expect(bones.locator(".pt-skeleton").first).to_be_visible()
    expect(page.locator("#main > :visible")).to_have_count(1)
    expect(page.locator(".pt-progress, [role=progressbar]")).to_have_count(0)
    held.pop().continue_()
    expect(bones).to_have_count(0)
    guide.is_at("/settings/students")
    # Where nothing comes, what was there is there again.
    shown = page.locator("#main").inner_text()
    guide.expects("ERR_FAILED")
    follow("/my-day")
    expect(bones).to_be_visible()
    held.pop().abort()
    expect(bones).to_have_count(0)
    assert page.locator("#main").inner_text() == shown
    guide.is_at("/settings/students")
    # A page that was seen before has its own shape.
    follow("/homeroom")
    expect(bones).to_be_visible()
    held.pop().continue_()
    guide.is_at("/classrooms")


@pytest.mark.parametrize("language", ["en-US", "fr-CA"])
def test_the_tabs_beside_the_floating_button_have_whole_words_or_none(visit, server, language):
    student = visit(server.sign_in("sami@demo.example"), "/leave", language=language)
    expect(student.page.locator(".pt-fab")).to_be_visible()
    words = student.page.locator(".pt-nav__list > li:not(.pt-nav__rail) .pt-nav__link span")
    assert words.count() == 5, "with fewer tabs there is room for all words"
    for word in words.all():
        width, needed = word.evaluate("one => [one.clientWidth, one.scrollWidth]")
        assert width <= 1 or needed <= width, word.inner_text()
    assert all(link.inner_text() or link.get_attribute("aria-label") for link in words.locator("..").all())
