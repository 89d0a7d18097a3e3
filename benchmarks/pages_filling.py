"""An account with much in it, for measurements of pages. Needs a Django that is set up (benchmarks/pages.py)."""

from django.db import connection

from accounts import isolation, membership
from benchmarks import recall_filling

CALLS = """
    INSERT INTO mcp_gateway_requestlog (
        account_id, request_id, tool_name, status, error_code, counted, key_id, user_id, client, session_id, prompt,
        response_content_text, response_json, duration_ms, estimated_tokens, created_at
    )
    SELECT %(account)s, gen_random_uuid(),
        (ARRAY['retrieve_memory', 'memory_search_records', 'brief_me'])[1 + n %% 3],
        CASE WHEN n %% 17 = 0 THEN 'error' ELSE 'ok' END, CASE WHEN n %% 17 = 0 THEN 'memory_unavailable' ELSE '' END,
        n %% 17 > 0, (SELECT min(id) FROM accounts_agentkey WHERE account_id = %(account)s), NULL,
        (ARRAY['claude-code 2.1', 'cursor 3.0', 'codex 0.9'])[1 + n %% 3], '', 'Who answers for dock ' || n || '?',
        repeat('Dock ' || n || ' is answered for by the harbour office. ', 20), '{"status": "ok"}',
        30 + (n * 7919) %% 400, 900 + n %% 700, now() - n * (interval '89 days' / %(count)s)
    FROM generate_series(1, %(count)s) AS n
"""


def fill(account_id: str, calls: int, memories: int) -> None:
    """Calls over the last 89 days, and memories of end users who are all told the same 500."""
    account = membership.account_named(account_id)
    with isolation.account(account.pk), connection.cursor() as cursor:
        cursor.execute(CALLS, {"account": account.pk, "count": calls})
    recall_filling.fill(account_id, "somebody", 500, memories - 500)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) mcp_gateway_requestlog")
