"""The shapes of notices over REST are a promise: a changed one fails until somebody commits it on purpose.

`python -m tests.contract.test_notice_schemas` writes the golden anew; a changed one needs a line in the changelog.
"""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from console.kit.wire import Inbound, Outbound
from console.notices import contract

GOLDEN = Path(__file__).parent / "schemas" / "notices.json"
MODELS = {
    name: model
    for name, model in vars(contract).items()
    if isinstance(model, type) and issubclass(model, BaseModel) and model not in {Inbound, Outbound}
}


def schemas():
    return {
        name: model.model_json_schema(mode="validation" if issubclass(model, Inbound) else "serialization")
        for name, model in MODELS.items()
    }


def test_the_schemas_are_the_ones_we_promised():
    assert json.loads(GOLDEN.read_text(encoding="utf-8")) == schemas()


@pytest.mark.parametrize("name", sorted(name for name, model in MODELS.items() if issubclass(model, Inbound)))
def test_what_comes_in_is_closed_and_strict(name):
    config = MODELS[name].model_config
    assert (config["extra"], config["strict"]) == ("forbid", True)


if __name__ == "__main__":
    text = json.dumps(schemas(), indent=2, sort_keys=True, ensure_ascii=False)
    GOLDEN.write_text(text + "\n", encoding="utf-8")
