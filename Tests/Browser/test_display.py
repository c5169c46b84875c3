"""Language, appearance and theme: chosen once and stored."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import PASSWORD


@pytest.mark.requirement("WW-10.05.b", "WW-10.05.c")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_language_and_theme_apply_at_once_and_are_stored(visit, school, size):
    guide = visit(school.owner, "/settings/display", size=size)
    page = guide.page.locator("html")
    choose = guide.page.locator("#main")

    def pick(name, value):
        choose.locator(f"label:has(input[name={name}][value='{value}'])").click()

    background = guide.page.evaluate("getComputedStyle(document.body).backgroundColor")
    pick("language", "fr")
    expect(page).to_have_attribute("lang", "fr")
    expect(guide.tab("Réglages")).to_be_visible()
    pick("appearance", "dark")
    expect(page).to_have_attribute("data-appearance", "dark")
    assert guide.page.evaluate("getComputedStyle(document.body).backgroundColor") != background
    pick("theme", "wolfwhale")
    expect(page).to_have_attribute("data-theme", "wolfwhale")
    guide.account_menu().get_by_role("button", name="Se déconnecter").click()
    guide.is_at("/sign-in")
    guide.field("Courriel").fill(school.owner.email)
    guide.field("Mot de passe").fill(PASSWORD)
    guide.button("Se connecter").click()
    guide.is_at(school.path("Maple room"))

    # The choice belongs to the account, so other devices have it too.
    elsewhere = visit(school.owner, school.path("Maple room"))
    for visitor in (guide, elsewhere):
        html = visitor.page.locator("html")
        expect(html).to_have_attribute("lang", "fr")
        expect(html).to_have_attribute("data-appearance", "dark")
        expect(html).to_have_attribute("data-theme", "wolfwhale")
        expect(visitor.pill("Noor Aziz")).to_have_text("Noter")


def test_a_visitor_without_an_account_chooses_a_language(visit, server):
    guide = visit(at=server, path="/sign-in")
    guide.link("Language and appearance · Français").click()
    guide.is_at("/display")
    guide.page.locator("#main label:has(input[name=language][value='fr'])").click()
    expect(guide.page.locator("html")).to_have_attribute("lang", "fr")
    guide.open("/sign-in")
    expect(guide.button("Se connecter")).to_be_visible()


@pytest.mark.requirement("WW-10.04.a")
def test_dates_and_times_follow_the_language(visit, school):
    english = visit(school.owner, school.path("Maple room"))
    english.tap("Noor Aziz")
    english.is_marked("Noor Aziz", "present")
    expect(english.row("Noor Aziz")).to_contain_text("Arrived")
    french = visit(school.owner, school.path("Maple room"), language="fr-FR")
    expect(french.row("Noor Aziz")).to_contain_text("Arrivée à")
    assert "AM" not in french.row("Noor Aziz").inner_text() and "PM" not in french.row("Noor Aziz").inner_text()
