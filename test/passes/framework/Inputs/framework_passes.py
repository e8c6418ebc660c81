"""Passes that only tests see: each does one thing that the framework must cope with."""

import enum
import os
from collections.abc import Iterable
from dataclasses import dataclass

from penguin.dialects.base import tensor
from penguin.errors import UserError
from penguin.mlir import arith, ir, walk
from penguin.passlib import (
    FunctionPass,
    ModulePass,
    Reject,
    Rewriter,
    Statistic,
    Unit,
    option,
    register_pattern,
)
from penguin.passlib.books import Amount
from penguin.passlib.patterns import Limit

PASSES = {
    "test-abort": ":TestAbort",
    "test-books": ":TestBooks",
    "test-books-again": ":TestBooksAgain",
    "test-broken-promise": ":TestBrokenPromise",
    "test-crash": ":TestCrash",
    "test-crash-in-pattern": ":TestCrashInPattern",
    "test-diagnostics": ":TestDiagnostics",
    "test-fold": ":TestFold",
    "test-forgetful": ":TestForgetful",
    "test-invalid-ir": ":TestInvalidIr",
    "test-miscompile": ":TestMiscompile",
    "test-options": ":TestOptions",
    "test-raise-user-error": ":TestRaiseUserError",
    "test-requires": ":TestRequires",
    "test-requires-loops": ":TestRequiresLoops",
    "test-retarget": ":TestRetarget",
    "test-silent-failure": ":TestSilentFailure",
}
PIPELINES = {
    "test-pipeline": ("canonicalize,test-options,test-fold,test-crash", "a pipeline for tests"),
    "test-outer-pipeline": ("cse,test-pipeline", "a pipeline with a pipeline"),
}


class Mode(enum.Enum):
    FAST = "fast"
    SLOW = "slow"


@dataclass
class TestOptions(FunctionPass):
    """Reports the values of its options."""

    name = "test-options"

    flag: bool = option(False, "a switch")
    size: int = option(4, "a number")
    factor: float = option(0.5, "a fraction")
    text: str = option("none", "some text")
    mode: Mode = option(Mode.FAST, "one of two")
    level: str = option("low", "one of three", choices=("low", "mid", "high"))
    sizes: tuple[int, ...] = option((), "several numbers")
    cap: int | None = option(None, "a number or none")

    functions = Statistic("Number of functions seen")

    def run(self, func: ir.OpView) -> None:
        self.functions += 1
        self.analysis(
            func,
            "Options",
            Flag=self.flag,
            Size=self.size,
            Factor=self.factor,
            Text=self.text,
            Mode=self.mode.name,
            Level=self.level,
            Sizes=self.sizes,
            Cap=self.cap,
        )


class Why(enum.Enum):
    NOT_CONSTANT = "the right operand is not a constant"  # L1
    NOT_ZERO = "the right operand is not zero"  # L2


@dataclass
class TestFold(FunctionPass):
    """Replaces `x + 0` by `x`."""

    name = "test-fold"

    folded = Statistic("Number of additions folded")
    folded_bytes = Statistic("Number of bytes folded", Unit.BYTES)

    def legality(self, op: ir.OpView) -> Reject | None:
        owner = op.operands[1].owner
        if not isinstance(owner, ir.Operation | ir.OpView) or owner.name != "arith.constant":
            return Reject(Why.NOT_CONSTANT)
        if ir.IntegerAttr(owner.attributes["value"]).value != 0:
            return Reject(Why.NOT_ZERO, suggest="add zero instead", at=owner)
        return None

    def candidates(self, root: ir.OpView) -> Iterable[ir.Operation]:
        return walk(root.operation, "arith.addi")

    def bytes_of(self, op: ir.OpView) -> int:
        return 4

    @register_pattern(arith.AddIOp)
    def fold(self, op: ir.OpView, rewriter: Rewriter) -> None:
        self.folded += 1
        self.folded_bytes += 4
        rewriter.replace_op(op, [op.operands[0]])


class Fate(enum.Enum):
    TO_ITSELF = "source and destination are one tensor"  # L1
    LATER = "left for another pass"  # L2


@dataclass
class TestBooks(FunctionPass):
    """Does to each copy what its attribute `test.fate` says, or what the option does."""

    name = "test-books"

    fate: str = option("done", "what happens to copies without an attribute")

    def candidates(self, root: ir.OpView) -> Iterable[ir.Operation]:
        return walk(root.operation, "penguin.memcpy")

    def bytes_of(self, op: ir.OpView) -> int:
        t = tensor(op.operands[1])
        return t.count * t.dtype.itemsize

    def run(self, func: ir.OpView) -> None:
        for op in list(self.candidates(func)):
            own = op.attributes.get("test.fate")
            fate = self.fate if own is None else ir.StringAttr(own).value
            if not self.may_rewrite():
                self.decline(op, Reject(Limit.REWRITE_LIMIT))
            elif fate == "error":
                self.error(op, "PGT996", "this copy is not liked")
            elif fate != "forgotten":
                getattr(self, f"_{fate}")(op)

    def _done(self, op: ir.Operation) -> None:
        self.done(op, "Erased")
        op.erase()

    def _missed(self, op: ir.Operation) -> None:
        same = op.operands[0] == op.operands[1]
        self.decline(op, Reject(Fate.TO_ITSELF if same else Fate.LATER, args={"Pass": "another"}))

    def _twice(self, op: ir.Operation) -> None:
        self._missed(op)
        self._missed(op)

    def _missed_and_gone(self, op: ir.Operation) -> None:
        self._missed(op)
        op.erase()

    def _vanished(self, op: ir.Operation) -> None:
        self.vanished(op)
        op.erase()

    def _split(self, op: ir.Operation) -> None:
        """Another copy beside this one, which stays."""
        with ir.InsertionPoint(op):
            new = op.clone()
        for each in (op, new):
            self._missed(each)
        self.created(new)

    def _wrong_size(self, op: ir.Operation) -> None:
        """Enters another tensor than the one that it erases."""
        self.vanished(op)
        self.balance.vanished = Amount(self.balance.vanished.ops, 1)
        op.erase()


