import re

import pytest

from winnow.curation.sanitize.secrets.assigned import ASSIGNED_SECRET

PASSWORD = "h0pk1ns~21s"
TOKEN = "k3Xq9ZtR7vLm2WpB"


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in ASSIGNED_SECRET.find(text)]


@pytest.mark.parametrize(
    "template",
    [
        "DB_PASSWORD={}",
        "export ADMIN_PASSWD='{}'",
        'db_pass = "{}"  # old',
        'password: str = "{}"',
        'String password = "{}";',
        'var dbPassword string = "{}"',
        'let passphrase: &str = "{}";',
        'char password[20] = "{}";',
        '"password": "{}",',
        "password: {}\n",
        "  smtp_password: '{}'",
        "password := `{}`",
        ":password => '{}'",
        "define('DB_PASSWORD', '{}');",
        'if (password === "{}") {{',
        'connect(user="ann", password="{}")',
        'os.environ["DB_PASSWORD"] = "{}"',
        "<password>{}</password>",
        '<add key="ClearTextPassword" value="{}" />',
        '{{"name": "DB_PASSWORD", "value": "{}"}}',
        '- name: DB_PASSWORD\n  value: "{}"',
        "Server=db;User Id=ann;Password={};Encrypt=true",
        "jdbc:mysql://db/x?user=ann&password={}&ssl=true",
        "tool --password {} --verbose",
        "tool --password={}",
        "java -Ddb.password={} -jar x.jar",
        "ENV ROOT_PASSWORD {}",
        "The password is {}.",
        "**Password:** `{}`",
    ],
)
def test_a_password_is_found_where_code_and_configuration_have_one(template: str) -> None:
    assert found(template.format(PASSWORD)) == [PASSWORD]


@pytest.mark.parametrize(
    "template",
    [
        "API_TOKEN={}",
        'apiKey: "{}"',
        'const clientSecret = "{}";',
        "X-Api-Key: {}",
        "//packages.example-registry.dev/:_authToken={}",
        'token = os.getenv("SERVICE_TOKEN", "{}")',
        "https://host/path?access_token={}&page=1",
        "set_secret('{}')",
        "stripe_key = '{}'",
        "API key: {}",
        'SECRET_KEY = \\\n    "{}"',
    ],
)
def test_a_token_is_found_by_its_name(template: str) -> None:
    for token in (TOKEN, "5eb4223e-5008-46e5-be67-c7b8f2732305", "cfcabd11c7ed9a41b1a3e063c32d5114"):
        if not (template.startswith(("stripe", "token", "set")) and "-" in token):
            assert found(template.format(token)) == [token]


@pytest.mark.parametrize(
    "text",
    [
        'password = "password"',
        'password = "changeme"',
        "password = getpass()",
        "password = args.password2",
        "password = user_input[1:9]",
        'password = "${DB_PASSWORD}"',
        'password = f"{user}-auth1"',
        'password: "Enter your password 2"',
        "PASSWORD=<your password>",
        "password: Optional[str] = None",
        'password_hash = "h0pk1ns~21s"',
        'TOKEN_URL = "https://x.io/9f86d081884c7d65"',
        'token = "hello"',
        'token_type = "k3Xq9ZtR7vLm2WpB"',
        "token = tokens[i2]",
        'next_page_token = "k3Xq9ZtR7vLm2WpB"',
        'public_key = "k3Xq9ZtR7vLm2WpBk3Xq9ZtR7vLm2WpB"',
        'primary_key = "3a16750d-d363-41a4-8ebd-035408f7730f"',
        'cache_key = "9f86d081884c7d659a2feaa0c55ad015"',
        'key = "9f86d081884c7d659a2feaa0c55ad015"',
        'bucket_key: "SalesResults-1.2"',
        'secret = "sha256-9f86d081884c7d659a2feaa0c55ad015"',
        "io.jsonwebtoken:jjwt-impl:0.11.5",
        'author = "k3Xq9ZtR7vLm2WpB"',
        'keyboard: "k3Xq9ZtR7vLm2WpBk3Xq9"',
        "if token == self.tokens2:",
        "secret_name: k3Xq9ZtR7vLm2WpB",
        "tls_key: /etc/ssl/k3Xq9ZtR7vLm2WpB.pem",
        "AWS::KeySigningKey: a9a67ae6c371fcf4",
        '["user", "password", "email2@x"]',
        'ssh_key = "AAAAB3NzaC1yc2EAAAADAQABAAABgQC7"',
        "for (key, value) in map.iter2() {",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert found(text) == []


def test_prose_names_a_token_only_where_it_is_long() -> None:
    assert found(f"Use the secret `{TOKEN * 2}` for now.") == [TOKEN * 2]
    assert found(f"Use the secret `{TOKEN[:12]}` for now.") == []


def test_every_hit_pulls_the_trigger() -> None:
    for before in ("password", "api_key", "x['token']", "-Dauth.secret", "<passwd"):
        for between in ("=", ": ", ' = "', '", "', "(", " is ", ">", " value=", "\n  value: ", ' string = "'):
            text = f'{before}{between}{PASSWORD}{TOKEN}"<'
            assert not found(text) or re.search(ASSIGNED_SECRET.trigger_pattern, text)


@pytest.mark.parametrize(
    "piece", ["password=", "token", "key_", "secret: ", "pass ", "key\n", 'key="', "-key "]
)
def test_the_search_ends_soon_on_what_almost_matches(piece: str) -> None:
    assert list(ASSIGNED_SECRET.search(piece * 20_000)) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'{"password":"g7Kp-\"2mQz9"}', r"g7Kp-\"2mQz9"),
        (r"password = 'g7Kp-\'2mQz9'", r"g7Kp-\'2mQz9"),
        (r'{"a": "{\"password\": \"g7Kp-2mQz9\"}"}', "g7Kp-2mQz9"),
        (r'password = "g7Kp-2mQz9\\"', r"g7Kp-2mQz9\\"),
        ('password = """g7Kp-2mQz9"""', "g7Kp-2mQz9"),
    ],
)
def test_a_literal_ends_at_the_quote_that_is_not_escaped(text: str, value: str) -> None:
    assert [text[s:e] for s, e in ASSIGNED_SECRET.find(text)] == [value]
