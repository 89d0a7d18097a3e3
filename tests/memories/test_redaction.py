import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories import redaction
from memories.company.reading.formats import data
from tests.requirements import requirement

# What must go, by the text it stands in. None of these was ever a real credential.
SECRETS = {
    "pam_mkey_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789": "{}",
    "pam_at_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789": "{}",
    "pam_rt_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789": "{}",
    "mem_0123456789abcdefABCDEF0123456789xyz": "key {} of the shop",
    "AKIAIOSFODNN7EXAMPLE": "aws: {}",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": "aws_secret_access_key = {}",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a": "{}",
    "github_pat_11ABCDEFG0aBcDeFgHiJkL_0123456789abcdef": "{}",
    "glpat-abcDEF123456_7890abc": "{}",
    "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx": "{}",
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc": "stripe {}",
    "sk-proj-abc123DEF456ghi789JKL012mno345PQR": "{}",
    "sk-ant-api03-abcdefghijklmnop-1234567890": "{}",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY": "{}",
    "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ": "{}",
    "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX": "post to https://{} please",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789": "{}",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP": "{}",
    "s3cr3tA": "postgres://pam:{}@db.example.com:5432/pam",
    "p@ss/w0rd": "mysql+pymysql://root:{}@db.example.com/shop",
    "hunter2a": "redis://:{}@cache:6379/0",
    "hunter2b": "https://ada:{}@example.com/path",
    "abcdef1234567890ABCDEF": "Authorization: Bearer {}",
    "dXNlcjpwYXNzd29yZA==": "authorization: basic {}",
    "hunter2c": "curl -u admin:{} https://example.com",
    "hunter2d": "password: {}",
    "correct horse battery staple": 'Password: "{}"',
    "swordfish": "DB_PASSWORD={}",
    "mydog123": "password: {}",
    "changeme": "PASSWORD={}",
    "$ecret1x": "pwd: {}",
    "hunter2e": "spring.datasource.password={}",
    "S3cr3t!": "Server=db;User Id=sa;Password={};Encrypt=yes",
    "hunter2f": "the password is {}",
    "sunflower": "The wifi password is {}.",
    "Basel2024!": "Wifi password for guests: {}",
    "Tr0ub4dor&3": "**Password:** {}",
    "hunter2g": '{{"password": "{}", "x": 1}}',
    "hunter2h": '{{\\"password\\": \\"{}\\"}}',
    "0f8fad5b-d9cb-469f-a165-70867728950e": "api_key: {}",
    "abcd1234efgh5678": '"apiKey": "{}"',
    "8f7d6a5b4c3d2e1f": "token: {}",
    "5902rmnmjz5fivko9172": "https://example.com/search?token={}&page=2",
    "hunter2i": "psql --password {} --host db",
    "hunter2j": "| Password | {} |",
    "Geheim123": "Das Kennwort lautet {}.",
    "hunter2k": "- name: SMTP_PASSWORD\n  value: {}",
    "sessionid=abcdef1234567890": "Cookie: {}",
    "XmlGrimPw4321": "<password>{}</password>",
    "XmlGrimPw4322": '<ns:DbPassword xml:lang="en">\n  {}\n</ns:DbPassword>',
    "XmlGrimPw4323": "<PASSWORD><![CDATA[{}]]></PASSWORD>",
    "XmlGrimPw4324": "&lt;password&gt;{}&lt;/password&gt;",
    "ArrGrimPw331": '{{"password": ["{}"]}}',
    "ArrGrimPw332": '{{"passwords": [["{}"], {{"type": "string"}}]}}',
    "ArrGrimPw335": '{{"password": {{"old": {{"is": "{}"}}}}}}',
    "ArrGrimPw336": "passwords: [{}]",
    "LineGrimPw11": "Password:\n    {}",
    "LineGrimPw12": "**Password:**\n\n  `{}`",
    "LineGrimPw13": "passwords:\n  - {}",
    "LineGrimPw14": "passwords:\n- {}\n- rotation",
    "ArrGrimPw337": "passwords = ['{}', 'x']",
    "SlashGrimPw54": "pass: {}",
    "SlashGrimPw55": "user: root / pass: {}",
    "SlashGrimPw56": "pass={}",
    "slashgrim57": "**Pass:** {}",
    "CredGrimPw88": "Credentials (Grimsby): admin / {}",
    "CredGrimPw89": "Credentials for the till: admin / {}.",
    "RootGrimPw66": "login root/{}",
    "CjkGrimPw33": "密码：{}",
    "CjkGrimPw34": "密码是{}。",
    "CjkGrimPw35": "パスワード: {}",
    "FrGrimPw44!": "Le mot de passe de X est {}",
    "FrGrimPw45!": "le mot de passe d'Anna est : {}.",
    "EsGrimPw46": "La contraseña de la caja es {}.",
    "hunter2l": "| user | password |\n|---|---|\n| ada | {} |",
}
INNOCENT = [
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "commit da39a3ee5e6b4b0d3255bfef95601890afd80709 fixes it",
    "550e8400-e29b-41d4-a716-446655440000",
    "session_id: 550e8400-e29b-41d4-a716-446655440000",
    "CHF 1,249.00 or EUR 12.50",
    "+41 61 555 01 23",
    "2025-03-04T10:22:00+01:00",
    "978-3-16-148410-0",
    "CH93 0076 2011 6238 5295 7",
    "#ff00aa",
    "/usr/local/share/velo/config_file_name.yaml",
    "ada.ek@example.com",
    "git@github.com:velo/fleet.git",
    "https://example.com:443/@user/post",
    "https://example.com/handbook/people/onboarding-checklist-for-new-mechanics",
    "never share your password",
    "Password: see 1Password",
    "Passwords are stored in 1Password.",
    "The password is rotated every 90 days.",
    "The password is case-sensitive.",
    "The password is wrong.",
    "Your password must be at least 12 characters.",
    "Password: minimum 12 characters",
    "Password: required",
    "password: ********",
    "password: <your-password>",
    "password: your-password",
    "DB_PASSWORD=$OTHER_PASSWORD",
    "DB_PASSWORD_FILE=/run/secrets/db",
    "password: ${DB_PASSWORD}",
    'password = os.environ["DB_PASSWORD"]',
    "max_tokens: 4096, tokens: 20,000",
    "The token is valid for 3600 seconds.",
    "Secret Santa: 12 December",
    "secretary: Ilse Brandt",
    "API key: ask Dana",
    "The API key is stored in the vault.",
    "bearer authentication",
    "basic infrastructure-maintenance",
    "Access key: hangs at the depot door",
    "password reset: click the link in the mail",
    "ERR-4912 in lock_firmware_version, ticket VEL-2231",
    "doc_7k2mabcdefghjkmnpqrs",
    '"next_page_token": "eyJwIjoxMjM0NTY3ODkwfQ"',
    "Password: see the vault",
    "Password:\n    see the vault",
    "Password:\n  Required",
    "Password:\nGrimsby2 has none.",
    "Passwords:\n- storage\n- rotation",
    "pass: optional",
    "pass: yes",
    "Tests: pass: 412, fail: 3",
    "pass: da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "pass: 550e8400-e29b-41d4-a716-446655440000",
    "pass: v12.14.3",
    "pass: CHF 1,249.00",
    "login src/AuthController2.ts",
    "Login at Basel/Zurich2024",
    "Credentials: ask Dana / see 1Password",
    "<password>see the vault</password>",
    "<password>required</password>",
    '{"password": {"type": "string", "minLength": 12, "description": "At least 12 signs of 3 kinds"}}',
    "Password: [vault2](https://example.com/vault2)",
    "Password: [a-zA-Z0-9]{8,}",
    "Le mot de passe de X est obligatoire.",
    "密码：请见保险箱",
    "| Service | Password | Notes |\n|---|---|---|\n| Shop | see 1Password | ask Dana first |",
]


