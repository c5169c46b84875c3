"""Each learning tool is used by keyboard alone: from Home, through everything that it is for, to its end. No test clicks."""
import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from test_practice import ENGLISH, FRENCH, Child, book, rounds_of  # noqa: F401 (book is a fixture)
from test_wellness import Class

EACH = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@EACH
def test_cards_are_made_moved_studied_and_exported_by_keyboard_alone(visit, server, size):
    student = server.found_school().colleague("Mia Roy", role="student")
    child = visit(student, "/home", size=size)
    page, keys = child.page, child.page.keyboard
    main = page.locator("#main")
    child.press(main.get_by_role("link", name="Flashcards", exact=True))
    child.press(main.get_by_role("link", name="New set").first)
    child.tab_to(page.get_by_label("Title"))
    keys.type("Birds")
    keys.press("Enter")
    expect(child.heading("Birds")).to_be_visible()
    child.press(main.get_by_role("link", name="Add card").first)
    for front, back in [("owl", "hibou"), ("heron", "héron"), ("swift", "martinet")]:
        child.tab_to(page.locator("textarea[name=front]"))
        keys.type(front)
        child.tab_to(page.locator("textarea[name=back]"))
        keys.type(back)
        child.press(child.button("Add card"))
        expect(page.locator("textarea[name=front]")).to_have_value("")
        expect(child.toast("Card added").last).to_be_visible()
    child.press(page.locator(".pt-topbar").get_by_role("link").first)
    titles = main.locator(".pt-list-cell__title")
    expect(titles.filter(has_text="swift")).to_be_visible()
    # The order: the last card moves up with the menu of its row.
    child.press(child.row("swift").locator("summary"))
    expect(child.link("Edit card")).to_be_focused()
    keys.press("ArrowDown")
    expect(child.button("Move up")).to_be_focused()
    keys.press("Enter")
    expect(main.locator("li .pt-list-cell__title")).to_have_text(["owl", "swift", "heron"])
    # The export is a link, which the browser saves.
    with page.expect_download() as saved:
        child.press(child.link("Export text"))
    assert saved.value.path().read_text() == "#separator:tab\n#html:false\nowl\thibou\nswift\tmartinet\nheron\théron\n"
    child.press(child.link("Study", exact=True))
    for front in ["owl", "swift", "heron"]:
        expect(page.locator(".pt-fl__text")).to_have_text(front)
        child.press(child.button("Show answer"))
        child.press(page.locator(".pt-fl__rate[data-rating=easy]"))
    expect(page.get_by_role("heading", name="All done for today")).to_be_visible()
    child.press(page.locator(".pt-fl__ends").get_by_role("link").first)
    child.is_at("/flashcards/sets/[0-9a-f-]+")
    expect(main.get_by_text("3 of 3 cards known").first).to_be_attached()


@EACH
@pytest.mark.parametrize("tool", ["spelling", "math", "typing"])
def test_a_round_is_found_played_and_repeated_by_keyboard_alone(visit, book, tool, size):
    ada = book.students["Ada Berg"]
    child = Child(visit, ada, FRENCH if size == DESKTOP else ENGLISH, size)
    words, visitor = child.words, child.visitor
    visitor.open("/home")
    visitor.press(child.main.get_by_role("link", name=words[tool], exact=True))
    first = {"spelling": words["short"], "math": words["addition"], "typing": words["lesson"]}[tool]
    visitor.press(child.main.locator(".pt-pr__tile").filter(has_text=first).first)
    if tool == "spelling":
        visitor.press(child.button("start"))
        child.spell(missed=1)
    elif tool == "math":
        child.calculate(missed=1)
    else:
        child.type_lesson(slips=1)
    expect(child.main.get_by_text(words["sent"])).to_be_visible()
    visitor.press(child.button("again"))
    expect(child.main.locator(".pt-pr__field, .pt-pr__typed").first).to_be_focused()
    # The round that began again is left, and the tool too.
    visitor.press(child.main.locator(".pt-pr__top").get_by_role("button"))
    expect(child.main.locator(".pt-pr__tile").first).to_be_visible()
    visitor.press(child.page.locator(".pt-topbar").get_by_role("link").first)
    visitor.press(child.main.get_by_role("link", name=words["progress"], exact=True))
    expect(child.main.get_by_role("heading", name=words[tool]).first).to_be_visible()
    assert [one["tool"] for one in rounds_of(ada)] == [tool]


