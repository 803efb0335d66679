"""`python -m training.dequantize MODEL.gguf DIRECTORY`: a GGUF as fp32 safetensors with its tokenizer."""

import sys
from pathlib import Path


def dequantize(gguf: Path, target: Path) -> None:
    """Writes config, weights and tokenizer into `target`; the logits equal those of the GGUF as loaded."""
    from winnow.models.child import prepare_process

    prepare_process()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from training.tiny import write_tokenizer_config

    loaded = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    config = loaded.config
    # A model marked as quantized refuses to be saved, though its weights are plain fp32 by now
    del config.quantization_config
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    config.pad_token_id = tokenizer.convert_tokens_to_ids("<|endoftext|>")
    plain = type(loaded)(config)
    plain.load_state_dict(loaded.state_dict(), strict=True)
    plain.generation_config.pad_token_id = config.pad_token_id
    plain.save_pretrained(target)
    tokenizer.backend_tokenizer.save(str(target / "tokenizer.json"))
    write_tokenizer_config(target, context=config.max_position_embeddings)


if __name__ == "__main__":
    dequantize(Path(sys.argv[1]), Path(sys.argv[2]))
