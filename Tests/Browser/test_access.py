"""Accessibility: axe, contrast, zoom, small screens, touch targets, reduced motion."""

import json
import re
from urllib.parse import parse_qs

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from test_crawl import crawl

#: Public pages that no link leads to.
PUBLIC = ["/sign-up/mail", "/sign-up/parent", "/forgot?sent=yes", "/confirm/x", "/consent/x", "/consent/done?answer=agree",
    "/reset/x", "/nothing/here"]
#: Pages that no link of the sample school leads to; names in braces stand for ids.
UNLINKED = [
    "/classrooms/{classroom}?sheet=%2Fstudents%2F{student}", "/classrooms/{classroom}/students/new", "/search?q=a",
    "/search?q=zzzz", "/welcome", "/welcome/student", "/welcome/classroom"]
#: The readers whose pages are checked; others see a part of these.
READERS = {"nobody": None, "founder": "ana@demo.example", "parent": "luz@demo.example", "student": "sami@demo.example"}
#: A bound above the number of their addresses.
LIMIT = 1000
AXE = Axe()


def kind_of(address):
    """The kind of an address: without ids and queries. A sheet is of its own kind, unless it shows a page."""
    path, _, query = address.partition("?")
    sheet = parse_qs(query).get("sheet", [""])[0]
    if sheet.startswith("/"):
        path = sheet.partition("?")[0].partition("#")[0]
    elif sheet:
        path += f"?sheet={sheet}"
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/outbox/).+|(?<=/materials/).+", "*", path)


@pytest.fixture(scope="module")
def pages(server, demo):
    """Readers and paths: the fullest page of each kind, found by following the links of the sample school."""
    found = []
    for reader, email in READERS.items():
        fullest = {}
        for answer, page in crawl(server, email, "en", kind_of, LIMIT)[0].values():
            kind = kind_of(answer.url.removeprefix(server.url))
            if page is not None and (kind not in fullest or len(answer.text) > len(fullest[kind].text)):
                fullest[kind] = answer
        found += [(reader, fullest[kind].url.removeprefix(server.url)) for kind in sorted(fullest)]
    assert len(found) > 150, found
    classroom = demo.get("/api/v1/classrooms")["items"][0]["id"].lower()
    student = demo.get(f"/api/v1/classrooms/{classroom}/roster")["items"][0]["student"]["id"].lower()
    more = [("founder", path.format(classroom=classroom, student=student)) for path in UNLINKED]
    return found + [("nobody", path) for path in PUBLIC] + more


@pytest.fixture
def tour(visit, server):
    """Visits pages one after the other, each as its reader."""

    def go(pages, **options):
        visitors = {}
        for reader, path in pages:
            if reader not in visitors:
                email = READERS[reader]
                visitors[reader] = visit(server.sign_in(email) if email else None, at=server, **options)
                visitors[reader].expects("404")
            visitor = visitors[reader]
            visitor.open(path)
            expect(visitor.page.locator("h1")).to_have_count(1)
            # Modules come after the page: they draw islands, show the recording button, scroll a conversation to its end.
            visitor.until("() => !document.querySelector('[data-voice][hidden]')")
            visitor.until(
                "() => !document.querySelector('[data-talk]') || scrollY + innerHeight > document.body.scrollHeight - 2")
            visitor.until("() => [...document.querySelectorAll('[data-module]')].every((one) => one.childElementCount)")
            yield f"{reader} {path}", visitor

    return go


def findings(page, **options):
    """What axe finds and calls serious."""
    # Without "resultTypes" axe also describes what it found in order; with two rules, 204 ms a page became 150 ms.
    results = AXE.run(page, options={"resultTypes": ["violations"], **options})
    return [
        f"{one['impact']}: {one['id']} ({one['help']}) at {node['target']}: {node.get('failureSummary', '')}"
        for one in results.response["violations"] if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:4]]


