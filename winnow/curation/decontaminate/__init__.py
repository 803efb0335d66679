"""Rows that hold benchmark items: the benchmarks, an index of their n-grams, and the stage that drops."""

from winnow.curation.decontaminate.stage import DecontaminateConfig, DecontaminateStage

__all__ = ["DecontaminateConfig", "DecontaminateStage"]
