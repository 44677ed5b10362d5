"""A ``config.json`` of Hugging Face is a target by itself, and runs no code of whoever wrote it."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compiler.analysis.session_file.session_file import SessionData, read_session
from compiler.analysis.session_file.what_runs import what_runs
from compiler.command_line.main import main
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.of_transformers.config_file import without_code
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec, run_of_config
from compiler.model.capture.config_inputs import ConfigInputs
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.stage import StageKind
from tests.helpers.worker_capture import capture_by

pytestmark = [pytest.mark.engine, pytest.mark.worker]

Write = Callable[[str, str], Path]
IS_HERE = importlib.util.find_spec("transformers") is not None
TRANSFORMERS = pytest.mark.skipif(not IS_HERE, reason="transformers is not installed here")
LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 1 << 16,
    "intermediate_size": 1 << 18,
    "num_hidden_layers": 2,
    "num_attention_heads": 512,
    "num_key_value_heads": 64,
    "vocab_size": 1 << 18,
    "dtype": "bfloat16",
}
"""Two layers of 120 GB each."""
MIXTRAL = LLAMA | {"model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "num_local_experts": 8}
VIT: dict[str, Any] = {
    "model_type": "vit",
    "architectures": ["ViTForImageClassification"],
    "hidden_size": 1 << 16,
    "intermediate_size": 1 << 18,
    "num_hidden_layers": 2,
    "num_attention_heads": 512,
    "id2label": {str(number): f"class {number}" for number in range(1000)},
}
BERT: dict[str, Any] = {
    "model_type": "bert",
    "architectures": ["BertForMaskedLM"],
    "hidden_size": 1 << 16,
    "intermediate_size": 1 << 18,
    "num_hidden_layers": 2,
    "num_attention_heads": 512,
}


def captured(
    worker: WorkerClient, path: Path, task: str = "", train: bool = False, length: int = 64
) -> Capture:
    target = TargetSpec(path.name, str(path.parent), config=ConfigInputs(task, 2, length, train))
    spec = CaptureSpec(target, run=run_of_config(train), without_values=True)
    return capture_by(worker, spec)


@TRANSFORMERS
@pytest.mark.parametrize("fields", [LLAMA, MIXTRAL, VIT, BERT], ids=lambda fields: fields["model_type"])
@pytest.mark.parametrize("train", [False, True], ids=["inference", "training"])
def test_models_that_nobody_here_wrote(
    worker: WorkerClient, write: Write, fields: dict[str, Any], train: bool
):
    made = captured(worker, write("config.json", json.dumps(fields)), train=train)
    assert not [row for row in made.problems if row.severity is not Severity.NOTE]
    kinds = [stage.kind for stage in made.stages]
    assert kinds.count(StageKind.KERNELS) == (2 if train else 1)
    assert (StageKind.JOINT_GRAPH in kinds) is train
    assert any("modeling_" in stage.id for stage in made.stages if stage.kind is StageKind.SOURCE)


@TRANSFORMERS
def test_a_step_of_training_gives_the_loss_and_another_what_the_model_gives(
    write: Write, monkeypatch: pytest.MonkeyPatch
):
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    small = BERT | {"hidden_size": 8, "intermediate_size": 8, "num_attention_heads": 2, "vocab_size": 99}
    path = write("config.json", json.dumps(small))
    for train, shape in ((True, ()), (False, (2, 8, 99))):
        program = load_program(TargetSpec(path.name, str(path.parent), config=ConfigInputs("", 2, 8, train)))
        result = program.callable(**program.kwargs)
        assert (result if train else result.logits).shape == shape


@TRANSFORMERS
def test_a_strangers_configuration_runs_none_of_his_code(worker: WorkerClient, write: Write, tmp_path: Path):
    marker = tmp_path / "ran"
    code = f"open({str(marker)!r}, 'w').write('ran')\n"
    write("modeling_theirs.py", code)
    write("configuration_theirs.py", code)
    names = {
        "AutoConfig": "configuration_theirs.Theirs",
        "AutoModelForCausalLM": "modeling_theirs.Theirs",
    }
    small = LLAMA | {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 99}
    theirs = {
        "auto_map": names,
        "trust_remote_code": True,
        "_name_or_path": str(tmp_path),
        "attn_implementation": "someone/kernels",
        "_attn_implementation": "someone/kernels",
    }
    path = write("config.json", json.dumps(small | theirs))
    made = captured(worker, path)
    assert not [row for row in made.problems if row.severity is not Severity.NOTE]
    unknown = write("unknown.json", json.dumps({"model_type": "theirs"} | theirs))
    with pytest.raises(CommandFailedError):
        captured(worker, unknown)
    assert not marker.exists()


@TRANSFORMERS
def test_the_command_takes_it_and_keeps_it(write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = write("config.json", json.dumps(LLAMA | {"num_hidden_layers": 1}))
    out = tmp_path / "llama.loupe"
    words = ["capture", str(path), "--task", "causal-lm", "--batch", "8", "--length", "4096", "--train"]
    assert main([*words, "-o", str(out)]) == 0
    assert "without values" in capsys.readouterr().out
    data = read_session(out)
    (kept,) = data.captures
    assert kept.spec.target.config == ConfigInputs("causal-lm", 8, 4096, True)
    assert kept.spec.without_values
    reported = {part.title: part.text for part in what_runs(SessionData(data.captures))}
    assert "read as data" in reported["File that is loaded"]
    assert "without values" in reported["How it is compiled and run"]


@pytest.mark.skipif(IS_HERE, reason="transformers is installed here")
def test_what_is_missing_is_named(worker: WorkerClient, write: Write):
    with pytest.raises(CommandFailedError) as failed:
        captured(worker, write("config.json", json.dumps(LLAMA)))
    assert "pip install 'torch-loupe[transformers]'" in failed.value.problem.remedy


@pytest.mark.thorough
def test_a_file_that_is_none_is_refused(worker: WorkerClient, write: Write, tmp_path: Path):
    for text in ("{", "[]", '{"model_type": 3}', "[" * 100_000):
        with pytest.raises(CommandFailedError, match="no configuration"):
            captured(worker, write("config.json", text))
    with pytest.raises(CommandFailedError, match="cannot be read"):
        captured(worker, tmp_path / "nowhere.json")


def test_what_names_code_is_left_out():
    fields = {
        "auto_map": {"AutoModel": "theirs--modeling.Theirs"},
        "attn_implementation": "someone/kernels",
        "_attn_implementation_internal": "flash_attention_2",
        "experts_implementation": ["someone/kernels"],
        "text_config": {"auto_map": {}, "_attn_implementation": "sdpa", "hidden_size": 8},
        "parts": [{"trust_remote_code": True}],
        "hidden_size": 8,
    }
    kept = {
        "text_config": {"_attn_implementation": "sdpa", "hidden_size": 8},
        "parts": [{}],
        "hidden_size": 8,
    }
    assert without_code(fields) == kept
