"""A local checkpoint answers through the same client, and a row's reply does not depend on the rows beside it."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_clients import ask, calls, texts
from small_lake import lake_in

from training.base import resolve_base
from winnow.core.errors import ConfigError
from winnow.lake.answers import CallLedger, StoredAnswers
from winnow.models.client import ModelClient
from winnow.models.client_config import ClientConfig
from winnow.models.generate import Generated, Prompt, generate
from winnow.models.local import load_causal_lm
from winnow.models.reply import CallFailure, ModelReply
from winnow.models.request import ModelRequest, Sampling

END = 2
IDS = st.lists(st.integers(3, 258), min_size=1, max_size=12)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(resolve_base("tiny", tmp_path_factory.mktemp("models")).path)


@pytest.fixture(scope="session")
def model(tiny: Path) -> Any:
    return load_causal_lm(tiny)


def decode(ids: Sequence[int]) -> str:
    return "".join(chr(0x100 + token) for token in ids)


def replies(model: Any, prompts: Sequence[Prompt]) -> list[Generated]:
    return generate(model, prompts, decode, frozenset({END}))


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(IDS, min_size=1, max_size=4))
def test_greedy_is_what_transformers_generates(model: Any, rows: list[list[int]]) -> None:
    import torch

    sampling = Sampling(max_tokens=8, temperature=0.0)
    ours = replies(model, [Prompt(ids, sampling, 0) for ids in rows])
    for ids, row in zip(rows, ours, strict=True):
        with torch.inference_mode():
            theirs = model.generate(
                torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)), max_new_tokens=8, do_sample=False
            )
        expected = theirs[0, len(ids) :].tolist()
        assert row.ids == [token for token in expected if token != END]
        assert row.finish_reason == ("stop" if END in expected else "length")


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(IDS, st.integers(0, 5)), min_size=2, max_size=5), st.sampled_from([None, 0.7]))
def test_a_row_draws_the_same_in_any_company(
    model: Any, rows: list[tuple[list[int], int]], top_p: float | None
) -> None:
    sampling = Sampling(max_tokens=6, temperature=0.9, top_p=top_p)
    prompts = [Prompt(ids, sampling, seed) for ids, seed in rows]
    together = replies(model, prompts)
    alone = [replies(model, [prompt])[0] for prompt in prompts]
    assert [row.ids for row in together] == [row.ids for row in alone]
    assert [row.ids for row in replies(model, prompts[::-1])] == [row.ids for row in together][::-1]


def test_logprobs_are_those_of_the_model(model: Any) -> None:
    import torch

    prompt = Prompt([5, 6, 7], Sampling(max_tokens=4, temperature=0.5), 1, logprobs=3)
    row = replies(model, [Prompt([9] * 9, prompt.sampling, 2), prompt])[1]
    with torch.inference_mode():
        logits = model(torch.tensor([[5, 6, 7, *row.ids]])).logits[0].log_softmax(-1)
    for place, (token, told) in enumerate(zip(row.ids, row.logprobs, strict=True)):
        assert told.logprob == pytest.approx(float(logits[2 + place, token]), abs=1e-4)
        top = logits[2 + place].topk(3)
        assert [v for _, v in told.alternatives] == pytest.approx(top.values.tolist(), abs=1e-4)


def test_a_narrow_top_p_is_greedy(model: Any) -> None:
    prompts = [
        Prompt([5, 6], Sampling(max_tokens=6, temperature=t, top_p=p), 3)
        for t, p in ((1.0, 1e-6), (0.0, None))
    ]
    drawn, likeliest = replies(model, prompts)
    assert drawn.ids == likeliest.ids


def test_seeds_differ(model: Any) -> None:
    rows = replies(model, [Prompt([5, 6], Sampling(max_tokens=8), seed) for seed in range(8)])
    assert len({tuple(row.ids) for row in rows}) > 1


def test_a_stop_ends_a_reply_before_it(model: Any) -> None:
    (free,) = replies(model, [Prompt([5, 6], Sampling(max_tokens=8, temperature=0.0), 0)])
    stop = decode(free.ids[3:5])
    (row,) = replies(model, [Prompt([5, 6], Sampling(max_tokens=8, temperature=0.0, stop=[stop]), 0)])  # type: ignore[arg-type]
    at = decode(free.ids).index(stop)
    assert (row.text, row.finish_reason) == (decode(free.ids)[:at], "stop")


def test_a_stop_that_comes_first_leaves_an_empty_reply(tiny: Path, tmp_path: Path) -> None:
    greedy = {"max_tokens": 6, "temperature": 0.0}
    asked = client(tiny, tmp_path)
    free = asked.complete(ask("why?", sampling=greedy), "test")
    assert isinstance(free, ModelReply)
    assert free.text
    cut = asked.complete(ask("why?", sampling={**greedy, "stop": [free.text[0]]}), "test")
    assert isinstance(cut, ModelReply)
    assert (cut.text, cut.finish_reason) == ("", "stop")


def test_a_reply_that_ends_by_itself_has_its_text(model: Any) -> None:
    prompt = Prompt([5, 6], Sampling(max_tokens=8, temperature=0.0), 0)
    (free,) = replies(model, [prompt])
    (row,) = generate(model, [prompt], decode, frozenset({free.ids[3]}))
    assert (row.text, row.finish_reason) == (decode(free.ids[: free.ids.index(free.ids[3])]), "stop")


def client(tiny: Path, root: Path, **settings: Any) -> ModelClient:
    lake = lake_in(root)
    config = ClientConfig.model_validate({"model": f"local/{tiny}", **settings})
    return ModelClient(config, StoredAnswers(lake), CallLedger(lake))


def questions(count: int) -> list[ModelRequest]:
    return [ask(f"{'why ' * n}?", sampling={"max_tokens": 6, "temperature": 0.8}) for n in range(count)]


def test_a_rerun_and_another_batch_size_say_the_same(tiny: Path, tmp_path: Path) -> None:
    first = client(tiny, tmp_path / "a", batch_size=4).complete_many(questions(10), "test")
    said = texts(first)
    again = client(tiny, tmp_path / "a").complete_many(questions(10), "test")
    assert texts(again) == said
    assert (first.tally.answered, again.tally.from_cache) == (10, 10)
    assert texts(client(tiny, tmp_path / "b", batch_size=1).complete_many(questions(10), "test")) == said
    rows = calls(tmp_path / "a")
    assert {row["provider"] for row in rows} == {"local"}
    assert sum(row["dollars"] for row in rows) == 0
    assert str(tiny) not in str(rows), "no path of this machine is in the open zone"


def test_equal_requests_are_asked_once(tiny: Path, tmp_path: Path) -> None:
    run = client(tiny, tmp_path).complete_many([questions(1)[0]] * 4 + questions(2), "test")
    said = texts(run)
    assert len(set(said[:5])) == 1
    assert run.tally.answered == 2


def test_samples_of_one_prompt_differ(tiny: Path, tmp_path: Path) -> None:
    requests = [ask("why?", sample=n, sampling={"max_tokens": 12}) for n in range(6)]
    assert len(set(texts(client(tiny, tmp_path).complete_many(requests, "test")))) > 1


def test_a_request_that_does_not_fit_costs_no_other_its_reply(tiny: Path, tmp_path: Path) -> None:
    long = ask("x" * 3000)
    outcomes = list(client(tiny, tmp_path).complete_many([ask("a"), long, ask("b")], "test"))
    assert [type(o) for o in outcomes] == [ModelReply, CallFailure, ModelReply]
    assert isinstance(outcomes[1], CallFailure)
    assert outcomes[1].reason == "context"
    assert "the model holds 2048" in outcomes[1].message


def test_a_conversation_that_the_template_refuses_costs_no_other_its_reply(
    tiny: Path, tmp_path: Path
) -> None:
    template = (tiny / "chat_template.jinja").read_text()
    refusing = "{% if messages[0].content == 'no' %}{{ raise_exception('refused') }}{% endif %}"
    (tmp_path / "strict.jinja").write_text(refusing + template)
    asked = client(tiny, tmp_path, template=str(tmp_path / "strict.jinja"))
    outcomes = list(asked.complete_many([ask("a"), ask("no"), ask("b")], "test"))
    assert [type(o) for o in outcomes] == [ModelReply, CallFailure, ModelReply]
    assert isinstance(outcomes[1], CallFailure)
    assert (outcomes[1].reason, outcomes[1].not_run) == ("request", False)


def test_an_adapter_and_changed_weights_are_other_models(tiny: Path, tmp_path: Path) -> None:
    import torch
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(0)  # an adapter drawn anew may now and then change no token of so few
    lora = LoraConfig(r=2, lora_alpha=64, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    get_peft_model(load_causal_lm(tiny), lora).save_pretrained(str(tmp_path / "adapter"))
    copy = shutil.copytree(tiny, tmp_path / "copy")
    plain = client(tiny, tmp_path)
    adapted = client(tiny, tmp_path, adapter=str(tmp_path / "adapter"))
    moved = client(copy, tmp_path)
    (copy / "chat_template.jinja").write_text((copy / "chat_template.jinja").read_text() + " ")
    changed = client(copy, tmp_path)
    names = [c._cache.name(ask("hi")) for c in (plain, moved, adapted, changed)]
    assert names[0] == names[1], "the place of a checkpoint is not what it is"
    assert len(set(names)) == 3
    assert texts(plain.complete_many(questions(4), "t")) != texts(adapted.complete_many(questions(4), "t"))


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({"model": "local/nowhere"}, r"config\.json"),
        ({"adapter": "nowhere"}, r"adapter_config\.json"),
        ({"template": "nowhere"}, "no such file"),
    ],
)
def test_what_is_not_there_is_named(
    tiny: Path, tmp_path: Path, settings: dict[str, Any], missing: str
) -> None:
    with pytest.raises(ConfigError, match=missing):
        client(tiny, tmp_path, **settings)
