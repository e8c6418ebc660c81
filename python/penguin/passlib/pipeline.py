"""Checked pipelines: the passes exist, their options have their types, they are nested rightly.

Named pipelines are expanded, and a function pass directly below `builtin.module` is nested
implicitly. Passes that are not ours are upstream's; whether they exist and take their options is
asked of the bindings before anything runs. `str` gives the canonical form, in which neighbouring
nests on the same op are one: it parses to an equal pipeline.
"""

import re
from dataclasses import dataclass
from typing import Any

from penguin.errors import UserError
from penguin.passlib import options as opt
from penguin.passlib.grammar import Nest, Parser, PassCall, Source
from penguin.passlib.registry import Registry

MODULE, FUNCTION = "builtin.module", "func.func"


@dataclass(frozen=True)
class Step:
    """One pass of a checked pipeline; `cls` is None for an upstream pass.

    `path` are the anchors from the root op to the ops that the pass runs on.
    """

    call: PassCall
    path: tuple[str, ...]
    category: str
    cls: type[Any] | None = None

    @property
    def name(self) -> str:
        return self.call.name

    def build(self) -> Any:
        """A fresh instance of one of our passes."""
        assert self.cls is not None
        return opt.build(self.cls, self.call.mapping())

    def pipeline(self, root: str) -> str:
        """A pipeline of this step only."""
        text = f"{self.call.name}{{{self.call.raw}}}" if self.call.raw else self.call.name
        for anchor in reversed((root, *self.path[1:])):
            text = f"{anchor}({text})"
        return text


@dataclass(frozen=True)
class Pipeline:
    """A pipeline whose passes exist and whose options have their types."""

    root: Nest
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return str(self.root)

    @property
    def anchor(self) -> str:
        return self.root.anchor

    @classmethod
    def parse(
        cls, text: str, registry: Registry | None = None, origin: str = "pipeline"
    ) -> "Pipeline":
        """Parses and checks; raises `UserError` with a caret under the fault."""
        from penguin.passlib import registry as registries

        source = Source(text, origin)
        return cls.check(Parser(source).parse(), registry or registries.default(), source)

    @classmethod
    def check(cls, nest: Nest, registry: Registry, source: Source) -> "Pipeline":
        checker = _Checker(registry, source)
        checker.nest(nest.elements, (nest.anchor,))
        return cls.of_steps(nest.anchor, tuple(checker.steps))

    @classmethod
    def of_steps(cls, anchor: str, steps: "tuple[Step, ...]") -> "Pipeline":
        """The pipeline of some steps of a checked pipeline."""
        return cls(_tree(anchor, steps, 1), steps)


def _tree(anchor: str, steps: tuple[Step, ...], depth: int) -> Nest:
    elements: list[Nest | PassCall] = []
    at = 0
    while at < len(steps):
        step = steps[at]
        if len(step.path) == depth:
            elements.append(step.call)
            at += 1
            continue
        inner = step.path[depth]
        end = at
        while end < len(steps) and steps[end].path[depth : depth + 1] == (inner,):
            end += 1
        elements.append(_tree(inner, steps[at:end], depth + 1))
        at = end
    return Nest(anchor, tuple(elements))


class _Checker:
    """Resolves names, expands named pipelines, nests function passes, checks options."""

    def __init__(self, registry: Registry, source: Source) -> None:
        self.registry, self.source = registry, source
        self.steps: list[Step] = []
        self.expanding: list[str] = []

    def nest(self, elements: tuple[Nest | PassCall, ...], path: tuple[str, ...]) -> None:
        for element in elements:
            if isinstance(element, Nest):
                self.nest(element.elements, (*path, element.anchor))
            elif element.name in self.registry.pipelines:
                self.named(element, path)
            else:
                self.call(element, path)

    def named(self, call: PassCall, path: tuple[str, ...]) -> None:
        if call.options:
            message = f"the pipeline '{call.name}' has no options"
            raise self.error("PGP003", message, call.options[0].position)
        if call.name in self.expanding:
            raise AssertionError(f"the pipeline '{call.name}' contains itself")
        inner = Source(self.registry.pipelines[call.name].text, call.name)
        outer, self.source = self.source, inner
        self.expanding.append(call.name)
        try:
            self.nest(Parser(inner).parse_list(), path)
        finally:
            self.expanding.pop()
            self.source = outer

    def call(self, call: PassCall, path: tuple[str, ...]) -> None:
        if call.name not in self.registry.passes:
            self.upstream(call, path)
            return
        cls = self.registry.load(call.name)
        for option in call.options:
            try:
                opt.parse(cls, option.key, option.value)
            except opt.UnknownOption as error:
                message = f"pass '{call.name}': {error}"
                raise self.error("PGP003", message, option.position) from None
            except opt.BadValue as error:
                message = f"pass '{call.name}', option '{option.key}': {error}"
                raise self.error("PGP004", message, option.position) from None
        category = self.registry.category(call.name)
        if cls.anchor == FUNCTION and path[-1] == MODULE:
            path = (*path, FUNCTION)
        if cls.anchor != path[-1]:
            message = f"pass '{call.name}' runs on '{cls.anchor}', but is nested in '{path[-1]}'"
            raise self.error("PGP005", message, call.position)
        self.steps.append(Step(call, path, category, cls))

    def upstream(self, call: PassCall, path: tuple[str, ...]) -> None:
        from penguin.passlib import upstream, upstream_table

        step = Step(call, path, f"upstream:{call.name}")
        fault = upstream.check(step.pipeline(path[0]))
        if fault is not None and f"restricted to '{FUNCTION}'" in fault and path[-1] == MODULE:
            self.upstream(call, (*path, FUNCTION))
            return
        if fault is None:
            self.steps.append(step)
            return
        if upstream.exists(call.name):
            message = f"upstream pass '{call.name}': {fault}"
            places = [o.position for o in call.options if re.search(rf"\b{o.key}\b", fault)]
            raise self.error("PGP008", message, [*places, call.position][0])
        known = [*self.registry.passes, *self.registry.pipelines, *upstream_table.PASSES]
        hint = opt.did_you_mean(call.name, known)
        raise self.error("PGP002", f"unknown pass '{call.name}'{hint}", call.position)

    def error(self, code: str, message: str, position: int) -> UserError:
        return self.source.error(code, message, position)
