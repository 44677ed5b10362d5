from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.window.open_form.compile_form import options_from_text
from app.window.open_form.input_text import argument_text, inputs_text, keyword_text, shape_from_text
from app.window.open_form.inputs_form import TABLE, TYPED
from app.window.open_form.open_model_dialog import OpenModelDialog
from app.window.start import recent_files
from app.window.start.examples import find_examples
from app.window.start.recent_files import spec_of_recent, target_of_recent
from compiler.model.capture.capturable_names import names_in_file
from compiler.model.capture.capture_spec import (
    ArgumentSpec,
    CaptureSpec,
    CompileOptions,
    RunOptions,
    TargetDescription,
    TargetSpec,
)
from compiler.model.capture.config_inputs import ConfigInputs
from compiler.model.prediction.parallel_plan import ParallelPlan, StepOptions, TensorRule
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.model.protocol.messages import DescribeTarget, TargetDescribed

X = ArgumentSpec("x", "tensor", (8, 128), "float32", "cpu")
N = ArgumentSpec("n", "value", text="3")
MASK = ArgumentSpec("mask", "tensor", (8,), "bool", "cpu", keyword=True)

PROGRAM = """
import torch
class Part(torch.nn.Module): pass
class Whole(torch.nn.Module): pass
class NotOne: pass
def step(x): return x
def example_inputs(): return (1,)
model = Whole()
"""


@pytest.fixture
def dialog(session, qtbot, tmp_path: Path):
    (tmp_path / "model.py").write_text(PROGRAM)
    specs: list = []
    made = OpenModelDialog(session, specs.append, None)
    made.specs = specs
    qtbot.addWidget(made)
    return made


def test_a_gpu_that_is_not_here_is_tried_before(dialog: OpenModelDialog, engine) -> None:
    dialog.compile.device.setCurrentIndex(dialog.compile.device.count() - 1)
    assert "Trying" in dialog.message.text()
    engine.last(TestCrossCompilation).reply(CrossCompilationTested(None, 3, 11.8))
    assert dialog.message.text().endswith("works here: a small program gave 3 Triton kernels in 12 s")
    dialog.compile.device.setCurrentIndex(0)
    assert dialog.message.text() == ""


