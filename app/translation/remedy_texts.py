"""What a remedy is called, does and wants to be looked at for, in the person's language. Its words are data of compiler/, in English:
they are matched with the sentences that write them, and their fields filled in again.
"""

from functools import cache
from re import Pattern

from app.translation.edit_texts import compiled, translate_by
from app.translation.texts import tr_noop

TEMPLATES = (
    # What it is called.
    tr_noop("Set {name}"),
    tr_noop("Raise the recompile limit"),
    tr_noop("Compile with dynamic shapes"),
    tr_noop("Let the called function break by itself"),
    tr_noop("Let {name} run after the graph"),
    tr_noop("Leave {name} out"),
    tr_noop("Move the call to the end of {function}"),
    tr_noop("Move {name} to the end of {function}"),
    tr_noop("Call {name} only in eager mode"),
    tr_noop("Remove {name}"),
    tr_noop("Choose with torch.where"),
    tr_noop("Choose with torch.cond"),
    tr_noop("Choose with torch.switch"),
    tr_noop("Go on with the tensor instead of a number"),
    tr_noop("Take torch.compiler.disable off {name}"),
    tr_noop("Put {name} into the graph unseen"),
    tr_noop("Run {name} eagerly as a whole"),
    tr_noop("Trace {name} without Dynamo"),
    tr_noop("{count} line of {file} edited"),
    tr_noop("{count} lines of {file} edited"),
    tr_noop("Make dimension {dimension} of {name} dynamic"),
    # What it does.
    tr_noop("Dynamo takes .item() into the graph and goes on with a symbolic number."),
    tr_noop(
        "Operators whose result's size depends on data (nonzero, unique, boolean masks) go into the graph."
    ),
    tr_noop("Dynamo traces through recurrent layers."),
    tr_noop("Dynamo traces NumPy calls as tensor operations."),
    tr_noop("torch.autograd.grad and Tensor.backward go into the graph."),
    tr_noop("Torch names this setting."),
    tr_noop("Dynamo compiles the frame up to 64 times before it gives up."),
    tr_noop("Sizes become symbols at the first compile, so that other sizes need no compile of their own."),
    tr_noop(
        "With nested graph breaks Dynamo cuts the graph inside the function that was called, instead of leaving the whole call to "
        "eager mode."
    ),
    tr_noop("Dynamo remembers what {name} was called with and calls it at the end of the graph."),
    tr_noop("Dynamo ignores calls of this method while it compiles; compiled code does not log."),
    tr_noop("The graph is whole before it is called."),
    tr_noop("if not torch.compiler.is_compiling(): compiled code leaves it out."),
    tr_noop("The call is taken out."),
    tr_noop(
        "Both sides are computed and the condition picks, so that no Python if depends on a tensor's value."
    ),
    tr_noop("Both sides go into the graph as subgraphs, and only one runs."),
    tr_noop(
        "All cases go into the graph as subgraphs, and only the one that a tensor's value names runs. torch calls it a prototype; it is "
        "torch._higher_order_ops.switch."
    ),
    tr_noop(
        ".item() and float() are taken out; a tensor of no dimensions works in arithmetic like a number, and detached it is no part of "
        "a gradient either."
    ),
    tr_noop("Dynamo then traces into it."),
    tr_noop("The call becomes one node; Dynamo does not look into it, AOTAutograd does."),
    tr_noop("torch.compiler.disable on it: one break around the call, nothing compiled inside it."),
    tr_noop(
        "{module}.nonstrict_trace: the call is one node of Dynamo's graph, which does not look into it; AOTAutograd runs it once and "
        "compiles the operations it sees."
    ),
    tr_noop("As typed in the source pane."),
    tr_noop(
        "The size becomes a symbol at the first compile. Where the program needs a fixed size, torch says so."
    ),
    # What to look at before it is kept.
    tr_noop("Each compile takes its time, and each call checks the guards of all of them."),
    tr_noop("Helps where sizes differ from call to call; kernels for symbolic sizes may be slower."),
    tr_noop("It prints the values at that moment, and only tensors, constants and formatted strings."),
    tr_noop("Nothing is logged in compiled code."),
    tr_noop("Only if what follows does not need what it does."),
    tr_noop("Compiled code does not do what the call does."),
    tr_noop("Only if nobody needs it."),
    tr_noop(
        "Both sides always run: mind their cost, and NaN in the one that is not chosen (in gradients too)."
    ),
    tr_noop("The sides must give the same shape and dtype, and may change nothing outside them."),
    tr_noop("The cases must give the same shape and dtype, and may change nothing outside them."),
    tr_noop(
        "An index that is out of range is clamped: it is no error, and negative ones do not count from the end."
    ),
    tr_noop("Not where Python really needs a number: an if, a range, an index."),
    tr_noop("Somebody put it there: see whether what it holds can be compiled now."),
    tr_noop("Only for functions of tensors without side effects, whose Python does not depend on values."),
    tr_noop("The break stays; it is tidier where the function breaks several times."),
    tr_noop(
        "Its Python runs while it is compiled only: what it prints, draws or keeps is not done again, and a tensor that it does not get "
        "as an argument is a constant."
    ),
    tr_noop("Kernels for symbolic sizes may be slower."),
)
_JOINED = "; "
"""Between the titles of edits that one text of a file holds."""


def translate_remedy(text: str) -> str:
    """One of a remedy's texts, or several titles; any other, such as a plugin's, as it stands."""
    parts = [translate_by(part, _patterns()) for part in text.split(_JOINED)]
    return _JOINED.join(parts) if all(parts) else translate_by(text, _patterns()) or text


@cache
def _patterns() -> tuple[tuple[str, Pattern[str]], ...]:
    return compiled(TEMPLATES)
