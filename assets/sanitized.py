"""sanitized: the first layer that people may read."""

import dagster as dg

from assets.build import Work, build_row_stage
from assets.checks import AssetEvents
from assets.detectors import key_name, keyed_settings
from assets.layer import LayerOptions, build_layer, layer
from assets.reporting import LayerReport
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.rows import CONVERSATIONS, SANITIZED
from winnow.core.stage import StageOutput
from winnow.curation.sanitize import SanitizeStage
from winnow.curation.sanitize.history import FiringWatch, numbers, told
from winnow.lake.firing import fired_history
from winnow.models.tokenizer import load_tokenizer

FIRING = "firing"
"""The check that warns where a category fires far above its history; it blocks nothing."""


def build_sanitized(work: Work, watch: FiringWatch | None = None) -> LayerReport:
    """Detectors over every string; the tokens of what comes out are counted on the way."""
    settings = keyed_settings(work.lake)
    stage = SanitizeStage(settings, load_tokenizer(winnow_config().tokenizer))

    def seen(output: StageOutput) -> None:
        for warning in watch.add(output) if watch else ():
            work.say(f"warning: {warning}")

    return build_row_stage(
        work,
        stage,
        "conversations",
        SANITIZED,
        counted=stage.tokens,
        cached=True,
        cache_key=key_name(settings),
        seen=seen,
    )


def _options() -> LayerOptions:
    options = layer(SANITIZED, SanitizeStage.code_version)
    firing = dg.AssetCheckSpec(
        FIRING,
        asset=SANITIZED.table,
        description="No category fires far above its history in the first rows of a run; only a warning.",
    )
    return {**options, "check_specs": [*options["check_specs"], firing]}


@dg.asset(deps=["conversations"], **_options())
def sanitized(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Conversations in which private and secret spans are replaced by their category."""
    watches: list[FiringWatch] = []

    def build(work: Work) -> LayerReport:
        history = fired_history(work.lake, work.source)
        watches.append(FiringWatch(work.source, history, winnow_config().sanitize.firing))
        return build_sanitized(work, watches[0])

    yield from build_layer(context, lake, build, CONVERSATIONS)
    found = watches[0].warnings()
    yield dg.AssetCheckResult(
        check_name=FIRING,
        passed=not found,
        severity=dg.AssetCheckSeverity.WARN,
        description=told(found),
        metadata=numbers(watches[0]),
    )
