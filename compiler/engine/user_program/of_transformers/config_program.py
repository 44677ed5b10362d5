"""A ``config.json`` of transformers as a program: the model it describes, with inputs made up by its task.

No code comes from the file, nor from where it points to: the model's class is one of the installed transformers, which is
kept off the network, and what in the file names other code is left out.
"""

import importlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from compiler.engine.errors import EngineError, failure_from
from compiler.engine.user_program.of_transformers.config_file import read_config
from compiler.engine.user_program.program import Program
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.capture.config_inputs import TASKS, ConfigInputs

_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
_BY_ENDING = {
    "ForCausalLM": "causal-lm",
    "LMHeadModel": "causal-lm",
    "ForMaskedLM": "masked-lm",
    "ForConditionalGeneration": "seq2seq-lm",
    "ForSequenceClassification": "sequence-classification",
    "ForTokenClassification": "token-classification",
    "ForQuestionAnswering": "question-answering",
    "ForImageClassification": "image-classification",
}
_FEATURES, _IMAGES, _SEQUENCES, _SEQ2SEQ = (
    "features",
    "image-classification",
    "sequence-classification",
    "seq2seq-lm",
)

Inputs = Callable[[Mapping[str, Any]], tuple[tuple[Any, ...], dict[str, Any]]]
"""The arguments that a person wrote, evaluated with these names."""


def program_of_config(spec: TargetSpec, written: Inputs) -> Program:
    """The model with random weights, or, under fake tensors, with none. Raises EngineError."""
    path = Path(spec.folder or Path.cwd(), spec.name).resolve()
    fields = read_config(path)
    wanted = spec.config or ConfigInputs()
    task = wanted.task or _task_of(fields)
    os.environ.update(_OFFLINE)
    try:
        transformers: Any = importlib.import_module("transformers")
    except ImportError as error:
        raise EngineError(
            f"A config.json is read with transformers, which cannot be imported ({error}).",
            "Install it beside torch: pip install 'torch-loupe[transformers]'.",
            path=str(path),
        ) from error
    try:
        config = transformers.CONFIG_MAPPING[fields["model_type"]].from_dict(fields)
        _keep_no_cache(config)
        model = getattr(transformers, TASKS[task]).from_config(config, trust_remote_code=False)
    except Exception as error:
        doing = f"transformers {transformers.__version__} makes no {task} model of {path.name}"
        broken = isinstance(error, ImportError)  # of what transformers itself wants, no fault of the file's
        remedy = (
            "Install transformers and what it needs anew, all for this torch."
            if broken
            else f"Choose another task ({', '.join(TASKS)}), or correct the file."
        )
        raise failure_from(error, doing, remedy) from error
    if spec.inputs is not None or spec.keyword_inputs is not None:
        args, kwargs = written({"torch": torch, "config": config})
    else:
        args, kwargs = (), _made_up(config, model, task, wanted)
    if wanted.labels:
        model.register_forward_hook(_loss)  # the gradients of a step of training are those of the loss
    return Program("configuration", model, args, kwargs, str(path))


def _task_of(fields: Mapping[str, Any]) -> str:
    names = fields.get("architectures")
    name = str(names[0]) if isinstance(names, list) and names else ""
    return next((task for ending, task in _BY_ENDING.items() if name.endswith(ending)), _FEATURES)


def _keep_no_cache(config: Any) -> None:
    """The cache of keys and values is an object that grows from step to step; what is captured is one step over all tokens."""
    for part in (config, config.get_text_config()):
        if hasattr(part, "use_cache"):
            part.use_cache = False


def _made_up(config: Any, model: Any, task: str, wanted: ConfigInputs) -> dict[str, Any]:
    batch = wanted.batch
    main = model.main_input_name
    if main == "pixel_values":
        image = getattr(config, "vision_config", config)
        kwargs = {main: torch.randn(batch, *_image(image), dtype=model.dtype)}
        labels: tuple[int, ...] = (batch,)
        classes = getattr(config, "num_labels", 2)
    elif main == "input_ids":
        vocabulary = config.get_text_config().vocab_size
        kwargs = {main: torch.randint(0, vocabulary, (batch, wanted.length))}
        if task == _SEQ2SEQ:
            kwargs["decoder_input_ids"] = torch.randint(0, vocabulary, (batch, wanted.length))
        whole = task in (_SEQUENCES, _IMAGES)
        labels = (batch,) if whole else (batch, wanted.length)
        classes = getattr(config, "num_labels", 2) if whole or task == "token-classification" else vocabulary
    else:
        raise EngineError(
            f"This model's first input is {main}, for which nothing is made up.",
            'Write its inputs: --keyword-inputs "input_features=torch.randn(8, 80, 3000)".',
        )
    if not wanted.labels or task == _FEATURES:
        return kwargs
    if task == "question-answering":
        places = {
            name: torch.randint(0, wanted.length, (batch,)) for name in ("start_positions", "end_positions")
        }
        return {**kwargs, **places}
    return {**kwargs, "labels": torch.randint(0, classes, labels)}


def _image(config: Any) -> tuple[int, int, int]:
    size = getattr(config, "image_size", 224)
    height, width = size if isinstance(size, list | tuple) else (size, size)
    return getattr(config, "num_channels", 3), height, width


def _loss(_model: Any, _given: Any, result: Any) -> Any:
    """None, where inputs that a person wrote have no labels: the result stays."""
    return getattr(result, "loss", None)
