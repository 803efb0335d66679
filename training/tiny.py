"""A tiny random Llama and a byte-level tokenizer: the whole loop in seconds, with nothing learned before."""

import json
from pathlib import Path
from typing import Any

SEED = 20
LAYERS, HIDDEN, HEADS, WIDTH = 2, 64, 4, 128
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_SCALE = 0.02


def tiny_identity() -> dict[str, Any]:
    """What the model is made from."""
    return {"seed": SEED, "config": _config()}


def build_tiny(target: Path) -> None:
    """Writes config, weights and tokenizer into `target`; equal bytes each time, and no torch needed."""
    from safetensors.numpy import save_file

    (target / "config.json").write_text(json.dumps(_config(), indent=2, sort_keys=True) + "\n")
    write_tokenizer_config(target, context=_config()["max_position_embeddings"])
    (target / "tokenizer.json").write_text(_tokenizer_json(), encoding="utf-8")
    save_file(_weights(), str(target / "model.safetensors"), metadata={"format": "pt"})


def write_tokenizer_config(target: Path, context: int) -> None:
    """tokenizer_config.json of a ChatML model; the padding token is not the one that ends a turn."""
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": "<|im_start|>",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "unk_token": "<|endoftext|>",
        "model_max_length": context,
        "clean_up_tokenization_spaces": False,
        "add_prefix_space": False,
    }
    (target / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")


def _config() -> dict[str, Any]:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": 256 + len(CONTROL),
        "hidden_size": HIDDEN,
        "intermediate_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "max_position_embeddings": 2048,
        "tie_word_embeddings": True,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "pad_token_id": 0,
        "dtype": "float32",
    }


def _weights() -> dict[str, Any]:
    import numpy as np

    rng = np.random.default_rng(SEED)

    def normal(*shape: int) -> Any:
        return rng.normal(0.0, _SCALE, shape).astype(np.float32)

    ones = np.ones(HIDDEN, np.float32)
    weights = {"model.embed_tokens.weight": normal(256 + len(CONTROL), HIDDEN), "model.norm.weight": ones}
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        weights |= {f"{at}self_attn.{name}_proj.weight": normal(HIDDEN, HIDDEN) for name in "qkvo"}
        weights |= {f"{at}mlp.{name}_proj.weight": normal(WIDTH, HIDDEN) for name in ("gate", "up")}
        weights[f"{at}mlp.down_proj.weight"] = normal(HIDDEN, WIDTH)
        weights |= {f"{at}{name}_layernorm.weight": ones for name in ("input", "post_attention")}
    return weights


def _tokenizer_json() -> str:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {word: n for n, word in enumerate([*CONTROL, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(word, special=True, normalized=False) for word in CONTROL])
    return str(tokenizer.to_str(pretty=True))
