"""Summaries and proposals from a child's record, and sharing them with the family."""
import re

import pytest
from conftest import DESKTOP, PHONE
from playwright.sync_api import expect

TOWER = "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57"
ENGLISH = {
    "lang": "en-US", "insights": "Insights", "summary": "Summary", "edit": "Edit for parents", "text": "Text for parents",
    "approve": "Approve", "share": "Share with parents", "sees": "Preview for parents", "shared": "Shared with parents",
    "back": "Stop sharing", "took": "Sharing stopped", "accept": "Accept: Show another child: Pink Tower",
    "task": "Show another child: Pink Tower", "added": "Task added", "letters": "Letters",
    "draft": "Draft letters now", "release": "Approve and share", "all": "All letters of this week are shared",
    "change": "Edit text", "older": "Parents still see", "names": "This text names other children: Dario",
    "observation": "Share with parents", "words": "Edit for parents",
}
FRENCH = {
    "lang": "fr-CA", "insights": "Aperçus", "summary": "Résumé", "edit": "Préparer pour les parents",
    "text": "Texte pour les parents", "approve": "Approuver", "share": "Partager avec les parents",
    "sees": "Aperçu pour les parents", "shared": "Partagé avec les parents", "back": "Ne plus partager", "took": "Partage arrêté",
    "accept": "Accepter : Montrer à un autre enfant : Tour rose", "task": "Montrer à un autre enfant : Tour rose",
    "added": "Tâche ajoutée", "letters": "Lettres", "draft": "Préparer les lettres maintenant",
    "release": "Approuver et partager", "all": "Toutes les lettres de cette semaine sont partagées",
    "change": "Modifier le texte", "older": "Les parents voient encore",
    "names": "Ce texte nomme d’autres enfants : Dario", "observation": "Partager avec les parents",
    "words": "Préparer pour les parents",
}
BOTH = pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


def child(school, name="Noor Aziz"):
    return f"/students/{school.children[name]}"


def observe(school, content, name="Noor Aziz"):
    return school.owner.post(f"/api/v1{child(school, name)}/observations", {"content": content})["id"].lower()


@pytest.mark.requirement("PT-2.10", "PT-2.22.c", "PT-3.32.b")
@BOTH
@SIZES
def test_a_summary_is_edited_approved_shared_changed_and_taken_back(visit, school, words, size):
    observe(school, "Noor built the tower alone. Then smiled.")
    guide = visit(school.owner, child(school), size=size, language=words["lang"])
    guide.page.get_by_role("main").get_by_role("link", name=words["summary"], exact=True).click()
    expect(guide.heading(words["summary"])).to_be_visible()
    expect(guide.page.get_by_text("Noor built the tower alone.")).to_be_visible()
    assert guide.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    guide.button(words["edit"]).click()
    text = guide.page.get_by_label(words["text"])
    expect(text).to_have_value(re.compile("Noor built the tower alone"))
    text.fill("Noor built.\n\nCome and see.")
    guide.button(words["approve"], exact=True).click()
    expect(guide.page.get_by_role("heading", name=words["sees"])).to_be_visible()
    expect(guide.page.locator("p").get_by_text("Come and see.")).to_be_visible()
    guide.button(words["share"]).click()
    expect(guide.page.get_by_text(words["shared"])).to_be_visible()
    # An edit is not visible before it is shared too.
    guide.page.get_by_text(words["change"], exact=True).click()
    guide.page.get_by_label(words["text"]).fill("Noor built again.")
    guide.button(words["approve"], exact=True).click()
    expect(guide.page.get_by_text(words["older"])).to_be_visible()
    expect(guide.page.get_by_text("Come and see.").first).to_be_visible()
    guide.button(words["back"], exact=True).click()
    guide.question.get_by_role("button", name=words["back"], exact=True).click()
    expect(guide.page.get_by_text(words["took"], exact=True)).to_be_visible()
    expect(guide.page.get_by_text(words["older"])).to_have_count(0)


@pytest.mark.requirement("PT-2.23.b")
@BOTH
@SIZES
def test_a_proposal_is_accepted_once(visit, school, words, size):
    school.owner.post(f"/api/v1{child(school)}/materials/{TOWER}", {"state": "mastered"})
    guide = visit(school.owner, f"{child(school)}/insights", size=size, language=words["lang"])
    expect(guide.heading(words["insights"])).to_be_visible()
    accept = guide.page.get_by_role("button", name=re.compile(re.escape(words["accept"]).replace(r"\ :", r"\s:")))
    accept.click()
    expect(guide.page.get_by_text(re.compile(words["added"]))).to_be_visible()
    expect(accept).to_have_count(0)
    guide.open(child(school))
    expect(guide.page.get_by_role("checkbox", name=re.compile(words["task"].replace(" :", r"\s:")))).to_be_visible()
    guide.open(f"{school.path('Maple room')}/recommendations")
    expect(accept).to_have_count(0)


@BOTH
def test_the_letters_of_the_week_are_shared_one_after_the_other(visit, school, words):
    observe(school, "Sang a song.")
    guide = visit(school.owner, "/letters", language=words["lang"])
    guide.button(words["draft"]).click()
    for _ in range(2):
        expect(guide.page.get_by_label(words["text"])).to_have_value(re.compile("Sang a song"))
        before = guide.page.get_by_label(words["text"]).input_value()
        guide.button(words["release"]).click()
        expect(guide.page.get_by_label(words["text"]).and_(guide.page.get_by_text(before))).to_have_count(0)
    expect(guide.page.get_by_text(words["all"])).to_be_visible()


@BOTH
def test_names_of_others_are_pointed_out_before_an_observation_is_shared(visit, school, words):
    note = observe(school, "Noor and Dario carried the rug.")
    guide = visit(school.owner, f"{child(school)}/observations/{note}", language=words["lang"])
    guide.link(words["observation"]).click()
    pointed = guide.page.get_by_text(re.compile(words["names"].replace(" :", r"\s:")))
    expect(pointed).to_be_visible()
    guide.button(words["words"]).click()
    guide.page.get_by_label(words["text"]).fill("Noor carried the rug with a friend.")
    guide.button(words["approve"], exact=True).click()
    expect(guide.page.get_by_role("heading", name=words["sees"])).to_be_visible()
    expect(pointed).to_have_count(0)
    guide.button(words["share"]).click()
    expect(guide.page.get_by_text(words["shared"])).to_be_visible()


def test_a_parent_comes_to_the_family_page_and_to_no_child(visit, school):
    observe(school, "Private words.")
    parent = visit(school.colleague("Pia Aziz", "parent"), "/", size=PHONE)
    parent.is_at("/family")
    expect(parent.page.get_by_text("No child linked yet")).to_be_visible()
    parent.expects("404|403")
    for path in (child(school), f"{child(school)}/insights", f"{child(school)}/summary", "/letters", "/homeroom"):
        parent.open(path)
        expect(parent.page.get_by_text("Private words.")).to_have_count(0)
