"""``python -m tests.links [programs]``: the truth of links on the examples and on random programs, as a table."""

import argparse
import random
import time
from pathlib import Path

from tests.links.measuring import measure
from tests.links.random_programs import random_program
from tests.links.scoring import Scores, table

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
TARGETS = (
    ("mlp.py", "MLP"), ("mlp_dropout.py", "MLP"), ("breaky.py", "Breaky"), ("print_in_the_middle.py", "forward"),
    ("lost_branch.py", "Branch"), ("layer_loop.py", "Stack"), ("conv_bn_relu.py", "Net"),
    ("transformer_layer.py", "EncoderLayer"), ("recompiling.py", "Changing"), ("training_step.py", "Step"),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=30, help="how many random programs, trained and not")
    parser.add_argument("--length", type=int, default=9, help="about how many operations each has")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-examples", action="store_true")
    parser.add_argument("--faults", type=Path, help="write every fault into this file")
    options = parser.parse_args()
    certain, all_links = Scores(), Scores()
    started = time.perf_counter()
    jobs = [] if options.no_examples else [
        (f"{file}{'' if training else ' (eval)'}", (EXAMPLES / file).read_text(), target, training)
        for file, target in TARGETS
        for training in (True, False)
    ]  # fmt: skip
    for number in range(options.programs):
        text = random_program(random.Random(options.seed + number).choice, options.length)
        jobs.append((f"random {options.seed + number}", text, "Net", number % 3 != 2))
    sites = 0
    for name, text, target, training in jobs:
        measured = measure(text, target, training)
        certain.add(measured, name, certain=True)
        all_links.add(measured, name, certain=False)
        sites += len(measured.truths)
        skipped = ", ".join(f"{count} {why}" for why, count in measured.skipped.items())
        print(
            f"{time.perf_counter() - started:6.0f} s  {name}: {len(measured.truths)} operations {skipped}",
            flush=True,
        )
    print(f"\n{len(jobs)} programs, {sites} operations. Links shown as certain:\n{table(certain)}")
    print(f"\nWith links marked as guesses:\n{table(all_links)}")
    if options.faults:
        options.faults.write_text("\n".join(certain.faults), encoding="utf-8")


if __name__ == "__main__":
    main()