@requirement("redaction:secrets-are-cut")
@pytest.mark.parametrize(("secret", "frame"), SECRETS.items())
def test_a_secret_is_cut_and_the_words_around_it_stay(secret, frame):
    text = f"Before.\n{frame.format(secret)}\nAfter."
    redacted = redaction.cut(text)

    assert secret not in redacted.text
    assert re.search(r"\[redacted: [\w ]+\]", redacted.text)
    assert redacted.text.startswith("Before.\n")
    assert redacted.text.endswith("\nAfter.")
    assert redacted.count == 1


@requirement("redaction:no-false-cuts")
@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_secret_stays(text):
    assert redaction.cut(text) == redaction.Redacted(text, 0)


@requirement("redaction:secrets-are-cut")
@pytest.mark.parametrize(
    ("address", "kept"),
    [
        (
            "postgres://pam:s3cr3t@db.example.com:5432/pam",
            "postgres://pam:[redacted: password]@db.example.com:5432/pam",
        ),
        ("Server=db;Password=S3cr3t!;Encrypt=yes", "Server=db;Password=[redacted: password];Encrypt=yes"),
        (
            "https://x.example.com/f?sv=2020&sig=abcdEFGH1234%2Fabcd",
            "https://x.example.com/f?sv=2020&sig=[redacted: signature]",
        ),
    ],
)
def test_of_a_connection_string_only_the_password_goes(address, kept):
    assert redaction.cut(address).text == kept


@requirement("redaction:secrets-are-cut")
@pytest.mark.parametrize(
    "key",
    [
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAABG5\\n-----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
    ],
)
def test_a_private_key_goes_whole_even_when_it_is_cut_off(key):
    assert redaction.cut(f"Key:\n{key}\n\nDone.").text == "Key:\n[redacted: private key]\n\nDone."


def test_the_head_of_a_private_key_alone_is_no_key():
    text = "Files that begin with -----BEGIN PRIVATE KEY----- are keys."

    assert redaction.cut(text).text == text


