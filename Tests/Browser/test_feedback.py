"""Haptic feedback: important buttons answer at the press."""
import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

FELT = "window.felt = []; Navigator.prototype.vibrate = (pattern) => { felt.push(pattern); return true; };"


@pytest.mark.requirement("WW-0.04.a", "WW-0.04.b", "PT-3.16.b")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_important_button_gives_way_and_answers_the_press(visit, server, size):
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
