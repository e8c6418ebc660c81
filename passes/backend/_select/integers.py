"""Integer scalars. StableHLO wraps around; the hardware's 32-bit integer ALU saturates.

8- and 16-bit sums, differences and comparisons are exact in the float32 datapath; their results are
written as int32 and cut back to the width by a mask. 32-bit sums and products are composed from
pieces that neither overflow nor saturate: 16-bit halves for sums, 11-bit thirds for products.
Comparisons, maxima, quotients and shifts of 32-bit integers are exact on the integer ALU (Pool).
`i1` is uint8 holding 0 or 1.
"""

from collections.abc import Callable, Sequence

from penguin.analysis.affine_form import Form, Space
from penguin.dialects.bir import AluOp
from penguin.passes.backend._select.tiles import Builder, Const, Index, Tile, Unselectable, Value

WIDTHS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "ui8": 8, "ui16": 16, "ui32": 32}


def dtype_of(kind: str) -> str:
    """The BIR dtype that holds a scalar type."""
    if kind == "i1":
        return "uint8"
    return ("uint" if kind.startswith("u") else "int") + str(WIDTHS[kind])


def unsigned(value: Value, width: int) -> Value:
    """The same bits as an unsigned number."""
    if isinstance(value, Const):
        return Const(int(value.value) & ((1 << width) - 1))
    return value.view(f"uint{width}") if isinstance(value, Tile) else value


def signed(value: Value, width: int) -> Value:
    if isinstance(value, Const):
        bits = int(value.value) & ((1 << width) - 1)
        return Const(bits - (1 << width) if bits >> (width - 1) else bits)
    return value.view(f"int{width}") if isinstance(value, Tile) else value


def as_int32(b: Builder, value: Value) -> Value:
    """Widened to int32, whatever the width; the sign is the tile's own."""
    match value:
        case Const():
            return value
        case Index():
            return b.iota(value.form, "int32")
        case Tile() if value.dtype in ("int32", "uint32"):
            return value
    return b.copy(value, "int32")


def narrow(b: Builder, value: Value, width: int) -> Value:
    """The low bits of an int32, as a number of `width` bits."""
    if isinstance(value, Const):
        return signed(value, width)
    assert isinstance(value, Tile)
    mask = (1 << width) - 1
    # Bitvec operators keep the width, and the copy is exact: the low bits fit.
    low = b.scalar(AluOp.BITWISE_AND, value.view("int32"), mask, "int32")
    return b.copy(low, f"uint{width}").view(f"int{width}")


def to_bool(b: Builder, value: Value) -> Value:
    """The lowest bit of an int32, as i1."""
    if isinstance(value, Const):
        return Const(int(value.value) & 1)
    low = b.scalar(AluOp.BITWISE_AND, b.tile(value, "int32"), 1, "int32")
    return b.copy(low, "uint8")


def _halves(b: Builder, value: Value, invert: bool = False) -> tuple[Value, Value]:
    """Low and high 16 bits, both as non-negative int32; of the complement if `invert`."""
    if isinstance(value, Const):
        bits = int(value.value) & 0xFFFFFFFF
        bits = bits ^ 0xFFFFFFFF if invert else bits
        return Const(bits & 0xFFFF), Const(bits >> 16)
    tile = as_int32(b, value)
    assert isinstance(tile, Tile)
    tile = tile.view("int32")
    if invert:
        tile = b.scalar(AluOp.BITWISE_XOR, tile, -1, "int32")
    low = b.scalar(AluOp.BITWISE_AND, tile, 0xFFFF, "int32")
    return low, b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, tile, 16, "int32")


def join_halves(b: Builder, low: Value, high: Value) -> Tile:
    """(low + high * 2^16) mod 2^32, for halves below 2^31."""
    carry = b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, b.tile(low, "int32"), 16, "int32")
    high = b.binary(AluOp.ADD, carry, high, "int32")
    high = b.scalar(AluOp.LOGICAL_SHIFT_LEFT, b.tile(high, "int32"), 16, "int32")
    low = b.scalar(AluOp.BITWISE_AND, b.tile(low, "int32"), 0xFFFF, "int32")
    return b.binary(AluOp.BITWISE_OR, low, high, "int32")


