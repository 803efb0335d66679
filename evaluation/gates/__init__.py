"""Gates that a checkpoint has to pass: `load_gates` reads them, `decide_all` gives one decision from all."""

from evaluation.gates.config import Gate, GatesConfig, gates_file, load_gates
from evaluation.gates.decision import GateLine, PromotionDecision, decide_all
from evaluation.gates.measured import of_accuracy, of_loss, of_passes

__all__ = [
    "Gate",
    "GateLine",
    "GatesConfig",
    "PromotionDecision",
    "decide_all",
    "gates_file",
    "load_gates",
    "of_accuracy",
    "of_loss",
    "of_passes",
]