@requirement("redaction:nested")
@pytest.mark.parametrize(
    "name",
    [
        "password",
        "PASSWORD",
        "dbPassword",
        "db-password",
        "user.passwd",
        "Ｐassword",
        "api_key",
        "X-Api-Key",
        "apiKey",
        "APIKEY",
        "Authorization",
        "client_secret",
        "clientSecret",
        "access_token",
        "Set-Cookie",
        "privateKey",
        "credentials",
        "secrets",
    ],
)
def test_a_field_named_as_a_secret_is_cut_in_any_case_and_style(name):
    value = {"outer": [{name: "plain words"}, {name: {"inner": "plain words", "number": 12}}, {"note": "plain words"}]}
    text = json.dumps(redaction.cut_deep(value))

    assert text.count("plain words") == 1
    assert "12" not in text


@requirement("redaction:nested")
def test_fields_about_secrets_stay():
    value = {
        "max_tokens": 4096,
        "token_type": "bearer",
        "token_count": "12",
        "password_policy": "twelve letters",
        "next_page_token": "eyJwIjoxMjM0NTY3ODkwfQ",
        "access_key_id": "first",
        "secretary": "Ilse Brandt",
        "session_id": "550e8400-e29b-41d4-a716-446655440000",
        "password": None,
        "token": "",
        "has_password": True,
    }

    assert redaction.cut_deep(value) == value


@requirement("redaction:nested")
def test_nested_texts_names_and_pairs_are_cut_too():
    value = {
        "note": "the password is hunter2",
        "sk-ant-api03-abcdefghijklmnop-1234567890": 1,
        "env": ({"name": "DB_PASSWORD", "value": "swordfish"}, {"name": "CITY", "value": "Basel"}),
    }

    assert redaction.cut_deep(value) == {
        "note": "the password is [redacted: password]",
        "[redacted: Anthropic key]": 1,
        "env": ({"name": "DB_PASSWORD", "value": "[redacted: password]"}, {"name": "CITY", "value": "Basel"}),
    }


@requirement("redaction:nested")
@pytest.mark.parametrize(
    "value",
    [
        {"password": ["ArrGrimPw333", "ArrGrimPw334"]},
        {"password": [["ArrGrimPw333"], {"old": ["ArrGrimPw334"]}]},
        {"password": {"old": "ArrGrimPw333", "new": {"it": "ArrGrimPw334"}}},
        {"shops": [{"name": "Grimsby", "dbPasswords": ["ArrGrimPw333", "ArrGrimPw334"]}]},
        {"dbSecret": ["ArrGrimPw335GrimPw"], "password": ["ArrGrimPw333"], "dbPasswords": ["ArrGrimPw334"]},
        {"password": ["ArrGrimPw333"] * 40 + ["ArrGrimPw334"]},
    ],
)
def test_what_is_nested_below_a_secrets_name_is_cut_as_json_as_a_document_and_as_text(value):
    texts = [
        json.dumps(redaction.cut_deep(value)),
        redaction.cut(data.read(json.dumps(value).encode()).markdown).text,
        redaction.cut(json.dumps(value)).text,
        redaction.cut(json.dumps(value, indent=2)).text,
    ]

    assert [text for text in texts if "GrimPw" in text] == []
    assert all("[redacted: password]" in text for text in texts)


@requirement("redaction:no-false-cuts")
def test_a_json_document_about_passwords_stays():
    value = {
        "password": {"type": "string", "minLength": 12, "description": "At least 12 signs of 3 kinds"},
        "passwords": ["see the vault", "required"],
        "token": ["optional"],
    }

    assert redaction.cut_fields(value) == value


def test_endless_nesting_ends():
    value: list[object] = []
    for _ in range(5000):
        value = [value]

    assert "nested too deeply" in str(redaction.cut_deep(value))


FRAGMENTS = st.sampled_from(
    [
        *SECRETS,
        *SECRETS.values(),
        *INNOCENT,
        "password",
        "Password:",
        "is",
        "=",
        ":",
        '"',
        "'",
        "`",
        "|",
        "\n",
        " ",
        "token",
        "secret",
        "api key",
        "bearer ",
        "://",
        "@",
        "a:b",
        "[redacted: password]",
        "[redacted: ",
        "]",
        "**",
        "\\",
        "--",
        "sig=",
        "-----BEGIN PRIVATE KEY-----",
        "name:",
        "value:",
        "cookie:",
        "<password>",
        "</password>",
        "[",
        "{",
        "pass: ",
        "login ",
        " / ",
        "\n  ",
        "\n- ",
        "密码：",
        "İ",
    ]
)


@requirement("redaction:idempotent")
@settings(deadline=None)
@given(parts=st.lists(FRAGMENTS | st.text(max_size=12), max_size=12))
def test_cutting_twice_is_cutting_once(parts):
    once = redaction.cut("".join(parts)).text

    assert redaction.cut(once) == redaction.Redacted(once, 0)


@requirement("redaction:secrets-are-cut")
@settings(deadline=None)
@given(before=st.text(max_size=30), after=st.text(max_size=30))
def test_a_key_is_cut_wherever_it_stands(before, after):
    key = "pam_mkey_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"

    assert key not in redaction.cut(f"{before} {key} {after}").text