def test_names_are_found_without_running_the_file(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(PROGRAM + "\nraise SystemExit\n")
    assert names_in_file(tmp_path / "model.py") == ("Whole", "Part", "step", "model")
    data = "x = torch.randn(2)\ny = x * 2\nn = 3\nk = [1]\nopt = torch.optim.SGD(p, 0.1)\n"
    (tmp_path / "data.py").write_text(
        data + "net = torch.nn.Linear(2, 2)\nfast = torch.compile(net)\nalso = net\nvit = ViT(2)\n"
    )
    assert names_in_file(tmp_path / "data.py") == ("vit", "also", "fast", "net")
    (tmp_path / "bad.py").write_text("def")
    assert names_in_file(tmp_path / "bad.py") == ()


def test_every_example_says_what_it_is() -> None:
    examples = find_examples()
    assert len(examples) >= 5
    assert all(example.text for example in examples)


def test_inputs_as_text() -> None:
    assert inputs_text((X,)) == "torch.randn((8, 128))"
    assert inputs_text((X, N, MASK)) == "torch.randn((8, 128)), 3"
    assert keyword_text((X, N, MASK)) == "mask=torch.rand((8,)) > 0.5"
    assert keyword_text((X,)) is None
    index = ArgumentSpec("i", "tensor", (4,), "int64", "cuda:0")
    assert argument_text(index) == "torch.randint(0, 10, (4,), dtype=torch.int64, device='cuda:0')"
    half = ArgumentSpec("h", "tensor", (), "float16", "cpu", requires_grad=True)
    assert argument_text(half) == "torch.randn((), dtype=torch.float16, requires_grad=True)"


def test_shapes_as_people_type_them() -> None:
    assert shape_from_text("8, 128") == shape_from_text("8x128") == shape_from_text("(8,128)") == (8, 128)
    assert shape_from_text("") == ()
    with pytest.raises(ValueError):
        shape_from_text("8, many")
    with pytest.raises(ValueError):
        shape_from_text("-1")


def test_options_as_text() -> None:
    assert options_from_text("a=1, b=True, c=0.5, d='x', e=None") == (
        ("a", 1), ("b", True), ("c", 0.5), ("d", "x"), ("e", None),
    )  # fmt: skip
    assert options_from_text("") == ()
    with pytest.raises(ValueError, match="key=value"):
        options_from_text("what")


def test_a_file_and_everything_else(dialog, tmp_path: Path) -> None:
    assert not dialog.buttons.button(dialog.buttons.StandardButton.Ok).isEnabled()
    dialog.target.place.setText(str(tmp_path / "model.py"))
    assert dialog.target.name.currentText() == "Whole"
    dialog.inputs.ways.button(TYPED).setChecked(True)
    dialog.inputs.positional.setText("torch.ones(3)")
    dialog.inputs.keyword.setText("scale=2.0")
    dialog.compile.mode.setCurrentText("max-autotune")
    dialog.compile.dynamic.setCurrentIndex(1)
    dialog.compile.options.setText("epilogue_fusion=False")
    dialog.compile.training.setCurrentIndex(2)
    dialog.compile.seed.setValue(7)
    dialog.buttons.accepted.emit()
    (spec,) = dialog.specs
    assert (spec.target.name, spec.target.folder) == ("model.py:Whole", str(tmp_path))
    assert (spec.target.inputs, spec.target.keyword_inputs) == ("torch.ones(3)", "scale=2.0")
    assert spec.compile == CompileOptions(
        "max-autotune", False, True, "inductor", (("epilogue_fusion", False),)
    )
    assert spec.run == RunOptions(False, True, 7)
    assert target_of_recent(f"{tmp_path / 'model.py'}:Whole") == ("model.py:Whole", str(tmp_path))


def test_a_table_of_arguments(dialog, engine, tmp_path: Path) -> None:
    dialog.target.place.setText(str(tmp_path / "model.py"))
    dialog.inputs.ways.button(TABLE).setChecked(True)
    description = TargetDescription("module class", "(x, n, *, mask)", (X, N, MASK))
    engine.last(DescribeTarget).reply(TargetDescribed(description))
    table = dialog.inputs.table
    rows, header = table.verticalHeader(), table.horizontalHeader().sizeHint().height()
    assert table.height() - header - rows.length() in range(2 * table.frameWidth() + 1), "as high as its rows"
    assert dialog.inputs.state.isHidden(), "nothing to say takes no line"
    table.item(0, 1).setText("2, 64")
    table.cellWidget(0, 2).setCurrentText("bfloat16")
    table.item(1, 1).setText("5")
    spec = dialog.spec()
    assert spec.target.inputs == "torch.randn((2, 64), dtype=torch.bfloat16), 5"
    assert spec.target.keyword_inputs == "mask=torch.rand((8,)) > 0.5"
    table.item(0, 1).setText("two")
    dialog.buttons.accepted.emit()
    assert "x is no list of sizes" in dialog.message.text()
    assert dialog.specs == []


def test_what_is_wrong_with_a_target_is_reported(dialog, engine, tmp_path: Path) -> None:
    dialog.target.place.setText(str(tmp_path / "model.py"))
    dialog.inputs.ways.button(TABLE).setChecked(True)
    engine.last(DescribeTarget).fail("There is no such thing.")
    assert "no such thing" in dialog.inputs.state.text()


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("import torch\nclass Net(torch.nn.Module)\n    pass\n", "broken.py, line 2: expected ':'"),
        ("x = 'no \xff text'\n".encode("latin-1"), "broken.py cannot be read"),
        ("X = 1\n", "defines no nn.Module"),
        (None, "There is no file"),
    ],
)
def test_a_file_that_offers_nothing_says_why(
    dialog, tmp_path: Path, text: str | bytes | None, reported: str
) -> None:
    path = tmp_path / "broken.py"
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    dialog.target.set_target(str(path), "")
    assert reported in dialog.message.text()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    dialog.target.place.setText(str(tmp_path))
    assert not dialog.message.text(), "a path that is still typed"
    path.write_text("def step(x): return x\n")
    dialog.target.set_target(str(path), "")
    assert not dialog.message.text()


def test_what_is_folded_has_no_empty_frame(dialog, qtbot) -> None:
    dialog.show()
    line = dialog.fontMetrics().height()
    assert _right_edge(dialog.parallel) == 1, "its title alone"
    dialog.parallel.setChecked(True)
    qtbot.waitUntil(lambda: dialog.parallel.height() > 8 * line)
    assert _right_edge(dialog.parallel) > 1
    dialog.parallel.setChecked(False)
    qtbot.waitUntil(lambda: dialog.parallel.height() < 2 * line)
    assert _right_edge(dialog.parallel) == 1


