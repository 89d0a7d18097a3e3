"""The two parties of an OAuth login, step by step: a person's browser, and a client that knows only the endpoint's URL.

For the clients that cannot be had here (Claude on the web, ChatGPT, VS Code, Cursor) and for tests that look at one
step. Written against RFC 6750, 7009, 7591, 7636, 8414, 8707, 9207 and 9728, not against PAM: every address but the
endpoint's is discovered. Both take any httpx2 client, one of a running server or `in_process()`.
"""

import base64
import hashlib
import json
import re
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urljoin, urlsplit

import httpx2
from bs4 import BeautifulSoup, Tag

from tests.cast import PASSWORD

CALLBACK = "https://agent.example/callback"
PROTOCOL = "2025-11-25"
_HOPS = 10
_PARAMETER = re.compile(r'(\w+)="([^"]*)"')


@dataclass
class Browser:
    """A person at a browser. Signs in when a page asks for it; stops where a redirect leads out of PAM."""

    http: httpx2.Client
    email: str
    password: str = PASSWORD

    def visit(self, address: str) -> httpx2.Response:
        """The page behind the address, or the redirect that leaves."""
        response = self._arrive(self.http.get(address))
        login = _form_with(response, "password")
        if login is None:
            return response
        return self._submit(response, login, {"login": self.email, "password": self.password})

    def press(self, page: httpx2.Response, button: str, **choices: str) -> httpx2.Response:
        """What follows on the button with this word; `choices` are fields by name (an account, say)."""
        form, pressed = _button(page, button)
        name = pressed.get("name")
        return self._submit(page, form, {**choices, **({str(name): str(pressed.get("value", ""))} if name else {})})

    def decide(self, address: str, button: str = "Approve", **choices: str) -> str:
        """The client's address, with a code or an error, to which the consent page leads."""
        response = self.visit(address)
        if not response.is_redirect:
            response = self.press(response, button, **choices)
        assert response.is_redirect, (response.status_code, response.text)
        return response.headers["Location"]

    def _submit(self, page: httpx2.Response, form: Tag, values: dict[str, str]) -> httpx2.Response:
        address = urljoin(str(page.url), str(form.get("action") or page.url))
        data = {**_fields(form), **values}
        return self._arrive(self.http.post(address, data=data, headers={"Referer": str(page.url)}))

    def _arrive(self, response: httpx2.Response) -> httpx2.Response:
        for _ in range(_HOPS):
            target = urljoin(str(response.url), response.headers.get("Location", ""))
            if not response.is_redirect or urlsplit(target)[:2] != urlsplit(str(response.url))[:2]:
                return response
            response = self.http.get(target)
        raise AssertionError(f"More than {_HOPS} redirects, the last to {target}")


def _form_with(page: httpx2.Response, name: str) -> Tag | None:
    if page.is_redirect:
        return None
    asked = BeautifulSoup(page.text, "lxml").find("input", {"name": name})
    return asked.find_parent("form") if asked else None


def _button(page: httpx2.Response, word: str) -> tuple[Tag, Tag]:
    for button in BeautifulSoup(page.text, "lxml").select("form button, form input[type=submit]"):
        form = button.find_parent("form")
        if form and word in (button.get_text(" ", strip=True) or str(button.get("value", ""))):
            return form, button
    raise AssertionError(f"No button {word!r} on the page ({page.status_code}): {page.text}")


def _fields(form: Tag) -> dict[str, str]:
    """What the form sends as it stands, without its buttons."""
    sent = {}
    for each in form.select("input[name], textarea[name]"):
        kind = str(each.get("type", "text"))
        if kind in ("checkbox", "radio") and not each.has_attr("checked"):
            continue
        if kind not in ("submit", "button", "image"):
            sent[str(each["name"])] = str(each.get("value", "on" if kind == "checkbox" else ""))
    for each in form.select("select[name]"):
        chosen = each.select_one("option[selected]") or each.select_one("option")
        sent[str(each["name"])] = str(chosen.get("value", chosen.text)) if chosen else ""
    return sent


