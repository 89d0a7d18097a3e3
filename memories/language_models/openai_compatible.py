"""Any server that speaks the chat completions API of OpenAI, through the `openai` package."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout

import openai

from memories.errors import ProviderFailed
from memories.providers import TimedOut


class OpenAICompatible:
    """Asks with the fewest parameters, so that servers which know few of them answer too."""

    def __init__(self, *, base_url: str, model: str, api_key: str) -> None:
        self.model = model
        # Local servers want no key, but the client insists on one.
        self.client = openai.OpenAI(base_url=base_url, api_key=api_key or "none", max_retries=0)

    def complete(self, *, instructions: str, content: str, seconds: float) -> str:
        """Raises ProviderFailed, at the latest after `seconds`."""
        try:
            return _within(seconds, lambda: self._complete(instructions, content, seconds))
        except (FutureTimeout, openai.APITimeoutError) as error:
            raise TimedOut from error
        except openai.APIStatusError as error:
            raise ProviderFailed(f"The language model refused with HTTP status {error.status_code}.") from error
        except openai.OpenAIError as error:
            raise ProviderFailed("The language model could not be reached.") from error
        except (ValueError, AttributeError, LookupError, TypeError) as error:
            # The client builds its objects from whatever came, without looking.
            raise ProviderFailed("The language model's answer could not be read.") from error

    def _complete(self, instructions: str, content: str, seconds: float) -> str:
        answer = self.client.chat.completions.create(
            model=self.model,
            messages=[{"role": "system", "content": instructions}, {"role": "user", "content": content}],
            timeout=seconds,
        )
        text = answer.choices[0].message.content
        if not isinstance(text, str):
            raise TypeError("no text in the answer")
        return text


def _within(seconds: float, call: Callable[[], str]) -> str:
    """The client's own time-out starts anew with each byte that drips in; this one does not."""
    outcome: Future[str] = Future()

    def run() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:  # noqa: BLE001  handed to the caller's thread, whatever it is
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True, name="language-model").start()
    return outcome.result(timeout=seconds)
