"""Every stage of a pipeline, captured one after another."""

import msgspec

from compiler.analysis.prediction.pipeline_step import predict_pipeline
from compiler.command_line.session_io import capture_with
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.prediction.machine import Machine
from compiler.model.prediction.parallel_plan import PIPELINE, checked
from compiler.model.prediction.predicted_pipeline import PredictedPipeline


def pipeline_of(capture: Capture, machine: Machine, client: WorkerClient) -> PredictedPipeline:
    """The pipeline that a captured stage is of, with the others captured. Raises what capturing raises, and ValueError."""
    plan = capture.spec.parallel
    if plan is None:
        raise ValueError("The capture is of no pipeline")
    captures = []
    for stage in range(plan.size(PIPELINE)):
        if stage == plan.stage:
            captures.append(capture)
            continue
        other = checked(msgspec.structs.replace(plan, stage=stage, rank=0))
        spec = msgspec.structs.replace(capture.spec, parallel=other)
        captures.append(capture_with(client, spec, f"stage-{stage}"))
    return predict_pipeline(captures, machine)
