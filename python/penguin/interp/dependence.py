"""Which loops may run as one numpy axis: every op for all iterations, before the next op.

That is legal if each memref that the body stores to is either only stored to, by one op, with every
loop in between a vector loop too; or different iterations provably touch disjoint parts of it.
"""

from penguin.analysis.affine_form import FloorDiv, Form
from penguin.interp.nests import Loop, Mode
from penguin.interp.program import Access, Compiler


def independent(compiler: Compiler, loop: Loop, below: list[Access]) -> tuple[bool, bool]:
    """Whether `loop` may run as one axis, and if so, whether a store relies on its order."""
    ordered = False
    for buffer in {access.buffer for access in below if access.is_store}:
        group = [access for access in below if access.buffer == buffer]
        if _disjoint(compiler, loop, group):
            continue
        inner = group[0].path[group[0].path.index(loop.key) + 1 :]
        if len(group) > 1 or any(loop.others[k].mode is not Mode.VECTOR for k in inner):
            return False, False
        ordered = True
    return True, ordered


def _disjoint(compiler: Compiler, loop: Loop, group: list[Access]) -> bool:
    """Whether different iterations of `loop` touch different elements, seen in some dimension."""
    if any(access.forms is None for access in group):
        return False
    return any(
        _separated(compiler, loop.key, group, [access.forms[dim] for access in group])
        for dim in range(len(group[0].forms))
    )


def _separated(compiler: Compiler, loop: int, group: list[Access], forms: list[Form]) -> bool:
    outer = set(group[0].path[: group[0].path.index(loop)])
    coefficient = forms[0][loop]
    fixed, low, high = None, None, None
    for form in forms:
        if form[loop] != coefficient:
            return False
        outside, inside = [], []
        for atom, factor in form.terms:
            if atom == loop:
                continue
            variables = set(atom.numerator.variables()) if isinstance(atom, FloorDiv) else {atom}
            if loop in variables:
                return False
            (outside if variables <= outer else inside).append((atom, factor))
        if fixed is None:
            fixed = set(outside)
        elif fixed != set(outside):
            return False
        bounds = compiler.space.bounds(Form(form.const, tuple(inside)))
        low = bounds[0] if low is None else min(low, bounds[0])
        high = bounds[1] if high is None else max(high, bounds[1])
    return high - low < abs(coefficient)
