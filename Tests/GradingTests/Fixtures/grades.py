"""An independent calculation of course grades, on Python's decimal and fractions.

Reads a JSON list of gradebooks on standard input and writes one line for each: the percentage to 20 places, the
percentage as it is shown, the letter; "-" where nothing counts.
"""

import json
import sys
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

MODES = {"halfUp": ROUND_HALF_UP, "halfEven": ROUND_HALF_EVEN, "down": ROUND_DOWN}
LETTERS = ["A+", "A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-"]
CUT_OFFS = [97, 93, 90, 87, 83, 80, 77, 73, 70, 67, 63, 60]


def grade(book: dict) -> str:
    sums: dict[str, list[Fraction]] = {}
    for entry in book["entries"]:
        if entry["state"] == "excused" or (entry["state"] in ("graded", "late") and entry["points"] is None):
            continue
        if entry["state"] == "missing" and entry["extra"]:
            continue
        points = Fraction(0) if entry["state"] == "missing" else Fraction(entry["points"])
        total = sums.setdefault(entry["category"], [Fraction(0), Fraction(0)])
        total[0] += points
        total[1] += 0 if entry["extra"] else Fraction(entry["maximum"])
    counted = {name: total for name, total in sums.items() if total[1] > 0}
    weight = sum((Fraction(book["weights"][name]) for name in counted), Fraction(0))
    if weight == 0:
        return "-"
    exact = sum(Fraction(book["weights"][name]) * t[0] * 100 / t[1] for name, t in counted.items()) / weight
    with localcontext() as context:
        context.prec = 400
        quotient = Decimal(exact.numerator) / Decimal(exact.denominator)
        shown = quotient.quantize(Decimal(1).scaleb(-book["places"]), rounding=MODES[book["mode"]])
        if exact < 100 <= shown:
            shown = 100 - Decimal(1).scaleb(-book["places"])
        letter = next((name for name, cut in zip(LETTERS, CUT_OFFS) if shown >= cut), "F")
        return f"{quotient.quantize(Decimal(1).scaleb(-20)):f} {shown} {letter}"


print("\n".join(grade(book) for book in json.load(sys.stdin)))
