"""Which calls of a graph may give the same memory, and where it is written: what makes a transform wrong that looks at names only.

Dynamo's graph is written as the program is, with ``y += 1`` on a view of x. What is not known to give memory of its own may give
that of its arguments.
"""

from collections.abc import Iterator, Mapping

from compiler.model.diagrams.diagrams import short_target
from compiler.model.diagrams.joined_parts import joined_parts
from compiler.model.effects.purity import NORMS, draws_random_numbers, is_pure, written_by
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import ScalarValue


def _named(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OWN = _named(
    """
    abs acos add addbmm addcdiv addcmul addmm all amax amin any arange argmax argmin argsort asin atan atan2 avg_pool1d
    avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d baddbmm batch_norm bmm
    bernoulli binary_cross_entropy binary_cross_entropy_with_logits bitwise_and bitwise_not bitwise_or bitwise_xor bucketize cat
    ceil celu clamp clamp_max clamp_min clone concat concatenate constant_pad_nd conv1d conv2d conv3d conv_transpose1d
    conv_transpose2d conv_transpose3d convolution cos cosh cosine_similarity cross_entropy cumprod cumsum diag_embed div
    elu embedding embedding_bag empty empty_like eq erf erfc exp expm1 eye floor floor_divide fmod full full_like gather ge gelu
    glu group_norm gt hardsigmoid hardswish hardtanh hstack index_add index_select instance_norm isfinite isinf isnan kl_div
    l1_loss layer_norm le leaky_relu lerp linear linspace log log10 log1p log2 log_softmax logaddexp logical_and logical_not
    logical_or logical_xor logsigmoid logsumexp lt masked_fill masked_select matmul max max_pool1d max_pool2d max_pool3d maximum
    mean min minimum mish mm mse_loss mul multinomial multiply native_batch_norm native_group_norm native_layer_norm ne neg
    new_empty new_full new_ones new_zeros nll_loss norm normal normalize one_hot ones ones_like outer pad pow prod rand
    rand_like randint randint_like randn randn_like randperm reciprocal relu relu6 remainder repeat repeat_interleave rms_norm
    roll round rsqrt rsub scaled_dot_product_attention scatter scatter_add searchsorted selu sigmoid sign silu sin sinh
    smooth_l1_loss softmax softmin softplus softsign sort sqrt square stack std std_mean sub sum tan tanh tensor threshold tile
    topk tril triu true_divide truediv trunc var var_mean vstack where zeros zeros_like and_ floordiv invert mod not_ or_ xor
    """
)
"""Calls that always make a new tensor; in place, with ``out=`` or ``inplace=True`` they write, which is seen first."""
_VIEWS = _named(
    """
    T mT adjoint as_strided chunk diagonal expand expand_as imag mH movedim moveaxis narrow permute real select split
    split_with_sizes squeeze swapaxes swapdims t tensor_split transpose unbind unflatten unsqueeze view view_as view_as_complex
    view_as_real slice alias detach
    """
)
"""Calls whose result always is the memory that they are given."""
_SHAPES_IN_PLACE = _named(
    """
    as_strided_ resize_ resize_as_ set_ squeeze_ swapaxes_ swapdims_ t_ transpose_ unsqueeze_ detach_ requires_grad_ rename_
    """
)
"""They change a tensor and not its memory: of two equal views only the one that they are called on."""


class Memory:
    """Of a graph as it is: sets of nodes that may share memory, and the last call that writes to each."""

    def __init__(self, graph: Graph) -> None:
        self._known = graph.by_id()
        self._index = {node.id: index for index, node in enumerate(graph.nodes)}
        writes = {node.id: written for node in graph.nodes if (written := written_by(node))}
        self._parts = [frozenset(part) for part in joined_parts(self._known, self._shared(graph, writes))]
        self._place = {name: number for number, part in enumerate(self._parts) for name in part}
        self._writes: dict[int, list[int]] = {}
        self._reshaped: set[int] = set()
        for writer, written in writes.items():
            places = {self._place[name] for name in written}
            for place in places:
                self._writes.setdefault(place, []).append(self._index[writer])
            if short_target(self._known[writer]) in _SHAPES_IN_PLACE:
                self._reshaped |= places
        output = next((node for node in graph.nodes if node.op == "output"), None)
        self._given_back = {self._place[name] for name in output.inputs()} if output is not None else set()

    def _shared(
        self, graph: Graph, writes: Mapping[NodeId, tuple[NodeId, ...]]
    ) -> Iterator[tuple[NodeId, NodeId]]:
        held: dict[str, NodeId] = {}
        for node in graph.nodes:
            if node.op == "get_attr":
                yield held.setdefault(node.target, node.id), node.id
            own = short_target(node) in NORMS or (_makes_its_own(node) and node.id not in writes)
            for other in () if own else writes.get(node.id, node.inputs()):
                if not isinstance(self._known[other].value, ScalarValue):  # a number has no memory
                    yield other, node.id

    def members(self, node: NodeId) -> frozenset[NodeId]:
        """All nodes that may share this one's memory."""
        return self._parts[self._place[node]]

    def is_written(self, node: NodeId) -> bool:
        """Whether anything writes to what may be this node's memory, at any time."""
        return self._place[node] in self._writes

    def is_written_after(self, node: NodeId) -> bool:
        """Whether that happens behind the node."""
        return self._writes.get(self._place[node], [-1])[-1] > self._index[node]

    def is_written_between(self, node: NodeId, first: NodeId, last: NodeId) -> bool:
        """Whether that happens behind one node and before another."""
        times = self._writes.get(self._place[node], ())
        return any(self._index[first] < time < self._index[last] for time in times)

    def may_be_made_once(self, first: NodeId, second: NodeId) -> bool:
        """Whether one of two equal calls, between which nothing wrote to their arguments, may stand for both: not where each has
        memory of its own and somebody writes to it, or is given both.
        """
        one, other = self._place[first], self._place[second]
        if self._known[second].op == "get_attr":
            return True
        if short_target(self._known[second]) in _VIEWS:
            return not {one, other} & self._reshaped
        if self.is_written(first) or self.is_written(second):
            return False
        return one == other or not {one, other} <= self._given_back

    def must_keep_order(self, one: Node, other: Node) -> bool:
        """Whether two calls come to something else the other way round: one writes to what the other uses or gives, or both draw
        random numbers, or both act.
        """
        if not is_pure(one) and not is_pure(other) and not (written_by(one) or written_by(other)):
            return True
        if draws_random_numbers(one) and draws_random_numbers(other):
            return True
        return self._writes_to(one, other) or self._writes_to(other, one)

    def _writes_to(self, writer: Node, other: Node) -> bool:
        touched = {self._place[name] for name in (other.id, *other.inputs())}
        return any(self._place[name] in touched for name in written_by(writer))

    def share(self, one: NodeId, other: NodeId) -> bool:
        """Whether they may share memory."""
        return self._place[one] == self._place[other]


@identity_cached
def memory_of(graph: Graph) -> Memory:
    """Made once for all that ask of the same graph: the window asks for every transform."""
    return Memory(graph)


def _makes_its_own(node: Node) -> bool:
    return node.op in ("placeholder", "get_attr", "output") or short_target(node) in _OWN
