"""Touches of a tensor by place, against a search through all of them; steps that change places."""

import random
from dataclasses import dataclass

from penguin import mlir
from penguin.analysis.tensor_uses import TensorUses
from penguin.analysis.touches import Touches


@dataclass(eq=False)
class Step:
    order: float


@dataclass(eq=False)
class Touch:
    step: Step


def test_questions() -> None:
    rng = random.Random(0)
    steps = [Step(float(n)) for n in range(8)]
    for _ in range(50):
        touches, all_ = Touches(), []
        for _ in range(40):
            if all_ and rng.random() < 0.3:
                gone = all_.pop(rng.randrange(len(all_)))
                touches.pop(gone)
            else:
                all_.append(Touch(rng.choice(steps)))
                touches[all_[-1]] = None
            first, last = sorted(rng.choice([-1.0, 0.0, 2.0, 2.5, 7.0, 9.0]) for _ in range(2))
            orders = sorted(touch.step.order for touch in all_)
            assert list(touches) == all_
            assert [touch.step.order for touch in touches.by_place] == orders
            inside = [order for order in orders if first <= order < last]
            assert [touch.step.order for touch in touches.between(first, last)] == inside
            for found, later in (
                (touches.after(first), [order for order in orders if order > first]),
                (touches.since(first), [order for order in orders if order >= first]),
            ):
                assert (None if found is None else found.step.order) == next(iter(later), None)
            found, earlier = touches.before(first), [order for order in orders if order < first]
            assert (None if found is None else found.step.order) == (earlier or [None])[-1]
            touches.pop(Touch(steps[0]), None)


_KERNEL = """
func.func @main(%a: memref<4xf32, "dram"> {penguin.io = "input"},
    %o: memref<4xf32, "dram"> {penguin.io = "output"}) attributes {penguin.kernel} {
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i] : memref<4xf32, "dram">
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %a[3 - %i] : memref<4xf32, "dram">
    affine.store %v, %o[%i] : memref<4xf32, "dram">
  }
  "penguin.memcpy"(%a, %o) {penguin.barrier} : (memref<4xf32, "dram">, memref<4xf32, "dram">) -> ()
  return
}
"""


def test_steps_change_places(context: object) -> None:
    """More often than there are numbers between two places."""
    module = mlir.parse(_KERNEL)
    uses = TensorUses(module.body.operations[0].operation)
    one, other, last = uses.steps
    out = next(tensor for tensor in uses.tensors() if tensor.kind.value == "output")
    for _ in range(200):
        assert uses.steps == [one, other, last]
        writers = [writer.step for writer in out.stores.by_place]
        assert writers == [one, other]
        assert out.last_write == last.order and not uses.crosses_barrier(-1, other.order)
        one.op.move_before(last.op)
        uses.reorder(one, last)
        one, other = other, one
    uses.erase(other)
    assert uses.steps == [one, last]