@dataclass
class TestBooksAgain(TestBooks, FunctionPass):
    """The same under another name: a later owner of what is left."""

    name = "test-books-again"

    fate: str = option("done", "what happens to copies without an attribute")


@dataclass
class TestRetarget(FunctionPass):
    """Lets the first copy of a function write a new tensor, without a name."""

    name = "test-retarget"

    def run(self, func: ir.OpView) -> None:
        for op in walk(func.operation, "penguin.memcpy")[:1]:
            with ir.InsertionPoint(op), op.location:
                operands = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
                type_ = op.operands[1].type
                op.operands[1] = ir.Operation.create("memref.alloc", [type_], [], operands).result


@dataclass
class TestDiagnostics(FunctionPass):
    """Reports what the attributes `test.error`, `test.warning` and `test.remark` of ops say."""

    name = "test-diagnostics"

    def run(self, func: ir.OpView) -> None:
        for op in walk(func.operation):
            attributes = op.attributes
            if "test.error" in attributes:
                message = ir.StringAttr(attributes["test.error"]).value
                self.error(op, "PGT999", message, at=[(func, "in this function")])
            if "test.warning" in attributes:
                self.warning(op, "PGT998", ir.StringAttr(attributes["test.warning"]).value)
            if "test.remark" in attributes:
                self.passed(op, "Seen", Text=ir.StringAttr(attributes["test.remark"]).value)
            if "test.emit" in attributes:
                op.location.emit_error(ir.StringAttr(attributes["test.emit"]).value)


@dataclass
class TestRaiseUserError(FunctionPass):
    """Raises a `UserError` in every function."""

    name = "test-raise-user-error"

    def run(self, func: ir.OpView) -> None:
        raise UserError.at("PGT997", "this function is not liked", "somewhere.py:1:2")


@dataclass
class TestCrash(ModulePass):
    """Erases all functions, then raises."""

    name = "test-crash"

    def run(self, module: ir.OpView) -> None:
        for op in list(module.body.operations):
            op.operation.erase()
        raise ValueError("planted")


@dataclass
class TestCrashInPattern(FunctionPass):
    """Raises inside a rewrite, below C++ frames."""

    name = "test-crash-in-pattern"

    @register_pattern("arith.addi")
    def fold(self, op: ir.OpView, rewriter: Rewriter) -> None:
        raise KeyError("planted")


@dataclass
class TestAbort(ModulePass):
    """Ends the process as a C++ assertion would."""

    name = "test-abort"

    def run(self, module: ir.OpView) -> None:
        os.abort()


@dataclass
class TestSilentFailure(ModulePass):
    """Fails and does not say why."""

    name = "test-silent-failure"

    def run(self, module: ir.OpView) -> None:
        self.fail()


@dataclass
class TestInvalidIr(FunctionPass):
    """Returns one value too many."""

    name = "test-invalid-ir"

    def run(self, func: ir.OpView) -> None:
        block = func.operation.regions[0].blocks[0]
        old = walk(func.operation, "func.return")[0]
        value = block.arguments[0]
        with ir.InsertionPoint(old), old.location:
            ir.Operation.create("func.return", operands=[*old.operands, value])
        old.erase()


@dataclass
class TestBrokenPromise(ModulePass):
    """Promises loops and does nothing."""

    name = "test-broken-promise"
    produces = ("loop-level",)

    def run(self, module: ir.OpView) -> None:
        pass


@dataclass
class TestRequires(ModulePass):
    """Wants tensor ops, and no calls."""

    name = "test-requires"
    requires = ("inlined", "tensor-level")

    def run(self, module: ir.OpView) -> None:
        pass


@dataclass
class TestRequiresLoops(ModulePass):
    """Wants loops."""

    name = "test-requires-loops"
    requires = ("loop-level",)

    def run(self, module: ir.OpView) -> None:
        pass


@dataclass
class TestForgetful(FunctionPass):
    """Says of a legal op that it was left alone."""

    name = "test-forgetful"

    def run(self, func: ir.OpView) -> None:
        self.explain(func)

    def candidates(self, root: ir.OpView) -> Iterable[ir.Operation]:
        return walk(root.operation, "arith.addi")


@dataclass
class TestMiscompile(FunctionPass):
    """Turns the first `stablehlo.add` into a subtraction."""

    name = "test-miscompile"

    def run(self, func: ir.OpView) -> None:
        for op in walk(func.operation, "stablehlo.add")[:1]:
            with ir.InsertionPoint(op), op.location:
                new = ir.Operation.create(
                    "stablehlo.subtract", [op.results[0].type], list(op.operands)
                )
            op.results[0].replace_all_uses_with(new.results[0])
            op.erase()
