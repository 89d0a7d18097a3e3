"""What was made of a document goes with it, in the database itself: one DELETE, however large the document is."""

from django.db import migrations

WHERE_IT_HANGS = [
    ("memories_upload", "document_id", "memories_document"),
    ("memories_section", "document_id", "memories_document"),
    ("memories_fact", "document_id", "memories_document"),
    ("memories_fact", "section_id", "memories_section"),
    ("memories_mention", "fact_id", "memories_fact"),
    ("memories_mention", "entity_id", "memories_entity"),
    ("memories_relationship", "fact_id", "memories_fact"),
    ("memories_relationship", "subject_id", "memories_entity"),
    ("memories_relationship", "object_id", "memories_entity"),
]


def _foreign_key(table: str, column: str, parent: str, action: str) -> str:
    # Django names a foreign key by a hash, so it is looked up by its column. All names stand above.
    return f"""
        DO $$
        DECLARE present text;
        BEGIN
            SELECT c.conname INTO STRICT present
            FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
            WHERE c.contype = 'f' AND c.conrelid = '{table}'::regclass AND a.attname = '{column}';
            EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I', present);
            EXECUTE format(
                'ALTER TABLE {table} ADD CONSTRAINT %I FOREIGN KEY ({column}) REFERENCES {parent} (id) {action} '
                'DEFERRABLE INITIALLY DEFERRED', present);
        END $$
    """  # noqa: S608


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_ingest_queue")]

    operations = [
        migrations.RunSQL(
            sql=_foreign_key(table, column, parent, "ON DELETE CASCADE"),
            reverse_sql=_foreign_key(table, column, parent, ""),
        )
        for table, column, parent in WHERE_IT_HANGS
    ]
