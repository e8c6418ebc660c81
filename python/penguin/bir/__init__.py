"""BIR as data: the object model, and its text, JSON and MLIR forms.

    module = from_mlir(mlir_module)    to_mlir(module)
    module = from_text(text)           to_text(module)      docs/bir-text.md
    module = from_json(text)           to_json(module)      docs/bir-json.md

Every pair is a round trip without loss.
"""

from penguin.bir.from_mlir import from_mlir
from penguin.bir.json_format import from_json, to_json
from penguin.bir.model import Access, Affine, Function, Instruction, Loop, Module, Tensor
from penguin.bir.text import to_text
from penguin.bir.text_parser import from_text
from penguin.bir.to_mlir import to_mlir

__all__ = [
    "Access",
    "Affine",
    "Function",
    "Instruction",
    "Loop",
    "Module",
    "Tensor",
    "from_json",
    "from_mlir",
    "from_text",
    "to_json",
    "to_mlir",
    "to_text",
]
