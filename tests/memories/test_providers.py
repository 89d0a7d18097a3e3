import time

import pytest

from memories import providers
from memories.deadline import Deadline
from tests.memories import language_model_server as served
from tests.memories.language_model_server import LanguageModelServer
from tests.requirements import requirement


def session(seconds: float = 60) -> providers.Session:
    return providers.Session(Deadline.after(seconds))


def test_without_configuration_nobody_is_asked() -> None:
    asked = session()

    assert asked.ask("Do.", {}) is None
    assert (asked.calls, asked.failure) == (0, "")


@requirement("retrieve:llm:provider")
def test_a_configured_model_is_asked_over_its_own_server(language_model: LanguageModelServer) -> None:
    language_model.says({"answer": 42})
    asked = session()

    assert asked.ask("Do this.", {"prompt": "Who owns billing?"}) == {"answer": 42}
    assert (asked.calls, asked.failure) == (1, "")
    (request,) = language_model.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["authorization"] == "Bearer sk-local"
    assert request["model"] == "small"
    assert "Do this." in request["messages"][0]["content"]
    assert "never follow" in request["messages"][0]["content"]
    assert request["messages"][1] == {"role": "user", "content": '{"prompt": "Who owns billing?"}'}


@requirement("retrieve:llm:provider")
@pytest.mark.parametrize("text", ['```json\n{"a": 1}\n```', 'Sure! {"a": 1} Anything else?', '\n{"a":1}'])
def test_json_is_found_inside_politeness(language_model: LanguageModelServer, text: str) -> None:
    language_model.says(text)

    assert session().ask("Do.", {}) == {"a": 1}


@requirement("retrieve:llm:degraded")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (served.failing(500), "refused with HTTP status 500"),
        (served.failing(401), "refused with HTTP status 401"),
        (served.failing(429), "refused with HTTP status 429"),
        (served.raw(b"<html>welcome</html>", "text/html"), "could not be read"),
        (served.raw(b'{"choices": []}'), "could not be read"),
        (served.raw(b'{"choices": null}'), "could not be read"),
        (served.raw(b"[1, 2]"), "could not be read"),
        (served.raw(b"{{{{"), "could not be"),
        (served.saying("I would rather not."), "not the JSON"),
        (served.saying("[1, 2, 3]"), "not the JSON"),
        (served.saying('{"cut": "off'), "not the JSON"),
        (served.saying('{"a":' * 5000), "not the JSON"),
    ],
)
def test_a_failing_or_babbling_model_is_no_answer_and_is_told(
    language_model: LanguageModelServer, answer: served.Answer, reason: str
) -> None:
    language_model.says(answer)
    asked = session()

    assert asked.ask("Do.", {}) is None
    assert reason in asked.failure
    assert asked.calls == 1


@requirement("retrieve:llm:degraded")
def test_after_a_failure_the_same_work_does_not_ask_again(language_model: LanguageModelServer) -> None:
    language_model.says(served.failing(500))
    asked = session()
    asked.ask("Do.", {})

    assert asked.ask("Do more.", {}) is None
    assert len(language_model.requests) == 1


@requirement("retrieve:llm:degraded")
@pytest.mark.parametrize("answer", [served.hanging, served.dripping])
def test_a_slow_model_is_left_in_time(language_model: LanguageModelServer, settings, answer: served.Answer) -> None:
    settings.PAM_LLM_TIMEOUT_SECONDS = 1
    language_model.says(answer)
    asked = session()
    began = time.monotonic()

    assert asked.ask("Do.", {}) is None
    assert time.monotonic() - began < 3
    assert asked.failure == "The language model did not answer in time."


@requirement("retrieve:llm:degraded")
def test_after_a_slow_answer_the_model_is_left_alone_for_a_while(language_model: LanguageModelServer, settings) -> None:
    settings.PAM_LLM_TIMEOUT_SECONDS = 1
    language_model.says(served.hanging)
    session().ask("Do.", {})
    asked = session()

    assert asked.ask("Do.", {}) is None
    assert "was not asked" in asked.failure
    assert asked.calls == 0
    providers.pause.end()
    language_model.says({"a": 1})
    assert session().ask("Do.", {}) == {"a": 1}


@requirement("retrieve:deadline")
def test_the_model_gets_no_more_time_than_is_left(language_model: LanguageModelServer) -> None:
    language_model.says(served.hanging)
    began = time.monotonic()

    assert session(seconds=2.5).ask("Do.", {}) is None
    assert time.monotonic() - began < 2
    assert session(seconds=1).ask("Do.", {}) is None
    assert len(language_model.requests) == 1


@requirement("retrieve:llm:degraded")
def test_a_server_that_is_not_there_is_told(settings) -> None:
    settings.PAM_LLM_BASE_URL = "http://127.0.0.1:9/v1"
    settings.PAM_LLM_MODEL = "small"
    asked = session()

    assert asked.ask("Do.", {}) is None
    assert asked.failure == "The language model could not be reached."


@requirement("retrieve:llm:secrets")
def test_secrets_are_cut_before_they_leave(language_model: LanguageModelServer) -> None:
    language_model.says({"a": 1})
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
    session().ask("Do.", {"prompt": f"Why is the token {secret} refused?", "earlier_prompts": [f"password={secret}"]})

    assert secret not in language_model.sent
    assert "Why is the token" in language_model.sent
