"""The frame of pages: the rail, the floating button, wide tables, the app's badge."""

import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from test_crawl import crawl

STAFF = ["ana@demo.example", "guide2@demo.example"]
HOME, COURSES, MESSAGES = ("Home", "/home"), ("Courses", "/courses"), ("Messages", "/messages")
#: The rail's entries by role. Students of the sample school have no messages.
RAILS = {
    "ana@demo.example": [HOME, COURSES, MESSAGES], "guide2@demo.example": [HOME, COURSES, MESSAGES],
    "luz@demo.example": [HOME, COURSES, MESSAGES], "sami@demo.example": [HOME, COURSES],
}


def places(visitor):
    """The names of the visible entries in the tabs or the rail."""
    return [link.locator("span").first.inner_text().strip() for link in visitor.page.locator(".pt-nav__link").all() if link.is_visible()]


@pytest.mark.parametrize("email", RAILS, ids=["founder", "guide", "parent", "student"])
def test_the_rail_of_a_wide_screen_has_home_courses_and_messages_for_every_role(visit, server, email):
    someone = visit(server.sign_in(email), "/settings", size=DESKTOP)
    shown = places(someone)
    assert shown[0] == "Home" and len(shown) == len(set(shown)), shown
    if email in STAFF:
        assert shown[-2:] == ["Courses", "Messages"], shown
    for name, path in RAILS[email]:
        assert name in shown, shown
        link = someone.page.locator(f".pt-nav__link[href='{path}']")
        link.click()
        someone.is_at(re.escape(path) + "(\\?.*)?")
        expect(link).to_have_attribute("aria-current", "page")
        expect(someone.page.locator(".pt-nav [aria-current=page]")).to_have_count(1)
    expect(someone.page.locator(".pt-topbar a[href='/messages']")).not_to_be_visible()


#: The learning tools of a student, by the heading of the page that each opens.
TOOLS = {
    "/flashcards": "Flashcards", "/tools/spelling": "Spelling bee", "/tools/math": "Math quiz",
    "/tools/typing": "Typing tutor", "/wellness": "Wellness", "/materials": "Materials in 3D",
    "/tools/scan": "Document scan", "/tools/drawing": "Drawing", "/settings/speech": "Speech to text",
}


@pytest.mark.requirement("WW-1.11.c")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_tools_on_home_open_every_learning_tool_of_a_student(visit, server, size):
    student = visit(server.sign_in("sami@demo.example"), "/home", size=size)
    tools = student.page.get_by_role("region", name="Tools", exact=True)
    for path, heading in TOOLS.items():
        tools.locator(f"a[href='{path}']").click()
        student.is_at(re.escape(path))
        expect(student.heading(heading)).to_be_visible()
        student.page.go_back()
        student.is_at("/home")


def test_a_learning_tool_is_found_by_its_name_and_opened_by_a_link(visit, server):
    student = visit(server.sign_in("sami@demo.example"), "/home", size=PHONE)
    for path, heading in TOOLS.items():
        student.open(f"/search?q={heading.upper()[:-1]}")
        found = student.page.get_by_role("region", name="Pages and tools").locator(f"a[href='{path}']")
        expect(found).to_have_count(1)
        found.click()
        student.is_at(re.escape(path))
        student.open("/open?link=" + path.replace("/", "%2F"))
        student.is_at(re.escape(path))
        expect(student.heading(heading)).to_be_visible()


@pytest.mark.parametrize("email", STAFF, ids=["founder", "guide"])
def test_a_phone_keeps_its_five_tabs(visit, server, email):
    someone = visit(server.sign_in(email), "/settings", size=PHONE)
    shown = places(someone)
    assert len(shown) <= 5 and "Courses" not in shown and "Messages" not in shown, shown
    expect(someone.page.locator(".pt-topbar a[href='/messages']")).to_be_visible()


def test_the_rail_shows_that_a_message_is_unread(visit, school):
    colleague = school.colleague("Bea Lind")
    [founder] = [one for one in colleague.get("/api/v1/conversations/people")["items"] if one["name"] == school.owner.name]
    conversation = colleague.post("/api/v1/conversations", {"personIds": [founder["id"]]})
    colleague.post(f"/api/v1/conversations/{conversation['id']}/messages", {"text": "See you at four"})
    owner = visit(school.owner, "/settings", size=DESKTOP)
    expect(owner.page.locator(".pt-nav__link[href='/messages'] .pt-nav__dot")).to_be_visible()
    expect(owner.page.locator(".pt-nav__link[href='/messages']")).to_contain_text("1")


