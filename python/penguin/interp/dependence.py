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
    """Whether different iterations of `loop` touch different elements, seen in some dimension.

    Where a buffer is accessed under several shapes, its elements count as one dimension.
    """
    if any(access.forms is None for access in group):
        return False
    if len({access.shape for access in group}) == 1:
        known = [access.forms for access in group]
    else:
        known = [(access.flat,) for access in group]
    # Dimension by dimension, the forms of all accesses.
    return any(
        _separated(compiler, loop.key, group[0].path, forms) for forms in zip(*known, strict=True)
    )


def _separated(
    compiler: Compiler, loop: int, path: tuple[int, ...], forms: tuple[Form, ...]
) -> bool:
    """Whether these indices differ as soon as the counter of `loop` does.

    They must grow alike with `loop`, and with the loops around it, by more than the rest varies.
    """
    outer = set(path[: path.index(loop)])
    coefficient = forms[0][loop]
    fixed, lows, highs = [], [], []
    for form in forms:
        outside, inside = [], []
        for atom, factor in form.terms:
            if atom == loop:
                continue
            variables = set(atom.numerator.variables()) if isinstance(atom, FloorDiv) else {atom}
            if loop in variables:
                return False
            (outside if variables <= outer else inside).append((atom, factor))
        low, high = compiler.space.bounds(Form(form.const, tuple(inside)))
        fixed.append((form[loop], set(outside)))
        lows.append(low)
        highs.append(high)
    alike = all(one == fixed[0] for one in fixed)
    return alike and max(highs) - min(lows) < abs(coefficient)
