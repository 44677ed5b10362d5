"""What an edit is called, in the person's language. Labels are data, in English, in session files; they are matched with the
sentences that write them, and their fields filled in again.
"""

import re
from collections.abc import Iterable
from functools import cache

from app.translation.texts import tr, tr_noop
from compiler.model.edits.edits import Edit, describe_edit

TEMPLATES = (
    tr_noop("Edit {count} nodes as text"),
    tr_noop("Edit {count} node as text"),
    tr_noop("Edit the source of {kernel}"),
    tr_noop("Let {node} use {other}"),
    tr_noop("Edit the wrapper"),
    tr_noop("Edit the generated Python"),
    tr_noop("Edit the IR"),
    tr_noop("{node}: call {target}"),
    tr_noop("{node}: arguments ({arguments})"),
    tr_noop("Remove {count} nodes"),
    tr_noop("Remove {node}, {replacement} takes its place"),
    tr_noop("Remove {node}"),
    tr_noop("Insert {node}: {target}"),
    tr_noop("Replace {count} of the nodes that call {name} by {other}"),
    tr_noop("Replace every {name} by {other}"),
    tr_noop("Set {node} to {value}"),
    tr_noop("Leave it to Inductor whether {node} and {other} are fused"),
    tr_noop("Leave the fusion of {nodes} to Inductor"),
    tr_noop("Leave it to torch whether {node} is saved"),
    tr_noop("Do not fuse {node} and {other}"),
    tr_noop("Keep {nodes} apart"),
    tr_noop("Fuse {nodes}"),
    tr_noop("Save {count} tensors"),
    tr_noop("Recompute {count} tensors"),
    tr_noop("Leave to torch {count} tensors"),
    tr_noop("Save {node}"),
    tr_noop("Recompute {node}"),
    tr_noop("Memory budget as torch is set"),
    tr_noop("Memory budget {budget}"),
    tr_noop("Run {nodes} in this order"),
    tr_noop("Move {nodes} ({count} nodes)"),
    tr_noop("{changed} of {count} nodes"),
    tr_noop("{knob} of {node} as Inductor is set"),
    tr_noop("{knob} of {node}: {value}"),
)
"""The first that fits: longer sentences stand before those that they begin like."""


def edit_title(edit: Edit) -> str:
    """One line for the history."""
    return translate_label(describe_edit(edit))


def translate_label(label: str) -> str:
    """A label in the person's language; any other, such as a plugin's, as it stands."""
    return translate_by(label, _patterns()) or label


def translate_by(text: str, patterns: Iterable[tuple[str, re.Pattern[str]]]) -> str:
    """By the first of the sentences that fits; empty where none does."""
    for template, pattern in patterns:
        if (found := pattern.fullmatch(text)) is not None:
            return tr(template).format(**found.groupdict())
    return ""


def compiled(templates: Iterable[str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Sentences with fields, and what finds these in a text."""
    return tuple((template, re.compile(_pattern(template), re.DOTALL)) for template in templates)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return compiled(TEMPLATES)


def _pattern(template: str) -> str:
    parts = re.split(r"\{(\w+)\}", template)
    fields = {"count": r"\d+"}
    return "".join(
        re.escape(part) if index % 2 == 0 else f"(?P<{part}>{fields.get(part, '.+?')})"
        for index, part in enumerate(parts)
    )
