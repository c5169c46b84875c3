"""Which rows `make test` tries of those that show that blocks lift out."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Lift"))

from lift import blocks, needing, rows, turned  # noqa: E402


def test_runs_without_time_for_all_rows_try_them_in_turns() -> None:
    table = blocks()
    every = rows(list(table), table)
    assert len(every) == 3 * len(table) > 30
    for start in (0, 1000):
        runs = [turned(every, start + run) for run in range(len(every))]
        assert {run[0] for run in runs} == set(every), "one row a run is enough to come to each"
        assert all(sorted(run, key=str) == sorted(every, key=str) for run in runs), "a run with time tries all"
    assert turned([], 7) == []


def test_a_server_without_a_block_is_without_all_that_need_it() -> None:
    table = blocks()
    assert {"Courses", "Grading", "Progress"} <= needing("Courses", table)
    without = next(row for row in rows(["Courses"], table) if row.kind == "without")
    assert not set(without.selected) & needing("Courses", table) and "Auth" in without.selected
