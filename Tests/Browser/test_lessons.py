"""Lessons: rendered Markdown, and a video that resumes."""
import io
import json
import re
import wave

import pytest
from conftest import DESKTOP, PHONE
from films import webm
from playwright.sync_api import expect
from test_courses import course_of
from test_photos import photo

ENGLISH = {
    "lang": "en-US", "edit": "Edit lesson", "text": "Text", "save": "Save", "hint": "Markdown:", "video": "Video", "speed": "Speed",
    "picture": "Picture in picture", "remote": "Other screen", "whole": "Enter the full address",
    "add": "Add files", "files": "Files", "none": "is not a video", "french": "French", "kept": "15 MB", "large": "64 MB",
}
FRENCH = {
    "lang": "fr-CA", "edit": "Modifier la leçon", "text": "Texte", "save": "Enregistrer", "hint": "Markdown",
    "video": "Vidéo", "speed": "Vitesse", "picture": "Image dans l’image", "remote": "Autre écran",
    "whole": "Entrez l’adresse complète", "add": "Ajouter des fichiers", "files": "Fichiers",
    "none": "n’est pas une vidéo", "french": "français", "kept": "15\xa0Mo", "large": "64\xa0Mo",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])

FILM = "https://films.example/water"
TEXT = """# Fractions

A **half** is one of *two* ~~three~~ parts. See <b>this</b> and [the school](/courses) or [nothing](javascript:alert(1)).

- [x] cut the apple
- [ ] share it

| Part | Name |
|---|--:|
| 1/2 | half |
"""
#: A browser with remote screens and picture in picture that records the calls.
SCREENS = """
Object.defineProperty(document, "pictureInPictureEnabled", { value: true });
HTMLVideoElement.prototype.requestPictureInPicture = async function () { this.dataset.asked = "picture"; };
RemotePlayback.prototype.watchAvailability = async function (tell) { tell(true); return 1; };
RemotePlayback.prototype.prompt = async function () { document.querySelector("video").dataset.asked = "screen"; };
"""


def film():
    """A generated minute of silence, which every browser's video element plays."""
    sound = io.BytesIO()
    with wave.open(sound, "wb") as out:
        out.setparams((1, 1, 8000, 0, "NONE", "none"))
        out.writeframes(bytes([128]) * 60 * 8000)
    return sound.getvalue()


def serve(visitor):
    """Serves the video's site, with range requests."""
    whole = film()

    def answer(route):
        asked = re.match(r"bytes=(\d+)-(\d*)", route.request.headers.get("range", "bytes=0-"))
        first, last = int(asked[1]), int(asked[2] or len(whole) - 1)
        headers = {
            "Content-Type": "audio/wav", "Accept-Ranges": "bytes", "Content-Range": f"bytes {first}-{last}/{len(whole)}"}
        route.fulfill(status=206, headers=headers, body=whole[first:last + 1])

    visitor.page.context.route(FILM, answer)


def lesson_of(school, course):
    return next(one for one in school.owner.get(f"/api/v1/courses/{course}/lessons")["items"] if one["title"] == "Fractions")


