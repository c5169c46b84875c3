"""Runs the attacks one after the other and prints a table of the results. See README.md."""

import argparse
import importlib
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from common import Row

#: Seconds of each attack; a siege takes less than 25 minutes in total.
ATTACKS = {"matrix": 300, "kill": 180, "proxy": 180, "disk": 60, "move": 150, "flood": 120, "quiz": 300}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="attacks to run, with commas")
    parser.add_argument("--seconds", type=int, help="another time for each attack")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",") if arguments.only else list(ATTACKS)
    unknown = [name for name in chosen if name not in ATTACKS]
    if unknown:
        parser.error(f"there is no attack {', '.join(unknown)}; there are {', '.join(ATTACKS)}")
    rows: list[Row] = []
    begun = time.monotonic()
    for name in chosen:
        print(f"{name} ...", flush=True)
        folder = Path(tempfile.mkdtemp(prefix=f"siege-{name}-"))
        try:
            rows += importlib.import_module(name).run(folder, arguments.seconds or ATTACKS[name])
        except Exception:
            rows.append(Row(name, "did not run to its end", 0, [traceback.format_exc(limit=4)]))
        if not any(row.failures for row in rows if row.attack == name):
            shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{'attack':8} {'tried':>7} {'failed':>6}  what")
    for row in rows:
        print(f"{row.attack:8} {row.tried:7} {len(row.failures):6}  {row.what}{f' ({row.note})' if row.note else ''}")
        for failure in row.failures[:20]:
            print(f"{'':24}{failure}")
        if len(row.failures) > 20:
            print(f"{'':24}and {len(row.failures) - 20} more")
    failed = sum(bool(row.failures) for row in rows)
    print(f"\n{len(rows) - failed} passed, {failed} failed")
    print(f"The siege took {(time.monotonic() - begun) / 60:.1f} minutes.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
