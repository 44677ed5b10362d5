"""Command lines put together at random, of real commands and options with values right and wrong: a message, never a traceback."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

from compiler.command_line.command import Command, new_parser
from compiler.command_line.command_table import COMMANDS
from tests.endurance.real_files import ROOT
from tests.endurance.report import Row

_FULL_LINES = 3000
_PATIENCE_S = 300
_LEFT_OUT = {"attach", "tour"}
"""They wait for somebody else."""
_NOT_HERE = {"--on", "--through", "--python", "--scheduler"}
_RIGHT = ("mlp.py:MLP", "breaky.py:Breaky", "a.loupe", "b.loupe", "a.loupe", "b.loupe")
_WRONG = (
    "no.py:X", "mlp.py", "mlp.py:Nope", "bad.py:f", "raises.py:M", "empty.loupe", "junk.loupe", "nodir/x.loupe", ".", "", "::", "-", "%s",
)  # fmt: skip
_VALUES = (
    "0", "1", "-1", "3", "2.5", "nan", "inf", "1e9", "999999999999", "x", "", "é", "%s", "relu", "dynamo", "0/0:dynamo", "0/0:forward:kernels",
    "cpu", "h100", "a100", "out.txt", "nodir/out.txt", "edits.json", "junk.json", "a.loupe", "mlp.py:16", "mlp.py", ".", "x=1",
    "triton.cudagraphs=True", "(1,)", "torch.ones(2)", "aten::add.Tensor", "dp=8,tp=8",
)  # fmt: skip
_FILES = {
    "bad.py": "def f(:\n",
    "raises.py": "import torch\nclass M(torch.nn.Module):\n    def forward(self, x): raise KeyError('x')\n"
    "def example_inputs(): return (torch.ones(2),)\n",
    "empty.loupe": "",
    "junk.loupe": "PK\x03\x04 and no more",
    "edits.json": "[]",
    "junk.json": "{",
}


def run(scale: float, folder: Path, planted: str = "", seed: int = 0) -> Row:
    """So many lines. `planted`: Python that runs in place of ``loupe``."""
    random, faults = Random(seed), list[str]()
    call = ["-c", planted] if planted else ["-m", "torch_loupe"]
    lines = max(round(_FULL_LINES * scale), 3)
    _prepare(folder, [] if planted else call)
    commands = [command for command in COMMANDS if command.name not in _LEFT_OUT]
    refused = 0
    for _ in range(lines):
        words = _line(random, random.choice(commands))
        status, said = _called([*call, *words], folder)
        refused += status in (1, 2)
        if (
            status not in (0, 1, 2)
            or "Traceback" in said
            or "report it" in said
            or (status and not said.strip())
        ):
            faults.append(f"loupe {' '.join(map(repr, words))}: {_how(status)}; {said.strip()[-300:]}")
    return Row(f"{lines:,} command lines, {refused:,} refused in a message", tuple(faults))


def _prepare(folder: Path, call: list[str]) -> None:
    for file in (ROOT / "resources" / "examples").glob("*.py"):
        shutil.copy(file, folder)
    for name, text in _FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, program in (("a.loupe", ["mlp_dropout.py:MLP", "--train"]), ("b.loupe", ["breaky.py:Breaky"])):
        if call:
            _called([*call, "capture", *program, "-o", name], folder)


def _line(random: Random, command: Command) -> list[str]:
    actions = [
        action for action in new_parser(command.name, command.arguments)._actions if action.dest != "help"
    ]
    options = [
        action for action in actions if action.option_strings and not _NOT_HERE & set(action.option_strings)
    ]
    chosen: list[str] = []
    for action in random.sample(options, min(len(options), random.choice((0, 1, 1, 2, 3)))):
        chosen.append(random.choice(action.option_strings))
        chosen += [] if action.nargs == 0 else [_value(random, action)]
    places: list[str] = []
    for action in actions:
        if not action.option_strings:
            for _ in range(1 if action.nargs in (None, "?") else random.choice((1, 2))):
                places.append(_value(random, action) if places or action.choices else _program(random))
    return [command.name, *places, *chosen] if random.random() < 0.7 else [command.name, *chosen, *places]


def _program(random: Random) -> str:
    return random.choice(_RIGHT if random.random() < 0.75 else (*_WRONG, *_VALUES))


def _value(random: Random, action: argparse.Action) -> str:
    if action.choices and random.random() < 0.85:
        return str(random.choice(list(action.choices)))
    return random.choice((*_VALUES, *_WRONG))


def _called(words: list[str], folder: Path) -> tuple[int | None, str]:
    """Its status, None where it did not end, and the end of what it said."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(
        [sys.executable, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        try:
            said, _ = process.communicate(timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0][-1500:]
    return process.returncode, said[-1500:]


def _how(status: int | None) -> str:
    return f"no end after {_PATIENCE_S} s" if status is None else f"status {status}"
