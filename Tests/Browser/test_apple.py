"""Sign in with Apple, with a stand-in for Apple in another process and on another site."""

import select
import socket
import subprocess
import uuid

import pytest
import requests
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from school import BINARY, START_LIMIT, STOP_LIMIT, PASSWORD, Server


class Apple:
    """The stand-in and its current person."""

    def __init__(self, process, address, key):
        self.process = process
        self.address = address
        self.key = key

    def set_person(self, first="Ana", last="Kovač", email=None):
        """Sets a new person at the stand-in."""
        email = email or f"{uuid.uuid4().hex[:8]}@privaterelay.example"
        answer = requests.post(
            f"{self.address}/stand-in/person", timeout=10,
            data={"subject": uuid.uuid4().hex, "email": email, "first": first, "last": last})
        assert answer.ok
        return email


@pytest.fixture(scope="module")
def apple(tmp_path_factory):
    key = tmp_path_factory.mktemp("apple") / "key.p8"
    process = subprocess.Popen(
        [BINARY.with_name("standinapple"), key], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    readable, _, _ = select.select([process.stdout], [], [], START_LIMIT)
    address = process.stdout.readline().strip() if readable else ""
    assert address.startswith("http://localhost:"), f"The stand-in did not say where it is: {address!r}"
    yield Apple(process, address, key)
    process.terminate()
    process.wait(timeout=STOP_LIMIT)
    process.stdout.close()


def free_port():
    """A free port: Apple needs the callback address before the server runs."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="module")
def tower(apple, tmp_path_factory):
    """A server that is registered at the stand-in."""
    folder = tmp_path_factory.mktemp("tower")
    made = Server(folder / "data", folder / "server.log", {
        "PINKTOWER_APPLE_SERVICES_ID": "example.tower.web",
        "PINKTOWER_APPLE_TEAM_ID": "TEAM123456",
        "PINKTOWER_APPLE_KEY_ID": "KEY1234567",
        "PINKTOWER_APPLE_KEY_FILE": str(apple.key),
        "PINKTOWER_APPLE_URL": apple.address,
    }, port=free_port()).start()
    yield made
    made.stop()


def sign_up(visitor):
    """Goes from the sign-in page through the stand-in to a new school, or to the page that follows."""
    visitor.open("/sign-in")
    visitor.link("Sign in with Apple").click()
    expect(visitor.page.get_by_role("heading", name="Stand-in for Apple")).to_be_visible()
    visitor.button("Continue").click()


@pytest.mark.requirement("PT-1.13.a")
@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without"])
def test_a_newcomer_signs_up_and_comes_back(visit, tower, apple, script):
    email = apple.set_person("Noor", "Aziz")
    me = visit(at=tower, size=PHONE, script=script)
    sign_up(me)
    expect(me.heading("One last step")).to_be_visible()
    expect(me.page.get_by_text(email)).to_be_visible()
    expect(me.field("Your name")).to_have_value("Noor Aziz")
    me.page.get_by_label("Date of birth").fill("1990-02-28")
    me.page.get_by_label("I agree").check()
    me.button("Create an account").click()
    expect(me.heading("Welcome")).to_be_visible()
    # Another browser of the same person is signed in without questions.
    again = visit(at=tower, size=DESKTOP, script=script)
    sign_up(again)
    expect(again.heading("Welcome")).to_be_visible()


def test_canceling_leads_back_to_the_sign_in(visit, tower, apple):
    apple.set_person()
    me = visit(at=tower, size=DESKTOP)
    me.open("/sign-in")
    me.link("Sign in with Apple").click()
    me.button("Cancel").click()
    expect(me.page.get_by_text("You are not signed in")).to_be_visible()
    me.link("Back to sign in").click()
    me.is_at("/sign-in")


def test_en_francais_une_adresse_connue_demande_le_mot_de_passe(visit, tower, apple):
    person = tower.sign_up("Léa Roy")
    apple.set_person("Léa", "Roy", person.email)
    moi = visit(at=tower, size=PHONE, language="fr-CA")
    moi.open("/sign-in")
    moi.link("Se connecter avec Apple").click()
    moi.button("Continue").click()
    expect(moi.page.get_by_text("Vous avez déjà un compte")).to_be_visible()
    moi.link("Retour à la connexion").click()
    moi.field("Courriel").fill(person.email)
    moi.field("Mot de passe").fill(PASSWORD)
    moi.button("Se connecter", exact=True).click()
    moi.is_at("/settings/security/apple")
    moi.link("Continuer avec Apple").click()
    moi.button("Continue").click()
    moi.is_at("/settings/security/apple")
    moi.field("Mot de passe actuel").fill(PASSWORD)
    moi.button("Associer Apple").click()
    expect(moi.toast("Compte Apple associé.")).to_be_visible()
    expect(moi.page.get_by_text("Associé depuis")).to_be_visible()
    ailleurs = visit(at=tower, size=DESKTOP, language="fr-CA")
    ailleurs.open("/sign-in")
    ailleurs.link("Se connecter avec Apple").click()
    ailleurs.button("Continue").click()
    ailleurs.is_at("/.*")
    expect(ailleurs.page.get_by_text("Bienvenue").first).to_be_visible()
    moi.field("Mot de passe actuel").fill(PASSWORD)
    moi.button("Dissocier Apple").click()
    expect(moi.toast("Compte Apple dissocié.")).to_be_visible()
