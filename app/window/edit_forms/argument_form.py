"""The arguments of one node as a form, typed by a signature of its operation."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QScrollArea, QWidget

from app.translation.texts import tr
from app.window.edit_forms.argument_field import ArgumentField, name_label
from compiler.analysis.text_format.argument_parser import (
    ArgumentTextError,
    Names,
    argument_from_text,
    opaque_texts,
)
from compiler.model.ir.arguments import Argument, MappingArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.tensor_types import TensorValue, describe
from compiler.model.operators.op_schemas import Bound, OpSignature, bind, misfit, unbind


class ArgumentForm(QScrollArea):
    """A field for each parameter. `arguments` is what was typed, once everything typed can be given."""

    changed = Signal()

    def __init__(self, graph: Graph, node: Node, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._graph = graph
        self._node = node
        self._earlier = graph.nodes[: graph.index(node.id)]
        self._names = Names(
            {other.id for other in self._earlier}, opaque_texts(node.args) | opaque_texts(node.kwargs)
        )
        self._bound = Bound(())
        self._signature = OpSignature("", ())
        self._read: dict[str, Argument] | None = None
        self.fields: dict[str, ArgumentField] = {}

    def show_signature(self, signature: OpSignature) -> None:
        """Other parameters. What the node gives to those of the same name stays."""
        bound = bind(signature, self._node)
        self._signature, self._bound = signature, bound or Bound(())
        before = dict(bound.values) if bound else _by_place(signature, self._node)
        page = QWidget()
        rows = QFormLayout(page)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows.setLabelAlignment(Qt.AlignmentFlag.AlignTop)
        self.fields = {}
        for parameter in signature.parameters:
            only_tensors = parameter.kind == "tensor"
            offered = [
                (other.id, describe(other.value))
                for other in reversed(self._earlier)
                if not only_tensors or isinstance(other.value, TensorValue | None)
            ]
            field = ArgumentField(parameter, before.get(parameter.name), offered, page)
            field.changed.connect(self._on_change)
            rows.addRow(name_label(parameter, page), field)
            self.fields[parameter.name] = field
        self.setWidget(page)
        self._on_change()

    @property
    def complete(self) -> bool:
        """Whether everything typed can be given."""
        return self._read is not None

    def arguments(self) -> tuple[SequenceArgument, MappingArgument]:
        """What was typed, as the node's arguments. Raises ValueError while it cannot be given."""
        if self._read is None:
            raise ValueError(tr("Some arguments cannot be given."))
        return unbind(self._signature, self._node, self._bound, self._read)

    def _on_change(self) -> None:
        values: dict[str, Argument] = {}
        wrong = False
        for name, field in self.fields.items():
            fault = ""
            if field.text:
                try:
                    values[name] = argument_from_text(field.text, self._names)
                    fault = misfit(field.parameter, values[name], self._graph)
                except ArgumentTextError as error:
                    fault = str(error)
            elif field.parameter.required and not field.parameter.variadic:
                fault = tr("must be given")
            field.show_fault(fault)
            wrong = wrong or bool(fault)
        self._read = None if wrong else values
        if not wrong:
            self._check_together(values)
        self.changed.emit()

    def _check_together(self, values: dict[str, Argument]) -> None:
        try:
            unbind(self._signature, self._node, self._bound, values)
        except ValueError as error:
            first = str(error).partition(" ")[0]
            self.fields.get(first, next(iter(self.fields.values()))).show_fault(str(error))
            self._read = None


def _by_place(signature: OpSignature, node: Node) -> dict[str, Argument]:
    """A guess for a signature that the node does not call in: arguments by position, keywords by name."""
    names = [row.name for row in signature.parameters if not row.keyword_only]
    values = dict(zip(names, node.args.items, strict=False))
    return values | {key: item for key, item in node.kwargs.items if signature.parameter(key) is not None}
