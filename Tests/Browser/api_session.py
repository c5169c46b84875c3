"""Hooks for schemathesis (`SCHEMATHESIS_HOOKS`): every request is sent by a signed-in person.

Some generated commands end or narrow the caller's session, and wrong codes and passwords lock the caller's account.
Several people with equal rights take turns, since all later requests would otherwise be answered 401."""

import itertools
import os

import hypothesis
import requests
import schemathesis

# Schemathesis tells Hypothesis which requests were accepted, so that it generates more like them, and has no setting that
# turns this off. Without it, the same number of requests takes a sixth less processor time, and more operations accept a
# request (182 instead of 177 of 411).
hypothesis.target = lambda *observation, **label: None

_URL = os.environ["PINKTOWER_TEST_URL"]
_PASSWORD = os.environ["PINKTOWER_TEST_PASSWORD"]
_people = itertools.cycle(os.environ["PINKTOWER_TEST_EMAILS"].split(","))
_networks = itertools.cycle(range(250))
_token = ""


def _sign_in() -> str:
    """A session of the next person who is not locked."""
    tried = set()
    for email in _people:
        # Sign-ins are limited per network, so each comes from another.
        network = {"X-Forwarded-For": f"198.18.7.{next(_networks)}"}
        answer = requests.post(
            f"{_URL}/api/v1/auth/sign-in", json={"email": email, "password": _PASSWORD}, headers=network, timeout=10)
        if answer.ok and "accessToken" in answer.json():
            return answer.json()["accessToken"]
        assert email not in tried, f"nobody can sign in any more: {answer.status_code} {answer.text}"
        tried.add(email)


@schemathesis.hook
def before_call(context, case, kwargs):
    global _token
    _token = _token or _sign_in()
    case.headers["Authorization"] = f"Bearer {_token}"


@schemathesis.hook
def after_call(context, case, response):
    global _token
    if response.status_code == 401:
        me = requests.get(f"{_URL}/api/v1/auth/me", headers={"Authorization": f"Bearer {_token}"}, timeout=10)
        if me.status_code == 401:
            _token = ""
    elif response.status_code == 403 and b'"tokenScope"' in response.content:
        # The session was narrowed for a child and reaches nothing else.
        _token = ""
