"""Incoming webhooks: whoever has the URL can post. The placeholder URLs of manuals stay."""

from winnow.curation.sanitize.detector import Detector, pattern
from winnow.curation.sanitize.secrets.placeholder import is_filler

_S = r"\\?/"
"""A slash, escaped or not."""
_HTTP = rf"(?:https?:{_S}{_S})?"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"


def _is_real(url: str) -> bool:
    last = url.replace("\\", "").rstrip("/").rpartition("/")[2]
    return len(set(last)) >= 5 and not is_filler(last)


def _webhook(name: str, literal: str, regex: str) -> Detector:
    return Detector("webhook", name, (literal,), pattern(rf"(?a){_HTTP}{regex}"), _is_real)


SLACK_WEBHOOK = _webhook(
    "slack",
    "hooks.slack",
    rf"hooks\.slack(?:-gov)?\.com{_S}(?:services|workflows|triggers)(?:{_S}[A-Za-z0-9_]{{6,64}}){{2,5}}",
)
DISCORD_WEBHOOK = _webhook(
    "discord",
    "webhooks",
    rf"(?:ptb\.|canary\.)?discord(?:app)?\.com{_S}api{_S}(?:v[0-9]{{1,2}}{_S})?webhooks{_S}[0-9]{{15,21}}{_S}"
    r"[A-Za-z0-9_-]{40,100}",
)
TEAMS_WEBHOOK = _webhook(
    "teams",
    "webhook.office.com",
    rf"[A-Za-z0-9-]{{1,63}}\.webhook\.office\.com{_S}webhookb2{_S}{_UUID}@{_UUID}{_S}IncomingWebhook{_S}"
    rf"[A-Za-z0-9]{{32}}{_S}{_UUID}(?:{_S}[A-Za-z0-9_-]{{20,80}})?",
)
GOOGLE_CHAT_WEBHOOK = _webhook(
    "google_chat",
    "chat.googleapis.com",
    rf"chat\.googleapis\.com{_S}v1{_S}spaces{_S}[A-Za-z0-9_-]{{6,30}}{_S}messages\?key=[A-Za-z0-9_-]{{20,60}}"
    r"(?:&|&amp;|\\u0026)token=[A-Za-z0-9_%=-]{20,80}",
)
ZAPIER_WEBHOOK = _webhook(
    "zapier",
    "hooks.zapier.com",
    rf"hooks\.zapier\.com{_S}hooks{_S}catch{_S}[0-9]{{4,12}}{_S}[A-Za-z0-9]{{5,12}}",
)
IFTTT_WEBHOOK = _webhook(
    "ifttt",
    "maker.ifttt.com",
    rf"maker\.ifttt\.com{_S}trigger{_S}[A-Za-z0-9_{{}}-]{{1,60}}{_S}(?:json{_S})?with{_S}key{_S}[A-Za-z0-9_-]{{20,60}}",
)
FEISHU_WEBHOOK = _webhook(
    "feishu",
    "open-apis",
    rf"open\.(?:feishu\.cn|larksuite\.com){_S}open-apis{_S}bot{_S}v2{_S}hook{_S}{_UUID}",
)
DINGTALK_WEBHOOK = _webhook(
    "dingtalk",
    "oapi.dingtalk.com",
    rf"oapi\.dingtalk\.com{_S}robot{_S}send\?access_token=[0-9a-f]{{64}}",
)
WECOM_WEBHOOK = _webhook(
    "wecom", "qyapi.weixin.qq.com", rf"qyapi\.weixin\.qq\.com{_S}cgi-bin{_S}webhook{_S}send\?key={_UUID}"
)
MAKE_WEBHOOK = _webhook("make", ".make.com", rf"hook\.[a-z0-9]{{2,5}}\.make\.com{_S}[a-z0-9]{{28,40}}")
HOSTED_CHAT_WEBHOOK = _webhook(
    "hosted_chat",
    "hooks",
    rf"[A-Za-z0-9.-]{{4,100}}(?::[0-9]{{2,5}})?{_S}hooks{_S}(?:[a-z0-9]{{26}}|[A-Za-z0-9]{{17}}{_S}[A-Za-z0-9]{{40,60}})"
    r"(?![A-Za-z0-9])",
)
