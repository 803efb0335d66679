import pytest
import yaml

from winnow.core.errors import ConfigError
from winnow.core.installed import package_folder


def test_the_folder_is_where_the_package_lies() -> None:
    assert (package_folder("yaml", "pyyaml", "") / "loader.py").is_file()
    assert str(package_folder("yaml", "pyyaml", "")) in yaml.__file__


def test_what_is_not_installed_says_how_to_install_it_and_how_to_do_without() -> None:
    with pytest.raises(ConfigError, match=r"install --no-deps no-such-thing`, or leave it out\.$"):
        package_folder("no_such_thing", "no-such-thing", "leave it out")


def test_a_module_that_is_no_package_is_not_taken_for_one() -> None:
    with pytest.raises(ConfigError, match="not installed"):
        package_folder("string", "string", "leave it out")