@EACH
def test_a_check_in_is_made_shared_and_deleted_and_help_asked_by_keyboard_alone(visit, server, size):
    made = Class(server)
    child = visit(made.child, "/home", size=size)
    page, keys = child.page, child.page.keyboard
    main = page.locator("#main")
    child.press(main.get_by_role("button", name="So-so", exact=True))
    expect(page.get_by_text("How are you today?")).to_be_hidden()
    child.press(main.get_by_role("link", name="Wellness").first)
    child.press(main.get_by_role("link", name="Say more"))
    # The sheet has the focus; arrows choose, Tab goes on.
    expect(child.sheet.get_by_role("radio", name="Very good")).to_be_focused()
    keys.press("ArrowDown")
    child.tab_to(child.sheet.get_by_label("A line about it, if you like"))
    keys.type("Snow")
    keys.press("Enter")
    expect(main.locator(".pt-list-cell").filter(has_text="Snow")).to_contain_text("Good")
    assert made.moods() == ["good", "middling"]
    child.press(main.locator("li").filter(has_text="Snow").get_by_role("link"))
    expect(child.heading("Good")).to_be_visible()
    child.tab_to(child.field("With whom"))
    keys.type("Ruth")
    child.press(child.button("Share this check-in"))
    expect(child.row("Ruth Adler")).to_be_visible()
    shared = made.guide.get("/api/v1/wellness/shared")["items"]
    assert [one["note"] for one in shared[0]["checkIns"]] == ["Snow"]
    child.press(child.button("Stop sharing with Ruth Adler"))
    expect(child.row("Ruth Adler")).to_have_count(0)
    # The end of sharing makes the page stale. If it is read again while it is being deleted, it is missing.
    child.expects("404")
    child.press(child.button("Delete check-in"))
    child.press(child.question.get_by_role("button", name="Delete check-in"))
    child.is_at("/wellness")
    assert made.moods() == ["middling"]
    child.press(main.get_by_role("link", name="I would like help").first)
    child.tab_to(page.locator("textarea[name=note]"))
    keys.type("About the bus")
    child.press(child.button("Tell them now"))
    expect(page.get_by_text("Told, not seen yet")).to_be_visible()
    assert len(made.guide.get("/api/v1/wellness/requests")["items"]) == 1


@EACH
def test_a_material_is_found_turned_taken_apart_and_named_by_keyboard_alone(visit, server, size):
    child = visit(server.sign_in("sami@demo.example", "Sami"), "/home", size=size)
    page, keys = child.page, child.page.keyboard
    main = page.locator("#main")
    child.press(main.get_by_role("link", name="Materials in 3D").first)
    child.press(main.get_by_role("link", name="Pink Tower"))
    canvas = page.locator("pt-model canvas")
    expect(canvas).to_be_visible()
    child.until("() => document.querySelector('pt-model').scene?.view.length === 16")
    child.tab_to(canvas)
    for key in ["ArrowLeft", "ArrowUp", "+", "Home"]:
        keys.press(key)
    child.press(page.get_by_label("Together"), "ArrowRight")
    expect(page.get_by_label("Take apart")).to_be_checked()
    child.press(main.get_by_role("button", name="Cube, 7 cm"))
    expect(page.locator(".pt-model__facts")).to_contain_text("343 cm³")
    child.press(page.locator(".pt-topbar").get_by_role("link").first)
    child.is_at("/materials")
