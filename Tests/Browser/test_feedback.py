"""Haptic feedback: important buttons answer at the press."""
import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

from pages import BOUNCE

FELT = "window.felt = []; Navigator.prototype.vibrate = (pattern) => { felt.push(pattern); return true; };"


@pytest.mark.requirement("WW-0.04.a", "WW-0.04.b", "PT-3.16.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_primary_button_shrinks_and_vibrates_when_it_is_pressed(visit, server, size):
    guide = visit(None, at=server, size=size)
    guide.page.add_init_script(FELT)
    guide.open("/sign-in")
    button = guide.page.locator("main .pt-button--primary").first
    quiet = guide.page.locator("main .pt-button--quiet, main .pt-link").first
    box = button.bounding_box()
    guide.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    # A first interaction, before which browsers do not vibrate.
    guide.page.keyboard.press("Shift")
    quiet.focus()
    guide.page.mouse.down()
    assert guide.page.evaluate("felt") == [[14]]
    expect(button).not_to_have_css("transform", "none")
    expect(button).not_to_have_css("transform", "matrix(1, 0, 0, 1, 0, 0)")
    guide.page.mouse.move(2, 2)
    guide.page.mouse.up()
    expect(button).to_have_css("transform", "none")
    # Less important buttons do not move.
    box = quiet.bounding_box()
    guide.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    guide.page.mouse.down()
    assert len(guide.page.evaluate("felt")) == 1
    guide.page.mouse.move(2, 2)
    guide.page.mouse.up()


def sparks(guide):
    """How often a small burst was shown, also where it is over by now."""
    return guide.page.evaluate("window.sparks")


COUNT_SPARKS = """window.sparks = 0;
new MutationObserver((all) => {
    for (const { addedNodes } of all) for (const node of addedNodes) if (node.matches?.(".pt-attendance .pt-spark, .pt-check .pt-spark")) sparks += 1;
}).observe(document, { childList: true, subtree: true });"""


@pytest.mark.requirement("PT-3.17.e")
def test_a_mark_and_a_done_habit_lesson_or_task_are_celebrated_once_the_server_has_them(visit, school):
    noor = school.children["Noor Aziz"]
    owner = school.owner
    owner.post(f"/api/v1/students/{noor}/habits", {"name": "Hang up the coat", "cadence": "daily"})
    for kind in ["lesson", "task"]:
        owner.post(f"/api/v1/students/{noor}/work", {"kind": kind, "title": f"A {kind}"})
    guide = visit(owner)
    guide.page.add_init_script(FELT + COUNT_SPARKS)
    guide.open(school.path("Maple room"))
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "present")
    guide.until("() => sparks === 1 && felt.some((one) => String(one) === '12,40,18')")
    guide.page.wait_for_timeout(BOUNCE * 1000)
    felt = len(guide.page.evaluate("felt"))
    guide.tap("Noor Aziz")
    guide.is_marked("Noor Aziz", "absent")
    guide.until(f"() => felt.length === {felt + 1}")
    expect(guide.row("Noor Aziz").locator(".pt-attendance")).not_to_have_attribute("data-sync", "pending")
    assert sparks(guide) == 1, "absent is nothing to celebrate"
    guide.open(f"/students/{noor}")
    for count, name in enumerate(["Hang up the coat", "A lesson", "A task"], 1):
        guide.page.get_by_role("checkbox", name=name).first.click()
        guide.until(f"() => sparks === {count}")
    for spark in guide.page.locator(".pt-spark").all():
        expect(spark).to_have_css("visibility", "hidden")


@pytest.mark.requirement("PT-3.17.e", "PT-3.03.c")
def test_with_reduced_motion_a_mark_vibrates_without_a_burst(visit, school):
    guide = visit(school.owner, reduced_motion="reduce")
    guide.page.add_init_script(FELT + COUNT_SPARKS)
    guide.open(school.path("Maple room"))
    guide.tap("Noor Aziz")
    guide.until("() => felt.some((one) => String(one) === '12,40,18')")
    expect(guide.page.locator(".pt-spark")).to_be_hidden()


@pytest.mark.requirement("PT-3.17.f")
def test_creating_a_student_in_a_sheet_shows_a_toast(visit, school):
    guide = visit(school.owner, school.path("Maple room"), size=DESKTOP)
    guide.page.locator("main .pt-fab").click()
    guide.sheet.get_by_label("First name").fill("Elif")
    guide.sheet.get_by_role("button", name="Add student").click()
    expect(guide.toast("Elif added")).to_be_visible()
    expect(guide.page.locator(".pt-celebration")).to_have_count(0)
    expect(guide.row("Elif")).to_be_visible()
