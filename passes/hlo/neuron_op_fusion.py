"""Run the op fusions in the order of the original: one pass, six or seven parts.

  1. sub-exp-fusion                                            always
  2. dot-logistic-fusion, then mul-red-sqrt-fusion             if fuse-dot-logistic
  3. expm1-fusion, log1p-fusion, then elementwise-fusion       if general-elementwise-fusion
  4. dot-softmax-fusion                                        if fuse-dot-softmax

Each part is the pass of that name, with its legality, its remarks and its counters. What an earlier
part has fused, a later one leaves alone.

Source: document 002's family, "NeuronOpFusion"; that MulRedSqrt hangs on the option of DotLogistic
is the original's. The options' defaults are not known. Ours (guess): dot-logistic is on; general
elementwise fusion is off because expm1 and log1p lose their accuracy near 0 by it; dot-softmax is
off because no producer of that kind is known. It comes last, since it is ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from penguin.passlib import ModulePass, option


@dataclass
class NeuronOpFusion(ModulePass):
    name = "neuron-op-fusion"
    requires = ("one-hlo-dialect",)

    fuse_dot_logistic: bool = option(True, "fuse dot with logistic, and multiply, reduce, sqrt")
    general_elementwise_fusion: bool = option(False, "general elementwise-op fusion")
    fuse_dot_softmax: bool = option(False, "fuse softmax with the dot before it")

    def run(self, module: Any) -> None:
        for name in self._parts():
            self.run_pass(name, module)

    def _parts(self) -> Iterator[str]:
        yield "sub-exp-fusion"
        if self.fuse_dot_logistic:
            yield from ("dot-logistic-fusion", "mul-red-sqrt-fusion")
        if self.general_elementwise_fusion:
            yield from ("expm1-fusion", "log1p-fusion", "elementwise-fusion")
        if self.fuse_dot_softmax:
            yield "dot-softmax-fusion"
