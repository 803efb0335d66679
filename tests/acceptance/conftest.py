"""What acceptance tests share: one whole run of the tiny demo, training included."""

import pytest
from demo_run import Places
from finished_demo import Undisturbed


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return Undisturbed.run(Places.in_folder(tmp_path_factory.mktemp("demo") / "undisturbed"))
