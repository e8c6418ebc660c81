"""The accesses or uses of one tensor, of which there may be thousands, by their place in the order.

A `Touches` is a dict whose keys are touches (anything with a `step` that has an `order`), in the
order in which they came. It is sorted when a question needs that, and kept so from then on: each
question and each change then takes the logarithm of the number of touches. A step whose order
changes relative to others' is announced with `unsorted`.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from typing import Any


def _order(touch: Any) -> float:
    return touch.step.order


class Touches(dict[Any, None]):
    """Touches of one tensor, of one kind."""

    __slots__ = ("_sorted",)

    def __init__(self) -> None:
        super().__init__()
        self._sorted: list[Any] | None = None

    def __setitem__(self, touch: Any, value: None) -> None:
        if self._sorted is not None and touch not in self:
            insort(self._sorted, touch, key=_order)
        super().__setitem__(touch, value)

    def pop(self, touch: Any, *default: None) -> None:
        if self._sorted is not None and touch in self:
            place = bisect_left(self._sorted, _order(touch), key=_order)
            while self._sorted[place] is not touch:
                place += 1
            del self._sorted[place]
        return super().pop(touch, *default)

    def unsorted(self) -> None:
        """Places have changed."""
        self._sorted = None

    @property
    def by_place(self) -> Sequence[Any]:
        """In the order of steps."""
        if self._sorted is None:
            self._sorted = sorted(self, key=_order)
        return self._sorted

    def before(self, place: float) -> Any:
        """A last touch with `order < place`, or None."""
        touches = self.by_place
        at = bisect_left(touches, place, key=_order)
        return touches[at - 1] if at else None

    def after(self, place: float) -> Any:
        """The first touch with `place < order`, or None."""
        touches = self.by_place
        at = bisect_right(touches, place, key=_order)
        return touches[at] if at < len(touches) else None

    def since(self, place: float) -> Any:
        """The first touch with `place <= order`, or None."""
        touches = self.by_place
        at = bisect_left(touches, place, key=_order)
        return touches[at] if at < len(touches) else None

    def between(self, first: float, last: float) -> Sequence[Any]:
        """Those with `first <= order < last`."""
        touches = self.by_place
        low = bisect_left(touches, first, key=_order)
        return touches[low : bisect_left(touches, last, low, key=_order)]
