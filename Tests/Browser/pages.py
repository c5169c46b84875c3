"""Finds elements on pages, in one place."""

from __future__ import annotations

import functools
import re
import time
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

#: Seconds after which a second tap on a control counts.
BOUNCE = 0.45


class Visitor:
    """A person at a browser. Records every complaint of the browser."""

    def __init__(self, page: Page, server):
        self.page = page
        self.server = server
        #: The time of the last tap on each child's pill.
        self.tapped: dict[str, float] = {}
        self._complaints: list[str] = []
        self._expected: list[re.Pattern] = []
        #: The routes of tests with the number of caught requests.
        self._routes: list[list] = []
        self._count_routes(page.context)
        self._watch(page)
        page.context.on("page", self._watch)

    def _watch(self, page: Page) -> None:
        page.on("console", lambda message: message.type == "error" and self._complaints.append(
            f"console: {message.text} ({message.location.get('url', '')})"))
        page.on("pageerror", lambda error: self._complaints.append(f"page error: {error}"))
        self._count_routes(page)

    def _count_routes(self, target) -> None:
        """Counts the requests that each route of a page or context catches: a route without a match tests nothing."""
        route = target.route

        def counted(url, handler, **options):
            caught = [url, 0]
            self._routes.append(caught)

            @functools.wraps(handler)
            def handle(*arguments):
                caught[1] += 1
                return handler(*arguments)

            return route(url, handle, **options)

        target.route = counted

    @property
    def unused_routes(self) -> list[str]:
        return [f"no request matched the route {url}" for url, times in self._routes if not times]

    @property
    def complaints(self) -> list[str]:
        return [one for one in self._complaints if not any(known.search(one) for known in self._expected)]

    def expects(self, pattern: str) -> None:
        """Declares an expected complaint of the browser."""
        self._expected.append(re.compile(pattern))

    def picture(self, path: Path) -> None:
        if not self.page.is_closed():
            self.page.screenshot(path=path, animations="disabled")

    # --- Navigation

    def open(self, path: str):
        answer = self.page.goto(path)
        return answer

    def until(self, claim: str, arg=None) -> None:
        """Waits until a function of the page, which may be asynchronous, returns true. (`wait_for_function` takes a
        promise for true.)"""
        for _ in range(200):
            if self.page.evaluate(claim, arg):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never came true: {claim}")

    def tab_to(self, element: Locator, most: int = 90) -> Locator:
        """Moves the focus to an element with the Tab key alone, and fails if it is not among the next stops."""
        for _ in range(most):
            if element.count() == 1 and element.evaluate("(one) => one === document.activeElement"):
                return element
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {element}")

    def press(self, element: Locator, key: str = "Enter") -> None:
        """Reaches an element with the Tab key and presses a key on it."""
        expect(element).to_be_visible()
        self.tab_to(element)
        self.page.keyboard.press(key)

    def keeps_page(self, path: str | None = None) -> None:
        """Waits until this device has cached a page, the current one by default."""
        self.until(
            """async (path) => {
                if (!navigator.serviceWorker.controller) return false;
                const page = await (await caches.open("pt-pages")).match(path ?? location.href, { ignoreVary: true });
                const kept = new Set();
                for (const name of await caches.keys()) {
                    if (name.startsWith("pt-shell-")) for (const one of await (await caches.open(name)).keys()) kept.add(one.url);
                }
                const used = performance.getEntriesByType("resource").map((one) => one.name.split("#")[0]).filter((name) => name.includes("/assets/"));
                return Boolean(page) && used.length > 5 && used.every((name) => kept.has(name));
            }""", path)

    def is_at(self, pattern: str) -> None:
        """Waits for a path (with query)."""
        expect(self.page).to_have_url(re.compile(r"^http://[^/]+" + pattern + "$"))

    @property
    def path(self) -> str:
        return re.sub(r"^http://[^/]+", "", self.page.url)

    def tab(self, name: str) -> Locator:
        return self.page.locator(".pt-nav").get_by_role("link", name=name, exact=True)

    def heading(self, name) -> Locator:
        return self.page.get_by_role("heading", level=1, name=name)

    def button(self, name, **options) -> Locator:
        return self.page.get_by_role("button", name=name, **options)

    def link(self, name, **options) -> Locator:
        return self.page.get_by_role("link", name=name, **options)

    def field(self, label) -> Locator:
        return self.page.get_by_label(label, exact=True)

    def toast(self, text) -> Locator:
        return self.page.locator("#pt-toasts").get_by_text(text)

    def account_menu(self) -> Locator:
        self.page.locator(".pt-account > summary").click()
        return self.page.locator(".pt-account__panel")

    # --- Students

    def row(self, name: str) -> Locator:
        """The row of a child, classroom, member or search result."""
        return self.page.locator("#main li").filter(
            has=self.page.locator(".pt-list-cell__title", has_text=re.compile(f"^{re.escape(name)}$")))

    def pill(self, name: str) -> Locator:
        return self.row(name).locator(".pt-attendance")

    def tap(self, name: str) -> None:
        """Taps the pill of a child. The page ignores a second tap within 400 ms, so this waits for that time."""
        rest = BOUNCE - (time.monotonic() - self.tapped.get(name, 0))
        if rest > 0:
            self.page.wait_for_timeout(rest * 1000)
        self.pill(name).click()
        self.tapped[name] = time.monotonic()

    def is_marked(self, name: str, state: str, **options) -> None:
        """Waits until the pill shows this state and the server has stored it."""
        pill = self.pill(name)
        expect(pill).to_have_attribute("data-state", state, **options)
        expect(pill).not_to_have_attribute("data-sync", re.compile(".*"), **options)

    @property
    def sheet(self) -> Locator:
        return self.page.locator("dialog.pt-sheet[open]")

    @property
    def question(self) -> Locator:
        return self.page.locator("dialog.pt-ask[open]")

    def focused(self) -> Locator:
        return self.page.locator(":focus")


class HeldPages:
    """Reads pages for live updates at once but hands them over only when told.

    The visitor must have no service worker, which would fetch the pages itself."""

    def __init__(self, visitor, path):
        self.visitor, self.held, self.is_open = visitor, [], False
        visitor.page.route(f"**{path}", self.hold)

    def hold(self, route):
        if self.is_open or route.request.headers.get("x-pinktower") != "live":
            route.continue_()
        else:
            self.held.append((route, route.fetch()))

    def wait(self):
        """Waits until a page is held."""
        for _ in range(100):
            if self.held:
                return
            self.visitor.page.wait_for_timeout(50)
        raise AssertionError("no page was read")

    def release(self, is_last=False):
        """Hands over the held pages. Further ones are held too, unless these are the last."""
        self.is_open = is_last
        held, self.held = self.held, []
        for route, answer in held:
            route.fulfill(response=answer)
