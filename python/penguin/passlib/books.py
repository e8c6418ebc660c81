"""The books of a pass: every candidate is rewritten, or missed for exactly one reason.

    with self.books(root):     # counts the candidates that are there
        ...                    # done(op) or decline(op, Reject(Why.X)) for each of them;
                               # created(op) and vanished(op) for what else happens to them

At the end both must hold, in ops and in bytes, else an `AssertionError` says what does not:
    candidates + created - vanished = rewritten + sum of missed by reason
    candidates that are left = sum of missed by reason

A pass keeps books in bytes if it has `bytes_of`; the framework opens them around its `run`, unless
it has patterns. Its statistics then always have these rows, also when they are 0; `candidates` is
what the pass had to decide about, so that `candidates = rewritten + surviving`, and `surviving` is
the sum over `missed-<reason>`:

    candidates, rewritten, surviving, missed-<reason>
    candidate-bytes, rewritten-bytes, surviving-bytes, missed-<reason>-bytes
    created, vanished, created-bytes, vanished-bytes      (if there are any)

Over several runs of a pass what was rewritten adds up; what survives is what the last run left.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from penguin.passlib.statistics import Over, Row, Unit


class Amount(NamedTuple):
    """Candidates and their bytes."""

    ops: int = 0
    nbytes: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(self.ops + other.ops, self.nbytes + other.nbytes)

    def minus(self, other: "Amount") -> "Amount":
        return Amount(self.ops - other.ops, self.nbytes - other.nbytes)

    def __str__(self) -> str:
        return f"{self.ops} ({self.nbytes} bytes)"


_NOTHING = Amount()


@dataclass
class Balance:
    """What a pass has entered so far; missed by the names of the reasons."""

    done: int = 0
    done_bytes: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    missed_bytes: Counter[str] = field(default_factory=Counter)
    created: Amount = _NOTHING
    vanished: Amount = _NOTHING

    @property
    def candidates(self) -> int:
        return self.done + self.missed.total()

    @property
    def candidate_bytes(self) -> int:
        return self.done_bytes + self.missed_bytes.total()

    def totals(self) -> "Totals":
        """The sums as they are now."""
        left = Amount(self.missed.total(), self.missed_bytes.total())
        return Totals(Amount(self.done, self.done_bytes), left, self.created, self.vanished)

    def rows(self, pass_name: str, *, in_bytes: bool) -> Iterator[Row]:
        """The books as statistics."""
        totals = self.totals()
        entries: list[tuple[str, str, Amount, Over]] = [
            ("candidate", "candidates", totals.rewritten.plus(totals.missed), Over.BALANCE),
            ("rewritten", "candidates rewritten", totals.rewritten, Over.SUM),
            ("surviving", "candidates that stay", totals.missed, Over.LAST),
        ]
        for name, text, amount in (
            ("created", "candidates made by the pass (among them)", self.created),
            ("vanished", "candidates gone by other means (not among them)", self.vanished),
        ):
            if amount != _NOTHING:
                entries.append((name, text, amount, Over.SUM))
        for reason, count in sorted(self.missed.items()):
            name = f"missed-{kebab(reason)}"
            amount = Amount(count, self.missed_bytes[reason])
            entries.append((name, f"candidates that stay: {kebab(reason)}", amount, Over.LAST))
        for name, text, amount, over in entries:
            plural = "candidates" if name == "candidate" else name
            yield Row(pass_name, plural, f"Number of {text}", Unit.COUNT, amount.ops, over)
            if in_bytes:
                text = f"Bytes of {text}"
                yield Row(pass_name, f"{name}-bytes", text, Unit.BYTES, amount.nbytes, over)


class Totals(NamedTuple):
    """The sums of a pass's books at one moment."""

    rewritten: Amount = _NOTHING
    missed: Amount = _NOTHING
    created: Amount = _NOTHING
    vanished: Amount = _NOTHING

    def since(self, start: "Totals") -> "Totals":
        return Totals(*(now.minus(then) for now, then in zip(self, start, strict=True)))

    def check(self, found: Amount, left: Amount, where: str) -> None:
        """Raises unless every candidate that was `found` is accounted for, and only those `left`
        are missed."""
        had = found.plus(self.created).minus(self.vanished)
        if had != self.rewritten.plus(self.missed):
            raise AssertionError(
                f"the books{where} do not balance: {found} candidates, {self.created} created,"
                f" {self.vanished} vanished; but {self.rewritten} rewritten, {self.missed} missed"
            )
        if left != self.missed:
            raise AssertionError(
                f"the books{where} do not balance: {left} candidates are left,"
                f" but {self.missed} missed"
            )


def sum_of(sizes: Iterable[int | None]) -> Amount:
    """The amount of candidates of these sizes."""
    found = list(sizes)
    return Amount(len(found), sum(size or 0 for size in found))


def kebab(reason: str) -> str:
    """`READ_TWICE` as it is called in a row: `read-twice`."""
    return reason.lower().replace("_", "-")
