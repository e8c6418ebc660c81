"""Real models and the example: compiled for trn2, every instruction verified, outputs as JAX's.

What a level costs decides what is executed here: tunix_llama_1b_layer and hf_gpt2_small only
compile, `test/bench/models.py` simulates them too.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from penguin import bir, driver, execute, frontend, mlir, oracle, ports
from penguin.driver import Level

EXAMPLE = "examples/transformer_block.py:block"
BIR = (Level.BIR,)
BELOW_HLO = tuple(level for level in Level if level is not Level.STABLEHLO)
MODELS = {
    EXAMPLE: BELOW_HLO,
    "micro_norms": BELOW_HLO,
    "hf_bert_layer": BIR,
    "attention_bf16": BIR,
    "tunix_llama_small": BIR,
    "tunix_llama_1b_layer": (),
    "hf_gpt2_small": (),
}


class Checked:
    """A model compiled; outputs of the chosen levels held against JAX's."""

    def __init__(self, source: str | Path, levels: Sequence[Level]) -> None:
        module = frontend.load(source)
        self.levels, self.reached = levels, []
        if levels:
            ports_ = ports.signature(module).inputs
            self.inputs = ports.random_inputs(ports_)
            self.expected = oracle.jax_cpu(mlir.to_bytecode(module.operation), self.inputs)
        self.compiled = driver.compile(module, after_stage=self.execute)

    def execute(self, level: Level, module: mlir.ir.Module) -> None:
        self.reached.append(level)
        if level not in self.levels:
            return
        outputs = execute.run(module, self.inputs)
        for row in execute.compare(outputs, self.expected, ports.signature(module).outputs):
            found = row.comparison
            assert found.ok, f"{level}: {row.port.name} is off by {found.max_rel:.3g}"
            # A comparison of nothing would pass, too.
            assert np.abs(self.expected[0].astype(np.float32)).max() > 0


@pytest.mark.parametrize("model", MODELS)
def test_model(model: str, root: Path, shared: Path) -> None:
    source = f"{root}/{model}" if model == EXAMPLE else shared / "models" / f"{model}.mlir"
    with mlir.context():
        checked = Checked(source, MODELS[model])
        assert checked.reached == list(Level)
        checked.compiled.module.operation.verify()
        program = checked.compiled.bir
    text, json = bir.to_text(program), bir.to_json(program)
    assert bir.from_text(text) == program
    assert bir.from_json(json) == program
    assert bir.to_text(bir.from_text(text)) == text
    assert bir.to_json(bir.from_json(json)) == json


def test_instructions_keep_the_places_of_the_model(root: Path) -> None:
    with mlir.context():
        program = driver.compile(frontend.load(f"{root}/{EXAMPLE}")).bir
    places = [item.loc for item, _ in program.main.walk() if isinstance(item, bir.Instruction)]
    assert len(places) > 100
    assert all(places)
    # Scalars belong to the function as a whole, whose place is where it was traced.
    inside = [place for place in places if "transformer_block.py" in place]
    assert len(inside) > 0.8 * len(places)
