"""Push notifications: what the server sends, checked by independent implementations (py-vapid, http_ece), and the
page that enables them."""

import base64
import json
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import expect
from py_vapid import Vapid02

from conftest import DESKTOP, PHONE
from school import PASSWORD, Server
from test_messages import talk

#: The longest time of a push on a loaded machine, in seconds.
ARRIVAL_LIMIT = 30


def encoded(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService:
    """A push service on this machine; each path is a device with its own inbox."""

    def __init__(self):
        self.inboxes = {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.inboxes[self.path].put((dict(self.headers.items()), body))
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Device:
    """The browser's side of a subscription, with keys of this test."""

    def __init__(self, service, name):
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.target = f"{service.origin}/{name}"
        self.inbox = service.inboxes[f"/{name}"] = queue.Queue()

    @property
    def key(self):
        return encoded(self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def subscription(self):
        return {"kind": "web", "target": self.target, "key": self.key, "secret": encoded(self.secret)}

    def receive(self):
        """The next push: its fields and decrypted content."""
        fields, body = self.inbox.get(timeout=ARRIVAL_LIMIT)
        told = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return {name.lower(): value for name, value in fields.items()}, json.loads(told), body


@pytest.fixture(scope="module")
def service():
    made = PushService()
    yield made
    made.close()


@pytest.fixture(scope="module")
def tower(tmp_path_factory):
    """A server that may push to this machine."""
    folder = tmp_path_factory.mktemp("push")
    made = Server(folder / "data", folder / "server.log", {"PINKTOWER_PUSH_TO_LOOPBACK": "true"}).start()
    yield made
    made.stop()


@pytest.mark.requirement("WW-9.04.a", "WW-9.04.e", "BY-1.10.a")
def test_a_push_is_signed_by_the_server_and_only_the_browsers_keys_decrypt_it(tower, service):
    school = tower.found_school()
    ben = school.colleague("Ben Ito")
    hers, his = Device(service, "ana-1"), Device(service, "ben-1")
    school.owner.post("/api/v1/notifications/device", hers.subscription)
    ben.post("/api/v1/notifications/device", his.subscription)
    path = talk(school, ben, "The bead cabinet came back.")

    fields, told, body = his.receive()
    assert told["title"] == "Maple School"
    assert "Ana Ruiz" in told["body"]
    # The push names the sender, not the text.
    assert "bead" not in json.dumps(told)
    assert unquote(told["path"]) == f"/open?link={path}"
    assert told["badge"] == 1
    assert fields["content-encoding"] == "aes128gcm"
    assert 0 < int(fields["ttl"]) <= 24 * 3600
    assert len(fields["topic"]) == 32
    assert b"Ana" not in body

    # RFC 8292, checked by py-vapid with the key that browsers subscribe with.
    public = ben.get("/api/v1/notifications/settings")["applicationServerKey"]
    assert fields["authorization"].endswith(f"k={public}")
    assert Vapid02.verify(fields["authorization"])
    claims = json.loads(decoded(fields["authorization"].split("t=")[1].split(".")[1]))
    parts = urlsplit(his.target)
    assert claims["aud"] == f"{parts.scheme}://{parts.netloc}"
    assert claims["sub"].startswith(("mailto:", "https:"))
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600

    # An announcement notifies everyone but its author; Ben's answer is the first push of Ana's device.
    school.owner.post("/api/v1/announcements", {"title": "Forest walk", "text": "Boots, please."})
    _, announced, _ = his.receive()
    assert "Forest walk" in announced["body"] and "Boots" not in announced["body"]
    assert announced["id"] != told["id"]
    ben.post(f"/api/v1/conversations{path.removeprefix('/messages')}/messages", {"text": "Wonderful"})
    _, answered, _ = hers.receive()
    assert "Ben Ito" in answered["body"]
    assert his.inbox.empty() and hers.inbox.empty()


@pytest.mark.requirement("WW-9.05.c")
def test_a_device_that_is_signed_out_and_a_topic_that_is_turned_off_are_silent(tower, service):
    school = tower.found_school()
    ben, claire = school.colleague("Ben Ito"), school.colleague("Claire O’Neill")
    his, hers, elsewhere = Device(service, "ben-2"), Device(service, "claire-2"), Device(service, "ben-2b")
    ben.post("/api/v1/notifications/device", his.subscription)
    claire.post("/api/v1/notifications/device", hers.subscription)
    again = tower.sign_in(ben.email, ben.name)
    again.post("/api/v1/notifications/device", elsewhere.subscription)
    # One of Ben's two devices is signed out from the list on the other.
    other = next(one for one in again.get("/api/v1/auth/devices")["items"] if not one["isCurrent"])
    again.post(f"/api/v1/auth/devices/{other['id']}/end")
    claire.post("/api/v1/notifications/settings", {"message": True, "grade": True, "assignment": True})
    school.owner.post("/api/v1/announcements", {"title": "Open house", "text": "On Friday."})
    _, told, _ = elsewhere.receive()
    assert "Open house" in told["body"]
    # Claire has announcements off: the message is her first push.
    talk(school, claire, "Can you take the 3 pm duty?")
    _, told, _ = hers.receive()
    assert "Ana Ruiz" in told["body"]
    assert his.inbox.empty() and elsewhere.inbox.empty()


#: Headless Chromium has no push service: this script simulates subscribing with the keys of the test's device.
#: Permission, worker, page, server and content are real.
SUBSCRIBE = """
([target, key, secret]) => {
    const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0)).buffer;
    const made = () => ({
        endpoint: target, options: { applicationServerKey: bytes(sessionStorage.getItem("asked") ?? "") },
        getKey: (name) => bytes(name === "p256dh" ? key : secret),
        unsubscribe: async () => { sessionStorage.removeItem("asked"); return true; },
    });
    PushManager.prototype.subscribe = async (options) => {
        const raw = String.fromCharCode(...new Uint8Array(options.applicationServerKey));
        sessionStorage.setItem("asked", btoa(raw));
        return made();
    };
    PushManager.prototype.getSubscription = async () => sessionStorage.getItem("asked") ? made() : null;
}
"""


def with_push(visitor, device):
    arguments = json.dumps([device.target, device.key, encoded(device.secret)])
    visitor.page.context.add_init_script(f"({SUBSCRIBE.strip()})({arguments})")
    visitor.page.context.grant_permissions(["notifications"])


@pytest.mark.requirement("WW-9.05.b")
def test_notifications_are_turned_on_tested_chosen_and_turned_off(visit, tower, service):
    school = tower.found_school()
    device = Device(service, "page-1")
    me = visit(school.owner, size=PHONE, notifications=True)
    with_push(me, device)
    me.open("/notifications")
    me.link("Notification settings").click()
    me.is_at("/settings/notifications")
    expect(me.page.get_by_text("Notifications are off on this device")).to_be_visible()
    me.button("Turn on").click()
    expect(me.page.get_by_text("Notifications are on for this device")).to_be_visible()
    me.button("Send test").click()
    fields, told, _ = device.receive()
    assert told["body"] == "This is a test notification."
    assert Vapid02.verify(fields["authorization"])
    # The choice is stored.
    me.field("Grades").uncheck()
    me.field("Quiet hours").check()
    me.field("From").select_option("21:30")
    me.field("Until").select_option("06:30")
    me.button("Save").click()
    expect(me.toast("Notification settings saved.")).to_be_visible()
    me.page.reload()
    expect(me.page.get_by_text("Notifications are on for this device")).to_be_visible()
    expect(me.field("Grades")).not_to_be_checked()
    expect(me.page.get_by_role("switch", name="Messages")).to_be_checked()
    expect(me.field("Quiet hours")).to_be_checked()
    expect(me.field("From")).to_have_value("21:30")
    me.button("Turn off").click()
    expect(me.page.get_by_text("Notifications are off on this device")).to_be_visible()
    assert not tower.sign_in(school.owner.email).get("/api/v1/notifications/settings")["isOn"]


def test_en_francais_les_reglages_se_lisent_et_une_faute_se_dit(visit, tower):
    school = tower.found_school()
    moi = visit(school.owner, "/settings/notifications", size=DESKTOP, language="fr-CA", notifications=True)
    expect(moi.heading("Notifications")).to_be_visible()
    for label in ["Messages", "Annonces", "Devoirs", "Notes"]:
        expect(moi.page.get_by_role("switch", name=label, exact=True)).to_be_checked()
    moi.field("Heures silencieuses").check()
    moi.field("De").select_option("07:00")
    moi.field("À").select_option("07:00")
    moi.expects("422")
    moi.button("Enregistrer").click()
    expect(moi.page.get_by_text("Le début et la fin des heures silencieuses")).to_be_visible()
    moi.field("À").select_option("08:00")
    moi.button("Enregistrer").click()
    expect(moi.toast("Réglages des notifications enregistrés.")).to_be_visible()


class Worker:
    """The service worker of a visitor's page, through the browser's debugging protocol."""

    def __init__(self, visitor):
        self.visitor = visitor
        self.session = visitor.page.context.new_cdp_session(visitor.page)
        self.registrations = []
        self.session.on("ServiceWorker.workerRegistrationUpdated", lambda news: self.registrations.extend(
            one["registrationId"] for one in news["registrations"]))
        self.session.send("ServiceWorker.enable")
        visitor.until("async () => Boolean((await navigator.serviceWorker.ready).active)")

    def push(self, told):
        self.session.send("ServiceWorker.deliverPushMessage", {
            "origin": self.visitor.server.url, "registrationId": self.registrations[-1], "data": json.dumps(told)})

    def shown(self):
        return self.visitor.page.evaluate(
            "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => [one.title, one.body, one.tag])")


@pytest.mark.requirement("BY-1.10.c")
def test_the_worker_shows_each_push_once_and_none_of_an_account_that_signed_out(visit, tower):
    school = tower.found_school()
    me = visit(school.owner, "/settings/notifications", size=PHONE, notifications=True)
    me.page.context.grant_permissions(["notifications"])
    worker = Worker(me)
    # A device's first page precedes its worker; the next one goes through it.
    me.until("() => Boolean(navigator.serviceWorker.controller)")
    me.page.reload()
    account = me.page.evaluate("document.body.dataset.account")
    # The worker knows the device's owner once a page has gone through it.
    me.until("async () => (await (await (await caches.open('pt-owner')).match('/'))?.text()) === document.body.dataset.account")
    told = {"id": "test.1", "title": "Maple School", "body": "Ben wrote to you.", "path": "/notifications", "badge": 1}
    worker.push(told | {"account": account})
    me.until("async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 1")
    assert worker.shown() == [["Maple School", "Ben wrote to you.", "test.1"]]
    # The same push again, one for another account, and a new one: only the new one is shown beside the first.
    worker.push(told | {"account": account, "body": "again"})
    worker.push(told | {"account": "00000000-0000-7000-8000-000000000000", "id": "test.2"})
    worker.push(told | {"account": account, "id": "test.3", "body": "New"})
    me.until("async () => (await (await navigator.serviceWorker.ready).getNotifications()).length >= 2")
    assert sorted(tag for _, _, tag in worker.shown()) == ["test.1", "test.3"]
    assert [body for _, body, tag in worker.shown() if tag == "test.1"] == ["Ben wrote to you."]
    # After a sign-out the device shows nothing of the account; the page's stream ends with the session.
    me.expects("401")
    me.page.evaluate("fetch('/api/v1/auth/sign-out', { method: 'POST', headers: { Accept: 'application/json' } }).then((one) => one.status)")
    me.until("async () => !(await (await caches.open('pt-owner')).match('/'))")
    worker.push(told | {"account": account, "id": "test.4"})
    me.page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
    assert "test.4" not in [tag for _, _, tag in worker.shown()]


@pytest.mark.requirement("WW-9.04.c")
def test_a_device_that_was_turned_on_is_registered_again_at_the_next_sign_in(visit, tower, service):
    school = tower.found_school()
    ben = school.colleague("Ben Ito")
    device = Device(service, "page-2")
    me = visit(ben, notifications=True)
    with_push(me, device)
    me.open("/settings/notifications")
    me.button("Turn on").click()
    expect(me.page.get_by_text("Notifications are on for this device")).to_be_visible()
    # The stream of the page ends with the session.
    me.expects("401")
    me.account_menu().get_by_role("button", name="Sign out").click()
    me.is_at("/sign-in.*")
    me.field("Email").fill(ben.email)
    me.field("Password").fill(PASSWORD)
    with me.page.expect_request(lambda request: request.url.endswith("/api/v1/notifications/device")) as told:
        me.button("Sign in", exact=True).click()
    assert json.loads(told.value.post_data) == device.subscription
    assert told.value.response().ok
    talk(school, ben, "The bead cabinet came back.")
    _, said, _ = device.receive()
    assert "Ana Ruiz" in said["body"]
