"""What was made of a document goes with it, in the database itself."""

import pytest
from django.db import connection

from tests.requirements import requirement

CASCADING = """
    SELECT conrelid::regclass::text, a.attname, confdeltype
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE contype = 'f' AND confrelid::regclass::text IN
        ('memories_document', 'memories_section', 'memories_fact', 'memories_entity')
    ORDER BY 1, 2
"""


@requirement("company:documents:delete")
@pytest.mark.django_db
def test_every_reference_to_a_document_and_what_is_made_of_it_cascades_in_the_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute(CASCADING)
        found = cursor.fetchall()

    assert len(found) == 9
    assert {action for _, _, action in found} == {"c"}
