"""What a program costs, as text: rows by line and module, and every trial in one."""

from compiler.model.experiments.costs import COMPILE_TIME, MEMORY, CostFound, CostRow, CostTrial
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.paired_ratio import ratio_figure

_MOST_PARTS = 3


def format_amount(what: str, amount: float) -> str:
    """``1.25 s``, ``144.5 KiB``, ``3``."""
    if what == COMPILE_TIME:
        return f"{amount:.2f} s"
    return describe_bytes(round(amount)) if what == MEMORY else f"{amount:g}"


def format_share(found: CostFound, row: CostRow) -> str:
    """Of the whole."""
    return f"{row.amount / found.total:.0%}" if found.total else ""


def format_part(what: str, row: CostRow) -> str:
    """What a row is made of, the largest first; of a recompile, what it was for."""
    shown = [
        (name, amount)
        for name, amount in row.parts
        if amount >= 0.01 * row.amount and not row.name.startswith(name)
    ][:_MOST_PARTS]
    parts = ", ".join(
        f"{name} {amount:.1f} s" if name == "seconds" else f"{name} {format_amount(what, amount)}"
        for name, amount in shown
    ).replace("seconds ", "")
    return "; ".join(filter(None, (row.detail, parts)))


def format_saved(what: str, trial: CostTrial) -> str:
    """What it saves, of how much; or that it does not."""
    if trial.problem or not trial.before:
        return "–"
    if not trial.helps:
        return "nothing"
    times = f", {len(trial.before)} times each" if len(trial.before) > 1 else ""
    whole = format_amount(what, min(trial.before))
    return f"{format_amount(what, trial.saved)} of {whole} ({saved_share(trial)}{times})"


def saved_share(trial: CostTrial) -> str:
    """Of what it takes without; empty where nothing is saved."""
    return f"{trial.saved / min(trial.before):.0%}" if trial.helps else ""


def cost_mark(trial: CostTrial) -> str:
    """In a word."""
    if trial.problem:
        return "not run"
    if trial.helps:
        return "wrong" if trial.right is False else "saves"
    return "same"


def format_cost_trial(trial: CostTrial) -> str:
    """What was tried, and what else it does."""
    more = format_consequence(trial)
    return f"{trial.what} ({more})" if more else trial.what


def format_consequence(trial: CostTrial) -> str:
    """What it costs, or why it could not be run."""
    if trial.problem:
        return trial.problem
    step = f"its step takes {ratio_figure(trial.step)}" if trial.step is not None else ""
    judged = {False: "results are wrong", None: "results not judged"}.get(trial.right, "")
    return ", ".join(filter(None, (judged, step))) if trial.helps else ""
