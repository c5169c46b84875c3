"""Conversations of two people, each in their own browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from test_access import findings
from test_photos import picture


def talk(school, other, *texts):
    """A conversation of the owner with a person, with the owner's messages; returns its path."""
    people = school.owner.get("/api/v1/conversations/people")["items"]
    one = next(person for person in people if person["name"] == other.name)
    made = school.owner.post("/api/v1/conversations", {"personIds": [one["id"]]})
    for text in texts:
        school.owner.post(f"/api/v1/conversations/{made['id']}/messages", {"text": text})
    return f"/messages/{made['id']}"


def ready(visitor, module="talk"):
    """Waits for the module of conversations, before which forms are sent normally."""
    visitor.until(
        f"() => performance.getEntriesByType('resource').some((one) => one.name.includes('/{module}.'))")


def said(visitor):
    return visitor.page.locator(".pt-bubble:not(.pt-bubble--typing) > p")


def row(visitor, name):
    """The row of a conversation, read or unread."""
    return visitor.page.locator("#main li").filter(
        has=visitor.page.locator(".pt-list-cell__title", has_text=re.compile("^" + re.escape(name))))


def write(visitor, text):
    visitor.field("Message").fill(text)
    visitor.button("Send").click()


def kept(school, path):
    """The server's messages of a conversation."""
    return [one["text"] for one in school.owner.get(f"/api/v1/conversations{path.removeprefix('/messages')}/messages")["items"]]


@pytest.mark.requirement(
    "WW-2.01.a", "WW-2.02.a", "WW-2.04.a", "WW-2.04.b", "WW-2.04.c", "WW-2.08.a", "WW-2.08.b", "WW-2.08.c",
    "WW-16.02.d")
def test_two_people_begin_a_conversation_and_read_each_other_at_once(visit, school):
    claire = school.colleague("Claire O’Neill")
    owner = visit(school.owner, "/messages", size=DESKTOP)
    expect(owner.page.get_by_text("No messages yet")).to_be_visible()
    other = visit(claire, "/messages", size=PHONE)
    owner.link("New conversation").first.click()
    owner.row("Claire O’Neill").get_by_role("button").click()
    owner.is_at("/messages/[0-9a-f-]+")
    write(owner, "Can you take the 3 pm duty?")
    expect(said(owner)).to_have_text(["Can you take the 3 pm duty?"])
    expect(owner.field("Message")).to_have_value("")
    # The other's list shows it at once: first, unread, with its dot.
    news = row(other, "Ana Ruiz")
    expect(news).to_contain_text("Can you take the 3 pm duty?")
    expect(news.locator(".pt-dot--unread")).to_be_visible()
    expect(owner.page.get_by_text("Read", exact=True)).to_have_count(0)
    news.get_by_role("link").click()
    expect(said(other)).to_have_text(["Can you take the 3 pm duty?"])
    # The message was read, which the writer sees.
    expect(owner.page.get_by_text("Read", exact=True)).to_be_visible()
    write(other, "Yes, gladly 👍🏽")
    expect(said(owner)).to_have_text(["Can you take the 3 pm duty?", "Yes, gladly 👍🏽"])
    expect(owner.page.locator(".pt-talk__list").get_by_text("Yes, gladly")).to_be_visible()
    expect(other.page.get_by_text("Read", exact=True)).to_be_visible()
    expect(other.page.locator("[data-state]")).to_have_count(0)
    # Back in the list nothing is unread.
    other.open("/messages")
    expect(row(other, "Ana Ruiz")).to_contain_text("You: Yes, gladly")
    expect(other.page.locator(".pt-dot--unread")).to_have_count(0)


@pytest.mark.requirement("WW-2.02.b")
def test_the_conversation_with_the_latest_message_comes_first(visit, school):
    claire, ben = school.colleague("Claire O’Neill"), school.colleague("Benoît Côté")
    first = talk(school, claire, "One")
    talk(school, ben, "Two")
    owner = visit(school.owner, "/messages")
    titles = owner.page.locator("#main .pt-list-cell__title")
    expect(titles).to_have_text(["Benoît Côté", "Claire O’Neill"])
    claire.post(f"/api/v1/conversations{first.removeprefix('/messages')}/messages", {"text": "Three"})
    expect(titles).to_have_text([re.compile("Claire O’Neill"), "Benoît Côté"])
    expect(owner.row("Benoît Côté")).to_contain_text("You: Two")


