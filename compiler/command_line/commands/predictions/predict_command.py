"""``loupe predict``: memory of one GPU and time of a step, of what nothing ran of."""

import argparse

import msgspec

from compiler.analysis.prediction.known_machines import SHIPPED, machine_for
from compiler.analysis.prediction.predict import predict, step_of
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_target_or_file,
    add_trust,
    add_work_options,
    saved_session,
    spec_from,
)
from compiler.command_line.commands.predictions.all_stages import pipeline_of
from compiler.command_line.commands.predictions.remedy_trials import remedies_for
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.pipeline_report import pipeline_text
from compiler.command_line.reports.prediction_report import prediction_text
from compiler.command_line.session_io import capture_with
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture


def run(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print what is predicted. Exit status 1 where it does not fit. Raises ValueError where there is nothing to predict from."""
    arguments.predict = True
    saved = saved_session(arguments)
    if saved is not None:
        capture = saved.captures[-1]
    else:
        spec = spec_from(arguments)
        with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
            capture = capture_with(client, spec, "capture-1")
    step_of(capture)
    machine = machine_for(capture, arguments.machine)
    reported = predict(capture, machine)
    if saved is None and _wants_pipeline(capture, arguments):
        with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
            found_pipeline = pipeline_of(capture, machine, client)
        reported = msgspec.structs.replace(reported, pipeline=found_pipeline)
    if arguments.remedies or (not reported.fits and saved is None):
        with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
            found = remedies_for(capture, machine, client)
        reported = msgspec.structs.replace(reported, remedies=found)
    title = capture.spec.target.name
    if capture.spec.parallel is not None:
        title += f", {capture.spec.parallel.words}"
    if arguments.json:
        print_json(reported)
    else:
        if reported.pipeline is not None:
            print(f"{pipeline_text(reported.pipeline, capture.spec.target.name)}\n")
        print(prediction_text(reported, title))
    stages = reported.pipeline.stages if reported.pipeline is not None else ()
    return 0 if reported.fits and all(stage.fits for stage in stages) else 1


def _wants_pipeline(capture: Capture, arguments: argparse.Namespace) -> bool:
    """A schedule, and no stage or rank that was asked for alone."""
    has_schedule = capture.step is not None and capture.step.pipeline is not None
    return has_schedule and arguments.stage is None and not arguments.rank


def _add_own(parser: argparse.ArgumentParser) -> None:
    add_target_or_file(parser)
    parser.add_argument(
        "--machine",
        default="",
        metavar="ID|FILE.json",
        help=f"whose figures are taken (at first those of the target's GPU; {SHIPPED.name} in resources/ shows the form)",
    )
    parser.add_argument(
        "--remedies",
        action="store_true",
        help="also compute what makes it smaller: each change is captured (done by itself where a target does not fit)",
    )


COMMAND = Command(
    "predict",
    "memory of one GPU over a step and the step's time, without the GPUs",
    run,
    (_add_own, add_capture_options, add_work_options, add_trust),
    examples=(
        (
            "predict config.json --task causal-lm --train --target h100 --mesh dp=8,tp=8 --optimizer adamw",
            "whether a model of Hugging Face fits 64 GPUs that are not here, and what bounds each layer",
        ),
        (
            "predict config.json --task causal-lm --train --target h100 --mesh pp=4 --schedule 1f1b --microbatches 8",
            "the step of a whole pipeline: every stage is captured, the order is torch's own",
        ),
        (
            "predict FILE.loupe --machine MINE.json",
            "the same of a file that was captured with --predict, --optimizer or --world, with figures of your machine",
        ),
    ),
)
