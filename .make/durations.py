"""``python .make/durations.py JUNIT.xml…``: note how long each file of tests took, so that the longest start first.

`tests/durations.json` is read by `tests/conftest.py`; renew it when tests were added that take long.
"""

import collections
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

_SHORTEST = 2.0
_NOTED = Path(__file__).parents[1] / "tests" / "durations.json"


def main() -> None:
    """Write seconds by file, of those that take at least `_SHORTEST`."""
    seconds: collections.Counter[str] = collections.Counter()
    for report in sys.argv[1:]:
        for case in ElementTree.parse(report).iter("testcase"):
            seconds[case.get("classname", "")] += float(case.get("time", "0"))
    kept = {
        f"{name.replace('.', '/')}.py": round(spent) for name, spent in seconds.items() if spent >= _SHORTEST
    }
    _NOTED.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
