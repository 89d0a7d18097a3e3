"""Chats that agents hand in, kept as documents: one turn is one passage, under the name of who spoke.

What was said is text: headings, HTML and open code blocks of a turn stay inside it. Secrets are cut before anything is
stored. Source: contract/company, "What goes in".
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from accounts import isolation
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from memories import redaction
from memories.company.intake import documents, ingest
from memories.company.intake.ingest import Accepted, File
from memories.models import Document, Source

MOST_PARTS = 1000
_TITLE_CHARACTERS = 80
_UNSAFE = re.compile(r"[^\w.-]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^( {0,3})(#{1,6})(?=[ \t]|$)")
_CODE_OR_TAG = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|<")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    text: str
    timestamp: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat, or one part of a long one. `project_path` is where the agent worked; `title` is made up when empty."""

    session_id: str
    turns: Sequence[Turn]
    source: str
    client: str = ""
    project_path: str = ""
    title: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    part_index: int = 0
    part_count: int = 1


def keep(caller: Caller, chat: Chat) -> Accepted:
    """Stores and queues the chat, in the place of what came under the same session before. Committed when it returns.

    Parts are kept apart; sent again in fewer parts, those that are over go. Raises InvalidArguments, ScopeMissing.
    """
    _check(chat)
    name = _name(chat.session_id)
    with isolation.account(caller.account.pk):
        answer = ingest.add(
            caller,
            source_kind=Source.Kind.CHAT,
            source_name=chat.source,
            files=[File(_path(name, chat.part_index), markdown(chat).encode("utf-8", "replace"))],
        )[0]
        if isinstance(answer, ingest.Refusal):
            raise InvalidArguments(answer.reason, argument="turns")
        _drop_stale(caller, chat, name, answer)
    return answer


def markdown(chat: Chat) -> str:
    """The chat as Markdown with front matter, without secrets."""
    turns = [(turn, redaction.cut(turn.text).text.strip()) for turn in chat.turns]
    title = redaction.cut(_title(chat, turns)).text
    moment = chat.ended_at or next((turn.timestamp for turn in reversed(chat.turns) if turn.timestamp), chat.started_at)
    fields = {
        "title": title if chat.part_count == 1 else f"{title} (part {chat.part_index + 1} of {chat.part_count})",
        "date": moment.isoformat() if moment else "",
        "project": re.split(r"[\\/]", chat.project_path.rstrip("\\/"))[-1],
        "client": chat.client,
    }
    front = [f"{name}: {json.dumps(redaction.cut(value).text)}" for name, value in fields.items() if value]
    spoken = [f"## {turn.role.title()}\n\n{_contained(text)}" for turn, text in turns if text]
    return "\n".join(["---", *front, "---", ""]) + "\n" + "\n\n".join(spoken) + "\n"


def _check(chat: Chat) -> None:
    if not 1 <= chat.part_count <= MOST_PARTS:
        raise InvalidArguments(f"part_count lies between 1 and {MOST_PARTS:,}.", argument="part_count")
    if not 0 <= chat.part_index < chat.part_count:
        raise InvalidArguments("part_index counts from 0 and stays below part_count.", argument="part_index")
    if not any(turn.text.strip() for turn in chat.turns):
        raise InvalidArguments("The turns have no text in them.", argument="turns")


def _name(session_id: str) -> str:
    """A file name for the session; an id that is no fit name is told apart by its hash."""
    session_id = redaction.cut(session_id.strip()).text
    safe = _UNSAFE.sub("-", session_id).strip(".-")
    if not safe or safe != session_id:
        safe = f"{safe}-{hashlib.sha256(session_id.encode('utf-8', 'replace')).hexdigest()[:8]}".lstrip("-")
    return safe


def _path(name: str, part: int) -> str:
    return f"{name}.md" if part == 0 else f"{name} part {part + 1}.md"


def _drop_stale(caller: Caller, chat: Chat, name: str, answer: Accepted) -> None:
    """Parts that the session has no more, and the session as another source handed it in."""
    chats = Document.objects.of(caller.account).filter(source__kind=Source.Kind.CHAT)
    same = chats.filter(Q(path=_path(name, 0)) | Q(path__startswith=f"{name} part "))
    mine = Q(source__documents__public_id=answer.document_id)
    present = Q(path__in=[_path(name, part) for part in range(chat.part_count)])
    stale = same.exclude(pk__in=chats.filter(mine & present).values("pk")).values_list("pk", flat=True)
    if pks := list(stale):
        documents.remove(caller.account.pk, pks)


def _title(chat: Chat, turns: Sequence[tuple[Turn, str]]) -> str:
    if chat.title.strip():
        return " ".join(chat.title.split())
    asked = next((text for turn, text in turns if turn.role == "user" and text), "") or "Chat"
    words = " ".join(re.sub(r"[#*_`>|<]", " ", asked).split())
    return words if len(words) <= _TITLE_CHARACTERS else words[:_TITLE_CHARACTERS].rsplit(" ", 1)[0] + "…"


def _contained(text: str) -> str:
    """Nothing in the turn reaches out of it: headings go below the speaker's, HTML is text, code is closed."""
    return "\n".join(_lines(text))


def _lines(text: str) -> Iterator[str]:
    fence, before = "", ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            yield line
        elif mark:
            fence = mark.group(1)
            yield line
        else:
            yield _tamed(line, before)
        before = line
    if fence:
        yield fence


def _tamed(line: str, before: str) -> str:
    if before.strip() and _UNDERLINE.match(line):
        return "\\" + line.lstrip()
    line = _HEADING.sub(lambda heading: f"{heading.group(1)}{'#' * min(6, len(heading.group(2)) + 2)}", line)
    # A comment would swallow everything up to wherever one is closed.
    return _CODE_OR_TAG.sub(lambda found: found.group() if found.group(1) else "&lt;", line).replace("<!--", "<! --")
