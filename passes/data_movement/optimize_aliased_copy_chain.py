"""Let a chain of ops from an aliased input to its output work in that one buffer.

Source: document 000, "OptimizeAliasedCopyChain", whose docstring says what a chain is: instructions
`A = op(B, ...)` in which A and B may share memory; if both ends are aliased IO tensors, all of it
can be one buffer. The names of the methods are the document's; their bodies are not public.

Before (%o is in the buffer of %a)                After
  %t = memref.alloc()
  "penguin.binary"(%a, %g, %t) {"subtract"}         "penguin.binary"(%a, %g, %o) {"subtract"}
  affine.for %i ... %u[%i] = f(%t[%i])              affine.for %i ... %o[%i] = f(%o[%i])
  "penguin.memcpy"(%u, %o)

An op may be a link if it takes part in the chain with tensors of one type and is
* in `REINTERPRET_SUPPORTED_OPS`: memcpy, unary, binary, ternary, select; or
* a loop nest that reads B and writes A at one element per iteration, and nowhere else.
A memcpy that reshapes is no link: its ends have two types, and one buffer would need a view.

A candidate is an output in the buffer of an input, if it is written, and not from that input
alone. Its chain is looked for forwards, from each tensor to what its last reader makes of it, or a
copy; if that does not arrive, backwards, over at most `max_chain_search` tensors (a guess), which
finds the chain that has a reason not to be merged.

Legality, all of (`_sharing.py`, whose clauses S1 to S3 are L4 to L6):
  (L1) there is a chain of links from the input to the output;
  (L2) no link reshapes;
  (L3) each tensor of the chain is an allocation that is used under its own shape only, and no
       unknown op has made something of the input or the output;
  (L4) no tensor of the buffer is read after another one of them has overwritten it;
  (L5) an op that reads some and writes one of them works in place;
  (L6) no op writes two of them.
The copies in the chain are erased: they would copy the buffer onto itself.
Leaves alone: chains that end in other tensors; part of a chain is never merged.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.tensors import Kind, Step, Tensor
from penguin.dialects.penguin import BinaryOp, MemcpyOp, SelectOp, TernaryOp, UnaryOp
from penguin.mlir import ir
from penguin.passes.data_movement._sharing import (
    Clause,
    Sharing,
    has_aliased_outputs,
    in_place,
    is_copy,
    reads_of,
    report_faults,
    writes_of,
)
from penguin.passlib import FunctionPass, Reject, Statistic, Unit, option
from penguin.passlib.patterns import Limit

REINTERPRET_SUPPORTED_OPS = (MemcpyOp, UnaryOp, BinaryOp, TernaryOp, SelectOp)


class Why(enum.Enum):
    """Reasons for a chain that stays, or was not found."""

    NO_CHAIN = "no chain of ops that may share memory leads from the input to the output"  # L1
    RESHAPE = "the chain goes through a copy that reshapes"  # L2
    VIEW = "a tensor of the chain is used under another shape, or is no allocation"  # L3
    OVERWRITTEN = Clause.OVERWRITTEN.value  # L4
    NOT_IN_PLACE = Clause.NOT_IN_PLACE.value  # L5
    WRITES_TWO = Clause.WRITES_TWO.value  # L6


@dataclass(frozen=True)
class Chain:
    """The tensors from the input to the output, both included."""

    tensors: tuple[Tensor, ...]

    @property
    def intermediates(self) -> tuple[Tensor, ...]:
        return self.tensors[1:-1]


@dataclass
class OptimizeAliasedCopyChain(FunctionPass):
    name = "optimize-aliased-copy-chain"
    requires = ("tensor-level",)
    produces = ("tensor-level",)

    max_chain_search: int = option(256, "tensors to look at for the chain of one output (a guess)")

    tensors = Statistic("Number of tensors replaced by an output")
    tensor_bytes = Statistic("Bytes of tensors replaced by an output", Unit.BYTES)
    copies = Statistic("Number of copies erased")
    copied_bytes = Statistic("Bytes of copies erased", Unit.BYTES)

    def run(self, root: ir.OpView) -> None:
        if not has_aliased_outputs(root) or report_faults(self, root):
            return
        self.uses = TensorUses(root.operation)
        self.sharing = Sharing(self.uses)
        before = self.balance.candidates
        found = list(self.aliased_outputs())
        for source, output in found:
            chain = self.identify_copy_chain(source, output)
            reject = chain if isinstance(chain, Reject) else self.legality(chain)
            # Named after the op that completes the output.
            where = self.last_writer(output).op
            if reject is not None:
                self.missed_chain(where, output, reject)
            else:
                assert isinstance(chain, Chain)
                self.done(where, "MergedChain", Output=output.name, Tensors=_names(chain))
                self.optimize_copy_chain(chain)
        assert self.balance.candidates - before == len(found), "a chain is neither done nor missed"

    def aliased_outputs(self) -> Iterator[tuple[Tensor, Tensor]]:
        """The candidates: input and output of one buffer."""
        for output in self.uses.tensors():
            if output.kind is not Kind.OUTPUT or not any(True for _ in output.writers):
                continue
            for source in output.group:
                if source.kind is Kind.INPUT and not self.is_direct(source, output):
                    yield source, output

    def is_direct(self, source: Tensor, output: Tensor) -> bool:
        """Whether the output is made of the input, or of itself, in one step or more."""
        return all(
            any(touch.tensor in (source, output) for touch in reads_of(writer.step))
            for writer in output.writers
        )

    def missed_chain(self, where: ir.Operation, output: Tensor, reject: Reject) -> None:
        args = {"Output": output.name, **reject.args}
        self.decline(where, Reject(reject.reason, reject.suggest, reject.at, args))

    # Finding a chain ----------------------------------------------------------------------------

    def identify_copy_chain(self, source: Tensor, output: Tensor) -> Chain | Reject:
        """The chain from `source` to `output`, or why there is none."""
        chain = self.search_forwards(source, output)
        return self.search_backwards(source, output) if chain is None else chain

    def search_forwards(self, source: Tensor, output: Tensor) -> Chain | None:
        """By last readers and copies: the only steps that may overwrite what they read."""
        made_from: dict[Tensor, Tensor] = {source: source}
        waiting = [source]
        while waiting and len(made_from) <= self.max_chain_search:
            tensor = waiting.pop()
            for step, target in self.successors(tensor):
                if target in made_from or not self.is_memory_sharing_op_candidate(
                    step, tensor, target
                ):
                    continue
                made_from[target] = tensor
                if target is output:
                    return _chain(made_from, source, output)
                waiting.append(target)
        return None

    def successors(self, tensor: Tensor) -> list[tuple[Step, Tensor]]:
        """What copies and the last reader make of a tensor; the last reader comes last."""
        steps = {reader.step: None for reader in tensor.readers}
        if not steps:
            return []
        last = max(steps, key=lambda step: step.order)
        chosen = [step for step in steps if step is not last and is_copy(step)]
        return [(step, target) for step in (*chosen, last) for target in writes_of(step)]

    def search_backwards(self, source: Tensor, output: Tensor) -> Chain | Reject:
        """From the output to what it is made of, depth first."""
        made_into: dict[Tensor, Tensor] = {output: output}
        waiting, first = [output], None
        while waiting and len(made_into) <= self.max_chain_search:
            tensor = waiting.pop()
            found = self.find_memory_share_candidate_tensor(tensor)
            if isinstance(found, Reject):
                first = first or found
                continue
            for each in reversed(found):
                if each is source:
                    made_into[source] = tensor
                    chain = _chain(made_into, output, source)
                    return Chain(chain.tensors[::-1])
                if each not in made_into:
                    made_into[each] = tensor
                    waiting.append(each)
        return first or Reject(Why.NO_CHAIN)

    def find_memory_share_candidate_tensor(self, target: Tensor) -> list[Tensor] | Reject:
        """The tensors that the steps which write `target` may share its memory with, those first
        that are not read later."""
        steps = {writer.step: None for writer in target.writers}
        found: dict[Tensor, bool] = {}
        for step in steps:
            for read in reads_of(step):
                source = read.tensor
                if source is not target and self.is_memory_sharing_op_candidate(
                    step, source, target
                ):
                    found[source] = source.last_read > step.order
        if found:
            return sorted(found, key=found.__getitem__)
        if not steps:
            return Reject(Why.NO_CHAIN)
        last = max(steps, key=lambda step: step.order)
        # A memcpy of one type would be a link.
        reshapes = last.op.name == MemcpyOp.OPERATION_NAME
        return Reject(Why.RESHAPE if reshapes else Why.NO_CHAIN, at=last.op)

    def is_memory_sharing_op_candidate(self, step: Step, source: Tensor, target: Tensor) -> bool:
        """Whether the step, which reads one and writes the other, is a link."""
        if source.value.type != target.value.type:
            return False
        if isinstance(step.op.opview, REINTERPRET_SUPPORTED_OPS):
            return True
        touched = {a.tensor for a in step.accesses} | {use.tensor for use in step.uses}
        if any(use.tensor in (source, target) for use in step.uses):
            return False
        return {source, target} <= touched and in_place(step, (source, target))

    # Deciding and merging -----------------------------------------------------------------------

    def legality(self, chain: Chain) -> Reject | None:
        """The first clause that does not hold for a chain that was found."""
        for tensor in chain.intermediates:
            if not tensor.is_internal or tensor.views:
                return Reject(Why.VIEW, args={"Tensor": tensor.name})
        if chain.tensors[0].perhaps is not None:
            return Reject(Why.VIEW, args={"Tensor": chain.tensors[0].name})
        groups = [chain.tensors[0].group, *([tensor] for tensor in chain.intermediates)]
        clash = self.sharing.clash(groups)
        if clash is not None:
            at = None if clash.step is None else clash.step.op
            return Reject(Why[clash.clause.name], at=at, args={"Tensor": clash.tensor.name})
        return None if self.may_rewrite() else Reject(Limit.REWRITE_LIMIT)

    def optimize_copy_chain(self, chain: Chain) -> None:
        """Makes the chain work in the output."""
        members = {*chain.tensors[0].group, *chain.intermediates}
        steps = {w.step: None for t in chain.tensors for w in t.writers}
        for step in steps:
            reads = {read.tensor for read in reads_of(step)}
            if is_copy(step) and reads <= members and set(writes_of(step)) <= members:
                self.copies += 1
                self.copied_bytes += chain.tensors[0].nbytes
                self.uses.erase(step)
        self.replace_intermediate_tensors(chain)

    def replace_intermediate_tensors(self, chain: Chain) -> None:
        """Gives every use of an intermediate tensor to the output."""
        output = chain.tensors[-1]
        for tensor in chain.intermediates:
            for use in [use.owner.operation for use in tensor.value.uses]:
                if use.name == "memref.dealloc":
                    use.erase()
            tensor.value.replace_all_uses_with(output.value)
            for access in [*tensor.loads, *tensor.stores]:
                self.uses.moved(access, access.op, output, access.forms)
            for use in list(tensor.uses):
                self.uses.use_moved(use, output)
            self.tensors += 1
            self.tensor_bytes += tensor.nbytes
            self.uses.erase_tensor(tensor)

    def last_writer(self, tensor: Tensor) -> Step:
        return max((writer.step for writer in tensor.writers), key=lambda step: step.order)


def _chain(links: dict[Tensor, Tensor], start: Tensor, end: Tensor) -> Chain:
    """Follows the links from `end` back to `start`."""
    found = [end]
    while found[-1] is not start:
        found.append(links[found[-1]])
    return Chain(tuple(reversed(found)))


def _names(chain: Chain) -> str:
    return ", ".join(tensor.name for tensor in chain.tensors)