@BOTH
def test_a_lesson_is_written_in_markdown(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    path = f"/courses/{course}/lessons/{lesson_of(school, course)['id'].lower()}"
    teacher = visit(school.owner, f"{path}/edit", size=size, language=words["lang"])
    expect(teacher.page.get_by_text(words["hint"])).to_be_visible()
    teacher.field(words["text"]).fill(TEXT)
    teacher.button(words["save"]).click()
    text = teacher.page.locator(".pt-rich")
    expect(text.get_by_role("heading", level=2, name="Fractions")).to_be_visible()
    expect(text.locator("strong")).to_have_text("half")
    expect(text.get_by_role("listitem")).to_have_count(2)
    expect(text.get_by_role("cell", name="half")).to_be_visible()
    expect(text.get_by_role("link")).to_have_count(1)
    expect(text.get_by_text("<b>this</b>")).to_be_visible()
    teacher.page.get_by_role("link", name="the school").click()
    teacher.is_at(r"/courses$")


@pytest.mark.requirement("WW-4.01.b", "WW-4.02", "WW-4.03", "WW-4.04.c", "WW-4.05.b")
@BOTH
def test_a_video_plays_at_other_speeds_and_resumes_where_it_stopped(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    path = f"/courses/{course}/lessons/{lesson_of(school, course)['id'].lower()}"
    teacher = visit(school.owner, f"{path}/edit", size=size, language=words["lang"])
    teacher.expects("422")
    serve(teacher)
    teacher.field(words["video"]).fill("http://films.example")
    teacher.button(words["save"]).click()
    expect(teacher.page.get_by_text(words["whole"])).to_be_visible()
    teacher.field(words["video"]).fill(FILM)
    teacher.button(words["save"]).click()
    expect(teacher.page.get_by_label("Fractions")).to_have_js_property("duration", 60)

    student = school.colleague("Mia Roy", role="student")
    student.post(f"/api/v1/courses/{course}/enroll", {})
    pupil = visit(student, "/courses", size=size, language=words["lang"])
    pupil.page.context.add_init_script(SCREENS)
    serve(pupil)
    pupil.open(f"/courses/{course}")
    # The previous page's policy allowed no video; this one does.
    pupil.row("Fractions").get_by_role("link").click()
    video = pupil.page.locator("video")
    expect(video).to_have_js_property("duration", 60)
    pupil.page.get_by_label(words["speed"]).select_option("1.5")
    expect(video).to_have_js_property("playbackRate", 1.5)
    pupil.button(words["picture"]).click()
    expect(video).to_have_attribute("data-asked", "picture")
    pupil.button(words["remote"]).click()
    expect(video).to_have_attribute("data-asked", "screen")
    with pupil.page.expect_response("**/video-position") as kept:
        video.evaluate("film => { film.muted = true; film.currentTime = 30; return film.play().then(() => film.pause()); }")
    assert kept.value.ok
    seconds = json.loads(kept.value.request.post_data)["seconds"]
    assert seconds >= 30
    pupil.open(path)
    expect(video).to_have_js_property("currentTime", seconds)
    expect(pupil.page.get_by_text("Second half.")).to_be_visible()


CAPTIONS = """WEBVTT

00:00.000 --> 00:59.000
L’eau coule.
"""


@pytest.mark.requirement("WW-4.01.b", "WW-4.05.b")
@BOTH
def test_a_video_of_the_school_plays_with_captions_and_resumes_where_it_stopped(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    path = f"/courses/{course}/lessons/{lesson_of(school, course)['id'].lower()}"
    teacher = visit(school.owner, f"{path}/edit", size=size, language=words["lang"])
    teacher.expects("422")
    for limit in ["kept", "large"]:
        expect(teacher.page.get_by_text(words[limit])).to_be_visible()
    chosen = teacher.page.locator("input[type=file]")
    chosen.set_input_files({"name": "sea.mp4", "mimeType": "video/mp4", "buffer": b"no film"})
    teacher.button(words["add"]).click()
    expect(teacher.page.get_by_text(f"sea.mp4 {words['none']}").first).to_be_visible()
    chosen.set_input_files([
        {"name": "sea.webm", "mimeType": "video/webm", "buffer": webm()},
        {"name": "sea.fr.vtt", "mimeType": "text/vtt", "buffer": CAPTIONS.encode()}])
    teacher.button(words["add"]).click()
    expect(teacher.page.get_by_text("sea.webm")).to_be_visible()
    teacher.open(path)
    expect(teacher.page.get_by_label("Fractions")).to_have_js_property("duration", 60)

    student = school.colleague("Mia Roy", role="student")
    student.post(f"/api/v1/courses/{course}/enroll", {})
    pupil = visit(student, path, size=size, language=words["lang"])
    video = pupil.page.locator("video")
    expect(video).to_have_js_property("duration", 60)
    expect(pupil.page.get_by_text("sea.webm")).to_be_visible()
    # Captions are not loaded before they are switched on.
    assert video.evaluate("film => [...film.textTracks].map((one) => [one.kind, one.label, one.language, one.mode])") == [
        ["captions", words["french"], "fr", "disabled"]]
    assert video.evaluate("""film => new Promise((tell, fail) => {
        const track = film.querySelector("track");
        track.addEventListener("load", () => tell([...track.track.cues].map((cue) => cue.text)));
        track.addEventListener("error", () => fail(new Error("no captions")));
        track.track.mode = "showing";
    })""") == ["L’eau coule."]
    pupil.page.get_by_label(words["speed"]).select_option("2")
    expect(video).to_have_js_property("playbackRate", 2)
    with pupil.page.expect_response("**/video-position") as kept:
        video.evaluate(
            "film => { film.muted = true; film.currentTime = 30; return film.play().then(() => film.pause()); }")
    assert kept.value.ok
    seconds = json.loads(kept.value.request.post_data)["seconds"]
    assert seconds >= 30
    pupil.open(path)
    expect(video).to_have_js_property("currentTime", seconds)


@BOTH
def test_a_picture_of_a_lesson_is_in_its_text(visit, server, words, size):
    school = server.found_school()
    course = course_of(school)
    path = f"/courses/{course}/lessons/{lesson_of(school, course)['id'].lower()}"
    teacher = visit(school.owner, f"{path}/edit", size=size, language=words["lang"])
    expect(teacher.page.get_by_text("](photo.jpg)")).to_be_visible()
    teacher.page.locator("input[type=file]").set_input_files(photo("wave.png", 120, (1600, 900)))
    teacher.button(words["add"]).click()
    expect(teacher.page.get_by_text("wave.jpg")).to_be_visible()
    teacher.field(words["text"]).fill(
        "Look:\n\n![A wave at sea](Wave.PNG)\n\n![Elsewhere](https://films.example/a.png) ![Nowhere](b.jpg)")
    teacher.button(words["save"]).click()
    text = teacher.page.locator(".pt-rich")
    wave = text.get_by_role("img", name="A wave at sea")
    expect(wave).to_be_visible()
    expect(wave).to_have_js_property("naturalWidth", 1600)
    assert wave.evaluate("one => one.width <= one.closest('.pt-rich').clientWidth && Math.abs(one.width / one.height - 16 / 9) < 0.02")
    assert teacher.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(text.locator("img")).to_have_count(1)
    expect(text.get_by_role("link", name="Elsewhere")).to_be_visible()
    expect(text.get_by_text("Nowhere")).to_be_visible()
