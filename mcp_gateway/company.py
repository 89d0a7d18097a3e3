"""The tool of company memory: `retrieve_memory`. Source: seed "retrieve_memory", contract company memory."""

from collections.abc import Mapping
from typing import Any

from accounts import scopes
from accounts.caller import Caller
from mcp_gateway import schema, sessions
from mcp_gateway.tools import Answer, Context, Tool
from memories import redaction
from memories.company.answering import arguments, retrieve

#: How many of the remembered prompts triage may look at.
LOOKED_BACK = 3


class RetrieveMemoryArguments(schema.Arguments):
    prompt = schema.Text(arguments.prompt)
    session_id = schema.Text(arguments.session_id, required=False)


def _retrieve(caller: Caller, given: Mapping[str, Any], session_id: str, context: Context) -> Answer:
    # A secret in a prompt goes no further than this line: not to the embedder or a language model, nor into a store.
    prompt = redaction.cut(given["prompt"]).text
    retrieval = retrieve.retrieve(
        caller,
        prompt=prompt,
        earlier_prompts=sessions.next_prompt(caller, session_id, prompt)[-LOOKED_BACK:] if session_id else (),
        session_id=session_id,
        deadline=context.deadline,
        progress=context.progress,
        request_id=context.request_id,
    )
    return Answer(retrieval.structured(), retrieval.content_text, retrieval.sources(), retrieval.degraded_reason)


RETRIEVE_MEMORY = Tool(
    name="retrieve_memory",
    title="Retrieve company memory",
    description=(
        "Ask what this company knows. Give `prompt` as a full question or task in plain words (up to 8,000 characters) "
        "and get a report: a summary, ranked facts with their sources, entities, relationships and excerpts of "
        "documents. Call it before you assume anything about the company's people and who owns what, its projects, "
        "decisions, priorities, processes, customers, history or in-house terms. It only reads. `session_id` is "
        "optional: an id of one conversation, so that a follow-up question is understood."
    ),
    shape=RetrieveMemoryArguments,
    scopes=(scopes.MEMORY_READ,),
    annotations={"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    handler=_retrieve,
)