def demo_pages(server, email, sign):
    """The addresses of the sample school's pages with this text, one of each kind."""
    kinds = {}
    for path, (answer, reader) in crawl(server, email, "en")[0].items():
        if reader is not None and sign in answer.text:
            kinds.setdefault(re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<==)[^&]+", "*", path), path)
    return list(kinds.values())


COVERED = """() => {
    scrollTo(0, document.documentElement.scrollHeight);
    const button = document.querySelector("main > .pt-fab, main > form > .pt-fab, main > .pt-fab-box");
    if (!button) return null;
    const under = button.getBoundingClientRect();
    const meet = (a, b) => ({ left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom) });
    const covered = [];
    for (const box of document.querySelectorAll("main *")) {
        if (box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth) box.scrollTo(box.scrollWidth, box.scrollHeight);
    }
    for (const control of document.querySelectorAll("main :is(a, button, input, select, textarea, summary, pt-gradebook td)")) {
        if (button.contains(control) || button === control || !control.checkVisibility({ visibilityProperty: true })) continue;
        let part = meet(control.getBoundingClientRect(), under);
        for (let box = control.parentElement; box; box = box.parentElement) {
            if (box !== document.body && box !== document.documentElement && getComputedStyle(box).overflow !== "visible") part = meet(part, box.getBoundingClientRect());
        }
        if (part.right - part.left > 1 && part.bottom - part.top > 1) covered.push(control.outerHTML.slice(0, 160));
    }
    return covered;
}"""


