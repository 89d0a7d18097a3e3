"""What Django cannot say of its tables: deletes that the database does itself, and vectors that stay in the row."""

from django.db import migrations

# What was made of a document goes with it: one DELETE, however large the document is.
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

# Vector and words stay in the row as long as it fits a page, so that a scan does not look each of them up; long text
# goes out of line instead.
INLINE = "ALTER TABLE {table} ALTER COLUMN vector SET STORAGE MAIN, ALTER COLUMN words SET STORAGE MAIN"
OUT_OF_LINE = "ALTER TABLE {table} ALTER COLUMN vector SET STORAGE EXTERNAL, ALTER COLUMN words SET STORAGE EXTENDED"


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
    dependencies = [("memories", "0002_row_level_security")]

    operations = [
        *[
            migrations.RunSQL(
                sql=_foreign_key(table, column, parent, "ON DELETE CASCADE"),
                reverse_sql=_foreign_key(table, column, parent, ""),
            )
            for table, column, parent in WHERE_IT_HANGS
        ],
        *[
            migrations.RunSQL(INLINE.format(table=table), OUT_OF_LINE.format(table=table))
            for table in ("memories_fact", "memories_section")
        ],
    ]
