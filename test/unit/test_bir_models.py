"""Real models survive every form of BIR: text, JSON, and back through MLIR, verified."""

import pytest

from penguin import bir, driver, frontend, mlir

MODELS = ["micro_norms", "attention_bf16", "hf_bert_layer", "tunix_llama_1b_layer"]


@pytest.mark.parametrize("name", MODELS)
def test_model(shared, name):
    with mlir.context():
        compiled = driver.compile(frontend.load(shared / "models" / f"{name}.mlir"))
        module = compiled.bir
        text = bir.to_text(module)
        assert " loc(" in text
        again = bir.from_text(text)
        assert again == module
        assert bir.to_text(again) == text
        data = bir.to_json(module)
        again = bir.from_json(data)
        assert again == module
        assert bir.to_json(again) == data
        rebuilt = bir.to_mlir(module)
        assert rebuilt.operation.verify()
        assert bir.to_text(bir.from_mlir(rebuilt)) == text
