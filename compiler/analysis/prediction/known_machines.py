"""The machines that predictions are made for: those shipped, or those of a file of the user's."""

from pathlib import Path

from compiler.installation import RESOURCES
from compiler.model.capture.capture import Capture
from compiler.model.prediction.machine import Machine, find_machine, read_machines

SHIPPED = RESOURCES / "machines.json"


def machine_for(capture: Capture, wanted: str = "") -> Machine:
    """The machine that was named: an id, a JSON file; else the one of the capture's GPU. Raises ValueError."""
    gpu = capture.spec.device
    known = read_machines(SHIPPED)
    if wanted.endswith(".json"):
        own = read_machines(Path(wanted))
        if len(own) == 1:
            return own[0]
        return find_machine(own, gpu.id if gpu is not None else "")
    if wanted:
        return find_machine(known, wanted)
    if gpu is None:
        names = ", ".join(machine.id for machine in known)
        raise ValueError(
            f"It was captured for no GPU; say for which machine: --machine {names}, or a JSON file"
        )
    return find_machine(known, gpu.id)
