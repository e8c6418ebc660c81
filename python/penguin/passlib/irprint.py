"""Printing of the IR before and after passes, to a stream or into a tree of files.

Headings and file names are upstream's: `// -----// IR Dump After Cse (cse) //----- //`, and below a
tree folder `builtin_module_NAME/0_cse.mlir`, with one folder per function for passes that run on
functions (`builtin_module_NAME/func_func_main/1_0_cse.mlir`).
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from penguin.mlir import ir
from penguin.passlib.remarks import camel


@dataclass(frozen=True)
class PrintFlags:
    """How ops are printed: the arguments of the bindings' printer."""

    generic: bool = False
    debug_info: bool = False
    pretty_debug_info: bool = False
    local_scope: bool = False
    name_locations: bool = False
    elide_elements: int | None = None
    elide_resources: int | None = None
    skip_regions: bool = False

    def print(self, op: ir.Operation, *, verified: bool = False) -> str:
        return op.get_asm(
            large_elements_limit=self.elide_elements,
            large_resource_limit=self.elide_resources,
            enable_debug_info=self.debug_info,
            pretty_debug_info=self.pretty_debug_info,
            print_generic_op_form=self.generic,
            use_local_scope=self.local_scope,
            use_name_loc_as_prefix=self.name_locations,
            assume_verified=verified,
            skip_regions=self.skip_regions,
        )


@dataclass
class IrPrinter:
    """`before` and `after` name passes; `write` takes the text when there is no `tree`.

    `after_change` prints after every pass unless `after` names some; `after_failure` silences what
    comes after passes that succeed.
    """

    write: Callable[[str], object]
    before: frozenset[str] = frozenset()
    before_all: bool = False
    after: frozenset[str] = frozenset()
    after_all: bool = False
    after_change: bool = False
    after_failure: bool = False
    module_scope: bool = False
    tree: Path | None = None
    flags: PrintFlags = field(default_factory=PrintFlags)
    _digests: list[bytes] = field(default_factory=list)

    def enter(
        self, name: str, number: str, root: ir.Operation, targets: Sequence[ir.Operation]
    ) -> None:
        """Before a pass."""
        if self.before_all or name in self.before:
            self._print("Before", name, number, root, targets)
        if self.after_change:
            self._digests = [_digest(op) for op in targets]

    def leave(
        self,
        name: str,
        number: str,
        root: ir.Operation,
        targets: Sequence[ir.Operation],
        failed: bool,
    ) -> None:
        """After a pass; the targets are the same ops, in the same order, as before it."""
        wanted = self.after_all or name in self.after or (self.after_change and not self.after)
        if failed:
            if wanted or self.after_failure:
                self._print("After", name, number, root, targets, " Failed")
            return
        if self.after_failure or not wanted:
            return
        if self.after_change:
            pairs = zip(targets, self._digests, strict=True)
            targets = [op for op, digest in pairs if _digest(op) != digest]
        self._print("After", name, number, root, targets)

    def _print(
        self,
        when: str,
        name: str,
        number: str,
        root: ir.Operation,
        targets: Sequence[ir.Operation],
        suffix: str = "",
    ) -> None:
        for op in targets:
            shown = root if self.module_scope else op
            scope = ""
            if self.module_scope and op != root:
                scope = f" ('{op.name}' operation{_symbol(op, ': @')})"
            title = f"// -----// IR Dump {when} {camel(name)}{suffix} ({name}){scope} //----- //\n"
            # A failed pass may leave what the verifier, and so the pretty printer, stumbles over.
            text = self.flags.print(shown, verified=not suffix)
            if self.tree is None:
                self.write(f"{title}{text}\n\n")
                continue
            folder = self.tree / _folder(root)
            if op != root:
                folder = folder / _folder(op)
            folder.mkdir(parents=True, exist_ok=True)
            before = "_before" if when == "Before" else ""
            (folder / f"{number}{before}_{name}.mlir").write_text(f"{title}{text}\n")


def _symbol(op: ir.Operation, prefix: str) -> str:
    if "sym_name" not in op.attributes:
        return ""
    return prefix + op.attributes["sym_name"].value


def _folder(op: ir.Operation) -> str:
    return op.name.replace(".", "_") + (_symbol(op, "_") or "_no-symbol-name")


def _digest(op: ir.Operation) -> bytes:
    text = op.get_asm(use_local_scope=True, print_generic_op_form=True, assume_verified=True)
    return hashlib.sha256(text.encode()).digest()
