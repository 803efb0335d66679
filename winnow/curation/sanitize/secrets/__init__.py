"""What opens a door: keys, tokens, passwords, and addresses that carry them."""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.adobe import ADOBE_SECRET
from winnow.curation.sanitize.secrets.age import AGE_KEY
from winnow.curation.sanitize.secrets.airtable import AIRTABLE_KEY, AIRTABLE_TOKEN
from winnow.curation.sanitize.secrets.alibaba import ALIBABA_KEY
from winnow.curation.sanitize.secrets.anthropic import ANTHROPIC_KEY
from winnow.curation.sanitize.secrets.artifactory import (
    ARTIFACTORY_KEY,
    ARTIFACTORY_PASSWORD,
    ARTIFACTORY_REFERENCE,
)
from winnow.curation.sanitize.secrets.asana import ASANA_TOKEN
from winnow.curation.sanitize.secrets.assigned import ASSIGNED_SECRET
from winnow.curation.sanitize.secrets.atlassian import ATLASSIAN_TOKEN, BITBUCKET_PASSWORD, TRELLO_TOKEN
from winnow.curation.sanitize.secrets.authorization import AUTHORIZATION, AUTHORIZATION_SCHEME
from winnow.curation.sanitize.secrets.authress import AUTHRESS_KEY
from winnow.curation.sanitize.secrets.aws import AWS_ACCESS_KEY, AWS_SECRET_BY_NAME, AWS_SECRET_NEAR_ID
from winnow.curation.sanitize.secrets.aws_bedrock import AWS_MWS_TOKEN, BEDROCK_KEY, BEDROCK_SESSION
from winnow.curation.sanitize.secrets.azure import (
    AZURE_ACCOUNT_KEY,
    AZURE_CLIENT_SECRET,
    AZURE_MARKED_KEY,
    AZURE_SAS,
    AZURE_SHARED_ACCESS_KEY,
)
from winnow.curation.sanitize.secrets.braintree import BRAINTREE_TOKEN
from winnow.curation.sanitize.secrets.brevo import BREVO_KEY
from winnow.curation.sanitize.secrets.buildkite import BUILDKITE_TOKEN
from winnow.curation.sanitize.secrets.cerebras import CEREBRAS_KEY
from winnow.curation.sanitize.secrets.circleci import CIRCLECI_TOKEN
from winnow.curation.sanitize.secrets.clickhouse import CLICKHOUSE_KEY
from winnow.curation.sanitize.secrets.clojars import CLOJARS_TOKEN
from winnow.curation.sanitize.secrets.cloudflare import CLOUDFLARE_ORIGIN_KEY, CLOUDFLARE_TOKEN
from winnow.curation.sanitize.secrets.command_line import COMMAND_LINE
from winnow.curation.sanitize.secrets.contentful import CONTENTFUL_TOKEN
from winnow.curation.sanitize.secrets.crates import CRATES_TOKEN
from winnow.curation.sanitize.secrets.credential_url import CREDENTIAL_URL
from winnow.curation.sanitize.secrets.curl_user import CURL_USER
from winnow.curation.sanitize.secrets.databricks import DATABRICKS_TOKEN
from winnow.curation.sanitize.secrets.defined_networking import DEFINED_KEY
from winnow.curation.sanitize.secrets.deno import DENO_TOKEN
from winnow.curation.sanitize.secrets.digitalocean import DIGITALOCEAN_TOKEN
from winnow.curation.sanitize.secrets.discord import DISCORD_MFA, DISCORD_TOKEN
from winnow.curation.sanitize.secrets.docker import DOCKER_TOKEN, SWARM_TOKEN
from winnow.curation.sanitize.secrets.docker_config import DOCKER_CONFIG
from winnow.curation.sanitize.secrets.doppler import DOPPLER_TOKEN
from winnow.curation.sanitize.secrets.dropbox import DROPBOX_OLD_TOKEN, DROPBOX_TOKEN
from winnow.curation.sanitize.secrets.duffel import DUFFEL_TOKEN
from winnow.curation.sanitize.secrets.dynatrace import DYNATRACE_TOKEN
from winnow.curation.sanitize.secrets.e2b import E2B_KEY
from winnow.curation.sanitize.secrets.easypost import EASYPOST_KEY
from winnow.curation.sanitize.secrets.elevenlabs import ELEVENLABS_KEY
from winnow.curation.sanitize.secrets.facebook import FACEBOOK_APP_TOKEN, FACEBOOK_TOKEN
from winnow.curation.sanitize.secrets.figma import FIGMA_TOKEN
from winnow.curation.sanitize.secrets.firecrawl import FIRECRAWL_KEY
from winnow.curation.sanitize.secrets.fireworks import FIREWORKS_KEY
from winnow.curation.sanitize.secrets.flutterwave import FLUTTERWAVE_KEY
from winnow.curation.sanitize.secrets.fly import FLY_TOKEN
from winnow.curation.sanitize.secrets.frameio import FRAMEIO_TOKEN
from winnow.curation.sanitize.secrets.github import GITHUB_CLASSIC, GITHUB_FINE_GRAINED
from winnow.curation.sanitize.secrets.gitlab import GITLAB_RUNNER, GITLAB_SESSION, GITLAB_TOKEN
from winnow.curation.sanitize.secrets.gocardless import GOCARDLESS_TOKEN
from winnow.curation.sanitize.secrets.google import (
    FIREBASE_SERVER_KEY,
    GOOGLE_ACCESS_TOKEN,
    GOOGLE_API_KEY,
    GOOGLE_CLIENT_SECRET,
    GOOGLE_HMAC_ID,
    GOOGLE_REFRESH_TOKEN,
)
from winnow.curation.sanitize.secrets.grafana import GRAFANA_CLOUD, GRAFANA_KEY, GRAFANA_TOKEN
from winnow.curation.sanitize.secrets.groq import GROQ_KEY
from winnow.curation.sanitize.secrets.harness import HARNESS_TOKEN
from winnow.curation.sanitize.secrets.heroku import HEROKU_KEY
from winnow.curation.sanitize.secrets.hubspot import HUBSPOT_TOKEN
from winnow.curation.sanitize.secrets.huggingface import HUGGINGFACE_TOKEN
from winnow.curation.sanitize.secrets.ibm import (
    CLOUDANT_KEY,
    IBM_COS_HMAC,
    IBM_IAM_KEY,
    SOFTLAYER_KEY,
    SOFTLAYER_URL,
)
from winnow.curation.sanitize.secrets.infracost import INFRACOST_KEY
from winnow.curation.sanitize.secrets.intra42 import INTRA42_SECRET
from winnow.curation.sanitize.secrets.jina import JINA_KEY
from winnow.curation.sanitize.secrets.json_web_key import JSON_WEB_KEY
from winnow.curation.sanitize.secrets.jwt import JWT
from winnow.curation.sanitize.secrets.langfuse import LANGFUSE_KEY
from winnow.curation.sanitize.secrets.langsmith import LANGSMITH_KEY
from winnow.curation.sanitize.secrets.linear import LINEAR_KEY
from winnow.curation.sanitize.secrets.mailchimp import MAILCHIMP_KEY
from winnow.curation.sanitize.secrets.mailgun import MAILGUN_KEY, MAILGUN_SIGNING_KEY
from winnow.curation.sanitize.secrets.mapbox import MAPBOX_TOKEN
from winnow.curation.sanitize.secrets.maxmind import MAXMIND_KEY
from winnow.curation.sanitize.secrets.mercadopago import MERCADOPAGO_TOKEN
from winnow.curation.sanitize.secrets.netlify import NETLIFY_TOKEN
from winnow.curation.sanitize.secrets.netrc import NETRC
from winnow.curation.sanitize.secrets.new_relic import NEW_RELIC_KEY, NEW_RELIC_LICENCE
from winnow.curation.sanitize.secrets.notion import NOTION_SECRET, NOTION_TOKEN
from winnow.curation.sanitize.secrets.npm import NPM_TOKEN
from winnow.curation.sanitize.secrets.nuget import NUGET_KEY
from winnow.curation.sanitize.secrets.nvidia import NVIDIA_KEY
from winnow.curation.sanitize.secrets.octopus import OCTOPUS_KEY
from winnow.curation.sanitize.secrets.okta import OKTA_TOKEN
from winnow.curation.sanitize.secrets.onepassword import ONEPASSWORD_KEY, ONEPASSWORD_TOKEN
from winnow.curation.sanitize.secrets.openai import OPENAI_KEY, OPENAI_SESSION
from winnow.curation.sanitize.secrets.openshift import OPENSHIFT_TOKEN
from winnow.curation.sanitize.secrets.packagist import PACKAGIST_TOKEN
from winnow.curation.sanitize.secrets.perplexity import PERPLEXITY_KEY
from winnow.curation.sanitize.secrets.pinecone import PINECONE_KEY
from winnow.curation.sanitize.secrets.plaid import PLAID_TOKEN
from winnow.curation.sanitize.secrets.planetscale import PLANETSCALE_TOKEN
from winnow.curation.sanitize.secrets.posthog import POSTHOG_KEY
from winnow.curation.sanitize.secrets.postman import POSTMAN_KEY
from winnow.curation.sanitize.secrets.prefect import PREFECT_KEY
from winnow.curation.sanitize.secrets.private_key import PRIVATE_KEY
from winnow.curation.sanitize.secrets.pulumi import PULUMI_TOKEN
from winnow.curation.sanitize.secrets.putty_key import PUTTY_KEY
from winnow.curation.sanitize.secrets.pypi import PYPI_TOKEN
from winnow.curation.sanitize.secrets.razorpay import RAZORPAY_KEY
from winnow.curation.sanitize.secrets.readme_io import README_KEY
from winnow.curation.sanitize.secrets.render import RENDER_KEY
from winnow.curation.sanitize.secrets.replicate import REPLICATE_TOKEN
from winnow.curation.sanitize.secrets.resend import RESEND_KEY
from winnow.curation.sanitize.secrets.rubygems import RUBYGEMS_KEY
from winnow.curation.sanitize.secrets.salesforce import SALESFORCE_REFRESH, SALESFORCE_TOKEN
from winnow.curation.sanitize.secrets.scaleway import SCALEWAY_KEY
from winnow.curation.sanitize.secrets.scalingo import SCALINGO_TOKEN
from winnow.curation.sanitize.secrets.sendgrid import SENDGRID_KEY
from winnow.curation.sanitize.secrets.sentry import SENTRY_ORG, SENTRY_USER
from winnow.curation.sanitize.secrets.settlemint import SETTLEMINT_TOKEN
from winnow.curation.sanitize.secrets.shippo import SHIPPO_TOKEN
from winnow.curation.sanitize.secrets.shopify import SHOPIFY_TOKEN
from winnow.curation.sanitize.secrets.slack import SLACK_APP_TOKEN, SLACK_TOKEN
from winnow.curation.sanitize.secrets.sonar import SONAR_TOKEN
from winnow.curation.sanitize.secrets.sourcegraph import SOURCEGRAPH_TOKEN
from winnow.curation.sanitize.secrets.square import SQUARE_ACCESS_TOKEN, SQUARE_TOKEN
from winnow.curation.sanitize.secrets.stripe import STRIPE_KEY, STRIPE_WEBHOOK_SECRET
from winnow.curation.sanitize.secrets.supabase import SUPABASE_SECRET, SUPABASE_TOKEN
from winnow.curation.sanitize.secrets.tailscale import TAILSCALE_KEY
from winnow.curation.sanitize.secrets.tavily import TAVILY_KEY
from winnow.curation.sanitize.secrets.telegram import TELEGRAM_TOKEN
from winnow.curation.sanitize.secrets.tencent import TENCENT_KEY
from winnow.curation.sanitize.secrets.together import TOGETHER_KEY
from winnow.curation.sanitize.secrets.twilio import TWILIO_KEY
from winnow.curation.sanitize.secrets.twitter import TWITTER_BEARER
from winnow.curation.sanitize.secrets.typeform import TYPEFORM_TOKEN
from winnow.curation.sanitize.secrets.vault import TERRAFORM_TOKEN, VAULT_OLD_TOKEN, VAULT_TOKEN
from winnow.curation.sanitize.secrets.vercel import VERCEL_TOKEN
from winnow.curation.sanitize.secrets.volcengine import VOLCENGINE_KEY
from winnow.curation.sanitize.secrets.voyage import VOYAGE_KEY
from winnow.curation.sanitize.secrets.wandb import WANDB_KEY
from winnow.curation.sanitize.secrets.webhook import (
    DINGTALK_WEBHOOK,
    DISCORD_WEBHOOK,
    FEISHU_WEBHOOK,
    GOOGLE_CHAT_WEBHOOK,
    HOSTED_CHAT_WEBHOOK,
    IFTTT_WEBHOOK,
    MAKE_WEBHOOK,
    SLACK_WEBHOOK,
    TEAMS_WEBHOOK,
    WECOM_WEBHOOK,
    ZAPIER_WEBHOOK,
)
from winnow.curation.sanitize.secrets.wireguard_key import WIREGUARD_KEY
from winnow.curation.sanitize.secrets.xai import XAI_KEY
from winnow.curation.sanitize.secrets.yandex import YANDEX_KEY, YANDEX_TOKEN
from winnow.curation.sanitize.secrets.zoho import ZOHO_TOKEN

