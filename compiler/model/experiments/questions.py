"""What can be asked of the engine about a program's results, values and speed, and what it answers: for the protocol."""

from typing import TypeAlias

from compiler.model.experiments.causes import CauseFound, CauseStepDone, FindCause
from compiler.model.experiments.compile_choices import ChoicesMeasured, MeasureChoices
from compiler.model.experiments.dynamic_shape_trial import MeasureStances, StancesMeasured
from compiler.model.experiments.least_programs import LeastProgram, ShrinkProgram
from compiler.model.experiments.node_values import MeasureValues, ValuesMeasured
from compiler.model.experiments.slowness import FindSlowness, SlownessFound, SpeedTrialDone
from compiler.model.experiments.torch_compile_api import (
    AskCompileInterface,
    BackendTried,
    CompileInterface,
    TryBackend,
)

ExperimentRequest: TypeAlias = (
    MeasureValues
    | FindCause
    | FindSlowness
    | ShrinkProgram
    | AskCompileInterface
    | TryBackend
    | MeasureChoices
    | MeasureStances
)
ExperimentReply: TypeAlias = (
    ValuesMeasured
    | CauseFound
    | SlownessFound
    | LeastProgram
    | CompileInterface
    | BackendTried
    | ChoicesMeasured
    | StancesMeasured
)
ExperimentEvent: TypeAlias = CauseStepDone | SpeedTrialDone
