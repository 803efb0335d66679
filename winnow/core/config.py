"""Reading configuration: YAML to a pydantic model, or one error that names every fault and its edit."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import yaml
from pydantic import BaseModel, ConfigDict, SecretBytes, SecretStr, ValidationError
from pydantic_core import ErrorDetails

from winnow.core.errors import ConfigError, near_miss

Model = TypeVar("Model", bound=BaseModel)
_SHOWN = 60


class ConfigModel(BaseModel):
    """Base of all configuration: unknown keys are refused, nothing is coerced, instances do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def load_model(
    model_cls: type[Model],
    path_or_mapping: Path | str | Mapping[str, Any],
    where: str = "",
    cross_faults: Callable[[Mapping[str, Any]], Sequence[str]] | None = None,
) -> Model:
    """An instance of `model_cls` out of a YAML file or a mapping.

    `where` names the origin in messages; the default is the path. JSON rules apply: a list fills a tuple and
    text a path, and `true` is no integer. `cross_faults` finds what is wrong between fields, on the raw values,
    so that no fault hides another. Raises ConfigError with all faults at once.
    """
    if isinstance(path_or_mapping, Mapping):
        where, raw = where or "configuration", path_or_mapping
    else:
        where = where or str(path_or_mapping)
        raw = read_yaml(Path(path_or_mapping), where)
    try:
        text = json.dumps(raw, default=_plain)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{where}: {error}. Write plain mappings, lists and scalars.") from None
    between = list(cross_faults(raw)) if cross_faults else []
    try:
        model = model_cls.model_validate_json(text)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)
        within = [_fault(fault, model_cls, raw) for fault in faults]
        raise ConfigError(_report([*within, *between], model_cls, where)) from None
    if between:
        raise ConfigError(_report(between, model_cls, where))
    return model


def _plain(value: object) -> object:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, SecretBytes):
        return value.get_secret_value().decode()
    return str(value)


class _UniqueKeys(yaml.SafeLoader):
    """A safe loader that refuses a key written twice, of which YAML would silently keep the last."""


def _mapping(loader: _UniqueKeys, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[str] = set()
    for key_node, _ in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            continue  # construct_mapping refuses it
        key = key_node.value
        if key in seen:
            raise yaml.MarkedYAMLError(None, None, f"key `{key}` is written twice", key_node.start_mark)
        seen.add(key)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


_UniqueKeys.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def read_yaml(path: Path, where: str = "") -> Mapping[str, Any]:
    """The mapping in a YAML file; an empty file is an empty one. Raises ConfigError where it is none."""
    where = where or str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{where}: no such file. Create it, or give another path.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{where}: cannot be read: {error}. It must be a UTF-8 text file.") from None
    try:
        raw = yaml.load(text, Loader=_UniqueKeys)  # noqa: S506 a subclass of SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f" line {mark.line + 1}, column {mark.column + 1}:" if mark else ""
        raise ConfigError(f"{where} is not YAML:{line} {error.problem}. Correct that line.") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{where} is not YAML: {type(error).__name__}. Write it as UTF-8 text.") from None
    if raw is None:
        return {}
    if not isinstance(raw, Mapping):
        raise ConfigError(
            f"{where}: got a {type(raw).__name__}, a mapping is needed. Write `key: value` lines."
        )
    return raw


def _report(faults: Sequence[str], model_cls: type[BaseModel], where: str) -> str:
    lines = [f"  {fault}" for fault in faults]
    return "\n".join([f"{where} is not a valid `{model_cls.__name__}` ({len(faults)} to fix)", *lines])


def _fault(fault: ErrorDetails, model_cls: type[BaseModel], raw: Mapping[str, Any]) -> str:
    loc = fault["loc"]
    shown = ".".join(str(part) for part in _written(loc, raw)) or model_cls.__name__
    models, hidden = _walk(model_cls, loc)
    need = fault["msg"].removeprefix("Value error, ").rstrip(".") + "."
    if fault["type"] == "extra_forbidden":
        known = sorted({field.alias or name for m in models for name, field in m.model_fields.items()})
        return f"`{shown}`: no such key.{near_miss(str(loc[-1]), known)} Known keys: {', '.join(known)}."
    if fault["type"] == "missing":
        return f"`{shown}`: missing. Add it."
    if hidden:
        return f"`{shown}`: got a value that is not shown. {need}"
    if isinstance(fault["input"], Mapping) and fault["type"] == "value_error":
        return f"`{shown}`: {need}"
    return f"`{shown}`: got {_short(fault['input'])}. {need}{_exponent_hint(fault)}"


def _written(loc: tuple[int | str, ...], raw: Any) -> list[int | str]:
    """The part of an error's location that the user wrote: names of union members are left out."""
    parts: list[int | str] = []
    for index, part in enumerate(loc):
        last = index == len(loc) - 1
        inside_list = isinstance(raw, list | tuple) and isinstance(part, int) and part < len(raw)
        if inside_list or (isinstance(raw, Mapping) and part in raw):
            raw = raw[part]
        elif not last or not isinstance(raw, Mapping):
            continue
        parts.append(part)
    return parts


def _short(value: object) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _exponent_hint(fault: ErrorDetails) -> str:
    value = fault["input"]
    if not fault["type"].startswith("float") or not isinstance(value, str):
        return ""
    try:
        number = float(value)
    except ValueError:
        return ""
    return f" YAML reads this as text; write `{number:.1e}`."


def _walk(model_cls: type[BaseModel], loc: tuple[int | str, ...]) -> tuple[set[type[BaseModel]], bool]:
    """The models whose keys the last part of `loc` may be, and whether the place holds a secret."""
    models: set[type[BaseModel]] = {model_cls}
    holders = models
    hidden = False
    for part in loc:
        holders = models
        fields = [m.model_fields[part] for m in models if isinstance(part, str) and part in m.model_fields]
        if fields:
            inner = [t for field in fields for t in _types(field.annotation)]
            hidden = hidden or any(t in (SecretStr, SecretBytes) for t in inner)
            models = {t for t in inner if isinstance(t, type) and issubclass(t, BaseModel)}
        elif isinstance(part, str):
            models = {m for m in models if _is_member(m, part)} or models
    return holders, hidden


def _types(annotation: Any) -> list[Any]:
    """The plain types inside an annotation: list[A | B] gives A and B."""
    if get_origin(annotation) is Literal:
        return []
    inner = get_args(annotation)
    return [t for a in inner for t in _types(a)] if inner else [annotation]


def _is_member(model: type[BaseModel], tag: str) -> bool:
    """Whether a union's error location calls this model `tag`: its name or the value of a Literal field."""
    literals = [f.annotation for f in model.model_fields.values() if get_origin(f.annotation) is Literal]
    return model.__name__ == tag or any(tag in get_args(literal) for literal in literals)
