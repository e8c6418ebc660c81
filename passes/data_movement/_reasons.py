"""Why an elimination leaves an op: the reasons of the family, and closed lists of them."""

import enum


class Reason(enum.Enum):
    """All reasons of the family; a pass's `Why` has those that it can give."""

    BOUNDARY = "both ends are seen from outside, or share a buffer with what is"
    SPACE = "the two ends are in different memories"
    DEFINED_TWICE = "the tensor is defined by more than one op"
    REMATERIALISED = "the tensor is rematerialised"
    GENERIC = "used by a generic access or an opaque op"
    WHOLE = "used as a whole by an op that cannot take the element order of the other tensor"
    ADDRESS = "failed access folding: the address is not affine without divisions"
    SPANS = "an access spans more than one source, and its nest cannot be cut"
    MATMUL = "a matmul load needs the slice as it is"
    DEGRADED = "the fusion would be degraded: it would make a worse loop nest"
    READ_MORE_THAN_ONCE = "read more than once, and would be computed each time"
    OVERWRITTEN = "the tensor that would be read is overwritten before the last read"
    ALIASED_STORE = "an aliased output is stored to before the last read of its input"
    READ_BEFORE = "the tensor that would be written is still used before the copy"
    BARRIER = "a barrier is between"
    DRAM_TO_DRAM = "sandwiched between DRAM copies: left to the DRAM-to-DRAM transpose"
    NOT_IO = "Either src/dst must be IO"
    OTHER_READERS = "the source has other readers, which need it in its dtype"
    OTHER_LOADS = "the source has other loads than the copy to the kernel's output"


# How a big tensor of one dimension is refused, in the words of document 000.
BIG_TENSOR = (
    "lower_op_to_merged_or_split_loopnest: refusing to lower memcpy using big 1d tensor"
    " (use_merge=True)"
)

# What every pass of the family may say.
COMMON = (
    Reason.ADDRESS,
    Reason.GENERIC,
    Reason.BOUNDARY,
    Reason.SPACE,
    Reason.DEFINED_TWICE,
    Reason.ALIASED_STORE,
    Reason.OVERWRITTEN,
    Reason.READ_BEFORE,
    Reason.BARRIER,
    Reason.REMATERIALISED,
    Reason.DEGRADED,
)


def closed_list(*reasons: Reason, **texts: str) -> type[enum.Enum]:
    """The `Why` of a pass: some of the reasons, by name, perhaps in words of its own."""
    return enum.Enum("Why", {r.name: r.value for r in reasons} | texts)
