"""For everyone: axe, contrast, zoom, small screens, big fingers, calm motion."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

#: What is open to somebody without an account.
PUBLIC = ["/sign-in", "/sign-up", "/forgot", "/forgot?sent=yes", "/sign-up/mail", "/sign-up/parent", "/confirm/x",
    "/consent/x", "/consent/done?answer=agree", "/terms", "/privacy", "/reset/x", "/display", "/nothing/here"]
#: The main pages of a super admin; names in braces stand for ids of the sample school.
SIGNED_IN = [
    "/classrooms", "/classrooms/{classroom}", "/classrooms/{classroom}?sheet=new-student",
    "/classrooms/{classroom}/edit", "/classrooms/{classroom}/students/new", "/classrooms/new",
    "/students/{student}", "/students/{student}/edit", "/my-day", "/search?q=a", "/notifications", "/settings",
    "/settings/display", "/settings/ai", "/settings/password", "/settings/devices", "/settings/organization", "/settings/members", "/settings/members/{person}",
    "/settings/invites", "/settings/invites?sheet=new-invite", "/settings/join", "/settings/students",
    "/organizations", "/organizations/new", "/join", "/welcome", "/welcome/device", "/welcome/student", "/welcome/classroom",
    "/families", "/whats-new", "/settings/families", "/settings/consents", "/settings/account/delete",
]
PAGES = PUBLIC + SIGNED_IN


@pytest.fixture(scope="module")
def places(demo):
    classroom = demo.get("/api/v1/classrooms")["items"][0]["id"].lower()
    student = demo.get(f"/api/v1/classrooms/{classroom}/roster")["items"][0]["student"]["id"].lower()
    person = demo.get("/api/v1/members")["items"][-1]["id"].lower()
    return {"classroom": classroom, "student": student, "person": person}


@pytest.fixture
def tour(visit, demo, server, places):
    """Visits pages one after the other in one browser, signed in where that is needed."""

    def go(pages, **options):
        guest, guide = visit(at=server, **options), visit(demo, **options)
        for visitor in (guest, guide):
            visitor.expects("404")
        for path in pages:
            visitor = guest if path in PUBLIC else guide
            visitor.open(path.format(**places))
            expect(visitor.page.locator("h1")).to_have_count(1)
            yield path, visitor

    return go


def findings(results):
    return [
        f"{one['impact']}: {one['id']} ({one['help']}) at {node['target']}: {node.get('failureSummary', '')}"
        for one in results.response["violations"] if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:4]]


@pytest.mark.requirement("PT-3.44.a", "PT-3.44.b")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_serious(tour, size, scheme):
    axe, found = Axe(), {}
    for path, visitor in tour(PAGES, size=size, scheme=scheme, reduced_motion="reduce", bypass_csp=True):
        serious = findings(axe.run(visitor.page))
        if serious:
            found[path] = serious
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.requirement("PT-3.44.b")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_other_theme_and_the_gallery(visit, server, scheme):
    guest = visit(at=server, size=DESKTOP, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    found = {}
    for path in ["/gallery", "/gallery?theme=wolfwhale"]:
        if guest.open(path).status == 200:
            serious = findings(Axe().run(guest.page))
            if serious:
                found[path] = serious
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


#: What sticks out sideways, unless it scrolls inside a box of its own.
OVERFLOW = """() => {
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= wide) return [];
    return [...document.querySelectorAll('body *')]
        .filter((one) => one.getBoundingClientRect().right > wide + 1)
        .slice(0, 5).map((one) => one.tagName + '.' + one.className);
}"""
#: Text that its box cuts off although nothing says that it may.
CLIPPED = """() => [...document.querySelectorAll('#main button, #main a, #main h1, #main h2, #main label, .pt-nav__link span')]
    .filter((one) => one.offsetParent && one.textContent.trim() && !one.closest('.pt-hidden'))
    .filter((one) => {
        const style = getComputedStyle(one);
        const cuts = style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis';
        return cuts && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1);
    }).slice(0, 5).map((one) => one.tagName + '.' + one.className + ': ' + one.textContent.trim().slice(0, 40))"""


@pytest.mark.requirement("PT-3.43.a")
@pytest.mark.parametrize("language", ["en-US", "fr-FR"])
@pytest.mark.parametrize("case", ["narrow", "small-phone", "phone", "large-text"])
def test_nothing_scrolls_sideways_on_small_screens_and_with_large_text(tour, case, language):
    how = {
        "narrow": {"size": (320, 640)}, "small-phone": {"size": (360, 780)}, "phone": {"size": PHONE},
        "large-text": {"size": PHONE, "text_size": 32},
    }[case]
    found = {}
    for path, visitor in tour(PAGES, language=language, **how):
        wide, clipped = visitor.page.evaluate(OVERFLOW), visitor.page.evaluate(CLIPPED)
        if wide or clipped:
            found[path] = {"wide": wide, "clipped": clipped}
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


#: Controls smaller than a finger. Links inside a sentence are exempt (WCAG 2.5.8, "inline"), and so is what
#: lies in a label that is large enough itself.
SMALL = """() => [...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
    .filter((one) => one.offsetParent && one.type !== 'hidden' && !one.closest('.pt-hidden, .pt-skip, [hidden]'))
    .map((one) => ({ one, part: one.matches('input[type=radio], input[type=checkbox]') ? one.closest('label') ?? one : one }))
    .filter(({ one }) => !(one.matches('.pt-sheet__grabber')))
    // Not the box on the screen: that one may be in the middle of a transition.
    .map(({ part }) => ({ part, box: { width: part.offsetWidth, height: part.offsetHeight } }))
    .filter(({ box }) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
    .slice(0, 8)
    .map(({ part, box }) => `${part.tagName}.${part.className} "${(part.getAttribute('aria-label') ?? part.textContent).trim().slice(0, 30)}" ${Math.round(box.width)}x${Math.round(box.height)}`)"""


@pytest.mark.requirement("PT-3.45")
def test_every_control_is_as_large_as_a_finger(tour):
    found = {}
    for path, visitor in tour(PAGES, size=PHONE):
        small = visitor.page.evaluate(SMALL)
        if small:
            found[path] = small
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.requirement("PT-3.03.c")
def test_reduced_motion_is_honoured(visit, school):
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


@pytest.mark.requirement("PT-3.06.a", "PT-3.06.c", "PT-3.06.d")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_top_bar_is_a_capsule_with_search_news_and_account(tour, size):
    pages = ["/classrooms/{classroom}", "/settings", "/search?q=a", "/my-day"]
    for path, visitor in tour(pages, size=size):
        capsule = visitor.page.locator(".pt-topbar__capsule")
        box = capsule.bounding_box()
        assert box["width"] < size[0], path
        assert box["width"] <= 1000, path
        for name in ["Search", "Notifications", "Account of Ana Ruiz"]:
            found = capsule.locator(f"[aria-label^='{name}']")
            assert found.count() == 1 or (name == "Search" and path.startswith("/search")), f"{path}: {name}"
        radius = capsule.evaluate("one => parseFloat(getComputedStyle(one).borderTopLeftRadius)")
        assert radius >= box["height"] / 2 - 1, path
