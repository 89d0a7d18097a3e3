"""A chat with memory, against `make up`:   python clients/python/examples/chat.py [YOUR NAME]

Say who you are and what you like, leave with /quit, start it again: it knows. /forget erases you, wholly.
With OPENAI_MODEL, OPENAI_API_KEY and OPENAI_BASE_URL a language model answers; without, you see what it would be told.
"""

import json
import os
import sys
from pathlib import Path

from pam_memory import ApiError, Memory

demo = json.loads((Path(os.environ.get("PAM_HOME", ".pam")) / "demo.json").read_text())
user = sys.argv[1] if len(sys.argv) > 1 else "me"


def reply(known: str, history: list[dict[str, str]]) -> str:
    if "OPENAI_MODEL" not in os.environ:
        return known or "I know nothing about you that bears on this yet."
    from openai import OpenAI

    messages = [{"role": "system", "content": known or "You know nothing of this user yet."}, *history]
    answer = OpenAI().chat.completions.create(model=os.environ["OPENAI_MODEL"], messages=messages)
    return answer.choices[0].message.content


with Memory(demo["url"], demo["api_key"]) as memory:
    history = []
    while (line := input("you> ").strip()) != "/quit":
        try:
            if line == "/forget":
                print(f"bot> Forgotten: {memory.erase(user)} memories.")
                continue
            known = memory.retrieve(user, line, context_max_tokens=400)
            if known.clarification_question:
                choice = input(f"bot> {known.clarification_question} [a: the first, b: the second, both, neither] ")
                memory.clarify(known.clarification_id, choice.strip())
            history.append({"role": "user", "content": line})
            history.append({"role": "assistant", "content": reply(known.system_prompt_addition, history)})
            print(f"bot> {history[-1]['content']}")
            memory.wait(memory.add(user, history[-2:]))
        except ApiError as error:
            print(f"bot> PAM refused: {error}")