def add_wrapping(b: Builder, x: Value, y: Value, negate_y: bool = False) -> Tile:
    """x + y or x - y (as x + ~y + 1) modulo 2^32."""
    x_low, x_high = _halves(b, x)
    y_low, y_high = _halves(b, y, invert=negate_y)
    low = b.binary(AluOp.ADD, x_low, y_low, "int32")
    if negate_y:
        low = b.binary(AluOp.ADD, low, Const(1), "int32")
    return join_halves(b, low, b.binary(AluOp.ADD, x_high, y_high, "int32"))


def multiply_wrapping(b: Builder, x: Value, y: Value) -> Tile:
    """x * y modulo 2^32, from 11-bit pieces: every partial sum stays below 2^24."""

    def pieces(value: Value) -> list[Value]:
        if isinstance(value, Const):
            bits = int(value.value) & 0xFFFFFFFF
            return [Const(bits & 0x7FF), Const(bits >> 11 & 0x7FF), Const(bits >> 22)]
        tile = as_int32(b, value)
        assert isinstance(tile, Tile)
        tile = tile.view("int32")
        low = b.scalar(AluOp.BITWISE_AND, tile, 0x7FF, "int32")
        middle = b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, tile, 11, "int32", AluOp.BITWISE_AND, 0x7FF)
        return [low, middle, b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, tile, 22, "int32")]

    def product(u: Value, v: Value) -> Value:
        return b.binary(AluOp.MULT, u, v, "int32")

    def shifted(value: Value, by: int) -> Tile:
        return b.scalar(AluOp.LOGICAL_SHIFT_LEFT, b.tile(value, "int32"), by, "int32")

    x0, x1, x2 = pieces(x)
    y0, y1, y2 = pieces(y)
    middle = b.binary(AluOp.ADD, product(x0, y1), product(x1, y0), "int32")
    high = b.binary(AluOp.ADD, product(x0, y2), product(x1, y1), "int32")
    high = b.binary(AluOp.ADD, high, product(x2, y0), "int32")
    total = add_wrapping(b, product(x0, y0), shifted(middle, 11))
    return add_wrapping(b, total, shifted(high, 22))


def _sum(op: AluOp) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        x, y = args
        width = WIDTHS[kind]
        if kind == "i1":
            return b.binary(AluOp.BITWISE_XOR, x, y, "uint8")
        if width == 32:
            sign = -1 if op is AluOp.SUBTRACT else 1
            affine = _affine(b, x, y, lambda u, v: u + v * sign)
            return affine or add_wrapping(b, x, y, negate_y=sign < 0)
        return narrow(b, b.binary(op, signed(x, width), signed(y, width), "int32"), width)

    return select


def _affine(b: Builder, x: Value, y: Value, combine: Callable[[Form, Form], Form]) -> Index | None:
    """An operation on loop variables and constants that stays one: if it cannot overflow."""
    if not isinstance(x, Index) and not isinstance(y, Index):
        return None
    if isinstance(x, Tile) or isinstance(y, Tile):
        return None
    forms = [v.form if isinstance(v, Index) else Form(int(v.value)) for v in (x, y)]
    form = combine(*forms)
    low, high = Space(b.scope.extents).bounds(form)
    return Index(form) if -(1 << 31) <= low and high < 1 << 31 else None


