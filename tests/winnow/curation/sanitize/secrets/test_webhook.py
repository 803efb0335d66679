from winnow.curation.sanitize.secrets.webhook import DISCORD_WEBHOOK, SLACK_WEBHOOK

SLACK = "https://hooks.slack.com/services/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"
DISCORD = "https://discord.com/api/v10/webhooks/123456789012345678/" + "aB3_-" * 13


def test_the_whole_url_is_found_also_with_escaped_slashes() -> None:
    for url in (SLACK, SLACK.replace("/", r"\/")):
        assert [url[s:e] for s, e in SLACK_WEBHOOK.find(f"{url}")] == [url]
    text = f'post("{DISCORD}", json=body)'
    assert [text[s:e] for s, e in DISCORD_WEBHOOK.find(text)] == [DISCORD]


def test_manuals_and_other_pages_stay() -> None:
    manual = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"
    assert list(SLACK_WEBHOOK.find(manual)) == []
    assert list(DISCORD_WEBHOOK.find("https://discord.com/developers/docs/resources/webhooks")) == []