@pytest.mark.requirement("WW-2.03.a")
def test_typing_is_shown_to_the_other_until_the_message_arrives(visit, school):
    # "$&" means something to the browser where a text is put into another one.
    claire = school.colleague("Claire $& O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path, size=DESKTOP)
    other = visit(claire, path)
    # Both streams are open, so each sees the other's actions.
    expect(owner.page.get_by_text("Read", exact=True)).to_be_visible()
    other.field("Message").press_sequentially("One mo", delay=20)
    expect(owner.page.get_by_text("Claire $& O’Neill is typing")).to_be_visible()
    expect(other.page.locator(".pt-bubble--typing")).to_have_count(0)
    write(other, "One moment")
    expect(said(owner)).to_have_text(["Hello", "One moment"])
    expect(owner.page.locator(".pt-bubble--typing")).to_have_count(0)
    # A person on another page gets no events of the conversation.
    owner.open("/settings")
    other.field("Message").press_sequentially("More", delay=20)
    write(other, "More")
    expect(owner.page.locator(".pt-nav").get_by_role("link", name=re.compile("Messages.*new"))).to_be_visible()
    expect(owner.page.locator(".pt-bubble--typing")).to_have_count(0)


@pytest.mark.requirement("WW-2.05.b", "WW-2.06.a", "WW-2.06.c", "BY-1.01.c", "PG-3.05.c")
def test_a_message_without_a_network_stays_as_not_sent_and_is_sent_once(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    expect(said(owner)).to_have_text(["Hello"])
    owner.keeps_page()
    owner.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    owner.page.context.set_offline(True)
    write(owner, "From the forest")
    expect(owner.page.locator("[data-state=failed]")).to_contain_text("From the forest")
    expect(owner.page.get_by_text("Not sent")).to_be_visible()
    write(owner, "And back")
    expect(owner.page.locator("[data-state=failed]")).to_have_count(2)
    assert kept(school, path) == ["Hello"]
    owner.page.context.set_offline(False)
    expect(owner.page.locator("[data-state]:not([data-state=sent])")).to_have_count(0)
    expect(said(owner)).to_have_text(["Hello", "From the forest", "And back"])
    assert kept(school, path) == ["Hello", "From the forest", "And back"]


@pytest.mark.requirement("WW-2.06.d")
def test_a_message_whose_answer_was_lost_is_there_once(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    cut = []

    def lose_the_first_answer(route):
        if route.request.method != "POST" or cut:
            return route.continue_()
        cut.append(route.request.post_data)
        route.fetch()
        route.abort()

    owner.keeps_page()
    owner.expects("ERR_FAILED")
    owner.page.route("**/messages", lose_the_first_answer)
    write(owner, "Only once")
    expect(said(owner)).to_have_text(["Hello", "Only once"])
    expect(owner.page.locator("#talk-pending > li")).to_have_count(0)
    assert cut and kept(school, path) == ["Hello", "Only once"]


@pytest.mark.requirement("WW-2.06.e", "PG-3.05.a")
def test_a_refused_message_goes_back_into_its_field_with_the_reason(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    owner.expects("422")
    long = "é" * 32769
    owner.field("Message").fill(long)
    owner.button("Send").click()
    expect(owner.page.locator(".pt-composer__error").filter(has_text="at most 64 KB")).to_be_visible()
    expect(owner.field("Message")).to_have_value(long)
    expect(said(owner)).to_have_text(["Hello"])
    assert kept(school, path) == ["Hello"]
    # The shortened message is sent.
    owner.field("Message").fill("é")
    owner.button("Send").click()
    expect(said(owner)).to_have_text(["Hello", "é"])
    expect(owner.page.get_by_text("at most 64 KB")).to_have_count(0)


@pytest.mark.requirement("WW-2.08.b", "WW-2.08.c")
@pytest.mark.parametrize("language,words", [
    ("en-US", {"new": "New conversation", "field": "Message", "send": "Send", "mark": "Mark as read"}),
    ("fr-CA", {"new": "Nouvelle conversation", "field": "Message", "send": "Envoyer", "mark": "Marquer comme lu"}),
], ids=["en", "fr"])
def test_conversations_work_without_scripts(visit, school, language, words):
    parent = school.colleague("Sofia Tremblay", role="parent")
    owner = visit(school.owner, "/messages", script=False, language=language)
    owner.link(words["new"]).first.click()
    owner.row("Sofia Tremblay").get_by_role("button").click()
    owner.field(words["field"]).fill("Bonjour\nhttps://maple.example/x <b>no</b>")
    owner.button(words["send"]).click()
    expect(said(owner)).to_have_text(["Bonjour\nhttps://maple.example/x <b>no</b>"])
    link = owner.page.locator(".pt-bubble p a")
    expect(link).to_have_attribute("href", "https://maple.example/x")
    assert "noopener" in link.get_attribute("rel")
    other = visit(parent, "/messages", script=False, language=language)
    row(other, "Ana Ruiz").get_by_role("link").click()
    other.button(words["mark"]).click()
    expect(other.button(words["mark"])).to_have_count(0)
    assert other.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_the_bell_shows_a_conversation_once(visit, school):
    claire = school.colleague("Claire O’Neill")
    other = visit(claire, "/settings")
    talk(school, claire, "One", "Two", "Three")
    expect(other.page.get_by_role("link", name="Notifications, 1 new")).to_be_visible()
    other.open("/notifications")
    news = other.page.get_by_text("Ana Ruiz wrote to you")
    expect(news).to_have_count(1)
    news.click()
    expect(said(other)).to_have_text(["One", "Two", "Three"])


def test_a_lost_permission_ends_writing_in_the_open_page(visit, school):
    parent = school.colleague("Sofia Tremblay", role="parent")
    path = talk(school, parent, "Hello")
    other = visit(parent, path)
    expect(other.field("Message")).to_be_visible()
    members = {member["email"]: member["id"] for member in school.owner.get("/api/v1/members")["items"]}
    school.owner.post(f"/api/v1/members/{members[parent.email]}/remove")
    other.expects("404")
    other.open(path)
    expect(other.field("Message")).to_have_count(0)
    owner = visit(school.owner, path)
    expect(owner.page.get_by_text("You can no longer write to this person")).to_be_visible()
    expect(owner.field("Message")).to_have_count(0)


def options(visitor, text):
    """Opens the actions of a message."""
    bubble = visitor.page.locator(".pt-bubble").filter(has_text=text)
    bubble.hover()
    bubble.locator(".pt-bubble__more").click()
    return visitor.page.get_by_role("dialog")


@pytest.mark.parametrize("language,words", [
    ("en-US", {"reply": "Reply", "field": "Message", "send": "Send", "text": "Message text", "save": "Save",
               "edited": "edited", "delete": "Delete message", "gone": "This message was deleted"}),
    ("fr-CA", {"reply": "Répondre", "field": "Message", "send": "Envoyer", "text": "Texte du message",
               "save": "Enregistrer", "edited": "modifié", "delete": "Supprimer le message",
               "gone": "Ce message a été supprimé"}),
], ids=["en", "fr"])
def test_a_message_is_replied_to_edited_and_deleted(visit, school, language, words):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Who takes the walk?")
    other = visit(claire, path, language=language)
    owner = visit(school.owner, path, size=DESKTOP, language=language)
    options(other, "Who takes the walk?").get_by_role("link", name=words["reply"]).click()
    expect(other.page.locator(".pt-composer__reply")).to_contain_text("Who takes the walk?")
    other.field(words["field"]).fill("I do at nine")
    other.button(words["send"]).click()
    expect(owner.page.locator(".pt-bubble__quote")).to_contain_text("Who takes the walk?")
    # The next message is not a reply.
    expect(other.page.locator(".pt-composer__reply")).to_have_count(0)
    expect(other.page.locator("[data-state]:not([data-state=sent])")).to_have_count(0)
    sheet = options(other, "I do at nine")
    sheet.get_by_label(words["text"]).fill("I do at ten")
    sheet.get_by_role("button", name=words["save"]).click()
    expect(said(owner)).to_have_text(["Who takes the walk?", "I do at ten"])
    expect(owner.page.get_by_text(words["edited"])).to_be_visible()
    expect(other.page.get_by_role("dialog")).to_have_count(0)
    options(other, "I do at ten").get_by_role("button", name=words["delete"]).click()
    other.page.get_by_role("dialog").last.get_by_role("button", name=words["delete"]).click()
    expect(said(owner)).to_have_text(["Who takes the walk?", words["gone"]])
    assert [one["text"] for one in school.owner.get(
        f"/api/v1/conversations{path.removeprefix('/messages')}/messages")["items"]] == ["Who takes the walk?", ""]


def test_a_message_is_sent_with_a_photo_and_a_file_also_without_a_network(visit, school, tmp_path):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    forest, plan = tmp_path / "forest.png", tmp_path / "plan.txt"
    forest.write_bytes(picture(2400, 1200, 120))
    plan.write_text("Nine o’clock")
    owner.keeps_page()
    owner.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    owner.page.context.set_offline(True)
    owner.page.locator("#composer-files").set_input_files([forest, plan])
    expect(owner.page.locator(".pt-composer__files li")).to_have_count(2)
    owner.field("Message").fill("From the walk")
    owner.button("Send").click()
    expect(owner.page.locator("[data-state=failed]")).to_contain_text("plan.txt")
    expect(owner.page.locator(".pt-composer__files")).to_have_count(0)
    owner.page.context.set_offline(False)
    expect(owner.page.locator("[data-state]:not([data-state=sent])")).to_have_count(0)
    other = visit(claire, path)
    image = other.page.locator(".pt-bubble__images img")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") > 0
    with other.page.expect_download() as taken:
        other.page.get_by_role("link", name=re.compile("plan.txt")).click()
    assert taken.value.suggested_filename == "plan.txt"
    items = school.owner.get(f"/api/v1/conversations{path.removeprefix('/messages')}/messages")["items"]
    assert [len(one["files"]) for one in items] == [0, 2]
    other.expects("404")
    stranger = visit(school.colleague("Ruth Adler"), "/settings")
    stranger.expects("404")
    address = image.get_attribute("src")
    assert stranger.page.request.get(address).status == 404


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_message_counts_as_read_once_it_was_seen_to_its_end(visit, school, tmp_path, size):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, *[f"Message {number}" for number in range(20)])
    owner, other = visit(school.owner, path), visit(claire, path, size=size)
    ready(other)
    expect(owner.page.get_by_text("Read", exact=True)).to_be_visible()
    # Claire reads earlier messages while the photo arrives below.
    other.page.evaluate("scrollTo(0, 0)")
    forest = tmp_path / "forest.png"
    forest.write_bytes(picture(1200, 2400, 120))
    owner.page.locator("#composer-files").set_input_files([forest])
    expect(owner.page.locator(".pt-composer__files li")).to_have_count(1)
    owner.button("Send").click()
    expect(other.page.locator(".pt-bubble__images")).to_have_count(1)
    other.page.wait_for_timeout(500)
    expect(owner.page.get_by_text("Read", exact=True)).to_have_count(0)
    with other.page.expect_response(lambda answer: answer.url.endswith("/read") and answer.ok):
        other.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(owner.page.get_by_text("Read", exact=True)).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_received_photo_is_above_the_composer(visit, school, tmp_path, size):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, *[f"Message {number}" for number in range(20)])
    owner, other = visit(school.owner, path), visit(claire, path, size=size)
    ready(other)
    forest = tmp_path / "forest.png"
    forest.write_bytes(picture(1200, 2400, 120))
    owner.page.locator("#composer-files").set_input_files([forest])
    expect(owner.page.locator(".pt-composer__files li")).to_have_count(1)
    owner.button("Send").click()
    image = other.page.locator(".pt-bubble__images img")
    expect(image).to_have_js_property("complete", True)
    other.until("""() => document.querySelector(".pt-bubble__images img").getBoundingClientRect().bottom
        <= document.querySelector(".pt-composer").getBoundingClientRect().top""")
    expect(owner.page.get_by_text("Read", exact=True)).to_be_visible()


def test_messages_are_searched_muted_and_limited_to_staff(visit, school):
    parent = school.colleague("Sofia Tremblay", role="parent")
    path = talk(school, parent, "L’école ferme à midi", *[f"Message {number}" for number in range(25)])
    for number in range(25):
        parent.post(f"/api/v1/conversations/{path.removeprefix('/messages/')}/messages", {"text": f"Answer {number}"})
    owner = visit(school.owner, path)
    expect(said(owner)).to_have_count(40)
    owner.page.locator(".pt-topbar").get_by_role("link", name="Conversation details").click()
    sheet = owner.page.get_by_role("dialog")
    sheet.get_by_role("button", name="Only staff can write").click()
    expect(owner.page.get_by_text("Only staff can write here until")).to_be_visible()
    other = visit(parent, path)
    expect(other.page.get_by_text("Only staff can write in this conversation for now.")).to_be_visible()
    expect(other.field("Message")).to_have_count(0)
    owner.open(path.replace("/messages/", "/messages/about/"))
    owner.button("Mute").click()
    expect(owner.button("Unmute")).to_be_visible()
    owner.page.get_by_role("searchbox").fill("ecole")
    owner.page.get_by_role("searchbox").press("Enter")
    hit = owner.page.get_by_role("link", name=re.compile("L’école ferme à midi"))
    hit.click()
    expect(said(owner).first).to_have_text("L’école ferme à midi")
    expect(said(owner).first).to_be_in_viewport()


def test_a_conversation_works_by_keyboard(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    # Return sends with a keyboard and breaks the line on touch devices.
    owner = visit(school.owner, path, size=DESKTOP, touch=False)
    keys = owner.page.keyboard
    ready(owner)
    owner.field("Message").focus()
    keys.type("One")
    keys.press("Shift+Enter")
    keys.type("Two")
    keys.press("Enter")
    expect(said(owner)).to_have_text(["Hello", "One\nTwo"])
    expect(owner.field("Message")).to_be_focused()
    expect(owner.page.locator("[data-state]:not([data-state=sent])")).to_have_count(0)
    more = owner.page.locator(".pt-bubble").filter(has_text="One").locator(".pt-bubble__more")
    more.focus()
    expect(more).to_have_css("opacity", "1")
    keys.press("Enter")
    expect(owner.page.get_by_role("dialog")).to_be_visible()
    keys.press("Escape")
    expect(owner.page.get_by_role("dialog")).to_have_count(0)


def test_a_conversation_keeps_its_width_beside_its_panel(visit, school):
    path = group(school, school.colleague("Claire O’Neill"), name="The garden of the Maple room")
    owner = visit(school.owner, path, size=DESKTOP)
    ready(owner)
    others = owner.page.locator(".pt-talk__list")
    expect(others).to_be_visible()
    owner.page.locator(".pt-topbar").get_by_role("link", name="Conversation details").click()
    expect(owner.page.get_by_role("dialog")).to_be_visible()
    expect(others).to_be_hidden()
    # The title takes one or two lines.
    assert owner.page.locator(".pt-topbar__title").bounding_box()["height"] < 80
    owner.page.keyboard.press("Escape")
    expect(others).to_be_visible()


def test_a_reported_message_is_reviewed_and_removed(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "A bad word")
    other = visit(claire, path)
    sheet = options(other, "A bad word")
    sheet.get_by_label("Reason").fill("Not kind")
    sheet.get_by_role("button", name="Report message").click()
    other.question.get_by_role("button", name="Report").click()
    expect(other.page.get_by_text("Reported to the school")).to_be_visible()
    # The owner wrote the message, so another admin reviews it.
    admin = visit(school.colleague("Ben Ito", role="admin"), "/settings/messages")
    admin.page.get_by_role("link", name="1 reported message").click()
    expect(admin.page.get_by_text("Reported by Claire O’Neill: Not kind")).to_be_visible()
    admin.button("Remove message").click()
    admin.page.get_by_role("dialog").get_by_role("button", name="Remove message").click()
    expect(admin.page.get_by_text("No reported messages")).to_be_visible()
    expect(said(other)).to_have_text(["This message was deleted"])


def group(school, *others, name="The garden"):
    """A group of the owner and others; returns its path."""
    people = school.owner.get("/api/v1/conversations/people")["items"]
    ids = [next(person["id"] for person in people if person["name"] == one.name) for one in others]
    made = school.owner.post("/api/v1/conversations", {"personIds": ids, "title": name})
    return f"/messages/{made['id']}"


@pytest.mark.parametrize("language,words", [
    ("en", ("Message", "People you can mention")), ("fr", ("Message", "Personnes que vous pouvez mentionner"))],
    ids=["en", "fr"])
def test_after_an_at_sign_names_are_offered(visit, school, language, words):
    claire, ben = school.colleague("Claire O’Neill"), school.colleague("Benoît Côté")
    path = group(school, claire, ben)
    owner = visit(school.owner, path, size=DESKTOP, language=language, bypass_csp=True)
    other = visit(ben, "/notifications")
    ready(owner)
    ready(owner, "names")
    keys, box = owner.page.keyboard, owner.field(words[0])
    offer = owner.page.get_by_role("listbox", name=words[1])
    box.focus()
    # An email address is no mention, and neither is an unknown name.
    for typed in ("mail@cl", "@Zoe"):
        keys.type(typed)
        expect(offer).to_have_count(0)
        box.fill("")
    keys.type("Seeds: ask @")
    expect(offer.get_by_role("option")).to_have_text(["Benoît Côté", "Claire O’Neill"])
    assert not findings(owner.page)
    # Matches a word of the name without accents and case; Return accepts it and sends nothing.
    keys.type("cote")
    expect(offer.get_by_role("option")).to_have_text(["Benoît Côté"])
    keys.press("Enter")
    expect(box).to_have_value("Seeds: ask @Benoît Côté ")
    expect(offer).to_have_count(0)
    keys.type("or @")
    keys.press("ArrowDown")
    expect(offer.get_by_role("option", selected=True)).to_have_text("Claire O’Neill")
    # Escape keeps the text and closes only the list.
    keys.press("Escape")
    expect(offer).to_have_count(0)
    expect(box).to_be_focused()
    expect(box).to_have_value("Seeds: ask @Benoît Côté or @")
    keys.press("Backspace")
    keys.press("Backspace")
    keys.press("Enter")
    expect(said(owner)).to_have_text(["Seeds: ask @Benoît Côté or"])
    expect(other.page.get_by_text(re.compile("Ana Ruiz mentioned you")).first).to_be_visible()


def test_an_offered_name_is_chosen_by_touch(visit, school):
    claire, ben = school.colleague("Claire O’Neill"), school.colleague("Benoît Côté")
    owner = visit(school.owner, group(school, claire, ben), size=PHONE, touch=True)
    ready(owner)
    ready(owner, "names")
    box = owner.field("Message")
    box.tap()
    owner.page.keyboard.type("@c")
    owner.page.get_by_role("option", name="Claire O’Neill").tap()
    expect(box).to_have_value("@Claire O’Neill ")
    expect(box).to_be_focused()
    # In a conversation of two, mentions are not needed.
    owner.open(talk(school, claire, "Hello"))
    ready(owner)
    owner.field("Message").tap()
    owner.page.keyboard.type("@c")
    expect(owner.page.get_by_role("listbox")).to_have_count(0)


@pytest.mark.requirement("WW-2.05.a")
def test_a_message_is_shown_as_sending_before_the_server_answers(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    ready(owner)
    held = []
    owner.page.route("**/messages", lambda route: held.append(route))
    write(owner, "On its way")
    sending = owner.page.locator(".pt-bubble[data-state=sending]")
    expect(sending).to_contain_text("On its way")
    expect(sending).to_contain_text("Sending")
    owner.until("() => document.querySelector('.pt-bubble[data-state=sending]').checkVisibility()")
    assert kept(school, path) == ["Hello"]
    for _ in range(200):
        if held:
            break
        owner.page.wait_for_timeout(50)
    held[0].continue_()
    expect(said(owner)).to_have_text(["Hello", "On its way"])
    expect(owner.page.locator("[data-state=sending]")).to_have_count(0)
    assert kept(school, path) == ["Hello", "On its way"]


@pytest.mark.requirement("WW-2.06.b", "BY-1.01.b")
def test_a_message_that_failed_has_a_button_that_sends_it_again(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    ready(owner)
    owner.expects("ERR_FAILED")
    tries = []

    def fail_once(route):
        tries.append(route.request.url)
        return route.abort() if len(tries) == 1 else route.continue_()

    # The outbox retries after a while; with a stopped clock only the button sends.
    owner.page.clock.install()
    owner.page.clock.pause_at(owner.page.evaluate("Date.now()") / 1000 + 1)
    owner.page.route("**/messages", fail_once)
    write(owner, "From the forest")
    failed = owner.page.locator(".pt-bubble[data-state=failed]")
    expect(failed).to_contain_text("From the forest")
    expect(failed).to_contain_text("Not sent")
    assert len(tries) == 1 and kept(school, path) == ["Hello"]
    failed.get_by_role("button", name="Try again").click()
    expect(said(owner)).to_have_text(["Hello", "From the forest"])
    expect(owner.page.locator("[data-state]:not([data-state=sent])")).to_have_count(0)
    assert kept(school, path) == ["Hello", "From the forest"]


def unread(person, path):
    """The number of unread messages of a person in a conversation."""
    return next(one["unread"] for one in person.get("/api/v1/conversations")["items"] if one["id"] in path)


def opens_unread(visit, school):
    """A person opens a conversation with one unread message; the request that says so is held back."""
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    # Wide enough to show the list beside the thread.
    other = visit(claire, "/messages", size=DESKTOP)
    expect(row(other, "Ana Ruiz").locator(".pt-dot--unread")).to_be_visible()
    held = []
    other.page.route("**/read", lambda route: held.append(route))
    row(other, "Ana Ruiz").get_by_role("link").click()
    other.is_at(path)
    for _ in range(200):
        if held:
            break
        other.page.wait_for_timeout(50)
    expect(other.page.locator(".pt-talk__list [aria-current]")).to_contain_text("Ana Ruiz")
    return claire, other, path, held


DOT = ".pt-talk__list [aria-current] .pt-dot--unread"


@pytest.mark.requirement("PG-3.06.b")
def test_a_conversation_shows_as_read_before_the_server_answers(visit, school):
    claire, other, path, held = opens_unread(visit, school)
    expect(other.page.locator(DOT)).to_have_count(1)
    expect(other.page.locator(DOT)).to_be_hidden()
    assert unread(claire, path) == 1, "the server has not answered yet"
    held[0].continue_()
    expect(other.page.locator(DOT)).to_have_count(0)
    assert unread(claire, path) == 0


@pytest.mark.requirement("PG-3.06.c")
def test_a_conversation_is_unread_again_where_the_server_refuses(visit, school):
    claire, other, path, held = opens_unread(visit, school)
    other.expects("500")
    expect(other.page.locator(DOT)).to_be_hidden()
    held[0].fulfill(status=500, content_type="application/problem+json", body=json.dumps({"detail": "The disk is full."}))
    expect(other.toast("The disk is full.")).to_be_visible()
    expect(other.page.locator(DOT)).to_be_visible()
    assert unread(claire, path) == 1
