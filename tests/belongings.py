"""One of each kind of thing that an account has, for tests that walk every page or interface."""

from accounts import api_keys, isolation
from mcp_gateway.models import RequestLog
from memories.agents import spaces
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.mcp_gateway.library import shelve
from tests.memories.agents import notebook
from tests.memories.end_users import diary


def belongings(owner: Person) -> dict[str, str]:
    """The ids of what lies in the owner's account for everybody of it, by kind. The end user is `pat`."""
    document = shelve(owner.account)
    Wire(owner.secret).call(prompt="Who owns billing at Lumen Ferry?")
    with isolation.account(owner.account.pk):
        request = RequestLog.objects.get()
    return {
        "document": document.public_id,
        "key": str(owner.agent.key and owner.agent.key.public_id),
        "api key": api_keys.issue(owner.account, name="the shop").key.public_id,
        "request": str(request.request_id),
        "record": notebook.noted(owner.agent, "Billing moves to Adyen", agent="alice"),
        "space": spaces.create(owner.agent, name="Harbour", access="account").id,
        "memory": diary.told(owner, "pat", "User lives in Lisbon."),
        "conflict": diary.in_doubt(owner, "pat", "alice", "heliotrope")["id"],
    }
