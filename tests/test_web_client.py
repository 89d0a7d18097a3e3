"""The test suite's own browser and client, where they can be watched without OAuth."""

from tests.cast import Person
from tests.in_process import BASE, in_process
from tests.web_client import Browser, WebClient


def test_the_browser_signs_in_when_a_page_asks_for_it_and_presses_its_buttons(alice: Person) -> None:
    with in_process() as http:
        browser = Browser(http, alice.user.email)

        page = browser.visit("/setup")
        minted = browser.press(page, "Mint the key", name="Laptop", scopes="memory:read")

        assert (page.status_code, page.url.path) == (200, "/setup")
        assert "pam_mkey_" in minted.text


def test_the_client_reads_the_challenge_and_calls_with_what_it_holds(alice: Person) -> None:
    with in_process() as http:
        client = WebClient(http, f"{BASE}/v1/mcp/memory")

        assert client.challenge()["scope"] == "memory:read"
        client.tokens = {"access_token": alice.secret}
        assert client.call("retrieve_memory", prompt="Who owns billing?")["isError"] is True
