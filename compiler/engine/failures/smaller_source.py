"""Delta debugging of a Python file: statements are left out, blocks are replaced by what is in them, expressions by their parts,
while something about the program stays as it was.
"""

import ast
import copy
from collections.abc import Callable, Iterator

Still = Callable[[str], bool]
_BLOCKS = ("body", "orelse", "finalbody")


class SmallerSource:
    """The search for one file."""

    def __init__(self, text: str, still: Still, most_trials: int) -> None:
        """`still`: whether a text does what the whole does; texts are as `ast.unparse` writes them."""
        self._tree = ast.parse(text)
        self._still, self._most = still, most_trials
        self._known: dict[str, bool] = {}
        self.trials = 0

    @property
    def statements(self) -> int:
        """How many there are now."""
        return sum(isinstance(node, ast.stmt) for node in ast.walk(self._tree))

    @property
    def text(self) -> str:
        """What it is now."""
        return ast.unparse(self._tree)

    def holds(self) -> bool:
        """Whether it does now what it should."""
        return self._try(self._tree)

    def search(self) -> None:
        """Until nothing more can be left out, or there were enough trials."""
        before = ""
        while before != self.text and self.trials < self._most:
            before = self.text
            self._fewer_statements()
            self._plainer(_unwrapped)
            self._plainer(_parts)

    def _try(self, tree: ast.Module) -> bool:
        text = ast.unparse(tree)
        if text in self._known:
            return self._known[text]
        if self.trials >= self._most:
            return False
        try:
            compile(text, "tried", "exec")
        except (SyntaxError, ValueError):
            return False
        self.trials += 1
        found = self._known[text] = self._still(text)
        return found

    def _fewer_statements(self) -> None:
        """Block by block, the outermost first: halves are left out, then quarters, and so on."""
        number = 0
        while number < len(blocks := list(_blocks(self._tree))):
            size = len(blocks[number])
            while size:
                start = 0
                while start < len(_block(self._tree, number)):
                    tree = copy.deepcopy(self._tree)
                    block = _block(tree, number)
                    if all(isinstance(row, ast.Pass) for row in block[start : start + size]):
                        start += size
                        continue
                    del block[start : start + size]
                    if not block:
                        block.append(ast.Pass())
                    if self._try(tree):
                        self._tree = tree
                    else:
                        start += size
                size //= 2
            number += 1

    def _plainer(self, others: Callable[[ast.AST], Iterator[ast.AST | list[ast.stmt]]]) -> None:
        """Each place in turn, with whatever of `others` comes first that still does."""
        place = 0
        while place < len(list(_places(self._tree))):
            for index in range(len(list(others(_at(self._tree, place))))):
                tree = copy.deepcopy(self._tree)
                parent, field, row = list(_places(tree))[place]
                node = _get(parent, field, row)
                other = list(others(node))[index]
                _put(parent, field, row, other)
                ast.fix_missing_locations(tree)
                if len(ast.unparse(tree)) < len(self.text) and self._try(tree):
                    self._tree = tree
                    break
            else:
                place += 1


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def _block(tree: ast.AST, number: int) -> list[ast.stmt]:
    return next((block for index, block in enumerate(_blocks(tree)) if index == number), [])


def _places(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list):
                yield from (
                    (parent, field, row) for row, each in enumerate(value) if isinstance(each, ast.AST)
                )
            elif isinstance(value, ast.AST):
                yield parent, field, None


def _at(tree: ast.AST, place: int) -> ast.AST:
    parent, field, row = list(_places(tree))[place]
    return _get(parent, field, row)


def _get(parent: ast.AST, field: str, row: int | None) -> ast.AST:
    value = getattr(parent, field)
    found: ast.AST = value if row is None else value[row]
    return found


def _put(parent: ast.AST, field: str, row: int | None, other: ast.AST | list[ast.stmt]) -> None:
    if row is None:
        setattr(parent, field, other)
    else:
        getattr(parent, field)[row : row + 1] = other if isinstance(other, list) else [other]


def _unwrapped(node: ast.AST) -> Iterator[ast.AST | list[ast.stmt]]:
    """What is in a block in place of the block; a function without its decorators; a class without its bases stays."""
    if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try):
        yield node.body
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        plain = copy.deepcopy(node)
        plain.decorator_list = []
        yield plain


def _parts(node: ast.AST) -> Iterator[ast.AST | list[ast.stmt]]:
    """An operand in place of the operation, an argument or the receiver in place of the call."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Call):
        yield from node.args
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.Subscript):
        yield node.value
    elif isinstance(node, ast.Tuple | ast.List) and len(node.elts) > 1:
        yield from node.elts
