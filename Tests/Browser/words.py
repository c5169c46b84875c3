"""The texts of pages, from the string catalogs of all blocks."""

from __future__ import annotations

import functools
import json
import re

from school import ROOT

LANGUAGES = ("en", "fr")
_PLACE = re.compile(r"(?P<of>\b[dD]e )?%(?:(?P<number>\d)\$)?(?:@|lld)")
#: The values before which the French "de" becomes "d’", as `Words` of the server has it.
_VOWEL = re.compile(r"(?:[aeiouàâäéèêëîïôöùûüæœ]|y(?![aeiouàâäéèêëîïôöùûüæœ]))[^\W\d_]", re.IGNORECASE)


@functools.cache
def _catalogs() -> dict[str, dict]:
    texts = {}
    for file in sorted([*ROOT.glob("Modules/**/Localizable.xcstrings"), *ROOT.glob("Apps/**/Localizable.xcstrings")]):
        for key, text in json.loads(file.read_text())["strings"].items():
            texts.setdefault(key, text.get("localizations", {}))
    assert texts, "There are no catalogs."
    return texts


def _forms(text: dict) -> dict[str, str]:
    """The plural forms of a text; only `other` for a text without plurals."""
    if "stringUnit" in text:
        return {"other": text["stringUnit"]["value"]}
    plural = text.get("variations", {}).get("plural", {})
    return {form: unit["stringUnit"]["value"] for form, unit in plural.items()}


@functools.cache
def foreign_words(language: str) -> list[str]:
    """Texts that only other languages have: a page in `language` that shows one is not translated."""
    said = {one: set() for one in LANGUAGES}
    for text in _catalogs().values():
        for one in LANGUAGES:
            said[one] |= {form.strip() for form in _forms(text.get(one, {})).values()}
    others = set().union(*(said[one] for one in LANGUAGES if one != language))
    return sorted(form for form in others - said[language] if len(form) > 2 and not _PLACE.search(form))


class Words:
    """The texts of one language: `words("join.action")`, with values for placeholders."""

    def __init__(self, locale: str):
        self.locale = locale
        self.language = locale[:2]

    def __call__(self, key: str, *values) -> str:
        forms = _forms(_catalogs()[key][self.language])
        count = values[0] if values and isinstance(values[0], int) else None
        is_one = count is not None and (count == 1 or self.language == "fr" and count == 0)
        text = forms["one"] if is_one and "one" in forms else forms["other"]
        places = iter(values)

        def fill(place: re.Match) -> str:
            value = str(values[int(place["number"]) - 1] if place["number"] else next(places))
            of = place["of"] or ""
            return f"{of[0]}’{value}" if of and self.language == "fr" and _VOWEL.match(value) else of + value

        return _PLACE.sub(fill, text)