def _multiply(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    x, y = args
    width = WIDTHS[kind]
    if kind == "i1":
        return b.binary(AluOp.BITWISE_AND, x, y, "uint8")
    if width == 32:
        return multiply_wrapping(b, x, y)
    if width == 16:
        # A product of 31 bits is exact in the integer ALU, not in float32.
        x, y = as_int32(b, signed(x, width)), as_int32(b, signed(y, width))
    return narrow(b, b.binary(AluOp.MULT, x, y, "int32"), width)


def _exact(op: AluOp, is_unsigned: bool, is_predicate: bool = False) -> Callable[..., Value]:
    """Operations whose result is one of the operands or a truth value."""

    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        width = WIDTHS[kind]
        fix = unsigned if is_unsigned or kind == "i1" else signed
        x, y = (fix(v, width) for v in args)
        dtype = f"uint{width}" if fix is unsigned else f"int{width}"
        if not is_predicate:
            value = b.binary(op, x, y, dtype)
            return value if kind == "i1" else value.view(f"int{width}")
        if width < 32:
            return b.binary(op, x, y, "uint8")
        # The integer ALU needs a 32-bit output.
        return b.copy(b.binary(op, x, y, dtype), "uint8")

    return select


def _bitvec(op: AluOp, is_unsigned: bool = False) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        width = WIDTHS[kind]
        fix = unsigned if is_unsigned or kind == "i1" else signed
        x, y = (fix(v, width) for v in args)
        dtype = f"uint{width}" if fix is unsigned else f"int{width}"
        if isinstance(x, Index) or isinstance(y, Index):
            x, y = as_int32(b, x), as_int32(b, y)
        value = b.binary(op, x, y, dtype)
        return value if kind == "i1" else value.view(f"int{width}")

    return select


def _quotient(is_unsigned: bool, remainder: bool) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        width = WIDTHS[kind]
        fix = unsigned if is_unsigned else signed
        dtype = "uint32" if is_unsigned and width == 32 else "int32"
        x, y = (as_int32(b, fix(v, width)) for v in args)
        quotient = b.binary(AluOp.DIVIDE, x, y, dtype)
        if remainder:
            whole = b.binary(AluOp.MULT, quotient, y, dtype)
            quotient = b.binary(AluOp.SUBTRACT, x, whole, dtype)
        return quotient.view("int32") if width == 32 else narrow(b, quotient, width)

    return select


def _extend(is_unsigned: bool) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        (x,) = args
        fix = unsigned if is_unsigned else signed
        value = fix(x, WIDTHS[kind]) if kind != "i1" else x
        if isinstance(value, Const):
            return Const(-value.value) if kind == "i1" and not is_unsigned else value
        dtype = dtype_of(result)
        if kind == "i1" and not is_unsigned:
            return b.scalar(AluOp.MULT, b.tile(value, "uint8"), -1.0, dtype)
        return b.copy(value, dtype)

    return select


def _truncate(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    if result == "i1":
        return to_bool(b, as_int32(b, args[0]))
    return narrow(b, as_int32(b, args[0]), WIDTHS[result])


def _from_float(is_unsigned: bool) -> Callable[..., Value]:
    def select(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
        from penguin.passes.backend._select import floats

        width = WIDTHS[result]
        whole = floats.truncate(b, args[0])
        dtype = f"uint{width}" if is_unsigned or result == "i1" else f"int{width}"
        value = b.copy(whole, dtype)
        return value if result == "i1" else value.view(f"int{width}")

    return select


def _absolute(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    negative = _sum(AluOp.SUBTRACT)(b, [Const(0), args[0]], kind, result)
    return _exact(AluOp.MAX, False)(b, [args[0], negative], kind, result)


def _count_bits(b: Builder, x: Tile) -> Tile:
    """Set bits of an int32 that holds 0 .. 65535: pairs, nibbles, bytes."""

    def masked(value: Tile, shift: int, mask: int) -> Tile:
        return b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, value, shift, "int32", AluOp.BITWISE_AND, mask)

    x = b.binary(AluOp.SUBTRACT, x, masked(x, 1, 0x5555), "int32")
    low = b.scalar(AluOp.BITWISE_AND, x, 0x3333, "int32")
    x = b.binary(AluOp.ADD, low, masked(x, 2, 0x3333), "int32")
    x = b.binary(AluOp.ADD, x, b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, x, 4, "int32"), "int32")
    x = b.scalar(AluOp.BITWISE_AND, x, 0x0F0F, "int32")
    x = b.binary(AluOp.ADD, x, b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, x, 8, "int32"), "int32")
    return b.scalar(AluOp.BITWISE_AND, x, 0x1F, "int32")


def _popcount32(b: Builder, value: Value) -> Tile:
    low, high = _halves(b, value)
    counts = [_count_bits(b, b.tile(half, "int32")) for half in (low, high)]
    return b.binary(AluOp.ADD, *counts, "int32")


def _popcount(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    width = WIDTHS[kind]
    count = _popcount32(b, as_int32(b, unsigned(args[0], width)))
    return count if width == 32 else narrow(b, count, width)


def _leading_zeros(b: Builder, args: Sequence[Value], kind: str, result: str) -> Value:
    """Smears the highest bit down; what is not set then, leads."""
    width = WIDTHS[kind]
    x = b.tile(as_int32(b, unsigned(args[0], width)), "int32").view("int32")
    shift = 1
    while shift < width:
        moved = b.scalar(AluOp.LOGICAL_SHIFT_RIGHT, x, shift, "int32")
        x = b.binary(AluOp.BITWISE_OR, x, moved, "int32")
        shift *= 2
    count = b.binary(AluOp.SUBTRACT, Const(width), _popcount32(b, x), "int32")
    return count if width == 32 else narrow(b, count, width)


def compare(b: Builder, args: Sequence[Value], kind: str, predicate: int) -> Value:
    """arith.cmpi by the number of its predicate."""
    op, is_unsigned = COMPARISONS[predicate]
    return _exact(op, is_unsigned, is_predicate=True)(b, args, kind, "i1")


COMPARISONS = {
    0: (AluOp.IS_EQUAL, False),
    1: (AluOp.NOT_EQUAL, False),
    2: (AluOp.IS_LT, False),
    3: (AluOp.IS_LE, False),
    4: (AluOp.IS_GT, False),
    5: (AluOp.IS_GE, False),
    6: (AluOp.IS_LT, True),
    7: (AluOp.IS_LE, True),
    8: (AluOp.IS_GT, True),
    9: (AluOp.IS_GE, True),
}

TABLE: dict[str, Callable[..., Value]] = {
    "arith.addi": _sum(AluOp.ADD),
    "arith.subi": _sum(AluOp.SUBTRACT),
    "arith.muli": _multiply,
    "arith.divsi": _quotient(False, False),
    "arith.divui": _quotient(True, False),
    "arith.remsi": _quotient(False, True),
    "arith.remui": _quotient(True, True),
    "arith.maxsi": _exact(AluOp.MAX, False),
    "arith.maxui": _exact(AluOp.MAX, True),
    "arith.minsi": _exact(AluOp.MIN, False),
    "arith.minui": _exact(AluOp.MIN, True),
    "arith.andi": _bitvec(AluOp.BITWISE_AND),
    "arith.ori": _bitvec(AluOp.BITWISE_OR),
    "arith.xori": _bitvec(AluOp.BITWISE_XOR),
    "arith.shli": _bitvec(AluOp.LOGICAL_SHIFT_LEFT),
    "arith.shrsi": _bitvec(AluOp.ARITH_SHIFT_RIGHT),
    "arith.shrui": _bitvec(AluOp.LOGICAL_SHIFT_RIGHT, True),
    "arith.extsi": _extend(False),
    "arith.extui": _extend(True),
    "arith.trunci": _truncate,
    "arith.fptosi": _from_float(False),
    "arith.fptoui": _from_float(True),
    "math.absi": _absolute,
    "math.ctpop": _popcount,
    "math.ctlz": _leading_zeros,
}


def unrealized_cast(args: Sequence[Value], kind: str, result: str) -> Value:
    """ui8 to i8 and back: the same bytes under another sign."""
    if WIDTHS.get(kind) != WIDTHS.get(result):
        raise Unselectable(f"a cast from {kind} to {result}")
    (x,) = args
    return (unsigned if result.startswith("u") else signed)(x, WIDTHS[result])
