"""A teacher pins notes to the pages of a file and speaks a comment; the student gets both with the returned work."""
import io
import re
import wave

import pytest
from conftest import DESKTOP, PHONE
from PIL import Image
from playwright.sync_api import expect
from residence import person_id
from test_assignments import assignment_of, pupil_of
from test_courses import course_of
from test_files import pdf
from words import Words

BOTH = pytest.mark.parametrize(
    "words,size", [(Words("en-US"), PHONE), (Words("fr-CA"), DESKTOP)], ids=["en-phone", "fr-desktop"])


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (600, 900), "white").save(out, "PNG")
    return out.getvalue()


def handed_in(school, visit, name, kind, content):
    """The path of the assignment, that of its marking page, and the student who handed in a file."""
    course = course_of(school)
    mia = pupil_of(school, course)
    one = assignment_of(school, course)
    pupil = visit(mia, f"/assignments/{one}")
    pupil.page.get_by_label("Add files").set_input_files({"name": name, "mimeType": kind, "buffer": content})
    pupil.button("Hand in", exact=True).click()
    expect(pupil.page.get_by_text("Receipt")).to_be_visible()
    return f"/assignments/{one}", f"/assignments/{one}/marking/{person_id(mia)}", mia


def place(visitor, pin, page):
    """Where the middle of a pin is, in parts of the page."""
    at, frame = visitor.page.locator(pin).bounding_box(), visitor.page.locator(page).first.bounding_box()
    return (
        (at["x"] + at["width"] / 2 - frame["x"]) / frame["width"],
        (at["y"] + at["height"] / 2 - frame["y"]) / frame["height"])


@BOTH
def test_notes_are_pinned_by_pointer_and_seen_at_the_same_place_once_returned(visit, server, words, size):
    school = server.found_school()
    path, marking, mia = handed_in(school, visit, "essay.pdf", "application/pdf", pdf(2))
    teacher = visit(school.owner, marking, size=size, language=words.locale)
    expect(teacher.page.locator(".pt-notes__page")).to_have_count(2)
    teacher.button(words("coursework.note.add")).click()
    board = teacher.page.locator(".pt-notes__board").first
    board.scroll_into_view_if_needed()
    frame = board.bounding_box()
    # A part near the top, which is on the screen at both sizes.
    left, top = frame["x"] + frame["width"] * 0.2, frame["y"] + frame["height"] * 0.1
    teacher.page.mouse.move(left, top)
    teacher.page.mouse.down()
    teacher.page.mouse.move(left + frame["width"] * 0.5, top + frame["height"] * 0.06, steps=4)
    teacher.page.mouse.up()
    teacher.sheet.get_by_label(words("coursework.note.text")).fill("Name your source here.")
    teacher.sheet.get_by_role("button", name=words("coursework.note.save")).click()
    expect(teacher.toast(words("coursework.said.noteSaved"))).to_be_visible()
    expect(teacher.page.locator(".pt-notes__mark")).to_have_count(1)
    where = place(teacher, ".pt-notes__pin", ".pt-notes__page")
    assert abs(where[0] - 0.7) < 0.02 and abs(where[1] - 0.1) < 0.02, where

    pupil = visit(mia, path, size=size, language=words.locale)
    expect(pupil.page.locator("pt-notes")).to_have_count(0)
    assert "Name your source" not in pupil.page.content()
    teacher.button(words("coursework.return")).first.click()
    expect(pupil.page.locator(".pt-notes__pin")).to_have_count(1)
    expect(pupil.page.get_by_text("Name your source here.").first).to_be_visible()
    # At each size and rotation of the screen the pin is at the same place of the page.
    for other in (PHONE, (844, 390), DESKTOP):
        pupil.page.set_viewport_size({"width": other[0], "height": other[1]})
        now = place(pupil, ".pt-notes__pin", ".pt-notes__page")
        assert abs(now[0] - where[0]) < 0.01 and abs(now[1] - where[1]) < 0.01, (other, now)
    pupil.page.locator(".pt-notes__pin").click()
    bubble = pupil.page.locator(".pt-notes__bubble:popover-open")
    expect(bubble).to_contain_text("Name your source here.")
    expect(bubble.get_by_role("button")).to_have_count(0)
    expect(pupil.button(words("coursework.note.add"))).to_have_count(0)


