"""The wire of telemetry is a promise: a changed schema fails until somebody commits the new one on purpose.

`python -m tests.contract.test_telemetry_schemas` writes the goldens anew; a changed one needs a line in the changelog.
"""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from console.kit.wire import Inbound
from telemetry import contract

GOLDEN = Path(__file__).parent / "schemas" / "telemetry"
MODELS = {
    name: model
    for name in contract.__all__
    if isinstance(model := getattr(contract, name), type) and issubclass(model, BaseModel)
}


def written(model):
    mode = "validation" if issubclass(model, Inbound) else "serialization"
    return json.dumps(model.model_json_schema(mode=mode), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def test_every_model_of_the_contract_has_a_golden_and_every_golden_a_model():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(MODELS)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_the_schema_is_the_one_we_promised(name):
    assert (GOLDEN / f"{name}.json").read_text(encoding="utf-8") == written(MODELS[name]), f"{name} changed"


@pytest.mark.parametrize("name", sorted(name for name, model in MODELS.items() if issubclass(model, Inbound)))
def test_what_comes_in_is_closed_and_strict(name):
    config = MODELS[name].model_config
    assert (config["extra"], config["strict"]) == ("forbid", True)


if __name__ == "__main__":
    for name, model in MODELS.items():
        (GOLDEN / f"{name}.json").write_text(written(model), encoding="utf-8")
