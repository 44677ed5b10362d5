"""``loupe options``: what torch.compile can be told, and what each of it changes for one program."""

import argparse
import sys
from collections.abc import Iterator

import msgspec

from compiler.analysis.experiments.choice_summary import format_verdict, format_warm_up
from compiler.analysis.text_format.shortened import shortened
from compiler.analysis.text_format.times import summary_text, time_text
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_run_options, add_work_options, spec_from
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.tables import table
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.experiments.compile_choices import (
    COMMON,
    ChoiceOutcome,
    ChoicesMeasured,
    CompileChoice,
    MeasureChoices,
    choice_of,
    combined,
)
from compiler.model.experiments.dynamic_shape_trial import (
    MeasureStances,
    StancesMeasured,
    format_call,
    parse_sizes,
)
from compiler.model.experiments.torch_compile_api import (
    AskCompileInterface,
    BackendTried,
    CompileInterface,
    CompileOption,
    TryBackend,
    format_implied,
    parse_value,
)
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.paired_ratio import ratio_figure

_WIDE = 96


def options(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Without a target torch's own list; with one, measured choices. Exit status 1 where none of them works."""
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        known = client.ask(AskCompileInterface(), CompileInterface)
        if arguments.target is None:
            tried = _tried(client, known) if arguments.try_backends else ()
            _print_interface(arguments, _searched(known, arguments.search or ""), tried)
            return 0
        if arguments.sizes is not None:
            answer = client.ask(
                MeasureStances(spec_from(arguments), parse_sizes(arguments.sizes)), StancesMeasured
            )
            _print_stances(answer, arguments.json)
            return 0
        reply = client.ask(MeasureChoices(spec_from(arguments), _choices(arguments, known)), ChoicesMeasured)
    if arguments.json:
        print_json(reply)
    else:
        _print_measured(reply, arguments.diff)
    return int(all(outcome.problem is not None for outcome in reply.outcomes))


def _print_stances(measured: StancesMeasured, as_json: bool) -> None:
    if as_json:
        print_json(measured)
        return
    asked = measured.dimension
    print(f"dimension {asked.dimension} of {asked.argument}; each row from cold, forward only")
    rows = [(row.way, *(format_call(call) for call in row.calls), str(row.compiles)) for row in measured.rows]
    print(table(["", *(f"size {size}" for size in asked.sizes), ">compiles"], rows))
    wrong = [
        f"{row.way}, size {call.size}: {call.differs}"
        for row in measured.rows
        for call in row.calls
        if call.differs
    ]
    for line in (*wrong, *measured.notes):
        print(line)


def _choices(arguments: argparse.Namespace, known: CompileInterface) -> tuple[CompileChoice, ...]:
    if not arguments.choices:
        here = {argument.name for argument in known.arguments}
        modes = {f"mode={mode.name!r}" for mode in known.modes}
        return tuple(
            choice
            for choice in COMMON
            if choice.title.partition("=")[0] in here
            and (not choice.title.startswith("mode") or choice.title in modes)
        )
    names = frozenset(argument.name for argument in known.arguments) - {"options"}
    found = {option.name: option for option in known.options}
    made = []
    for text in arguments.choices:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ValueError(f"{text!r} is no choice; write NAME=VALUE, such as max_autotune=True")
        if name not in names and name not in found:
            close = ", ".join([key for key in found if name in key][:5])
            problem = Problem(
                f"torch.compile has neither an argument nor an option {name!r}.",
                f"There are: {close}." if close else "Look with `loupe options --search WORDS`.",
            )
            raise CommandFailedError(problem)
        made.append(choice_of(name, parse_value(value, found.get(name)), names))
    return (combined(tuple(made)),) if arguments.together else tuple(made)


def _tried(client: WorkerClient, known: CompileInterface) -> tuple[BackendTried, ...]:
    return tuple(client.ask(TryBackend(backend.name), BackendTried) for backend in known.backends)


def _searched(known: CompileInterface, words: str) -> CompileInterface:
    """What holds all the words; without words all but the options, which are hundreds."""
    wanted = words.casefold().split()

    def fits(row: msgspec.Struct) -> bool:
        text = " ".join(str(value) for value in msgspec.structs.astuple(row)).casefold()
        return all(word in text for word in wanted)

    return msgspec.structs.replace(
        known,
        arguments=tuple(filter(fits, known.arguments)),
        modes=tuple(filter(fits, known.modes)),
        backends=tuple(filter(fits, known.backends)),
        options=tuple(filter(fits, known.options)) if wanted else known.options,
        stances=tuple(filter(fits, known.stances)),
    )


def _print_interface(
    arguments: argparse.Namespace, known: CompileInterface, tried: tuple[BackendTried, ...]
) -> None:
    if arguments.json:
        print_json({"interface": known, "backends": tried})
        return
    results = {row.backend: row for row in tried}
    print(f"torch {known.torch}")
    _section("torch.compile(…)", [(row.name, row.default, row.documentation) for row in known.arguments])
    _section(
        "mode=",
        [(row.name, "", ", ".join(f"{a}={b}" for a, b in row.options) or "–") for row in known.modes],
    )
    _section(
        "backend=",
        [
            (row.name, ", ".join(row.tags), _format_backends(results.get(row.name), row.documentation))
            for row in known.backends
        ],
    )
    _section("torch.compiler.set_stance(…)", [(row.name, "", row.documentation) for row in known.stances])
    if arguments.search:
        _section("options=", [row for option in known.options for row in _option_rows(option)])
    else:
        print(f"\noptions=: {len(known.options)} of them; --search WORDS lists some, --json all")


def _option_rows(option: CompileOption) -> Iterator[tuple[str, str, str]]:
    """The option, then what it takes, sets and is set by, a row each."""
    yield option.name, option.default, option.documentation
    if option.values:
        yield "", "", f"takes {', '.join(map(repr, option.values))}"
    for sentence in format_implied(option):
        yield "", "", sentence


def _format_backends(tried: BackendTried | None, documentation: str) -> str:
    if tried is None:
        return documentation
    return f"works ({tried.seconds:.1f} s)" if tried.works else f"does not work here: {tried.why}"


def _section(title: str, rows: list[tuple[str, str, str]]) -> None:
    if rows:
        print(f"\n{title}")
        for name, default, text in rows:
            print(f"  {name:<28} {default:<12} {text if not name else shortened(text, _WIDE)}".rstrip())


def _print_measured(measured: ChoicesMeasured, diff: bool) -> None:
    rows = [_row(measured.base), *map(_row, measured.outcomes)]
    print(
        table(
            [
                "choice",
                ">breaks",
                ">graphs",
                ">kernels",
                ">first call",
                ">second",
                ">steady step",
                "÷ as it is",
            ],
            rows,
        )
    )
    print()
    for outcome in measured.outcomes:
        print(f"{outcome.choice.title}: {format_verdict(measured.base, outcome)}")
        for note in outcome.notes:
            print(f"    {note.message()}")
        if diff and outcome.code.text:
            print("\n".join(f"    {line}" for line in outcome.code.text.split("\n")))
    print(f"\nAs it is: {format_warm_up(measured, measured.base)}")
    for text in measured.notes:
        print(text)
    sys.stdout.flush()


def _row(outcome: ChoiceOutcome) -> tuple[str, ...]:
    side = outcome.side
    if side is None:
        return (outcome.choice.title, "–", "–", "–", "–", "–", "does not work", "")
    step = summary_text(side.step) if side.step else "–"
    return (
        outcome.choice.title,
        str(side.breaks),
        str(side.graphs),
        str(side.kernels),
        time_text(outcome.calls[0]),
        time_text(outcome.calls[1]),
        step,
        ratio_figure(outcome.ratio) if outcome.choice.changes else "",
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", nargs="?", help="file.py:Name or package.module:Name; without, torch's own list"
    )
    parser.add_argument(
        "--search", metavar="WORDS", help="only what has these words in its name or text; lists options too"
    )
    parser.add_argument(
        "--try-backends", action="store_true", help="try every backend in a process of its own (minutes)"
    )
    parser.add_argument(
        "--try",
        dest="choices",
        nargs="+",
        metavar="NAME=VALUE",
        help="measure these on the target, one by one: mode=max-autotune dynamic=True epilogue_fusion=False; "
        "without, the ones that most people would try first",
    )
    parser.add_argument(
        "--sizes",
        nargs="?",
        const="",
        metavar="ARGUMENT:DIMENSION=SIZES",
        help="instead: call the target with changing sizes under every stance, such as x:0=3,4,5; without a value the first "
        "dimension of the first tensor",
    )
    parser.add_argument("--together", action="store_true", help="measure what --try names as one choice")
    parser.add_argument("--diff", action="store_true", help="print the diff of the generated code as well")


COMMAND = Command(
    "options",
    "what torch.compile can be told, and with a target what that changes for it",
    options,
    (_add_arguments, add_run_options, add_work_options),
    "What changes: code, breaks, first calls, step time; with `--sizes`, when each stance compiles again.",
)
