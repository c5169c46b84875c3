"""A teacher builds a quiz, a student takes it, also without a network, and the teacher reads the results."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect
from test_photos import photo

ENGLISH = {
    "lang": "en-US", "add": "Add quiz", "title": "Title", "create": "Create quiz", "question": "Question",
    "option": "Option", "right": "Option 1 is right", "save": "Save question", "publish": "Publish", "start": "Start",
    "next": "Next", "hand in": "Hand in", "answer": "Your answer", "saved": "Saved", "kept": "On this device",
    "score": "2 of 3", "results": "Results", "done": "1 of 1 finished", "short": "Short answer",
    "accepted": "Accepted answers", "up": "Move up", "later": "Mark for later",
    "replaced": "This replaced an answer from another device.", "elsewhere": "An answer was changed on another device.",
    "draw": "Draw at random", "drawn": "2 questions with the tag “maps”", "store": "Save",
    "added": "Random questions added", "picture": "Add a picture", "alternative": "Text alternative", "unreadable": "1 formula cannot be read",
    "nothing": "0 of 2", "half": "1 of 2",
    "drawn question": "Drawn question", "full": "Full points for everyone", "by key": "Use the answer key again",
    "import": "Import", "leave out": "Skip unsupported questions",
}
FRENCH = {
    "lang": "fr-CA", "add": "Ajouter un questionnaire", "title": "Titre", "create": "Créer le questionnaire",
    "question": "Question", "option": "Option", "right": "L’option 1 est juste", "save": "Enregistrer la question",
    "publish": "Publier", "start": "Commencer", "next": "Suivant", "hand in": "Rendre", "answer": "Votre réponse",
    "saved": "Enregistrée", "kept": "Sur cet appareil", "score": "2 sur 3", "results": "Résultats",
    "done": "1 sur 1 a terminé", "short": "Réponse courte", "accepted": "Réponses acceptées", "up": "Monter",
    "draw": "Tirer au hasard", "drawn": "2 questions avec l’étiquette «\u00a0maps\u00a0»", "store": "Enregistrer",
    "added": "Questions au hasard ajoutées", "picture": "Ajouter une image", "alternative": "Texte de remplacement", "unreadable": "1 formule est illisible",
    "later": "Marquer pour plus tard", "replaced": "Une réponse donnée sur un autre appareil a été remplacée.",
    "elsewhere": "Une réponse a été modifiée sur un autre appareil.", "import": "Importer",
    "nothing": "0 sur 2", "half": "1 sur 2", "drawn question": "Question tirée au hasard",
    "full": "Tous les points pour tous", "by key": "Revenir au corrigé",
    "leave out": "Ignorer les questions non prises en charge",
}
BOTH = pytest.mark.parametrize("words,size", [(ENGLISH, PHONE), (FRENCH, DESKTOP)], ids=["en-phone", "fr-desktop"])


def course_of(school, student):
    """A course of the founder with one student."""
    course = school.owner.post("/api/v1/courses", {"name": "Algebra", "subject": "Mathematics"})["id"].lower()
    student.post(f"/api/v1/courses/{course}/enroll", {})
    return course


def quiz_of(school, course, **rules):
    """A published quiz with three questions of one point."""
    body = {"title": "Silk road", "showsAnswers": True, "showsExplanations": True, **rules}
    quiz = school.owner.post(f"/api/v1/courses/{course}/quizzes", body)["id"].lower()
    for question in (
        {"kind": "multipleChoice", "text": "Which city lies at the eastern end of the silk road?",
         "option1": "Chang’an", "isRight1": True, "option2": "Samarkand", "option3": "Tyre"},
        {"kind": "fillInTheBlank", "text": "The {{blank}} basin lies north of the {{blank}} mountains.",
         "accepted": "Tarim\nKunlun"},
        {"kind": "numeric", "text": "How many books did Xuanzang bring home?", "accepted": "657", "tolerance": "3"},
    ):
        school.owner.post(f"/api/v1/quizzes/{quiz}/questions", question)
    school.owner.post(f"/api/v1/quizzes/{quiz}/publish", {"isPublished": True})
    return quiz


@BOTH
def test_a_teacher_builds_and_publishes_a_quiz(visit, server, words, size):
    school = server.found_school()
    student = school.colleague("Mia Roy", role="student")
    course = course_of(school, student)
    teacher = visit(school.owner, f"/courses/{course}", size=size, language=words["lang"])
    page = teacher.page
    page.get_by_role("link", name=words["add"]).click()
    teacher.field(words["title"]).fill("Silk road")
    teacher.button(words["create"]).click()
    expect(page.get_by_role("heading", level=1, name="Silk road")).to_be_visible()
    for text in ["Which city?", "Which sea?"]:
        page.goto(re.sub(r"[?#].*", "", page.url) + "/new-question?kind=multipleChoice")
        page.locator("textarea[name=text]").fill(text)
        page.locator("input[name=option1]").fill("Tyre & <b>Sidon</b>")
        page.locator("input[name=option2]").fill("Rome")
        page.get_by_label(words["right"]).check()
        teacher.button(words["save"]).click()
        expect(page.get_by_text(text)).to_be_visible()
    # By the menu and the keyboard alone.
    row = teacher.row("2. Which sea?")
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    up = row.locator(".pt-menu").get_by_text(words["up"])
    expect(up).to_be_visible()
    up.press("Enter")
    expect(page.get_by_text("1. Which sea?")).to_be_visible()
    page.get_by_role("button", name=words["publish"], exact=True).click()
    expect(page.get_by_role("button", name=words["publish"], exact=True)).to_have_count(0)


@BOTH
def test_a_student_takes_a_quiz_and_loses_the_network_meanwhile(visit, server, words, size):
    school = server.found_school()
    student = school.colleague("Mia Roy", role="student")
    course = course_of(school, student)
    quiz = quiz_of(school, course, limit="30")
    visitor = visit(student, f"/quizzes/{quiz}", size=size, worker=True, language=words["lang"])
    page = visitor.page
    page.get_by_role("button", name=words["start"]).click()
    page.get_by_role("dialog").get_by_role("button", name=words["start"]).click()
    saved = page.locator(".pt-qz__saved")
    page.get_by_label("Chang’an").check()
    expect(saved).to_contain_text(words["saved"])
    page.get_by_role("button", name=words["later"]).click()
    page.get_by_role("button", name=words["next"]).click()
    page.context.set_offline(True)
    blanks = page.locator(".pt-qz__blank")
    blanks.nth(0).fill("tarim")
    blanks.nth(1).fill("Kunlun")
    blanks.nth(1).blur()
    expect(saved).to_contain_text(words["kept"])
    page.context.set_offline(False)
    expect(saved).to_contain_text(words["saved"])
    # The server has the answers: another device continues.
    other = visit(student, page.url.replace(visitor.server.url, ""), size=size, worker=True, language=words["lang"])
    expect(other.page.get_by_label("Chang’an")).to_be_checked()
    page.get_by_role("button", name=words["next"]).click()
    page.get_by_label(words["answer"]).fill("6,570")
    expect(page.locator(".pt-qz__meaning")).to_be_visible()
    page.get_by_label(words["answer"]).fill("700")
    page.get_by_label(words["answer"]).press("Tab")
    expect(saved).to_contain_text(words["saved"])
    page.locator(".pt-qz__bar").get_by_role("button", name=words["hand in"]).click()
    page.locator(".pt-qz__confirm").get_by_role("button", name=words["hand in"]).click()
    expect(page.get_by_text(words["score"]).first).to_be_visible()
    visitor.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    teacher = visit(school.owner, f"/quizzes/{quiz}/results", size=size, language=words["lang"])
    expect(teacher.page.get_by_text(re.compile(words["done"])).first).to_be_visible()
    expect(teacher.page.get_by_text("700 (1)")).to_be_visible()


@BOTH
def test_two_devices_answer_the_same_attempt_and_both_are_told(visit, server, words, size):
    school = server.found_school()
    student = school.colleague("Mia Roy", role="student")
    quiz = quiz_of(school, course_of(school, student))
    first = visit(student, f"/quizzes/{quiz}", size=size, language=words["lang"])
    first.page.get_by_role("button", name=words["start"]).click()
    first.page.get_by_label("Chang’an").check()
    expect(first.page.locator(".pt-qz__saved")).to_contain_text(words["saved"])
    second = visit(student, first.page.url.replace(first.server.url, ""), size=size, language=words["lang"])
    expect(second.page.get_by_label("Chang’an")).to_be_checked()
    second.page.get_by_label("Tyre").check()
    # The later answer counts. Each device says what happened on the other.
    expect(second.page.get_by_text(words["replaced"])).to_be_visible()
    expect(first.page.get_by_text(words["elsewhere"])).to_be_visible()
    expect(first.page.get_by_label("Tyre")).to_be_checked()
    first.page.get_by_label("Chang’an").check()
    expect(second.page.get_by_text(words["elsewhere"])).to_be_visible()
    expect(second.page.get_by_label("Chang’an")).to_be_checked()


@BOTH
def test_questions_are_imported_from_files_and_exported(visit, server, words, size):
    school = server.found_school()
    course = school.owner.post("/api/v1/courses", {"name": "Algebra", "subject": "Mathematics"})["id"].lower()
    first, second = (
        school.owner.post(f"/api/v1/courses/{course}/quizzes", {"title": title})["id"].lower() for title in ("One", "Two"))
    moodle = """<quiz><question type="shortanswer"><name><text>Half</text></name><questiontext format="html">
        <text><![CDATA[<p>Half of a <b>half</b> &amp; more?</p>]]></text></questiontext>
        <answer fraction="100"><text>a quarter</text></answer></question>
        <question type="matching"><name><text>Pairs</text></name></question></quiz>"""
    teacher = visit(school.owner, f"/quizzes/{first}/exchange", size=size, language=words["lang"])
    page = teacher.page
    form = page.locator("form").filter(has=page.locator("input[name=file]"))
    form.locator("input[name=file]").set_input_files(
        {"name": "questions.xml", "mimeType": "text/xml", "buffer": moodle.encode()})
    form.get_by_role("button", name=words["import"]).click()
    # Nothing is dropped in silence.
    expect(page.get_by_text(re.compile(r"Pairs \("))).to_be_visible()
    teacher.expects("422")
    form.locator("input[name=file]").set_input_files(
        {"name": "questions.xml", "mimeType": "text/xml", "buffer": moodle.encode()})
    form.get_by_label(words["leave out"]).check()
    form.get_by_role("button", name=words["import"]).click()
    expect(page.get_by_text("1. Half of a half & more?")).to_be_visible()
    teacher.open(f"/quizzes/{first}/exchange")
    with page.expect_download() as download:
        page.get_by_role("link", name="QTI 3.0").click()
    package = download.value.path().read_bytes()
    assert package.startswith(b"PK")
    teacher.open(f"/quizzes/{second}/exchange")
    form.locator("input[name=file]").set_input_files(
        {"name": "copy.zip", "mimeType": "application/zip", "buffer": package})
    form.get_by_role("button", name=words["import"]).click()
    expect(page.get_by_text("1. Half of a half & more?")).to_be_visible()
    found = [school.owner.get(f"/api/v1/quizzes/{quiz}")["questions"][0] for quiz in (first, second)]
    assert [one["text"] for one in found] == ["Half of a **half** & more?"] * 2
    assert found[0]["accepted"] == found[1]["accepted"] == [["a quarter"]]


@BOTH
def test_pictures_and_formulas_are_seen_also_without_a_network(visit, server, words, size):
    school = server.found_school()
    student = school.colleague("Mia Roy", role="student")
    course = course_of(school, student)
    quiz = school.owner.post(f"/api/v1/courses/{course}/quizzes", {"title": "Silk road", "showsAnswers": True})["id"].lower()
    school.owner.post(f"/api/v1/quizzes/{quiz}/questions", {"kind": "trueFalse", "text": "Ready?", "isTrue": True})
    teacher = visit(school.owner, f"/quizzes/{quiz}/new-question?kind=multipleChoice", size=size, language=words["lang"])
    page = teacher.page
    page.locator("textarea[name=text]").fill(r"What is $\frac{1}{2}$ of $4? And $\foo$?")
    page.locator("input[name=option1]").fill("$x^2$")
    page.locator("input[name=option2]").fill("2*3*4")
    page.get_by_label(words["right"]).check()
    picture = page.locator("input[name=picture]")
    picture.set_input_files(photo("map.png", size=(900, 450)))
    # A picture needs words for those who do not see it.
    teacher.button(words["save"]).click()
    expect(page.locator("[aria-invalid=true][name=pictureAlternative]")).to_be_visible()
    teacher.expects("422")
    picture.set_input_files(photo("map.png", size=(900, 450)))
    page.locator("input[name=pictureAlternative]").fill("A map of the coast")
    page.locator("select[name=picturePlace]").select_option("option2")
    teacher.button(words["save"]).click()
    # The page of the question shows what students will see, and names what cannot be read.
    expect(page.get_by_text(words["unreadable"])).to_be_visible()
    expect(page.get_by_role("img", name="A map of the coast")).to_be_visible()
    expect(page.locator("#main math mfrac")).to_be_visible()
    school.owner.post(f"/api/v1/quizzes/{quiz}/publish", {"isPublished": True})
    visitor = visit(student, f"/quizzes/{quiz}", size=size, worker=True, language=words["lang"])
    page = visitor.page
    with page.expect_response(lambda response: "/pictures/" in response.url) as loaded:
        page.get_by_role("button", name=words["start"]).click()
    loaded.value.finished()
    page.context.set_offline(True)
    page.get_by_role("button", name=words["next"]).click()
    seen = page.get_by_role("img", name="A map of the coast")
    expect(seen).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=seen.element_handle())
    expect(page.locator(".pt-qz__ask math mfrac")).to_be_visible()
    expect(page.locator(".pt-qz__choice math msup")).to_be_visible()
    expect(page.locator(".pt-qz__ask")).to_contain_text("of $4? And $\\foo$?")
    page.get_by_role("radio", name=re.compile("A map of the coast")).check()
    page.context.set_offline(False)
    expect(page.locator(".pt-qz__saved")).to_contain_text(words["saved"])
    page.locator(".pt-qz__bar").get_by_role("button", name=words["hand in"]).click()
    page.locator(".pt-qz__confirm").get_by_role("button", name=words["hand in"]).click()
    expect(page.get_by_role("img", name="A map of the coast")).to_be_visible()
    expect(page.locator("#main math mfrac")).to_be_visible()
    visitor.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")


@BOTH
def test_a_quiz_draws_questions_from_the_bank_for_each_attempt(visit, server, words, size):
    school = server.found_school()
    student = school.colleague("Mia Roy", role="student")
    course = course_of(school, student)
    source, quiz = (
        school.owner.post(f"/api/v1/courses/{course}/quizzes", {"title": title})["id"].lower() for title in ("Source", "Silk road"))
    for number in range(4):
        made = school.owner.post(
            f"/api/v1/quizzes/{source}/questions",
            {"kind": "shortAnswer", "text": f"Number {number}?", "accepted": str(number)})["id"].lower()
        school.owner.post(f"/api/v1/quizzes/{source}/questions/{made}/bank", {"tags": "maps"})
    teacher = visit(school.owner, f"/quizzes/{quiz}/bank", size=size, language=words["lang"])
    page = teacher.page
    page.get_by_role("link", name=words["draw"]).click()
    teacher.sheet.locator("input[name=count]").fill("2")
    teacher.sheet.get_by_role("button", name=words["store"]).click()
    expect(page.get_by_text(words["added"])).to_be_visible()
    teacher.open(f"/quizzes/{quiz}")
    expect(page.get_by_text(words["drawn"])).to_be_visible()
    page.get_by_role("button", name=words["publish"], exact=True).click()
    expect(page.get_by_role("button", name=words["publish"], exact=True)).to_have_count(0)
    visitor = visit(student, f"/quizzes/{quiz}", size=size, language=words["lang"])
    visitor.page.get_by_role("button", name=words["start"]).click()
    expect(visitor.page.locator(".pt-qz__to")).to_have_count(2)
    expect(visitor.page.get_by_text(re.compile(r"Number \d\?"))).to_be_visible()
    # One of the drawn questions turns out to be faulty.
    visitor.page.get_by_role("button", name=words["next"]).click()
    visitor.page.locator(".pt-qz__bar").get_by_role("button", name=words["hand in"]).click()
    visitor.page.locator(".pt-qz__confirm").get_by_role("button", name=words["hand in"]).click()
    expect(visitor.page.get_by_text(words["nothing"]).first).to_be_visible()
    teacher.open(f"/quizzes/{quiz}/results")
    page.get_by_role("link", name=re.compile(r"Number \d\?")).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(words["drawn question"])
    page.get_by_role("button", name=words["full"]).click()
    page.get_by_role("dialog").get_by_role("button", name=words["full"]).click()
    expect(page.get_by_role("button", name=words["by key"])).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_text(words["half"]).first).to_be_visible()
