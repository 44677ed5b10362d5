"""What came of a run as text."""

from app.translation.texts import tr
from compiler.model.front_end_comparison.script_texts import ScriptRun


def outcome_text(answer: ScriptRun) -> str:
    """The problem in torch's words, differences tensor by tensor, C++'s output, and what was written."""
    parts = []
    if answer.problem is not None:
        problem = answer.problem
        parts.append(f"{problem.what} {problem.remedy}\n\n{problem.detail}".strip())
    if answer.comparison is not None:
        rows = [f"{'tensor':<14}{tr('largest difference'):>20}{tr('over largest value'):>20}"]
        rows += [
            f"{row.tensor:<14}{row.absolute_text:>20}{row.relative_text:>20}"
            for row in answer.comparison.differences
        ]
        parts.append(tr("The IR beside the program, eager\n") + "\n".join(rows))
    if answer.cpp:
        parts.append(tr("The C++ program printed\n{cpp}").format(cpp=answer.cpp))
    parts += answer.notes
    return "\n\n".join(parts)