@dataclass
class WebClient:
    """A client of the endpoint. `connect` does all the steps; each can be taken, and bent, by itself."""

    http: httpx2.Client
    endpoint: str
    redirect_uri: str = CALLBACK
    protected: dict[str, Any] = field(default_factory=dict)
    server: dict[str, Any] = field(default_factory=dict)
    client: dict[str, Any] = field(default_factory=dict)
    tokens: dict[str, Any] = field(default_factory=dict)
    scope: str = ""
    state: str = ""
    verifier: str = ""

    def connect(self, browser: Browser, body: dict[str, Any] | None = None) -> "WebClient":
        """Comes to hold tokens, beginning with the endpoint's URL alone."""
        self.discover()
        self.register(body)
        self.redeem(self.received(browser.decide(self.authorization_url())))
        return self

    def challenge(self) -> dict[str, str]:
        """The parameters of the 401 that meets a client without a token (RFC 9728, 5.1)."""
        refused = self.send("initialize", token="")
        scheme, _, parameters = refused.headers["WWW-Authenticate"].partition(" ")
        assert (refused.status_code, scheme) == (401, "Bearer"), refused.text
        return dict(_PARAMETER.findall(parameters))

    def discover(self) -> None:
        """Both metadata documents, by way of the challenge."""
        challenge = self.challenge()
        self.scope = challenge.get("scope", "")
        self.protected = self._document(challenge["resource_metadata"])
        issuer = urlsplit(self.protected["authorization_servers"][0])
        path = f"/.well-known/oauth-authorization-server{issuer.path.rstrip('/')}"
        self.server = self._document(issuer._replace(path=path).geturl())

    def register(self, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Registers (RFC 7591) with `body`, by default as a public client; the answer is kept in `client`."""
        asked = body or {
            "client_name": "Agent",
            "redirect_uris": [self.redirect_uri],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }
        answer = self.http.post(self.server["registration_endpoint"], json=asked)
        assert answer.status_code == 201, (answer.status_code, answer.text)
        self.client = answer.json()
        return self.client

    def authorization_url(self, **changes: str | None) -> str:
        """Where the person's browser is sent; a change to None leaves the parameter out."""
        self.state, self.verifier = secrets.token_urlsafe(16), secrets.token_urlsafe(48)
        digest = hashlib.sha256(self.verifier.encode()).digest()
        asked: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.client["client_id"],
            "redirect_uri": self.redirect_uri,
            "scope": self.scope or None,
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            "resource": self.protected["resource"],
            **changes,
        }
        query = urlencode({name: value for name, value in asked.items() if value is not None})
        return f"{self.server['authorization_endpoint']}?{query}"

    def received(self, location: str) -> str:
        """The code in the redirect, after the checks that a client owes itself (state; RFC 9207)."""
        answer = dict(parse_qsl(urlsplit(location).query))
        assert location.partition("?")[0] == self.redirect_uri, location
        assert (answer.get("state"), answer.get("iss")) == (self.state, self.server["issuer"]), location
        return answer["code"]

    def exchange(self, code: str, **changes: str | None) -> httpx2.Response:
        """The token endpoint's answer to the code."""
        return self._grant(
            {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": self.redirect_uri,
                "code_verifier": self.verifier,
                "resource": self.protected["resource"],
                **changes,
            }
        )

    def redeem(self, code: str) -> dict[str, Any]:
        """The tokens for the code, which must be given; they are kept in `tokens`."""
        return self._keep(self.exchange(code))

    def refresh(self, token: str | None = None, **changes: str | None) -> httpx2.Response:
        """The token endpoint's answer to a refresh token, by default the one held."""
        held = self.tokens["refresh_token"] if token is None else token
        asked = {"grant_type": "refresh_token", "refresh_token": held, "resource": self.protected["resource"]}
        return self._grant({**asked, **changes})

    def renew(self) -> dict[str, Any]:
        """A new pair of tokens, which must be given."""
        return self._keep(self.refresh())

    def revoke(self, token: str, **changes: str | None) -> httpx2.Response:
        """The answer to giving a token back (RFC 7009)."""
        return self._posted(self.server["revocation_endpoint"], {"token": token, **changes})

    def send(
        self, method: str, params: dict[str, Any] | None = None, *, token: str | None = None, **headers: str
    ) -> httpx2.Response:
        """The endpoint's answer to one message; the empty token sends none."""
        held = self.tokens.get("access_token", "") if token is None else token
        sent = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": PROTOCOL, **headers}
        if held:
            sent["Authorization"] = f"Bearer {held}"
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return self.http.post(self.endpoint, json=message, headers=sent)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool call that must be let in."""
        answer = self.send("tools/call", {"name": tool, "arguments": arguments})
        assert answer.status_code == 200, (answer.status_code, answer.text)
        result: dict[str, Any] = _message(answer)["result"]
        return result

    def _grant(self, asked: dict[str, str | None]) -> httpx2.Response:
        return self._posted(self.server["token_endpoint"], asked)

    def _posted(self, address: str, asked: dict[str, str | None]) -> httpx2.Response:
        """A form sent as the client: by the secret it was given, in the way it registered, else by its id."""
        secret = self.client.get("client_secret")
        method = self.client.get("token_endpoint_auth_method", "none")
        data = {"client_id": self.client["client_id"], **asked}
        auth = None
        if secret and method == "client_secret_basic":
            auth = httpx2.BasicAuth(str(data.pop("client_id")), secret)
        elif secret:
            data["client_secret"] = secret
        form = {name: value for name, value in data.items() if value is not None}
        return self.http.post(address, data=form, **({"auth": auth} if auth else {}))

    def _keep(self, answer: httpx2.Response) -> dict[str, Any]:
        assert answer.status_code == 200, (answer.status_code, answer.text)
        self.tokens = answer.json()
        return self.tokens

    def _document(self, address: str) -> dict[str, Any]:
        answer = self.http.get(address)
        assert answer.status_code == 200, (address, answer.status_code, answer.text)
        document: dict[str, Any] = answer.json()
        return document


def _message(answer: httpx2.Response) -> dict[str, Any]:
    """The last message of an answer: a call that takes long comes as an event stream."""
    is_stream = answer.headers["Content-Type"].startswith("text/event-stream")
    text = re.findall(r"^data: (.+)$", answer.text, re.MULTILINE)[-1] if is_stream else answer.text
    message: dict[str, Any] = json.loads(text)
    return message


def answered(location: str) -> dict[str, str]:
    """The parameters of a redirect back to a client."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(location).query).items()}
