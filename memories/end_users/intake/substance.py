"""Whether messages say anything at all that could be about the user: gate L2. Pure.

Cheap and careful: only what is surely nothing (greetings, thanks, bare signs) is held back, the rest is for reading. A
short "yes" counts where the assistant has spoken before, since it may agree to something.
"""

import re
from collections.abc import Sequence

from memories.end_users.intake.said import ASSISTANT, USER, Message
from memories.sameness import normalised

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")

# Said to be polite, in the languages that products are most written to in; none of them says anything of anybody.
_SMALL_TALK = """
    hi hello hey heya hiya yo there good morning afternoon evening night day greetings howdy welcome bye goodbye
    cya see you later soon take care thanks thank thx ty cheers much very so many lot lots a again for your the
    help appreciated great awesome cool nice perfect wonderful lovely super excellent brilliant hm hmm hmmm um
    uh ah oh wow lol haha hahaha please got it understood noted hallo moin servus guten tag morgen abend danke
    vielen dank schön tschüss ciao bonjour bonsoir salut merci beaucoup au revoir hola buenos buenas días dias
    tardes noches gracias muchas adiós adios obrigado obrigada olá ola bom boa dia tarde noite tchau buongiorno
    buonasera grazie mille arrivederci hej tack takk tak je wel dzięki cześć dzień dobry привет здравствуйте
    спасибо пока добрый день merhaba teşekkürler 你好 您好 谢谢 再见 こんにちは ありがとう 안녕하세요 감사합니다
    مرحبا شكرا नमस्ते धन्यवाद
"""
# Nothing by itself, but an answer to what the assistant said before.
_ANSWERS = """
    yes yep yeah yup yea ya y no nope nah n ok okay k kk sure right correct exactly true indeed absolutely
    definitely agreed false wrong never always both neither none either maybe perhaps probably ja nein doch
    genau stimmt oui non si sí sì certo claro exacto sim não nao tak nie да нет 是 对 不 不是 はい いいえ 네 아니요
"""

_POLITE = frozenset(_SMALL_TALK.split())
_SHORT = frozenset(_ANSWERS.split())


def is_there(messages: Sequence[Message]) -> bool:
    """Whether the user says something in them."""
    is_asked = False
    for message in messages:
        if message.role == ASSISTANT:
            is_asked = is_asked or bool(_LETTER.search(message.content))
        elif message.role == USER and _says_something(message.content, is_asked=is_asked):
            return True
    return False


def _says_something(content: str, *, is_asked: bool) -> bool:
    words = _WORD.findall(normalised(content))
    if is_asked:
        return any(word not in _POLITE or word in _SHORT for word in words)
    return any(_LETTER.search(word) and word not in _POLITE and word not in _SHORT for word in words)