@BOTH
def test_a_note_is_written_changed_and_deleted_by_keyboard_alone(visit, server, words, size):
    school = server.found_school()
    _, marking, _ = handed_in(school, visit, "map.png", "image/png", picture())
    teacher = visit(school.owner, marking, size=size, language=words.locale)
    press = teacher.page.keyboard.press
    teacher.button(words("coursework.note.add")).focus()
    press("Enter")
    expect(teacher.page.locator(".pt-notes__board")).to_be_focused()
    for key in ["ArrowLeft"] * 5 + ["ArrowUp"] * 10 + ["Shift+ArrowRight"] * 5 + ["Shift+ArrowDown"] * 2:
        press(key)
    press("Enter")
    field = teacher.sheet.get_by_label(words("coursework.note.text"))
    expect(field).to_be_focused()
    expect(teacher.sheet.get_by_text(words("coursework.note.placePicture", "40\u00a0%", "30\u00a0%"))).to_be_visible()
    teacher.page.keyboard.type("Which scale?")
    press("Tab")
    press("Enter")
    row = teacher.row("1. Which scale?")
    expect(row).to_be_visible()
    expect(teacher.page.locator(".pt-notes__mark")).to_have_count(1)
    row.get_by_role("link").first.focus()
    press("Enter")
    expect(teacher.sheet.get_by_label(words("coursework.note.text"))).to_have_value("Which scale?")
    teacher.sheet.get_by_label(words("coursework.note.text")).fill("Which scale, and north?")
    teacher.sheet.get_by_role("button", name=words("coursework.note.save")).click()
    expect(teacher.row("1. Which scale, and north?")).to_be_visible()
    # Another teacher removes the note; the open page loses it by itself.
    notes = school.owner.get(marking.replace("/assignments", "/api/v1/assignments").split("/marking")[0] + "/submissions")
    file = notes["items"][0]["files"][0]["id"].lower()
    api = marking.replace("/assignments", "/api/v1/assignments").split("/marking")[0] + f"/files/{file}/notes"
    [note] = school.owner.get(api)["items"]
    school.owner.post(f"{api}/{note['id'].lower()}/delete", {})
    expect(teacher.page.locator(".pt-notes__pin")).to_have_count(0)


@BOTH
def test_a_comment_is_spoken_and_heard_once_returned(visit, server, words, size):
    school = server.found_school()
    path, marking, mia = handed_in(school, visit, "essay.txt", "text/plain", b"My essay")
    teacher = visit(school.owner, marking, size=size, language=words.locale, permissions=["microphone"])
    teacher.page.get_by_text(words("coursework.spoken.add")).click()
    voice = teacher.page.locator("[data-voice]")
    voice.locator("[data-voice-start]").focus()
    teacher.page.keyboard.press("Enter")
    expect(voice.get_by_role("timer")).to_have_text(re.compile("0:0[1-9]"))
    expect(voice.locator("[data-voice-stop]")).to_be_focused()
    teacher.page.keyboard.press("Enter")
    heard = teacher.page.locator("audio[src*='/comments/']")
    expect(heard).to_have_count(1)
    pupil = visit(mia, path, size=size, language=words.locale)
    expect(pupil.page.locator("audio")).to_have_count(0)
    teacher.button(words("coursework.return")).first.click()
    sound = pupil.page.locator("audio[src*='/comments/']")
    expect(sound).to_have_count(1)
    expect(sound).to_have_attribute("controls", "")
    state = sound.evaluate(
        "(sound) => new Promise((done) => { sound.onloadeddata = () => done(sound.readyState); sound.preload = 'auto'; sound.load(); })")
    assert state >= 2, "it can be played"


@BOTH
def test_without_a_microphone_a_file_is_chosen_instead(visit, server, words, size):
    school = server.found_school()
    _, marking, _ = handed_in(school, visit, "essay.txt", "text/plain", b"My essay")
    teacher = visit(school.owner, marking, size=size, language=words.locale)
    teacher.page.evaluate("() => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('refused')); }")
    teacher.page.get_by_text(words("coursework.spoken.add")).click()
    teacher.page.locator("[data-voice-start]").click()
    expect(teacher.page.get_by_text(words("web.voice.refused"))).to_be_visible()
    out = io.BytesIO()
    with wave.open(out, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(8000)
        made.writeframes(b"\0\0" * 8000)
    teacher.expects("status of 422")
    field = teacher.page.get_by_label(words("coursework.spoken.file"))
    field.set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no sound"})
    teacher.button(words("coursework.spoken.send")).click()
    expect(teacher.page.get_by_text(words("fault.coursework.notSound")).first).to_be_visible()
    teacher.page.get_by_label(words("coursework.spoken.file")).set_input_files(
        {"name": "comment.wav", "mimeType": "audio/wav", "buffer": out.getvalue()})
    teacher.button(words("coursework.spoken.send")).click()
    expect(teacher.page.locator("audio[src*='/comments/']")).to_have_count(1)
    teacher.button(words("coursework.spoken.delete")).click()
    teacher.question.get_by_role("button", name=words("coursework.spoken.delete")).click()
    expect(teacher.page.locator("audio[src*='/comments/']")).to_have_count(0)