@pytest.mark.requirement("PT-3.44.b")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_other_theme_and_the_gallery(visit, server, scheme):
    guest = visit(at=server, size=DESKTOP, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    found = {}
    for path in ["/gallery", "/gallery?theme=wolfwhale"]:
        if guest.open(path).status == 200:
            serious = findings(guest.page)
            if serious:
                found[path] = serious
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


#: Elements that overflow sideways outside of a scrolling box.
OVERFLOW = """() => {
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= wide) return [];
    return [...document.querySelectorAll('body *')]
        .filter((one) => one.getBoundingClientRect().right > wide + 1)
        .slice(0, 5).map((one) => one.tagName + '.' + one.className);
}"""
#: Text that is cut off without a rule that allows it.
CLIPPED = """() => [...document.querySelectorAll('#main button, #main a, #main h1, #main h2, #main label, .pt-nav__link span')]
    .filter((one) => one.offsetParent && one.textContent.trim() && !one.closest('.pt-hidden'))
    .filter((one) => {
        const style = getComputedStyle(one);
        const cuts = style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis';
        return cuts && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1);
    }).slice(0, 5).map((one) => one.tagName + '.' + one.className + ': ' + one.textContent.trim().slice(0, 40))"""


#: Texts and controls that overlap, on the page, in its bar or in its tabs.
OVERLAP = """() => {
    const faults = [];
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest(".pt-hidden, .pt-skip, [hidden], .pt-fab, .pt-fab-box, .pt-avatar, dialog:not([open])");
    // What scrolls or is cut off shows a part of itself.
    const cut = (box, one) => {
        let { left, top, right, bottom } = box;
        for (let around = one; around && around !== document.body; around = around.parentElement) {
            if (getComputedStyle(around).overflow === "visible") continue;
            const edge = around.getBoundingClientRect();
            [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
        }
        return { left, top, right, bottom };
    };
    for (const part of document.querySelectorAll("main, .pt-topbar, .pt-nav, dialog[open]")) {
        const boxes = [];
        const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const one = texts.currentNode.parentElement;
            if (!texts.currentNode.data.trim() || !shown(one) || one.closest("option, script, style")) continue;
            const range = document.createRange();
            range.selectNodeContents(texts.currentNode);
            for (const box of range.getClientRects()) boxes.push({ one, text: texts.currentNode.data.trim().slice(0, 40), ...cut(box, one) });
        }
        for (const one of part.querySelectorAll("button, summary, a, input, select, textarea")) {
            if (!shown(one) || one.textContent.trim() && !one.matches("select, textarea") || one.type === "hidden" || one.matches(".pt-sheet__grabber")) continue;
            if (one.type === "radio" || one.type === "checkbox") continue;
            // A field has room for the button within it beside its text.
            const style = getComputedStyle(one), { left, top, right, bottom } = one.getBoundingClientRect();
            const inner = { left: left + parseFloat(style.paddingLeft), top, right: right - parseFloat(style.paddingRight), bottom };
            boxes.push({ one, text: one.getAttribute("aria-label") ?? one.name ?? one.className, ...cut(inner, one) });
        }
        boxes.sort((a, b) => a.top - b.top);
        boxes.forEach((a, place) => {
            for (const b of boxes.slice(place + 1)) {
                if (b.top >= a.bottom) break;
                if (a.one === b.one || a.one.contains(b.one) || b.one.contains(a.one)) continue;
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - b.top;
                // Lines of text are as high as their font, which may be more than the line.
                if (wide <= 2 || high <= 0.25 * Math.min(a.bottom - a.top, b.bottom - b.top)) continue;
                faults.push(`${a.text} / ${b.text} (${a.one.className}, ${b.one.className}) ${Math.round(wide)}x${Math.round(high)}`);
            }
        });
    }
    return faults.slice(0, 5);
}"""


def sideways(page):
    """The elements that overflow the page or are cut off."""
    faults = {"wide": page.evaluate(OVERFLOW), "clipped": page.evaluate(CLIPPED)}
    return {kind: found for kind, found in faults.items() if found}


@pytest.mark.requirement("PT-1.05.b", "PT-3.02.b", "PT-3.43.a", "PT-3.43.b")
@pytest.mark.parametrize("language,scheme", [("en-US", "light"), ("fr-FR", "dark")], ids=["en-light", "fr-dark"])
def test_large_text_is_neither_cut_off_nor_covered_nor_pale(tour, pages, language, scheme):
    found = {}
    half = pages[(language == "fr-FR")::2]
    for path, visitor in tour(
        half, size=PHONE, text_size=32, language=language, scheme=scheme, reduced_motion="reduce", bypass_csp=True):
        faults = sideways(visitor.page) | {"pale": findings(visitor.page, runOnly=["color-contrast", "target-size"])}
        # On a screen this high nothing is scrolled out of sight, in a sheet neither.
        visitor.page.set_viewport_size({"width": PHONE[0], "height": 8000})
        faults["covered"] = visitor.page.evaluate(OVERLAP)
        visitor.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        if any(faults.values()):
            found[path] = faults
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


#: Controls smaller than a finger. Exempt are links inside a sentence (WCAG 2.5.8, "inline") and controls in a label
#: that is large enough.
SMALL = """() => [...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
    .filter((one) => one.offsetParent && one.type !== 'hidden' && !one.closest('.pt-hidden, .pt-skip, [hidden]'))
    .map((one) => ({ one, part: one.matches('input[type=radio], input[type=checkbox]') ? one.closest('label') ?? one : one }))
    .filter(({ one }) => !(one.matches('.pt-sheet__grabber')))
    // Not the box on the screen: that one may be in the middle of a transition.
    .map(({ part }) => ({ part, box: { width: part.offsetWidth, height: part.offsetHeight } }))
    .filter(({ box }) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
    .slice(0, 8)
    .map(({ part, box }) => `${part.tagName}.${part.className} "${(part.getAttribute('aria-label') ?? part.textContent).trim().slice(0, 30)}" ${Math.round(box.width)}x${Math.round(box.height)}`)"""


@pytest.mark.requirement("PT-1.05.a", "PT-3.44.a", "PT-3.44.b", "PT-3.45")
@pytest.mark.parametrize("language,scheme", [("en-US", "light"), ("fr-FR", "dark")], ids=["en-light", "fr-dark"])
def test_on_a_phone_axe_finds_nothing_serious_controls_are_as_large_as_a_finger_and_nothing_scrolls_sideways(
    tour, pages, language, scheme
):
    found = {}
    # Each page in one language and scheme; on a desktop, and above with large text, in the other.
    half = pages[(language == "en-US")::2]
    for path, visitor in tour(
        half, size=PHONE, touch=True, is_mobile=True, language=language, scheme=scheme, reduced_motion="reduce",
        bypass_csp=True):
        faults = sideways(visitor.page) | {
            "small": visitor.page.evaluate(SMALL), "serious": findings(visitor.page)}
        visitor.page.set_viewport_size({"width": 320, "height": 640})
        faults["narrow"] = sideways(visitor.page)
        visitor.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        if any(faults.values()):
            found[path] = faults
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.requirement("PT-1.05.a", "PT-3.44.a", "PT-3.44.b")
@pytest.mark.parametrize("language,scheme", [("fr-FR", "light"), ("en-US", "dark")], ids=["fr-light", "en-dark"])
def test_on_a_desktop_axe_finds_nothing_serious(tour, pages, language, scheme):
    found = {}
    half = pages[(language == "en-US")::2]
    for path, visitor in tour(
        half, size=DESKTOP, language=language, scheme=scheme, reduced_motion="reduce", bypass_csp=True):
        if serious := findings(visitor.page):
            found[path] = serious
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.requirement("PT-3.03.c")
def test_reduced_motion_is_honored(visit, school):
    calm = visit(school.owner, school.path("Maple room"), reduced_motion="reduce")
    calm.link("Add student").click()
    expect(calm.sheet).to_be_visible()
    moving = calm.page.evaluate(
        "document.getAnimations().filter(one => one.playState === 'running' && one.effect.getTiming().duration > 20)"
        ".map(one => one.effect.target.className + ' ' + one.effect.getTiming().duration)")
    assert not moving, moving
    calm.sheet.get_by_label("First name").fill("Elif")
    calm.sheet.get_by_role("button", name="Add student").click()
    expect(calm.row("Elif")).to_be_visible()


@pytest.mark.requirement("PT-3.06.a", "PT-3.06.c", "PT-3.06.d", "PT-3.06.e")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_top_bar_is_a_capsule_with_search_notifications_and_account(visit, school, size):
    guide = visit(school.owner, size=size)
    for path in ["/home", "/classrooms", school.path("Maple room"), "/settings", "/search?q=a", "/my-day"]:
        guide.open(path)
        capsule = guide.page.locator(".pt-topbar__capsule")
        box = capsule.bounding_box()
        assert box["y"] < 40 and box["width"] < size[0], path
        assert box["width"] <= 1000, path
        for name in ["Search", "Notifications", "Account of Ana Ruiz"]:
            found = capsule.locator(f"[aria-label^='{name}']")
            assert found.count() == 1 or (name == "Search" and path.startswith("/search")), f"{path}: {name}"
        radius = capsule.evaluate("one => parseFloat(getComputedStyle(one).borderTopLeftRadius)")
        assert radius >= box["height"] / 2 - 1, path
