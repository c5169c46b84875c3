"""The transfer size of pages."""

import re

import pytest
import requests
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

KILOBYTE = 1024


def sent_bytes(session):
    """Counts the received bytes in a page's CDP session, with headers."""
    counted = {}
    session.on("Network.responseReceived", lambda event: counted.setdefault(event["requestId"], {}).update(
        url=event["response"]["url"], cached=event["response"].get("fromDiskCache", False)))
    session.on("Network.loadingFinished", lambda event: counted.setdefault(event["requestId"], {}).update(
        bytes=event["encodedDataLength"]))
    session.send("Network.enable")
    return counted


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_first_students_page_weighs_at_most_100_kilobytes(visit, demo, size):
    classroom = demo.get("/api/v1/classrooms")["items"][0]["id"].lower()
    # Without the worker, whose prefetching is not part of the page.
    guide = visit(demo, size=size, worker=False)
    counted = sent_bytes(guide.page.context.new_cdp_session(guide.page))
    guide.open(f"/classrooms/{classroom}")
    expect(guide.page.locator(".pt-attendance").first).to_be_visible()
    guide.page.wait_for_function("document.documentElement.classList.contains('js')")
    guide.page.wait_for_load_state("load")
    sizes = {one["url"]: one.get("bytes", 0) for one in counted.values() if "url" in one}
    total = sum(sizes.values())
    assert total > 20 * KILOBYTE, sizes
    assert total <= 100 * KILOBYTE, sorted(sizes.items(), key=lambda one: -one[1])


def linked(server, page, kind):
    pattern = {"css": r'href="(/assets/[^"]+\.css)"', "js": r'(?:href|src)="(/assets/[^"]+\.js)"'}[kind]
    return sorted(set(re.findall(pattern, page)))


@pytest.mark.parametrize("kind,limit", [("css", 25), ("js", 30)])
def test_style_and_runtime_stay_small(server, kind, limit):
    page = requests.get(server.url + "/sign-in", headers={"Accept": "text/html"}, timeout=10).text
    paths = linked(server, page, kind)
    assert paths
    total = 0
    for path in paths:
        answer = requests.get(
            server.url + path, headers={"Accept-Encoding": "gzip"}, timeout=10, stream=True)
        total += len(answer.raw.read(decode_content=False))
        assert "immutable" in answer.headers["Cache-Control"]
    assert total <= limit * KILOBYTE, f"{total} bytes in {len(paths)} files"


def test_assets_answer_with_an_etag_and_not_modified(server):
    page = requests.get(server.url + "/sign-in", headers={"Accept": "text/html"}, timeout=10).text
    path = linked(server, page, "css")[0]
    first = requests.get(server.url + path, timeout=10)
    assert first.headers.get("ETag")
    again = requests.get(server.url + path, headers={"If-None-Match": first.headers["ETag"]}, timeout=10)
    assert again.status_code == 304
    assert again.content == b""
