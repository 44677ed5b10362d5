"""A program that fails as one file that needs torch alone, and fails so when it is run."""

from compiler.engine.causes.least_program import Drawn, program_head
from compiler.engine.causes.subprograms import Subprogram
from compiler.model.experiments.failures import DIES, HANGS, RAISES, CompileCall, Failure

_SHOWS = {
    RAISES: "It ends with that error.",
    DIES: "The process is ended while it is compiled or run.",
    HANGS: "It does not end.",
}


def failing_file(
    least: Subprogram, drawn: Drawn | None, call: CompileCall, why: str, failure: Failure
) -> str:
    """Raises UnprintableError."""
    head = program_head(least, drawn, why, _SHOWS[failure.how])
    return (
        f"{head}\n\n"
        'if __name__ == "__main__":\n'
        "    step(program, example_inputs())  # as it is, it runs\n"
        f"    step(torch.compile({call.text}), example_inputs())\n"
        '    print("compiled, it runs")\n'
    )
