"""tlparse beside ours: what it prints and writes of a log, read back from its pages."""

import html
import json
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

from tests.logs.ours import METRICS, Numbers

_NUMBERED = re.compile(r"^(?P<name>.*?)(?:_\d+)?\.(?:txt|json|html)$")
_STATUS = re.compile(r"<a href='#\[(.+?)\]' class='status-(\w+)'")


def program() -> str | None:
    """Where tlparse is: ``TLPARSE``, or on the PATH."""
    return os.environ.get("TLPARSE") or shutil.which("tlparse")


def run(tlparse: str, log: Path, out: Path, *options: str) -> tuple[str, float, int]:
    """(what it said, seconds, peak memory in KiB)."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [tlparse, "--no-browser", "-o", str(out), *options, str(log)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said = process.stdout.read().decode(errors="replace")
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said[-2000:]
    return said, time.perf_counter() - begin, usage.ru_maxrss


def numbers_of(out: Path, said: str) -> Numbers:
    """What it reports of one log."""
    found = re.search(r"Stats \{(.*?)\}", said)
    stats = {key: int(value) for key, value in re.findall(r"(\w+): (\d+)", found[1] if found else "")}
    directory = json.loads((out / "compile_directory.json").read_text())
    index = (out / "index.html").read_text()
    files = {_id(name): dict(sorted(_files(rows).items())) for name, rows in directory.items()}
    failures = _plain(out / "failures_and_restarts.html")
    pages = [page.read_text() for page in out.glob("*/compilation_metrics*.html")]
    return {
        "records": stats.get("ok", 0),
        "other rank": stats.get("other_rank", 0),
        "no line of torch's": stats.get("fail_glog", 0),
        "no JSON": stats.get("fail_json", 0),
        "cut texts": stats.get("fail_payload_md5", 0),
        "unknown fields": stats.get("unknown", 0),
        "compile ids": sorted(files),
        "files": dict(sorted(files.items())),
        "statuses": dict(_STATUS.findall(index)),
        "failures and restarts": failures.count("<tr>") - 1 if "<tr>" in failures else 0,
        "events": len(json.loads((out / "chromium_events.json").read_text())),
        "metrics": _metrics(out, directory),
        "answers of caches": _answers(directory),
        "specialisations": sum(_rows(page, "Symbolic shape specializations") for page in pages),
        "guards added fast": sum(_rows(page, "Guards added fast") for page in pages),
    }


def _id(name: str) -> str:
    return name.strip("[]")


def _files(rows: dict[str, list[dict[str, object]]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for row in rows["artifacts"]:
        name = str(row["name"]).rpartition("/")[2]
        match = _NUMBERED.match(name)
        plain = match["name"] if match else name
        if plain.startswith("inductor_output_code"):
            plain = "inductor_output_code"
        if plain.startswith("optimize_ddp_split_child"):
            plain = "optimize_ddp_split_child"
        found[plain] += 1
    return found


def _answers(directory: dict[str, dict[str, list[dict[str, object]]]]) -> str:
    rows = [
        (int(str(row["number"])), str(row["suffix"]))
        for entry in directory.values()
        for row in entry["artifacts"]
    ]
    return "".join(suffix for _, suffix in sorted(rows))


def _plain(page: Path) -> str:
    return re.sub(r"<script.*?</script>|<style.*?</style>", "", page.read_text(), flags=re.DOTALL)


def _metrics(
    out: Path, directory: dict[str, dict[str, list[dict[str, object]]]]
) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = {}
    for name, rows in directory.items():
        for row in rows["artifacts"]:
            url = str(row["url"])
            kind = re.match(r".*?/((?:\w+_)?compilation_metrics)_\d+\.html", url)
            if kind is None:
                continue
            text = html.unescape(re.sub(r"<[^>]+>", "", _plain(out / url)))
            reported = {}
            for label in METRICS:
                value = re.search(rf"^\s*{label}\s*(?:\[\?\])?:\s*([-\d.e]+)\s*$", text, re.MULTILINE)
                if value is not None:
                    reported[label] = float(value[1])
            found.setdefault(f"{kind[1]} {_id(name)}", []).append(reported)
    return found


def _rows(page: str, title: str) -> int:
    """Rows of the table under a title."""
    part = page.partition(title)[2].partition("</table>")[0]
    return max(part.count("<tr>") - 1, 0)


def ranks_of(out: Path) -> Numbers:
    """What it reports of many ranks."""
    index = html.unescape(re.sub(r"<[^>]+>", "|", _plain(out / "index.html")))
    ranks = sorted(int(path.name.removeprefix("rank_")) for path in out.glob("rank_*"))

    def groups(title: str) -> list[str]:
        if title not in index:
            return []
        part = index.partition(title)[2]
        part = part[
            : next(
                (part.index(end) for end in ("Warning:", "Multi-Rank TLParse", "Graph Exec") if end in part),
                None,
            )
        ]
        return sorted(re.findall(r"Ranks: ([\d, ]+)", part))

    directories = {
        rank: json.loads((out / f"rank_{rank}/compile_directory.json").read_text()) for rank in ranks
    }
    names = {
        (str(rank), str(row["url"]).split("/")[0]): _id(key)
        for rank, rows in directories.items()
        for key, entry in rows.items()
        for row in entry["artifacts"]
    }
    schedules = _read(out / "collective_schedules.json")
    runtimes = _read(out / "runtime_estimations.json")
    parity = [
        f"{rank} {_id(str(row['compile_id']))} {row['offset']} {row['missing_waits']}"
        for rank in ranks
        for row in json.loads((out / f"rank_{rank}/collectives_parity.json").read_text())["graphs"]
    ]
    return {
        "ranks": [str(rank) for rank in ranks],
        "compile ids differ": "Diverging Compilation IDs" in index,
        "caches": groups("Diverging Cache hit/miss patterns"),
        "collectives": groups("Diverging collective op"),
        "tensors": groups("divergent inductor tensor metadata"),
        "order": _order(index),
        "schedules": {
            f"{row['rank']} {names[str(row['rank']), row['graph']]}": row["ops"] for row in schedules
        },
        "runtimes": {
            f"{row['rank']} {names[str(row['rank']), row['graph']]}": sum(
                op["estimated_runtime_ns"] for op in row["ops"]
            )
            for row in runtimes
        },
        "deltas": sorted(
            float(value) for value in re.findall(r"([\d.]+)\s*ms\s*\|?\s*delta", index, re.IGNORECASE)
        ),
        "numbers of graphs differ": "different numbers of compiled graphs" in index,
        "parity": sorted(parity),
    }


def _read(path: Path) -> list[dict[str, object]]:
    return json.loads(path.read_text()) if path.exists() else []


def _order(index: str) -> list[object] | None:
    if "Execution-order analysis unavailable" in index:
        return None
    part = index.partition("Graph Execution-Order")[2].partition("Tensor Metadata")[0]

    def ranks(title: str) -> list[str]:
        found = re.search(rf"{title}[^:]*mismatch[^:]*:(.*)", part)
        return re.findall(r"Rank (\d+)", found[1] if found else "")

    return ["order differs" in part, ranks("Schedule"), ranks("Cache")]
