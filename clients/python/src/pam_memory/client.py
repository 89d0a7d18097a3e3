"""The client for programs without an event loop."""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, TypeVar

import httpx

from pam_memory import calls, sending
from pam_memory.calls import Call
from pam_memory.errors import ApiError, ConnectionFailed, JobFailed, JobTimeout
from pam_memory.sending import Retries
from pam_memory.types import (
    Added,
    Category,
    Choice,
    Context,
    Format,
    Item,
    Job,
    Message,
    Outcome,
    Page,
    Raw,
    User,
    Version,
)

T = TypeVar("T")

POLL_SECONDS = 0.2


class Memory:
    """End-user memory of the account behind `api_key` (`mem_…`), at the PAM of `base_url`.

    `http` takes a client of your own (proxies, certificates); its base_url and headers are set here.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: Retries | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self._http = http or httpx.Client(timeout=timeout)
        self._http.base_url = httpx.URL(base_url.rstrip("/"))
        self._http.headers.update(sending.headers(api_key))
        self._retries = retries or Retries()

    def __enter__(self) -> "Memory":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the connections back."""
        self._http.close()

    def add(
        self,
        external_user_id: str,
        messages: Sequence[Message],
        *,
        agent_id: str | None = None,
        metadata: Raw | None = None,
        source: Raw | None = None,
        idempotency_key: str | None = None,
    ) -> Added:
        """Hands in messages of a chat; what they say of the user is read in the background (see `wait`).

        Without an `idempotency_key` each call has one of its own: a retry after a lost answer adds nothing twice.
        """
        call = calls.add(
            external_user_id,
            messages,
            agent_id=agent_id,
            metadata=metadata,
            source=source,
            idempotency_key=idempotency_key,
        )
        return self._send(call)

    def job(self, job_id: str) -> Job:
        return self._send(calls.job(job_id))

    def wait(self, added: Added | str, *, seconds: float = 30.0) -> Job | None:
        """Waits until messages were read; None where a gate held them back, so that there is nothing to wait for.

        Raises JobFailed, JobTimeout.
        """
        job_id = added if isinstance(added, str) else added.job_id
        if job_id is None:
            return None
        until = time.monotonic() + seconds
        while not (job := self.job(job_id)).is_over:
            if time.monotonic() >= until:
                raise JobTimeout(f"Job {job_id} is still {job.status} after {seconds:g} s.")
            time.sleep(POLL_SECONDS)
        if job.status == "dead":
            raise JobFailed(job.error_summary or "The messages could not be read.")
        return job

    def retrieve(
        self,
        external_user_id: str,
        query: str,
        *,
        limit: int | None = None,
        categories: Sequence[Category] = (),
        agent_id: str | None = None,
        time_filter_days: int | None = None,
        format: Format | None = None,
        context_max_tokens: int | None = None,
        as_of: datetime | None = None,
    ) -> Context:
        """What is known of a user on a question. `as_of` (with a time zone): what was known then."""
        call = calls.retrieve(
            external_user_id,
            query,
            limit=limit,
            categories=categories,
            agent_id=agent_id,
            time_filter_days=time_filter_days,
            format=format,
            context_max_tokens=context_max_tokens,
            as_of=as_of,
        )
        return self._send(call)

    def feedback(
        self,
        retrieval_id: str,
        outcome: Outcome,
        *,
        used_memory_ids: Sequence[str] = (),
        correction: str | None = None,
        agent_confidence: float | None = None,
    ) -> None:
        """Tells how an answer served: what was used matters more from then on. A `correction` is remembered."""
        call = calls.feedback(
            retrieval_id,
            outcome,
            used_memory_ids=used_memory_ids,
            correction=correction,
            agent_confidence=agent_confidence,
        )
        self._send(call)

    def clarify(self, clarification_id: str, choice: Choice) -> None:
        """Answers the question that `retrieve` brought up: a is what was known before, b what was said since."""
        self._send(calls.clarify(clarification_id, choice))

    def remember(
        self,
        external_user_id: str,
        content: str,
        category: Category,
        *,
        importance_score: float | None = None,
        agent_id: str | None = None,
        metadata: Raw | None = None,
    ) -> Item:
        """Writes one memory as it stands, in the third person ("User prefers short answers.")."""
        call = calls.remember(
            external_user_id,
            content,
            category,
            importance_score=importance_score,
            agent_id=agent_id,
            metadata=metadata,
        )
        return self._send(call)

    def remember_all(self, memories: Sequence[Raw]) -> list[Item]:
        """Up to 500 at once, all or none; each has external_user_id, content, category, and what `remember` takes."""
        return self._send(calls.remember_all(memories))

    def memories(
        self,
        external_user_id: str,
        *,
        categories: Sequence[Category] = (),
        agent_id: str | None = None,
        include_archived: bool = False,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page[Item]:
        """A page of what is remembered of a user, newest first."""
        call = calls.memories(
            external_user_id,
            categories=categories,
            agent_id=agent_id,
            include_archived=include_archived,
            cursor=cursor,
            limit=limit,
        )
        return self._send(call)

    def memory(self, memory_id: str) -> Item:
        return self._send(calls.memory(memory_id))

    def change(
        self,
        memory_id: str,
        *,
        content: str | None = None,
        category: Category | None = None,
        importance_score: float | None = None,
        is_archived: bool | None = None,
        metadata: Raw | None = None,
    ) -> Item:
        """Changes what is named; the state before stays in the history."""
        call = calls.change(
            memory_id,
            content=content,
            category=category,
            importance_score=importance_score,
            is_archived=is_archived,
            metadata=metadata,
        )
        return self._send(call)

    def delete(self, memory_id: str, *, hard: bool = False) -> None:
        """Archives a memory; with `hard` it is gone for good, history and all."""
        self._send(calls.delete(memory_id, hard=hard))

    def history(self, memory_id: str) -> list[Version]:
        return self._send(calls.history(memory_id))

    def users(self, *, search: str | None = None, cursor: str | None = None, limit: int = 50) -> Page[User]:
        """A page of your users that something is remembered of."""
        return self._send(calls.users(search=search, cursor=cursor, limit=limit))

    def stats(self, external_user_id: str) -> Raw:
        return self._send(calls.stats(external_user_id))

    def block(self, external_user_id: str) -> None:
        """From now on nothing is remembered of this user or told about them."""
        self._send(calls.block(external_user_id))

    def unblock(self, external_user_id: str) -> None:
        self._send(calls.unblock(external_user_id))

    def erase(self, external_user_id: str) -> int:
        """Deletes everything of a user, everywhere and for good; how many memories that were."""
        return self._send(calls.erase(external_user_id))

    def export(self, external_user_id: str) -> str:
        """Everything that is kept of a user, as JSON Lines."""
        return (self._attempted("GET", calls.export_path(external_user_id))).text

    def _send(self, call: Call[T]) -> T:
        response = self._attempted(call.method, call.path, call.body, call.query, call.headers)
        return call.read(sending.answer(response))

    def _attempted(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The answer, after as many tries as it takes. Raises ApiError, ConnectionFailed."""
        tried = 0
        while True:
            response, failure = None, None
            try:
                response = self._http.request(method, path, json=body, params=query, headers=headers)
            except httpx.TransportError as error:
                failure = error
            pause = self._retries.pause(tried, response)
            if response is not None and (response.is_success or pause is None):
                break
            if pause is None:
                raise ConnectionFailed(f"{method} {path}: {failure}") from failure
            time.sleep(pause)
            tried += 1
        if not response.is_success:
            sending.answer(response)
            raise ApiError(response.status_code, f"HTTP_{response.status_code}", "unreadable_answer")
        return response
