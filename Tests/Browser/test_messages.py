"""Two people who write to each other, each at their own browser."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


def talk(school, other, *texts):
    """A conversation of the owner with somebody, with what the owner wrote; its path."""
    people = school.owner.get("/api/v1/conversations/people")["items"]
    one = next(person for person in people if person["name"] == other.name)
    made = school.owner.post("/api/v1/conversations", {"personIds": [one["id"]]})
    for text in texts:
        school.owner.post(f"/api/v1/conversations/{made['id']}/messages", {"text": text})
    return f"/messages/{made['id']}"


def said(visitor):
    return visitor.page.locator(".pt-bubble:not(.pt-bubble--typing) > p")


def row(visitor, name):
    """The row of a conversation, whether something in it is new or not."""
    return visitor.page.locator("#main li").filter(
        has=visitor.page.locator(".pt-list-cell__title", has_text=re.compile("^" + re.escape(name))))


def write(visitor, text):
    visitor.field("Message").fill(text)
    visitor.button("Send").click()


def kept(school, path):
    """What the server has of a conversation."""
    return [one["text"] for one in school.owner.get(f"/api/v1/conversations{path.removeprefix('/messages')}/messages")["items"]]


@pytest.mark.requirement("WW-2.01", "WW-2.02", "WW-2.04", "WW-2.05", "WW-2.08")
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
    # The list of the other one shows it without a tap, first, new, and with its dot.
    news = row(other, "Ana Ruiz")
    expect(news).to_contain_text("Can you take the 3 pm duty?")
    expect(news.locator(".pt-dot--unread")).to_be_visible()
    expect(other.page.locator(".pt-nav").get_by_role("link", name=re.compile("Messages.*new"))).to_be_visible()
    expect(owner.page.get_by_text("Read", exact=True)).to_have_count(0)
    news.get_by_role("link").click()
    expect(said(other)).to_have_text(["Can you take the 3 pm duty?"])
    # It was looked at: the writer learns of it.
    expect(owner.page.get_by_text("Read", exact=True)).to_be_visible()
    write(other, "Yes, gladly 👍🏽")
    expect(said(owner)).to_have_text(["Can you take the 3 pm duty?", "Yes, gladly 👍🏽"])
    expect(owner.page.locator(".pt-talk__list").get_by_text("Yes, gladly")).to_be_visible()
    expect(other.page.get_by_text("Read", exact=True)).to_be_visible()
    expect(other.page.locator("[data-state]")).to_have_count(0)
    # Back in the list nothing is new.
    other.open("/messages")
    expect(row(other, "Ana Ruiz")).to_contain_text("You: Yes, gladly")
    expect(other.page.locator(".pt-dot--unread")).to_have_count(0)


@pytest.mark.requirement("WW-2.02")
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


@pytest.mark.requirement("WW-2.03", "WW-2.07")
def test_who_types_is_seen_by_the_other_and_goes_with_the_message(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path, size=DESKTOP)
    other = visit(claire, path)
    # Both streams are open: what one does is seen by the other.
    expect(owner.page.get_by_text("Read", exact=True)).to_be_visible()
    other.field("Message").press_sequentially("One mo", delay=20)
    expect(owner.page.get_by_text("Claire O’Neill is typing")).to_be_visible()
    expect(other.page.locator(".pt-bubble--typing")).to_have_count(0)
    write(other, "One moment")
    expect(said(owner)).to_have_text(["Hello", "One moment"])
    expect(owner.page.locator(".pt-bubble--typing")).to_have_count(0)
    # Whoever left the conversation hears nothing of it.
    owner.open("/settings")
    other.field("Message").press_sequentially("More", delay=20)
    write(other, "More")
    expect(owner.page.locator(".pt-nav").get_by_role("link", name=re.compile("Messages.*new"))).to_be_visible()
    expect(owner.page.locator(".pt-bubble--typing")).to_have_count(0)


@pytest.mark.requirement("WW-2.05", "WW-2.06", "PG-3.05", "BY-1.01")
def test_a_message_without_a_network_stays_as_not_sent_and_is_sent_once(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    expect(said(owner)).to_have_text(["Hello"])
    owner.expects("ERR_INTERNET_DISCONNECTED")
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


@pytest.mark.requirement("WW-2.06")
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

    owner.expects("ERR_FAILED")
    owner.page.route("**/messages", lose_the_first_answer)
    write(owner, "Only once")
    expect(said(owner)).to_have_text(["Hello", "Only once"])
    expect(owner.page.locator("#talk-pending > li")).to_have_count(0)
    assert cut and kept(school, path) == ["Hello", "Only once"]


@pytest.mark.requirement("PG-3.05")
def test_a_refused_message_goes_back_into_its_field_with_the_reason(visit, school):
    claire = school.colleague("Claire O’Neill")
    path = talk(school, claire, "Hello")
    owner = visit(school.owner, path)
    owner.expects("422")
    long = "é" * 32769
    owner.field("Message").fill(long)
    owner.button("Send").click()
    expect(owner.page.get_by_role("alert").filter(has_text="at most 64 KB")).to_be_visible()
    expect(owner.field("Message")).to_have_value(long)
    expect(said(owner)).to_have_text(["Hello"])
    assert kept(school, path) == ["Hello"]
    # Shortened, it goes.
    owner.field("Message").fill("é")
    owner.button("Send").click()
    expect(said(owner)).to_have_text(["Hello", "é"])
    expect(owner.page.get_by_text("at most 64 KB")).to_have_count(0)


@pytest.mark.requirement("WW-2.08", "WW-2.04")
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
    link = owner.page.locator(".pt-bubble a")
    expect(link).to_have_attribute("href", "https://maple.example/x")
    assert "noopener" in link.get_attribute("rel")
    other = visit(parent, "/messages", script=False, language=language)
    row(other, "Ana Ruiz").get_by_role("link").click()
    other.button(words["mark"]).click()
    expect(other.button(words["mark"])).to_have_count(0)
    assert other.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.requirement("WW-9.02")
def test_the_bell_tells_of_a_conversation_once(visit, school):
    claire = school.colleague("Claire O’Neill")
    other = visit(claire, "/settings")
    talk(school, claire, "One", "Two", "Three")
    expect(other.page.get_by_role("link", name="Notifications, 1 new")).to_be_visible()
    other.open("/notifications")
    news = other.page.get_by_text("Ana Ruiz wrote to you")
    expect(news).to_have_count(1)
    news.click()
    expect(said(other)).to_have_text(["One", "Two", "Three"])


@pytest.mark.requirement("WW-2.08")
def test_a_right_that_was_lost_ends_writing_in_the_open_page(visit, school):
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
    expect(owner.page.get_by_text("You cannot write to this person any more")).to_be_visible()
    expect(owner.field("Message")).to_have_count(0)
