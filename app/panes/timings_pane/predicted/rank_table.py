"""Ranks of a predicted step: which have the captured program, in what others differ, and the memory each needs."""

from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.other_ranks import CONSTANTS, SAME, SIZES, STAGE, STORED, UNKNOWN
from compiler.model.prediction.predicted_step import PredictedRanks, PredictedStep, RankPeak

_SIZE = 130
_COLUMNS = (
    Column(tr_noop("Ranks"), width="ranks 0–6, 8–14"),
    Column(tr_noop("How many"), width="How many", right=True, needs=620),
    Column(tr_noop("Program"), width=Width.STRETCH),
    Column(tr_noop("Peak"), width=_SIZE, right=True),
    Column(tr_noop("Parameters"), width="999.9 GiB", right=True, needs=520),
)
_PEAK = 3
_MOST_LINES = 24
_WORDS = {
    SAME: tr_noop("the same"),
    STORED: tr_noop("the same; other shards are kept"),
    CONSTANTS: tr_noop("the same but for numbers in it"),
    SIZES: tr_noop("tensors of other sizes: capture it with rank {rank}"),
    STAGE: tr_noop("another stage of the pipeline: capture it with rank {rank}"),
    UNKNOWN: tr_noop("not derived: capture it with rank {rank}"),
}


class RankTable(RowTable):
    """The largest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter ranks"), parent)
        self.tree.setRootIsDecorated(False)
        self.sort_by(_PEAK, descending=True)

    def show_prediction(self, reported: PredictedStep | None) -> None:
        """Fill it; None clears."""
        ranks = reported.ranks if reported is not None else None
        self.set_rows([_row(row, ranks.captured) for row in ranks.rows] if ranks is not None else [])


def format_ranks(ranks: PredictedRanks) -> str:
    """A line: which rank was captured, which needs most, the spread, and what is not derived."""
    most, least = ranks.most, ranks.least
    if ranks.problem or most is None or least is None:
        return tr("Rank {rank} was captured. {why}").format(rank=ranks.captured, why=ranks.problem).strip()
    words = tr("Rank {rank} of {count} was captured.").format(rank=ranks.captured, count=ranks.count)
    if most.peak == least.peak:
        words += " " + tr("Every rank that is derived peaks at {size}.").format(
            size=describe_bytes(most.peak)
        )
    else:
        words += " " + tr("Largest: {ranks}, {size}; smallest: {ranks2}, {less} less.").format(
            ranks=most.group.names,
            size=describe_bytes(most.peak),
            ranks2=least.group.names,
            less=describe_bytes((most.peak or 0) - (least.peak or 0)),
        )
    if ranks.unknown:
        words += " " + tr("Peaks not derived: {count}.").format(count=ranks.unknown)
    return words


def _row(row: RankPeak, captured: int) -> Row:
    group = row.group
    if group.has(captured):
        program = tr("captured (rank {rank})").format(rank=captured)
    else:
        program = tr(_WORDS[group.verdict]).format(rank=group.example)
    if row.peak is None:
        peak = Cell(tr("not derived"), -1.0)
    else:
        size = describe_bytes(row.peak)
        peak = Cell(tr("at most {size}").format(size=size) if row.at_most else size, float(row.peak))
    cells = (
        Cell(group.names, float(group.example)),
        Cell(str(group.count), float(group.count)),
        Cell(program, tooltip=_details(row, captured)),
        peak,
        Cell(
            describe_bytes(group.parameters) if group.parameters is not None else "–",
            float(group.parameters or 0),
        ),
    )
    return Row(group.example, cells)


def _details(row: RankPeak, captured: int) -> str:
    lines = list(row.group.words)
    lines += [
        tr("{name}: {size} here, {size2} on rank {rank}").format(
            name=shard.name,
            size=describe_bytes(shard.bytes),
            size2=describe_bytes(shard.captured),
            rank=captured,
        )
        for shard in row.group.shards
    ]
    return "\n".join(lines[:_MOST_LINES]) + ("\n…" if len(lines) > _MOST_LINES else "")
