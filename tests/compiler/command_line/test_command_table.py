"""One row a command: what the parser, the completion and the reference page make of it."""

from pathlib import Path

import pytest

from app.__main__ import all_commands, main
from compiler.command_line.commands.arguments import seconds
from compiler.command_line.completion import script
from tests.helpers.finished_process import ran
from tests.helpers.module_from_file import module_from

ROOT = Path(__file__).resolve().parents[3]


def test_the_reference_page_is_that_of_the_table() -> None:
    made = module_from(ROOT / ".make" / "reference_page.py")
    page = made.PAGE.read_text(encoding="utf-8")
    assert made.renewed(page) == page, "run python .make/reference_page.py"
    assert all(f"| `loupe {command.name}" in page for command in all_commands())


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    reported = capsys.readouterr().out
    assert all(
        f"loupe {command.name} " in reported and command.summary in reported for command in all_commands()
    )


@pytest.mark.thorough
@pytest.mark.parametrize("command", all_commands(), ids=lambda command: command.name)
def test_every_command_explains_itself(command: object, capsys: pytest.CaptureFixture[str]) -> None:
    name = command.name  # type: ignore[attr-defined]
    assert main([name, "--help"]) == 0
    assert f"loupe {name}" in capsys.readouterr().out


def _completed(words: str, number: int) -> list[str]:
    """What bash offers for the word of that number."""
    typed = f"COMP_WORDS=({words}); COMP_CWORD={number}; _loupe; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    text = f"{script('bash', all_commands())}\n{typed}"
    return ran(["bash", "-c", text], ROOT / "resources", check=True).stdout.split()


def test_bash_completes_commands_options_values_and_files() -> None:
    assert _completed("loupe com", 1) == ["compare-targets", "compare-front-ends", "completion"]
    assert _completed("loupe breaks --fail", 2) == ["--fail-over"]
    assert _completed("loupe lower --to pt", 3) == ["ptx"]
    assert _completed("loupe show doc", 2) == ["docs"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_reported_the_same(shell: str) -> None:
    text = script(shell, all_commands())
    for command in all_commands():
        assert command.name in text
    assert ("--fail-over" if shell == "zsh" else "-l fail-over") in text


@pytest.mark.parametrize("name", ["dispatch", "options", "compare-front-ends", "torchscript"])
@pytest.mark.parametrize("option", ["--target", "--front-end"])
def test_what_a_command_does_not_look_at_it_does_not_take(
    name: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "mlp.py:MLP", option, "fx"]) == 2
    assert f"{option!r} is not taken" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "needs"),
    [
        ("--batch 8", "config.json"),
        ("--assume padding=no", "--target or --fake"),
        ("--generated g.py", "--front-end fx"),
        ("--param-dtype bfloat16", "--world or --mesh"),
        ("--fake --microbatches 4", "--world or --mesh"),
    ],
)
def test_an_option_that_says_nothing_here_is_refused(
    options: str, needs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`loupe capture model.py:Net --batch 8` captured the example's batch."""
    assert main(["time", "mlp.py:MLP", *options.split()]) == 2
    reported = capsys.readouterr().err
    assert "says nothing without" in reported
    assert needs in reported


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        ("capture mlp.py:MLP", "loupe capture: add -o OUTPUT (the session file to write)."),
        ("edit mlp.loupe -o edited.loupe", "loupe edit: add --edits EDITS.json ("),
        ("completion", "loupe completion: add shell (bash, zsh, fish)."),
        ("time mlp.py:MLP --fuke", "loupe time: '--fuke' is not taken; did you mean --fake?"),
        ("time mlp.py:MLP --batch all", "loupe time: argument --batch: 'all' is no count"),
    ],
)
def test_a_wrong_call_is_reported_in_one_line(
    words: str, reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stood below 30 lines of usage, as *the following arguments are required: -o/--output*."""
    assert main(words.split()) == 2
    written = capsys.readouterr().err
    assert written.startswith(reported)
    assert written.count("\n") == 1


@pytest.mark.parametrize(("text", "found"), [("2.5", 2.5), ("1e12", 31536000.0), ("inf", 31536000.0)])
def test_a_time_is_one_that_every_clock_can_hold(text: str, found: float) -> None:
    """`select` raises for more than it can count."""
    assert seconds(text) == found


@pytest.mark.parametrize("text", ["nan", "0", "-1", "x", ""])
def test_what_is_no_time_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompose", "aten::add.Tensor", f"--timeout={text}"]) == 2
    assert "is no time; write seconds" in capsys.readouterr().err