@pytest.mark.parametrize("email", ["ana@demo.example", "luz@demo.example"], ids=["founder", "parent"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_at_the_end_of_a_page_nothing_lies_under_the_floating_button(visit, server, email, size):
    paths = demo_pages(server, email, "pt-app--fab")
    assert paths
    someone = visit(server.sign_in(email), size=size)
    faults = {}
    for path in paths:
        someone.open(path)
        covered = someone.page.evaluate(COVERED)
        assert covered is not None, path
        if covered:
            faults[path] = covered
    assert not faults, faults


#: What of the page is visible at the height of the floating button, over the whole width of the page and at several
#: positions of its scroll bar. A control that shows there may lie under the button.
BESIDE = """() => {
    const button = document.querySelector("main > .pt-fab, main > form > .pt-fab, main > .pt-fab-box");
    const main = document.querySelector("main").getBoundingClientRect();
    const seen = new Set();
    for (const share of [0, 0.3, 0.7]) {
        scrollTo(0, share * (document.documentElement.scrollHeight - innerHeight));
        const under = button.getBoundingClientRect();
        // On a wide screen an open sheet is over the button.
        if (!button.contains(document.elementFromPoint((under.left + under.right) / 2, (under.top + under.bottom) / 2))) continue;
        for (let y = under.top + 1; y < under.bottom; y += 8) {
            for (let x = Math.max(main.left, 0) + 4; x < Math.min(main.right, innerWidth); x += 16) {
                const top = document.elementFromPoint(x, y);
                const control = top?.closest("main :is(a, button, input, select, textarea, summary, td, th, li)");
                if (control && !button.contains(control)) seen.add(control.outerHTML.slice(0, 160));
            }
        }
    }
    return [...seen];
}"""


@pytest.mark.parametrize("email", ["ana@demo.example", "luz@demo.example"], ids=["founder", "parent"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_page_ends_above_the_floating_button_before_it_is_scrolled(visit, server, email, size):
    paths = demo_pages(server, email, "pt-app--fab")
    someone = visit(server.sign_in(email), size=size)
    faults = {}
    for path in paths:
        someone.open(path)
        if someone.page.locator("pt-gradebook").count():
            expect(someone.page.locator("pt-gradebook tbody td").last).to_be_attached()
        seen = someone.page.evaluate(BESIDE)
        if seen:
            faults[path] = seen
    assert not faults, faults


def test_a_row_with_the_focus_is_above_the_floating_button(visit, server):
    founder = server.sign_in("ana@demo.example")
    path = next(path for path in demo_pages(server, founder.email, "<pt-gradebook") if path.endswith("/gradebook"))
    teacher = visit(founder, path, size=DESKTOP)
    cells = teacher.page.locator("pt-gradebook tbody td.num")
    cells.first.focus()
    button = teacher.page.locator("main > .pt-fab, main > .pt-fab-box").bounding_box()
    for _ in range(teacher.page.locator("pt-gradebook tbody tr").count() - 1):
        teacher.page.keyboard.press("ArrowDown")
        cell = teacher.focused().bounding_box()
        assert cell["y"] + cell["height"] <= button["y"], cell


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_last_cell_of_a_gradebook_does_not_lie_under_the_floating_button(visit, server, size):
    founder = server.sign_in("ana@demo.example")
    path = next(path for path in demo_pages(server, founder.email, "<pt-gradebook") if path.endswith("/gradebook"))
    teacher = visit(founder, path, size=size)
    expect(teacher.page.locator("pt-gradebook tbody td").last).to_be_visible()
    assert teacher.page.evaluate(COVERED) == []


#: The state of a table's box: whether the table overflows it, whether the page overflows, and where its first column
#: is.
TABLES = """() => [...document.querySelectorAll("main .pt-table-box")].filter((box) => box.checkVisibility()).map((box) => {
    const table = box.querySelector("table");
    const goesOn = table.getBoundingClientRect().width > box.clientWidth + 1;
    const fade = getComputedStyle(box, "::after");
    const atStart = Number(fade.opacity);
    const scrolls = box.scrollWidth > box.clientWidth;
    box.scrollLeft = box.scrollWidth;
    const first = table.querySelector("tbody th")?.getBoundingClientRect().left ?? 0;
    return {
        label: box.getAttribute("aria-label"), tabindex: box.tabIndex, goesOn, scrolls, atStart,
        moved: box.scrollLeft, firstStays: Math.abs(first - box.getBoundingClientRect().left) < 2,
        pageIsWider: document.documentElement.scrollWidth > innerWidth,
    };
})"""


@pytest.mark.parametrize("email", ["ana@demo.example", "luz@demo.example", "sami@demo.example"], ids=["founder", "parent", "student"])
def test_a_table_on_a_phone_fits_or_scrolls_in_its_own_box_and_shows_that_it_goes_on(visit, server, email):
    paths = demo_pages(server, email, "pt-table-box")
    assert paths
    someone = visit(server.sign_in(email), size=PHONE)
    for path in paths:
        someone.open(path)
        for table in someone.page.evaluate(TABLES):
            where = (path, table)
            assert table["label"] and table["tabindex"] == 0 and not table["pageIsWider"], where
            assert table["scrolls"] == table["goesOn"], where
            assert table["atStart"] == (1 if table["goesOn"] else 0), where
            assert not table["goesOn"] or table["firstStays"], where


def test_the_report_card_fits_a_phone(visit, server):
    parent = visit(server.sign_in("luz@demo.example"), "/grades/report", size=PHONE)
    expect(parent.page.locator(".pt-table").first).to_be_visible()
    assert not [table for table in parent.page.evaluate(TABLES) if table["scrolls"]]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_unread_dots_are_aligned_at_the_end_of_the_rows(visit, server, size):
    parent = visit(server.sign_in("luz@demo.example"), "/messages", size=size)
    dots = parent.page.locator("#main .pt-dot--unread")
    expect(dots.first).to_be_visible()
    ends = set()
    for dot in dots.all():
        box = dot.bounding_box()
        time = dot.locator("xpath=preceding-sibling::*[1]").bounding_box()
        assert abs(box["y"] + box["height"] / 2 - time["y"] - time["height"] / 2) < 2, "in one line with the time"
        ends.add(round(box["x"] + box["width"]))
    assert len(ends) == 1


BADGE = """
    window.badges = [];
    navigator.setAppBadge = async (number) => void badges.push(number);
    navigator.clearAppBadge = async () => void badges.push(0);
"""


def test_the_badge_of_the_app_is_the_number_of_the_bell_and_goes_when_nothing_is_unread(visit, server):
    school = server.found_school()
    parent = visit(school.owner, size=PHONE)
    parent.page.add_init_script(BADGE)
    parent.open("/settings")
    parent.until("() => badges.at(-1) === 0")
    colleague = school.colleague("Bea Lind")
    [founder] = [one for one in colleague.get("/api/v1/conversations/people")["items"] if one["name"] == school.owner.name]
    conversation = colleague.post("/api/v1/conversations", {"personIds": [founder["id"]]})
    colleague.post(f"/api/v1/conversations/{conversation['id']}/messages", {"text": "See you at four"})
    parent.until("""async () => {
        const page = new DOMParser().parseFromString(await (await fetch("/settings")).text(), "text/html");
        return Number(page.querySelector("a[data-unread]").dataset.unread) > 0;
    }""")
    parent.open("/settings")
    shown = int(parent.page.locator("a[data-unread]").get_attribute("data-unread"))
    assert shown > 0
    parent.until("(shown) => badges.at(-1) === shown", shown)
    parent.open("/notifications")
    parent.button(re.compile("^Mark all")).click()
    expect(parent.page.locator("a[data-unread]")).to_have_attribute("data-unread", "0")
    parent.until("() => badges.at(-1) === 0")


def test_a_confirmation_sends_what_was_on_the_page_when_it_opened(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP, worker=True)
    guide.keeps_page()
    guide.row("Noor Aziz").click(button="right")
    form = guide.row("Noor Aziz").locator("form[action$='/remove'], form[data-confirm*='out of the class']").first
    key = form.locator("input[name=_key]").get_attribute("value")
    guide.row("Noor Aziz").locator(".pt-menu").get_by_text("Remove from class").click()
    expect(guide.question).to_be_visible()
    # The page refreshes behind the question and replaces hidden fields of its forms.
    leila = school.children["Leïla Benali"]
    school.owner.post(f"/api/v1/classrooms/{school.rooms['Maple room']}/attendance", {"studentId": leila, "status": "present"})
    expect(guide.pill("Leïla Benali")).to_have_attribute("data-state", "present")
    guide.until("([form, key]) => form.elements.namedItem('_key').value !== key", [form.element_handle(), key])
    with guide.page.expect_request(lambda request: request.method == "POST") as sent:
        guide.question.get_by_role("button", name="Remove from class").click()
    assert f"_key={key}" in sent.value.post_data
    expect(guide.row("Noor Aziz")).to_have_count(0)


@pytest.mark.parametrize("language,waits,present", [
    ("en-US", "Waiting to be sent", "Present"), ("fr-FR", "En attente d’envoi", "Présent")], ids=["en", "fr"])
def test_without_a_network_the_row_the_pill_and_the_voice_say_that_a_mark_waits(visit, server, language, waits, present):
    school = server.found_school()
    guide = visit(school.owner, school.path("Maple room"), language=language)
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED")
    guide.keeps_page()
    guide.page.context.set_offline(True)
    row = guide.row("Noor Aziz")
    guide.tap("Noor Aziz")
    expect(row.locator(".pt-list-cell__subtitle")).to_have_text(waits)
    expect(guide.pill("Noor Aziz")).to_have_attribute("aria-label", re.compile(re.escape(waits) + "$"))
    expect(guide.page.locator("#pt-toasts")).to_contain_text(waits)
    expect(guide.page.locator(".pt-outbox")).to_contain_text(waits)
    guide.page.reload()
    expect(row.locator(".pt-list-cell__subtitle")).to_have_text(waits)
    guide.page.context.set_offline(False)
    expect(guide.page.locator(".pt-outbox")).to_have_count(0)
    expect(row.locator(".pt-list-cell__subtitle")).not_to_have_text(waits)
    expect(guide.pill("Noor Aziz")).not_to_have_attribute("aria-label", re.compile(re.escape(waits)))
    expect(guide.pill("Noor Aziz")).to_contain_text(present)


def test_without_a_network_the_row_of_a_task_says_that_it_waits(visit, school):
    child = school.children["Noor Aziz"]
    school.owner.post(f"/api/v1/students/{child}/habits", {"name": "Coat"})
    guide = visit(school.owner, f"/students/{child}")
    guide.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED")
    guide.keeps_page()
    guide.page.context.set_offline(True)
    box = guide.page.get_by_role("checkbox", name=re.compile("Coat"))
    before = box.get_attribute("aria-label")
    box.click()
    expect(box).to_have_attribute("aria-label", re.compile("Waiting to be sent$"))
    expect(guide.page.locator("#pt-toasts")).to_contain_text("Waiting to be sent")
    guide.page.context.set_offline(False)
    expect(guide.page.locator(".pt-outbox")).to_have_count(0)
    expect(box).to_have_attribute("aria-label", before)
    expect(box).to_have_attribute("aria-checked", "true")