def _right_edge(widget: QWidget) -> int:
    """How many colours there are near the right edge of a widget, where its title does not reach."""
    image = widget.grab().toImage()
    return len({image.pixel(image.width() - 20, y) for y in range(image.height())})


def test_a_long_form_scrolls_down_only(dialog, tmp_path: Path, qtbot) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def step(x): return x\n")
    dialog.target.set_target(str(path), "")
    dialog.parallel.setChecked(True)
    dialog.show()
    bar = dialog.page_scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert dialog.page_scroll.widget().width() <= dialog.page_scroll.viewport().width()
    assert dialog.page_scroll.widget().minimumSizeHint().width() <= dialog.page_scroll.viewport().width()


def test_a_module_by_its_dotted_name(dialog) -> None:
    dialog.target.place.setText("package.module")
    dialog.target.name.setEditText("Model")
    assert dialog.target.target == "package.module:Model"


def test_without_values(dialog: OpenModelDialog, engine, tmp_path: Path) -> None:
    dialog.target.place.setText(str(tmp_path / "model.py"))
    assert not dialog.compile.assume.isEnabled()
    dialog.compile.without_values.setChecked(True)
    assert dialog.compile.assume.isEnabled()
    dialog.compile.assume.setText("value@model.py:31=3")
    dialog.inputs.ways.button(TABLE).setChecked(True)
    asked = engine.last(DescribeTarget)
    assert asked.body.without_values, "the table is not made of values that may not fit"
    asked.reply(TargetDescribed(TargetDescription("module class", "(x)", (X,))))
    dialog.buttons.accepted.emit()
    (spec,) = dialog.specs
    assert spec.without_values
    assert spec.assume == (("value@model.py:31", "3"),)
    assert spec.target.config is None


def test_a_configuration_is_a_target_by_itself(dialog: OpenModelDialog, engine, tmp_path: Path) -> None:
    dialog.show()
    dialog.target.place.setText(str(tmp_path / "config.json"))
    assert dialog.config.isVisible()
    assert dialog.inputs.isHidden()
    assert dialog.compile.without_values.isChecked(), "a configuration has no values"
    dialog.config.task.setCurrentIndex(1)
    dialog.config.batch.setValue(8)
    dialog.config.length.setValue(4096)
    inference = dialog.spec()
    assert (inference.target.name, inference.target.folder) == ("config.json", str(tmp_path))
    assert inference.target.config == ConfigInputs("causal-lm", 8, 4096)
    assert inference.run == RunOptions(False, False)
    dialog.compile.training.setCurrentIndex(1)
    training = dialog.spec()
    assert training.target.config == ConfigInputs("causal-lm", 8, 4096, True)
    assert training.run == RunOptions(True, True)
    dialog.target.place.setText(str(tmp_path / "model.py"))
    assert dialog.config.isHidden()
    assert dialog.inputs.isVisible()
    assert not dialog.compile.without_values.isChecked()
    assert not engine.count(DescribeTarget), "nobody asked to load either"


def test_a_program_without_values_is_opened_again_without(tmp_path: Path) -> None:
    name = f"{tmp_path / 'model.py'}:Whole"
    target = TargetSpec("model.py:Whole", str(tmp_path))
    assert spec_of_recent(f"{name} without values") == CaptureSpec(target, without_values=True)
    assert spec_of_recent(name) == CaptureSpec(target)
    assert recent_files.is_file_to_open(str(tmp_path / "config.json")), "the form asks for its task"


def test_one_of_many_processes_is_written_in_the_form(dialog: OpenModelDialog, tmp_path: Path) -> None:
    dialog.target.place.setText(str(tmp_path / "model.py"))
    assert dialog.spec().parallel is None
    assert dialog.spec().step is None
    (tmp_path / "plan.toml").write_text('[tp]\n"layers.*.wq" = "colwise"\n')
    dialog.parallel.setChecked(True)
    dialog.parallel.mesh.setText("dp=8, tp=4")
    dialog.parallel.plan.setText("plan.toml")
    dialog.parallel.optimizer.setCurrentText("adamw")
    with pytest.raises(ValueError, match="nothing runs of"):
        dialog.spec()
    dialog.compile.without_values.setChecked(True)
    spec = dialog.spec()
    assert spec.parallel == ParallelPlan(
        32, (("dp", 8), ("tp", 4)), tensor=(TensorRule("layers.*.wq", "colwise"),)
    )
    assert spec.step == StepOptions("adamw")
    dialog.parallel.world.setValue(64)
    with pytest.raises(ValueError, match="write --world 32"):
        dialog.spec()
