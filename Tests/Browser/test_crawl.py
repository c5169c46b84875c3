"""Follows every link from the root, as every role, in both languages: no dead end, no missing text."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
import requests

from school import PASSWORD

#: The most pages that are visited; a page per person or day shows no more than the first few.
LIMIT = 140
#: The number of followed addresses that differ only in their ids.
ALIKE = 3


class PageReader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.forms, self.lang, self.text, self.ids = [], [], "", [], []
        self.title = self.headings = 0
        self._inside = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if given.get("id"):
            self.ids.append(given["id"])
        if tag == "html":
            self.lang = given.get("lang", "")
        elif tag == "a" and given.get("href") is not None:
            self.links.append(given["href"])
        elif tag == "form":
            self.forms.append(given.get("action", ""))
        elif tag == "h1":
            self.headings += 1
        for name in ("aria-label", "placeholder", "alt", "title"):
            self.text.append(given.get(name) or "")
        if tag in ("title", "script", "style", "svg"):
            self._inside.append(tag)

    def handle_endtag(self, tag):
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data):
        # The bars of a chart have titles of their own.
        if self._inside == ["title"]:
            self.title += bool(data.strip())
        self.text.append(data)


def kind_of(address):
    """The address without ids and queries."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<==)[^&]+", "*", address)


def crawl(server, email, language, kind_of=kind_of, limit=LIMIT):
    """Pages by address: the response and its contents. Redirects are followed."""
    session = requests.Session()
    session.headers.update({"Accept": "text/html", "Accept-Language": language})
    if email:
        session.post(server.url + "/api/v1/auth/sign-in", data={"email": email, "password": PASSWORD},
                     headers={"Accept": "application/json"}).raise_for_status()
    waiting, seen, kinds, pages, sources = ["/"], {"/"}, {}, {}, {}
    while waiting and len(pages) < limit:
        path = waiting.pop(0)
        answer = session.get(server.url + path, timeout=10)
        if "text/html" not in answer.headers.get("Content-Type", ""):
            pages[path] = (answer, None)
            continue
        reader = PageReader()
        reader.feed(answer.text)
        pages[path] = (answer, reader)
        for link in reader.links:
            target = urlsplit(urljoin(server.url + path, link))
            if f"{target.scheme}://{target.netloc}" != server.url:
                continue
            address = target.path + (f"?{target.query}" if target.query else "")
            kind = kind_of(address)
            if address in seen or kinds.get(kind, 0) >= ALIKE:
                continue
            seen.add(address)
            kinds[kind] = kinds.get(kind, 0) + 1
            sources[address] = path
            waiting.append(address)
    return pages, sources


ROLES = {
    "nobody": None, "super admin": "ana@demo.example", "admin": "guide1@demo.example",
    "guide": "guide2@demo.example", "guide without classroom": "guide3@demo.example",
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("role", ROLES)
def test_every_link_leads_somewhere(server, role, language):
    pages, sources = crawl(server, ROLES[role], language)
    faults = []
    for path, (answer, reader) in pages.items():
        place = f"{path} (linked from {sources.get(path, 'the root')})"
        if answer.status_code != 200:
            faults.append(f"{place}: {answer.status_code}")
        if reader is None:
            continue
        text = " ".join(reader.text)
        faults += [f"{place}: missing text {key}" for key in re.findall(r"«[a-z][\w.]*»", text)]
        faults += [f"{place}: placeholder left in '{part}'" for part in re.findall(r"\S*%(?:\d\$)?(?:@|lld)\S*", text)]
        if reader.headings != 1:
            faults.append(f"{place}: {reader.headings} h1")
        if reader.title != 1:
            faults.append(f"{place}: {reader.title} title")
        if reader.lang != language:
            faults.append(f"{place}: lang is {reader.lang!r}")
        twice = {one for one in reader.ids if reader.ids.count(one) > 1}
        if twice:
            faults.append(f"{place}: ids used twice: {sorted(twice)[:3]}")
    assert not faults, "\n".join(faults)
    assert len(pages) >= (3 if role == "nobody" else 12), sorted(pages)


def test_an_account_without_a_school_is_led_to_join_one(server):
    person = server.sign_up("Hana Mori")
    pages, _ = crawl(server, person.email, "en")
    assert {answer.status_code for answer, _ in pages.values()} == {200}, {
        path: answer.status_code for path, (answer, _) in pages.items()}
    assert pages["/"][0].url.endswith("/welcome")
    assert "/join" in pages
