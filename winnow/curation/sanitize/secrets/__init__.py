"""What opens a door: keys, tokens, passwords, and addresses that carry them.

A module holds the detectors of one provider or format; `SECRETS` has those of all, in the order that breaks ties.
"""

from importlib import import_module

from winnow.curation.sanitize.detector import Detector

_KEY_FILES = """
private_key putty_key json_web_key wireguard_key
"""
_PROVIDERS = """
aws aws_bedrock azure github gitlab anthropic openai adobe age airtable alibaba artifactory asana atlassian
authress braintree brevo buildkite cerebras circleci clickhouse clojars cloudflare contentful crates
databricks defined_networking deno digitalocean discord docker doppler dropbox duffel dynatrace e2b easypost
elevenlabs facebook figma firecrawl fireworks flutterwave fly frameio gocardless google grafana groq harness
heroku hubspot huggingface ibm infracost intra42 jina langfuse langsmith linear mailchimp mailgun mapbox
maxmind mercadopago netlify new_relic notion npm nuget nvidia octopus okta onepassword openshift packagist
perplexity pinecone plaid planetscale posthog postman prefect pulumi pypi razorpay readme_io render replicate
resend rubygems salesforce scaleway scalingo sendgrid sentry settlemint shippo shopify slack sonar sourcegraph
square stripe supabase tailscale tavily telegram tencent together twilio twitter typeform vault vercel
volcengine voyage wandb xai yandex zoho
"""
_NAMES_AND_PLACES = """
jwt webhook credential_url netrc curl_user command_line docker_config authorization assigned
"""
_MODULES = (*_KEY_FILES.split(), *_PROVIDERS.split(), *_NAMES_AND_PLACES.split())

SECRETS: tuple[Detector, ...] = tuple(
    found
    for module in _MODULES
    for found in vars(import_module(f"{__name__}.{module}")).values()
    if isinstance(found, Detector)
)
