"""What a question about an access costs: asked of forms, and of the polyhedral library.

    python test/bench/access_maps.py [--accesses 1000]

Accesses of four kinds in equal parts, each with extents of its own, so that nothing is answered
from a cache: a permutation with an offset, a reshape that loops do not follow, a load under a
condition, a triangular nest. Printed per question: microseconds by forms alone and how many they
answer, and microseconds by the library alone, with the sets and maps made anew.
"""

import argparse
import time
from collections.abc import Callable, Sequence

from penguin.analysis import polyhedra
from penguin.analysis.access_map import AccessMap
from penguin.analysis.affine_form import Form
from penguin.analysis.iteration_domain import Condition, Domain

V = Form.variable


def permuted(k: int) -> AccessMap:
    domain = Domain.box((4 + k, 3, 64))
    return AccessMap(domain, (V(2), V(0) + 5, V(1)), (64, 16 + k, 3))


def reshaped(k: int) -> AccessMap:
    domain = Domain.box((4, 48 + k))
    flat, space = V(0) * (48 + k) + V(1), domain.space
    return AccessMap(domain, (space.floordiv(flat, 64), space.mod(flat, 64)), (4 + k, 64))


def conditional(k: int) -> AccessMap:
    domain = Domain.box((16 + k, 32)).where([Condition(((V(0) - V(1) + -1, False),))])
    return AccessMap(domain, (V(0) - V(1), V(1)), (16 + k, 32))


def triangular(k: int) -> AccessMap:
    domain = Domain.box((16 + k, 16 + k))
    domain = domain.where([Condition((((V(0) + V(1)) * -1 + (15 + k), False),))])
    return AccessMap(domain, (V(0), V(0) + V(1)), (16 + k, 16 + k))


KINDS = (permuted, reshaped, conditional, triangular)


def again(access: AccessMap) -> AccessMap:
    """The same without anything that was found out about it."""
    domain = access.domain
    return AccessMap(
        Domain(domain.loops, domain.conditions, domain.is_exact), access.forms, access.shape
    )


def bounds_by_forms(access: AccessMap) -> object:
    ranges = access.ranges
    return True if access.domain.is_box and all(r.is_tight for r in ranges) else None


def bounds_by_library(access: AccessMap) -> object:
    domain = access.domain
    return [polyhedra.bounds(domain.keys, access.iterations, form) for form in access.forms]


def gist_by_forms(access: AccessMap) -> object:
    linear = not any(form.divisions for form in access.forms)
    return access if access.domain.is_box and linear else None


def gist_by_library(access: AccessMap) -> object:
    domain, space = access.domain, access.space
    return [polyhedra.gist(f, domain.keys, access.iterations, space) for f in access.forms]


Question = tuple[str, Callable[[AccessMap], object], Callable[[AccessMap], object]]
QUESTIONS: Sequence[Question] = (
    ("is_empty", AccessMap._is_empty_by_forms, lambda m: polyhedra.is_empty(m.iterations)),
    (
        "is_injective",
        AccessMap._is_injective_by_forms,
        lambda m: polyhedra.is_injective(m.relation),
    ),
    ("covers", AccessMap._covers_by_forms, lambda m: polyhedra.covers(m.relation, m.shape)),
    ("range_of", bounds_by_forms, bounds_by_library),
    (
        "overlaps",
        lambda m: m._overlaps_by_forms(again(m)),
        lambda m: polyhedra.overlap(m.relation, again(m).relation),
    ),
    ("reverse", AccessMap._reverse_by_forms, lambda m: polyhedra.reverse(m.relation, m.shape)),
    ("gist", gist_by_forms, gist_by_library),
    (
        "keeps_order",
        lambda m: m._keeps_order_by_forms(again(m)),
        lambda m: polyhedra.swaps(m.relation, again(m).relation, 1, None),
    ),
)


def cost(ask: Callable[[AccessMap], object], maps: Sequence[AccessMap]) -> tuple[float, int]:
    """Microseconds per question, and how many were answered."""
    fresh = [again(access) for access in maps]
    start = time.process_time()
    answers = [polyhedra.guarded(ask, access) for access in fresh]
    seconds = time.process_time() - start
    return 1e6 * seconds / len(maps), sum(answer is not None for answer in answers)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--accesses", type=int, default=1000)
    count = parser.parse_args().accesses
    heads = "question", "kind", "forms us", "answered", "library us", "answered"
    print("{:13} {:12} {:>9} {:>9} {:>11} {:>9}".format(*heads))
    for name, by_forms, by_library in QUESTIONS:
        for kind in KINDS:
            maps = [kind(k) for k in range(count // len(KINDS))]
            fast, told = cost(by_forms, maps)
            slow, known = cost(by_library, maps)
            print(
                f"{name:13} {kind.__name__:12} {fast:9.1f} {told / len(maps):9.0%}"
                f" {slow:11.1f} {known / len(maps):9.0%}"
            )


if __name__ == "__main__":
    main()
