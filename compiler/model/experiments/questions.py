"""What can be asked of the engine about a program's results, values, speed and costs, and what it answers: for the protocol."""

from typing import TypeAlias

from compiler.model.experiments.causes import CauseFound, CauseStepDone, FindCause
from compiler.model.experiments.compile_choices import ChoicesMeasured, MeasureChoices
from compiler.model.experiments.costs import CostFound, CostTrialDone, FindCost
from compiler.model.experiments.dynamic_shape_trial import MeasureStances, StancesMeasured
from compiler.model.experiments.failures import FailureFound, FindFailure, ShrinkBreak
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
    | FindCost
    | ShrinkProgram
    | FindFailure
    | ShrinkBreak
    | AskCompileInterface
    | TryBackend
    | MeasureChoices
    | MeasureStances
)
ExperimentReply: TypeAlias = (
    ValuesMeasured
    | CauseFound
    | SlownessFound
    | CostFound
    | LeastProgram
    | FailureFound
    | CompileInterface
    | BackendTried
    | ChoicesMeasured
    | StancesMeasured
)
ExperimentEvent: TypeAlias = CauseStepDone | SpeedTrialDone | CostTrialDone