SECRETS: tuple[Detector, ...] = (
    PRIVATE_KEY,
    PUTTY_KEY,
    JSON_WEB_KEY,
    WIREGUARD_KEY,
    AWS_ACCESS_KEY,
    AWS_SECRET_BY_NAME,
    AWS_SECRET_NEAR_ID,
    BEDROCK_KEY,
    BEDROCK_SESSION,
    AWS_MWS_TOKEN,
    AZURE_ACCOUNT_KEY,
    AZURE_SHARED_ACCESS_KEY,
    AZURE_MARKED_KEY,
    AZURE_CLIENT_SECRET,
    AZURE_SAS,
    GITHUB_CLASSIC,
    GITHUB_FINE_GRAINED,
    GITLAB_TOKEN,
    GITLAB_RUNNER,
    GITLAB_SESSION,
    ANTHROPIC_KEY,
    OPENAI_KEY,
    OPENAI_SESSION,
    ADOBE_SECRET,
    AGE_KEY,
    AIRTABLE_TOKEN,
    AIRTABLE_KEY,
    ALIBABA_KEY,
    ARTIFACTORY_KEY,
    ARTIFACTORY_REFERENCE,
    ARTIFACTORY_PASSWORD,
    ASANA_TOKEN,
    ATLASSIAN_TOKEN,
    BITBUCKET_PASSWORD,
    TRELLO_TOKEN,
    AUTHRESS_KEY,
    BRAINTREE_TOKEN,
    BREVO_KEY,
    BUILDKITE_TOKEN,
    CEREBRAS_KEY,
    CIRCLECI_TOKEN,
    CLICKHOUSE_KEY,
    CLOJARS_TOKEN,
    CLOUDFLARE_ORIGIN_KEY,
    CLOUDFLARE_TOKEN,
    CONTENTFUL_TOKEN,
    CRATES_TOKEN,
    DATABRICKS_TOKEN,
    DEFINED_KEY,
    DENO_TOKEN,
    DIGITALOCEAN_TOKEN,
    DISCORD_TOKEN,
    DISCORD_MFA,
    DOCKER_TOKEN,
    SWARM_TOKEN,
    DOPPLER_TOKEN,
    DROPBOX_TOKEN,
    DROPBOX_OLD_TOKEN,
    DUFFEL_TOKEN,
    DYNATRACE_TOKEN,
    E2B_KEY,
    EASYPOST_KEY,
    ELEVENLABS_KEY,
    FACEBOOK_TOKEN,
    FACEBOOK_APP_TOKEN,
    FIGMA_TOKEN,
    FIRECRAWL_KEY,
    FIREWORKS_KEY,
    FLUTTERWAVE_KEY,
    FLY_TOKEN,
    FRAMEIO_TOKEN,
    GOCARDLESS_TOKEN,
    GOOGLE_API_KEY,
    GOOGLE_CLIENT_SECRET,
    GOOGLE_ACCESS_TOKEN,
    GOOGLE_REFRESH_TOKEN,
    FIREBASE_SERVER_KEY,
    GOOGLE_HMAC_ID,
    GRAFANA_TOKEN,
    GRAFANA_CLOUD,
    GRAFANA_KEY,
    GROQ_KEY,
    HARNESS_TOKEN,
    HEROKU_KEY,
    HUBSPOT_TOKEN,
    HUGGINGFACE_TOKEN,
    IBM_IAM_KEY,
    IBM_COS_HMAC,
    SOFTLAYER_KEY,
    SOFTLAYER_URL,
    CLOUDANT_KEY,
    INFRACOST_KEY,
    INTRA42_SECRET,
    JINA_KEY,
    LANGFUSE_KEY,
    LANGSMITH_KEY,
    LINEAR_KEY,
    MAILCHIMP_KEY,
    MAILGUN_KEY,
    MAILGUN_SIGNING_KEY,
    MAPBOX_TOKEN,
    MAXMIND_KEY,
    MERCADOPAGO_TOKEN,
    NETLIFY_TOKEN,
    NEW_RELIC_KEY,
    NEW_RELIC_LICENCE,
    NOTION_TOKEN,
    NOTION_SECRET,
    NPM_TOKEN,
    NUGET_KEY,
    NVIDIA_KEY,
    OCTOPUS_KEY,
    OKTA_TOKEN,
    ONEPASSWORD_KEY,
    ONEPASSWORD_TOKEN,
    OPENSHIFT_TOKEN,
    PACKAGIST_TOKEN,
    PERPLEXITY_KEY,
    PINECONE_KEY,
    PLAID_TOKEN,
    PLANETSCALE_TOKEN,
    POSTHOG_KEY,
    POSTMAN_KEY,
    PREFECT_KEY,
    PULUMI_TOKEN,
    PYPI_TOKEN,
    RAZORPAY_KEY,
    README_KEY,
    RENDER_KEY,
    REPLICATE_TOKEN,
    RESEND_KEY,
    RUBYGEMS_KEY,
    SALESFORCE_TOKEN,
    SALESFORCE_REFRESH,
    SCALEWAY_KEY,
    SCALINGO_TOKEN,
    SENDGRID_KEY,
    SENTRY_ORG,
    SENTRY_USER,
    SETTLEMINT_TOKEN,
    SHIPPO_TOKEN,
    SHOPIFY_TOKEN,
    SLACK_TOKEN,
    SLACK_APP_TOKEN,
    SONAR_TOKEN,
    SOURCEGRAPH_TOKEN,
    SQUARE_TOKEN,
    SQUARE_ACCESS_TOKEN,
    STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET,
    SUPABASE_TOKEN,
    SUPABASE_SECRET,
    TAILSCALE_KEY,
    TAVILY_KEY,
    TELEGRAM_TOKEN,
    TENCENT_KEY,
    TOGETHER_KEY,
    TWILIO_KEY,
    TWITTER_BEARER,
    TYPEFORM_TOKEN,
    VAULT_TOKEN,
    VAULT_OLD_TOKEN,
    TERRAFORM_TOKEN,
    VERCEL_TOKEN,
    VOLCENGINE_KEY,
    VOYAGE_KEY,
    WANDB_KEY,
    XAI_KEY,
    YANDEX_KEY,
    YANDEX_TOKEN,
    ZOHO_TOKEN,
    JWT,
    SLACK_WEBHOOK,
    DISCORD_WEBHOOK,
    TEAMS_WEBHOOK,
    GOOGLE_CHAT_WEBHOOK,
    ZAPIER_WEBHOOK,
    IFTTT_WEBHOOK,
    FEISHU_WEBHOOK,
    DINGTALK_WEBHOOK,
    WECOM_WEBHOOK,
    MAKE_WEBHOOK,
    HOSTED_CHAT_WEBHOOK,
    CREDENTIAL_URL,
    NETRC,
    CURL_USER,
    COMMAND_LINE,
    DOCKER_CONFIG,
    AUTHORIZATION,
    AUTHORIZATION_SCHEME,
    ASSIGNED_SECRET,
)
