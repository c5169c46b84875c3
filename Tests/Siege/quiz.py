"""A whole school takes a quiz through a network that loses one request in ten, and the server is killed meanwhile.

Each student answers 40 questions, one every three seconds, and sends an answer again until it is confirmed, as the page's
outbox does."""

import http.client
import json
import random
import threading
import time

from common import Row, Server
from proxy import FaultyProxy

STUDENTS = 300
QUESTIONS = 40
#: Seconds between two answers of a student.
PACE = 3.0
#: Seconds within which all students start.
RUSH = 10.0
#: One request in ten is lost: on its way there, or its answer on the way back.
FAULTS = {"fine": 18, "cut before": 1, "lost answer": 1}


class Taker:
    """A student who takes the quiz."""

    def __init__(self, person, path, proxy):
        self.person, self.path, self.proxy = person, path, proxy
        self.chance = random.Random(person.email)
        self.chosen: dict[str, str] = {}
        self.right = 0
        self.attempts: set[str] = set()
        self.times: list[float] = []
        self.refused: list[str] = []
        self.attempt = ""

    def send(self, path, body):
        """Sends until there is an answer. Returns the answer, or nothing if it was a refusal."""
        host, port = self.proxy.url.removeprefix("http://").split(":")
        while True:
            connection = http.client.HTTPConnection(host, int(port), timeout=10)
            began = time.monotonic()
            try:
                connection.request("POST", path, json.dumps(body), {
                    "Authorization": f"Bearer {self.person.token}", "Content-Type": "application/json"})
                answer = connection.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)
                continue
            finally:
                connection.close()
            if answer.status >= 500 or answer.status == 429:
                time.sleep(0.5)
                continue
            self.times.append(time.monotonic() - began)
            if answer.status >= 400:
                self.refused.append(f"{answer.status} {text[:200]!r}")
                return None
            return json.loads(text or b"null")

    def run(self):
        time.sleep(self.chance.uniform(0, RUSH))
        state = self.send(f"{self.path}/start", {})
        if state is None:
            return
        self.attempt = state["attempt"]["id"].lower()
        for question in state["questions"]:
            began = time.monotonic()
            option = self.chance.choice(question["options"])
            saved = self.send(f"{self.path}/attempts/{self.attempt}/answers", {
                "questionId": question["id"], "optionIds": [option["id"]]})
            if saved is not None:
                self.chosen[question["id"].lower()] = option["id"].lower()
                self.right += option["text"] == "right"
            # Starting again in between is as if the page was loaded again.
            if self.chance.random() < 0.02:
                again = self.send(f"{self.path}/start", {})
                self.attempts.add(again["attempt"]["id"].lower() if again else "")
            time.sleep(max(0.0, PACE - (time.monotonic() - began)))


def run(folder, seconds):
    server = Server(folder / "data", folder / "server.log").start()
    try:
        owner = server.found_school(name="Quiz School", rooms={}).owner
        course = owner.post("/api/v1/courses", {"name": "Geography", "subject": "Geography", "admission": "open"})["id"]
        quiz = owner.post(f"/api/v1/courses/{course}/quizzes", {"title": "Capitals", "limit": "30"})["id"].lower()
        for number in range(QUESTIONS):
            owner.post(f"/api/v1/quizzes/{quiz}/questions", {
                "kind": "multipleChoice", "text": f"Question {number}", "option1": "right", "isRight1": True,
                "option2": "wrong", "option3": "also wrong", "points": "1"})
        owner.post(f"/api/v1/quizzes/{quiz}/publish", {"isPublished": True})
        students = []
        for number in range(STUDENTS):
            person = server.sign_up(f"Student {number}")
            person.post("/api/v1/invites/redeem", {"code": owner.post("/api/v1/invites", {"role": "student"})["code"]})
            person.post(f"/api/v1/courses/{course}/enroll", {})
            students.append(person)
        proxy = FaultyProxy(server, seed=28, faults=FAULTS)
        path = f"/api/v1/quizzes/{quiz}"
        takers = [Taker(person, path, proxy) for person in students]
        threads = [threading.Thread(target=taker.run, daemon=True) for taker in takers]
        for thread in threads:
            thread.start()
        time.sleep(RUSH + QUESTIONS * PACE / 2)
        server.process.kill()
        server.process.wait()
        server.process.stdout.close()
        server.start()
        for thread in threads:
            thread.join(timeout=seconds)
        proxy.close()
        row = Row("quiz", "answers of a school in a lossy network, with kill -9 in the middle", 0)
        for taker in takers:
            row.tried += len(taker.chosen)
            row.failures += judge(taker, path)
        if any(thread.is_alive() for thread in threads):
            row.failures.append("students did not get to the end in time")
        if not all(proxy.seen[fault] for fault in FAULTS):
            row.failures.append(f"there were no faults: {proxy.seen}")
        times = sorted(time for taker in takers for time in taker.times)
        lost = sum(count for fault, count in proxy.seen.items() if fault != "fine")
        row.note = (
            f"{lost} of {sum(proxy.seen.values())} requests lost; through the proxy half of the answers took "
            f"{times[len(times) // 2] * 1000:.0f} ms")
        return [row]
    finally:
        server.stop()


def judge(taker, path):
    """The differences between what a student was told and what is stored, after handing in."""
    name = taker.person.name
    found = [f"{name}: {refusal}" for refusal in taker.refused]
    if not taker.attempt:
        return found + [f"{name} could not start"]
    if taker.attempts - {taker.attempt}:
        found.append(f"{name} had several attempts")
    state = taker.person.get(f"{path}/attempts/{taker.attempt}")
    stored = {
        question["id"].lower(): question["answer"]["optionIds"][0].lower()
        for question in state["questions"] if question.get("answer")}
    lost = [question for question, option in taker.chosen.items() if stored.get(question) != option]
    if lost:
        found.append(f"{name}: {len(lost)} confirmed answers are missing or different")
    if len(taker.chosen) != QUESTIONS:
        found.append(f"{name}: {len(taker.chosen)} of {QUESTIONS} answers were confirmed")
    taker.person.post(f"{path}/attempts/{taker.attempt}/hand-in", {})
    score = taker.person.get(f"{path}/attempts/{taker.attempt}")["attempt"]["score"]
    if score != taker.right * 100:
        found.append(f"{name}: {score} hundredths for {taker.right} right answers")
    return found
